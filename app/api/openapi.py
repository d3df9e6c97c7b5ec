"""The OpenAPI 3.1 document of the JSON interface: every route with its parameters, request body and statuses.

A test compares its paths with the routes that the app serves. What answers contain is described in prose elsewhere and
held by recorded answers (tests/web/test_recorded_answers.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from app.api.requests import (
    CLUB_EVENTS,
    EVENTS,
    NEW_CLUB,
    NEW_CLUB_ENTRY,
    NEW_ENTRY,
    NEW_GAME,
    RULE_SET,
    SEEN,
    SUBMISSION,
    any_of,
    claim,
)
from app.history.spreadsheet import SEPARATORS
from app.kalooki import claims, readers
from app.kalooki.club.events import MOST_LEAST
from app.kalooki.game import events
from app.kalooki.game.play import MOST_ENTRIES
from app.kalooki.readers import LAST_ENTRY, MOST_PLACE, MOST_SEATS, Schema, component, text, whole
from app.kalooki.rules.find import LONGEST_QUESTION
from app.kalooki.variants import ids
from app.views.links import PREFIX

_TEXT: Schema = {"type": "string"}
_ENTRY: Schema = {
    "type": "object",
    "properties": {
        "event": component("Recorded"),
        "entry": whole(1, LAST_ENTRY).schema,
        "at": _TEXT,
        "by": _TEXT,
    },
    "required": ["event"],
}
_IMPORT: Schema = {
    "type": "object",
    "properties": {
        "log": {"type": "array", "items": _ENTRY, "minItems": 1, "maxItems": MOST_ENTRIES},
        "submission": SUBMISSION.schema,
    },
    "required": ["log"],
}

_STATUS = {
    200: "The answer; for a submission sent again, the same one",
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
    422: "Unreadable input, or an impossible event: the field or the faults are named",
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
    "json": ("the whole log, which can be imported", "application/json"),
    "txt": ("a few lines for a chat", "text/plain"),
}
"""The files of a game by their suffix: what each is, and its media type."""


def _parameter(name: str, where: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": schema}


def _needs(**query: Schema) -> list[dict[str, Any]]:
    """Return required query parameters."""
    return [_parameter(name, "query", schema) for name, schema in query.items()]


def _takes(**query: Schema) -> list[dict[str, Any]]:
    """Return optional query parameters."""
    return [each | {"required": False} for each in _needs(**query)]


_VARIANT = readers.variant_id.schema
_IN_PATH = {"code": _TEXT, "club": _TEXT, "variant_id": _VARIANT}
_SEEN = _takes(seen=SEEN.schema)
_CARD_PAPER = _takes(paper={"enum": ["", "a4", "letter"]})
_PAPER = _takes(paper={"enum": ["", "a4", "letter", "a5"]})
_SHEET_OPTIONS = _takes(print={"enum": ["large"]}, place=text(0, MOST_PLACE).schema)
_OPTIONS_OF_SUFFIX = {
    "csv": _takes(separator={"enum": [*SEPARATORS]}),
    "html": _SHEET_OPTIONS,
    "pdf": _PAPER + _SHEET_OPTIONS,
    "png": _PAPER + _SHEET_OPTIONS,
}
_TABLES = {"csv": "a row a person, with their money", "txt": "a few lines for a chat", "pdf": "to print"}
_OPTIONS_OF_TABLE = {"csv": _OPTIONS_OF_SUFFIX["csv"], "txt": [], "pdf": _CARD_PAPER}
_SETUP = {"variant": _VARIANT, "players": whole(2, MOST_SEATS).schema, "currency": readers.currency.schema}
_SETUP |= dict.fromkeys(("names", "unit", "game"), _TEXT)
# an empty value counts as left out
_BLANK = _PAPER + _takes(**{name: {"anyOf": [schema, {"const": ""}]} for name, schema in _SETUP.items()})
_RULES: Schema = {
    "type": "object",
    "properties": {"variant": _VARIANT, "game": _TEXT},
    "description": "Whose rules: `variant=european`, or those of a game, `game=` and its code. Each is a parameter.",
    **any_of("variant", "game"),
}
_QUESTION: Schema = text(1, LONGEST_QUESTION).shape | {"pattern": r"\S"}


def document(root: str = "") -> dict[str, Any]:
    """Return the whole document; `root` is the path below which the app is served."""
    paths: dict[str, Any] = _rules() | _games() | _clubs() | _sheets()
    for path, operations in paths.items():
        names = re.findall(r"{(\w+)}", path)
        operations["parameters"] = [_parameter(name, "path", _IN_PATH[name]) for name in names]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kalooki Referee",
            "version": "1",
            "description": "Rulings on Kalooki, and the record of games played with real cards.",
        },
        "servers": [{"url": f"{root}{PREFIX}"}],
        "paths": paths,
        "components": {
            "schemas": _components(),
            "securitySchemes": {"scorer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _components() -> dict[str, Schema]:
    """Return the named schemas."""
    cards = (readers.CARDS, readers.LEFT_CARDS)
    read = (*cards, events.avatar, readers.texts, readers.house, readers.table_stakes, readers.carried)
    return {
        **{each.name: each.shape for each in (*read, claims.STEP)},
        readers.variant_id.name: {"enum": [*ids()]},
        **{events.component_name(kind): schema for kind, schema in EVENTS.items()},
        "Event": events.one_of(kind for kind in EVENTS if kind != "start"),
        "Recorded": events.one_of(EVENTS),
        **{f"Club{events.component_name(kind)}": schema for kind, schema in CLUB_EVENTS.items()},
        "ClubEvent": {"oneOf": [component(f"Club{events.component_name(kind)}") for kind in CLUB_EVENTS]},
        "NewGame": NEW_GAME,
    }


def _rules() -> dict[str, Any]:
    """Return the paths of variants, checks and disputes."""
    checks = {
        f"/{path}": _post(path.rpartition("/")[2], says, claim(path.rpartition("/")[2]), 200, 404, 410, 422)
        for path, says in _SUMMARIES.items()
    }
    both, whose, query = _needs(a=_VARIANT, b=_VARIANT), _needs(rules=_RULES), _needs(rules=_RULES, q=_QUESTION)
    says = "Judge a table's house rules without starting a game"
    disputes, question = "Disputed rules and their answers", "Answers to a question in players' own words"
    return checks | {
        "/openapi.json": _get("openapi", "This document", 200),
        "/variants": _get("variants", "Every variant", 200),
        "/variants/{variant_id}": _get("variant", "One variant: values and rules", 200, 422),
        "/variants/check": _post("checkRules", says, RULE_SET.schema, 200, 422),
        "/compare": _get("compare", "What two variants play differently", 200, 422, query=both),
        "/disputes": _get("disputes", disputes, 200, 404, 410, 422, query=whose),
        "/find": _get("find", question, 200, 404, 410, 422, query=query),
    }


def _games() -> dict[str, Any]:
    entries = _post("addEntry", "Record an event, or preview it", NEW_ENTRY, 200, 201, 403, 404, 409, 410, 422)
    most = f"A game holds {MOST_ENTRIES} entries at most (`game-full`)."
    entries["post"] |= {"description": most, "security": [{"scorer": []}]}
    return {
        "/games": _post("newGame", "Start a game", component("NewGame"), 200, 201, 403, 409, 422),
        "/games/import": _post("importGame", "Import an exported game", _IMPORT, 200, 201, 403, 409, 422),
        "/games/{code}": _get("game", "The state of a game", 200, 304, 404, 410, 422, query=_SEEN),
        "/games/{code}/entries": entries,
    }


def _clubs() -> dict[str, Any]:
    says = "Record an event in a club, by the secret of who keeps it"
    entries = _post("addToClub", says, NEW_CLUB_ENTRY, 200, 201, 403, 404, 409, 410, 422)
    entries["post"] |= {"security": [{"scorer": []}]}
    days = _takes(**{"from": readers.day.schema, "to": readers.day.schema, "least": whole(1, MOST_LEAST).schema})
    tables = {
        f"/clubs/{{club}}/table.{suffix}": _file(
            f"table_{suffix}", f"The table of a club: {says}", days + _OPTIONS_OF_TABLE[suffix], FORMATS[suffix][1]
        )
        for suffix, says in _TABLES.items()
    }
    return tables | {
        "/clubs": _post("newClub", "Start a club", NEW_CLUB, 200, 201, 409, 422),
        "/clubs/{club}": _get("club", "The state of a club, with its table", 200, 404, 410, 422, query=days),
        "/clubs/{club}/entries": entries,
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
        "/games/{code}/rules.pdf": _file("table_card", f"The rules one table plays: {card}", _CARD_PAPER),
        "/variants/{variant_id}/rules.pdf": _file("rules_card", f"The rules of a variant: {card}", _CARD_PAPER),
        "/sheets/blank.pdf": _file("blank_sheet", blank, _BLANK),
    }


def _file(name: str, says: str, query: Sequence[Any], media: str = _PDF) -> dict[str, Any]:
    """Return the operation that gets a file, or 304 if it has not changed."""
    operation = _get(name, says, 200, 304, 404, 410, 422, query=query)
    operation["get"]["responses"]["200"]["content"] = {media: {}}
    return operation


def _get(name: str, says: str, *statuses: int, query: Sequence[Any] = ()) -> dict[str, Any]:
    """Return a GET operation with a query."""
    return {"get": _operation(name, says, (*statuses, 429, 503)) | {"parameters": [*query]}}


def _post(name: str, says: str, body: Schema, *statuses: int) -> dict[str, Any]:
    """Return a POST operation with a JSON body."""
    sent = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    return {"post": _operation(name, says, (*statuses, 413, 429, 503)) | sent}


def _operation(name: str, says: str, statuses: Iterable[int]) -> dict[str, Any]:
    responses: dict[str, Any] = {
        str(status): {"description": _STATUS[status], "content": {"application/json": {}}} for status in statuses
    }
    if unchanged := responses.get("304"):
        del unchanged["content"]
    return {"operationId": name, "summary": says, "responses": responses}
