"""Sharing: links and QR codes that let other phones record, sit or watch, and a result to send."""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app import store
from app.history.chat import chat_text
from app.history.phrases import headline
from app.kalooki.readers import whole_typed
from app.views import access, device
from app.views.game import page_of, pages
from app.views.game.workflow import to_the_game
from app.views.links import address, code_inline, spelled_out, why_no_code


@pages.get("/share")
def share(code: str) -> ResponseReturnValue:
    """Show the link to watch and, to whoever records, the scorer's and the players', each with its code."""
    table = access.table_or_404(code)
    watch = address("games.show", code=code)
    links = {}
    if access.may_write(code):
        links = {
            "record": address("games.enter", code=code, secret=store.link_secret(code, "scorer")),
            "play": address("joining.choose_seat", code=code, secret=store.link_secret(code, "player")),
        }
    links["watch"] = watch
    drawn = {name: code_inline(link, "Code for a phone’s camera") for name, link in links.items()}
    page = page_of(table, "table/share.html", links=links, drawn=drawn, no_code=why_no_code(watch))
    return page, {"Cache-Control": "no-store"}


@pages.post("/share")
def reset_links(code: str) -> ResponseReturnValue:
    """Give the game a new address: every other device must be shown a link anew."""
    access.scorers_table(code)
    fresh = store.reset_links(code, access.grant(code))
    device.rename(code, fresh)
    flash("These are the new links. The old ones no longer work, and no other phone records or has a seat.", "ok")
    return redirect(url_for("game_pages.share", code=fresh), 303)


joining = Blueprint("joining", __name__, url_prefix="/g/<code>")


@joining.get("/p/<secret>")
def choose_seat(code: str, secret: str) -> ResponseReturnValue:
    """Ask whose phone this is. A device that records keeps its greater right."""
    _require_players_link(code, secret)
    if access.may_write(code):
        flash("This phone already records in this game, so it needs no seat.", "ok")
        return to_the_game(code)
    table = access.table_or_404(code)
    seated = [grant for grant in store.grants(code) if grant.role == "player" and not grant.revoked_at]
    taken = {grant.seat: grant.device for grant in seated if grant.seat}
    return page_of(table, "join.html", taken=taken, own=access.seat(code))


@joining.post("/p/<secret>")
def sit(code: str, secret: str) -> ResponseReturnValue:
    """Give this phone the seat from now on; a phone that has it loses it, once that has been confirmed.

    Who sits there is looked up where the seat is given: another phone may have chosen it since this page was made.
    """
    _require_players_link(code, secret)
    table = access.table_or_404(code)
    seat = next((seat for seat in table.game.players if str(seat) == request.form.get("seat")), None) or abort(400)
    if not access.may_write(code):
        access.require_room(code)
        own, confirmed = access.grant(code), whole_typed(request.form.get("instead"), digits=18)
        instead = {right for right in (own.id if own else None, confirmed) if right is not None}
        taken = store.take_seat(code, seat, device.name(), instead)
        if isinstance(taken, store.Grant):
            return page_of(table, "join_instead.html", secret=secret, seat=seat, there=taken), 409
        device.remember(code, taken)
        flash(f"This is {table.game.name(seat)}’s phone now.", "ok")
    return to_the_game(code)


@joining.post("/rematch")
def follow(code: str) -> ResponseReturnValue:
    """To the game in which this table plays on: this phone records there too, or keeps its seat."""
    access.table_or_404(code)
    rematch = store.rematch_of(code)
    if rematch is None:
        return to_the_game(code)
    if access.grant(rematch) is not None:
        return to_the_game(rematch)
    if access.may_write(code):
        access.require_room(rematch)
        device.remember(rematch, store.mint(rematch, "scorer", device=device.name()))
    elif seat := _same_place(code, rematch):
        access.require_room(rematch)
        taken = store.take_seat(rematch, seat, device.name())
        if isinstance(taken, str):
            device.remember(rematch, taken)
    return to_the_game(rematch)


def play_on(code: str, rematch: str) -> None:
    """Tell the phones of a game that its table plays on.

    Only a phone that records in that game says so: other forms that name it start a game like any.
    """
    if not access.may_write(code):
        return
    access.rely_on(code, access.grant(code))
    store.play_on(code, rematch)


def _same_place(code: str, rematch: str) -> int | None:
    """The seat in the rematch of whoever sits at this phone, by their name; None for nobody or somebody new."""
    seat = access.seat(code)
    person = access.table_or_404(code).game.people[seat] if seat else ""
    people = access.table_or_404(rematch).game.people
    return next((each for each in people if people[each] == person), None)


@joining.get("/recover")
def open_by_code(code: str) -> ResponseReturnValue:  # noqa: ARG001 - the code of the game may have changed since
    """Lead from the address on paper of 0.3 to the field for its recovery code."""
    return redirect(url_for("start.home", _anchor="open"))


def _require_players_link(code: str, secret: str) -> None:
    """Abort with 404 or 410 unless the link is a valid one for players: today's, or one that 0.3 made."""
    if store.is_link(code, "player", secret):
        return
    found = store.grant_for(code, secret)
    if found is None or found.role != "player" or found.seat is not None:
        access.abort_missing(code)
    access.rely_on(code, found)


@pages.get("/result")
def result(code: str) -> str:
    """The result as a picture and as text, with every way to send it."""
    picture = url_for("sheets.result_picture", code=code)
    return _result_page(code, picture=picture, back=url_for("games.show", code=code))


@pages.get("/sheet/picture")
def sheet_picture(code: str) -> str:
    """The score sheet as a picture, with the same text."""
    picture, back = (url_for(endpoint, code=code) for endpoint in ("sheets.png", "sheets.html"))
    return _result_page(code, picture=picture, back=back, is_sheet=True)


def _result_page(code: str, **shown: object) -> str:
    table = access.table_or_404(code)
    text = chat_text(table.story, spelled_out(address("games.show", code=code))).strip()
    quoted = quote(text)
    messages = {
        "sms": f"sms:?&body={quoted}",
        "whatsapp": f"whatsapp://send?text={quoted}",
        "mail": f"mailto:?subject={quote(headline(table.game))}&body={quoted}",
    }
    return page_of(table, "table/result.html", text=text, messages=messages, **shown)
