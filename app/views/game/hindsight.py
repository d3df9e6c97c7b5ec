"""What the losers of a hand could have laid."""

from __future__ import annotations

from flask import abort

from app.kalooki.cards import write
from app.table.hindsight import looked_at
from app.views import access, heavy
from app.views.game import page_of, pages


@pages.get("/hands/<int:entry>/best")
def hindsight(code: str, entry: int) -> str:
    """Each loser's cards of one hand, next to the best that could have been done with them."""
    table = access.table_or_404(code)
    hand = next((hand for hand in table.game.hands if hand.entry == entry), None)
    heavy.queue_up()
    losers = looked_at(table.game, hand) if hand else []
    if hand is None or not losers:
        abort(404)
    return page_of(table, "table/hindsight.html", hand=hand, losers=losers, write=write)
