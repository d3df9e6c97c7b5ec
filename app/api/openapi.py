"""The OpenAPI 3.1 document of the JSON interface: every route with its request and responses.

A test compares its paths with the routes that the app serves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from app.api import rulebook
from app.api.requests import EVENTS, NEW_ENTRY, NEW_GAME, RULE_SET, SEEN, SUBMISSION, any_of, claim
from app.api.rulings import RULINGS
from app.api.state import EXPORT, RECORDED, STATE
from app.api.writers import COUNT, ENTRY, FLAG, TEXT, Writer, by_name, listed, one_of, or_null, record
from app.history.spreadsheet import SEPARATORS
from app.kalooki import claims, readers
from app.kalooki.game import events, faces
from app.kalooki.game.play import MOST_ENTRIES
from app.kalooki.readers import MOST_PLACE, MOST_SEATS, Reader, Schema, component, text, whole
from app.kalooki.rules.find import LONGEST_QUESTION
from app.kalooki.variants import ids
from app.views.links import PREFIX

Described: TypeAlias = Reader | Writer

_WRONG = record({"code": TEXT, "message": TEXT, "field": or_null(TEXT), "word": or_null(TEXT)})
_FAULT = Writer({"anyOf": [rulebook.FAULT.schema, rulebook.AT_ODDS.schema]})
_ERROR = record({"error": _WRONG}, "Error").also(faults=listed(_FAULT), state=STATE)
_STARTED = record({"code": TEXT, "scorer": TEXT, "seen": COUNT, "links": by_name(TEXT), "warnings": listed(TEXT)})
_SAVED = record({"state": STATE, "warnings": listed(TEXT)}).also(entry=ENTRY)
_IMPORTED = listed(record({"event": RECORDED}).also(entry=ENTRY, at=TEXT, by=TEXT)).shape
_LOG = Writer(_IMPORTED | {"minItems": 1, "maxItems": MOST_ENTRIES})
_IMPORT = record({"log": _LOG}).also(submission=Writer(SUBMISSION.schema))
_DISPUTES = record({"disputes": rulebook.DISPUTES})

_STATUS = {
    200: "Answered; for a submission sent again, what it had been answered",
    201: "Saved",
    304: "Unchanged since the answer whose tag If-None-Match names",
    403: "This needs the scorer's secret",
    404: "There is no such game",
    410: "The game was deleted, or its links were reset",
    409: "Somebody else recorded first (`stale`), this submission was saved with other contents (`already_saved`), or "
    "it has started a game whose secret is not told again (`already_started`)",
    413: "The body is too long",
    429: "Too many requests came from this address; `Retry-After` tells when to ask again",
    503: "This cannot be done just now: the database cannot be used (`database_unavailable`), or too many wait for "
    "heavy answers; `Retry-After` tells when to ask again",
    422: "Something nobody can read, or an event that cannot be: the field or the faults are named",
}


_SUMMARIES = {
    "check/meld": "Is this a meld?",
    "check/opening": "May a player open with these melds?",
    "check/build": "May these cards be built on that meld?",
    "check/joker": "May these naturals free a joker of that meld, or move it?",
    "check/turn": "Is this turn legal, and how does the hand end?",
    "count": "What do these cards left in a hand count?",
    "deck": "Can all these cards of one deal come from the packs?",
    "solve": "What is the best that can be laid?",
}
_PDF = "application/pdf"
FORMATS = {
    "html": ("a document by itself", "text/html"),
    "pdf": ("to print", _PDF),
    "png": ("a picture", "image/png"),
    "csv": ("one row a player for each hand and whatever else moved points or money", "text/csv"),
    "json": ("the whole log, which can be brought back", "application/json"),
    "txt": ("a few lines for a chat", "text/plain"),
}
"""The files of a game by their suffix: what each is, and its media type."""


def _parameter(name: str, where: str, value: Described) -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": value.schema}


def _needs(**query: Described) -> list[dict[str, Any]]:
    """Return required query parameters."""
    return [_parameter(name, "query", value) for name, value in query.items()]


def _takes(**query: Described) -> list[dict[str, Any]]:
    """Return optional query parameters."""
    return [each | {"required": False} for each in _needs(**query)]


_VARIANT = readers.variant_id
_IN_PATH: Mapping[str, Described] = {"code": TEXT, "variant_id": _VARIANT}
_SEEN = _takes(seen=SEEN)
_CARD_PAPER = _takes(paper=one_of("", "a4", "letter"))
_PAPER = _takes(paper=one_of("", "a4", "letter", "a5"))
_SHEET_OPTIONS = _takes(print=one_of("large"), place=text(0, MOST_PLACE))
_OPTIONS_OF_SUFFIX = {
    "csv": _takes(separator=one_of(*SEPARATORS)),
    "html": _SHEET_OPTIONS,
    "pdf": _PAPER + _SHEET_OPTIONS,
    "png": _PAPER + _SHEET_OPTIONS,
}
_CARD = _CARD_PAPER + _takes(folded=FLAG)
_SETUP: dict[str, Described] = {"variant": _VARIANT, "players": whole(2, MOST_SEATS), "currency": readers.currency}
_SETUP |= {"names": TEXT, "unit": TEXT, "game": TEXT}
# an empty value counts as left out
_BLANK = _PAPER + _takes(**{name: Writer({"anyOf": [each.schema, {"const": ""}]}) for name, each in _SETUP.items()})
_RULES = Writer(
    {
        "type": "object",
        "properties": {"variant": _VARIANT.schema, "game": TEXT.schema},
        "description": "Whose rules: `variant=european`, or those of a game, `game=` and its code. "
        "Each is a parameter.",
        **any_of("variant", "game"),
    }
)
_QUESTION = Writer(text(1, LONGEST_QUESTION).shape | {"pattern": r"\S"})


def document(root: str = "") -> dict[str, Any]:
    """Return the whole document; `root` is the path below which the app is served."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kalooki Referee",
            "version": "1",
            "description": "Rulings on Kalooki, and the record of games played with real cards.",
        },
        "servers": [{"url": f"{root}{PREFIX}"}],
        "paths": {path: _in_path(path) | operation for path, operation in (_rules() | _games() | _sheets()).items()},
        "components": {
            "schemas": _components(),
            "securitySchemes": {"scorer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _components() -> dict[str, Schema]:
    """Return the named schemas."""
    cards = (readers.CARDS, readers.LEFT_CARDS)
    read = (*cards, faces.face, readers.book, readers.house, readers.table_stakes, readers.carried)
    return {
        **{each.name: each.shape for each in (*read, claims.STEP, rulebook.FAULT, STATE, _ERROR)},
        readers.variant_id.name: {"enum": [*ids()]},
        **{events.component_name(kind): schema for kind, schema in EVENTS.items()},
        "Event": events.one_of(kind for kind in EVENTS if kind != "start"),
        "Recorded": events.one_of(EVENTS),
        "NewGame": NEW_GAME,
    }


def _rules() -> dict[str, Any]:
    """Return the paths of variants, checks and disputes."""
    checks = {f"/{path}": _check(path.rpartition("/")[2], says) for path, says in _SUMMARIES.items()}
    both, whose, query = _needs(a=_VARIANT, b=_VARIANT), _needs(rules=_RULES), _needs(rules=_RULES, q=_QUESTION)
    says = "Judge a table's house rules without starting a game"
    disputes, question = "What tables argue about, settled", "Answers to a question in players' own words"
    return checks | {
        "/openapi.json": _get("openapi", "This document", record({})),
        "/variants": _get("variants", "Every variant", rulebook.VARIANTS),
        "/variants/{variant_id}": _get("variant", "One variant: values and rules", rulebook.VARIANT, 422),
        "/variants/check": _post("checkRules", says, RULE_SET.schema, {200: rulebook.JUDGED_RULES}, 422),
        "/compare": _get("compare", "What two variants play differently", rulebook.COMPARISON, 422, query=both),
        "/disputes": _get("disputes", disputes, _DISPUTES, 404, 410, 422, query=whose),
        "/find": _get("find", question, rulebook.FOUND, 404, 410, 422, query=query),
    }


def _in_path(path: str) -> dict[str, Any]:
    return {"parameters": [_parameter(name, "path", _IN_PATH[name]) for name in re.findall(r"{(\w+)}", path)]}


def _check(check: str, says: str) -> dict[str, Any]:
    return _post(check, says, claim(check), {200: RULINGS[check]}, 404, 410, 422)


def _games() -> dict[str, Any]:
    started, saved = dict.fromkeys((200, 201), _STARTED), dict.fromkeys((200, 201), _SAVED)
    entries = _post("addEntry", "Record an event, or preview it", NEW_ENTRY, saved, 403, 404, 409, 410, 422)
    most = f"A game holds {MOST_ENTRIES} entries at most (`game-full`)."
    entries["post"] |= {"description": most, "security": [{"scorer": []}]}
    return {
        "/games": _post("newGame", "Start a game", component("NewGame"), started, 403, 409, 422),
        "/games/import": _post("importGame", "Bring an exported game back", _IMPORT.schema, started, 403, 409, 422),
        "/games/{code}": _get("game", "The state of a game", STATE, 304, 404, 410, 422, query=_SEEN),
        "/games/{code}/entries": entries,
    }


def _sheets() -> dict[str, Any]:
    """Return the paths of sheets and files: of a game, of a variant, and blank."""
    blank = "A score sheet to fill in by hand, for a variant or a game's table"
    card = "at a glance on the first page, all of them behind"
    of_game = {
        f"/games/{{code}}/sheet.{suffix}": _file(
            f"sheet_{suffix}", f"The score sheet of a game: {says}", _OPTIONS_OF_SUFFIX.get(suffix, ()), media
        )
        for suffix, (says, media) in FORMATS.items()
    }
    return of_game | {
        "/games/{code}/rules.pdf": _file("table_card", f"The rules one table plays: {card}", _CARD),
        "/variants/{variant_id}/rules.pdf": _file("rules_card", f"The rules of a variant: {card}", _CARD),
        "/sheets/blank.pdf": _file("blank_sheet", blank, _BLANK),
    }


def _file(name: str, says: str, query: Sequence[Any], media: str = _PDF) -> dict[str, Any]:
    """Return the operation that gets a file, or 304 if it has not changed."""
    operation = _get(name, says, EXPORT, 304, 404, 410, 422, query=query)
    if media != "application/json":
        operation["get"]["responses"]["200"]["content"] = {media: {}}
    return operation


def _get(name: str, says: str, answer: Writer, *otherwise: int, query: Sequence[Any] = ()) -> dict[str, Any]:
    """Return a GET operation with a query."""
    return {"get": _operation(name, says, {200: answer}, (*otherwise, 429, 503)) | {"parameters": [*query]}}


def _post(name: str, says: str, body: Schema, answers: Mapping[int, Writer], *otherwise: int) -> dict[str, Any]:
    """Return a POST operation with a JSON body."""
    sent = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    return {"post": _operation(name, says, answers, (*otherwise, 413, 429, 503)) | sent}


def _operation(name: str, says: str, answers: Mapping[int, Writer], otherwise: Iterable[int]) -> dict[str, Any]:
    responses = {
        str(status): {"description": _STATUS[status], "content": {"application/json": {"schema": answer.schema}}}
        for status, answer in {**answers, **dict.fromkeys(otherwise, _ERROR)}.items()
    }
    if unchanged := responses.get("304"):
        del unchanged["content"]
    return {"operationId": name, "summary": says, "responses": responses}
