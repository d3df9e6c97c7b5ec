"""Writers turn a value of the game into JSON; most are derived from its type.

Like a reader, each also has the JSON Schema of what it writes, so that the published document cannot disagree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import attrgetter
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from app.kalooki import readers
from app.kalooki.cards import Card, write
from app.kalooki.game import faces
from app.kalooki.readers import LAST_ENTRY, SEATS_PATTERN, Schema, component, map_schema
from app.kalooki.referee.melds import Meld
from app.kalooki.rules.disputes import GROUPS, MOMENTS


@dataclass(frozen=True)
class Writer:
    """Writes a value; `shape` is its schema, which the document defines once if it has a name.

    As a field of a record, it writes the attribute of the field's name, or what `get` returns for the record's value.
    """

    shape: Schema
    write: Callable[[Any], Any] = lambda value: value
    name: str = ""
    get: Callable[[Any], Any] | None = None

    def __call__(self, value: object) -> Any:
        return self.write(value)

    @property
    def schema(self) -> Schema:
        """The schema, or a reference to it if the value has a name."""
        return component(self.name) if self.name else self.shape

    def of(self, get: str | Callable[[Any], Any]) -> Writer:
        """Return the same writer for another attribute, or for what `get` returns."""
        return replace(self, get=attrgetter(get) if isinstance(get, str) else get)

    def about(self, description: str) -> Writer:
        """Return the same writer with a description for the document."""
        return replace(self, shape=self.shape | {"description": description})

    def also(self, **fields: Writer) -> Writer:
        """Return the same writer of an object, with optional fields in its schema, which other code adds."""
        more = {name: each.schema for name, each in fields.items()}
        return replace(self, shape=self.shape | {"properties": self.shape["properties"] | more})


def one_of(*choices: object) -> Writer:
    """Return a writer of one of the given values."""
    return Writer({"enum": list(choices)})


def or_null(inner: Writer) -> Writer:
    """Return a writer of what `inner` writes, or null."""
    return Writer(readers.or_null(inner.schema), lambda value: None if value is None else inner.write(value))


def listed(item: Writer) -> Writer:
    """Return a writer of a list whose values `item` writes."""
    return Writer({"type": "array", "items": item.schema}, lambda values: [item.write(each) for each in values])


def by_name(value: Writer, pattern: str = "") -> Writer:
    """Return a writer of an object whose names match `pattern` and whose values `value` writes."""
    shape = map_schema(value.schema, pattern)
    return Writer(shape, lambda values: {str(name): value.write(each) for name, each in values.items()})


TEXT = Writer({"type": "string"})
NOTATION = Writer(TEXT.shape, str)
FLAG = Writer({"type": "boolean"})
WHOLE = Writer({"type": "integer"})
ANYTHING = Writer({})
COUNT = Writer(readers.whole(0, LAST_ENTRY).shape)
ENTRY = Writer(readers.whole(1, LAST_ENTRY).shape)
SEAT = Writer(readers.seat.shape)

_PLAIN: Mapping[Any, Writer] = {
    str: TEXT,
    bool: FLAG,
    int: WHOLE,
    Any: ANYTHING,
    Card: NOTATION,
    Meld: NOTATION,
    tuple[Card, ...]: Writer(TEXT.shape, lru_cache(maxsize=16384)(write)),  # every state contains all hands again
}
_NAMED: Mapping[tuple[type, str], Writer] = {
    **{(int, name): SEAT for name in ("seat", "dealer", "winner", "first", "from", "to", "order", "winners")},
    **{(int, name): ENTRY for name in ("entry", "out_since", "amended_by", "inserted_before")},
    **{(int, name): COUNT for name in ("seen", "number", "cards", "on", "calls", "buy_ins")},
    **{(int, name): COUNT for name in ("needed", "released", "points_left")},
    (int, "owner"): Writer(readers.owner.shape),
    (str, "standing"): one_of("source", "both", "usual", "house"),
    (str, "ending"): one_of("going_out", "kalooki", "bending"),
    (str, "end"): one_of("low", "high"),
    (str, "settle"): one_of("account", "cash"),
    (str, "status"): one_of("playing", "buy_ins", "over"),
    (str, "colour"): Writer(faces.colour.schema),
    (str, "when"): one_of(*MOMENTS),
    (str, "group"): one_of(*GROUPS),
}
"""The ranges and choices of values with certain names; a name means the same everywhere."""


def writer_of(kind: Any, name: str = "") -> Writer:
    """Return the writer for values of a type in a field of that name."""
    inner = [each for each in get_args(kind) if each is not NoneType]
    if (kind, name) in _NAMED or kind in _PLAIN:
        return _NAMED.get((kind, name)) or _PLAIN[kind]
    if NoneType in get_args(kind):
        return or_null(writer_of(inner[0], name))
    if not inner:
        return record(fields(kind, " ".join(kind._fields)))
    if issubclass(get_origin(kind), Mapping):
        return by_name(writer_of(inner[1], name), SEATS_PATTERN if inner[0] is int else "")
    return listed(writer_of(inner[0], name))


def fields(kind: type, names: str, at: str = "", /, **others: str | Writer) -> dict[str, Writer]:
    """Return writers for the named attributes of a type, and for `others` given by path or by writer.

    `at` is the path from a record's value to the value of that type; `in_` stands for `in`, a keyword in Python.
    """
    attributes = {name: name for name in names.split()} | {name.rstrip("_"): other for name, other in others.items()}
    return {name: _field(kind, name, other, f"{at}." if at else "") for name, other in attributes.items()}


def _field(kind: type, name: str, other: str | Writer, at: str) -> Writer:
    if isinstance(other, str):
        return writer_of(reduce(_kind_of, other.split("."), kind), name).of(at + other)
    return other if other.get else other.of(at + name)


def _kind_of(kind: type, name: str) -> Any:
    """Return the type of an attribute or a property."""
    member = getattr(kind, name, None)
    getter = getattr(member, "fget", None) or getattr(member, "func", None)
    return get_type_hints(getter)["return"] if getter else get_type_hints(kind)[name]


def record(fields: Mapping[str, Writer], name: str = "") -> Writer:
    """Return a writer of an object with these fields."""
    gets = [(field, writer.get or attrgetter(field), writer.write) for field, writer in fields.items()]
    shape: Schema = {"type": "object", "properties": {field: writer.schema for field, writer in fields.items()}}
    return Writer(
        shape | ({"required": list(fields)} if fields else {}),
        lambda value: {field: write(get(value)) for field, get, write in gets},
        name,
    )
