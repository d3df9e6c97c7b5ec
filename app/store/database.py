"""The database: its transactions, and what is written into every table: codes, times, names."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from flask import current_app

from app.store.file import File
from app.store.tables import db, entry, game, pulse
from app.store.trouble import Unavailable, noticed

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 5 bits a letter; no I, O, 0 or 1, which people misread
CODE_LETTERS = 11
FILE = "log_file"
IS_HELD = "log_is_held"
"""The key of whether this application is one that keeps servers away from its database."""
IN_USE_LOCK = 0x4B414C55
"""PostgreSQL's advisory lock ("KALU") of who uses a database: every server for as long as it runs and in whatever it
writes, or one who moves it."""
SHARED = sa.func.pg_try_advisory_xact_lock_shared(IN_USE_LOCK)
"""Whether servers may write now; whoever would move the database then waits for the end of the transaction."""

_LOCKED = sa.select(game.c.id).where(game.c.code == sa.bindparam("code")).with_for_update()
AT_ONCE = "BEGIN IMMEDIATE"
"""How writers begin: one that read first and wrote later would fail at once if another one wrote in between, whatever
the time-out. So they queue up before their first statement."""
_SHARE = sa.select(sa.func.set_config("lock_timeout", "10s", sa.true()), SHARED)


class NoSuchGame(LookupError):
    """No game has this code."""


class Locked(NamedTuple):
    """A game in which nobody else may write."""

    id: int


def file_in_use() -> File | None:
    """The SQLite file this application uses; None with PostgreSQL, or in memory.

    Raises Unavailable when the database is closed.
    """
    if FILE not in current_app.extensions:
        raise Unavailable("unreachable")
    file: File | None = current_app.extensions[FILE]
    return file


@contextmanager
def reading() -> Iterator[sa.Connection]:
    """A connection whose statements all see one snapshot; raises Unavailable."""
    file = file_in_use()
    with noticed():
        if file:
            file.require_same()
        with db.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            begin(connection, "BEGIN")
            yield connection


@contextmanager
def writing_transaction(*, is_news: bool = True) -> Iterator[sa.Connection]:
    """A transaction that may write; commits at the end unless something raises.

    Also raises Unavailable if the file was replaced or cut before or during the commit: nobody would find what was
    written to it. A sign of life is no news.
    """
    file = file_in_use()
    with noticed(), file.locked() if file else nullcontext():
        if file:
            file.require_same()
        with db.engine.connect() as connection, connection.begin():
            begin(connection, AT_ONCE)
            yield connection
        if file:
            file.require_same()
            file.written(is_news=is_news)


def begin(connection: sa.Connection, how: str) -> None:
    """Begin a transaction on SQLite, whose driver is told to leave that to us; PostgreSQL's begins by itself.

    There, servers that write share the database until the end; raises Unavailable (`locked`) while somebody moves it.
    """
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute(how)
    elif how == AT_ONCE and not current_app.extensions.get(IS_HELD) and not connection.execute(_SHARE).one()[1]:
        raise Unavailable("locked")


def locked_game(connection: sa.Connection, code: str) -> Locked:
    """A game by its code; on PostgreSQL its row is locked, so writers take turns."""
    found = connection.execute(_LOCKED, {"code": code}).first() if is_code(code) else None
    if found is None:
        raise NoSuchGame(code)
    return Locked(*found)


def ping() -> None:
    """Write to the database and check that it is whole; raises Unavailable."""
    # more than the pages that recording a hand changes; the same value would not be written
    beat = {"at": now(), "filler": secrets.token_hex(16_000)}
    with writing_transaction(is_news=False) as connection:
        connection.execute(sa.update(pulse).values(beat))
    file = file_in_use()
    if file:
        with noticed():
            file.require_whole()


def unused(days: int) -> sa.Select[str]:
    """The codes of games that began, and had their last entry, more than `days` days ago; oldest first."""
    since = days_ago(days)
    of_each = sa.select(game.c.code).join(entry).group_by(game.c.id, game.c.code, game.c.created_at)
    return of_each.having(game.c.created_at < since, sa.func.max(entry.c.at) < since).order_by(game.c.id)


def now() -> str:
    """The time in UTC to the second, as every table stores it: 2025-12-31T20:15:00Z."""
    return _written(_clock())


def seconds_since(at: str) -> int:
    """Seconds since a stored time; negative if the clock was set back since."""
    return int((_clock() - datetime.fromisoformat(at)).total_seconds())


def days_ago(days: int) -> str:
    """The time so many days ago, as `now` writes it."""
    return _written(_clock() - timedelta(days=days))


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _clock() -> datetime:
    given: datetime = current_app.config["CLOCK"]()
    return given


def is_code(text: str) -> bool:
    """Whether `text` could be the code of a game."""
    return len(text) == CODE_LETTERS and set(text) <= set(ALPHABET)


def letters(count: int) -> str:
    """`count` random letters, 5 bits each, easy to read out and to type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def shown(name: str) -> str:
    """A name that is safe to show and store: printable characters, of limited length.

    >>> shown("Ann's phone" + chr(0))
    "Ann's phone"
    """
    return "".join(letter for letter in name if letter.isprintable())[:60].strip()
