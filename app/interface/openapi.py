"""The OpenAPI 3.1 document of the JSON interface: every route, its request and its answers.

A test compares its paths with the routes the app serves.
"""

from __future__ import annotations

from typing import Any

from app.interface.schemas import (
    ANSWERS,
    ANYTHING,
    COUNT,
    DISPUTE,
    ENTRY,
    FLAG,
    FOUND,
    LOGGED,
    RULES_FROM,
    SOURCE,
    STANDING,
    SUBMISSION,
    TEXT,
    components,
    listed,
    one_of,
    record,
    whole,
    words,
)
from app.kalooki.claims import CLAIMS
from app.kalooki.game.play import MOST_ENTRIES
from app.kalooki.readers import MOST_PLACE, MOST_SEATS, Schema, currency, or_null
from app.kalooki.readers import component as named
from app.kalooki.readers import mapped as by_name
from app.kalooki.rules.find import LONGEST_QUESTION, MOST_FOUND

PREFIX = "/api/v1"

_MADE = record(
    {"code": TEXT, "scorer": TEXT, "seen": COUNT, "links": by_name(TEXT), "warnings": listed(TEXT)},
)
_RECORDED = record({"state": named("State"), "warnings": listed(TEXT)}, entry=ENTRY)
_RULE = record({"rule": TEXT, "title": TEXT, "text": TEXT, "standing": STANDING, "sources": listed(SOURCE)})
_PLAYED = record({"value": ANYTHING, "words": TEXT, "stated": FLAG})
_MEANING = {"label": TEXT, "unit": TEXT, "rule": TEXT}
_WHOLE: Schema = {"type": "integer"}
_HOUSE = record(choices=listed(ANYTHING), least=_WHOLE, most=_WHOLE, none=FLAG)
_VALUE = record(_MEANING | {"value": ANYTHING, "words": TEXT, "stated": FLAG, "house": or_null(_HOUSE)})
_MENU = {"id": TEXT, "name": TEXT, "summary": TEXT, "source": TEXT}
_VARIANT = record(_MENU | {"values": by_name(_VALUE), "rules": listed(_RULE)})
_COMPARISON = record({"a": TEXT, "b": TEXT, "values": by_name(record(_MEANING | {"a": _PLAYED, "b": _PLAYED}))})
_PREVIEW = FLAG | {
    "description": "Stores nothing. The state is as it would be, but for its `seen` and `log`, which are those before "
    "the event: `seen` can be sent back to save it."
}
_ENTRY_BODY = record({"event": named("Event")}, seen=COUNT, submission=SUBMISSION, preview=_PREVIEW) | {
    "anyOf": [
        {"required": ["seen", "submission"]},
        {"required": ["preview"], "properties": {"preview": {"const": True}}},
    ]
}
_EXPORT = record({"code": TEXT, "log": listed(record(LOGGED))})
_IMPORT_BODY = record(
    {
        "log": listed(record({"event": named("Recorded")}, entry=ENTRY, at=TEXT, by=TEXT), MOST_ENTRIES)
        | {"minItems": 1}
    },
    submission=SUBMISSION,
)
_WHOSE = record(variant=named("VariantId"), game=TEXT) | {
    "anyOf": [{"required": ["variant"]}, {"required": ["game"]}],
    "description": "Whose rules: `variant=european`, or those of a game, `game=` and its code. Each is a parameter.",
}
_SCORER: Schema = {"scorer": []}
_SAYS = {
    "meld": "Is this a meld?",
    "opening": "May a player open with these melds?",
    "build": "May these cards be built on that meld?",
    "joker": "May these naturals free a joker of that meld, or move it?",
    "turn": "Is this turn legal, and how does the hand end?",
}


def document() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kalooki Referee",
            "version": "1",
            "description": "Rulings on Kalooki, and the record of games played with real cards.",
        },
        "servers": [{"url": PREFIX}],
        "paths": _rules() | _checks() | _games() | _sheets(),
        "components": {
            "schemas": components(),
            "securitySchemes": {"scorer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _rules() -> dict[str, Any]:
    return {
        "/openapi.json": {"get": _operation("openapi", "This document", {200: record()})},
        "/variants": {"get": _operation("variants", "Every variant", {200: listed(record(_MENU))})},
        "/variants/{variant_id}": {
            "get": _operation("variant", "One variant: values and rules", {200: _VARIANT, 422: named("Error")})
            | {"parameters": [_parameter("variant_id", "path", named("VariantId"))]}
        },
        "/compare": {
            "get": _operation("compare", "What two variants play differently", {200: _COMPARISON, 422: named("Error")})
            | {"parameters": [_parameter(side, "query", named("VariantId")) for side in ("a", "b")]}
        },
    } | _quarrels()


def _quarrels() -> dict[str, Any]:
    """Disputes and mishaps settled by a variant's or a game's rules, and search among them."""
    refused = {404: named("Error"), 422: named("Error")}
    whose = [_parameter("rules", "query", _WHOSE) | {"style": "form", "explode": True}]
    every = {200: record({"disputes": listed(DISPUTE)}), **refused}
    found = {200: record({"results": listed(FOUND, MOST_FOUND)}), **refused}
    return {
        "/disputes": {
            "get": _operation("disputes", "What tables quarrel about, settled", every) | {"parameters": whose}
        },
        "/find": {
            "get": _operation("find", "Answers to a question in players' own words", found)
            | {"parameters": [*whose, _parameter("q", "query", words(1, LONGEST_QUESTION) | {"pattern": r"\S"})]}
        },
    }


def _checks() -> dict[str, Any]:
    checks = {f"/check/{check}": _check(check, says) for check, says in _SAYS.items()}
    return checks | {
        "/count": _check("count", "What do these cards left in a hand count?"),
        "/deck": _check("deck", "Can all these cards of one deal come from the packs?"),
        "/solve": _check("solve", "What is the best that can be laid?"),
    }


def _check(check: str, says: str) -> dict[str, Any]:
    asked = CLAIMS[check].shape
    claim = asked | {
        "properties": RULES_FROM | asked["properties"],
        "anyOf": [{"required": ["variant"]}, {"required": ["game"]}],
    }
    answers = {200: ANSWERS[check], 404: named("Error"), 422: named("Error")}
    return {"post": _operation(check, says, answers, claim)}


def _games() -> dict[str, Any]:
    error = named("Error")
    code = {"parameters": [_parameter("code", "path", TEXT)]}
    made = {200: _MADE, 201: _MADE, 409: error, 422: error}
    recorded = {200: _RECORDED, 201: _RECORDED, 403: error, 404: error, 409: error, 422: error}
    state = _may_be_unchanged(_operation("game", "The state of a game", {200: named("State"), 404: error}))
    entries = _operation("addEntry", "Record an event, or preview it", recorded, _ENTRY_BODY)
    entries["description"] = f"A game holds {MOST_ENTRIES} entries at most (`game-full`)."
    return {
        "/games": {"post": _operation("newGame", "Start a game", made, named("NewGame"))},
        "/games/import": {"post": _operation("importGame", "Bring an exported game back", made, _IMPORT_BODY)},
        "/games/{code}": code | {"get": state},
        "/games/{code}/entries": code | {"post": entries | {"security": [_SCORER]}},
    }


def _sheets() -> dict[str, Any]:
    """Sheets and files: of a game, of a variant, and blank."""
    code = _parameter("code", "path", TEXT)
    of_game = {
        f"/games/{{code}}/sheet.{suffix}": {
            "parameters": [code, *_maybe(**_printing(suffix))],
            "get": _file(f"sheet_{suffix}", f"The score sheet of a game: {says}", media),
        }
        for suffix, (says, media) in _FILES.items()
    }
    card = _maybe(paper=_LARGER, folded=FLAG)
    variant = _parameter("variant_id", "path", named("VariantId"))
    blank = _maybe(paper=_PAPER, **{name: _or_empty(schema) for name, schema in _BLANK.items()})
    return of_game | {
        "/games/{code}/settlement.pdf": {
            "parameters": [code, *_maybe(paper=_PAPER)],
            "get": _file("settlement", "Who pays whom in a game, to tick off", _PDF),
        },
        "/evening.pdf": {
            "parameters": [_parameter("game", "query", listed(TEXT)), *_maybe(paper=_LARGER)],
            "get": _file("evening", "Several games on one sheet, with one settlement", _PDF),
        },
        "/games/{code}/rules.pdf": {
            "parameters": [code, *card],
            "get": _file(
                "table_card", "The rules one table plays: at a glance on the first page, all of them behind", _PDF
            ),
        },
        "/variants/{variant_id}/rules.pdf": {
            "parameters": [variant, *card],
            "get": _file(
                "rules_card", "The rules of a variant: at a glance on the first page, all of them behind", _PDF
            ),
        },
        "/sheets/blank.pdf": {
            "parameters": blank,
            "get": _file("blank_sheet", "A score sheet to fill in by hand, for a variant or a game's table", _PDF),
        },
    }


def _or_empty(schema: Schema) -> Schema:
    """The schema of a parameter that counts as left out when it is empty."""
    return {"anyOf": [schema, {"const": ""}]}


def _printing(suffix: str) -> dict[str, Schema]:
    """What may be asked of a sheet in parts, or on paper."""
    wishes = {"part": whole(1, 99), "print": one_of("large"), "sign": FLAG, "place": words(0, MOST_PLACE)}
    return ({"paper": _PAPER} | wishes) if suffix in _PRINTED else wishes if suffix == "html" else {}


_PDF = "application/pdf"
_PRINTED = ("pdf", "png")
_PAPER = one_of("", "a4", "letter", "a5")
_BLANK = {"variant": named("VariantId"), "players": whole(2, MOST_SEATS), "currency": currency.schema}
_BLANK |= {"names": TEXT, "unit": TEXT, "game": TEXT}
_LARGER = one_of("", "a4", "letter")
_FILES = {
    "html": ("a document by itself", "text/html"),
    "pdf": ("to print; a long game has several parts", _PDF),
    "png": ("a picture", "image/png"),
    "csv": ("one row a player for each hand and whatever else moved points or money", "text/csv"),
    "ods": ("a spreadsheet of points and money", "application/vnd.oasis.opendocument.spreadsheet"),
    "json": ("the whole log, which can be brought back", "application/json"),
    "txt": ("a few lines for a chat", "text/plain"),
}


def _file(name: str, says: str, media: str) -> dict[str, Any]:
    """An operation that answers with a file, or 304 if it has not changed."""
    refused = {404: named("Error"), 422: named("Error")}
    operation = _may_be_unchanged(_operation(name, says, refused))
    contents = {"schema": _EXPORT} if media == "application/json" else {}
    made = {"description": _STATUS[200], "content": {media: contents}}
    return operation | {"responses": {"200": made} | operation["responses"]}


def _may_be_unchanged(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation whose answer has an ETag: a request with that tag in If-None-Match gets 304 instead."""
    unchanged = {"304": {"description": "Unchanged since the answer whose tag If-None-Match names"}}
    return operation | {"responses": operation["responses"] | unchanged}


def _maybe(**schemas: Schema) -> list[dict[str, Any]]:
    """Optional query parameters."""
    return [_parameter(name, "query", schema) | {"required": False} for name, schema in schemas.items()]


def _operation(name: str, says: str, answers: dict[int, Schema], asked: Schema | None = None) -> dict[str, Any]:
    answers = answers | dict.fromkeys((413, 429, 503) if asked else (429, 503), named("Error"))
    told = {
        str(status): {"description": _STATUS[status], "content": {"application/json": {"schema": schema}}}
        for status, schema in answers.items()
    }
    body = {"requestBody": {"required": True, "content": {"application/json": {"schema": asked}}}} if asked else {}
    return {"operationId": name, "summary": says, "responses": told} | body


_STATUS = {
    200: "Answered; for a submission sent again, what it had been answered",
    201: "Saved",
    403: "This needs the scorer's secret",
    404: "There is no such game",
    409: "Somebody recorded meanwhile (`stale`), this submission was saved with other contents (`already_saved`), or "
    "it has started a game whose secret is not told again (`already_started`)",
    413: "The body is too long",
    429: "Too many requests came from this address; `Retry-After` tells when to ask again",
    503: "This cannot be done just now: the database cannot be used (`database_unavailable`), or too many wait for "
    "heavy answers; `Retry-After` tells when to ask again",
    422: "Something nobody can read, or an event that cannot be: the field or the faults are named",
}


def _parameter(name: str, where: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": schema}
