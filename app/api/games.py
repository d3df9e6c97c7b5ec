"""The JSON interface to games: what the pages do, for scripts and other front ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from uuid import uuid4

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from app.api.answers import Json, contradiction_json, fault_json, state_json
from app.api.requests import EVENT, NEW_GAME, PREVIEW, SEEN, SUBMISSION, optional, required
from app.games import recording
from app.games.preview import newly_unnamed, warnings_of
from app.games.recording import RecordedGame, Refused, Reused, Saved, Stale, as_json, log_of
from app.history.formats import territory_of
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game.events import Event, Start, read_new
from app.kalooki.game.play import Game
from app.kalooki.readers import Schema
from app.kalooki.variants import Variant
from app.views import access, limits
from app.views.errors import json_error
from app.views.links import PREFIX, own_address
from app.views.responses import compress, send_compressed

api = Blueprint("api", __name__, url_prefix=PREFIX)
access.load_game(api)

ACTOR = "script"


@api.errorhandler(BadInput)
def refuse_input(error: BadInput) -> ResponseReturnValue:
    """Return the error of an unreadable request: the field and the word, and contradictory house rules."""
    faults = {"faults": [contradiction_json(each) for each in (error, *error.also)]} if error.keys else {}
    return json_error("unreadable", error.say(), 422, error.field, error.word, **faults)


def body() -> Mapping[str, Any]:
    """Return the request's JSON object; raises BadInput if there is none."""
    try:
        raw = as_json(request.get_data())
    except (RecursionError, ValueError) as cause:
        message = "The body of the request is not JSON, is nested too deeply, or has too many lists."
        raise BadInput(message, "body") from cause
    return readers.mapping(raw, "body")


def refuse_entry(faults: Sequence[Fault], variant: Variant, **more: object) -> ResponseReturnValue:
    """Return the response for a refused entry: all its faults, the first one as the error."""
    broken = [fault_json(fault, variant) for fault in faults]
    first = broken[0]
    is_unreadable = first["rule"] == "ace-without-colour"  # which could be read in another game
    code, word = ("unreadable", first["cards"]) if is_unreadable else (first["rule"], None)
    return json_error(code, first["text"], 422, first.get("field"), word, faults=broken, **more)


@api.post("/games")
@limits.starts
def new_game() -> ResponseReturnValue:
    """Start a game: 201 with its code and the scorer's secret, 200 for the same submission again."""
    raw, name = read_start(NEW_GAME)
    start = read_new(raw)
    assert isinstance(start, Start)  # noqa: S101 - the kind is set above
    region = start.region or territory_of(start.zone) or access.region()
    return _start_response(recording.start(replace(start, region=region), name, ACTOR))


def read_start(schema: Schema) -> tuple[dict[str, Any], str]:
    """Return the start in the request's body as an event, and its submission; raises BadInput for an unknown name."""
    raw = dict(body())
    name = optional(raw, "submission", SUBMISSION, str(uuid4()))
    readers.only(raw, schema["properties"], "")
    raw.pop("submission", None)
    return raw | {"kind": "start"}, name


def _start_response(result: recording.StartResult) -> ResponseReturnValue:
    """Return the response to starting or importing a game."""
    if result.faults:
        return refuse_entry(result.faults, result.game.variant)
    if not result.secret:
        return not_started(result.code, "game")
    views = {"state": "api.show_game", "entries": "api.add_entry"}
    links = {name: own_address(view, code=result.code) for name, view in views.items()}
    seen = access.get_game(result.code).seen
    response = {"code": result.code, "scorer": result.secret, "seen": seen, "links": links}
    return response | {
        "warnings": warnings_of(result.game, [1, *result.game.unnamed])
    }, 200 if result.is_repeated else 201


def not_started(code: str, what: str) -> ResponseReturnValue:
    """Return the response to a submission that has started something else, or this, whose secret is not repeated."""
    if not code:
        return json_error("already_saved", f"This submission has started another {what}.", 409, "submission")
    message = f"This submission has started a {what} already. Its secret is repeated for ten minutes at most."
    return json_error("already_started", message, 409, "submission")


@api.get("/games/<string(minlength=7):code>")  # longer than `import`, which takes POST only
def show_game(record: RecordedGame) -> ResponseReturnValue:
    """Return the state of a game for anybody with its code, and whether it is behind what the client has seen."""
    is_behind = _read_seen() > record.seen
    answer = send_compressed(_state_in_json(record, is_behind=is_behind), "application/json")
    answer.set_etag(f"{record.code}-{record.seen}", weak=True)
    return answer.make_conditional(request)


def _read_seen() -> int:
    """Return the number of the newest entry the client has seen; 0 if it does not say.

    Raises BadInput if it is not the number of an entry.
    """
    if "seen" not in request.args:
        return 0
    seen = readers.whole_typed(request.args["seen"], len(str(readers.LAST_ENTRY)))
    if seen is None or seen > readers.LAST_ENTRY:
        raise BadInput("{field}: “{word}” is not the number of an entry.", "seen", request.args["seen"])
    return seen


def _state_in_json(record: RecordedGame, *, is_behind: bool) -> bytes:
    """Return the state of a game as compressed JSON, rendered once for all clients."""
    behind = {"behind": True} if is_behind else {}
    key = ("state", record.zone, is_behind)
    return recording.render_once(
        record, key, lambda: compress(jsonify(state_json(record) | behind).get_data(as_text=True))
    )


@api.post("/games/<code>/entries")
def add_entry(record: RecordedGame) -> ResponseReturnValue:
    """Record an event or, with `preview`, return the state it would lead to."""
    raw = body()
    event = required(raw, "event", EVENT)
    is_preview = optional(raw, "preview", PREVIEW, default=False)
    needed = {**({"seen": 0, "submission": "none"} if is_preview else {}), **raw}
    seen: int = required(needed, "seen", SEEN)
    name: str = required(needed, "submission", SUBMISSION)
    if is_preview:
        return _preview(record, event)
    match recording.save(record.code, event, seen, name, ACTOR, access.grant_id(record.code)):
        case Saved(now, entry, is_repeated):
            warnings = _warnings(record.game, now.game, entry, event)
            response = {"state": state_json(now), "warnings": warnings, "entry": entry}
            return response, 200 if is_repeated else 201
        case Refused() as refused:
            return refuse_entry(refused.faults, refused.variant, state=state_json(record))
        case Reused(now, entry):
            return saved_otherwise(entry, state_json(now))
        case Stale(now):
            return stale(seen, state_json(now))


def saved_otherwise(entry: int, state: Json) -> ResponseReturnValue:
    """Return the response to a submission that was saved before with other contents."""
    message = f"This submission was saved before with other contents, as entry {entry}. Correct that entry instead."
    return json_error("already_saved", message, 409, "submission", state=state)


def stale(seen: int, state: Json) -> ResponseReturnValue:
    """Return the response to an event whose sender has not seen the newest entry."""
    message = "Somebody else recorded something first. Nothing is lost: look at the new state and send it again."
    return json_error("stale", message, 409, "seen", str(seen), state=state)


def _preview(record: RecordedGame, event: Event) -> ResponseReturnValue:
    preview = recording.preview(record, event)
    if isinstance(preview, Refused):
        return refuse_entry(preview.faults, preview.variant, state=state_json(record))
    return {"state": state_json(preview), "warnings": _warnings(record.game, preview.game, record.seen + 1, event)}


def _warnings(now: Game, then: Game, entry: int, event: Event) -> list[str]:
    """Return what is odd about an entry, and about hands that somebody it brings back counts as absent from."""
    return warnings_of(then, {entry, event.position(entry), *newly_unnamed(now, then)})


@api.post("/games/import")
@limits.starts
def import_game() -> ResponseReturnValue:
    """Import an exported game as a new one."""
    limits.take("imports")
    raw = body()
    name = optional(raw, "submission", SUBMISSION, str(uuid4()))
    log = log_of(raw)
    with limits.heavy_slot() if len(log) > limits.LONG_IMPORT else nullcontext():
        return _start_response(recording.import_game(log, name, ACTOR))
