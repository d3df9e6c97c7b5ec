"""The ranking in words: the place of each player, what became of them, and their money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.history.formats import money_format
from app.history.plurals import number_of
from app.kalooki.game.finish import places
from app.kalooki.game.play import Game
from app.kalooki.game.state import Player


class Standing(NamedTuple):
    """One player in the ranking: the place, notes such as “out”, and their money in words (empty without money)."""

    place: int
    player: Player
    notes: tuple[str, ...]
    money: str


def money(game: Game) -> dict[int, int]:
    """Return what a result says beside each player, in minor units: what they won or lost, whatever was paid since.

    Before the end it is the balance, which includes cash already paid.
    """
    return game.won if game.finish else game.balances


def place_words(game: Game) -> tuple[str, ...]:
    """Each player's place among those who stayed, in the order of play; a word for who went home."""
    ranks, left = places(game), {seat for seat, player in game.players.items() if player.has_left}
    stayed = [place for seat, place in ranks.items() if seat not in left]
    ahead = {seat: sum(place < own for place in stayed) for seat, own in ranks.items()}
    return tuple("left" if seat in left else str(ahead[seat] + 1) for seat in game.order)


def standings(game: Game, amounts: Mapping[int, int] | None = None) -> tuple[Standing, ...]:
    """All players in the order of their places, with `amounts` instead of their `money` if given."""
    beside = money(game) if amounts is None else amounts
    return tuple(_standing(game, place, game.players[seat], beside[seat]) for seat, place in places(game).items())


def _standing(game: Game, place: int, player: Player, amount: int) -> Standing:
    notes = [] if player.playing else ["left" if player.has_left else "out"]
    if player.buy_ins:
        notes.append(number_of(player.buy_ins, "buy-in"))
    return Standing(place, player, tuple(notes), money_format(game).amount(amount, plus=True) if game.stakes else "")
