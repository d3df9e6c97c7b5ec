"""Sharing: links and QR codes by which other phones join or watch, and the result to send."""

from __future__ import annotations

import re
from urllib.parse import quote

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.games.recording import RecordedGame
from app.history.phrases import headline
from app.history.standings import chat_text
from app.store import games, grants
from app.views import access, device
from app.views.game import page_of, pages
from app.views.game.workflow import to_the_game
from app.views.links import address, code_inline, is_at_home, spelled_out, why_no_code


@pages.get("/share")
def share(code: str) -> str:
    """Show the link to watch and, on a phone that has joined, the link to join, each with its QR code."""
    record = access.get_game(code)
    watch = address("games.show", code=code)
    links, to_type = {}, ""
    if access.has_right(code):
        links["join"] = address("joining.choose_seat", code=code, secret=grants.join_secret(code))
        to_type = " ".join(re.findall("....", grants.join_code(code)))
    links["watch"] = watch
    return page_of(
        record,
        "table/share.html",
        links=links,
        to_type=to_type,
        drawn={name: code_inline(link, "Code for a phone’s camera") for name, link in links.items()},
        no_code=why_no_code(watch),
        is_at_home=is_at_home(watch),
        is_starter=access.is_starter(code),
        only_starter=grants.is_only_starter_recording(code),
    )


@pages.post("/share")
def reset_links(code: str) -> ResponseReturnValue:
    """Give the game a new address, so that every other device needs a new link."""
    access.get_game_to_manage(code)
    fresh = grants.reset_links(code, access.get_right(code))
    device.rename(code, fresh)
    flash("These are the new links. The old ones no longer work: every other phone must scan again.", "ok")
    return redirect(url_for("game_pages.share", code=fresh), 303)


@pages.post("/share/recorders")
def choose_recorders(code: str) -> ResponseReturnValue:
    """Let only this phone record, or every phone that joined, as the button says (`only` or `all`)."""
    access.get_game_to_manage(code)
    grants.let_only_starter_record(code, access.grant_id(code), only=request.form.get("do") == "only")
    return redirect(url_for("game_pages.share", code=code, _anchor="recorders"), 303)


joining = Blueprint("joining", __name__, url_prefix="/g/<code>")


@joining.get("/seat", defaults={"secret": ""})
@joining.get("/p/<secret>")
def choose_seat(code: str, secret: str) -> ResponseReturnValue:
    """Ask whose phone this is, after opening the link to join or, to change it, on a phone that has joined."""
    record, _ = _get_game_to_join(code, secret)
    joined = [grant for grant in grants.list_grants(code) if grant.has_joined and grant.device and not grant.revoked_at]
    phones = {seat: [each.device for each in joined if each.seat == seat] for seat in record.game.players}
    only_starter = grants.is_only_starter_recording(code)
    return page_of(record, "join.html", phones=phones, own=access.get_right(code), only_starter=only_starter)


@joining.post("/seat", defaults={"secret": ""})
@joining.post("/p/<secret>")
def sit(code: str, secret: str) -> ResponseReturnValue:
    """Give this phone a seat, which other phones may have too, or none (`seat` is 0) if it only watches."""
    record, right = _get_game_to_join(code, secret)
    seat = next((seat for seat in (0, *record.game.players) if str(seat) == request.form.get("seat")), None)
    if seat is None:
        abort(400)
    access.require_room(code)
    access.keep_right(code, grants.join(code, seat or None, device.name(), access.get_right(code), right))
    flash(f"This is {record.game.name(seat)}’s phone now." if seat else "This phone is just watching.", "ok")
    return to_the_game(code)


def _get_game_to_join(code: str, secret: str) -> tuple[RecordedGame, int | None]:
    """Return the game for a link to join, for a players' link of 0.3, or for a phone that has joined; abort otherwise.

    Also return the id of the grant that lets the phone join, None for a link to join. A device with a higher right
    keeps it and is redirected to the game.
    """
    own, by = access.get_right(code), None
    if not grants.is_join_secret(code, secret):
        right = grants.grant_for(code, secret) if secret else own
        if secret and (right is None or not right.has_joined or right.seat is not None):
            access.abort_missing(code)
        if right is None or not right.has_joined:
            access.get_game(code)
            abort(403)
        by = right.id
    record = access.get_game(code)
    if own is not None and not own.has_joined:
        flash("This phone already records in this game, so it needs no seat.", "ok")
        abort(to_the_game(code))
    return record, by


@joining.post("/rematch")
def follow(code: str) -> ResponseReturnValue:
    """Redirect to the rematch, in which this phone gets the same right and player as here."""
    access.get_game(code)
    rematch = games.rematch_of(code)
    if rematch is None:
        return to_the_game(code)
    own = access.get_right(code)
    if own is None or not access.has_right(code) or access.has_right(rematch):
        return to_the_game(rematch)
    access.require_room(rematch)
    if not own.has_joined:
        device.remember(rematch, grants.mint(rematch, "scorer", device=device.name()))
    else:
        device.remember(rematch, grants.join(rematch, _same_seat(code, rematch), device.name()))
    return to_the_game(rematch)


def announce_rematch(code: str, rematch: str) -> None:
    """Notify the phones of a game of its rematch, if this phone records in that game.

    Any other form that names the game just starts a new one.
    """
    if not access.may_write(code):
        return
    games.link_rematch(code, rematch, access.grant_id(code))


def _same_seat(code: str, rematch: str) -> int | None:
    """Return the seat that this phone's player has in the rematch, by name; None for no player or one not in it."""
    seat = access.get_seat(code)
    person = access.get_game(code).game.people[seat] if seat else ""
    people = access.get_game(rematch).game.people
    return next((each for each in people if people[each] == person), None)


@pages.get("/result")
def result(code: str) -> str:
    """Show the result as a picture and as text, with every way to send it."""
    picture = url_for("sheets.result_picture", code=code)
    return _result_page(code, picture=picture, back=url_for("games.show", code=code))


@pages.get("/sheet/picture")
def sheet_picture(code: str) -> str:
    """Show the score sheet as a picture, with the same text."""
    picture, back = (url_for(endpoint, code=code) for endpoint in ("sheets.png", "sheets.html"))
    return _result_page(code, picture=picture, back=back, is_sheet=True)


def _result_page(code: str, **context: object) -> str:
    record = access.get_game(code)
    text = chat_text(record, spelled_out(address("games.show", code=code))).strip()
    quoted = quote(text)
    messages = {
        "sms": f"sms:?&body={quoted}",
        "whatsapp": f"whatsapp://send?text={quoted}",
        "mail": f"mailto:?subject={quote(headline(record.game))}&body={quoted}",
    }
    return page_of(record, "table/result.html", text=text, messages=messages, **context)
