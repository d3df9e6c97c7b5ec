"""The same table once more: who plays, by which rules, and whose deal it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.kalooki.events import Start
from app.kalooki.game import mended_start
from app.kalooki.standing import Entry
from app.kalooki.table import Game


def rematch(log: Sequence[Entry], game: Game) -> Start:
    """The start of another game: everybody who has not gone home, also who was knocked out, as the table plays now.

    The deal passes to the seat behind whoever dealt last; before the first hand it stays where it is.
    """
    seats = [seat for seat in game.order if not game.players[seat].has_left]
    last = game.hands[-1].dealer if game.hands else None
    dealer = game.next_dealer if last is None else _behind(game, last, seats)
    return replace(
        mended_start(log),
        players=tuple(game.name(seat) for seat in seats),
        dealer=seats.index(dealer) + 1 if dealer in seats else 1,
        rules={},
    )


def _behind(game: Game, dealer: int, seats: Sequence[int]) -> int | None:
    """The next of `seats` clockwise from the dealer's; None if there is nobody."""
    place = game.order.index(dealer) + 1
    return next((seat for seat in game.order[place:] + game.order[:place] if seat in seats), None)
