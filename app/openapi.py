"""The OpenAPI 3.1 document of the JSON interface: every route, what it is asked and what it answers.

A test compares its paths with those the application serves.
"""

from __future__ import annotations

from typing import Any

from app.schemas import (
    ANSWERS,
    ANYTHING,
    CLAIMS,
    COUNT,
    ENTRY,
    FLAG,
    RULES_FROM,
    SUBMISSION,
    TEXT,
    Schema,
    by_name,
    components,
    listed,
    named,
    or_null,
    record,
)

PREFIX = "/api/v1"

_MADE = record(
    {"code": TEXT, "scorer": TEXT, "seen": COUNT, "links": by_name(TEXT), "warnings": listed(TEXT)},
)
_RECORDED = record({"state": named("State"), "warnings": listed(TEXT)}, entry=ENTRY)
_RULE = record({"rule": TEXT, "title": TEXT, "text": TEXT, "sources": listed(record({"id": TEXT, "title": TEXT}))})
_PLAYED = record({"value": ANYTHING, "words": TEXT, "stated": FLAG})
_MEANING = {"label": TEXT, "unit": TEXT, "rule": TEXT}
_VALUE = record(_MEANING | {"value": ANYTHING, "words": TEXT, "stated": FLAG, "house": or_null(record())})
_MENU = {"id": TEXT, "name": TEXT, "summary": TEXT, "source": TEXT}
_VARIANT = record(_MENU | {"values": by_name(_VALUE), "rules": listed(_RULE)})
_COMPARISON = record({"a": TEXT, "b": TEXT, "values": by_name(record(_MEANING | {"a": _PLAYED, "b": _PLAYED}))})
_ENTRY_BODY = record({"event": named("Event")}, seen=COUNT, submission=SUBMISSION, preview=FLAG)
_IMPORT_BODY = record({"log": listed(record({"event": record()}, at=TEXT, by=TEXT))}, submission=SUBMISSION)
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
        "paths": _rules() | _checks() | _games(),
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
    }


def _checks() -> dict[str, Any]:
    checks = {f"/check/{check}": _check(check, says) for check, says in _SAYS.items()}
    return checks | {
        "/count": _check("count", "What do these cards left in a hand count?"),
        "/deck": _check("deck", "Can all these cards of one deal come from the packs?"),
    }


def _check(check: str, says: str) -> dict[str, Any]:
    asked = CLAIMS[check]
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
    entries = _operation("addEntry", "Record an event, or preview it", recorded, _ENTRY_BODY)
    return {
        "/games": {"post": _operation("newGame", "Start a game", made, named("NewGame"))},
        "/games/import": {"post": _operation("importGame", "Bring an exported game back", made, _IMPORT_BODY)},
        "/games/{code}": code | {"get": _operation("game", "The state of a game", {200: named("State"), 404: error})},
        "/games/{code}/entries": code | {"post": entries | {"security": [_SCORER]}},
    }


def _operation(name: str, says: str, answers: dict[int, Schema], asked: Schema | None = None) -> dict[str, Any]:
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
    409: "Somebody recorded meanwhile, or this submission was saved with other contents",
    422: "Something nobody can read, or an event that cannot be: the field or the faults are named",
}


def _parameter(name: str, where: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": schema}
