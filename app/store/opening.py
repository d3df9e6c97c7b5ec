"""Open the database: inspect it, create or upgrade it, and leave one that is not ours untouched."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, current_app
from flask_migrate import Migrate

from app.store.database import FILE, WRITES, Entry, Game, begin_on_sqlite, db, engine_of, fetch, reading
from app.store.file import MAGIC, File, connect, copy_whole, draft_of, require_whole
from app.store.trouble import Unavailable, translating_errors

_LOG = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).parent.parent / "migrations"
_UPGRADE_LOCK = 0x4B414C4F  # "KALO": PostgreSQL's advisory lock while tables are changed
_UPGRADE_PATIENCE = 120
"""Seconds to wait for another process that upgrades the tables."""
_TO_POSTGRESQL = {
    # seconds to connect, and milliseconds without an answer: otherwise a dead host is waited for by the minute
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "options": "-c lock_timeout=10s",
}
_NO_ADDRESS = (
    "DATABASE_URL is not a valid address of a database: write it like sqlite:////srv/games.db or"
    ' postgresql://user@host/name, which needs its driver: .venv/bin/pip install "psycopg[binary]"'
)


def init(app: Flask) -> None:
    """Add ``flask db`` with our migrations."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)


def open_database(app: Flask, *, must_exist: bool = False, even_damaged: bool = False) -> None:
    """Connect `app` to its database, after creating or upgrading it; raises SystemExit.

    With `must_exist` no database is created; with `even_damaged` one with damaged pages is opened, to see what is left
    of it. If several processes start at once, one does the work and the others wait.
    """
    with app.app_context():
        url, file = locate(app.config["SQLALCHEMY_DATABASE_URI"])
        usual = {name: value for name, value in _TO_POSTGRESQL.items() if name not in url.query}
        own = {"creator": partial(connect, file.path, "rw")} if file else {"connect_args": usual}
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = app.config["SQLALCHEMY_ENGINE_OPTIONS"] | own
        db.init_app(app)
        app.extensions[FILE] = file
        try:
            with translating_errors():
                if file:
                    _make_ready(file, must_exist=must_exist, even_damaged=even_damaged)
                    file.watch()
                    sa.event.listen(db.engine, "begin", begin_on_sqlite)
                else:
                    _upgrade(db.engine)
        except Unavailable as trouble:
            close_database(app)
            place = file.path if file else url.render_as_string()
            raise SystemExit(f"{place}: {trouble} Nothing was changed.") from trouble


def locate(address: str) -> tuple[sa.URL, File | None]:
    """Return the URL in a database's address, and its file unless it is PostgreSQL; raises SystemExit."""
    with suppress(sa.exc.ArgumentError, ModuleNotFoundError):
        url = sa.make_url(address)
        url.get_dialect().import_dbapi()
        if url.get_backend_name() == "postgresql":
            return url, None
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            return url, File(Path(current_app.instance_path, str(url.database)))
    raise SystemExit(_NO_ADDRESS)


def is_open(app: Flask) -> bool:
    """Return whether `app` has opened its database."""
    return FILE in app.extensions


def schema() -> str:
    """Return the number of the newest migration, such as 0016."""
    return str(_scripts().get_current_head())


def close_database(app: Flask) -> None:
    """Close the database; after that, its file alone contains everything."""
    file: File | None = app.extensions.pop(FILE, None)
    with app.app_context():
        db.engine.dispose()
    if file:
        file.close()


def require_ours(path: Path) -> None:
    """Raise Unavailable unless an existing SQLite file is undamaged and this release can use it; never changes it."""
    _schema_of(path)
    with translating_errors(), closing(connect(path, "ro")) as connection:
        require_whole(connection)


def _schema_of(path: Path) -> str | None:
    """Return the schema of a file's tables, None where there is no file; raises Unavailable if they are not ours."""
    if not path.exists():
        return None
    with translating_errors():
        with path.open("rb") as file:  # SQLite itself would delete the journal of an empty file
            start = file.read(len(MAGIC))
        if start == MAGIC:
            with engine_of(path, "ro").connect() as connection:
                if current := schema_in(connection):
                    return current
    raise Unavailable("foreign")


def schema_in(connection: sa.Connection) -> str | None:
    """Return the schema of a database's tables, None where there are none; raises Unavailable if they are not ours."""
    tables = set(sa.inspect(connection).get_table_names()) & set(db.metadata.tables)  # others may be here too
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None and not tables:
        return None
    if current not in {script.revision for script in _scripts().walk_revisions()}:
        if not current or not tables >= {"game", "entry"}:
            raise Unavailable("foreign")
        raise Unavailable("older" if current < schema() else "newer")
    return current


def _make_ready(file: File, *, must_exist: bool, even_damaged: bool) -> None:
    """Create or upgrade the file if necessary, while nobody else uses it; then share it with others."""
    file.require_own()
    if file.path.exists() and not even_damaged:
        require_ours(file.path)
    elif (must_exist or file.was_used()) and not file.path.exists():
        raise Unavailable("gone")
    until = time.monotonic() + _UPGRADE_PATIENCE
    while _schema_of(file.path) != schema() or not file.lock(alone=False):
        if time.monotonic() > until:
            raise Unavailable("locked")
        if file.lock(alone=True):
            _make_or_upgrade(file.path)
        time.sleep(0.05)
    file.remove_drafts()


def _make_or_upgrade(path: Path) -> None:
    current = _schema_of(path)
    if current is None:
        with draft_of(path) as draft:
            _upgrade(engine_of(draft, "rw"))
    elif current != schema():  # otherwise another process was first
        copy = path.with_name(f"{path.name}.schema-{current}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
        with closing(connect(path, "ro")) as source, draft_of(copy) as draft:
            copy_whole(source, draft)
        try:
            _upgrade(engine_of(path, "rw"))
        except Exception:  # nothing was changed: the next start makes a copy again
            copy.unlink()
            raise


def _upgrade(engine: sa.Engine) -> None:
    """Bring the tables up to date in one transaction, one process at a time."""
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text(f"SET LOCAL lock_timeout = '{_UPGRADE_PATIENCE}s'"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
        if (current := schema_in(connection)) != schema():
            if current:
                _LOG.warning("The database goes from schema %s to %s; only a file is copied first", current, schema())
            migrate(connection)


def migrate(connection: sa.Connection) -> None:
    """Create our tables, or bring them up to date, within the transaction of a connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    try:
        command.upgrade(config, "head")
    except (KeyError, sa.exc.ProgrammingError) as cause:  # the tables are not those of the schema they claim to have
        raise Unavailable("damaged") from cause


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


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
    """Return how many games and clubs, and how many entries, are in a file; raises Unavailable."""
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
            file.mark_used()
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
