"""The database as a whole: check it, back it up, restore a backup, copy it to the other engine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from app.store.database import WRITES, engine_of, file_in_use, reading
from app.store.file import File, connect, copy_whole, draft_of, sync_folder, with_ending
from app.store.models import Entry, Game, db
from app.store.opening import address_in_use, explaining_address, file_of, migrate, require_ours, schema, schema_in
from app.store.trouble import Unavailable, translating_errors

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
_BY_ITSELF = "PostgreSQL has programs of its own for that: pg_dump and pg_restore, as docs/running.md shows"


def backup(target: Path) -> str:
    """Copy the running database to the new file `target`, whole and as of now; returns how much that is."""
    file = file_in_use()
    if file is None:
        raise SystemExit(_BY_ITSELF)
    if not target.parent.is_dir():
        raise SystemExit(f"{target} cannot be written: there is no folder {target.parent}")
    with _refusing(f"{target} cannot be written"), closing(file.connect()) as source:
        copy_whole(source, _new(target))
    return size_of_file(target)


def size_of_file(path: Path) -> str:
    """Return how many games and entries are in a file, in words."""
    try:
        with closing(connect(path, "ro")) as connection:
            games, entries = connection.execute(
                "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM entry)"
            ).fetchone()
    except sqlite3.Error:
        return "cannot be read"
    return f"{games} {'game' if games == 1 else 'games'}, {entries} {'entry' if entries == 1 else 'entries'}"


@contextmanager
def restoring(source: Path) -> Iterator[File]:
    """Check the backup `source`, and keep servers away from the app's own file meanwhile; raises SystemExit."""
    file = file_of(address_in_use())
    if file is None:
        raise SystemExit(_BY_ITSELF)
    if not source.exists():
        raise SystemExit(f"{source} is not there")
    if file.path.exists() and source.samefile(file.path):
        raise SystemExit(f"{source} is the database itself: name a backup")
    with _refusing(source):
        require_ours(source)
    with closing(file), _refusing(file.path):
        file.require_own()
        if not file.lock(alone=True):
            raise SystemExit(f"{file.path} is in use: stop the server first, then try again")
        yield file


def restore(source: Path, file: File) -> Path | None:
    """Put a copy of `source` in the place of a file, which is moved aside with its journal; returns where to.

    Killed in between, there is no database, and a start says so: never one beside the journal of another.
    """
    fresh = file.path.with_name(f".{file.path.name}.restoring")
    fresh.unlink(missing_ok=True)
    with closing(connect(source, "ro")) as connection:
        copy_whole(connection, fresh)
    aside = file.path.with_name(f"{file.path.name}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
    there = [ending for ending in ("", "-wal", "-shm") if with_ending(file.path, ending).exists()]
    if there:
        file.mark()
    for ending in there:
        with_ending(aside, ending).hardlink_to(with_ending(file.path, ending))
    for ending in there:
        with_ending(file.path, ending).unlink()
    fresh.rename(file.path)
    sync_folder(file.path)
    return aside if "" in there else None


def copy_to(address: str) -> None:
    """Copy all rows, as they are now, into an empty database of either engine; raises SystemExit."""
    with explaining_address():
        url = sa.make_url(address)
        file, engine = file_of(url), sa.create_engine(url, poolclass=sa.NullPool)
    with _refusing(url.render_as_string()):
        if not file:
            _fill(engine)
            return
        with draft_of(_new(file.path)) as draft:
            _fill(engine_of(draft, "rw"))


def _new(path: Path) -> Path:
    if path.exists():
        raise SystemExit(f"{path} exists: name a new file")
    return path


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
            result = source.execute(every_row, execution_options={"yield_per": 1_000})
            for rows in result.mappings().partitions():
                target.execute(sa.insert(table), [dict(row) for row in rows])
            if target.dialect.name == "postgresql" and table.autoincrement_column is not None:
                _count_on(target, table, table.autoincrement_column)


def _count_on(target: sa.Connection, table: sa.Table, number: sa.Column[int]) -> None:
    """Let PostgreSQL number the next row after the highest there is, as SQLite does by itself."""
    sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', number.name)
    target.execute(sa.select(sa.func.setval(sequence, sa.select(sa.func.max(number)).scalar_subquery())))


@contextmanager
def _refusing(what: object) -> Iterator[None]:
    """Turn trouble into a refusal that first says what is refused."""
    try:
        with translating_errors():
            yield
    except Unavailable as trouble:
        raise SystemExit(f"{what}: {trouble}") from trouble
    except (sa.exc.IntegrityError, sa.exc.DataError) as cause:
        raise SystemExit(f"{what} takes no such row: {str(cause.orig).partition(chr(10))[0]}") from cause


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
