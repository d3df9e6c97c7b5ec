"""Requests to the JSON interface: how they are read, and their schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.claims import CLAIMS
from app.kalooki.club import events as club_events
from app.kalooki.club.events import ClubStart
from app.kalooki.game import events
from app.kalooki.game.events import Event, Start, read_new
from app.kalooki.kinds import schema_of
from app.kalooki.readers import Key, Read, Reader, Schema, component, flag, object_schema, record, text, whole


def optional(raw: Mapping[str, Any], name: str, read: Read, default: Any) -> Any:
    """Return the value of that name, as read, or `default` without one."""
    return read(raw[name], name) if name in raw else default


def required(raw: Mapping[str, Any], name: str, read: Read) -> Any:
    """Return the value of that name, as read; raises BadInput without one."""
    if name not in raw:
        raise BadInput("{field} is missing.", name)
    return read(raw[name], name)


def _submission(raw: object, path: str) -> str:
    if isinstance(raw, str) and readers.usable_submission(raw):
        return raw
    raise BadInput("{field}: “{word}” is not 1 to {most} letters.", path, raw, most=readers.LONGEST_SUBMISSION)


def _event(raw: object, path: str) -> Event:
    event = read_new(raw)
    if isinstance(event, Start):
        raise BadInput("{field}: a game starts once; an event of the kind “{word}” cannot follow.", path, "start")
    return event


def _about(reader: Reader, description: str, **more: object) -> Reader:
    """Return the reader with a description for the document, and more keys for its schema."""
    return Reader(reader.read, reader.shape | {"description": description, **more})


def any_of(*names: str) -> Schema:
    """Return a schema that requires at least one of some names."""
    return {"anyOf": [{"required": [name]} for name in names]}


SUBMISSION = _about(
    Reader(_submission, text(1, readers.LONGEST_SUBMISSION).shape),
    "Made at random by whoever sends it, such as a UUID: whoever knows it and sends the same again gets the same "
    "answer, at the start of a game with its secret.",
    examples=["6f1c2f0e-3b5d-4a53-9a0f-0d7a3f1f5c11"],
    pattern="^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
)
"""A submission, chosen by the client."""
EVENT = Reader(_event, component("Event"))
SEEN = whole(0, readers.LAST_ENTRY)
PREVIEW = _about(
    flag,
    "Stores nothing. The state is as it would be, but for its `seen` and `log`, which are those before the event: "
    "`seen` can be sent back to save it.",
)
_GAME = _about(text(1, 60), "A game's code, whose rules are used instead of a variant's.", pattern="[0-9A-Za-z]")
RULES_FROM = {"variant": readers.variant_id, "house": readers.house, "game": _GAME}
"""The names by which a claim chooses its rules."""

_ANY_HOUSE = Reader(readers.mapping, {"type": "object", "description": "Any values: what does not fit is a fault."})
RULE_SET = record({"variant": Key(readers.variant_id), "house": Key(_ANY_HOUSE, {})})
"""House rules to judge, with any values."""

EVENTS = events.schemas()
"""The events that a log can contain; only the first one is a start."""
_STARTED = {name: each for name, each in EVENTS["start"]["properties"].items() if name not in ("kind", "rules", "book")}
NEW_GAME: Schema = {
    "type": "object",
    "properties": _STARTED
    | {"variant": readers.variant_id.schema, "submission": SUBMISSION.schema}
    | {"players": _STARTED["players"] | {"minItems": 2}},
    "required": ["variant", "players"],
    "additionalProperties": False,
}
_ABOUT_ENTRY = {"seen": Key(SEEN, None), "submission": Key(SUBMISSION, None), "preview": Key(PREVIEW, None)}
_PREVIEWED = {"required": ["preview"], "properties": {"preview": {"const": True}}}
_ENOUGH = {"anyOf": [{"required": ["seen", "submission"]}, _PREVIEWED]}
NEW_ENTRY = object_schema({"event": Key(EVENT), **_ABOUT_ENTRY}) | _ENOUGH

CLUB_EVENTS = club_events.schemas()
"""The events that may be sent to a club."""
_CLUB_START = schema_of(ClubStart)
NEW_CLUB = _CLUB_START | {
    "properties": {name: each for name, each in _CLUB_START["properties"].items() if name != "kind"}
    | {"submission": SUBMISSION.schema},
    "required": ["name"],
}
_RIGHT = _about(text(1, 60), "The scorer's secret of the game that is added, so that keepers may record in it.")
_CLUB_EVENT = Reader(club_events.read_sent, component("ClubEvent"))
NEW_CLUB_ENTRY = object_schema(
    {"event": Key(_CLUB_EVENT), "seen": Key(SEEN), "submission": Key(SUBMISSION), "right": Key(_RIGHT, None)}
)


def claim(check: str) -> Schema:
    """Return the schema of a check's body: the claim, and whose rules judge it."""
    shape = CLAIMS[check].shape
    rules = {name: reader.schema for name, reader in RULES_FROM.items()}
    return shape | {"properties": rules | shape["properties"]} | any_of("variant", "game")
