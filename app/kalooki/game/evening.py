"""Several games of one evening together: what everybody owes over all of them, and simple numbers.

Players whose names are one person's (`people.identify`) are one player, and currencies of one name are one; capitals do
not matter. Where games count a currency
with different decimals, all is counted with the most of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.kalooki.game.events import Hand
from app.kalooki.game.hands import held_points
from app.kalooki.game.state import Game
from app.kalooki.money import Currency, Payment, settlement


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

    currency: Currency
    names: tuple[str, ...]
    balances: tuple[int, ...]
    payments: tuple[Payment, ...]
    parts: tuple[tuple[Part, ...], ...]


@dataclass
class Numbers:
    """One player's results over some games; `held` are the points left in hand over `lost` hands, without additions.

    `won` counts shared first places too; `parts` are what they won or lost in each game, by currency.
    """

    name: str
    played: int = 0
    won: int = 0
    kalookis: int = 0
    lost: int = 0
    held: int = 0
    parts: dict[Currency, list[Part]] = field(default_factory=dict)
    person: str = ""
    """Whose they are, as `Game.people` says."""

    @property
    def money(self) -> dict[Currency, int]:
        """What they won or lost over all the games in minor units, by currency."""
        return {currency: _sum(parts) for currency, parts in self.parts.items()}

    @property
    def left_in_tenths(self) -> int | None:
        """The average left in hand, in tenths of a point and rounded half up; None before they lost a hand.

        >>> Numbers("Ann", lost=3, held=50).left_in_tenths
        167
        """
        return (20 * self.held + self.lost) // (2 * self.lost) if self.lost else None


def bills(games: Sequence[Game]) -> tuple[Bill, ...]:
    """One settlement for each currency, over the games that can be settled; the first game sets the spelling."""
    counted = _currencies(game for game in games if game.can_be_settled)
    names: dict[str, str] = {}
    owed: dict[str, dict[str, list[Part]]] = {}
    for place, game in enumerate(games):
        people = game.people
        for part in _parts(place, game, game.balances, counted) if game.can_be_settled else ():
            person = people[part.seat]
            names.setdefault(person, game.name(part.seat))
            owed.setdefault(_key(game), {}).setdefault(person, []).append(part)
    return tuple(_bill(counted[currency], parts, names) for currency, parts in sorted(owed.items()))


def _key(game: Game) -> str:
    return game.currency.name.casefold()


def _currencies(games: Iterable[Game]) -> dict[str, Currency]:
    """Each currency as the first game spells it, counted as finely as any of them counts it."""
    found: dict[str, Currency] = {}
    for game in games:
        first = found.get(_key(game), game.currency)
        found[_key(game)] = first._replace(decimals=max(first.decimals, game.currency.decimals))
    return found


def _parts(place: int, game: Game, amounts: Mapping[int, int], counted: Mapping[str, Currency]) -> Iterator[Part]:
    unit = _unit(game, counted[_key(game)])
    return (Part(place, seat, amounts.get(seat, 0) * unit) for seat in game.order)


def _unit(game: Game, currency: Currency) -> int:
    """A game's minor unit in those of the evening."""
    return 10 ** (currency.decimals - game.currency.decimals)  # type: ignore[no-any-return]


def _bill(currency: Currency, parts: Mapping[str, list[Part]], names: Mapping[str, str]) -> Bill:
    amounts = tuple(_sum(each) for each in parts.values())
    payments = tuple(settlement(dict(enumerate(amounts))))
    return Bill(currency, tuple(names[who] for who in parts), amounts, payments, tuple(map(tuple, parts.values())))


def _sum(parts: Iterable[Part]) -> int:
    return sum(part.amount for part in parts)


def in_pools(games: Sequence[Game]) -> dict[Currency, int]:
    """What the pools of games still in play hold in minor units, by currency."""
    counted = _currencies(games)
    held: dict[Currency, int] = {}
    for game in games:
        if game.stakes and not game.finish:
            currency = counted[_key(game)]
            held[currency] = held.get(currency, 0) + game.pool * _unit(game, currency)
    return held


def numbers_of(games: Sequence[Game]) -> tuple[Numbers, ...]:
    """Everybody's numbers over the games, in the order they first sat down."""
    counted = _currencies(games)
    found: dict[str, Numbers] = {}
    for place, game in enumerate(games):
        people = game.people
        for part in _parts(place, game, game.won, counted):
            person = people[part.seat]
            numbers = found.setdefault(person, Numbers(game.name(part.seat), person=person))
            _note(numbers, game, part.seat)
            if game.stakes:
                numbers.parts.setdefault(counted[_key(game)], []).append(part)
    return tuple(found.values())


class Ranked(NamedTuple):
    """A player's place over some games, which players with equal results share."""

    place: int
    numbers: Numbers


def ranked(games: Sequence[Game]) -> tuple[tuple[Ranked, ...], Currency | None]:
    """Everybody by money and then by games won, and that money's currency; without one currency by games won alone."""
    counted = numbers_of(games)
    used = {currency for numbers in counted for currency in numbers.parts}
    money = used.pop() if len(used) == 1 else None
    merits = [(sum(numbers.money.values()) if money else 0, numbers.won) for numbers in counted]
    places = [1 + sum(other > merit for other in merits) for merit in merits]
    return tuple(sorted(map(Ranked, places, counted), key=lambda each: each.place)), money


def _note(numbers: Numbers, game: Game, seat: int) -> None:
    hands = [hand.event for hand in game.hands if isinstance(hand.event, Hand)]
    lost = [hand.left[seat] for hand in hands if seat in hand.left]
    numbers.played += 1
    numbers.won += seat in game.winners
    numbers.kalookis += sum(hand.winner == seat and hand.ending == game.variant.kalooki_ending for hand in hands)
    numbers.lost += len(lost)
    numbers.held += sum(held_points(left, game.variant) for left in lost)
