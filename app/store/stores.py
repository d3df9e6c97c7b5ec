"""A database as a whole, with no server on it: one file of SQLite, or one database of PostgreSQL.

Both are copied into an SQLite file and replaced by one; what they held is kept.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

import sqlalchemy as sa
from flask import Flask, current_app

from app.store.database import IN_USE_LOCK, reading, writing_transaction
from app.store.file import ENDINGS, address, copy_whole, finish, opened, with_ending
from app.store.rows import RowRefused, copy_rows
from app.store.startup import NO_ADDRESS, NO_DRIVER, look_at, opened_beside
from app.store.tables import entry, game

_JOURNALS = ("-wal", "-shm")


class CopyRefused(Exception):
    """This database cannot be copied, moved or restored; the message says what to do instead."""


class Size(NamedTuple):
    """How much is in a database."""

    games: int
    entries: int

    def __str__(self) -> str:
        games, entries = ("game", "games")[self.games != 1], ("entry", "entries")[self.entries != 1]
        return f"{self.games} {games}, {self.entries} {entries}"


class SQLiteStore:
    """The database in one file, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.draft = path.with_name(f".{path.name}.restoring")

    def __str__(self) -> str:
        return str(self.path)

    def is_there(self) -> bool:
        """Whether there is anything in its place."""
        return self.path.exists()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep servers from starting on it; raises CopyRefused if one is running."""
        with opened(with_ending(self.path, ".in-use")) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as cause:
                raise in_use(self) from cause
            yield

    def size(self) -> Size | None:
        """How much is in it; None if it cannot be read or does not exist."""
        with suppress(sqlite3.Error):
            return _size_of(self.path)
        return None

    def copy_to(self, draft: Path) -> Size:
        """Copy it, whichever release made it, to a new file; raises Unavailable if it is not whole."""
        look_at(self.path)
        with closing(sqlite3.connect(address(self.path, "ro"), uri=True)) as connection:
            return copied(connection, draft)

    def keep(self) -> Path:
        """A copy of it beside it, with its journal if that could not be folded in."""
        self._fold_in()
        aside = self.path.with_name(f"{self.path.name}.{_now()}")
        for ending in ("", *_JOURNALS):
            if with_ending(self.path, ending).exists():
                shutil.copy2(with_ending(self.path, ending), with_ending(aside, ending))
        return aside

    def _fold_in(self) -> None:
        """Fold the journal into its database, unless that is damaged; raises CopyRefused if it is in use."""
        if not self.is_there():
            return
        try:
            with closing(sqlite3.connect(address(self.path, "rw"), uri=True)) as connection:
                connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as cause:
            if "locked" in str(cause):
                raise in_use(self) from cause
        except sqlite3.DatabaseError:
            return  # kept with its journal

    def take(self, draft: Path) -> None:
        """Put a draft in its place, atomically; raises CopyRefused if another program has it open."""
        self._fold_in()
        for ending in _JOURNALS:  # the new database would read the old journals as its own
            with_ending(self.path, ending).unlink(missing_ok=True)
        draft.replace(self.path)
        descriptor = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


class PostgreSQLStore:
    """The database that an address names, which need not have our tables yet; usable only inside `alone`."""

    def __init__(self, url: sa.URL, folder: Path) -> None:
        """`folder` is where drafts and copies lie."""
        self._engine = sa.create_engine(url, poolclass=sa.NullPool)
        self._copies = folder / str(url.database)
        self._app: Flask
        self.draft = folder / f".{url.database}.restoring"

    def __str__(self) -> str:
        return self._engine.url.render_as_string()

    def is_there(self) -> bool:
        """It is: its administrator makes it."""
        return True

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep servers from starting on it, and make its tables; raises CopyRefused if one is running."""
        with self._engine.connect() as connection:  # closing it gives up the lock, and keeps nothing
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(IN_USE_LOCK))):
                raise in_use(self)
            with opened_beside(self._engine.url, is_held=True) as self._app:
                yield

    def size(self) -> Size:
        """How much is in it."""
        with self._app.app_context(), reading() as connection:
            counted = (connection.scalar(sa.select(sa.func.count()).select_from(each)) for each in (game, entry))
            return Size(*(number or 0 for number in counted))

    def copy_to(self, draft: Path) -> Size:
        """Copy it to a new file."""
        with self._app.app_context():
            return copied_rows(draft)

    def keep(self) -> Path:
        """A copy of it among the files of this server."""
        aside = self._copies.with_name(f"{self._copies.name}.{_now()}.db")
        unfinished = aside.with_name(f".{aside.name}")
        self.copy_to(unfinished)
        return unfinished.rename(aside)

    def take(self, draft: Path) -> None:
        """Replace all its rows by those of a draft, in one transaction; raises CopyRefused if it takes one not."""
        with opened_file(draft) as other, other.app_context(), reading() as source, self._app.app_context():
            try:
                with writing_transaction() as target:
                    copy_rows(source, target)
            except RowRefused as cause:
                raise CopyRefused(f"{self} takes no such row: {cause}") from cause


Store: TypeAlias = "SQLiteStore | PostgreSQLStore"


def store_of(url: str) -> Store:
    """The database at an address; raises CopyRefused if it is none."""
    folder = Path(current_app.instance_path)
    try:
        made = sa.make_url(url)
        if made.get_backend_name() == "postgresql" and made.database:
            return PostgreSQLStore(made, folder)
    except sa.exc.ArgumentError as cause:
        raise CopyRefused(NO_ADDRESS.format(name=url)) from cause
    except ModuleNotFoundError as cause:
        raise CopyRefused(NO_DRIVER) from cause
    if made.get_backend_name() != "sqlite" or not made.database:
        raise CopyRefused(NO_ADDRESS.format(name=made.render_as_string()))
    return SQLiteStore(folder / made.database)


def in_use(store: object) -> CopyRefused:
    """What to raise where a server runs."""
    return CopyRefused(f"{store} is in use: stop the server first, then try again")


def copied(source: sqlite3.Connection, draft: Path) -> Size:
    """Copy a database, as it is now, to a new file without a journal; raises Unavailable if it is not whole."""
    copy_whole(source, draft)
    return _size_of(draft)


def copied_rows(draft: Path) -> Size:
    """Copy all rows of the application's database, as they are now, to a new file without a journal."""
    with reading() as source, opened_file(draft) as other, other.app_context(), writing_transaction() as target:
        copy_rows(source, target)
    for ending in ENDINGS[1:]:
        with_ending(draft, ending).unlink(missing_ok=True)
    finish(draft)
    return _size_of(draft)


def opened_file(draft: Path) -> AbstractContextManager[Flask]:
    """An application for a file, which is created or upgraded first."""
    return opened_beside(sa.URL.create("sqlite", database=str(draft.absolute())))


def _size_of(path: Path) -> Size:
    with closing(sqlite3.connect(address(path, "ro"), uri=True)) as connection:
        found = connection.execute("SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM entry)")
        return Size(*found.fetchone())


def _now() -> str:
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
