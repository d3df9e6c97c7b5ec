"""Sharing: who may watch or write, links and QR codes opened on other phones, and a result to send.

A player’s link leads to a seat; the recovery code is typed from paper.
"""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import log
from app.forms.fields import folded
from app.kalooki.readers import MOST_NAME, whole_typed
from app.table.recording import open_table
from app.telling.chat import chat_text
from app.telling.phrases import headline
from app.views import access, device
from app.views.game import page_of, pages
from app.views.game.messages import pen_appeals
from app.views.game.workflow import pressed, to_the_game
from app.views.links import address, code_file, code_inline, spelled_out, why_no_code

MINTED = {"scorer": "games.enter", "player": "joining.choose_seat", "recovery": "joining.ask_code"}
"""The roles that can be granted here, and the page each opens."""

_PLACES = {"scorer": "write", "player": "play", "recovery": "recovery"}
"""Where on the page each is shown."""


@pages.get("/share")
def share(code: str) -> ResponseReturnValue:
    """The watch link and, for the scorer, who may write; a link just made is shown only once."""
    made = device.shown_once()
    if made.get("code") != code:
        return _share_page(code)
    role, secret = made["role"], made["secret"]
    link = address(MINTED[role], code=code, **({} if role == "recovery" else {"secret": secret}))
    drawn = code_inline(link, "Code for a phone’s camera")
    page = _share_page(code, made=role, secret=secret, link=link, drawn=drawn, whom=made["whom"])
    return page, {"Cache-Control": "no-store"}


@pages.get("/qr/watch.svg")
def watch_code(code: str) -> ResponseReturnValue:
    """The watch link as a QR code."""
    access.table_or_404(code)
    watch = address("games.show", code=code)
    if why_no_code(watch):
        abort(404)
    return Response(code_file(watch), mimetype="image/svg+xml")


@pages.post("/share")
def give_right(code: str) -> ResponseReturnValue:
    """Grant a right, or revoke it, as the button says: `player`, `watch` or `revoke-3`."""
    access.scorers_table(code)
    match pressed():
        case "watch", []:
            return _watched_anew(code)
        case "revoke", [grant_id]:
            return _revoked(code, grant_id)
        case role, [] if role in MINTED:
            return _minted(code, role)
    return abort(400)


def _minted(code: str, role: str) -> ResponseReturnValue:
    """A new secret, shown only on the next page: the log stores only its hash.

    A new recovery code replaces the one before.
    """
    whom = folded(request.form.get("whom"))[:MOST_NAME] if role == "scorer" else ""
    given_by = f"Link given by {device.name()}"
    secret = log.mint(code, role, device=whom or given_by, instead=role == "recovery")
    device.show_once({"code": code, "role": role, "secret": secret, "whom": whom})
    return redirect(url_for("game_pages.share", code=code, _anchor=_PLACES[role]), 303)


def _watched_anew(code: str) -> ResponseReturnValue:
    """Renew the watch link: a device that has only the old one loses the game; phones with a right are redirected."""
    fresh = log.renew_code(code)
    device.rename(code, fresh)
    flash("This is the new link to watch. The old one no longer works.", "ok")
    return redirect(url_for("game_pages.share", code=fresh), 303)


def _revoked(code: str, grant_id: int) -> ResponseReturnValue:
    """Revoke one right; never the one this device writes with, or nobody might be left to write."""
    own = access.grant(code)
    if own is not None and own.id == grant_id:
        flash("This is the right this device writes with. Take it back from another device.", "warn")
    elif log.revoke(code, grant_id):
        flash("Taken back: that device or link has no right any more.", "ok")
    else:
        flash("That right had already been taken back.", "warn")
    return redirect(url_for("game_pages.share", code=code), 303)


def _share_page(code: str, **shown: object) -> str:
    may_write = access.may_write(code)
    grants = log.grants(code) if may_write else ()
    writers = [grant for grant in grants if grant.role in access.WRITERS]
    table = access.table_or_404(code)
    watch = address("games.show", code=code)
    return page_of(
        table,
        "table/share.html",
        watch=watch,
        no_code=why_no_code(watch),
        writers=[grant for grant in writers if not grant.revoked_at],
        former=[grant for grant in writers if grant.revoked_at],
        players=[grant for grant in grants if grant.role == "player" and not grant.revoked_at],
        passed=pen_appeals(log.messages_of(code, table.edition)),
        own=access.grant(code),
        **shown,
    )


joining = Blueprint("joining", __name__, url_prefix="/g/<code>")


@joining.get("/p/<secret>")
def choose_seat(code: str, secret: str) -> ResponseReturnValue:
    """The players' link: whose phone is this? A device that writes keeps its greater right."""
    _invitation(code, secret)
    if access.may_write(code):
        flash("This device already writes in this game, so it needs no seat.", "ok")
        return to_the_game(code)
    table = access.table_or_404(code)
    seated = [grant for grant in log.grants(code) if grant.seat and not grant.revoked_at]
    taken = {grant.seat: grant.device for grant in seated}
    writing = {grant.seat for grant in seated if grant.role in access.WRITERS}
    return page_of(table, "join.html", taken=taken, writing=writing, own=access.seat(code))


@joining.post("/p/<secret>")
def sit(code: str, secret: str) -> ResponseReturnValue:
    """Give this phone the seat from now on; a phone that has it loses it, once that has been confirmed.

    Who sits there is looked up where the seat is given: another phone may have chosen it since this page was made.
    """
    _invitation(code, secret)
    table = access.table_or_404(code)
    seat = next((seat for seat in table.game.players if str(seat) == request.form.get("seat")), None) or abort(400)
    if not access.may_write(code):
        access.require_room(code)
        own, confirmed = access.grant(code), whole_typed(request.form.get("instead"), digits=18)
        instead = {right for right in (own.id if own else None, confirmed) if right is not None}
        taken = log.take_seat(code, seat, device.name(), instead)
        if isinstance(taken, log.Grant):
            return page_of(table, "join_instead.html", secret=secret, seat=seat, there=taken), 409
        device.remember(code, taken)
        flash(f"This is {table.game.name(seat)}’s phone now.", "ok")
    return to_the_game(code)


@joining.post("/rematch")
def follow(code: str) -> ResponseReturnValue:
    """To the game in which this table plays on, with this phone's place at the table."""
    access.table_or_404(code)
    rematch = log.rematch_of(code)
    if rematch is None:
        return to_the_game(code)
    seat = _same_place(code, rematch)
    if seat and access.grant(rematch) is None:
        access.require_room(rematch)
        taken = log.take_seat(rematch, seat, device.name())
        if isinstance(taken, str):
            device.remember(rematch, taken)
    return to_the_game(rematch)


def play_on(code: str, rematch: str) -> None:
    """Tell the phones of a game that its table plays on; the phone that says so takes its place along.

    Only a phone that writes in that game says so: other forms that name it start a game like any.
    """
    if not access.may_write(code):
        return
    access.rely_on(code, access.grant(code))
    log.play_on(code, rematch)
    own, seat = access.grant(rematch), _same_place(code, rematch)
    if own and seat:
        log.sit(rematch, own.id, seat)


def _same_place(code: str, rematch: str) -> int | None:
    """The seat in the rematch of whoever sits at this phone, by their name; None for nobody or somebody new."""
    seat = access.own_seat(code)
    person = access.table_or_404(code).game.people[seat] if seat else ""
    people = access.table_or_404(rematch).game.people
    return next((each for each in people if people[each] == person), None)


@joining.get("/recover")
def ask_code(code: str) -> str:
    """Where people type the recovery code; also at the address on old paper, if the game's code has changed since."""
    return render_template("recover.html", code=code, table=open_table(code))


@joining.post("/recover")
def recover(code: str) -> ResponseReturnValue:
    """Let this device write, with a right of its own: the recovery code stays valid."""
    typed = request.form.get("recovery", "")
    code = log.code_for(typed) or code
    found = log.grant_for(code, typed)
    if found is None or found.role != "recovery":
        error = "This is not this game’s recovery code, or a newer one was made. Check it letter by letter."
        return render_template("recover.html", code=code, table=open_table(code), typed=typed, error=error), 422
    access.require_room(code)
    access.rely_on(code, found)
    device.remember(code, log.recover(code, device.name(), access.grant(code)))
    flash("You write from now on. A lost phone still could: take that back under Share, “Who may write”.", "ok")
    return to_the_game(code)


def _invitation(code: str, secret: str) -> None:
    """Abort with 404 or 410 unless the link is a valid one for players."""
    found = log.grant_for(code, secret)
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
