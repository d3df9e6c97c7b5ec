"""Find answers by the words players use, with a linear classifier trained on many people's questions.

The features of a question, called pieces, are its words, alone and in pairs, and sequences of two to five letters, so
that a misspelt word still has most of its pieces. `find.weights` has a weight for each piece and family of answers
(families are listed in `find.toml`); the family with the highest sum comes first. `find.members` has the same for each
answer within its family. `python3 -m tests.bench find` trains both. An answer without weights is found by the pieces
that its title shares with the question.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from json import loads
from math import inf, log, sqrt
from operator import eq, ge, gt, le, lt
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32, decompress

from app.kalooki import conditions
from app.kalooki.cards import SUITS
from app.kalooki.rules.wording import FOLDER, read

MOST_FOUND = 8
LONGEST_QUESTION = 200
"""How many characters of a question are read; nobody types more while a table waits."""
WEIGHTS = FOLDER / "find.weights"
MEMBERS = FOLDER / "find.members"
PLACES = 1 << 16
"""The number of hash buckets ("places") for pieces; few pieces share one."""
_LETTERS = (2, 3, 4, 5)
_CARD = re.compile("(10|[2-9ajqk])[shdc]?")
_WORDS = re.compile(r"(?:10|[2-9])[shdc]\b|[a-z]+|\d+", re.IGNORECASE)
_RUN_TOGETHER = re.compile(r"\b(?=\d*[ajqk])(?!aka\b)(?:10|[2-9ajqk]){3,}\b", re.IGNORECASE)
"""Three or more cards written as one word, such as "JQKA"."""
_NUMBERED_HAND = re.compile(r"\b(hand|round|game) (?:number|nr|no\.?) (\d+)\b", re.IGNORECASE)
_FIRST_HAND = re.compile(r"\b(hand|round) one\b(?! (card|by|of)\b)", re.IGNORECASE)
_SUIT_SIGNS = str.maketrans("♠♥♦♣", "shdc")
EVERY = ("every",)
"""What stands for all families, where a fact puts one before others."""
NOTHING = ""
"""The family of questions that have no answer."""
CERTAIN = 9.0
"""The score of a family if the question is the title of one of its answers."""
_HANDS = ("hand", "round", "deal", "game")
_PERSON = re.compile(
    r"(?<=[a-z,;:] )[A-Z][a-z]+\b|\b[A-Z][a-z]+\b"
    r"(?= (?:\w+ed|is|was|has|had|and|says|said|put|laid|took|threw|went|came|got|lifted)\b)"
)
_NUMBERED = re.compile(r"\d+(?:st|nd|rd|th)\b|(?:10|[2-9])[shdc]\b|[a-z]+|\d+")
_SIZES: Mapping[str, Sequence[int]] = {
    "hand": (5, 10),
    "cards": (2, 3, 4, 5, 6, 11),
    "times": (2, 3, 4, 5),
    "points": (40, 60, 75, 100, 101, 150, 151),
}
"""The thresholds between sizes of numbers, by what they count; for points those of openings, pools and limits."""
_RANK_NAMES = {"a": "ace", "2": "low", "3": "low", "j": "court", "q": "court", "k": "court"}
STATE_WEIGHT, NEGATION_REACH = 3, 3
"""How many times a state or size is counted, and how many words after a "not" it may negate."""
_TENS, TEN, HUNDRED, MIN_POINTS = range(20, 100, 10), 10, 100, 11
COMPARISON_REACH = 5
"""How many words before a number may compare it ("less than 40")."""
_ARTICLES = ("the", "a", "an", "my", "his", "her", "another")
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {"under": lt, "upto": le, "at": eq, "from": ge, "over": gt}
MIN_CARDS = 3
MIN_TELLING = 3
"""The fewest telling words that must be left of a question without the name of its variant."""
SHORTEST_MISSPELT = 4
"""The shortest unknown word that is matched by its sound; shorter ones sound like too many others."""
_RANKS = ("a", *map(str, range(2, 11)), "j", "q", "k")
_RANK_NAMED = "(?:ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two|deuce|10|[2-9jqk])"
_DISTANCES = {0: "~alike", 1: "~next"}
LAG_FACTOR, DEFAULT_LAG = 0.4, 1.0
"""The factor of a lag within a family relative to the scores of families, and the lag of an answer without weights."""
CONTESTED = 0.6
"""The distance in score up to which an opposite answer of the same family contests a Yes or No."""
_SIMILAR_ENOUGH = 0.5
"""The similarity (0 to 1) from which an answer without weights fits a question."""
NEARLY = 0.1
"""The score from `alike` at which a question that fits no family is close enough to a title or search phrase."""


Score: TypeAlias = float
Scores: TypeAlias = Mapping[str, Score]
"""How well each family fits a question."""


class Weights(NamedTuple):
    """A trained classifier: the rarity of each place's pieces, and their weights for families.

    Place `p` has weights for the families `named[starts[p]:starts[p + 1]]`, in `weights` at the same indices. A family
    fits if its score is at least `least` above that of NOTHING. If the best score is less than `clear` above the
    second, the question may mean either.
    """

    made_from: str
    families: Sequence[str]
    bias: Sequence[float]
    unit: float
    least: float
    clear: float
    rarity: array[float]
    starts: Sequence[int]
    named: bytes
    weights: array[int]


class TypedFact(NamedTuple):
    """A fact found in a question: the answer it puts first, even `instead` of answers that the weights prefer."""

    leads: str
    is_number: bool
    instead: Sequence[str]

    def decides(self, likeliest: str, is_general: bool, is_mishap: bool) -> bool:
        """Return whether the fact's answer comes first in its family, before the one that the weights prefer.

        A number overrides any answer but a mishap; other words override only a general answer.
        """
        overrides = not is_mishap and (self.is_number or is_general)
        return self.leads == likeliest or likeliest in self.instead or overrides


def families() -> Mapping[str, tuple[str, ...]]:
    """Return the families of answers that are found together: the other members by the slug of the first."""
    return MappingProxyType({lead: tuple(others) for lead, others in _tables()["families"].items()})


@cache
def family_of(slug: str) -> str:
    """Return the family of an answer; most answers are the only one in their family."""
    return next((lead for lead, others in families().items() if slug in others), slug)


def pieces(question: str) -> Iterator[str]:
    """Yield the pieces of a question: its words and their meanings, alone and in pairs, and their letters.

    >>> sorted({*pieces("Swop ♥")} - {*pieces("swop heart")})
    []
    >>> [piece for piece in pieces("swap 7 8 joker") if piece[0] == "~"]
    ['~swap', '~#', '~#', '~joker', '~swap_#', '~#_#', '~#_joker', '~next']
    """
    words = _words(question)
    for word in words:
        yield f"={word}"
        spaced = f" {word} "
        for length in _LETTERS:
            yield from (spaced[first : first + length] for first in range(len(spaced) - length + 1))
    yield from (f"{one}_{other}" for one, other in pairwise(words))
    stems = telling(question)
    meanings = [_meaning(word) for word in stems]
    yield from (f"~{each}" for each in meanings)
    yield from (f"~{one}_{other}" for one, other in pairwise(meanings))
    yield from (f"={one}__{other}" for one, other in pairwise(stems))
    ranks = [_RANKS.index(rank) for rank in map(_rank, words) if rank]
    yield from (_DISTANCES.get(higher - lower, "~apart") for lower, higher in pairwise(ranks))
    yield from _states_and_sizes(question, words)


def _states_and_sizes(question: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the pieces that do not depend on the exact words: states, sizes of numbers, negations, cards named.

    >>> [*_states_and_sizes("not down yet, got 39", ["not", "down", "yet", "got", "39"])]
    ['!notdown', '!notdown', '!notdown', '!points<40', '!points<40', '!points<40', '!not_lay', '!not_late', '!not_take']
    """
    for state in states_in(question):
        yield from (f"!{state}",) * STATE_WEIGHT
    for kind, numbers in numbers_in(question).items():
        for number in numbers:
            size = next((size for size in _SIZES[kind] if number < size), "")
            yield from (f"!{kind}<{size}",) * STATE_WEIGHT
    stems = [meaning for word in words if (meaning := _meaning(word)) != "ignored"]
    for at, stem in enumerate(stems):
        if stem == "not":
            yield from (f"!not_{other}" for other in stems[at + 1 : at + 1 + NEGATION_REACH])
    yield from (f"!{_RANK_NAMES.get(rank, 'number')}" for word in words if (rank := _rank(word)))


def states_in(question: str) -> list[str]:
    """Return the states from `find.toml` that a question mentions, about the player asking or about the cards.

    >>> states_in("im not down yet"), states_in("I am already down"), states_in("who deals")
    (['notdown'], ['isdown', 'asked'], ['asked'])
    """
    text = " ".join(_words(question))
    states = [state for state, words in _tables()["states"].items() if _matches(words, text)]
    return [state for state in states if state != "isdown" or "notdown" not in states]


def _matches(words: str, text: str) -> bool:
    """Return whether a regular expression of `find.toml` matches a text; RANK in it is the name of any rank."""
    return re.search(words.replace("RANK", _RANK_NAMED), text) is not None


def leads_with_verdict(question: str, title: str) -> bool:
    """Return whether the Yes or No of the answer with this title is also true of a question as it is put.

    >>> may, must = "May I add cards?", "Do I have to lay?"
    >>> [leads_with_verdict(each, may) for each in ("can i add 2", "not down, can i add", "cant i add", "must i add 1")]
    [True, True, False, False]
    >>> [leads_with_verdict(each, must) for each in ("must i lay", "dont i have to lay", "can i lay")]
    [True, False, False]
    >>> leads_with_verdict("do cards i held count", may), leads_with_verdict("is he out", "Am I out?")
    (False, True)
    """
    forms, of_title = _forms_of(question), _forms_of(title) & {"must", "whether"}
    return not forms - of_title and not (of_title - forms) & {"must"}


@lru_cache(maxsize=1024)
def _forms_of(question: str) -> frozenset[str]:
    """Return how a question is put, other than "may I?" (`find.toml`)."""
    text = " ".join(_words(question))
    stateless = re.sub(_tables()["states"]["notdown"], " ", text)
    forms = _tables()["forms"].items()
    return frozenset(form for form, words in forms if _matches(words, text if form == "inverted" else stateless))


def telling(question: str) -> list[str]:
    """Return the words of a question that carry meaning."""
    return [word for word in _words(question) if _meaning(word) != "ignored"]


def _meanings() -> Mapping[str, str]:
    return {form: meaning for meaning, forms in reversed(_tables()["means"].items()) for form in forms.split()}


@lru_cache(maxsize=8192)
def _meaning(word: str) -> str:
    """Return the meaning of a word: `#` for a card, `##` for a number, a meaning from `find.toml`, or the word itself.

    >>> [_meaning(word) for word in ("swapped", "queens", "7h", "58", "grandma")]
    ['swap', '#', '#', '##', 'grandma']
    """
    if _rank(word):
        return "#"
    if word.isdecimal():
        return "##"
    meanings = _meanings()
    folded = (word, word.removesuffix("s"), word.removesuffix("ed"), word.removesuffix("ing"))
    doubled = (each[:-1] for each in folded[2:] if each[-2:-1] == each[-1:])
    exact = next((meanings[each] for each in (*folded, word.removesuffix("d"), *doubled) if each in meanings), "")
    if exact or len(word) < SHORTEST_MISSPELT:
        return exact or word
    return next((meanings[similar] for each in folded if (similar := _by_sound().get(_sound(each)))), word)


@cache
def _by_sound() -> Mapping[str, str]:
    """Return a word with a known meaning by its sound, without sounds that several meanings share."""
    sounds: dict[str, set[str]] = {}
    for word, meaning in _meanings().items():
        if len(word) >= SHORTEST_MISSPELT and meaning != "ignored":
            sounds.setdefault(_sound(word), set()).add(word)
    means = {sound: {_meanings()[word] for word in words} for sound, words in sounds.items()}
    return {sound: min(words) for sound, words in sounds.items() if len(means[sound]) == 1}


def _sound(word: str) -> str:
    """Return a key that survives misspelling: the first letter and the consonants after it, without repetition.

    >>> _sound("jokker") == _sound("jocker") == _sound("joker"), _sound("alredy") == _sound("already")
    (True, True)
    >>> _sound("discrad") == _sound("discard"), _sound("opning") == _sound("opening"), _sound("trun") == _sound("turn")
    (True, True, True)
    """
    folded = word.replace("ck", "k").replace("ph", "f").replace("gh", "").replace("c", "k").replace("z", "s")
    rest = "".join(letter for letter in folded[1:] if letter not in "aeiouyhw")
    return folded[:1] + re.sub(r"(.)\1+", r"\1", rest)


def _rank(word: str) -> str:
    """Return the rank that a word names, in lower case; empty if none.

    >>> [_rank(word) for word in ("qh", "10", "sevens", "jack", "a", "11")]
    ['q', '10', '7', 'j', '', '']
    """
    named = _tables()["ranks"].get(word) or _tables()["ranks"].get(word.removesuffix("s"), "")
    match = _CARD.fullmatch(word)
    return match[1] if match and word != "a" else named


@lru_cache(maxsize=4)
def count_pieces(question: str) -> Counter[int]:
    """Return how many pieces of the question fall into each place."""
    return Counter(crc32(piece.encode()) % PLACES for piece in pieces(question))


def fitting(question: str, weights: Weights | None = None) -> dict[str, Score]:
    """Return a score for each family, and for NOTHING, the family of questions without an answer.

    With the weights of `learned_members` it returns a score for each answer within its family. A question without
    meaningful words gives NOTHING an infinite score.
    """
    learned = weights or learned_weights()
    sums = [0.0] * len(learned.families)
    worth = {place: learned.rarity[place] * (1 + log(count)) for place, count in count_pieces(question).items()}
    for place, each in worth.items():
        its_own = slice(learned.starts[place], learned.starts[place + 1])
        for family, weight in zip(learned.named[its_own], learned.weights[its_own], strict=True):
            sums[family] += each * weight
    length = sqrt(sum(each * each for each in worth.values())) or 1.0
    scores = (learned.unit * total / length + bias for total, bias in zip(sums, learned.bias, strict=True))
    unread = {} if telling(question) else {NOTHING: inf}
    return dict(zip(learned.families, scores, strict=True)) | unread


def rank_families(scores: Scores) -> list[str]:
    """Return the families, best first; families with equal scores keep their order."""
    return sorted(scores, key=lambda family: -scores[family])


def fits(score: Score, nothing: Score) -> bool:
    """Return whether a score is far enough above that of NOTHING for the family to be an answer."""
    return score - nothing >= learned_weights().least


def lags(slugs: Sequence[str], likely: Scores) -> dict[str, Score]:
    """Return how far the score of each answer lies below the best of its family; 0 for the first one, which leads.

    >>> lags(["nothing-to-shuffle", "stock-used-up", "new"], {"nothing-to-shuffle": -0.5, "stock-used-up": 0.5})
    {'nothing-to-shuffle': 0.0, 'stock-used-up': 0.0, 'new': 0.4}
    """
    best = max((likely[slug] for slug in slugs if slug in likely), default=0.0)
    behind = {slug: LAG_FACTOR * (best - likely.get(slug, best - DEFAULT_LAG)) for slug in slugs}
    return behind | dict.fromkeys(slugs[:1], 0.0)


def substitute_families(scores: Scores, here: Container[str]) -> dict[str, Score]:
    """Return the scores, with the score of each family missing `here` passed to its substitute (`find.toml`)."""
    moved = {family: other for family, other in _tables()["instead"].items() if family not in here and other in here}
    raised = {other: max(scores[family], scores[other]) for family, other in moved.items()}
    return {family: score for family, score in scores.items() if family not in moved} | raised


def is_clear(best: Score, second: Score) -> bool:
    """Return whether the best score is so far above the second that the question is clear."""
    return best - second >= learned_weights().clear


def cards_in(question: str) -> str:
    """Return the meld in a question (the longest row of three or more cards) in notation, filling in missing suits.

    >>> cards_in("can I lay K K joker"), cards_in("is 5 6 and 7 of hearts a run"), cards_in("two kings")
    ('KS KH *', '5H 6H 7H', '')
    """
    folded = question[:LONGEST_QUESTION].translate(_SUIT_SIGNS)
    words = [word for word in _WORDS.findall(_spell_out(folded)) if word.casefold() not in ("and", "of", "the")]
    rows: list[list[str]] = [[]]
    for word in words:
        rows[-1:] = [[*rows[-1], word.casefold()]] if _is_card(word) else [rows[-1], []]
    longest = max(rows, key=len)
    return " ".join(_add_suits(longest, words)) if len(longest) >= MIN_CARDS else ""


def hand_in(question: str, last: int = 0) -> int:
    """Return the number of the hand that a question names, 0 if none; the last hand is `last`.

    >>> hand_in("how many cards are dealt in hand 5"), hand_in("what do we need in round seven"), hand_in("hand of 13")
    (5, 7, 0)
    >>> hand_in("contract of the fifth hand"), hand_in("what is the 3rd round"), hand_in("third card on my hand")
    (5, 3, 0)
    >>> hand_in("what do we need in the last hand", 9)
    9
    """
    is_last = re.search(r"\b(last|final) (hand|round|deal)\b", question.casefold())
    return next(iter(numbers_in(question)["hand"]), last if is_last else 0)


@lru_cache(maxsize=4)
def numbers_in(question: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers in a question by what they count: "hand", "cards", "times" or "points".

    >>> numbers = numbers_in("got thirty-nine, my fourth call in hand 2 with 3 cards left")
    >>> numbers["points"], numbers["times"], numbers["hand"], numbers["cards"]
    ([39], [4], [2], [3])

    A comparison changes the number by one ("less than 40" is 39). The rank of a card is not a number.

    >>> [numbers_in(each)["points"] for each in ("past the 150", "less than forty", "one fifty on the dot")]
    [[151], [39], [150]]
    >>> numbers_in("put the 4 under 5 6 7")["cards"]
    []
    """
    words = ["", *_join_numbers(_NUMBERED.findall(_spell_out(question).casefold())), ""]
    numbers: dict[str, list[int]] = {kind: [] for kind in ("hand", "cards", "times", "points")}
    for at, word in enumerate(words[1:-1], start=1):
        number, is_ordinal = _number(word)
        before, after = words[at - 1], words[at + 1]
        kind = _counted_kind(before, number, after, is_ordinal)
        if number and not (kind == "cards" and _is_card_name(before, after)):
            compared = _comparison_step(" ".join(words[max(at - COMPARISON_REACH, 0) : at]))
            numbers[kind].append(number + compared)
    return numbers


def _counted_kind(before: str, number: int, after: str, is_ordinal: bool) -> str:
    """Return what a number counts, judging by the words before and after it."""
    kinds = _tables()["counts"]
    if before in _HANDS or (is_ordinal and after in _HANDS):
        return "hand"
    named = next((kind for kind, words in kinds.items() if after in words.split()), "")
    return named or ("times" if is_ordinal else "points" if number >= MIN_POINTS else "cards")


def _is_card_name(before: str, after: str) -> bool:
    """Return whether a number between these words is the rank of a card: "the 4", "5 6 7"."""
    is_counted = any(after in words.split() for words in _tables()["counts"].values())
    return not is_counted and (before in _ARTICLES or bool(_rank(before) or _rank(after)))


def _comparison_step(before: str) -> int:
    """Return by how much the words before a number change it: 1 for "more than", -1 for "less than", else 0."""
    steps = {"more": 1, "less": -1}
    return next((steps[name] for name, words in _tables()["compared"].items() if re.search(words, before)), 0)


def _join_numbers(words: Iterable[str]) -> list[str]:
    """Return the words with number words in digits, "thirty nine" as one number.

    >>> _join_numbers(["thirty", "nine", "and", "forty"]), _join_numbers(["a", "hundred", "fifty", "one"])
    (['39', 'and', '40'], ['a', '151'])
    >>> _join_numbers(["50", "one", "short"]), _join_numbers(["at", "two", "hundred", "one"])
    (['50', 'one', 'short'], ['at', '201'])
    """
    joined: list[str] = []
    is_spoken = False
    for word in words:
        number = 1 if word == "one" else _number(word)[0]
        sum_so_far = int(joined[-1]) if is_spoken else 0
        if word == "hundred" and joined and 1 < (hundreds := _number(joined[-1])[0]) < TEN:
            joined[-1], is_spoken = str(hundreds * HUNDRED), True
        elif not word.isdecimal() and _is_continuation(sum_so_far, number):
            joined[-1] = str(sum_so_far + number)
        else:
            is_spoken = word in _tables()["tens"]
            joined.append(str(number) if is_spoken else word)
    return joined


def _is_continuation(tens: int, number: int) -> bool:
    """Return whether a number continues the one before it: nine after thirty, fifty after a hundred."""
    is_hundred = tens >= HUNDRED and not tens % HUNDRED
    return 0 < number < (HUNDRED if is_hundred else TEN if tens % HUNDRED in _TENS else 0)


def _number(word: str) -> tuple[int, bool]:
    """Return the number that a word names, 0 if none, and whether the word is an ordinal.

    >>> _number("39"), _number("4th"), _number("third"), _number("seven"), _number("twice"), _number("king")
    ((39, False), (4, True), (3, True), (7, False), (2, True), (0, False))
    """
    ordinal = _tables()["ordinals"].get(word) or (word[:-2] if word[:1].isdecimal() and not word.isdecimal() else "")
    named = ordinal or _tables()["tens"].get(word) or _tables()["ranks"].get(word, word)
    return (int(named), bool(ordinal)) if str(named).isdecimal() else (0, False)


def with_hand_number(question: str) -> str:
    """Return the question with "fifth hand", "hand number 5" and "hand one" in digits, as most people write it.

    >>> with_hand_number("what do we need in the fifth hand"), with_hand_number("a fifth card")
    ('what do we need in the hand 5', 'a fifth card')
    >>> with_hand_number("contract of hand no 4"), with_hand_number("what for hand one")
    ('contract of hand 4', 'what for hand 1')
    """
    words = _FIRST_HAND.sub(r"\1 1", _NUMBERED_HAND.sub(r"\1 \2", question)).split()
    for at, (before, hand) in enumerate(pairwise(words)):
        number, is_ordinal = _number(before.casefold())
        if is_ordinal and hand.casefold().strip("?!.,") in _HANDS:
            return " ".join([*words[:at], hand.strip("?!.,"), str(number), *words[at + 2 :]])
    return " ".join(words)


def outranking(question: str, values: object) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each family that a fact in the question puts before others, with those others (EVERY for all)."""
    for fact in _facts(question, values):
        if "before" in fact:
            yield family_of(fact["leads"]), tuple(fact["before"])


def leading_facts(question: str, values: object) -> Iterator[TypedFact]:
    """Yield the facts found in a question, given the values of a variant.

    >>> from app.kalooki.variants import load
    >>> [fact.leads for fact in leading_facts("got only 39", load("european"))]
    ['short-of-the-opening', 'under-the-limit']
    >>> [fact.leads for fact in leading_facts("got 43 can I open", load("european"))]
    ['opening-reached', 'under-the-limit']
    """
    for fact in _facts(question, values):
        yield TypedFact(fact["leads"], "kind" in fact, fact.get("instead", ()))


def _facts(question: str, values: object) -> Iterator[Mapping[str, Any]]:
    """Yield the facts from `find.toml` that are true of a question, in their order."""
    numbers = numbers_in(question)
    for fact in _named_facts(question):
        compared = ((name, fact[name]) for name in _COMPARED if name in fact)
        is_so = all(_holds(numbers[fact["kind"]], name, getattr(values, key)) for name, key in compared)
        if is_so and conditions.holds(fact.get("conditions", ""), values):
            yield fact


@lru_cache(maxsize=4)
def _named_facts(question: str) -> Sequence[Mapping[str, Any]]:
    """Return the facts of which the words are in a question, whatever a table plays."""
    text, states = " ".join(_NUMBERED.findall(_spell_out(question).casefold())), states_in(question)
    facts = (fact for fact in _tables()["facts"] if fact.get("state", "") in ("", *states))
    return [fact for fact in facts if _matches(fact.get("words", ""), text)]


def _holds(numbers: Iterable[int], comparison: str, value: int | None) -> bool:
    return value is not None and any(_COMPARED[comparison](number, value) for number in numbers)


def moment_in(question: str) -> str:
    """Return the moment (one of `disputes.MOMENTS`) at which the question says something was noticed, empty if none.

    >>> moment_in("forgot to throw and the next player has drawn"), moment_in("nobody has drawn yet"), moment_in("oops")
    ('later', 'before_next_draw', '')
    """
    text = " ".join(_words(question))
    return next((moment for moment, words in _tables()["moments"].items() if re.search(words, text)), "")


def variants_in(question: str) -> list[str]:
    """Return the ids of the variants that a question names.

    >>> variants_in("is that so in jamaican kalooki"), variants_in("kaluki 51 or classic"), variants_in("got 51")
    (['jamaican'], ['kalooki-51', 'classic'], [])
    """
    text = " ".join(_NUMBERED.findall(_spell_out(question).casefold()))
    return [variant for variant, words in _tables()["variants"].items() if re.search(words, text)]


def without_variant(question: str) -> str:
    """Return the question without the name of the variant, which belongs to no answer, if enough is left to read.

    >>> without_variant("any bonus for going all out in classic"), without_variant("jamaican calls")
    ('any bonus for going all out in  ', 'jamaican calls')
    """
    named = variants_in(question)
    left = re.sub(_tables()["variants"][named[0]], " ", question, flags=re.IGNORECASE) if len(named) == 1 else question
    return left if len(telling(left)) >= MIN_TELLING else question


def _is_card(word: str) -> bool:
    """Return whether a word is exactly one card: a lower-case "a" is not an ace, and "kings" are several cards."""
    named = word.casefold()
    if named.endswith("s") and not _CARD.fullmatch(named):
        return False
    return word == "A" or _meaning(named) == "joker" or bool(_rank(named))


def _add_suits(cards: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """Yield cards in notation; those without a suit get the same suit if their ranks differ, else different suits."""
    ranks = [_rank(card) or card for card in cards]
    named = next((suit for word in words if (suit := _tables()["suits"].get(word.casefold()))), "S")
    same = len({rank for card, rank in zip(cards, ranks, strict=True) if _rank(card)}) == 1
    free = iter(SUITS * len(cards))
    for card, rank in zip(cards, ranks, strict=True):
        if _meaning(card) == "joker":
            yield "*"
        else:
            own = card[len(rank) :] if _CARD.fullmatch(card) else ""
            yield rank.upper() + (own.upper() or (next(free) if same else named))


def alike(question: str, texts: Iterable[str]) -> Score:
    """Return how well an answer without weights fits: the similarity of its closest text, above the one required.

    >>> alike("may ghosts play", ["May ghosts play?", "Who shuffles"])
    0.5
    """
    pieces_asked = {*pieces(question)}
    similarities = (_similarity(pieces_asked, _pieces_of(text)) for text in texts)
    return max(similarities, default=0.0) - _SIMILAR_ENOUGH


@cache
def _pieces_of(text: str) -> frozenset[str]:
    """Return the pieces of a title or search phrase; cached, because every question is compared with it."""
    return frozenset(pieces(text))


def _similarity(asked: set[str], text: frozenset[str]) -> float:
    """Return the Dice coefficient of two sets of pieces."""
    return 2 * len(asked & text) / (len(asked) + len(text) or 1)


@cache
def learned_weights() -> Weights:
    """Return the weights in `find.weights`."""
    return read_weights(WEIGHTS.read_bytes())


@cache
def learned_members() -> Weights:
    """Return the weights in `find.members`, which rank the answers within each family."""
    return read_weights(MEMBERS.read_bytes())


def read_weights(file: bytes) -> Weights:
    """Return the weights from the contents of a file.

    The file is one line of JSON, then compressed bytes: the rarity of each place, the number of families it has weights
    for, those families, and the weights.
    """
    head, _newline, rest = file.partition(b"\n")
    header, body = loads(head), decompress(rest)
    scale = header.pop("rarity")
    rarity, counts, rest = body[:PLACES], body[PLACES : 2 * PLACES], body[2 * PLACES :]
    half = len(rest) // 2
    return Weights(
        **header,
        rarity=array("f", (each / scale for each in rarity)),
        starts=array("L", accumulate(counts, initial=0)),
        named=rest[:half],
        weights=array("b", rest[half:]),
    )


@lru_cache(maxsize=4)
def _words(question: str) -> Sequence[str]:
    text = " ".join(_WORDS.findall(_spell_out(_without_names(question).casefold())))
    for idiom, words in _idioms():
        text = words.sub(idiom, text)
    return text.split()


@cache
def _idioms() -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(idiom, re.compile(words)) for idiom, words in _tables()["idioms"].items()]


def _without_names(question: str) -> str:
    """Return a question with the names of people replaced by "someone".

    >>> _without_names("Pete laid on Ken's run, then Queen of Hearts. May I?")
    "someone laid on someone's run, then Queen of Hearts. May I?"
    """
    return _PERSON.sub(lambda found: found[0] if _is_known_word(found[0]) else "someone", question)


def _is_known_word(word: str) -> bool:
    folded = word.casefold()
    return _meaning(folded) != folded or folded in _meanings() or bool(_rank(folded)) or folded in _tables()["suits"]


def _spell_out(question: str) -> str:
    """Return the question with symbols as words ("7♥" as "7 heart"), cards apart and without apostrophes.

    >>> _spell_out("JQKA ok?"), _spell_out("a23 or k12")
    ('J Q K A ok?', 'A 2 3 or k12')
    """
    text = _RUN_TOGETHER.sub(_space_out, question[:LONGEST_QUESTION].replace("'", "").replace("’", ""))
    for sign, word in _tables()["signs"].items():
        text = text.replace(sign, word)
    return text


def _space_out(run_together: re.Match[str]) -> str:
    return " ".join(re.findall("10|.", run_together[0].upper()))


@cache
def _tables() -> Mapping[str, Any]:
    return read("find.toml")
