"""Deletes a game for good: all its rows, and whatever SQLite would keep of them in its file and its journal."""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy as sa

from app.store.changes import changing
from app.store.database import file_in_use, reading, unused
from app.store.gone import mark_gone
from app.store.tables import db, entry, game
from app.store.trouble import Unavailable, noticed


def delete(code: str, unused_for: int = 0) -> bool:
    """Delete a game and everything the database has about it; raises `NoSuchGame` and `RightGone`.

    With `unused_for`, only if nothing was recorded for so many days; returns False if something was.
    """
    with changing(code) as (connection, locked):
        if unused_for and not connection.execute(unused(unused_for).where(game.c.id == locked.id)).first():
            return False
        _erase(connection, locked.id)
        mark_gone(connection, code)
    _clear_journal()
    return True


def unused_for(days: int) -> tuple[str, ...]:
    """The codes of games that began, and had their last entry, more than `days` days ago; oldest first."""
    with reading() as connection:
        return tuple(connection.execute(unused(days)).scalars())


def _erase(connection: sa.Connection, game_id: int) -> None:
    for table in db.metadata.sorted_tables[::-1]:
        if "game_id" in table.c and table is not entry:
            connection.execute(sa.delete(table).where(table.c.game_id == game_id))
    before = sa.select(game.c.rematch_of).where(game.c.id == game_id).scalar_subquery()
    connection.execute(sa.update(game).where(game.c.id == before).values(signals=game.c.signals + 1))
    connection.execute(sa.update(game).where(game.c.rematch_of == game_id).values(rematch_of=None))
    # its entries go with it: a trigger keeps them as long as there is a game
    connection.execute(sa.delete(game).where(game.c.id == game_id))


def _clear_journal() -> None:
    """Write SQLite's journal into the file and empty it, because it still holds the old pages.

    If that fails now, the game is deleted all the same, and the journal is cleared at the next quiet moment.
    """
    file = file_in_use()
    if file:
        with suppress(Unavailable), noticed(), file.locked():
            file.fold_in()
