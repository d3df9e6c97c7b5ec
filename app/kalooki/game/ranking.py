"""The ranking: the winners, then players still in, then those who are out, the last out first."""

from __future__ import annotations

from app.kalooki.game.finish import rank
from app.kalooki.game.state import Game, Player


def places(game: Game) -> dict[int, int]:
    """The place of each seat, the best first; tied players share a place."""
    ranks = {player.seat: _rank(game, player) for player in game.players.values()}
    ordered = sorted(ranks.values())
    found = {seat: ordered.index(rank) + 1 for seat, rank in ranks.items()}
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def ahead(game: Game) -> list[int]:
    """The seats in first place: the winners, or whoever leads so far."""
    return [seat for seat, place in places(game).items() if place == 1]


def _rank(game: Game, player: Player) -> tuple[bool, bool, tuple[bool, int, int]]:
    """Sorts winners first, even those of a decider, and players who went home last."""
    return bool(game.finish) and player.seat not in game.winners, player.has_left, rank(game, player)
