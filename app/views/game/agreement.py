"""Agreement: a seated phone calls the hand about to be saved right, or says stop."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, abort, flash, request

from app import log
from app.forms.fields import folded
from app.i18n import _
from app.table.agreement import Stopped, became_of, give_opinion, withdraw
from app.views import access, device
from app.views.game.one_tap import to_the_game

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.table.recording import Table

blueprint = Blueprint("agreement", __name__, url_prefix="/g/<code>")

AGREES = {"right": True, "stop": False}


@blueprint.post("/opinion")
def say(code: str) -> ResponseReturnValue:
    """Keep what this phone's player says to the hand shown, or that they have `read` what became of it.

    The last answer counts.
    """
    table = access.table_or_404(code)
    seat = access.require_seat(code)
    do = request.form.get("do", "")
    if do == "read":
        device.forget_stop(code)
        return to_the_game(code)
    if do not in AGREES:
        abort(400)
    agrees, name = AGREES[do], request.form.get("of", "")
    words = "" if agrees else folded(request.form.get("words"))
    about = give_opinion(table, name, seat, agrees, words)
    if not about:
        flash(_("The scorer has changed the hand, or saved it: look again."), "warn")
    elif agrees:
        device.forget_stop(code)
    else:
        device.stop(code, Stopped(table.seen, name, about))
    return to_the_game(code)


@blueprint.post("/withdraw")
def leave(code: str) -> ResponseReturnValue:
    """Withdraw the proposal named `of`, because the scorer's page no longer shows it.

    The page's button leads back to the game; a script gets an empty answer.
    """
    access.table_or_404(code)
    access.require_scorer(code)
    withdraw(code, request.form.get("of", ""))
    return to_the_game(code) if request.form.get("do") == "back" else ("", HTTPStatus.NO_CONTENT)


def asked_here(code: str, edition: log.Edition) -> log.Proposal | None:
    """What this phone's player is asked about, or was last asked about; None for a phone that nobody asks."""
    return log.proposed(code) if edition.signals and _is_asked(code) else None


def identified(kept: log.Proposal | None) -> str:
    """Identifies the proposal a phone shows, and how long it will; empty if it shows none."""
    return f"{kept.name}-{kept.lasts}" if kept and kept.lasts > 0 else ""


def _is_asked(code: str) -> bool:
    """Whether this phone has a seat and does not write itself."""
    return access.seat(code) is not None and not access.may_write(code)


def stop_told(table: Table, kept: log.Proposal | None) -> str:
    """What became of the hand that this phone's player stopped; empty if there is nothing to say."""
    said = device.stopped(table.code)
    return became_of(table, said, kept) if said.name and _is_asked(table.code) else ""
