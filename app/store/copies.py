"""The database as a whole: check it, back it up, restore a backup, copy it to the other engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from flask import current_app

from app.store.database import WRITES, engine_of, fetch, reading
from app.store.file import File, connect, copy_whole, draft_of
from app.store.models import Entry, Game, db
from app.store.opening import locate, migrate, schema, schema_in
from app.store.trouble import Unavailable, translating_errors

_ON_SQLITE: dict[sa.Executable, str] = {
    sa.text("PRAGMA integrity_check"): "the file: {0}",
    sa.text('SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY 1'): "{1} of table {0} belong to no game",
}
_NUMBERED = (
    sa.select(Game.code)
    .outerjoin(Entry)
    .group_by(Game.id, Game.code, Game.length)
    .having(sa.or_(sa.func.coalesce(sa.func.max(Entry.seq), 0) != Game.length, sa.func.count() != Game.length))
)
_ON_BOTH: dict[sa.Executable, str] = {_NUMBERED: "the entries of {0} are not numbered from 1 without a gap"}

_SIZE = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM entry)"


def own_file() -> File:
    """Return the application's file, opened or not; raises SystemExit for PostgreSQL or a file of another user."""
    _, file = locate(current_app.config["SQLALCHEMY_DATABASE_URI"])
    if file is None:
        raise SystemExit("PostgreSQL has its own programs for that: pg_dump and pg_restore, as docs/running.md shows")
    file.require_own()
    return file


@translating_errors()
def backup(target: Path) -> None:
    """Copy the running database, as it is now, to the file `target`; raises Unavailable."""
    with closing(connect(own_file().path, "ro")) as source, draft_of(target) as draft:
        copy_whole(source, draft)


@translating_errors()
def size_of_file(path: Path) -> tuple[int, int]:
    """Return how many games and entries are in a file; raises Unavailable."""
    with closing(connect(path, "ro")) as connection:
        games, entries = connection.execute(_SIZE).fetchone()
    return games, entries


@translating_errors()
def restore(source: Path) -> Path | None:
    """Replace the database file by a copy of a backup, and return where the old file is now; None if there was none.

    The old file is moved with its journal. If the process is killed halfway, there is no database, and the next start
    says so; a database never ends up next to the journal of another. Raises Unavailable if the backup is not whole, and
    SystemExit while a server runs.
    """
    file = own_file()
    aside = File(file.beside(f".{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"))
    with closing(file), closing(connect(source, "ro")) as backup:
        if not file.lock(alone=True):
            raise SystemExit(f"{file.path} is in use: stop the server first, then try again")
        with draft_of(file.path) as draft:
            copy_whole(backup, draft)
            file.mark()
            endings = [ending for ending in ("", "-wal", "-shm") if file.beside(ending).exists()]
            for ending in endings:
                aside.beside(ending).hardlink_to(file.beside(ending))
            for ending in endings:
                file.beside(ending).unlink()
    return aside.path if "" in endings else None


@translating_errors()
def copy_to(address: str) -> None:
    """Copy all rows, as they are now, to an empty database of either engine; raises Unavailable and SystemExit."""
    url, file = locate(address)
    if not file:
        _fill(sa.create_engine(url, poolclass=sa.NullPool))
    elif file.path.exists():
        raise SystemExit(f"{file.path} exists: name a new file")
    else:
        with draft_of(file.path) as draft:
            _fill(engine_of(draft, "rw"))


def _fill(engine: sa.Engine) -> None:
    with reading() as source, engine.connect().execution_options(**WRITES) as target, target.begin():
        if source.dialect.name == "postgresql":  # on SQLite a transaction has one snapshot anyway
            source.execution_options(isolation_level="REPEATABLE READ")
        current = schema_in(target)
        if current not in (None, schema()) or (current and target.scalar(sa.select(Game.id).limit(1))):
            raise SystemExit(f"{engine.url.render_as_string()} is not empty: name another database")
        migrate(target)
        for table in db.metadata.sorted_tables:
            every_row = sa.select(table).order_by(*table.primary_key)
            for rows in source.execute(every_row, execution_options={"yield_per": 1_000}).mappings().partitions():
                target.execute(sa.insert(table), [dict(row) for row in rows])
            number = table.autoincrement_column
            if target.dialect.name == "postgresql" and number is not None:  # SQLite continues the numbers by itself
                sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', number.name)
                target.execute(sa.select(sa.func.setval(sequence, sa.select(sa.func.max(number)).scalar_subquery())))


def check() -> Iterator[str]:
    """Yield a description of everything that is wrong with the database."""
    for statement, text in (_ON_SQLITE | _ON_BOTH if db.engine.dialect.name == "sqlite" else _ON_BOTH).items():
        try:
            yield from (text.format(*row) for row in fetch(statement) if row[0] != "ok")
        except Unavailable as trouble:
            yield str(trouble)
