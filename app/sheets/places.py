"""Who stands where: the winners, then the best totals, those who are out last."""

from __future__ import annotations

from app.kalooki.game.play import Game
from app.kalooki.game.state import Player


def places(game: Game) -> dict[int, int]:
    """The place of each seat, the best first; who stands level shares a place."""
    ranks = {player.seat: _rank(game, player) for player in game.players.values()}
    ordered = sorted(ranks.values())
    found = {seat: ordered.index(rank) + 1 for seat, rank in ranks.items()}
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def ahead(game: Game) -> list[int]:
    """The seats in the first place: who has won, or who leads so far."""
    return [seat for seat, place in places(game).items() if place == 1]


def _rank(game: Game, player: Player) -> tuple[bool, bool, int]:
    sign = -1 if game.variant.scoring == "winner_collects" else 1
    return bool(game.finish) and player.seat not in game.winners, not player.playing, sign * player.total
