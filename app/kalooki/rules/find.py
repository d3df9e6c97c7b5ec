"""Finds a ruling by the words players use, including plurals, other names for a thing and small typing errors.

Each text comes with wordings of the questions it answers (its title, search words, `asked.toml`). Words are reduced to
stems, and a rare stem counts more than a common one. A text is as near to a question as the nearest of its wordings;
the second nearest, and single words found anywhere in the text, count less. Another name for the same thing counts a
little less than the thing itself, a mistyped word less again. A text that shares too little with the question is not
found at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from heapq import nlargest
from itertools import chain
from math import log
from typing import Any, NamedTuple

from app.kalooki.rules.wording import read

Asked = Sequence[Mapping[str, float]]
"""A question: for each of its words, the stems it may mean and what each is worth."""
Places = Mapping[str, Sequence[int]]
"""Where each stem occurs."""

MOST_FOUND = 8
LONGEST_QUESTION = 200
"""The characters of a question that are read; nobody types more while a table waits."""

_UNSHARED_ASKED, _UNSHARED_WORDING = 0.2, 0.5
"""What a wording loses for words of the question it lacks, and for words of its own that were not asked."""
_SECOND, _ANYWHERE = 0.3, 0.7
"""The weights of a text's second nearest wording and of its single words, relative to the nearest wording."""
_SAME_THING, _MISTYPED = 0.7, 0.6
_UNKNOWN = 3.0
"""The weight of a word of the question that occurs in no text."""
_ENOUGH = 0.25
"""The part of the question that a text must share."""
_BESIDE_THE_BEST = 0.5
"""The part of the best text's score that another text needs to be found beside it."""
_SURE = 0.78
"""How similar an unknown word must be to a known one to count as mistyped: one letter in five may be wrong."""
_SHORTEST_MISTYPED = 4
_MOST_MISTYPED = 6
"""How many unknown words of a question are compared with known ones, which takes time."""

_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("ing", ""), ("ed", ""), ("s", ""))
_SHORTEST_STEM = 3
MOST_REMEMBERED = 8_192
"""Words and wordings whose stems are cached: all those of the answers, and those people ask with."""


class Text(NamedTuple):
    """A text to search: `searched_by` are phrases for it that its title and body do not contain."""

    title: str
    body: str
    searched_by: tuple[str, ...]


class Index:
    """Indexed texts to search, each known by its place; of equally good ones, the first wins."""

    def __init__(self, texts: Iterable[Text]) -> None:
        every = [*texts]
        said = [(place, stems(words)) for place, text in enumerate(every) for words in (text.title, *text.searched_by)]
        bodies = [stems(text.body) for text in every]
        self._rarity = _rarity(said, bodies)
        self._text_of = [place for place, _ in said]
        self._says = [sum(self._rarity[stem] for stem in wording) for _, wording in said]
        self._in_wordings = _places(enumerate(wording for _, wording in said))
        self._in_texts = _places(chain(said, enumerate(bodies)))

    def find(self, question: str, most: int = MOST_FOUND) -> list[int]:
        """The places of the texts that answer the question, best first; none if no text fits."""
        asked = self._understood(stems(question[:LONGEST_QUESTION]))
        possible = sum(max(meant.values()) for meant in asked)
        enough = possible * _ENOUGH
        worth = {place: shared for place, shared in _shared(asked, self._in_texts).items() if shared >= enough}
        near = self._nearest(asked, possible)
        score = {place: near.get(place, 0) + _ANYWHERE * shared / possible for place, shared in worth.items()}
        ranked = sorted(score, key=lambda place: (-score[place], place))[:most]
        return [place for place in ranked if score[place] >= _BESIDE_THE_BEST * score[ranked[0]]]

    def _nearest(self, asked: Asked, possible: float) -> dict[int, float]:
        """How near each text's wordings come to the question."""
        alike: dict[int, list[float]] = defaultdict(list)
        for wording, shared in _shared(asked, self._in_wordings).items():
            apart = _UNSHARED_ASKED * (possible - shared) + _UNSHARED_WORDING * max(0, self._says[wording] - shared)
            alike[self._text_of[wording]].append(shared / (shared + apart))
        two = ((place, nlargest(2, likenesses)) for place, likenesses in alike.items())
        return {place: first + _SECOND * sum(second) for place, (first, *second) in two}

    def _understood(self, question: Sequence[str]) -> Asked:
        """What each word of a question may mean; one nobody knows may be mistyped."""
        known = {stem: self._known(stem) for stem in question}
        mistyped = [stem for stem, meant in known.items() if not meant and len(stem) >= _SHORTEST_MISTYPED]
        known |= {stem: self._mistyped(stem) for stem in mistyped[:_MOST_MISTYPED]}
        return [meant or {stem: _UNKNOWN} for stem, meant in known.items()]

    def _known(self, stem: str) -> dict[str, float]:
        alike = dict.fromkeys(same_things().get(stem, ()), _SAME_THING) | {stem: 1.0}
        return {other: worth * self._rarity[other] for other, worth in alike.items() if other in self._rarity}

    def _mistyped(self, stem: str) -> dict[str, float]:
        words = [word for word in {*self._rarity, *same_things()} if word[0] == stem[0]]
        near = get_close_matches(stem, words, 2, _SURE)
        meant = {other for word in near for other in (word, *same_things().get(word, ()))} & self._rarity.keys()
        return {other: _MISTYPED * self._rarity[other] for other in meant}


def _rarity(said: Sequence[tuple[int, Sequence[str]]], bodies: Iterable[Sequence[str]]) -> dict[str, float]:
    """The weight of each stem: the fewer wordings have it, the more. One that occurs only in bodies counts as rare."""
    spread = dict.fromkeys(chain.from_iterable(bodies), 1) | Counter(stem for _, wording in said for stem in wording)
    return {stem: log(1 + len(said) / count) for stem, count in spread.items()}


def _places(said: Iterable[tuple[int, Sequence[str]]]) -> dict[str, list[int]]:
    places: dict[str, dict[int, None]] = defaultdict(dict)
    for place, stems_there in said:
        for stem in stems_there:
            places[stem][place] = None
    return {stem: [*where] for stem, where in places.items()}


def _shared(asked: Asked, places: Places) -> dict[int, float]:
    """What the question's words are worth at each place; each word counts by its best meaning there."""
    shared: dict[int, float] = defaultdict(float)
    for meant in asked:
        best: dict[int, float] = {}
        for stem, worth in sorted(meant.items(), key=lambda pair: pair[1]):
            best |= dict.fromkeys(places.get(stem, ()), worth)
        for place, worth in best.items():
            shared[place] += worth
    return shared


def stems(text: str) -> Sequence[str]:
    """The significant words of a text in their plainest form, each once.

    >>> stems("May I swap the jokers?"), stems("Laying 8♥ 8♥ – allowed?")
    (('swap', 'joker'), ('lay', '8', 'heart'))
    """
    return _stems(text.casefold())


@lru_cache(MOST_REMEMBERED)
def _stems(text: str) -> tuple[str, ...]:
    for sign, word in _book()["signs"].items():
        text = text.replace(sign, f" {word} ")
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z]+|\d+", plain.replace("'", ""))
    return tuple(dict.fromkeys(_stem(word) for word in words if word not in _ignored()))


@lru_cache(MOST_REMEMBERED)
def _stem(word: str) -> str:
    """The plainest form of a word.

    >>> [_stem(word) for word in ("melds", "queries", "threw", "swapped", "discards", "pass", "six")]
    ['meld', 'query', 'throw', 'swap', 'discard', 'pass', '6']
    """
    stem = _forms().get(word) or _without_ending(word)
    return _forms().get(stem, stem)


def _without_ending(word: str) -> str:
    if word.endswith("ss"):
        return word
    ending, instead = next((pair for pair in _ENDINGS if word.endswith(pair[0])), ("", ""))
    stem = word.removesuffix(ending) + instead
    if len(stem) < _SHORTEST_STEM:
        return word
    doubled = ending in {"ing", "ed"} and stem[-1] == stem[-2] and stem[-1] not in "ls"
    return stem[:-1] if doubled else stem.removesuffix("e") if len(stem) > _SHORTEST_STEM else stem


@cache
def same_things() -> Mapping[str, frozenset[str]]:
    """Words players use for one thing, by stem: wild, wildcard and joker."""
    groups = [frozenset(_stem(word) for word in group) for group in _book()["same"]]
    every = {stem for group in groups for stem in group}
    return {stem: frozenset().union(*(group for group in groups if stem in group)) - {stem} for stem in every}


@cache
def _forms() -> Mapping[str, str]:
    """The plain form of irregular words."""
    return {word: forms[0] for forms in _book()["forms"] for word in forms[1:]}


@cache
def _ignored() -> frozenset[str]:
    return frozenset(_book()["ignored"])


@cache
def _book() -> Mapping[str, Any]:
    return read("find.toml")
