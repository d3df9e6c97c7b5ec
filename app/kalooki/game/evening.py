"""Several games of the same players: settled together, and the next one's seats and dealer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import Start, default_avatar
from app.kalooki.game.play import corrected_start
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
    settled = [(place, game) for place, game in enumerate(games) if game.can_be_settled]
    currencies = _currencies(game for _, game in settled)
    names: dict[str, str] = {}
    owed: dict[str, dict[str, list[Part]]] = {}
    for place, game in settled:
        currency, person_at = _currency_key(game), game.people
        unit = 10 ** (currencies[currency].decimals - game.currency.decimals)
        for seat in game.order:
            names.setdefault(person_at[seat], game.name(seat))
            part = Part(place, seat, game.balances.get(seat, 0) * unit)
            owed.setdefault(currency, {}).setdefault(person_at[seat], []).append(part)
    settlements = []
    for currency, parts in sorted(owed.items()):
        amounts = tuple(sum(part.amount for part in of_person) for of_person in parts.values())
        payments = tuple(settlement(dict(enumerate(amounts))))
        people = tuple(names[person] for person in parts)
        settlements.append(Bill(currencies[currency], people, amounts, payments, tuple(map(tuple, parts.values()))))
    return tuple(settlements)


def _currency_key(game: Game) -> str:
    return game.currency.name.casefold()


def _currencies(games: Iterable[Game]) -> dict[str, Currency]:
    """Return each currency by its key, spelt as in the first game and with the most decimals of any game."""
    currencies: dict[str, Currency] = {}
    for game in games:
        first = currencies.get(_currency_key(game), game.currency)
        currencies[_currency_key(game)] = first._replace(decimals=max(first.decimals, game.currency.decimals))
    return currencies


def rematch(log: Sequence[Entry], game: Game, returning: Collection[int] = ()) -> Start:
    """Return the start of another game of the same table, by today's rules.

    It has all players who have not left, even if they were knocked out, and of those who left the seats `returning`.
    The player after the last dealer deals; before the first hand and after a void hand the deal does not pass.
    """
    seats = [seat for seat in game.order if seat in returning or not game.players[seat].has_left]
    dealer = dealer_after(game, seats)
    avatars = {place: game.players[seat].avatar for place, seat in enumerate(seats, 1)}
    start = corrected_start(log)
    return replace(
        start,
        players=tuple(game.name(seat) for seat in seats),
        dealer=seats.index(dealer) + 1 if dealer is not None else 1,
        rules={},
        texts={},
        note="",
        stakes=start.stakes if game.stakes else None,
        carried=None,
        avatars={place: avatar._asdict() for place, avatar in avatars.items() if avatar != default_avatar(place)},
    )


def dealer_after(game: Game, seats: Sequence[int]) -> int | None:
    """Return the seat that deals next among `seats`, None if there are none."""
    last = game.hands[-1] if game.hands else None
    place = game.order.index(last.dealer if last else game.dealer)
    if last and not last.is_void:
        place += 1
    return next((seat for seat in game.order[place:] + game.order[:place] if seat in seats), None)
