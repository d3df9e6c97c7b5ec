"""Settling several games of one evening together.

Players whose names mean the same person (`people.identify`) are one player. Currencies whose names differ only in case
are one currency; if games use different decimals for it, all amounts are converted to the most decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from app.kalooki.game.state import Game
from app.kalooki.money import Currency, Payment, settlement


class Part(NamedTuple):
    """One game's part of a balance, in minor units: the game's index, from 0, and the player's seat in it."""

    game: int
    seat: int
    amount: int


class Bill(NamedTuple):
    """The settlement of one currency: the players in order of first appearance, their balances, and the payments.

    Payments refer to players by index in `names`. Amounts are minor units. `parts` splits each balance by game.
    """

    currency: Currency
    names: tuple[str, ...]
    balances: tuple[int, ...]
    payments: tuple[Payment, ...]
    parts: tuple[tuple[Part, ...], ...]


def bills(games: Sequence[Game]) -> tuple[Bill, ...]:
    """Return one settlement for each currency, over all games that can be settled; the first game sets the spelling."""
    currencies = _currencies(game for game in games if game.can_be_settled)
    names: dict[str, str] = {}
    owed: dict[str, dict[str, list[Part]]] = {}
    for place, game in enumerate(games):
        people = game.people
        for part in _parts(place, game, currencies) if game.can_be_settled else ():
            person = people[part.seat]
            names.setdefault(person, game.name(part.seat))
            owed.setdefault(_currency_key(game), {}).setdefault(person, []).append(part)
    return tuple(_bill(currencies[currency], parts, names) for currency, parts in sorted(owed.items()))


def _currency_key(game: Game) -> str:
    return game.currency.name.casefold()


def _currencies(games: Iterable[Game]) -> dict[str, Currency]:
    """Return each currency by its key, spelt as in the first game and with the most decimals of any game."""
    currencies: dict[str, Currency] = {}
    for game in games:
        first = currencies.get(_currency_key(game), game.currency)
        currencies[_currency_key(game)] = first._replace(decimals=max(first.decimals, game.currency.decimals))
    return currencies


def _parts(place: int, game: Game, currencies: Mapping[str, Currency]) -> Iterator[Part]:
    unit = 10 ** (currencies[_currency_key(game)].decimals - game.currency.decimals)
    return (Part(place, seat, game.balances.get(seat, 0) * unit) for seat in game.order)


def _bill(currency: Currency, parts: Mapping[str, list[Part]], names: Mapping[str, str]) -> Bill:
    amounts = tuple(_sum(each) for each in parts.values())
    payments = tuple(settlement(dict(enumerate(amounts))))
    return Bill(currency, tuple(names[who] for who in parts), amounts, payments, tuple(map(tuple, parts.values())))


def _sum(parts: Iterable[Part]) -> int:
    return sum(part.amount for part in parts)
