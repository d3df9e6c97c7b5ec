"""A club's own addresses: the link by which a device runs it, and how far it has come."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.games.clubs import CLUB
from app.store import database, grants
from app.views import access
from app.views.game.board import conditional

clubs = Blueprint("clubs", __name__, url_prefix="/c/<code>")


@clubs.get("/s/<secret>")
def run(code: str, secret: str) -> ResponseReturnValue:
    """Store on this device the right by which it runs the club."""
    record = access.get_club(code)
    if grants.grant_for(code, secret) is None:
        access.abort_missing(code)
    access.remember_club(code, secret)
    flash(f"This device now runs the club “{record.club.name}”.")
    return redirect(url_for("start.home"), 303)


@clubs.get("/version")
def version(code: str) -> Response:
    """Return the version of the club, such as `5.20`, or 304 if the device has it; one SQL statement."""
    now = database.version(code, CLUB) or access.abort_missing(code)
    return conditional(now.__str__, lambda: Response(str(now), mimetype="text/plain"))


@clubs.get("/live")
def refuse_stream(code: str) -> Response:
    """Return 204 to a device that requests a stream of versions, as for a game."""
    if not database.version(code, CLUB):
        access.abort_missing(code)
    return Response(status=204)
