"""Copies of an SQLite database: back up while the server runs, restore while it does not."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from flask import current_app

from app.log.database import db, reading
from app.log.file import ENDINGS, address, is_whole, opened, with_ending
from app.log.head import head_of, lacks, read_note, write_note
from app.log.startup import look_at
from app.log.trouble import Unavailable, noticed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.log.head import Head

_JOURNALS = ("-wal", "-shm")
_NOTHING_LEFT = (*ENDINGS, "-journal")
_ONLY_SQLITE = "this is for SQLite databases only: use pg_dump and pg_restore"


class BackupRefused(Exception):
    """This database cannot be backed up or restored; the message says what to do instead."""


class Size(NamedTuple):
    """How much is in a database."""

    games: int
    entries: int

    def __str__(self) -> str:
        games, entries = ("game", "games")[self.games != 1], ("entry", "entries")[self.entries != 1]
        return f"{self.games} {games}, {self.entries} {entries}"


def backup(target: Path) -> Size:
    """Copy the running database to the new file `target`, whole and as of now, readable by this user only."""
    if db.engine.dialect.name != "sqlite":
        raise BackupRefused(_ONLY_SQLITE)
    if not target.parent.is_dir():
        raise BackupRefused(f"{target} cannot be written: there is no folder {target.parent}")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    with _told(f"{target} cannot be written"):
        try:
            with reading() as connection:
                source: Any = connection.connection.driver_connection
                size = _copied(source, draft)
            target.hardlink_to(draft)
        except FileExistsError as cause:
            raise BackupRefused(f"{target} exists: name a new file") from cause
        finally:
            _remove(draft)
    return size


@dataclass(frozen=True)
class Restore:
    """A backup about to replace a database: `draft` is the copy that will take its place."""

    path: Path
    draft: Path
    size: Size
    old: Size | None

    def put_in_place(self) -> Path | None:
        """Replace the database atomically; returns the file that keeps the old one, if there was one.

        Raises BackupRefused if another program has the old one open.
        """
        aside = self._keep_old() if self.path.exists() else None
        with closing(sqlite3.connect(address(self.draft, "ro"), uri=True)) as connection:
            reached = head_of(connection)
        for ending in (*_JOURNALS, ".head"):  # the new database would read the old journals as its own
            with_ending(self.path, ending).unlink(missing_ok=True)
        self.draft.replace(self.path)
        descriptor = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        write_note(with_ending(self.path, ".head"), reached)
        return aside

    def _keep_old(self) -> Path:
        """A copy of the old database, with its journal if that could not be folded in."""
        _fold_in(self.path)
        aside = self.path.with_name(f"{self.path.name}.{datetime.now(UTC):%Y%m%d-%H%M%S}")
        for ending in ("", *_JOURNALS):
            if with_ending(self.path, ending).exists():
                shutil.copy2(with_ending(self.path, ending), with_ending(aside, ending))
        return aside


def path_of_database() -> Path:
    """The file this app's settings name, whether or not it exists; raises BackupRefused."""
    url = sa.make_url(str(current_app.config["SQLALCHEMY_DATABASE_URI"]))
    if url.get_backend_name() != "sqlite" or not url.database:
        raise BackupRefused(_ONLY_SQLITE)
    return Path(current_app.instance_path) / url.database


@contextmanager
def restoring(path: Path, source: Path) -> Iterator[Restore]:
    """Copy the backup `source` next to the database `path`, which nobody may use meanwhile; raises BackupRefused."""
    if not source.exists():
        raise BackupRefused(f"{source} is not there")
    if path.exists() and source.samefile(path):
        raise BackupRefused(f"{source} is the database itself: name a backup")
    draft = path.with_name(f".{path.name}.restoring")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _nobody_else(path):
            try:
                _remove(draft)
                size = _copy_of_backup(source, draft)
                yield Restore(path, draft, size, _size_of(path))
            finally:
                _remove(draft)


@contextmanager
def accepting_older(path: Path) -> Iterator[str]:
    """Say what a database lacks that was noted beside it; after that the next start serves it.

    Raises BackupRefused if it lacks nothing, or cannot be served for another reason; an exception leaves all as it was.
    """
    beside = with_ending(path, ".head")
    told = read_note(beside)
    if told is None or not told.games:
        raise BackupRefused(f"{path}: nothing was noted beside it that it could lack")
    with _told(path), _nobody_else(path):
        size = Size(told.games, told.entries)
        said = _missing(path, told) if path.exists() else f"{path} is not there, with all that was noted: {size}."
        yield f"{said} The last entry noted is of {told.at}."
        beside.unlink()


def _missing(path: Path, told: Head) -> str:
    look_at(path)
    with closing(sqlite3.connect(address(path, "ro"), uri=True)) as connection:
        if not lacks(connection, told):
            raise BackupRefused(f"{path} lacks nothing that was noted: start the server")
        here = head_of(connection)
    size = Size(max(told.games - here.games, 0), max(told.entries - here.entries, 0))
    return f"{path} ends with an entry of {here.at or 'no game'}; missing since then: {size}."


def _copy_of_backup(source: Path, draft: Path) -> Size:
    with _told(source):
        look_at(source)
        with closing(sqlite3.connect(address(source, "ro"), uri=True)) as connection:
            return _copied(connection, draft)


@contextmanager
def _told(what: object) -> Iterator[None]:
    """Turn trouble into a refusal that first says what is refused."""
    try:
        with noticed():
            yield
    except Unavailable as trouble:
        raise BackupRefused(f"{what}: {trouble}") from trouble


@contextmanager
def _nobody_else(path: Path) -> Iterator[None]:
    """Keep servers from starting on a database; raises BackupRefused if one is running."""
    with opened(with_ending(path, ".in-use")) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            raise _in_use(path) from cause
        yield


def _in_use(path: Path) -> BackupRefused:
    return BackupRefused(f"{path} is in use: stop the server first, then try again")


def _fold_in(path: Path) -> None:
    """Fold the journal into its database, unless that is damaged; raises BackupRefused if it is in use."""
    try:
        with closing(sqlite3.connect(address(path, "rw"), uri=True)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as cause:
        if "locked" in str(cause):
            raise _in_use(path) from cause
    except sqlite3.DatabaseError:
        return  # kept with its journal


def _size_of(path: Path) -> Size | None:
    """How much is in a database; None if it cannot be read or does not exist."""
    try:
        with closing(sqlite3.connect(address(path, "ro"), uri=True)) as connection:
            return _size(connection)
    except sqlite3.Error:
        return None


def _copied(source: sqlite3.Connection, target: Path) -> Size:
    """Copy a database to a new file without a journal; returns its size."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        if not is_whole(copy):
            raise Unavailable("damaged")
        return _size(copy)


def _size(connection: sqlite3.Connection) -> Size:
    counts = (connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("game", "entry"))  # noqa: S608 - our own names
    return Size(*counts)


def _remove(draft: Path) -> None:
    for ending in _NOTHING_LEFT:
        with_ending(draft, ending).unlink(missing_ok=True)
