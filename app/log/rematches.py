"""Rematches: the game in which a table plays on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change, signal
from app.log.database import game, is_code, reading

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

_BEFORE = game.alias("before")
_AFTER = (
    sa.select(game.c.code)
    .join(_BEFORE, game.c.rematch_of == _BEFORE.c.id)
    .where(_BEFORE.c.code == sa.bindparam("code"))
    .order_by(game.c.id.desc())
)


def play_on(code: str, rematch: str) -> None:
    """Note that the table of the game `code` plays on in the game `rematch`, and tell every phone that shows `code`.

    Raises `NoSuchGame`, and `RightGone` if a right this request relies on was revoked.
    """

    def note(connection: Connection, game_id: int) -> None:
        connection.execute(sa.update(game).where(game.c.code == rematch).values(rematch_of=game_id))
        signal(connection, game_id)

    change(code, note)


def rematch_of(code: str) -> str | None:
    """The code of the newest game in which the table of the game `code` plays on."""
    if not is_code(code):
        return None
    with reading() as connection:
        found: str | None = connection.execute(_AFTER, {"code": code}).scalar()
    return found
