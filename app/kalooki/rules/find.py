"""Finds a ruling by the words players use, including plurals, other names for a thing and small typing errors.

A text is broken into stems. Each stem of the question scores by where it occurs (in the search phrases, the title or
the body) and by how rare it is; another name for the same thing scores a little less, a mistyped word less again. A
phrase that says the same as the question scores most: one that leaves little of either over. A text that shares only
common words with the question is not found at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from math import log
from tomllib import loads
from typing import Any, Generic, NamedTuple, TypeVar

from app.kalooki.rules.wording import FOLDER

Found = TypeVar("Found")
Asked = Sequence[Mapping[str, float]]
"""A question: for each of its words, the stems it may mean and what each is worth."""

MOST_FOUND = 8
LONGEST_QUESTION = 200
"""How many letters of a question are read; nobody types more while a table waits."""

_SEARCHED, _TITLE, _BODY = 1.6, 1.4, 0.6
_PHRASE = 4.0
_SAME_THING, _MISTYPED = 0.8, 0.6
_ENOUGH = 0.34
"""The share of the highest possible score that a text must reach."""
_SURE = 0.78
"""How alike two words must be for one to be a mistyped other; one letter wrong in five."""
_SHORTEST_MISTYPED = 4

_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("ing", ""), ("ed", ""), ("s", ""))
_SHORTEST_STEM = 3
MOST_WORDS = 8_192
"""Words whose stems are cached: all those in the answers, and those people ask with."""


class Text(NamedTuple, Generic[Found]):
    """A text to search: `searched_by` are phrases for it that its title and body do not contain."""

    what: Found
    title: str
    body: str
    searched_by: tuple[str, ...]


class _Phrase(NamedTuple):
    """The stems of a phrase, and its weight: the sum of their rarity."""

    weights: Mapping[str, float]
    says: float


class _Weighed(NamedTuple, Generic[Found]):
    """An indexed text: what each of its stems is worth by where it occurs, and its phrases."""

    what: Found
    weights: Mapping[str, float]
    phrases: Sequence[_Phrase]


class Index(Generic[Found]):
    """Indexed texts to search; of equally good ones, the first wins."""

    def __init__(self, texts: Iterable[Text[Found]]) -> None:
        weighed = [(text, _weights(text)) for text in texts]
        spread = Counter(stem for _, weights in weighed for stem in weights)
        self._rarity = {stem: log(1 + len(weighed) / count) for stem, count in spread.items()}
        self._texts = [_Weighed(text.what, weights, [*map(self._phrase, _phrases(text))]) for text, weights in weighed]

    def find(self, question: str, most: int = MOST_FOUND) -> list[Found]:
        """What answers the question, best first; nothing if no text fits."""
        asked = [self._meant(stem) for stem in dict.fromkeys(stems(question[:LONGEST_QUESTION]))]
        possible = sum(max(meant.values()) for meant in asked)
        scored = [(_score(asked, possible, text), text.what) for text in self._texts]
        fitting = [pair for pair in scored if pair[0] and pair[0] >= possible * _ENOUGH]
        return [what for _, what in sorted(fitting, key=lambda pair: -pair[0])[:most]]

    def _phrase(self, words: str) -> _Phrase:
        weights = dict.fromkeys(stems(words), 1.0)
        return _Phrase(weights, sum(self._rarity[stem] for stem in weights))

    def _meant(self, stem: str) -> dict[str, float]:
        """The stems that a stem of the question may mean, and what each is worth; an unknown word counts as rare."""
        alike = dict.fromkeys(same_things().get(stem, ()), _SAME_THING) | {stem: 1.0}
        known = {other: worth * self._rarity[other] for other, worth in alike.items() if other in self._rarity}
        if known:
            return known
        words = [word for word in [*self._rarity, *same_things()] if word[0] == stem[0]]
        near = get_close_matches(stem, words, 2, _SURE) if len(stem) >= _SHORTEST_MISTYPED else []
        meant = {other for word in near for other in (word, *same_things().get(word, ()))} & self._rarity.keys()
        return {other: _MISTYPED * self._rarity[other] for other in meant} or {stem: log(1 + len(self._texts))}


def _score(asked: Asked, possible: float, text: _Weighed[Any]) -> float:
    """How well a text fits: word by word, and by its nearest phrase."""
    by_word = _worth(asked, text.weights)
    alike = (_likeness(asked, possible, phrase) for phrase in text.phrases) if by_word else ()
    return by_word + _PHRASE * possible * max(alike, default=0.0)


def _likeness(asked: Asked, possible: float, phrase: _Phrase) -> float:
    """What a phrase and the question share, as a part of all that both say: 0 to 1."""
    shared = _worth(asked, phrase.weights)
    return shared / (phrase.says + possible - shared) if shared else 0.0


def _worth(asked: Asked, weights: Mapping[str, float]) -> float:
    """What the question's words are worth in a text, each by the best of its meanings."""
    return sum(max((worth * weights.get(stem, 0) for stem, worth in meant.items()), default=0) for meant in asked)


def _weights(text: Text[Any]) -> dict[str, float]:
    """What each stem of a text is worth: by the most telling place it occurs in."""
    weights: dict[str, float] = {}
    said = ((text.body, _BODY), (text.title, _TITLE), (" ".join(text.searched_by), _SEARCHED))
    for words, worth in said:
        weights |= dict.fromkeys(stems(words), worth)
    return weights


def _phrases(text: Text[Any]) -> tuple[str, ...]:
    return (text.title, *text.searched_by)


def stems(text: str) -> list[str]:
    """The significant words of a text in their plainest form, in order.

    >>> stems("May I swap the jokers?"), stems("Laying 8♥ 8♥ – allowed?")
    (['swap', 'joker'], ['lay', '8', 'heart', '8', 'heart'])
    """
    plain = unicodedata.normalize("NFKD", _spelled(text.casefold())).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z]+|\d+", plain.replace("'", ""))
    return [_stem(word) for word in words if word not in _ignored()]


def _spelled(text: str) -> str:
    for sign, word in _book()["signs"].items():
        text = text.replace(sign, f" {word} ")
    return text


@lru_cache(MOST_WORDS)
def _stem(word: str) -> str:
    """The plainest form of a word.

    >>> [_stem(word) for word in ("melds", "queries", "laying", "swapped", "discards", "pass", "six")]
    ['meld', 'query', 'lay', 'swap', 'discard', 'pass', 'six']
    """
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
    groups = [frozenset(stem for word in group for stem in stems(word)) for group in _book()["same"]]
    every = {stem for group in groups for stem in group}
    return {stem: frozenset().union(*(group for group in groups if stem in group)) - {stem} for stem in every}


@cache
def _ignored() -> frozenset[str]:
    return frozenset(_book()["ignored"])


@cache
def _book() -> dict[str, Any]:
    return loads((FOLDER / "find.toml").read_text("utf-8"))
