"""The points left in a hand: what cards count, itemised by rule, and how people type points and cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from app.kalooki.cards import COURT, JOKER, PACK, RANKS, BadInput, Card, parse_left
from app.kalooki.readers import Left
from app.kalooki.variants import Variant


class ScoreItem(NamedTuple):
    """Some points, the slug of the rule that counts them, and the cards they are for."""

    points: int
    rule: str
    cards: tuple[Card, ...] = ()


_RULE_OF = {rank: "court-cards" if rank in COURT else "number-cards" for rank in RANKS} | {
    "*": "joker-left",
    "A": "ace-left",
}


@lru_cache(maxsize=8192)
def left_items(cards: tuple[Card, ...], variant: Variant) -> tuple[ScoreItem, ...]:
    """Return the points of the cards left in a hand, one item for each kind of card in order of first appearance.

    If red and black aces count differently, every ace must have a colour (`parse_left` checks that). Cached, because a
    game is replayed for each entry.
    """
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(_RULE_OF[card.rank], []).append(card)
    return tuple(ScoreItem(points_left(group, variant), rule, tuple(group)) for rule, group in groups.items())


def all_at_once_items(items: Iterable[ScoreItem], times: int, added: int) -> tuple[ScoreItem, ...]:
    """Return what going out all at once costs a loser (rule `kalooki-effect`), beside the `items` of their cards.

    That is `added` points, and the points of the cards again if they count several `times`.
    """
    points = added + (times - 1) * sum(item.points for item in items)
    return (ScoreItem(points, "kalooki-effect"),) if points else ()


def points_left(cards: Iterable[Card], variant: Variant) -> int:
    """Return the total points of cards left in a hand."""
    return sum(map(variant.worth_left.__getitem__, cards))


def can_be_left(points: int, variant: Variant, most_cards: int) -> bool:
    """Return whether some 1 to `most_cards` cards of the variant's packs count exactly `points`."""
    return bool(_possible_sums(_card_values(variant), most_cards) >> points & 1)


def max_points_left(variant: Variant, most_cards: int) -> int:
    """Return the most points that `most_cards` cards left in one hand can count."""
    return _possible_sums(_card_values(variant), most_cards).bit_length() - 1


def _card_values(variant: Variant) -> tuple[tuple[int, int], ...]:
    """Return each point value of a card left in hand, with the number of cards in the packs that have it."""
    cards = [*PACK * variant.packs, *[JOKER] * variant.jokers]
    return tuple(sorted(Counter(variant.worth_left[card] for card in cards).items()))


@lru_cache(maxsize=256)
def _possible_sums(values: tuple[tuple[int, int], ...], most_cards: int) -> int:
    """Return the sums that 1 to `most_cards` cards can have, as a bit set: bit n is set if n is possible."""
    by_count = [1] + [0] * most_cards
    for worth, copies in values:
        for count in range(most_cards, 0, -1):
            for used in range(1, min(copies, count) + 1):
                by_count[count] |= by_count[count - used] << (worth * used)
    sums = 0
    for bits in by_count[1:]:
        sums |= bits
    return sums


# ---- As people type them

_DIGIT = re.compile(r"\d")
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]")
"""Invisible characters that some keyboards and pasted texts leave around numbers."""
_SIGNS = str.maketrans("＋﹢－−–", "++---")
_SUM = re.compile(r"[0-9]{1,6}(?: ?\+ ?[0-9]{1,6})*")
_RANKS = re.compile(r"(?:10|[2-9])(?:(?: (?:10|[2-9]))+|,)")
"""Bare ranks that are cards beside a name: several, or one with a comma."""
_ONLY_DIGITS = re.compile(r"[0-9, ]*")
_WORD = re.compile(r"[^\s,]+")
_CARD = re.compile("(?:10|[2-9AKQJT])(?:RED|BLACK|[SHDC♠♤♥♡♦♢♣♧])?|[*]", re.IGNORECASE)
_CARDS = re.compile(
    rf"(?!JACK$|10[0-9]|(?!10)[0-9]{{2}})(?!.*JK(?![SHDC]))(?=.*[^0-9*])(?:{_CARD.pattern})+", re.IGNORECASE
)
"""Cards written without spaces. A number followed by a letter is excluded, and so is the ambiguous JK: joker, or jack
and king.
"""

UNREADABLE = "“{word}” cannot be read. Write points such as 43, a sum such as 10+7, or cards such as K Q 7 or 4H 5S."


def in_plain_digits(text: object) -> str:
    """Return the text with the digits of any script as 0 to 9, plain plus and minus signs, and single spaces.

    >>> in_plain_digits(" ۴۳ "), in_plain_digits("１０ ＋ ７"), in_plain_digits("2²")
    ('43', '10 + 7', '2²')
    """
    visible = _INVISIBLE.sub("", str(text or "")).translate(_SIGNS)
    return " ".join(_DIGIT.sub(lambda digit: str(int(digit[0])), visible).split())


def read_points(text: object) -> int | None:
    """Return the points written as a number or a sum of numbers, None for anything else.

    >>> read_points("43"), read_points("10+7"), read_points("٤٣"), read_points("12.5"), read_points("1 2")
    (43, 17, 43, None, None)
    """
    match = _SUM.fullmatch(in_plain_digits(text))
    return sum(map(int, match[0].split("+"))) if match else None


def read_signed_points(text: object) -> int | None:
    """Return points that may be negative, such as a bonus or a total below 0; None for anything else.

    >>> read_signed_points("-50"), read_signed_points("−۵"), read_signed_points("10+7"), read_signed_points("--5")
    (-50, -5, 17, None)
    """
    written = in_plain_digits(text)
    points = read_points(written.removeprefix("-"))
    return -points if points and written.startswith("-") else points


def _space_cards(written: str) -> str:
    """Return the text with spaces put between cards.

    >>> _space_cards("KQ7 10JQ 4H5s"), _space_cards("43K"), _space_cards("JKQ"), _space_cards("jack")
    ('K Q 7 10 J Q 4H 5s', '43K', 'JKQ', 'jack')
    """
    return _WORD.sub(lambda word: " ".join(_CARD.findall(word[0])) if _CARDS.fullmatch(word[0]) else word[0], written)


def read_left(text: object, field: str = "") -> Left:
    """Return what a loser has left: points, or cards if the text has any letter, suit or joker.

    Raises BadInput for anything else.

    >>> read_left("10+7").plain, read_left("10").plain, read_left("K Q 7").plain
    ({'points': 17}, {'points': 10}, 'K Q 7')
    """
    written = _space_cards(in_plain_digits(text))
    points = read_points(written)
    if points is not None:
        return Left(points=points)
    try:
        cards = () if _ONLY_DIGITS.fullmatch(written) else parse_left(written)
    except BadInput:
        cards = ()
    if cards:
        return Left(cards)
    raise BadInput(UNREADABLE, field, str(text or "").strip())


def read_cards(text: object, field: str = "") -> Left:
    """Return what a loser has left, as typed beside their name: several bare ranks are cards, or one with a comma.

    Raises BadInput for anything else.

    >>> read_cards("4 10").plain, read_cards("10,").plain, read_cards("10").plain
    ('4 10', '10', {'points': 10})
    """
    written = _space_cards(in_plain_digits(text))
    is_cards = _RANKS.fullmatch(written) or re.search(r"[^0-9+\-.:/, ]", written)
    return Left(parse_left(written, field)) if is_cards else read_left(text, field)
