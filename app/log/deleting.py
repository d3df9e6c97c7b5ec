"""Deletes a game for good: every row of it, and what SQLite would leave of them in its file and its journal."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change
from app.log.database import appeal, count, entry, file_in_use, game, grant, opinion, proposal, reading
from app.log.trouble import Unavailable, noticed

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


def delete(code: str) -> None:
    """Delete a game with everything the database has of it; raises `NoSuchGame` and `RightGone`."""
    change(code, _erase)
    _clear_journal()


def unused_since(at: str) -> tuple[str, ...]:
    """The codes of the games begun and last recorded in before a time in UTC, oldest first."""
    last = sa.func.max(entry.c.at)
    of_each = sa.select(game.c.code).join(entry).group_by(game.c.id, game.c.code, game.c.created_at)
    unused = of_each.having(game.c.created_at < at, last < at).order_by(game.c.id)
    with reading() as connection:
        return tuple(connection.execute(unused).scalars())


def _erase(connection: Connection, game_id: int) -> None:
    for table in (count, appeal, opinion, proposal, grant):
        connection.execute(sa.delete(table).where(table.c.game_id == game_id))
    # the trigger lets the entries of a game go that has no newest one any more
    connection.execute(sa.update(game).where(game.c.id == game_id).values(head=""))
    connection.execute(sa.delete(entry).where(entry.c.game_id == game_id))
    connection.execute(sa.delete(game).where(game.c.id == game_id))


def _clear_journal() -> None:
    """Write SQLite's journal into the file and empty it, as it still holds the pages of before.

    What keeps it from that now is no reason to call the game not deleted: the next deletion clears it as well.
    """
    file = file_in_use()
    if file:
        with suppress(Unavailable), noticed(), file.turn():
            file.empty_journal()
