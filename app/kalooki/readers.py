"""Readers check the type and range of JSON values; they know nothing about the state of a game.

Each reader also has the JSON Schema of what it accepts, so the published API document cannot disagree with it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from json import dumps
from typing import Any, NamedTuple

from app.kalooki.cards import BadInput, Card, parse, parse_left, pattern, write
from app.kalooki.people import clean_name, is_visible
from app.kalooki.variants import LONGEST, STAKES, Meaning, Value, ids, meanings

MOST_POINTS = 10_000
MOST_MONEY = 10_000_000
MOST_HANDS = 999
MOST_BUY_INS = 99
MOST_NAME = 40
MOST_NOTE = 200
MOST_PLACE = 60
MOST_SEATS = 56
"""More players than two packs with jokers could deal two cards each."""
MOST_CURRENCY = 8
MOST_DECIMALS = 3
LAST_ENTRY = 1_000_000
"""The highest entry number that an event may refer to."""
LONGEST_SUBMISSION = 100
MOST_JSON = 16_000
MOST_LEVELS = 50
"""The deepest nesting of stored JSON. No claim comes near it, and writing JSON recurses once for each level."""

_TERRITORY = re.compile("[A-Z]{2}")
_DAY = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")

CURRENCY = "EUR"
"""The currency if none is given."""

Schema = dict[str, Any]
Read = Callable[[Any, str], Any]


@dataclass(frozen=True)
class Reader:
    """Reads one raw value found at a path; raises BadInput naming that path.

    `shape` is the JSON Schema. If there is a `name`, the API document defines the schema once under that name.
    `ignored` yields the names in a value it has read that it does not know.
    """

    read: Read
    shape: Schema
    name: str = ""
    ignored: Callable[[Any], Iterable[str]] = lambda _: ()

    def __call__(self, raw: object, path: str) -> Any:
        return self.read(raw, path)

    @property
    def schema(self) -> Schema:
        """The schema, or a reference to it if it has a name."""
        return component(self.name) if self.name else self.shape


def component(name: str) -> Schema:
    """Return a reference to a named schema of the API document."""
    return {"$ref": f"#/components/schemas/{name}"}


def whole(least: int, most: int) -> Reader:
    """Read a whole number from `least` to `most`; true and false are not numbers."""

    def read(raw: object, path: str) -> int:
        if type(raw) is int and least <= raw <= most:
            return raw
        facts = {"least": least, "most": most}
        raise BadInput("{field}: “{word}” is not a whole number from {least} to {most}.", path, raw, **facts)

    return Reader(read, {"type": "integer", "minimum": least, "maximum": most})


seat, owner, calls = whole(1, MOST_SEATS), whole(0, MOST_SEATS), whole(0, 99)
"""Read a seat, the seat of a meld's owner (0 for some other player), and the calls a player made in a hand."""


def text(least: int, most: int, message: str = "") -> Reader:
    """Read a text of `least` to `most` characters, with white space and control characters collapsed to single spaces.

    `message` tells the user what to write if the length is wrong.
    """
    shortest = "{least} to" if least else "at most"
    template = f"{{field}}: {message or f'write {shortest} {{most}} characters.'}"

    def read(raw: object, path: str) -> str:
        if not isinstance(raw, str):
            raise BadInput("{field}: “{word}” isn’t text.", path, raw)
        words = " ".join("".join(char if char.isprintable() or char in _JOINERS else " " for char in raw).split())
        if least <= len(words) <= most:
            return words
        facts = {"least": least, "most": most, "count": len(words)}
        raise BadInput(template, path, raw, **facts)

    return Reader(read, {"type": "string", "minLength": least, "maxLength": most})


_JOINERS = frozenset("\u200c\u200d") | set(map(chr, range(0xE0020, 0xE0080)))
"""Invisible characters that emoji and some scripts need: joiners, and the tags inside a flag."""


def choice(*words: str) -> Reader:
    """Read one of the given words."""

    def read(raw: object, path: str) -> str:
        if isinstance(raw, str) and raw in words:
            return raw
        raise BadInput("{field}: “{word}” is not one of: {choices}.", path, raw, choices=", ".join(words))

    return Reader(read, {"enum": list(words)})


def _region(raw: object, path: str) -> str:
    if isinstance(raw, str) and _TERRITORY.fullmatch(raw):
        return raw
    raise BadInput("{field}: “{word}” isn’t a territory. Write two capital letters such as JM.", path, raw)


region = Reader(_region, {"type": "string", "pattern": f"^{_TERRITORY.pattern}$"})


def _flag(raw: object, path: str) -> bool:
    if isinstance(raw, bool):
        return raw
    raise BadInput("{field}: “{word}” is not true or false.", path, raw)


flag = Reader(_flag, {"type": "boolean"})
"""Read true or false."""


def _day(raw: object, path: str) -> str:
    match = _DAY.fullmatch(raw) if isinstance(raw, str) else None
    if match:
        year, month, number = map(int, match.groups())
        if year and 1 <= month <= 12 and 1 <= number <= monthrange(year, month)[1]:
            return match[0]
    raise BadInput("{field}: “{word}” isn’t a day. Write it as 2026-11-21.", path, raw)


day = Reader(_day, {"type": "string", "format": "date", "pattern": f"^{_DAY.pattern}$"})
"""Read a day, such as 2026-11-21."""


def optional(inner: Reader) -> Reader:
    """Read null, or what `inner` reads."""
    return Reader(lambda raw, path: None if raw is None else inner.read(raw, path), or_null(inner.schema))


def or_null(schema: Schema) -> Schema:
    """Return the schema of null or what `schema` describes."""
    return {"anyOf": [schema, {"type": "null"}]}


def mapping(raw: object, path: str) -> Mapping[str, Any]:
    """Read an object, whatever its values."""
    if isinstance(raw, dict):
        return raw
    raise BadInput("{field}: “{word}” is not an object with named values.", path, raw)


def listed(item: Reader, most: int) -> Reader:
    """Read a list of at most `most` values with `item`; paths count places from 0."""

    def read(raw: object, path: str) -> tuple[Any, ...]:
        if not isinstance(raw, list) or len(raw) > most:
            raise BadInput("{field}: this must be a list of at most {most}.", path, raw, most=most)
        return tuple(item.read(each, f"{path}.{number}") for number, each in enumerate(raw))

    def ignored(raw: list[object]) -> Iterable[str]:
        return (name for each in raw for name in item.ignored(each))

    return Reader(read, {"type": "array", "items": item.schema, "maxItems": most}, ignored=ignored)


REQUIRED = MISSING
"""The default of a name that is required."""


class Key(NamedTuple):
    """How to read the value of one name of an object, and the default if the name is missing."""

    reader: Reader
    default: Any = REQUIRED


def record(keys: Mapping[str, Key], make: Callable[[dict[str, Any]], Any] = dict) -> Reader:
    """Read an object with these names; `make` gets the values by name.

    Null counts as missing. Unknown names are ignored: the caller reports them, as `ignored` yields them.
    """

    def read(raw: object, path: str) -> Any:
        contents = mapping(raw, path)
        return make({name: _value(contents, name, key, path) for name, key in keys.items()})

    def ignored(raw: Mapping[str, Any]) -> Iterator[str]:
        for name, value in raw.items():
            if name not in keys:
                yield name
            elif value is not None:
                yield from keys[name].reader.ignored(value)

    return Reader(read, object_schema(keys, or_null), ignored=ignored)


def _value(contents: Mapping[str, Any], name: str, key: Key, path: str) -> Any:
    where = within(path, name)
    if contents.get(name) is not None:
        return key.reader.read(contents[name], where)
    if key.default is REQUIRED:
        raise BadInput("{field} is missing.", where)
    return key.default


def within(path: str, name: str) -> str:
    """Return the path of a name in the object at `path`; the outermost object has no path."""
    return f"{path}.{name}" if path else name


def object_schema(keys: Mapping[str, Key], left_out: Callable[[Schema], Schema] = dict) -> Schema:
    """Return the schema of an object; `left_out` transforms the schema of each name that is not required."""
    required = [name for name, key in keys.items() if key.default is REQUIRED]
    properties = {name: (dict if name in required else left_out)(key.reader.schema) for name, key in keys.items()}
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def closed_schema(keys: Mapping[str, Key]) -> Schema:
    """Return the schema of an object that may have only these names."""
    return object_schema(keys) | {"additionalProperties": False}


def by_seat(inner: Reader) -> Reader:
    """Read an object keyed by seat, each value with `inner`."""

    def read(raw: object, path: str) -> dict[int, Any]:
        values = {}
        for key, value in mapping(raw, path).items():
            if not re.fullmatch(SEATS_PATTERN, key):
                raise BadInput("{field}: “{word}” isn’t a seat; seats are numbers from 1.", path, key)
            values[int(key)] = inner.read(value, f"{path}.{key}")
        return values

    return Reader(read, map_schema(inner.schema, SEATS_PATTERN))


def map_schema(value: Schema, pattern: str = "") -> Schema:
    """Return the schema of an object whose names match `pattern` and whose values all have the schema `value`."""
    names = {"propertyNames": {"pattern": pattern}} if pattern else {}
    return {"type": "object", "additionalProperties": value} | names


SEATS_PATTERN = "^([1-9]|[1-4][0-9]|5[0-6])$"
"""Matches the seats 1 to MOST_SEATS written as names of an object."""


_NOTATION: Schema = {
    "type": "string",
    "format": "cards",
    "description": "Cards in table notation, separated by spaces; * is a joker.",
    "examples": ["7H 8H *=9H"],
}
CARDS = Reader(parse, _NOTATION | {"pattern": pattern()}, "Cards")
LEFT_CARDS = Reader(parse_left, _NOTATION | {"pattern": pattern(left=True)}, "CardsLeft")
"""Read cards left in a hand, where a rank without a suit is enough."""


def optional_keys(readers: Mapping[str, Reader], name: str = "") -> Reader:
    """Read an object that may have only the names in `readers`, none of them required.

    The API document defines its schema as `name`.
    """

    def read(raw: object, path: str) -> dict[str, Any]:
        contents = mapping(raw, path)
        only(contents, readers.keys(), path)
        return {key: readers[key].read(value, f"{path}.{key}") for key, value in contents.items()}

    return Reader(read, closed_schema({key: Key(reader, None) for key, reader in readers.items()}), name)


class Left(NamedTuple):
    """What a loser has left: the cards, or their points as typed, or both, in which case the cards decide."""

    cards: tuple[Card, ...] = ()
    points: int | None = None

    @property
    def plain(self) -> str | dict[str, Any]:
        """The value as JSON."""
        if self.points is None:
            return write(self.cards)
        return ({"cards": write(self.cards)} if self.cards else {}) | {"points": self.points}


_LEFT = optional_keys({"cards": LEFT_CARDS, "points": optional(whole(0, MOST_POINTS))})


def _read_left(raw: object, path: str) -> Left:
    if isinstance(raw, str):
        return Left(cards=parse_left(raw, path))
    return Left(**_LEFT(raw, path))


left = Reader(_read_left, {"anyOf": [LEFT_CARDS.schema, _LEFT.schema]})
"""Read what is left in one hand: a text of cards, or an object with `cards`, `points` or both."""


class Carried(NamedTuple):
    """A game begun on paper: the number of hands played and, by seat, totals, buy-ins used and balances (minor units).

    Without `buy_ins` nobody has bought in. Without `balances` everybody has paid the initial stake and their buy-ins.
    """

    hands: int
    totals: tuple[int, ...]
    buy_ins: tuple[int, ...] | None = None
    balances: tuple[int, ...] | None = None

    @property
    def plain(self) -> dict[str, Any]:
        """The value as JSON."""
        columns = {
            name: list(column) for name, column in zip(self._fields[1:], self[1:], strict=True) if column is not None
        }
        return {"hands": self.hands} | columns


def _per_seat(least: int, most: int) -> Reader:
    return listed(whole(least, most), MOST_SEATS)


_COLUMNS = {
    "hands": Key(whole(1, MOST_HANDS)),
    "totals": Key(_per_seat(-MOST_POINTS, MOST_POINTS)),
    "buy_ins": Key(_per_seat(0, MOST_BUY_INS), None),
    "balances": Key(_per_seat(-MOST_MONEY, MOST_MONEY), None),
}
_CARRIED = record(_COLUMNS, lambda values: Carried(**values))


def _read_carried(raw: object, path: str) -> Carried:
    only(mapping(raw, path), _COLUMNS, path)
    return _CARRIED.read(raw, path)  # type: ignore[no-any-return]


carried = Reader(_read_carried, _CARRIED.shape | {"additionalProperties": False}, "Carried")


Stakes = Mapping[str, Any]
"""`currency`, its `decimals` (default 2), and the stakes named in `variants.STAKES` in minor units.

A missing stake gets the variant's suggestion.
"""

currency = text(1, MOST_CURRENCY, "write the currency in {least} to {most} characters, such as EUR.")
_currency_keys = {"currency": currency, "decimals": whole(0, MOST_DECIMALS)}
table_stakes = optional_keys(_currency_keys | dict.fromkeys(STAKES, whole(0, MOST_MONEY)), "Stakes")
stakes = optional(table_stakes)
"""Read the stakes of a game, or null for a game without money."""


def _house_rule(meaning: Meaning) -> Reader:
    """Read what a table may choose for one value of the variant."""

    def read(raw: object, path: str) -> Value:
        try:
            return meaning.check(raw)
        except BadInput as error:
            raise error.at(path) from error

    return Reader(read, _house_schema(meaning) | {"description": meaning.label})


def _house_schema(meaning: Meaning) -> dict[str, Any]:
    house = meaning.house or {}
    if "choices" in house:
        return {"enum": list(house["choices"])}
    if "each" not in house:
        number = whole(house["least"], house["most"]).schema
        return or_null(number) if house.get("none") else number
    each = whole(house["each"]["least"], house["each"]["most"]).schema
    if meaning.of_pairs:
        pair = {"type": "array", "items": each, "minItems": 2, "maxItems": 2, "contains": {"minimum": 1}}
        return {"type": "array", "items": pair, "maxItems": house["most"]}
    return {"anyOf": [each, {"type": "array", "items": each, "minItems": 1, "maxItems": house["most"]}]}


house = optional_keys({key: _house_rule(meaning) for key, meaning in meanings().items() if meaning.house}, "HouseRules")
"""Read house rules: known keys only, each value within its range."""

name = text(1, MOST_NAME, "a name has {least} to {most} characters, not {count}.")
"""Read a player's name that is already recorded; `new_name` reads a new one."""


def new_name(raw: object, path: str) -> str:
    """Return a new player's name, cleaned; raises BadInput if nothing visible remains."""
    clean = clean_name(raw) if isinstance(raw, str) else raw
    if isinstance(raw, str) and not raw.strip():
        raise BadInput("{field}: write the name.", path)
    if isinstance(clean, str) and not is_visible(clean):
        raise BadInput("{field}: write a name with a letter, a digit or a symbol.", path, raw)
    return str(name.read(clean, path))


def _players(raw: object, path: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or len(raw) > MOST_SEATS:
        raise BadInput("{field}: list the players' names.", path, raw)
    return tuple(name.read(each, f"{path}.{number}") for number, each in enumerate(raw, 1))


players = Reader(_players, listed(name, MOST_SEATS).schema)
"""Read the players' names in seat order; the game checks that they differ."""


_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 40


def _well_formed_id(raw: object, path: str) -> str:
    if isinstance(raw, str) and len(raw) <= LONGEST_ID and _ID.fullmatch(raw):
        return raw
    raise BadInput("There is no variant “{word}”.", path, raw)


def _variant_id(raw: object, path: str) -> str:
    if (named := _well_formed_id(raw, path)) in ids():
        return named
    raise BadInput("There is no variant “{word}”.", path, raw)


variant_id = Reader(_variant_id, {"type": "string"}, "VariantId")
"""Read the id of a variant of this server; the API document lists the ids."""
recorded_id = Reader(_well_formed_id, {"type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": LONGEST_ID})
"""Read the variant of a recorded game, which this server may no longer have."""
_KEYS = listed(text(1, MOST_NAME), len(meanings()))
_WORDS = {name: text(int(name == "name"), most) for name, most in LONGEST.items()}
texts = optional_keys(_WORDS | {"stated": _KEYS, "unused": _KEYS}, "Book")
"""Read the texts of a server's own variant, as they were when a game began."""


def only(raw: Mapping[str, Any], allowed: Iterable[str], path: str) -> None:
    """Raise BadInput for the first key that is not allowed, so that no misspelt name is dropped silently."""
    for key in raw:
        if key not in allowed:
            raise BadInput("{field}: “{word}” is not known here.", within(path, key), key)


def is_deeper(raw: object, levels: int) -> bool:
    """Return whether lists and objects are nested deeper than `levels`.

    >>> is_deeper([{"a": 1}], 2), is_deeper([{"a": []}], 2)
    (False, True)
    """
    level = [raw]
    for _ in range(levels):  # level by level instead of recursion, which could overflow the stack
        objects = [[*each.values()] if isinstance(each, dict) else each for each in level]
        level = [inner for each in objects if isinstance(each, list) for inner in each]
    return any(isinstance(each, (dict, list)) for each in level)


def _any_json(raw: object, path: str) -> Any:
    try:
        fits = not is_deeper(raw, MOST_LEVELS)
        fits = fits and len(dumps(raw, ensure_ascii=False, allow_nan=False).encode()) <= MOST_JSON
    except (ValueError, TypeError):  # it cannot be written as JSON
        fits = False
    if not fits:
        raise BadInput("{field}: this is too long or too deep to keep.", path)
    return raw


any_json = Reader(_any_json, {})
"""Read any JSON value of at most MOST_JSON bytes and MOST_LEVELS levels, unchanged."""


def usable_submission(text: str) -> bool:
    """Return whether `text` can be a submission key: 1 to 100 characters, none of them a control character.

    >>> usable_submission("c0ffee-1"), usable_submission("the 2nd hand – Zoë"), usable_submission("")
    (True, True, False)
    """
    return 0 < len(text) <= LONGEST_SUBMISSION and not _CONTROL.search(text)


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def whole_typed(text: object, digits: int = 6) -> int | None:
    """Return the whole number typed, None for anything else or for more than `digits` digits.

    >>> whole_typed(" 35 "), whole_typed("-1"), whole_typed("1000", digits=3), whole_typed("٣")
    (35, None, None, None)
    """
    cleaned = str(text or "").strip()
    return int(cleaned) if cleaned.isascii() and cleaned.isdigit() and len(cleaned) <= digits else None
