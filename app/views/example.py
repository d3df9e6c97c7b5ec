"""Try it with invented players: a game for trying things, deleted when this device leaves it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import uuid4

from flask import Blueprint, flash, redirect, request, url_for

from app import log
from app.i18n import _
from app.table import recording
from app.table.example import start_example
from app.views import access, device
from app.views.game.one_tap import to_the_game
from app.views.print import files

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("example", __name__, url_prefix="/try")


@blueprint.post("")
def start() -> Response:
    """Start a game of invented players; deletes the one tried on this device before."""
    leave()
    access.require_room()
    begun = start_example(request.form.get("zone", ""), str(uuid4()), device.name())
    device.remember(begun.code, begun.secret, started=True)
    device.try_out(begun.code)
    return to_the_game(begun.code)


@blueprint.post("/leave")
def end() -> Response:
    """Delete the game that was tried, and go home."""
    if leave():
        flash(_("The invented game is deleted."), "ok")
    return redirect(url_for("start.home"), HTTPStatus.SEE_OTHER)


def leave_with_this_page() -> None:
    """Delete the game being tried if a person opened this page, rather than a worker or browser fetching it ahead.

    The page says so.
    """
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    if mode == "navigate" and "Sec-Purpose" not in request.headers and leave():
        flash(_("You left the invented game: it is deleted."), "ok")


def leave() -> bool:
    """Delete the game being tried on this device; returns whether there was one."""
    code = device.leave_tried()
    if not code:
        return False
    device.forget(code)
    try:
        recording.delete(code)
    except log.NoSuchGame:
        return False
    files.throw_away()
    return True
