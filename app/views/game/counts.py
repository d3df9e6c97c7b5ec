"""Players hand in their own cards, which arrive while the scorer enters the hand."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, request
from flask.typing import ResponseReturnValue

from app.forms.hand import OUT, as_fields, count_of, counting
from app.games.recording import RecordedGame
from app.history.timeline import recorded_since
from app.kalooki.cards import BadInput
from app.store import games
from app.views import access
from app.views.game import page_of
from app.views.game.workflow import to_the_game

blueprint = Blueprint("counts", __name__, url_prefix="/g/<code>")


@blueprint.get("/count")
def ask_count(code: str) -> str:
    """Show the form for what this phone's player has left, as sent so far."""
    return _count_page(access.get_game(code), access.require_seat(code))


@blueprint.post("/count")
def hand_in(code: str) -> ResponseReturnValue:
    """Store the count until the hand is saved; the last one sent counts."""
    record = access.get_game(code)
    seat = access.require_seat(code)
    if request.form.get("seen") != str(record.dealt_after):
        flash("That hand is already recorded: your cards were no longer needed.", "warn")
        return to_the_game(code)
    cards, points = (request.form.get(f"{part}-{seat}", "") for part in ("cards", "points"))
    try:
        count = OUT if request.form.get("do") == "out" else count_of(cards, points, record.game.variant)
    except BadInput as error:
        page = _count_page(record, seat, request.form, error=error.sentence)
        return page, 422
    own = access.get_right(code)
    games.hand_in(code, record.dealt_after, seat, count, own.id if own else 0)
    flash(_CONFIRMATIONS.get(count, "Sent to whoever records."), "ok")
    return to_the_game(code)


_CONFIRMATIONS = {"": "Undone.", OUT: "You went out. Now everyone else counts their cards."}


def handed_in(record: RecordedGame) -> dict[int, str]:
    """Return the last count that each player still in has handed in for the hand in play; `OUT` for going out."""
    return {seat: counted[-1] for seat, counted in of_phones(record).items()}


def of_phones(record: RecordedGame) -> dict[int, tuple[str, ...]]:
    """Return the different counts that the phones of each seat have handed in, the latest last."""
    counts = games.counts(record.code, record.dealt_after, record.version)
    different = {seat: tuple(dict.fromkeys(reversed(counted)))[::-1] for seat, counted in counts.items()}
    return {player.seat: different[player.seat] for player in record.game.playing if player.seat in different}


def _count_page(record: RecordedGame, seat: int, form_data: Mapping[str, str] | None = None, **context: object) -> str:
    """Return the page for a count, with what was typed or, without that, handed in so far."""
    fields = as_fields(handed_in(record)) if form_data is None else form_data
    return page_of(
        record,
        "count.html",
        player=record.game.players[seat],
        of_phones={seat: of_phones(record).get(seat, ())},
        seat=seat,
        typed={part: fields.get(f"{part}-{seat}", "") for part in ("cards", "points")},
        entry=counting(record.game),
        is_saved=request.args.get("after") not in (None, str(record.dealt_after)),  # not the hand asked about
        **context,
    )


@blueprint.get("/arriving")
def incoming(code: str) -> str:
    """Return what others have recorded since the scorer opened the form for a hand after entry `seen`.

    For the next hand (`kind` is record), also return the counts handed in.
    """
    record = access.get_game_to_write(code)
    seen = request.args.get("seen", 0, type=int)
    is_next = record.seen == seen and request.args.get("kind", "record") == "record"
    counts = of_phones(record) if is_next else {}
    return page_of(
        record,
        "fragments/incoming.html",
        counted=as_fields({seat: counted[-1] for seat, counted in counts.items()}),
        of_phones=counts,
        meanwhile=recorded_since(record, seen),
    )
