"""Checks all games, one at a time, so that damage to one hides nothing in the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from app.store.database import reading
from app.store.tables import db, entry, game
from app.store.trouble import Unavailable

_GAMES = sa.select(game.c.id, game.c.code).order_by(game.c.id)


class Checked(NamedTuple):
    """A game, or (without a code) what is wrong with rows of none, in words."""

    code: str
    damage: tuple[str, ...]


def check() -> Iterator[Checked]:
    """Every game; before them what is wrong with the file, after them rows of no game."""
    if damage := _of_file():
        yield Checked("", damage)
    for each in _games():
        yield each if isinstance(each, Checked) else Checked(each.code, ())
    if damage := _of_no_game():
        yield Checked("", damage)


def _of_file() -> tuple[str, ...]:
    """The faults SQLite itself finds; PostgreSQL has its own tools for that."""
    if db.engine.dialect.name != "sqlite":
        return ()
    try:
        with reading() as connection:
            said = connection.execute(sa.text("PRAGMA integrity_check")).scalars().all()
    except Unavailable as trouble:
        return (str(trouble),)
    return tuple(f"the file: {line}" for line in said if line != "ok")


def _found(statement: sa.Executable) -> Sequence[sa.Row[Any]] | None:
    """The rows that a statement finds; None if they cannot be read."""
    try:
        with reading() as connection:
            return connection.execute(statement).all()
    except Unavailable:
        return None


def _games() -> Iterator[sa.Row[Any] | Checked]:
    """All games; one by one if they cannot all be read at once."""
    found = _found(_GAMES)
    if found is not None:
        yield from found
        return
    for game_id in range(1, _highest() + 1):
        unreadable = Checked("", (f"game number {game_id} cannot be read",))
        one = _found(_GAMES.where(game.c.id == game_id))
        yield from [unreadable] if one is None else one


def _highest() -> int:
    """The highest number of a game, from whatever can still be read."""
    found = (_found(sa.select(sa.func.max(column))) for column in (game.c.id, entry.c.game_id))
    return max((rows[0][0] or 0 for rows in found if rows), default=0)


def _of_no_game() -> tuple[str, ...]:
    """Rows of games that do not exist; PostgreSQL rejects these."""
    if db.engine.dialect.name != "sqlite":
        return ()
    rows = _found(sa.text("PRAGMA foreign_key_check"))
    if rows is None:
        return ("what belongs to no game cannot be read",)
    lost = Counter(row[0] for row in rows)
    return tuple(f"{count} of table {name} belong to no game" for name, count in sorted(lost.items()))
