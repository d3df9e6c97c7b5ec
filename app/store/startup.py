"""Opens the database: inspects it, creates or upgrades it, and leaves one that is not ours untouched."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import command
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, current_app
from flask_migrate import Migrate

from app.store.changes import close_publisher, open_publisher
from app.store.database import FILE, IS_HELD
from app.store.earlier import keep_earlier, newest_of
from app.store.file import MAGIC, File, address, finish, is_whole, remove, require_own
from app.store.line import OwnLine
from app.store.tables import db
from app.store.trouble import Unavailable, noticed
from app.version import VERSION

MIGRATIONS = Path(__file__).parent.parent / "migrations"
_UPGRADE_LOCK = 0x4B414C4F  # "KALO": PostgreSQL's advisory lock while tables are changed
_UPGRADE_PATIENCE = 120.0
"""Seconds to wait for another process that upgrades the tables."""
_ON_CONNECT = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # somebody may pull the plug once the server has said "saved"
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrite what is deleted
    "PRAGMA recursive_triggers = ON",  # else INSERT OR REPLACE deletes without the trigger
)
_TO_POSTGRESQL = {
    # seconds to connect, and milliseconds without an answer: else a host that is gone is waited for by the minute
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
}
_VERSION = "alembic_version"
_DRAFT = re.compile(r"\.([^/]+)\.new$")
"""What a new database is called until its tables are made."""
_REFUSALS = {
    "damaged": "{place} is damaged; nothing was changed. See what is left of it: python3 -m app check."
    " Bring a backup back: python3 -m app restore FILE.",
    "empty": "{place} is empty: it was cut off, or is no database of Kalooki Referee; nothing was changed."
    " Bring a backup back: python3 -m app restore FILE. Or move the file away to begin anew.",
    "foreign": "{place} is no database of Kalooki Referee; nothing was changed. Name another one in DATABASE_URL.",
    "full": "There is no room left on the disk of {place}: make room, then try again.",
    "gone": "{place} is not there: name the right database in DATABASE_URL.",
    "locked": "{place} is held by another program: end that one, then try again.",
    "newer": "{place} was used by a newer release of Kalooki Referee, with tables of schema {schema}; nothing was"
    " changed. This is {version} with schema {own}. Install the newer release again, or go back to what was saved"
    " before it came: python3 -m app restore {copy}.",
    "read-only": "{place} cannot be written by this user: make it and its folder theirs, then try again.",
    "replaced": "{place} was replaced at this moment: try again.",
    "unreachable": "{place} does not answer: see whether it can be reached, and whether DATABASE_URL is right.",
}
NO_ADDRESS = "{name} is no address of a database: write it like sqlite:////srv/games.db or postgresql://user@host/name"
NO_DRIVER = 'PostgreSQL needs its driver: .venv/bin/pip install "psycopg[binary]"'
_NOT_KEPT = "not copied, because this is PostgreSQL; a backup or dump made before is the way back"


class CannotStart(SystemExit):
    """The database cannot be opened: the process ends with this one sentence, which says what to do."""


class Found(NamedTuple):
    """What is in a database: its tables, and the release that last used them, if known."""

    tables: frozenset[str]
    release: str | None


def init(app: Flask) -> None:
    """Add ``flask db`` with our migrations."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)


def open_database(app: Flask, *, must_exist: bool = False, even_damaged: bool = False, is_held: bool = False) -> None:
    """Connect `app` to its database, created or upgraded first; raises CannotStart.

    With `must_exist` it creates none; `even_damaged` opens one of this release despite damaged pages, to see what is
    left of it; one of PostgreSQL `is_held` by whoever keeps servers away from it. If several processes start at once,
    one does the work and the others wait.
    """
    try:
        db.init_app(app)
    except sa.exc.ArgumentError as cause:
        raise CannotStart(NO_ADDRESS.format(name="DATABASE_URL")) from cause
    except ModuleNotFoundError as cause:
        raise CannotStart(NO_DRIVER) from cause
    with app.app_context():
        engine = db.engine
        file = _file(engine, app.config["QUIET"])
        if file:
            require_own(file.path)
        app.extensions[FILE] = file
        app.extensions[IS_HELD] = is_held
        try:
            with noticed():
                if file:
                    _make(file, must_exist=must_exist, even_damaged=even_damaged)
                _connect(app, engine, file)
                if engine.dialect.name == "postgresql" and not is_held:
                    open_publisher(_line(engine))
        except Unavailable as trouble:
            close_database(app)
            raise CannotStart(_refusal(trouble, engine)) from trouble


def _refusal(trouble: Unavailable, engine: sa.Engine) -> str:
    """Why a database cannot be opened, and what to do, in one sentence."""
    place, known = _place(engine), [script.revision for script in _scripts().walk_revisions()]
    copy = newest_of(Path(place), known) if trouble.schema else None
    return _REFUSALS[trouble.reason].format(
        place=place, schema=trouble.schema, version=VERSION, own=schema(), copy=copy or "FILE"
    )


def is_open(app: Flask) -> bool:
    """Whether `app` has opened its database."""
    return FILE in app.extensions


def schema() -> str:
    """The tables that this release uses, as the number of the newest migration: 0010."""
    return str(_scripts().get_current_head())


def close_database(app: Flask) -> None:
    """Close the database, which then lies whole in its file."""
    file: File | None = app.extensions.pop(FILE, None)
    with app.app_context():
        close_publisher()
        db.engine.dispose()
    if file:
        file.close()


@contextmanager
def opened_beside(url: sa.URL, *, is_held: bool = False) -> Iterator[Flask]:
    """An application for another database than this one's, set up alike; raises CannotStart."""
    other = Flask("app", instance_path=current_app.instance_path)
    other.config.update(current_app.config, SQLALCHEMY_DATABASE_URI=url)
    init(other)
    open_database(other, is_held=is_held)
    try:
        yield other
    finally:
        close_database(other)


def look_at(path: Path, *, even_damaged: bool = False) -> None:
    """Raises Unavailable if an SQLite file is not one we can use, and never changes it."""
    if not _has_bytes(path):
        raise Unavailable("empty")
    with noticed(), _engine_to_read(path).connect() as connection:
        found = _found(connection)
        _require_ours(found)
        driver: Any = connection.connection.driver_connection
        if not (even_damaged and found.release == schema()) and not is_whole(driver):
            raise Unavailable("damaged")
        if found.release is None:
            raise Unavailable("empty")


def _has_bytes(path: Path) -> bool:
    """Whether there is anything in an SQLite file, found out without SQLite, which deletes the journal of an empty one.

    Raises Unavailable for any other file.
    """
    with noticed(), path.open("rb") as file:
        began = file.read(len(MAGIC))
    if began not in (MAGIC, b""):
        raise Unavailable("foreign")
    return bool(began)


def _place(engine: sa.Engine) -> str:
    """The database as a person would name it, without a password."""
    if engine.dialect.name != "sqlite":
        return engine.url.render_as_string(hide_password=True)
    return _DRAFT.sub(r"\1", str(engine.url.database))


def _connect(app: Flask, engine: sa.Engine, file: File | None) -> None:
    _prepare(engine, file)
    if not file:
        with engine.connect() as connection:
            _require_ours(_found(connection))
    with _upgrading(engine, file):
        _upgrade(app, file)
    if file:
        file.keep()


def _make(file: File, *, must_exist: bool, even_damaged: bool) -> None:
    """The file, which then exists and is ours."""
    if file.path.exists():
        look_at(file.path, even_damaged=even_damaged)
    elif must_exist:
        raise Unavailable("gone")
    elif _is_draft(file):
        file.make()
    else:
        _make_whole(file)
    file.hold()


def _make_whole(file: File) -> None:
    """Make a new database under another name: a start that is killed leaves none without its tables."""
    file.path.parent.mkdir(0o700, parents=True, exist_ok=True)
    with file.locked(_UPGRADE_PATIENCE):
        if file.path.exists():
            return
        draft = file.path.with_name(f".{file.path.name}.new")
        remove(draft)
        with opened_beside(sa.URL.create("sqlite", database=str(draft.absolute()))):
            pass
        finish(draft)
        draft.rename(file.path)
        remove(draft)


def _is_draft(file: File) -> bool:
    return file.path.name.startswith(".")


def _file(engine: sa.Engine, quiet: float) -> File | None:
    name = engine.url.database
    is_file = engine.dialect.name == "sqlite" and name and name != ":memory:"
    return File(Path(name), quiet) if is_file and name else None


def _prepare(engine: sa.Engine, file: File | None) -> None:
    """Set up every future connection."""
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _on_connect)
    else:
        sa.event.listen(engine, "do_connect", _to_postgresql)
    if file:
        sa.event.listen(engine, "do_connect", _on_file(file))


def _on_connect(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver leaves BEGIN to us
    for statement in _ON_CONNECT:
        connection.execute(statement)


def _to_postgresql(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
    options.update(_TO_POSTGRESQL | options)  # what the address says counts


def _line(engine: sa.Engine) -> OwnLine:
    """This server's own line to PostgreSQL; raises Unavailable."""
    options = {"hide_parameters": True, "poolclass": sa.NullPool, "isolation_level": "AUTOCOMMIT"}
    way = sa.create_engine(engine.url, **options)
    sa.event.listen(way, "do_connect", _to_postgresql)
    return OwnLine(way)


def _on_file(file: File) -> Any:
    def choose(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        file.require_same()
        arguments[0] = address(file.path, "rw")  # does not recreate a missing file
        options["uri"] = True

    return choose


def _engine_to_read(path: Path) -> sa.Engine:
    """SQLite on a file opened read-only."""
    return sa.create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(address(path, "ro"), uri=True), poolclass=sa.NullPool
    )


def _found(connection: sa.Connection) -> Found:
    """What is in a database; on PostgreSQL, which others may share, only tables named like ours."""
    tables = frozenset(sa.inspect(connection).get_table_names())
    if connection.dialect.name != "sqlite":
        tables &= {_VERSION, *db.metadata.tables}
    releases = MigrationContext.configure(connection).get_current_heads()
    return Found(tables, releases[0] if releases else None)


def _require_ours(found: Found) -> None:
    """Raises Unavailable unless the tables are ours or there are none yet."""
    known = {script.revision for script in _scripts().walk_revisions()}
    if found.release in known or (found.release is None and found.tables <= {_VERSION}):
        return
    if found.release is not None and found.tables >= {"game", "entry"}:
        raise Unavailable("newer", found.release)
    raise Unavailable("foreign")


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


@contextmanager
def _upgrading(engine: sa.Engine, file: File | None) -> Iterator[None]:
    """Let one process at a time check the tables' release and change them."""
    if engine.dialect.name != "postgresql":
        with file.locked(_UPGRADE_PATIENCE) if file else nullcontext():
            yield
        return
    with engine.begin() as connection:  # without a time-out: the process that upgrades may take its time
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
        yield


def _upgrade(app: Flask, file: File | None) -> None:
    """Bring the tables up to date; those of an earlier release are copied first."""
    with db.engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == schema():
        return
    if current and not (file and _is_draft(file)):  # a draft is a copy already
        kept = keep_earlier(file.path, current) if file else _NOT_KEPT
        app.logger.warning("%s goes from schema %s to %s. As it was: %s", _place(db.engine), current, schema(), kept)
    command.upgrade(app.extensions["migrate"].migrate.get_config(str(MIGRATIONS)), "head")
