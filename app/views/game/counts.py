"""Own counts: a phone with a seat sends what its player has left; the scorer's phone shows it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Blueprint, flash, render_template, request

from app import log
from app.forms.keypad import counting
from app.forms.own_count import OUT, as_fields, count_of
from app.i18n import _, gettext
from app.kalooki.cards import Malformed
from app.table.agreement import proposed
from app.views import access
from app.views.game import page_of
from app.views.game.appeals import appeals_shown
from app.views.game.one_tap import to_the_game
from app.views.game.previews import hand_begun

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.table.recording import Table

blueprint = Blueprint("counts", __name__, url_prefix="/g/<code>")


@blueprint.get("/count")
def ask(code: str) -> str:
    """What this phone's player has left, as sent so far."""
    table = access.table_or_404(code)
    seat = access.require_seat(code)
    kept = as_fields(log.counts(code, table.dealt_after))
    typed = {part: kept.get(f"{part}-{seat}", "") for part in ("cards", "points")}
    return _page(table, seat, typed)


@blueprint.post("/count")
def hand_in(code: str) -> ResponseReturnValue:
    """Keep the count until the hand is saved; the last one sent counts."""
    table = access.table_or_404(code)
    seat = access.require_seat(code)
    typed = {part: request.form.get(f"{part}-{seat}", "") for part in ("cards", "points")}
    if request.form.get("seen") != str(table.dealt_after):
        flash(_("That hand is already recorded: your count was no longer needed."), "warn")
        return to_the_game(code)
    try:
        kept = OUT if request.form.get("do") == "out" else count_of(**typed, variant=table.game.variant)
    except Malformed as error:
        return _page(table, seat, typed, error=error.say(gettext)), HTTPStatus.UNPROCESSABLE_ENTITY
    log.hand_in(code, table.dealt_after, seat, kept)
    flash(_SAID.get(kept, _("Handed in: it stands in the scorer’s form for this hand.")), "ok")
    return to_the_game(code)


@blueprint.get("/arriving")
def arriving(code: str) -> str:
    """What has arrived since the scorer opened a hand after entry `seen`: appeals, opinions, others' entries.

    With the `kind` record (the next hand), also the counts handed in.
    """
    table = access.table_or_404(code)
    if lost := access.lost_pen(code):
        return page_of(table, "fragments/lost_pen.html", lost=lost, begun=hand_begun())
    access.require_scorer(code)
    seen = request.args.get("seen", 0, type=int)
    is_next = table.seen == seen and request.args.get("kind", "record") == "record"
    counts = log.counts(code, table.dealt_after) if is_next else {}
    return page_of(
        table,
        "fragments/arriving.html",
        counted=as_fields(counts),
        meanwhile=table.story.since(seen),
        appeals=appeals_shown(code),
        proposed=proposed(table, log.proposed(code) if table.log.signals else None),
        seat=None,
        you=access.own_seat(code),
        may_write=True,
        begun=hand_begun(),
    )


def handed_in(table: Table) -> dict[int, str]:
    """What players still in have handed in for the hand in play, by seat; `OUT` for going out."""
    if not table.log.signals:
        return {}
    counts = log.counts(table.code, table.dealt_after)
    return {player.seat: counts[player.seat] for player in table.game.playing if player.seat in counts}


_SAID = {"": _("Taken back."), OUT: _("You went out: the scorer’s form for this hand begins with that.")}


def _page(table: Table, seat: int, typed: dict[str, str], **shown: Any) -> str:
    game = table.game
    return render_template(
        "count.html",
        table=table,
        game=game,
        code=table.code,
        player=game.players[seat],
        seat=seat,
        may_write=False,
        typed=typed,
        entry=counting(game),
        appeals=appeals_shown(table.code),
        **shown,
    )
