"""Another game of the same table: its players, rules and dealer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import Start, usual
from app.kalooki.game.play import corrected_start
from app.kalooki.game.state import Game


def rematch(log: Sequence[Entry], game: Game, returning: Collection[int] = ()) -> Start:
    """Return the start of another game of the same table, by today's rules.

    It has all players who have not left, even if they were knocked out, and of those who left the seats `returning`.
    The player after the last dealer deals; before the first hand and after a void hand the deal does not pass.
    """
    seats = [seat for seat in game.order if seat in returning or not game.players[seat].has_left]
    dealer = dealer_after(game, seats)
    avatars = {place: game.players[seat].face for place, seat in enumerate(seats, 1)}
    start = corrected_start(log)
    return replace(
        start,
        players=tuple(game.name(seat) for seat in seats),
        dealer=seats.index(dealer) + 1 if dealer is not None else 1,
        rules={},
        book={},
        note="",
        stakes=start.stakes if game.stakes else None,
        carried=None,
        faces={place: face._asdict() for place, face in avatars.items() if face != usual(place)},
    )


def dealer_after(game: Game, seats: Sequence[int]) -> int | None:
    """Return the seat that deals next among `seats`, None if there are none."""
    last = game.hands[-1] if game.hands else None
    place = game.order.index(last.dealer if last else game.dealer)
    if last and not last.is_void:
        place += 1
    return next((seat for seat in game.order[place:] + game.order[:place] if seat in seats), None)
