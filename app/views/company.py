"""Who has played on this device: names to tap when a game is set up, and the faces they chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.kalooki.game.faces import Face, usual
from app.views import access

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMES = 12


def company() -> dict[str, Face | None]:
    """The players of the games last opened here, newest first, each with the face they chose; None for none chosen."""
    found: dict[str, Face | None] = {}
    known: set[str] = set()
    for table in access.tables_here():
        for player in table.game.players.values():
            if player.name.casefold() not in known and len(found) < MOST_NAMES:
                known.add(player.name.casefold())
                found[player.name] = player.face if player.face != usual(player.seat) else None
    return found


def faces_of(names: Sequence[str]) -> dict[int, dict[str, str | None]]:
    """By seat, the faces that players of these names chose in earlier games, except those their seats have anyway."""
    chosen = {name.casefold(): face for name, face in company().items() if face}
    worn = {seat: chosen.get(name.casefold(), usual(seat)) for seat, name in enumerate(names, 1)}
    return {seat: face._asdict() for seat, face in worn.items() if face != usual(seat)}
