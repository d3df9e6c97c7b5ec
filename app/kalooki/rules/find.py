"""Finds answers by the words players use: weights learned from many people's questions are added up.

A question is read as pieces: its words, alone and in pairs, and the two to five letters that follow one another in a
word, so that a mistyped word still has most of its pieces. `find.weights` has, for each piece, how much it speaks for
or against each family of answers (`find.toml`); the family with the highest sum comes first. `find.members` has the
same for each answer within its family, to say which one leads. Both are made by `python3 -m tests.bench find`. An
answer without weights is found by the pieces it shares with the question.
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
"""The characters of a question that are read; nobody types more while a table waits."""
WEIGHTS = FOLDER / "find.weights"
MEMBERS = FOLDER / "find.members"
PLACES = 1 << 16
"""The places pieces are counted in; a few share one."""
_LETTERS = (2, 3, 4, 5)
_CARD = re.compile("(10|[2-9ajqk])[shdc]?")
_WORDS = re.compile(r"(?:10|[2-9])[shdc]\b|[a-z]+|\d+", re.IGNORECASE)
_SUIT_SIGNS = str.maketrans("♠♥♦♣", "shdc")
NOTHING = ""
"""The family of questions that no answer settles."""
CERTAIN = 9.0
"""The score of a family that is asked for by a title."""
_HANDS = ("hand", "round", "deal")
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
"""What numbers are told apart by: those of openings, pools and limits."""
_NAMED = {"a": "ace", "2": "low", "3": "low", "j": "court", "q": "court", "k": "court"}
STRESSED, DENIED = 3, 3
"""How often a state counts as said; the telling words after a "not" that it may deny."""
_TENS, TEN, HUNDRED, LEAST_POINTS = range(20, 100, 10), 10, 100, 11
REACH = 5
"""The words before a number that may compare it."""
_ARTICLES = ("the", "a", "an", "my", "his", "her", "another")
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {"under": lt, "upto": le, "at": eq, "from": ge, "over": gt}
FEWEST_CARDS = 3
SHORTEST_MISSPELT = 4
"""The shortest unknown word that is compared by its sound; shorter ones sound like too many others."""
_RANKS = ("a", *map(str, range(2, 11)), "j", "q", "k")
_APART = {0: "~alike", 1: "~next"}
RELATIVE, UNLIKELY = 0.4, 1.0
"""How much a lag behind the likeliest of a family counts beside the scores of families; that of one without weights."""
_SHARED_ENOUGH = 0.5
"""How much of its pieces an answer without weights must share with the question, of one."""
NEARLY = 0.1
"""The likeness from which a question that fits nothing learned is nearly an answer's own title or search words."""


Score: TypeAlias = float
Scores: TypeAlias = Mapping[str, Score]
"""How well families fit a question."""


class Weights(NamedTuple):
    """What was learned from the questions: how rare each place's pieces are, and what they say of which family.

    The place `p` speaks of the families `named[starts[p]:starts[p + 1]]`, as much as `weights` has at the same places.
    A family fits if its sum is `least` above that of NOTHING. Where the best is not `clear` of the second, both may be
    meant.
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
    """The answer that a fact in a question lets lead, also `instead` of others that the weights prefer."""

    leads: str
    is_number: bool
    instead: Sequence[str]

    def decides(self, likeliest: str, is_general: bool, is_mishap: bool) -> bool:
        """Whether it leads, not the likeliest of its family: what went wrong stays so, words decide among cases."""
        plainly = not is_mishap and (self.is_number or is_general)
        return self.leads == likeliest or likeliest in self.instead or plainly


def families() -> Mapping[str, tuple[str, ...]]:
    """Return the answers found as one, by the slug of the first: it leads, the others stand behind it."""
    return MappingProxyType({lead: tuple(others) for lead, others in _book()["families"].items()})


@cache
def family_of(slug: str) -> str:
    """Return the family an answer belongs to; most are one of their own."""
    return next((lead for lead, others in families().items() if slug in others), slug)


def pieces(question: str) -> Iterator[str]:
    """Yield the words of a question and what they mean, alone and in pairs, and their letters.

    >>> sorted({*pieces("Swop ♥")} - {*pieces("swop heart")})
    []
    >>> [piece for piece in pieces("swap 7 8 joker") if piece[0] == "~"]
    ['~swap', '~#', '~#', '~joker', '~swap_#', '~#_#', '~#_joker', '~next']
    """
    words = _words(question)
    for word in words:
        yield f"={word}"
        spaced = f" {word} "
        for many in _LETTERS:
            yield from (spaced[first : first + many] for first in range(len(spaced) - many + 1))
    yield from (f"{one}_{other}" for one, other in pairwise(words))
    stems = telling(question)
    meanings = [_meaning(word) for word in stems]
    yield from (f"~{each}" for each in meanings)
    yield from (f"~{one}_{other}" for one, other in pairwise(meanings))
    yield from (f"={one}__{other}" for one, other in pairwise(stems))
    ranks = [_RANKS.index(rank) for rank in map(_rank, words) if rank]
    yield from (_APART.get(higher - lower, "~apart") for lower, higher in pairwise(ranks))
    yield from _states_and_sizes(question, words)


def _states_and_sizes(question: str, words: Sequence[str]) -> Iterator[str]:
    """Yield what a question tells in whatever words: states, sizes of numbers, what is not so, cards named.

    >>> [*_states_and_sizes("not down yet, got 39", ["not", "down", "yet", "got", "39"])]
    ['!notdown', '!notdown', '!notdown', '!points<40', '!points<40', '!points<40', '!not_lay', '!not_late', '!not_take']
    """
    for state in states_in(question):
        yield from (f"!{state}",) * STRESSED
    for kind, numbers in numbers_in(question).items():
        for number in numbers:
            size = next((size for size in _SIZES[kind] if number < size), "")
            yield from (f"!{kind}<{size}",) * STRESSED
    stems = [meaning for word in words if (meaning := _meaning(word)) != "ignored"]
    for at, stem in enumerate(stems):
        if stem == "not":
            yield from (f"!not_{other}" for other in stems[at + 1 : at + 1 + DENIED])
    yield from (f"!{_NAMED.get(rank, 'number')}" for word in words if (rank := _rank(word)))


def states_in(question: str) -> list[str]:
    """Return what a question tells of the one who asks, or of the cards.

    >>> states_in("im not down yet"), states_in("I am already down"), states_in("who deals")
    (['notdown'], ['isdown', 'asked'], ['asked'])
    """
    text = " ".join(_words(question))
    states = [state for state, words in _book()["states"].items() if re.search(words, text)]
    return [state for state in states if state != "isdown" or "notdown" not in states]


def telling(question: str) -> list[str]:
    """Return the words of a question that tell something of what is asked."""
    return [word for word in _words(question) if _meaning(word) != "ignored"]


def _meanings() -> Mapping[str, str]:
    return {form: meaning for meaning, forms in reversed(_book()["means"].items()) for form in forms.split()}


@lru_cache(maxsize=8192)
def _meaning(word: str) -> str:
    """Return what a word means to a question: a card, a number, one of the meanings in `find.toml`, or itself.

    >>> [_meaning(word) for word in ("swapped", "queens", "7h", "58", "grandma")]
    ['swap', '#', '#', '##', 'grandma']
    """
    if _rank(word):
        return "#"
    if word.isdecimal():
        return "##"
    meanings = _meanings()
    plain = (word, word.removesuffix("s"), word.removesuffix("ed"), word.removesuffix("ing"))
    doubled = (each[:-1] for each in plain[2:] if each[-2:-1] == each[-1:])
    exact = next((meanings[each] for each in (*plain, word.removesuffix("d"), *doubled) if each in meanings), "")
    if exact or len(word) < SHORTEST_MISSPELT:
        return exact or word
    return next((meanings[similar] for each in plain if (similar := _by_sound().get(_sound(each)))), word)


@cache
def _by_sound() -> Mapping[str, str]:
    """Return the words that the meanings know, by what they sound like; none where several meanings sound the same."""
    sounds: dict[str, set[str]] = {}
    for word, meaning in _meanings().items():
        if len(word) >= SHORTEST_MISSPELT and meaning != "ignored":
            sounds.setdefault(_sound(word), set()).add(word)
    means = {sound: {_meanings()[word] for word in words} for sound, words in sounds.items()}
    return {sound: min(words) for sound, words in sounds.items() if len(means[sound]) == 1}


def _sound(word: str) -> str:
    """Return what stays of a word however it is misspelt: its first letter and the consonants after it, each once.

    >>> _sound("jokker") == _sound("jocker") == _sound("joker"), _sound("alredy") == _sound("already")
    (True, True)
    >>> _sound("discrad") == _sound("discard"), _sound("opning") == _sound("opening"), _sound("trun") == _sound("turn")
    (True, True, True)
    """
    plain = word.replace("ck", "k").replace("ph", "f").replace("gh", "").replace("c", "k").replace("z", "s")
    rest = "".join(letter for letter in plain[1:] if letter not in "aeiouyhw")
    return plain[:1] + re.sub(r"(.)\1+", r"\1", rest)


def _rank(word: str) -> str:
    """Return the rank a word names, as a table writes it; empty if none.

    >>> [_rank(word) for word in ("qh", "10", "sevens", "jack", "a", "11")]
    ['q', '10', '7', 'j', '', '']
    """
    named = _book()["ranks"].get(word) or _book()["ranks"].get(word.removesuffix("s"), "")
    match = _CARD.fullmatch(word)
    return match[1] if match and word != "a" else named


@lru_cache(maxsize=4)
def counted(question: str) -> Counter[int]:
    """Return how often the pieces of each place occur."""
    return Counter(crc32(piece.encode()) % PLACES for piece in pieces(question))


def fitting(question: str, weights: Weights | None = None) -> dict[str, Score]:
    """Return how well each family fits the question, and how much it is like those that NOTHING answers.

    With the weights of `learned_members`, how well each answer fits beside the others of its family.
    """
    learned = weights or learned_weights()
    sums = [0.0] * len(learned.families)
    worth = {place: learned.rarity[place] * (1 + log(count)) for place, count in counted(question).items()}
    for place, each in worth.items():
        for at in range(learned.starts[place], learned.starts[place + 1]):
            sums[learned.named[at]] += each * learned.weights[at]
    length = sqrt(sum(each * each for each in worth.values())) or 1.0
    scores = (learned.unit * total / length + bias for total, bias in zip(sums, learned.bias, strict=True))
    unread = {} if telling(question) else {NOTHING: inf}
    return dict(zip(learned.families, scores, strict=True)) | unread


def ranked(scores: Scores) -> list[str]:
    """Return the families, best first; of equally good ones, the first."""
    return sorted(scores, key=lambda family: -scores[family])


def fits(score: Score, nothing: Score) -> bool:
    """Whether a family with this score is an answer at all, and not what tables ask that no answer settles."""
    return score - nothing >= learned_weights().least


def lags(slugs: Sequence[str], likely: Scores) -> dict[str, Score]:
    """How far each answer of a family stands behind the likeliest; the first, which is meant, stands behind none.

    >>> lags(["nothing-to-shuffle", "stock-used-up", "new"], {"nothing-to-shuffle": -0.5, "stock-used-up": 0.5})
    {'nothing-to-shuffle': 0.0, 'stock-used-up': 0.0, 'new': 0.4}
    """
    best = max((likely[slug] for slug in slugs if slug in likely), default=0.0)
    behind = {slug: RELATIVE * (best - likely.get(slug, best - UNLIKELY)) for slug in slugs}
    return behind | dict.fromkeys(slugs[:1], 0.0)


def passed_on(scores: Scores, here: Container[str]) -> dict[str, Score]:
    """Return the scores, with those of families that cannot come up `here` given to what answers for them."""
    moved = {family: other for family, other in _book()["instead"].items() if family not in here and other in here}
    raised = {other: max(scores[family], scores[other]) for family, other in moved.items()}
    return {family: score for family, score in scores.items() if family not in moved} | raised


def is_clear(best: Score, second: Score) -> bool:
    """Whether the best is so far ahead that the second is hardly meant."""
    return best - second >= learned_weights().clear


def cards_in(question: str) -> str:
    """Return the meld that is written in a question, three cards or more in a row; suits nobody wrote are put in.

    >>> cards_in("can I lay K K joker"), cards_in("is 5 6 and 7 of hearts a run"), cards_in("two kings")
    ('KS KH *', '5H 6H 7H', '')
    """
    plain = question[:LONGEST_QUESTION].translate(_SUIT_SIGNS)
    words = [word for word in _WORDS.findall(_spelled(plain)) if word.casefold() not in ("and", "of", "the")]
    rows: list[list[str]] = [[]]
    for word in words:
        rows[-1:] = [[*rows[-1], word.casefold()]] if _is_card(word) else [rows[-1], []]
    longest = max(rows, key=len)
    return " ".join(_suited(longest, words)) if len(longest) >= FEWEST_CARDS else ""


def hand_in(question: str) -> int:
    """Return the hand that a question names by its number, 0 if none.

    >>> hand_in("how many cards are dealt in hand 5"), hand_in("what do we need in round seven"), hand_in("hand of 13")
    (5, 7, 0)
    >>> hand_in("contract of the fifth hand"), hand_in("what is the 3rd round"), hand_in("third card on my hand")
    (5, 3, 0)
    """
    return next(iter(numbers_in(question)["hand"]), 0)


def numbers_in(question: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers of a question by what they count: the hand, cards, times or points.

    >>> numbers = numbers_in("got thirty-nine, my fourth call in hand 2 with 3 cards left")
    >>> numbers["points"], numbers["times"], numbers["hand"], numbers["cards"]
    ([39], [4], [2], [3])

    One that is compared is what it is compared with, one more or one less; a card's name counts nothing.

    >>> [numbers_in(each)["points"] for each in ("past the 150", "less than forty", "one fifty on the dot")]
    [[151], [39], [150]]
    >>> numbers_in("put the 4 under 5 6 7")["cards"]
    []
    """
    words = ["", *_joined_numbers(_NUMBERED.findall(_spelled(question.casefold()))), ""]
    numbers: dict[str, list[int]] = {kind: [] for kind in ("hand", "cards", "times", "points")}
    for at, word in enumerate(words[1:-1], start=1):
        number, is_ordinal = _number(word)
        before, after = words[at - 1], words[at + 1]
        kind = _counts(before, number, after, is_ordinal)
        if number and not (kind == "cards" and _is_card_name(before, after)):
            compared = _step_before(" ".join(words[max(at - REACH, 0) : at]))
            numbers[kind].append(number + compared)
    return numbers


def _counts(before: str, number: int, after: str, is_ordinal: bool) -> str:
    """Return what a number counts, by the words on its sides."""
    kinds = _book()["counts"]
    if before in _HANDS or (is_ordinal and after in _HANDS):
        return "hand"
    named = next((kind for kind, words in kinds.items() if after in words.split()), "")
    return named or ("times" if is_ordinal else "points" if number >= LEAST_POINTS else "cards")


def _is_card_name(before: str, after: str) -> bool:
    """Whether a number between these words is a card: "the 4", "5 6 7"."""
    is_counted = any(after in words.split() for words in _book()["counts"].values())
    return not is_counted and (before in _ARTICLES or bool(_rank(before) or _rank(after)))


def _step_before(before: str) -> int:
    """Return what the words before a number make of it: 1 more, 1 less or nothing."""
    steps = {"more": 1, "less": -1}
    return next((steps[name] for name, words in _book()["compared"].items() if re.search(words, before)), 0)


def _joined_numbers(words: Iterable[str]) -> list[str]:
    """Return the words with "thirty nine" as one number.

    >>> _joined_numbers(["thirty", "nine", "and", "forty"]), _joined_numbers(["a", "hundred", "fifty", "one"])
    (['39', 'and', '40'], ['a', '151'])
    """
    joined: list[str] = []
    for word in words:
        number = 1 if word == "one" else _number(word)[0]
        sum_so_far = int(joined[-1]) if joined and joined[-1].isdecimal() else 0
        if not word.isdecimal() and _is_rest_of(sum_so_far, number):
            joined[-1] = str(sum_so_far + number)
        else:
            joined.append(str(number) if word in _book()["tens"] else word)
    return joined


def _is_rest_of(tens: int, number: int) -> bool:
    """Whether a number said after another is the rest of it: nine after thirty, fifty after a hundred."""
    is_hundred = tens >= HUNDRED and not tens % HUNDRED
    return 0 < number < (HUNDRED if is_hundred else TEN if tens % HUNDRED in _TENS else 0)


def _number(word: str) -> tuple[int, bool]:
    """Return the number a word names, 0 if none, and whether it is an ordinal.

    >>> _number("39"), _number("4th"), _number("third"), _number("seven"), _number("twice"), _number("king")
    ((39, False), (4, True), (3, True), (7, False), (2, True), (0, False))
    """
    ordinal = _book()["ordinals"].get(word) or (word[:-2] if word[:1].isdecimal() and not word.isdecimal() else "")
    named = ordinal or _book()["tens"].get(word) or _book()["ranks"].get(word, word)
    return (int(named), bool(ordinal)) if str(named).isdecimal() else (0, False)


def with_hand_number(question: str) -> str:
    """Return a question with the number of a hand behind it, as most people ask.

    >>> with_hand_number("what do we need in the fifth hand"), with_hand_number("a fifth card")
    ('what do we need in the hand 5', 'a fifth card')
    """
    words = question.split()
    for at, (before, hand) in enumerate(pairwise(words)):
        number, is_ordinal = _number(before.casefold())
        if is_ordinal and hand.casefold().strip("?!.,") in _HANDS:
            return " ".join([*words[:at], hand.strip("?!.,"), str(number), *words[at + 2 :]])
    return question


def outranking(question: str, values: object) -> Iterator[tuple[str, Sequence[str]]]:
    """Return the families that a number in a question puts before others, with those others."""
    for fact in _facts(question, values):
        if "before" in fact:
            yield family_of(fact["leads"]), fact["before"]


def leading_facts(question: str, values: object) -> Iterator[TypedFact]:
    """Return the answers that facts in a question let lead, by the values of a variant, and whether a number says so.

    >>> from app.kalooki.variants import load
    >>> [fact.leads for fact in leading_facts("got only 39", load("european"))]
    ['short-of-the-opening', 'under-the-limit']
    >>> [fact.leads for fact in leading_facts("got 43 can I open", load("european"))]
    ['opening-reached', 'under-the-limit']
    """
    for fact in _facts(question, values):
        yield TypedFact(fact["leads"], "kind" in fact, fact.get("instead", ()))


def _facts(question: str, values: object) -> Iterator[Mapping[str, Any]]:
    """Return the facts of `find.toml` that hold in a question, in their order."""
    numbers, text = numbers_in(question), " ".join(_NUMBERED.findall(_spelled(question.casefold())))
    states = states_in(question)
    for fact in _book()["facts"]:
        compared = ((name, fact[name]) for name in _COMPARED if name in fact)
        is_so = all(_holds(numbers[fact["kind"]], name, getattr(values, key)) for name, key in compared)
        is_said = fact.get("state", "") in ("", *states) and re.search(fact.get("words", ""), text)
        if is_so and is_said and conditions.holds(fact.get("given", ""), values):
            yield fact


def _holds(numbers: Iterable[int], comparison: str, value: int | None) -> bool:
    return value is not None and any(_COMPARED[comparison](number, value) for number in numbers)


def moment_in(question: str) -> str:
    """Return when a question says that something was noticed, in the words of MOMENTS; empty if it does not say.

    >>> moment_in("forgot to throw and the next player has drawn"), moment_in("nobody has drawn yet"), moment_in("oops")
    ('later', 'before_next_draw', '')
    """
    text = " ".join(_words(question))
    return next((moment for moment, words in _book()["moments"].items() if re.search(words, text)), "")


def variants_in(question: str) -> list[str]:
    """Return the variants that a question names.

    >>> variants_in("is that so in jamaican kalooki"), variants_in("kaluki 51 or classic"), variants_in("got 51")
    (['jamaican'], ['kalooki-51', 'classic'], [])
    """
    text = " ".join(_NUMBERED.findall(_spelled(question.casefold())))
    return [variant for variant, words in _book()["variants"].items() if re.search(words, text)]


def _is_card(word: str) -> bool:
    """Whether a word is one card; a small "a" is not an ace, and "kings" are several."""
    named = word.casefold()
    if named.endswith("s") and not _CARD.fullmatch(named):
        return False
    return word == "A" or _meaning(named) == "joker" or bool(_rank(named))


def _suited(cards: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """Yield cards as they are written at a table: of one suit if their ranks differ, else of one suit each."""
    ranks = [_rank(card) or card for card in cards]
    named = next((suit for word in words if (suit := _book()["suits"].get(word.casefold()))), "S")
    same = len({rank for card, rank in zip(cards, ranks, strict=True) if _rank(card)}) == 1
    free = iter(SUITS * len(cards))
    for card, rank in zip(cards, ranks, strict=True):
        if _meaning(card) == "joker":
            yield "*"
        else:
            own = card[len(rank) :] if _CARD.fullmatch(card) else ""
            yield rank.upper() + (own.upper() or (next(free) if same else named))


def alike(question: str, texts: Iterable[str]) -> Score:
    """Return how well an answer without weights fits, as its nearest text shares pieces with the question.

    >>> alike("may ghosts play", ["May ghosts play?", "Who shuffles"])
    0.5
    """
    pieces_asked = {*pieces(question)}
    shared = (_shared(pieces_asked, _pieces_of(text)) for text in texts)
    return max(shared, default=0.0) - _SHARED_ENOUGH


@cache
def _pieces_of(text: str) -> frozenset[str]:
    """Return the pieces of a title or of search words, which are asked about again and again."""
    return frozenset(pieces(text))


def _shared(asked: set[str], said: frozenset[str]) -> float:
    return 2 * len(asked & said) / (len(asked) + len(said) or 1)


@cache
def learned_weights() -> Weights:
    """Return the weights in `find.weights`."""
    return read_weights(WEIGHTS.read_bytes())


@cache
def learned_members() -> Weights:
    """Return the weights in `find.members`, which tell the answers of each family apart."""
    return read_weights(MEMBERS.read_bytes())


def read_weights(file: bytes) -> Weights:
    """One line of JSON, then compressed: how rare each place is, how many families it names, which, and the weights."""
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
    text = " ".join(_WORDS.findall(_spelled(_without_names(question).casefold())))
    for idiom, words in _idioms():
        text = words.sub(idiom, text)
    return text.split()


@cache
def _idioms() -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(idiom, re.compile(words)) for idiom, words in _book()["idioms"].items()]


def _without_names(question: str) -> str:
    """Return a question with "someone" for the people it names.

    >>> _without_names("Pete laid on Ken's run, then Queen of Hearts. May I?")
    "someone laid on someone's run, then Queen of Hearts. May I?"
    """
    return _PERSON.sub(lambda found: found[0] if _is_known(found[0]) else "someone", question)


def _is_known(word: str) -> bool:
    plain = word.casefold()
    return _meaning(plain) != plain or plain in _meanings() or bool(_rank(plain)) or plain in _book()["suits"]


def _spelled(question: str) -> str:
    """Return the question with words for signs: "7♥" is "7 heart", "don't" is "dont"."""
    text = question[:LONGEST_QUESTION].replace("'", "").replace("’", "")
    for sign, word in _book()["signs"].items():
        text = text.replace(sign, word)
    return text


@cache
def _book() -> Mapping[str, Any]:
    return read("find.toml")
