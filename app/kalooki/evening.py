"""Several games of one evening together: what everybody owes over all of them, and simple numbers.

Players are the same when their names are, however they are capitalised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.kalooki.events import Hand
from app.kalooki.hands import held_points
from app.kalooki.money import Payment, settlement
from app.kalooki.table import Game, Player


class Bill(NamedTuple):
    """One currency of an evening: names in the order they first sat down, what the table owes each, who pays whom.

    Payments name their players by place in `names`, from 0; amounts are minor units.
    """

    currency: str
    names: tuple[str, ...]
    balances: tuple[int, ...]
    payments: tuple[Payment, ...]


@dataclass
class Record:
    """What a player has done over some games; `held` are the points left in hand over `lost` hands, nothing added.

    `won` counts shared first places too; `money` is what was won or lost in minor units by currency.
    """

    name: str
    played: int = 0
    won: int = 0
    kalookis: int = 0
    lost: int = 0
    held: int = 0
    money: dict[str, int] = field(default_factory=dict)

    @property
    def left_in_tenths(self) -> int | None:
        """The average left in hand, in tenths of a point and rounded half up; None before a hand was lost.

        >>> Record("Ann", lost=3, held=50).left_in_tenths
        167
        """
        return (20 * self.held + self.lost) // (2 * self.lost) if self.lost else None


def is_open(game: Game) -> bool:
    """Whether a game can be settled: it is over, and its money was kept on account."""
    return bool(game.finish and game.stakes and game.settle == "account")


def bills(games: Iterable[Game]) -> tuple[Bill, ...]:
    """One settlement for each currency, over the games that can be settled."""
    owed: dict[str, dict[str, int]] = {}
    names: dict[str, str] = {}
    for game in games:
        for player, amount in _owed(game) if is_open(game) else ():
            who = player.name.casefold()
            names.setdefault(who, player.name)
            balances = owed.setdefault(_currency(game), {})
            balances[who] = balances.get(who, 0) + amount
    return tuple(_bill(currency, balances, names) for currency, balances in sorted(owed.items()))


def _owed(game: Game) -> Iterator[tuple[Player, int]]:
    balances = game.balances
    return ((game.players[seat], balances[seat]) for seat in game.order)


def _currency(game: Game) -> str:
    return str(game.stakes["currency"]) if game.stakes else ""


def _bill(currency: str, balances: Mapping[str, int], names: Mapping[str, str]) -> Bill:
    amounts = tuple(balances.values())
    return Bill(currency, tuple(names[who] for who in balances), amounts, tuple(settlement(dict(enumerate(amounts)))))


def records(games: Iterable[Game]) -> tuple[Record, ...]:
    """Everybody's numbers over the games, in the order they first sat down."""
    found: dict[str, Record] = {}
    for game in games:
        for seat in game.order:
            name = game.name(seat)
            _note(found.setdefault(name.casefold(), Record(name)), game, seat)
    return tuple(found.values())


def _note(record: Record, game: Game, seat: int) -> None:
    hands = [hand.event for hand in game.hands if isinstance(hand.event, Hand)]
    lost = [hand.left[seat] for hand in hands if seat in hand.left]
    record.played += 1
    record.won += seat in game.winners
    record.kalookis += sum(hand.winner == seat and hand.ending == game.variant.kalooki_ending for hand in hands)
    record.lost += len(lost)
    record.held += sum(held_points(left, game.variant) for left in lost)
    if game.stakes:
        currency = _currency(game)
        record.money[currency] = record.money.get(currency, 0) + game.won.get(seat, 0)
