"""Who stands where: the winners, then who is still in, then who went out, the last out first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.i18n import _, ngettext
from app.kalooki.game.finish import rank
from app.kalooki.game.play import Game
from app.kalooki.game.state import Player
from app.kalooki.money import written


class Standing(NamedTuple):
    """How one player stands: the place, notes such as “out”, and their money in words (empty without money)."""

    place: int
    player: Player
    notes: tuple[str, ...]
    money: str


def places(game: Game) -> dict[int, int]:
    """The place of each seat, the best first; who stands level shares a place."""
    ranks = {player.seat: _rank(game, player) for player in game.players.values()}
    ordered = sorted(ranks.values())
    found = {seat: ordered.index(rank) + 1 for seat, rank in ranks.items()}
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def ahead(game: Game) -> list[int]:
    """The seats in the first place: who has won, or who leads so far."""
    return [seat for seat, place in places(game).items() if place == 1]


def money(game: Game) -> dict[int, int]:
    """What stands beside each player, in minor units: once the game is over what they won or lost in it.

    Payments at the end leave that as it is. While the game runs it is the balance, with what was paid in advance.
    """
    return game.won if game.finish else game.balances


def standings(game: Game, amounts: Mapping[int, int] | None = None) -> tuple[Standing, ...]:
    """Everybody in the order of their places, with these amounts in place of their `money`."""
    beside = money(game) if amounts is None else amounts
    return tuple(_standing(game, place, game.players[seat], beside[seat]) for seat, place in places(game).items())


def _standing(game: Game, place: int, player: Player, amount: int) -> Standing:
    notes = [] if player.playing else [_("left") if player.has_left else _("out")]
    if player.buy_ins:
        notes.append(ngettext("{n} buy-in", "{n} buy-ins", player.buy_ins).format(n=player.buy_ins))
    return Standing(place, player, tuple(notes), written(amount, plus=True) if game.stakes else "")


def _rank(game: Game, player: Player) -> tuple[bool, bool, tuple[bool, int, int]]:
    """A winner comes first, even of a decider, and who went home comes last."""
    return bool(game.finish) and player.seat not in game.winners, player.has_left, rank(game, player)
