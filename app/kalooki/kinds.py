"""Kinds of events: one class for each kind says how it is read from JSON, written, and described.

A family is the kinds that one sort of log can contain: a class that derives from `AnyEvent` without a `kind`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.readers import Key, Reader, Schema


class Field(NamedTuple):
    """One field of an event: its names in JSON and in Python, its reader, and its default (MISSING if required)."""

    name: str
    attribute: str
    reader: Reader
    default: Any


def read_by(reader: Reader, default: Any = MISSING, name: str = "") -> Any:
    """Return a dataclass field of an event; `name` is its name in JSON, if it has another in Python."""
    metadata = {"key": Key(reader, default), "name": name}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class AnyEvent:
    """Something that can be recorded; subclasses become frozen dataclasses and register their `kind` in their family.

    `kinds` are all classes of the family by their `kind` in JSON, `shape` the fields of one. `legacy` names fields that
    only logs of earlier releases have; new events may not have them. `extra_schema` is merged into the schema, besides
    the fields.
    """

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Any]]]
    shape: ClassVar[tuple[Field, ...]]
    legacy: ClassVar[frozenset[str]] = frozenset()
    extra_schema: ClassVar[Schema] = {}

    def __init_subclass__(cls, kind: str = "") -> None:
        if not kind:
            cls.kinds = {}
            return
        cls.kind = kind
        cls.kinds[kind] = dataclass(frozen=True)(cls)
        declared = [(each.name, each.metadata) for each in fields(cls)]
        cls.shape = tuple(Field(of["name"] or name, name, *of["key"]) for name, of in declared)


Family = TypeVar("Family", bound=AnyEvent)


def read_event(family: type[Family], raw: object, path: str = "") -> Family:
    """Return the event of that family described by a JSON object.

    Raises BadInput naming the field that cannot be read.
    """
    contents = readers.mapping(raw, path or "event")
    kind = contents.get("kind")
    if not isinstance(kind, str) or kind not in family.kinds:
        raise BadInput("There is no event of the kind “{word}”.", readers.within(path, "kind"), kind)
    of = family.kinds[kind]
    readers.only(contents, {"kind", *(each.name for each in of.shape), *of.legacy}, path)
    values = {}
    for name, attribute, reader, default in of.shape:
        if name in contents:
            values[attribute] = reader.read(contents[name], readers.within(path, name))
        elif default is MISSING:
            raise BadInput("{field} is missing.", readers.within(path, name))
    event: Family = of(**values)
    return event


def schema_of(of: type[AnyEvent], without: Iterable[str] = ()) -> Schema:
    """Return the schema of what `read_event` reads of one kind, `without` some fields."""
    keys = {"kind": Key(Reader(readers.mapping, {"const": of.kind}))}
    keys |= {each.name: Key(each.reader, each.default) for each in of.shape if each.name not in {*of.legacy, *without}}
    return readers.closed_schema(keys) | of.extra_schema


def to_json(event: AnyEvent) -> dict[str, Any]:
    """Return the event as JSON without values that equal their default; reading it gives an equal event."""
    raw: dict[str, Any] = {"kind": event.kind}
    for name, attribute, _, default in event.shape:
        value = getattr(event, attribute)
        if default is MISSING or value != default:
            raw[name] = _plain(value)
    return raw


def _plain(value: Any) -> Any:
    if hasattr(value, "plain"):  # it knows by itself how it is written
        return value.plain
    if isinstance(value, AnyEvent):
        return to_json(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return value
