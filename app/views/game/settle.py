"""Settling up: who pays whom, how every amount is made up, and recording payments."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from app.games.recording import RecordedGame
from app.history.settling import why_nothing
from app.kalooki.game.apply import if_ended
from app.kalooki.game.events import Paid
from app.kalooki.game.play import Game
from app.views import access
from app.views.game import page_of, pages
from app.views.game.workflow import button_value, record_action


@pages.get("/settle")
def settle(code: str) -> str:
    """Show payments and the pool, each amount with the lines that make it up; of a game in play, as if it ended now."""
    record = access.get_game(code)
    counting = ((number, event) for number, event in record.effective.items() if number not in record.faults)
    noted = [(number, event) for number, event in counting if isinstance(event, Paid)]
    return page_of(
        record,
        "table/settle.html",
        noted=noted,
        rows=_rows(record.game, noted),
        why_nothing=why_nothing(record.game),
        then=record.of(if_ended(record.game)),
        unfolded=request.args.get("open", ""),
    )


@pages.post("/settle")
def note_payment(code: str) -> Response:
    """Record a payment with one tap, or undo that, as the button says (`paid-2-1-60`)."""
    record = access.get_game_to_write(code)
    match button_value():
        case "paid", [payer, to, amount]:
            saved = record_action(record, {"kind": "paid", "from": payer, "to": to, "amount": amount}, "Noted as paid.")
            row = f"undo-{saved}" if saved else None
        case "undo", [entry]:
            noted = _find_payment(record, entry)
            saved = record_action(record, {"kind": "undo", "target": entry}, "The payment is open again.")
            row = f"paid-{noted.payer}-{noted.to}-{noted.amount}" if saved else None
        case _:
            abort(400)
    return redirect(url_for("game_pages.settle", code=code, _anchor=row), 303)


def _find_payment(record: RecordedGame, entry: int) -> Paid:
    """Return the payment recorded at an entry; abort for any other entry, which needs a preview before it is undone."""
    event = record.entries[entry - 1].event if 1 < entry <= record.seen else None
    return event if isinstance(event, Paid) else abort(400)


def _rows(game: Game, noted: list[tuple[int, Paid]]) -> list[tuple[int, int, int, int | None]]:
    """Return open payments and those already made, in an order that recording one does not change.

    Each row has the payer, the receiver, the amount, and the entry that recorded it, or None while it is open.
    """
    still_open = [(*payment, None) for payment in game.payments]
    paid = [(event.payer, event.to, event.amount, entry) for entry, event in noted]
    return sorted([*paid, *still_open], key=lambda row: row[:3])
