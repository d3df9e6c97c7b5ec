"""A game goes on without the phone that recorded it: as a copy, on another phone."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app import store
from app.games import recording
from app.games.recording import Table
from app.views import access, device, limits
from app.views.game import page_of, pages
from app.views.game.workflow import to_the_game


def continuations_of(table: Table) -> tuple[store.Continuation, ...]:
    """Return the copies in which a game goes on, the newest first."""
    return store.continuations(table.code) if table.log.signals else ()


@pages.get("/continue")
def ask_continue(code: str) -> ResponseReturnValue:
    """Say what a copy on this phone is; a phone that has one, or may record here, is led on."""
    table = access.table_or_404(code)
    return _lead_on(table) or page_of(table, "table/continue.html")


@pages.post("/continue")
@limits.starts
def continue_here(code: str) -> ResponseReturnValue:
    """Begin a copy that this phone records in, and show its codes; each phone begins one."""
    table = access.table_or_404(code)
    if answer := _lead_on(table):
        return answer
    access.require_room()
    seat = access.seat(code)
    name = f"{table.game.name(seat)}’s phone" if seat else f"another {device.name().removeprefix('another ')}"
    page = f"continue {code} {request.form.get('submission', '')}"  # a second tap begins nothing more
    copy = device.game_begun(recording.copy(table, device.own_submission(page), name))
    if not copy:
        return to_the_game(code)
    flash("The game goes on here. Let the others scan this: their phones then record too.", "ok")
    return redirect(url_for("game_pages.share", code=copy), 303)


def _lead_on(table: Table) -> ResponseReturnValue | None:
    """Lead a phone that records in this game, or in a copy of it, to that game."""
    own = (copy.code for copy in continuations_of(table) if device.has_started(copy.code))
    if copy := next(own, table.code if access.may_write(table.code) or table.game.finish else ""):
        return to_the_game(copy)
    return None
