"""The base class of events: their fields are read from JSON, written to JSON and described by a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, NamedTuple, dataclass_transform

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.readers import Carried, Key, Left, Reader, Schema

KINDS: dict[str, type[Event]] = {}
"""All classes of events by their `kind` in JSON."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event:
    """Something that can be recorded; subclasses become frozen dataclasses and register their `kind`.

    `extra_schema` is merged into the schema, besides the fields.
    """

    kind: ClassVar[str]
    extra_schema: ClassVar[Schema] = {}

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        KINDS[kind] = dataclass(frozen=True)(cls)

    @property
    def inner(self) -> Event:
        """The event itself or, for an insert or amendment, the event it puts into the log."""
        return self

    def stands_at(self, number: int) -> int:
        """Return the number of the entry it takes effect at: `number` itself, or the target of an amendment."""
        return number

    @property
    def is_mid_hand(self) -> bool:
        """Whether it was recorded during a hand and counts only after that hand."""
        return getattr(self, "after_hand", False)

    @property
    def belongs_before(self) -> int | None:
        """The entry it belongs before, if it was recorded late."""
        return None


_LEGACY_FIELDS = {"hand": {"agreed", "objected"}, "paid": {"together"}}
"""Fields, by kind, that only logs of earlier releases have; new events may not have them."""


def read_by(reader: Reader, default: Any = MISSING, name: str = "") -> Any:
    """Return a dataclass field of an event; `name` is its name in JSON, if that is a keyword in Python."""
    metadata = {"key": Key(reader, default), "name": name}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


class _Field(NamedTuple):
    """One field of an event: its names in JSON and in Python, its reader, and its default (MISSING if required)."""

    name: str
    attribute: str
    reader: Reader
    default: Any


@cache
def _shape(kind: str) -> tuple[_Field, ...]:
    declared = ((each.name, each.metadata) for each in fields(KINDS[kind]))
    return tuple(_Field(declared_key["name"] or name, name, *declared_key["key"]) for name, declared_key in declared)


def from_json(raw: object, path: str = "") -> Event:
    """Return the event described by a JSON object; raises BadInput naming the field that cannot be read."""
    contents = readers.mapping(raw, path or "event")
    kind = contents.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInput("There is no event of the kind “{word}”.", readers.within(path, "kind"), kind)
    readers.only(contents, {"kind", *(each.name for each in _shape(kind)), *_LEGACY_FIELDS.get(kind, ())}, path)
    values = {}
    for name, attribute, reader, default in _shape(kind):
        if name in contents:
            values[attribute] = reader.read(contents[name], readers.within(path, name))
        elif default is MISSING:
            raise BadInput("{field} is missing.", readers.within(path, name))
    return KINDS[kind](**values)


def read_new(raw: object, path: str = "") -> Event:
    """Return a new event as `from_json` reads it, with players' names cleaned; recorded events keep theirs."""
    return from_json(_with_clean_names(raw, path), path)


def _with_clean_names(raw: object, path: str) -> object:
    if not isinstance(raw, dict):
        return raw
    for kind, legacy in _LEGACY_FIELDS.items():
        if raw.get("kind") == kind:
            readers.only(raw, raw.keys() - legacy, path)
    clean = {}
    if isinstance(raw.get("event"), dict):
        inside = readers.within(path, "event")
        clean["event"] = _with_clean_names(raw["event"], inside)
    if raw.get("kind") in ("join", "rename") and "name" in raw:
        clean["name"] = readers.new_name(raw["name"], readers.within(path, "name"))
    if raw.get("kind") == "start" and isinstance(raw.get("players"), list):
        at = readers.within(path, "players")
        clean["players"] = [readers.new_name(name, f"{at}.{seat}") for seat, name in enumerate(raw["players"], 1)]
    return raw | clean


def schemas() -> dict[str, Schema]:
    """Return the schema of what `from_json` reads, by kind."""
    return {kind: _schema(kind) for kind in KINDS}


def _schema(kind: str) -> Schema:
    keys = {"kind": Key(Reader(readers.mapping, {"const": kind}))}
    legacy = _LEGACY_FIELDS.get(kind, ())
    keys |= {each.name: Key(each.reader, each.default) for each in _shape(kind) if each.name not in legacy}
    return readers.closed_schema(keys) | KINDS[kind].extra_schema


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as JSON without values that equal their default: `from_json(to_json(event)) == event`."""
    raw: dict[str, Any] = {"kind": event.kind}
    for name, attribute, _, default in _shape(event.kind):
        value = getattr(event, attribute)
        if default is MISSING or value != default:
            raw[name] = _plain(value)
    return raw


def _plain(value: object) -> Any:
    if isinstance(value, (Left, Carried)):
        return value.plain
    if isinstance(value, Event):
        return to_json(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return value
