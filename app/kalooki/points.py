"""Parsing of points and cards left in a hand, as people type them."""

from __future__ import annotations

import re

from app.kalooki.cards import BadInput, parse_left
from app.kalooki.readers import Left

_DIGIT = re.compile(r"\d")
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]")
"""Invisible characters that some keyboards and pasted texts leave around numbers."""
_SIGNS = str.maketrans("＋﹢－−–", "++---")
_SUM = re.compile(r"[0-9]{1,6}(?: ?\+ ?[0-9]{1,6})*")
_RANKS = re.compile(r"(?:10|[2-9])(?: (?:10|[2-9]))*")
_ONLY_DIGITS = re.compile(r"[0-9, ]*")
_WORD = re.compile(r"[^\s,]+")
_CARD = re.compile("(?:10|[2-9AKQJT])(?:RED|BLACK|[SHDC♠♤♥♡♦♢♣♧])?|[*]", re.IGNORECASE)
_CARDS = re.compile(rf"(?!10[0-9]|(?!10)[0-9]{{2}})(?!.*JK(?![SHDC]))(?=.*[^0-9*])(?:{_CARD.pattern})+", re.IGNORECASE)
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

    >>> _space_cards("KQ7 10JQ 4H5s"), _space_cards("43K"), _space_cards("JKQ")
    ('K Q 7 10 J Q 4H 5s', '43K', 'JKQ')
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
    """Return what a loser has left, from a field for cards, where bare ranks are cards too.

    Raises BadInput for anything else.

    >>> read_cards("4 10").plain, read_cards("10").plain, read_cards("43").plain
    ('4 10', '10', {'points': 43})
    """
    written = _space_cards(in_plain_digits(text))
    is_cards = _RANKS.fullmatch(written) or re.search(r"[^0-9+\-.:/, ]", written)
    return Left(parse_left(written, field)) if is_cards else read_left(text, field)
