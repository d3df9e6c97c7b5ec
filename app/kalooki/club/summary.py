"""What a club needs to know of one game."""

from __future__ import annotations

from typing import NamedTuple

from app.kalooki.game.apply import points_held
from app.kalooki.game.events import Hand
from app.kalooki.game.finish import places
from app.kalooki.game.state import Game
from app.kalooki.money import Currency, Movement


class SeatResult(NamedTuple):
    """What became of one seat of a game; only hands recorded here count, those carried over from paper do not.

    `hands` are those dealt into, `kalookis` those won all at once, also by bending. `held` are the points in hand when
    others went out, as the cards count by themselves, in the hands `lost`. `won` is the game's money without payments,
    `owed` what the table still owes the seat if it is kept on account; both in minor units.
    """

    seat: int
    name: str
    place: int
    hands: int
    hands_won: int
    kalookis: int
    held: int
    lost: int
    won: int
    owed: int


class GamePayment(NamedTuple):
    """A payment noted in a game, which `owed` counts: its entry, between which seats, in minor units; when, by whom."""

    entry: int
    payer: int
    to: int
    amount: int
    at: str = ""
    by: str = ""


class GameCorrection(NamedTuple):
    """A correction of a game that was over: its entry, when and by whom it was recorded, and what it was called."""

    entry: int
    at: str
    by: str
    title: str


class Summary(NamedTuple):
    """A game as a club counts it; `currency` is None in a game without money.

    Lists say the `time` it began (HH:MM; empty for a sheet from paper), the `hand` to be played next and whether it
    ended early, when whoever was in front has the first place without having won; what was `paid` in it, and the
    corrections made since it was over.
    """

    day: str
    variant: str
    status: str
    currency: Currency | None
    seats: tuple[SeatResult, ...]
    time: str = ""
    hand: int = 1
    ended_early: bool = False
    paid: tuple[GamePayment, ...] = ()
    corrections: tuple[GameCorrection, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def names(self) -> dict[int, str]:
        return {each.seat: each.name for each in self.seats}


UNKNOWN = Summary("", "", "", None, ())
"""The summary of a game that is gone or cannot be read."""


def summarize(game: Game, day: str) -> Summary:
    """Return the summary of a game that counts by this day."""
    place, won = places(game), game.won
    owed = game.balances if game.can_be_settled else dict.fromkeys(won, 0)
    seats = tuple(
        SeatResult(seat, player.name, place[seat], *_hands_of(game, seat), won[seat], owed[seat])
        for seat, player in sorted(game.players.items())
    )
    paid = tuple(_payment(each) for each in game.movements if each.why == "paid" and game.can_be_settled)
    return Summary(day, game.variant.id, game.status, game.currency if game.stakes else None, seats, paid=paid)


def _payment(movement: Movement) -> GamePayment:
    payer, to = (most(movement.amounts, key=lambda seat: movement.amounts[seat]) for most in (max, min))
    return GamePayment(movement.entry, payer, to, movement.amounts[payer])


def _hands_of(game: Game, seat: int) -> tuple[int, int, int, int, int]:
    """Return a seat's numbers of hands, as `SeatResult` has them from `hands` to `lost`."""
    dealt_into = [hand.event for hand in game.hands if isinstance(hand.event, Hand) and seat in hand.scores]
    won = [hand for hand in dealt_into if hand.winner == seat]
    held = [points_held(hand.left[seat], game.variant) for hand in dealt_into if hand.winner != seat]
    return len(dealt_into), len(won), sum(hand.ending != "going_out" for hand in won), sum(held), len(held)
