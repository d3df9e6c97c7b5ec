"""Checks all games, one at a time, so that damage to one hides nothing in the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from app.log.chain import LINKED, breaks
from app.log.database import db, entry, game, reading
from app.log.trouble import Unavailable

_GAMES = sa.select(game.c.id, game.c.code, game.c.created_at, game.c.head).order_by(game.c.id)


class Checked(NamedTuple):
    """A game and what is wrong with its rows, in words; the code is empty for rows of no game."""

    code: str
    damage: tuple[str, ...]


def check() -> Iterator[Checked]:
    """Every game; before them what is wrong with the file, after them rows of no game."""
    if damage := _of_file():
        yield Checked("", damage)
    for each in _games():
        yield each if isinstance(each, Checked) else Checked(each.code, _of_game(each))
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


def _games() -> Iterator[sa.Row[Any, Any, Any, Any] | Checked]:
    """All games; one by one if they cannot all be read at once."""
    try:
        with reading() as connection:
            found = connection.execute(_GAMES).all()
    except Unavailable:
        found = None
    if found is not None:
        yield from found
        return
    for game_id in range(1, _highest() + 1):
        try:
            with reading() as connection:
                yield from connection.execute(_GAMES.where(game.c.id == game_id)).all()
        except Unavailable:
            yield Checked("", (f"game number {game_id} cannot be read",))


def _highest() -> int:
    """The highest number of a game, from whatever can still be read."""
    numbers = [0]
    for column in (game.c.id, entry.c.game_id):
        try:
            with reading() as connection:
                numbers.append(connection.execute(sa.select(sa.func.max(column))).scalar() or 0)
        except Unavailable:
            continue
    return max(numbers)


def _of_game(found: sa.Row[Any, Any, Any, Any]) -> tuple[str, ...]:
    columns = [entry.c[name] for name in (*LINKED, "hash")]
    statement = sa.select(*columns).where(entry.c.game_id == found.id).order_by(entry.c.seq)
    try:
        with reading() as connection:
            rows = connection.execute(statement).mappings().all()
    except Unavailable:
        return ("its entries cannot be read",)
    return tuple(breaks(found.id, found.created_at, found.head, [{**row} for row in rows]))


def _of_no_game() -> tuple[str, ...]:
    """Rows of games that do not exist; PostgreSQL rejects these."""
    if db.engine.dialect.name != "sqlite":
        return ()
    try:
        with reading() as connection:
            lost = Counter(row[0] for row in connection.execute(sa.text("PRAGMA foreign_key_check")))
    except Unavailable:
        return ("what belongs to no game cannot be read",)
    return tuple(f"{count} of table {name} belong to no game" for name, count in sorted(lost.items()))
