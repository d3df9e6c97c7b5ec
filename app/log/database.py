"""The database: its tables, its transactions, and how it is brought up to date."""

from __future__ import annotations

import fcntl
import secrets
import sqlite3
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import current_app
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask
    from sqlalchemy.engine import Connection

Result = TypeVar("Result")

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 5 bits a letter; no I, O, 0, 1 to misread
CODE_LETTERS = 11
LONGEST_NAME = 60
ROLES = ("scorer", "watch", "player", "recovery")
APPEALS = ("referee", "pen")
MIGRATIONS = Path(__file__).parent.parent / "migrations"
_LOCK_FILE = "log_lock_file"
_UPGRADE_LOCK = 0x4B414C4F  # "KALO": PostgreSQL's advisory lock while tables are changed
_ON_CONNECT = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # the server has said "saved", and somebody pulls the plug
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # else INSERT OR REPLACE deletes without the trigger
)

db = SQLAlchemy(
    metadata=sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
)
game = sa.Table(
    "game",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("submission", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("signals", sa.Integer, nullable=False, server_default="0"),
    sa.Column("sealed_at", sa.Text),
)
entry = sa.Table(
    "entry",
    db.metadata,
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("submission", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.UniqueConstraint("game_id", "submission"),
)
grant = sa.Table(
    "grant",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False, index=True),
    sa.Column("role", sa.Text, sa.CheckConstraint(f"role IN {ROLES}", "role"), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("secret_hash", sa.Text, nullable=False, unique=True),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("revoked_at", sa.Text),
)
count = sa.Table(
    "count",
    db.metadata,
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("after_seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cards", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)
appeal = sa.Table(
    "appeal",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False, index=True),
    sa.Column("kind", sa.Text, sa.CheckConstraint(f"kind IN {APPEALS}", "kind"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False, server_default=""),
    sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
    sa.Column("answered_at", sa.Text),
)


class NoSuchGame(LookupError):
    """No game has this code."""


class BackupRefused(Exception):
    """This database cannot be copied into a file; the message says what to do instead."""


def open_database(app: Flask) -> None:
    """Connect `app` to its database, made or brought up to date first.

    Several processes may start at once: one does it, the others wait.
    """
    db.init_app(app)
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)
    with app.app_context():
        app.extensions[_LOCK_FILE] = None
        if db.engine.dialect.name == "sqlite":
            app.extensions[_LOCK_FILE] = _prepare_sqlite()
        with _upgrading():
            _upgrade(app)


def _prepare_sqlite() -> Path | None:
    """Set up every connection to come; returns the file that writers lock."""
    event.listen(db.engine, "connect", _on_connect)
    event.listen(db.engine, "begin", _on_begin)
    name = db.engine.url.database
    if not name or name == ":memory:":
        return None
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.with_name(path.name + ".lock")


def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver leaves BEGIN to us
    for pragma in _ON_CONNECT:
        connection.execute(pragma)


def _on_begin(connection: Connection) -> None:
    # a transaction that reads first and writes later fails at once when another one wrote
    # between, whatever the time-out: writers queue up before their first statement
    is_writing = connection.get_execution_options().get("is_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


@contextmanager
def reading() -> Iterator[Connection]:
    """A connection whose statements all see the same moment."""
    with db.engine.connect() as connection:
        yield connection


@contextmanager
def _writing() -> Iterator[Connection]:
    """A transaction that may write, committed at the end unless something was raised."""
    with (
        _turn(),
        db.engine.connect().execution_options(is_writing=True) as connection,
        connection.begin(),
    ):
        yield connection


def write(work: Callable[[Connection], Result]) -> Result:
    """Do `work` in one transaction and return its result.

    When the database refuses because another process was first with the same submission, the
    work is done once more: now the row is there to be found.
    """
    try:
        with _writing() as connection:
            return work(connection)
    except IntegrityError:
        with _writing() as connection:
            return work(connection)


def locked_game(connection: Connection, code: str) -> int:
    """A game's id; on PostgreSQL its row is locked, so that writers take turns."""
    statement = sa.select(game.c.id).where(game.c.code == code).with_for_update()
    game_id: int | None = connection.execute(statement).scalar() if is_code(code) else None
    if game_id is None:
        raise NoSuchGame(code)
    return game_id


@contextmanager
def _turn() -> Iterator[None]:
    """Let the writers of one SQLite file take turns, threads and processes alike.

    SQLite's own waiting is a lottery with long losers; the system's file lock is a queue. Each
    caller opens the file itself, so the lock also holds between threads.
    """
    path: Path | None = current_app.extensions[_LOCK_FILE]
    if path is None:
        yield
        return
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def _upgrading() -> Iterator[None]:
    """Only one process at a time looks at the tables' release and changes them."""
    if db.engine.dialect.name != "postgresql":
        with _turn():
            yield
        return
    with db.engine.connect() as connection:
        connection.execute(sa.select(sa.func.pg_advisory_lock(_UPGRADE_LOCK)))
        try:
            yield
        finally:
            connection.execute(sa.select(sa.func.pg_advisory_unlock(_UPGRADE_LOCK)))


def _upgrade(app: Flask) -> None:
    config = app.extensions["migrate"].migrate.get_config(str(MIGRATIONS))
    with db.engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current != ScriptDirectory.from_config(config).get_current_head():
        command.upgrade(config, "head")


def ping() -> None:
    """Raise what the database raises when it cannot be reached."""
    with reading() as connection:
        connection.execute(sa.select(1))


def backup(target: Path) -> None:
    """Copy the running SQLite database into the new file `target`, consistent as of now."""
    if db.engine.dialect.name != "sqlite":
        raise BackupRefused("use pg_dump: this copies SQLite databases only")
    if target.exists():
        raise BackupRefused(f"{target} exists: name a new file")
    try:
        with reading() as connection, closing(sqlite3.connect(target)) as copy:
            source: Any = connection.connection.driver_connection
            source.backup(copy)
    except sqlite3.Error as cause:
        raise BackupRefused(f"{target} cannot be written: {cause}") from cause


def now() -> str:
    """The time in UTC to the second, as every table keeps it: 2025-12-31T20:15:00Z."""
    return _clock().strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_since(at: str) -> int:
    """How long ago one of our own times was; negative where the clock has been put back since."""
    return int((_clock() - datetime.fromisoformat(at)).total_seconds())


def _clock() -> datetime:
    told: datetime = current_app.config["CLOCK"]()
    return told


def is_code(text: str) -> bool:
    """Whether `text` could be the code of a game."""
    return len(text) == CODE_LETTERS and set(text) <= set(ALPHABET)


def letters(count: int) -> str:
    """`count` letters nobody can guess, 5 bits each, easy to read out and to type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def shown(name: str) -> str:
    """A name as it can be shown and stored: printable characters, not too many.

    >>> shown("Ann's phone" + chr(0))
    "Ann's phone"
    """
    return "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME].strip()
