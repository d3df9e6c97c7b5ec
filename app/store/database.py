"""Connections and transactions; and what is written into every table: codes, names."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask import current_app

from app.store.file import File, connect
from app.store.models import Entry, Gone, db
from app.store.trouble import Unavailable, translating_errors

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 5 bits a letter; no I, O, 0 or 1, which people misread
CODE_LETTERS = 11
FILE = "store_file"
TO_POSTGRESQL = {
    # seconds to connect, and milliseconds without an answer: else a host that is gone is waited for by the minute
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "options": "-c lock_timeout=10s",
}
WRITES: Mapping[str, Any] = {"writes": True}


class NoSuchGame(LookupError):
    """No game has this code."""


def engine_of(path: Path, mode: str) -> sa.Engine:
    """Return an engine of its own for an SQLite file that exists: `ro` to read, `rw` to write."""
    engine = sa.create_engine("sqlite://", creator=lambda: connect(path, mode), poolclass=sa.NullPool)
    sa.event.listen(engine, "begin", begin_on_sqlite)
    return engine


def begin_on_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction, which the driver leaves to us.

    A writer that read first and wrote later would fail at once if another one wrote in between, whatever the time-out:
    so writers queue up before their first statement.
    """
    driver: Any = connection.connection.driver_connection
    driver.execute("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def file_in_use() -> File | None:
    """Return the SQLite file of this application, None with PostgreSQL; raises Unavailable when it is closed."""
    if FILE not in current_app.extensions:
        raise Unavailable("unreachable")
    file: File | None = current_app.extensions[FILE]
    return file


@contextmanager
def reading() -> Iterator[sa.Connection]:
    """Yield a connection to read by: half as dear as a session, for which every request would pay."""
    with translating_errors():
        if file := file_in_use():
            file.require_same()
        with db.engine.connect() as connection:
            yield connection


@contextmanager
def transaction() -> Iterator[sa.Connection]:
    """Begin a transaction of `db.session` that may write, and commit at the end unless something raises.

    Raises Unavailable, also if the file was replaced or cut before or during the commit: nobody would find what was
    written to it.
    """
    file, session = file_in_use(), db.session()
    with translating_errors(), file.turn() if file else nullcontext():
        if file:
            file.require_same()
        with session.begin():
            yield session.connection(execution_options=WRITES)
        if file:
            file.require_same()


def fetch(statement: sa.Executable, **values: object) -> Sequence[Any]:
    """Return the rows of a read of its own; none for a `code` that none can be."""
    if not is_code(str(values.get("code", ALPHABET[:CODE_LETTERS]))):
        return []
    with reading() as connection:
        return connection.execute(statement, values).all()


def fetch_one(statement: sa.Executable, **values: object) -> Any:
    """Return what stands first in the rows of a read of its own, or None."""
    rows = fetch(statement, **values)
    return rows[0][0] if rows else None


def ping() -> None:
    """Read, write more than recording a hand does, and take it back; raises Unavailable."""
    probe = {"code_hash": secrets.token_hex(8), "day": secrets.token_hex(16_000)}
    with transaction() as connection:
        connection.execute(sa.select(Entry.data).limit(1)).first()
        connection.execute(sa.insert(Gone), probe)
        # SQLite overwrites what is deleted: so the pages are written all the same
        connection.execute(sa.delete(Gone).where(Gone.code_hash == probe["code_hash"]))


def is_code(text: str) -> bool:
    """Return whether `text` could be the code of a game."""
    return len(text) == CODE_LETTERS and set(text) <= set(ALPHABET)


def letters(count: int) -> str:
    """Return `count` random letters, 5 bits each, easy to read out and to type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def printable(name: str) -> str:
    """Return a name that is safe to show and store: printable characters, of limited length.

    >>> printable("Ann's phone" + chr(0))
    "Ann's phone"
    """
    return "".join(letter for letter in name if letter.isprintable())[:60].strip()
