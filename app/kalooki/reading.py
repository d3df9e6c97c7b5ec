"""Reading one value of an event from JSON: its shape and its range, nothing about the game.

Every reader takes the raw value and the path it stands at, and raises Malformed naming that path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from json import dumps
from typing import Any, NamedTuple

from app.kalooki.cards import Card, Malformed, parse_left
from app.kalooki.variants import STAKES, Value, meanings

MOST_POINTS = 10_000
MOST_MONEY = 10_000_000
MOST_NAME = 20
MOST_NOTE = 200
MOST_SEATS = 56
MOST_CALLS = 99
MOST_ENTRIES = 1_000_000


class Left(NamedTuple):
    """What a loser holds: the cards, or only their points as typed, or both (then the cards count)."""

    cards: tuple[Card, ...] = ()
    points: int | None = None


Stakes = Mapping[str, Any]
"""`currency` and the stakes of variants.STAKES in minor units; one left out takes the variant's suggestion."""

CURRENCY = "EUR"
"""What the stakes are in where nobody says otherwise."""

Read = Callable[[object, str], Any]
"""Reads one raw value found at a path of the event; raises Malformed naming the path."""


def whole(least: int, most: int) -> Read:
    """A whole number in a range; true and false are none."""

    def read(raw: object, path: str) -> int:
        if type(raw) is int and least <= raw <= most:
            return raw
        raise Malformed(
            "{field}: “{word}” is not a whole number from {least} to {most}.", path, raw, least=least, most=most
        )

    return read


def text(least: int, most: int) -> Read:
    """A text of so many characters, white space and control characters folded."""

    def read(raw: object, path: str) -> str:
        if not isinstance(raw, str):
            raise Malformed("{field}: “{word}” is not a text.", path, raw)
        words = " ".join("".join(sign if _shows(sign) else " " for sign in raw).split())
        if least <= len(words) <= most:
            return words
        raise Malformed(
            "{field}: write {least} to {most} characters, not {count}.",
            path,
            raw,
            least=least,
            most=most,
            count=len(words),
        )

    return read


def _shows(sign: str) -> bool:
    """Printable, or one of the invisible joiners that emoji and some scripts need."""
    return sign.isprintable() or sign in "\u200c\u200d"


def choice(*words: str) -> Read:
    """One of some words."""

    def read(raw: object, path: str) -> str:
        if isinstance(raw, str) and raw in words:
            return raw
        choices = ", ".join(words)
        raise Malformed("{field}: “{word}” is not one of: {choices}.", path, raw, choices=choices)

    return read


def flag(raw: object, path: str) -> bool:
    """True or false."""
    if isinstance(raw, bool):
        return raw
    raise Malformed("{field}: “{word}” is not true or false.", path, raw)


def optional(inner: Read) -> Read:
    """What `inner` reads, or null."""
    return lambda raw, path: None if raw is None else inner(raw, path)


def mapping(raw: object, path: str) -> Mapping[str, Any]:
    """An object with named values."""
    if isinstance(raw, dict):
        return raw
    raise Malformed("{field}: “{word}” is not an object with named values.", path, raw)


def by_seat(inner: Read) -> Read:
    """An object whose keys are seats, each value read by `inner`."""

    def read(raw: object, path: str) -> dict[int, Any]:
        return {_seat_key(key, path): inner(value, f"{path}.{key}") for key, value in mapping(raw, path).items()}

    return read


_SEAT_KEYS = frozenset(str(seat) for seat in range(1, MOST_SEATS + 1))


def _seat_key(key: str, path: str) -> int:
    if key in _SEAT_KEYS:
        return int(key)
    raise Malformed("{field}: “{word}” is no seat; seats are numbers from 1.", path, key)


def left(raw: object, path: str) -> Left:
    """The cards left in one hand: written as text, or as {"cards", "points"} with either of them."""
    if isinstance(raw, str):
        return Left(cards=parse_left(raw, path))
    told = mapping(raw, path)
    only(told, {"cards", "points"}, path)
    points = optional(whole(0, MOST_POINTS))(told.get("points"), f"{path}.points")
    return Left(cards=parse_left(told.get("cards", ""), f"{path}.cards"), points=points)


def stakes(raw: object, path: str) -> Stakes | None:
    """The stakes of a game, or null for a game without money."""
    if raw is None:
        return None
    told = mapping(raw, path)
    only(told, {"currency", *STAKES}, path)
    read: dict[str, Read] = {"currency": text(1, 8)} | dict.fromkeys(STAKES, whole(0, MOST_MONEY))
    return {key: read[key](value, f"{path}.{key}") for key, value in told.items()}


def house(raw: object, path: str) -> Mapping[str, Value]:
    """House rules: known keys, values in their range."""
    told = mapping(raw, path)
    only(told, {key for key, meaning in meanings().items() if meaning.house is not None}, path)
    return {key: _chosen(key, value, f"{path}.{key}") for key, value in told.items()}


def _chosen(key: str, value: object, path: str) -> Value:
    try:
        return meanings()[key].check(value)
    except Malformed as error:
        raise error.at(path) from error


def players(raw: object, path: str) -> tuple[str, ...]:
    """The players' names in seat order; whether they are distinct is for the game to say."""
    if not isinstance(raw, list) or len(raw) > MOST_SEATS:
        raise Malformed("{field}: list the players' names.", path, raw)
    return tuple(text(1, MOST_NAME)(name, f"{path}.{number}") for number, name in enumerate(raw, 1))


MOST_JSON = 16_000
MOST_LEVELS = 50
"""No claim comes near so many lists and objects in one another; whoever writes it down goes through them all."""


def any_json(raw: object, path: str) -> Any:
    """Any JSON of modest size and depth, kept as it is."""
    if is_deeper(raw, MOST_LEVELS) or _size(raw) > MOST_JSON:
        raise Malformed("{field}: this is too long or too deep to keep.", path)
    return raw


def is_deeper(raw: object, levels: int) -> bool:
    """Whether more lists and objects than that stand in one another; counted level by level, so any depth can be asked.

    >>> is_deeper([{"a": 1}], 2), is_deeper([{"a": []}], 2)
    (False, True)
    """
    level = [raw]
    for _ in range(levels):
        level = [inner for each in level for inner in _inside(each)]
    return any(isinstance(each, (dict, list)) for each in level)


def _inside(raw: object) -> Iterable[object]:
    if isinstance(raw, dict):
        return raw.values()
    return raw if isinstance(raw, list) else ()


def _size(raw: object) -> int:
    """How many bytes of JSON it takes; more than anybody may send where it cannot be written as JSON."""
    try:
        return len(dumps(raw, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, TypeError):
        return MOST_JSON + 1


def only(raw: Mapping[str, Any], known: set[str], path: str) -> None:
    """Refuses keys nobody knows: a misspelt name must not be dropped silently."""
    for key in raw:
        if key not in known:
            where = f"{path}.{key}" if path else str(key)
            raise Malformed("{field}: “{word}” is not known here.", where, key)
