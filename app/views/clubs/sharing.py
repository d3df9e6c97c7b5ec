"""A club on other devices: the link by which they run it, the one to watch, and how far it has come."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.games.clubs import CLUB, RecordedClub
from app.store import database, grants
from app.views import access
from app.views.clubs import page_of, pages
from app.views.game.board import conditional
from app.views.links import address, code_inline, is_at_home, why_no_code

links = Blueprint("club_links", __name__, url_prefix="/c/<code>")


@links.get("/s/<secret>")
def run(code: str, secret: str) -> ResponseReturnValue:
    """Store on this device the right by which it runs the club."""
    record = access.get_club(code)
    if grants.grant_for(code, secret) is None:
        access.abort_missing(code)
    access.remember_club(code, secret)
    flash(f"This device now runs the club “{record.club.name}”.", "ok")
    return redirect(url_for("clubs.show", code=code), 303)


@links.post("/forget")
def forget(code: str) -> ResponseReturnValue:
    """Remove the club from this device, which may only watch it."""
    if code not in access.clubs():
        access.abort_missing(code)
    access.forget_club(code)
    if access.has_new_link(code):
        return redirect(url_for("start.home"), 303)
    flash("Removed from this device. The club itself stays.", "ok")
    return redirect(url_for("evenings.games"), 303)


@links.get("/version")
def version(code: str) -> Response:
    """Return the version of the club, such as `5.20`, or 304 if the device has it; one SQL statement."""
    now = database.version(code, CLUB) or access.abort_missing(code)
    return conditional(now.__str__, lambda: Response(str(now), mimetype="text/plain"))


@links.get("/live")
def refuse_stream(code: str) -> Response:
    """Return 204 to a device that requests a stream of versions, as for a game."""
    if not database.version(code, CLUB):
        access.abort_missing(code)
    return Response(status=204)


@pages.get("/share")
def share(record: RecordedClub) -> str:
    """Show the link to watch and, to who runs the club, the link to run it, each with its QR code."""
    watch, secret = address("clubs.show", code=record.code), access.clubs().get(record.code, "")
    links = {"run": address("club_links.run", code=record.code, secret=secret)} if secret else {}
    links["watch"] = watch
    return page_of(
        record,
        "clubs/share.html",
        links=links,
        drawn={name: code_inline(link, "Code for a phone’s camera") for name, link in links.items()},
        no_code=why_no_code(watch),
        is_at_home=is_at_home(watch),
    )


@pages.post("/share")
def reset_links(record: RecordedClub) -> ResponseReturnValue:
    """Give the club a new address, so that every other device needs a new link."""
    fresh = grants.reset_links(record.code, None)  # this device's right too: all who run the club have its secret
    access.rename_club(record.code, fresh)
    access.remember_club(fresh, grants.mint(fresh, "scorer", device=access.name()))
    flash("These are the new links. Every other device needs one of them: show it the code, or send it.", "ok")
    return redirect(url_for("clubs.share", code=fresh), 303)
