"""Checks the database itself; whether its games can be played is for others to say."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from app.store.database import reading
from app.store.models import Entry, Game, db
from app.store.trouble import Unavailable

_OF_SQLITE = {
    "PRAGMA integrity_check": "the file: {0}",
    'SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY 1': "{1} of table {0} belong to no game",
}
_NUMBERED = (
    sa.select(Game.code)
    .outerjoin(Entry)
    .group_by(Game.id, Game.code, Game.length)
    .having(sa.or_(sa.func.coalesce(sa.func.max(Entry.seq), 0) != Game.length, sa.func.count() != Game.length))
)


def check() -> Iterator[str]:
    """Yield what is wrong with the database, in words."""
    checks: list[tuple[sa.Executable, str]] = [(_NUMBERED, "the entries of {0} are not numbered from 1 without a gap")]
    if db.engine.dialect.name == "sqlite":
        checks = [*((sa.text(statement), text) for statement, text in _OF_SQLITE.items()), *checks]
    for statement, text in checks:
        try:
            with reading() as connection:
                yield from (text.format(*row) for row in connection.execute(statement).all() if row[0] != "ok")
        except Unavailable as trouble:
            yield str(trouble)
