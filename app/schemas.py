"""JSON schemas of what the interface is asked and answers; `openapi.py` puts them into its document."""

from __future__ import annotations

from typing import Any

from app.kalooki.reading import (
    MOST_CALLS,
    MOST_ENTRIES,
    MOST_MONEY,
    MOST_NAME,
    MOST_NOTE,
    MOST_POINTS,
    MOST_SEATS,
)
from app.kalooki.variants import STAKES, Meaning, ids, meanings

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
NULL: Schema = {"type": "null"}


def whole(least: int, most: int) -> Schema:
    """A whole number in a range."""
    return {"type": "integer", "minimum": least, "maximum": most}


def words(least: int, most: int) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "minLength": least, "maxLength": most}


def one_of(*choices: object) -> Schema:
    """One of some values."""
    return {"enum": list(choices)}


def listed(item: Schema, most: int | None = None) -> Schema:
    """A list, each item of one shape."""
    return {"type": "array", "items": item} | ({"maxItems": most} if most else {})


def named(schema: str) -> Schema:
    """A schema of the document's components."""
    return {"$ref": f"#/components/schemas/{schema}"}


def or_null(schema: Schema) -> Schema:
    """What the schema says, or null."""
    return {"anyOf": [schema, NULL]}


def record(needed: Schema | None = None, /, **optional: Schema) -> Schema:
    """An object: the names that must be there, and those that may be left out."""
    needed = needed or {}
    shape: Schema = {"type": "object", "properties": needed | optional}
    return shape | ({"required": list(needed)} if needed else {})


def by_name(value: Schema, pattern: str = "") -> Schema:
    """An object that gives each name (all matching `pattern`) a value of one shape."""
    names = {"propertyNames": {"pattern": pattern}} if pattern else {}
    return {"type": "object", "additionalProperties": value} | names


def _cards(about: str, example: str) -> Schema:
    return {"type": "string", "format": "cards", "description": about, "examples": [example]}


def _house_rule(meaning: Meaning) -> Schema:
    """What a table may choose for one value."""
    house = meaning.house or {}
    about = {"description": meaning.label}
    if "choices" in house:
        return one_of(*house["choices"]) | about
    number = whole(house["least"], house["most"])
    return (or_null(number) if house.get("none") else number) | about


COUNT = whole(0, MOST_ENTRIES)
SEAT = whole(1, MOST_SEATS)
SEATS_PATTERN = "^([1-9]|[1-4][0-9]|5[0-6])$"
POINTS = whole(0, MOST_POINTS)
MONEY = whole(0, MOST_MONEY)
ENTRY = whole(1, MOST_ENTRIES)
NAME = words(1, MOST_NAME)
NOTE = words(0, MOST_NOTE)
CARDS = named("Cards")
SUBMISSION = words(1, 100) | {"pattern": "^[!-~]+$", "description": "Made by whoever sends it, without spaces."}

RULES_FROM: dict[str, Schema] = {
    "variant": named("VariantId"),
    "house": named("HouseRules"),
    "game": TEXT | {"description": "A game's code, whose rules are used instead of a variant's."},
}
STEPS: dict[str, Schema] = {
    "draw": record({"do": {"const": "draw"}, "from": one_of("stock", "discard"), "card": CARDS}),
    "meld": record({"do": {"const": "meld"}, "cards": CARDS}),
    "build": record({"do": {"const": "build"}, "on": COUNT, "cards": CARDS}, end=one_of(None, "low", "high")),
    "free_joker": record({"do": {"const": "free_joker"}, "on": COUNT, "give": CARDS}),
    "discard": record({"do": {"const": "discard"}, "card": CARDS}),
}
"""What can be done in a turn."""
STEP = named("Step")
_ON_TABLE = record({"cards": CARDS}, owner=whole(0, MOST_SEATS))
CLAIMS: dict[str, Schema] = {
    "meld": record({"cards": CARDS}),
    "opening": record(
        {"melds": listed(CARDS)},
        builds=listed(record({"on": CARDS, "cards": CARDS})),
        hand_number=whole(1, 99),
        kalooki=FLAG,
    ),
    "build": record(
        {"on": CARDS, "cards": CARDS},
        opened=FLAG,
        built_this_turn=record(low=whole(0, 112), high=whole(0, 112)),
    ),
    "joker": record({"on": CARDS, "give": CARDS}, opened=FLAG),
    "turn": record(
        {"hand": CARDS, "steps": listed(STEP)},
        table=listed(_ON_TABLE),
        me=SEAT,
        opened=FLAG,
        first_turn=FLAG,
        held_after_last_turn=whole(0, 112),
        warned=FLAG,
        calls=whole(0, MOST_CALLS),
        hand_number=whole(1, 99),
    ),
    "count": record({"cards": CARDS}, bending=FLAG),
    "deck": record({"holdings": listed(CARDS)}),
}
"""What each check is asked, beside whose rules it is judged by."""

_SOURCE = record({"id": TEXT, "title": TEXT})
_FAULT = record(
    {
        "rule": TEXT,
        "title": TEXT,
        "text": TEXT,
        "cards": TEXT,
        "sources": listed(_SOURCE),
        "house_rule": or_null(TEXT),
    },
    field=TEXT,
    entry=COUNT,
    step=or_null(COUNT),
    on=COUNT,
)
_RULING = {
    "ok": FLAG,
    "faults": listed(named("Fault")),
    "rules": listed(TEXT),
    "ask": or_null(record({"question": TEXT, "choices": listed(TEXT)})),
    "warnings": listed(TEXT),
}
_READINGS = listed(record({"kind": one_of("run", "set"), "cards": TEXT, "points": COUNT}))
_LINES = listed(record({"cards": TEXT, "points": {"type": "integer"}, "rule": TEXT}))
_AFTER = {"result": or_null(TEXT), "closed": FLAG}
_CONTRACT = or_null(record({"sets": COUNT, "runs": COUNT}))
ANSWERS: dict[str, Schema] = {
    "meld": record(_RULING | {"readings": _READINGS, "legal_in": listed(named("VariantId"))}),
    "opening": record(
        _RULING | {"points": COUNT, "needed": or_null(COUNT), "contract": _CONTRACT, "readings": _READINGS}
    ),
    "build": record(_RULING | _AFTER),
    "joker": record(_RULING | _AFTER | {"released": COUNT}),
    "turn": record(
        _RULING
        | {
            "ending": one_of(None, "going_out", "kalooki", "bending"),
            "why": or_null(TEXT),
            "hand": TEXT,
            "table": listed(_ON_TABLE),
        }
    ),
    "count": record(_RULING | {"points": COUNT, "lines": _LINES}),
    "deck": record(_RULING),
}

_START = {
    "house": named("HouseRules"),
    "dealer": SEAT,
    "stakes": or_null(named("Stakes")),
    "settle": one_of("account", "cash"),
}
_PLAYERS = listed(NAME, MOST_SEATS)


def _event(kind: str) -> str:
    """The name of an event's schema: BuyInEvent."""
    return f"{kind.title().replace('_', '')}Event"


def _events(*kinds: str) -> Schema:
    """An event of one of some kinds."""
    return {"oneOf": [named(_event(kind)) for kind in kinds]}


_EVENTS: dict[str, tuple[Schema, Schema]] = {
    "start": (
        {"variant": named("VariantId"), "players": _PLAYERS},
        _START | {"rules": by_name(ANYTHING) | {"description": "The variant's values as they were then."}},
    ),
    "hand": (
        {
            "winner": SEAT,
            "ending": one_of("going_out", "kalooki", "bending"),
            "left": by_name({"anyOf": [CARDS, record(cards=CARDS, points=or_null(POINTS))]}, SEATS_PATTERN),
        },
        {"calls": by_name(whole(0, MOST_CALLS), SEATS_PATTERN)},
    ),
    "void": ({}, {"reason": NOTE}),
    "buy_in": ({"seat": SEAT}, {}),
    "decline": ({"seat": SEAT}, {}),
    "penalty": ({"seat": SEAT}, {"points": POINTS, "amount": MONEY, "reason": NOTE, "rule": words(0, 60)}),
    "ruling": (
        {"claim": ANYTHING, "verdict": ANYTHING},
        {
            "check": words(0, 20),
            "seat": or_null(SEAT),
            "note": NOTE,
            "points": POINTS,
            "amount": MONEY,
            "upheld": FLAG,
        },
    ),
    "leave": ({"seat": SEAT}, {}),
    "join": ({"name": NAME}, {"points": or_null(POINTS), "stake": FLAG, "after": or_null(SEAT)}),
    "rename": ({"seat": SEAT, "name": NAME}, {}),
    "setup": (
        {},
        {
            "dealer": or_null(SEAT),
            "stakes": or_null(named("Stakes")),
            "house": named("HouseRules"),
            "settle": or_null(one_of("account", "cash")),
        },
    ),
    "paid": ({"from": SEAT, "to": SEAT, "amount": whole(1, MOST_MONEY)}, {}),
    "first": ({"seat": SEAT}, {}),
    "end": ({}, {}),
    "stop": ({}, {"pool": one_of("refund", "equal", "leader")}),
    "decider": ({"winner": SEAT}, {}),
    "insert": ({"before": whole(2, MOST_ENTRIES), "event": _events("hand", "void")}, {}),
    "undo": ({"target": ENTRY}, {}),
}
_REPLACING = _events(*(kind for kind in _EVENTS if kind not in ("start", "undo")))
_EVENTS["amend"] = ({"target": ENTRY, "event": _REPLACING}, {})
EVENTS: dict[str, Schema] = {
    kind: record({"kind": {"const": kind}} | needed, **more) for kind, (needed, more) in _EVENTS.items()
}
"""What a log can hold: the start comes first, and only there."""
LOGGED: dict[str, Schema] = {"entry": ENTRY, "at": TEXT, "by": TEXT, "event": named("Recorded")}
"""An entry as it was recorded."""


def components() -> dict[str, Schema]:
    """The schemas the document names."""
    rules = {key: meaning for key, meaning in meanings().items() if meaning.house}
    return {
        "Cards": _cards("Cards in table notation, separated by spaces; * is a joker.", "7H 8H *=9H"),
        "VariantId": one_of(*ids()),
        "HouseRules": record(**{key: _house_rule(meaning) for key, meaning in rules.items()}),
        "Stakes": record(currency=words(1, 8), **dict.fromkeys(STAKES, MONEY)),
        "Step": {"oneOf": list(STEPS.values())},
        "Fault": _FAULT,
        **{_event(kind): schema for kind, schema in EVENTS.items()},
        "Event": _events(*(kind for kind in EVENTS if kind != "start")),
        "Recorded": _events(*EVENTS),
        "NewGame": record({"variant": named("VariantId"), "players": _PLAYERS}, **_START, submission=SUBMISSION),
        "Error": record(
            {"error": record({"code": TEXT, "message": TEXT, "field": or_null(TEXT), "word": or_null(TEXT)})},
            faults=listed(named("Fault")),
            state=named("State"),
        ),
        "State": _state(),
    }


def _state() -> Schema:
    """The state of a game: what its entries add up to."""
    signed = {"type": "integer"}
    player = {"seat": SEAT, "name": TEXT, "total": signed, "in": FLAG, "buy_ins": COUNT, "may_buy_in": FLAG}
    player |= {"buy_in_score": or_null(COUNT), "out_since": or_null(ENTRY), "balance": signed, "left": FLAG}
    score = {"points": signed, "lines": _LINES, "cards": TEXT, "total": signed, "out": FLAG}
    hand = {"entry": ENTRY, "number": COUNT, "winner": or_null(SEAT), "ending": or_null(TEXT), "void": FLAG}
    hand |= {"dealer": SEAT, "cards": COUNT, "reason": TEXT, "calls": by_name(COUNT, SEATS_PATTERN)}
    hand |= {"scores": by_name(record(score), SEATS_PATTERN)}
    upcoming = {"number": COUNT, "dealer": or_null(SEAT), "first": or_null(SEAT), "cards": COUNT}
    posting = {"entry": ENTRY, "seat": SEAT, "amount": signed, "why": TEXT}
    corrected = {"undone": FLAG, "amended_by": or_null(ENTRY), "inserted_before": or_null(ENTRY)}
    return record(
        {
            "code": TEXT,
            "seen": COUNT,
            "variant": TEXT,
            "rules": by_name(ANYTHING),
            "house": listed(TEXT) | {"description": "The keys of the table's own rules."},
            "stakes": or_null(named("Stakes")),
            "settle": one_of("account", "cash"),
            "status": one_of("playing", "buy_ins", "over"),
            "hand": record(upcoming | {"contract": _CONTRACT}),
            "players": listed(record(player)),
            "hands": listed(record(hand)),
            "pool": signed,
            "money": listed(record(posting)),
            "settlement": listed(record({"from": SEAT, "to": SEAT, "amount": MONEY})),
            "order": listed(SEAT),
            "winners": listed(SEAT),
            "shares": by_name(signed, SEATS_PATTERN),
            "faults": listed(named("Fault")),
            "log": listed(record(LOGGED | corrected)),
        }
    )
