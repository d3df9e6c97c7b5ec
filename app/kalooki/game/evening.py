"""Several games of one evening together: what everybody owes over all of them, and simple numbers.

Players with the same name are one player, and so are currencies; capitals do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.kalooki.game.events import Hand
from app.kalooki.game.hands import held_points
from app.kalooki.game.state import Game
from app.kalooki.money import Payment, settlement


class Part(NamedTuple):
    """One game's share of an amount, in minor units: the game's place among those given, from 0, and the seat there."""

    game: int
    seat: int
    amount: int


class Bill(NamedTuple):
    """One currency of an evening: names in the order they first sat down, what the table owes each, who pays whom.

    Payments name players by place in `names`, from 0; amounts are minor units. `parts` break each balance down by
    game.
    """

    currency: str
    names: tuple[str, ...]
    balances: tuple[int, ...]
    payments: tuple[Payment, ...]
    parts: tuple[tuple[Part, ...], ...]


@dataclass
class Record:
    """One player's results over some games; `held` are the points left in hand over `lost` hands, without additions.

    `won` counts shared first places too; `parts` are what they won or lost in each game, by currency.
    """

    name: str
    played: int = 0
    won: int = 0
    kalookis: int = 0
    lost: int = 0
    held: int = 0
    parts: dict[str, list[Part]] = field(default_factory=dict)

    @property
    def money(self) -> dict[str, int]:
        """What they won or lost over all the games in minor units, by currency."""
        return {currency: _sum(parts) for currency, parts in self.parts.items()}

    @property
    def left_in_tenths(self) -> int | None:
        """The average left in hand, in tenths of a point and rounded half up; None before they lost a hand.

        >>> Record("Ann", lost=3, held=50).left_in_tenths
        167
        """
        return (20 * self.held + self.lost) // (2 * self.lost) if self.lost else None


def is_open(game: Game) -> bool:
    """Whether a game can be settled: it is over, and its money was kept on account."""
    return bool(game.finish and game.stakes and game.settle == "account")


def bills(games: Iterable[Game]) -> tuple[Bill, ...]:
    """One settlement for each currency, over the games that can be settled; the first game sets the spelling."""
    spelt: dict[str, str] = {}
    names: dict[str, str] = {}
    owed: dict[str, dict[str, list[Part]]] = {}
    for place, game in enumerate(games):
        for part in _parts(place, game, game.balances) if is_open(game) else ():
            name = game.name(part.seat)
            names.setdefault(name.casefold(), name)
            parts = owed.setdefault(_currency(game, spelt).casefold(), {})
            parts.setdefault(name.casefold(), []).append(part)
    return tuple(_bill(spelt[currency], parts, names) for currency, parts in sorted(owed.items()))


def _currency(game: Game, spelt: dict[str, str]) -> str:
    """The currency of a game, spelt as in the first game that uses it; `spelt` remembers that."""
    written = str(game.stakes["currency"]) if game.stakes else ""
    return spelt.setdefault(written.casefold(), written)


def _parts(place: int, game: Game, amounts: Mapping[int, int]) -> Iterator[Part]:
    return (Part(place, seat, amounts.get(seat, 0)) for seat in game.order)


def _bill(currency: str, parts: Mapping[str, list[Part]], names: Mapping[str, str]) -> Bill:
    amounts = tuple(_sum(each) for each in parts.values())
    payments = tuple(settlement(dict(enumerate(amounts))))
    return Bill(currency, tuple(names[who] for who in parts), amounts, payments, tuple(map(tuple, parts.values())))


def _sum(parts: Iterable[Part]) -> int:
    return sum(part.amount for part in parts)


def in_pools(games: Iterable[Game]) -> dict[str, int]:
    """What the pools of games still in play hold in minor units, by currency."""
    spelt: dict[str, str] = {}
    held: dict[str, int] = {}
    for game in games:
        if game.stakes and not game.finish:
            currency = _currency(game, spelt)
            held[currency] = held.get(currency, 0) + game.pool
    return held


def records(games: Iterable[Game]) -> tuple[Record, ...]:
    """Everybody's numbers over the games, in the order they first sat down."""
    spelt: dict[str, str] = {}
    found: dict[str, Record] = {}
    for place, game in enumerate(games):
        for part in _parts(place, game, game.won):
            name = game.name(part.seat)
            record = found.setdefault(name.casefold(), Record(name))
            _note(record, game, part.seat)
            if game.stakes:
                record.parts.setdefault(_currency(game, spelt), []).append(part)
    return tuple(found.values())


def _note(record: Record, game: Game, seat: int) -> None:
    hands = [hand.event for hand in game.hands if isinstance(hand.event, Hand)]
    lost = [hand.left[seat] for hand in hands if seat in hand.left]
    record.played += 1
    record.won += seat in game.winners
    record.kalookis += sum(hand.winner == seat and hand.ending == game.variant.kalooki_ending for hand in hands)
    record.lost += len(lost)
    record.held += sum(held_points(left, game.variant) for left in lost)
