"""Links opened on another phone: a player's seat, and the recovery code typed from paper."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, abort, flash, render_template, request

from app import log
from app.i18n import _
from app.kalooki.readers import whole_typed
from app.views import access, device
from app.views.game import page_of
from app.views.game.one_tap import to_the_game

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("joining", __name__, url_prefix="/g/<code>")


@blueprint.get("/p/<secret>")
def choose_seat(code: str, secret: str) -> ResponseReturnValue:
    """The players' link: whose phone is this? A device that writes keeps its greater right."""
    _invitation(code, secret)
    if access.may_write(code):
        flash(_("This device already writes in this game, so it needs no seat."), "ok")
        return to_the_game(code)
    table = access.table_or_404(code)
    seated = [grant for grant in log.grants(code) if grant.seat and not grant.revoked_at]
    taken = {grant.seat: grant.device for grant in seated}
    writing = {grant.seat for grant in seated if grant.role in access.WRITERS}
    return page_of(table, "join.html", secret=secret, taken=taken, writing=writing, own=access.seat(code))


@blueprint.post("/p/<secret>")
def sit(code: str, secret: str) -> ResponseReturnValue:
    """Give this phone the seat from now on; a phone that has it loses it, once that has been confirmed.

    Who sits there is looked up where the seat is given: another phone may have chosen it since this page was made.
    """
    _invitation(code, secret)
    told = request.form.get("seat", "")
    table = access.table_or_404(code)
    game = table.game
    seat = next((player.seat for player in game.players.values() if str(player.seat) == told), None)
    if seat is None:
        abort(400)
    if not access.may_write(code):
        access.require_room(code)
        own, confirmed = access.grant(code), whole_typed(request.form.get("instead"), digits=18)
        instead = {right for right in (own.id if own else None, confirmed) if right is not None}
        taken = log.take_seat(code, seat, device.name(), instead)
        if isinstance(taken, log.Grant):
            return page_of(table, "join_instead.html", secret=secret, seat=seat, there=taken), HTTPStatus.CONFLICT
        device.remember(code, taken)
        flash(_("This is %(name)s’s phone now.") % {"name": game.name(seat)}, "ok")
    return to_the_game(code)


@blueprint.post("/rematch")
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
    name = access.table_or_404(code).game.name(seat) if seat else ""
    game = access.table_or_404(rematch).game
    return next((each for each in game.order if game.name(each) == name), None)


@blueprint.get("/recover")
def ask_code(code: str) -> str:
    """Where people type the recovery code; also at the address on old paper, if the game's code has changed since."""
    return render_template("recover.html", code=code)


@blueprint.post("/recover")
def recover(code: str) -> ResponseReturnValue:
    """Let this device write, with a right of its own: the recovery code stays valid."""
    typed = request.form.get("recovery", "")
    code = log.code_for(typed) or code
    found = log.grant_for(code, typed)
    if found is None or found.role != "recovery":
        error = _("This is not this game’s recovery code, or a newer one was made. Check it letter by letter.")
        return render_template("recover.html", code=code, typed=typed, error=error), HTTPStatus.UNPROCESSABLE_ENTITY
    access.require_room(code)
    access.rely_on(code, found)
    device.remember(code, log.recover(code, device.name(), access.grant(code)))
    flash(_("You write from now on. A lost phone still could: take that back under Share, “Who may write”."), "ok")
    return to_the_game(code)


def _invitation(code: str, secret: str) -> None:
    """Abort with 404 unless the link is a valid one for players."""
    found = log.grant_for(code, secret)
    if found is None or found.role != "player" or found.seat is not None:
        abort(404)
    access.rely_on(code, found)
