"""Appeals: a seated phone calls the referee or asks for the pen, and every phone shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for

from app import log
from app.i18n import _
from app.views import access, device
from app.views.game.one_tap import to_the_game
from app.views.game.previews import form_of, hand_begun

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.wrappers import Response

    from app.table.recording import Table

blueprint = Blueprint("appeals", __name__, url_prefix="/g/<code>")

REFEREE_SECONDS = 300
"""How long phones show a call for the referee, unless somebody settles it."""

TAKING_SECONDS = 90
"""How long a pen that nobody refused may be taken; after that the player must ask again."""

ANSWER_SECONDS = 20

_ANSWER = re.compile(r"(settle|refuse|give|take)-(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class Shown:
    """An appeal as a phone shows it for `lasts` seconds more.

    `state` is called (the referee), asked (for the pen), free (to be taken), given (to be taken), passed or refused.
    """

    appeal: log.Appeal
    state: str
    lasts: int


def appeals_shown(code: str, edition: log.Edition | None = None) -> list[Shown]:
    """The appeals every phone of a game shows now; none in an edition without appeals."""
    if edition and not edition.signals:
        return []
    return [shown for appeal in log.appeals(code) if (shown := _shown(appeal)) is not None]


def pen_appeals(code: str) -> list[log.Appeal]:
    """All requests for the pen, oldest first."""
    return [appeal for appeal in log.appeals(code) if appeal.kind == "pen"]


def _shown(appeal: log.Appeal) -> Shown | None:
    if appeal.answer_age is not None:
        lasts = (TAKING_SECONDS if appeal.answer == "given" else ANSWER_SECONDS) - appeal.answer_age
        return Shown(appeal, appeal.answer, lasts) if lasts > 0 and appeal.answer != "settled" else None
    if appeal.kind == "referee":
        lasts = REFEREE_SECONDS - appeal.age
        return Shown(appeal, "called", lasts) if lasts > 0 else None
    patience = _patience()
    if appeal.age < patience:
        return Shown(appeal, "asked", patience - appeal.age)
    lasts = patience + TAKING_SECONDS - appeal.age
    return Shown(appeal, "free", lasts) if lasts > 0 else None


def _patience() -> int:
    """Seconds the scorer has to refuse."""
    return int(current_app.config["PEN_SECONDS"])


def wait_for_pen(code: str, seat: int | None) -> int:
    """Seconds before a refused seat may ask for the pen again."""
    refused = [each.answer_age for each in pen_appeals(code) if each.seat == seat and each.answer == "refused"]
    ages = [age for age in refused if age is not None]
    return max(int(current_app.config["PEN_AGAIN_SECONDS"]) - min(ages), 0) if ages else 0


@blueprint.get("/pen")
def ask_pen(code: str) -> str:
    """What taking the pen means, and the button that asks for it."""
    table = access.table_or_404(code)
    if access.lost_pen(code) is None:
        access.require_seat(code)
    return _page(code, table=table, game=table.game)


def _page(code: str, **shown: object) -> str:
    return render_template(
        "pen.html",
        code=code,
        seat=access.seat(code),
        you=access.own_seat(code),
        may_write=access.may_write(code),
        appeals=appeals_shown(code),
        lost=access.lost_pen(code),
        wait=wait_for_pen(code, access.seat(code)),
        patience=_patience(),
        begun=hand_begun(),
        **shown,
    )


@blueprint.post("/appeals")
def change(code: str) -> ResponseReturnValue:
    """Make an appeal or answer one, as the button says: `referee`, `pen`, `refuse-3` or `give-3`."""
    access.table_or_404(code)
    do = request.form.get("do", "")
    if do in ("referee", "pen"):
        return _make(code, do)
    if do == "read" and (lost := access.lost_pen(code)):
        device.put_away("pen", lost.grant_id)
        return to_the_game(code)
    found = _ANSWER.fullmatch(do)
    if found is None:
        abort(400)
    return _ANSWERS[found[1]](code, int(found[2]))


def _make(code: str, kind: str) -> ResponseReturnValue:
    lost = access.lost_pen(code) if kind == "pen" else None
    seat = _seat_again(code, lost) if lost and access.seat(code) is None else access.require_seat(code)
    if seat is None:
        return _to_the_pen(code)
    if kind == "pen" and wait_for_pen(code, seat):
        return _to_the_pen(code)  # which says so
    lasts = REFEREE_SECONDS if kind == "referee" else _patience() + TAKING_SECONDS
    log.make_appeal(code, kind, seat, device.name(), lasts)
    return _to_the_pen(code) if kind == "pen" else to_the_game(code)


def _seat_again(code: str, lost: log.LostPen) -> int | None:
    """The seat that a phone which used to write gets back; None if nobody has said whose phone it is.

    A seat is no right to write: it lets the phone ask, and the phone that writes may refuse.
    """
    players = access.table_or_404(code).game.players
    seat = lost.seat if lost.seat in players else request.form.get("seat", 0, type=int)
    if seat not in players:
        return None
    device.remember(code, log.mint(code, "player", seat, device.name()))
    return seat


@blueprint.post("/seat")
def sit(code: str) -> ResponseReturnValue:
    """Record whose phone writes, so that it keeps a seat when somebody takes the pen; or dismiss the question."""
    table = access.scorers_table(code)
    own = access.grant(code)
    seat = request.form.get("seat", 0, type=int)
    if own and seat in table.game.players:
        log.sit(code, own.id, seat)
        flash(_("This is %(name)s’s phone.") % {"name": table.game.name(seat)}, "ok")
    elif own:
        device.put_away("seat", own.id)
    return to_the_game(code)


def asks_whose(table: Table) -> bool:
    """Whether to ask whose phone writes, until answered: before the first hand, later if it came by link or code.

    One question at a time: who plays first comes before this.
    """
    own = access.grant(table.code) if access.may_write(table.code) else None
    if own is None or own.seat is not None or not table.game.first or table.game.finish:
        return False
    is_starter = not own.device
    return (table.dealt_after == 1 or not is_starter) and not device.has_put_away("seat", own.id)


def writer(code: str) -> int | None:
    """The seat of whoever writes, as far as one phone alone does and its owner is known."""
    writers = [each.seat for each in log.grants(code) if each.role == "scorer" and not each.revoked_at]
    return writers[0] if len(writers) == 1 else None


def right_told(code: str) -> str:
    """Identifies the notice this phone shows about its own right, given or lost, and whether it was dismissed."""
    own, lost = access.grant(code), lost_pen_told(code)
    is_read = own is not None and device.has_put_away("seat", own.id)
    return f"{lost.grant_id if lost else 0}{'-read' if is_read else ''}"


def lost_pen_told(code: str) -> log.LostPen | None:
    """The pen this phone has lost, until the notice is dismissed."""
    lost = access.lost_pen(code)
    return lost if lost and not device.has_put_away("pen", lost.grant_id) else None


def _settle(code: str, appeal: int) -> ResponseReturnValue:
    """The referee has come: any phone with a seat or the pen may say so."""
    access.require_share(code)
    log.answer_appeal(code, appeal, "settled", device.name())
    return to_the_game(code)


def _refuse(code: str, appeal: int) -> ResponseReturnValue:
    access.require_scorer(code)
    log.answer_appeal(code, appeal, "refused", device.name())
    return _go_on(code)


def _give(code: str, appeal: int) -> ResponseReturnValue:
    """Let the phone that asked take the pen at once; until it does, this one writes."""
    access.require_scorer(code)
    log.answer_appeal(code, appeal, "given", device.name())
    return _go_on(code)


def _take(code: str, appeal_id: int) -> ResponseReturnValue:
    """Pass the pen to the phone that asked for it, once the scorer has had time to refuse."""
    own_secret = access.own_secret(code)
    secret = log.pen_secret(code, appeal_id, own_secret)
    if own_secret and log.grant_for(code, secret):  # it has passed already: the answer was lost on its way
        device.remember(code, secret)
        return _go_on(code)
    seat = access.require_seat(code)
    own = next((each for each in appeals_shown(code) if (each.appeal.id, each.appeal.seat) == (appeal_id, seat)), None)
    if own and own.state == "asked":
        flash(_("The scorer may still refuse, for %(seconds)s seconds.") % {"seconds": own.lasts}, "warn")
    elif own and own.state in ("free", "given") and _pass(code, appeal_id, seat, secret):
        device.remember(code, secret)
        return _go_on(code)
    else:
        flash(_("The pen was refused, or it is too late for this request: ask once more."), "warn")
    return _to_the_pen(code)


def _pass(code: str, appeal_id: int, seat: int, secret: str) -> bool:
    right = access.grant(code)
    return right is not None and log.pass_pen(code, appeal_id, seat, device.name(), right, secret) is not None


def _go_on(code: str) -> Response:
    """To the hand that was being typed, or to the game, where every phone shows the answer."""
    begun = hand_begun()
    return redirect(form_of(code, begun), HTTPStatus.SEE_OTHER) if begun else to_the_game(code)


def _to_the_pen(code: str) -> Response:
    """To the page that asks for the pen, with the hand begun that waits for it."""
    return redirect(url_for("appeals.ask_pen", code=code, **hand_begun()), HTTPStatus.SEE_OTHER)


_ANSWERS = {"settle": _settle, "refuse": _refuse, "give": _give, "take": _take}
