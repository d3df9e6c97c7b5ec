"""JSON schemas of requests and answers; `openapi.py` puts them in its document."""

from __future__ import annotations

from app.kalooki import claims, readers
from app.kalooki.game import events, faces
from app.kalooki.readers import LAST_ENTRY, LONGEST_SUBMISSION, MOST_SEATS, SEATS_PATTERN, Schema, or_null
from app.kalooki.readers import component as named
from app.kalooki.readers import mapped as by_name
from app.kalooki.rules.disputes import GROUPS
from app.kalooki.rules.mishaps import MOMENTS

TEXT: Schema = {"type": "string"}
FLAG = readers.flag.schema
ANYTHING: Schema = {}


def whole(least: int, most: int) -> Schema:
    """A whole number in a range."""
    return readers.whole(least, most).schema


def words(least: int, most: int) -> Schema:
    """A text of `least` to `most` characters."""
    return readers.text(least, most).schema


def one_of(*choices: object) -> Schema:
    """One of the given values."""
    return {"enum": list(choices)}


def listed(item: Schema, most: int | None = None) -> Schema:
    """A list whose items all have one shape."""
    return {"type": "array", "items": item} | ({"maxItems": most} if most else {})


def record(needed: Schema | None = None, /, **optional: Schema) -> Schema:
    """An object: its required names, then its optional ones."""
    needed = needed or {}
    shape: Schema = {"type": "object", "properties": needed | optional}
    return shape | ({"required": list(needed)} if needed else {})


COUNT = whole(0, LAST_ENTRY)
SEAT = whole(1, MOST_SEATS)
MONEY = whole(0, readers.MOST_MONEY)
ENTRY = whole(1, LAST_ENTRY)
SUBMISSION = words(1, LONGEST_SUBMISSION) | {
    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
    "description": "Made by whoever sends it: any short text on one line.",
}

RULES_FROM: dict[str, Schema] = {
    "variant": named("VariantId"),
    "house": named("HouseRules"),
    "game": words(1, 60)
    | {"pattern": "[0-9A-Za-z]", "description": "A game's code, whose rules are used instead of a variant's."},
}
SOURCE = record({"id": TEXT, "title": TEXT, "where": TEXT})
STANDING = one_of("source", "both", "usual", "house")
_CASE = record({"when": one_of(*MOMENTS), "ruling": TEXT, "remedy": TEXT})
_SETTLED = {
    "id": TEXT,
    "group": one_of(*GROUPS),
    "title": TEXT,
    "ruling": TEXT | {"description": "One sentence."},
    "more": TEXT | {"description": "What else there is to say; last, how it stands where a reader has to know."},
    "rules": listed(TEXT) | {"description": "Those that decide; the weakest gives the standing."},
    "beside": listed(TEXT) | {"description": "Those behind what else is said; each has its own standing."},
    "standing": STANDING,
    "sources": listed(SOURCE),
}
DISPUTE = record(
    {"kind": one_of("dispute", "mishap"), **_SETTLED, "remedy": or_null(TEXT), "cases": listed(_CASE)},
)
FOUND = {"oneOf": [DISPUTE, record({"kind": one_of("rule"), **_SETTLED})]}
"""An answer to a question: a dispute, a mishap with its moments, or a rule."""
_FAULT = record(
    {
        "rule": TEXT,
        "title": TEXT,
        "text": TEXT,
        "cards": TEXT,
        "sources": listed(SOURCE),
        "house_rule": or_null(TEXT),
        "standing": STANDING,
        "note": TEXT | {"description": "The last words of `text`: how the rule stands where a reader has to know."},
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
    "decided_by": listed(record({"rule": TEXT, "standing": STANDING})),
}
_READINGS = listed(record({"kind": one_of("run", "set"), "cards": TEXT, "points": COUNT}))
_LINES = listed(record({"cards": TEXT, "points": {"type": "integer"}, "rule": TEXT}))
_AFTER = {"result": or_null(TEXT), "closed": FLAG}
_CONTRACT = or_null(record({"sets": COUNT, "runs": COUNT}))
_END = one_of(None, "low", "high")
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
            "table": listed(record({"cards": TEXT, "owner": whole(0, MOST_SEATS)})),
        }
    ),
    "count": record(_RULING | {"points": COUNT, "lines": _LINES}),
    "deck": record(_RULING),
    "solve": record(
        _RULING
        | {
            "possible": or_null(FLAG) | {"description": "Null: undecided within the steps it may take."},
            "melds": listed(TEXT),
            "builds": listed(record({"on": COUNT, "cards": TEXT, "end": _END})),
            "released": listed(record({"on": COUNT, "give": TEXT})),
            "left": TEXT,
            "points_left": COUNT,
            "discard": or_null(TEXT),
            "steps": listed(claims.STEP.schema) | {"description": "The turn, as the check of a turn is told it."},
        }
    ),
}

EVENTS = events.schemas()
"""The events a log can have: the start comes first, and only there."""
_STARTED = {name: schema for name, schema in EVENTS["start"]["properties"].items() if name not in ("kind", "rules")}
NEW_GAME: Schema = {
    "type": "object",
    "properties": _STARTED | {"submission": SUBMISSION, "players": _STARTED["players"] | {"minItems": 2}},
    "required": ["variant", "players"],
    "additionalProperties": False,
}
LOGGED: dict[str, Schema] = {"entry": ENTRY, "at": TEXT, "by": TEXT, "event": named("Recorded")}
"""An entry as it was recorded."""


def components() -> dict[str, Schema]:
    """The schemas the document names."""
    read = (
        faces.face,
        readers.CARDS,
        readers.LEFT_CARDS,
        readers.variant_id,
        readers.house,
        readers.table_stakes,
        claims.STEP,
    )
    return {
        **{reader.name: reader.shape for reader in read},
        "Fault": _FAULT,
        **{events.component_name(kind): schema for kind, schema in EVENTS.items()},
        "Event": events.one_of(kind for kind in EVENTS if kind != "start"),
        "Recorded": events.one_of(EVENTS),
        "NewGame": NEW_GAME,
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
    player |= {"colour": faces.colour.schema, "emoji": faces.emoji.schema}
    score = {"points": signed, "lines": _LINES, "cards": TEXT, "total": signed, "out": FLAG}
    hand = {"entry": ENTRY, "number": COUNT, "winner": or_null(SEAT), "ending": or_null(TEXT), "void": FLAG}
    hand |= {"dealer": SEAT, "cards": COUNT, "reason": TEXT, "calls": by_name(COUNT, SEATS_PATTERN)}
    hand |= {"note": TEXT, "agreed": listed(SEAT), "objected": by_name(TEXT, SEATS_PATTERN)}
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
            "zone": TEXT | {"description": "The time zone of the table, by its IANA name."},
            "place": TEXT,
            "note": TEXT,
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
