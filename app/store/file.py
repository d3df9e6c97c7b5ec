"""The SQLite file of this process: whether it is still the one that was opened, and who else uses it."""

from __future__ import annotations

import fcntl
import glob
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from threading import Lock
from typing import IO
from urllib.parse import quote

from app import settings
from app.store.trouble import Unavailable

_PRIVATE = 0o600
_ENDINGS = ("", "-wal", "-shm", "-journal", ".in-use")
MAGIC = b"SQLite format 3\0"
_IN_USE_NOTE = "The database beside this file is in use, or was: without it no new one is made in its place.\n"
_FOR_WRITING = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # the power may fail right after the server has answered "saved"
    "PRAGMA wal_autocheckpoint = 1",  # after each transaction, the file alone contains everything
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrite what is deleted
    "PRAGMA recursive_triggers = ON",  # otherwise INSERT OR REPLACE deletes rows without the trigger
)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open an existing file, with `mode` `ro` to read or `rw` to write; the caller begins transactions."""
    address = f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    for statement in _FOR_WRITING if mode == "rw" else ():
        connection.execute(statement)
    return connection


def require_whole(connection: sqlite3.Connection) -> None:
    """Raise Unavailable if SQLite finds a damaged page; reads the whole file."""
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise Unavailable("damaged")


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """Yield an empty file, readable by this user only, which replaces `target` at the end, completely or not at all."""
    folder = target.with_name(f".{target.name}.draft")
    rmtree(folder, ignore_errors=True)  # left by a process that was killed
    folder.mkdir(0o700)
    try:
        draft = folder / target.name
        draft.touch(_PRIVATE)
        yield draft
        draft.rename(target)
        descriptor = os.open(target.parent, os.O_RDONLY)
        os.fsync(descriptor)  # writes the folder's file names to the disk
        os.close(descriptor)
    finally:
        rmtree(folder, ignore_errors=True)


def copy_whole(source: sqlite3.Connection, draft: Path) -> None:
    """Copy a database, as it is now, to an empty file; raises Unavailable if it is not whole."""
    with closing(sqlite3.connect(draft)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        require_whole(copy)


class File:
    """One SQLite file as this process uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._write_lock = Lock()
        self._open = ExitStack()
        self._in_use: IO[str] | None = None
        self._keeper: sqlite3.Connection | None = None
        self._descriptor = -1
        self._identity: list[tuple[int, int]] = []
        self._length = 0

    def beside(self, ending: str) -> Path:
        """Return a file next to the database: SQLite's (`-wal`, `-shm`) or ours (`.in-use`)."""
        return Path(f"{self.path}{ending}")

    def was_used(self) -> bool:
        """Return whether a database was ever used at this path."""
        return self.beside(".in-use").exists() and self.beside(".in-use").stat().st_size > 0

    def mark_used(self) -> None:
        """Note that there is a database at this path, so that no new one is created if it goes missing."""
        if not self.was_used():
            self.beside(".in-use").write_text(_IN_USE_NOTE)

    def lock(self, *, alone: bool) -> bool:
        """Lock the file until it is closed, shared with other servers or `alone`; return False if that fails."""
        if not self._in_use:
            self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
            self.beside(".in-use").touch(_PRIVATE)
            self._in_use = self._open.enter_context(self.beside(".in-use").open("a"))
        try:
            fcntl.flock(self._in_use, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def remove_drafts(self) -> None:
        """Remove what a killed upgrade or restore has left; whoever holds the lock knows that neither is at work."""
        name = glob.escape(self.path.name)
        for draft in (each for end in ("", ".schema-*") for each in self.path.parent.glob(f".{name}{end}.draft")):
            rmtree(draft, ignore_errors=True)

    def require_own(self) -> None:
        """Raise SystemExit for a database of another user, and make this one unreadable to others."""
        for path in map(self.beside, _ENDINGS):
            settings.require_own(path)
            with suppress(OSError):
                path.chmod(_PRIVATE)

    def watch(self) -> None:
        """Remember which file was opened, and keep a connection open so that the journal is not deleted."""
        self._descriptor = os.open(self.path, os.O_RDONLY)
        self._open.callback(os.close, self._descriptor)  # after SQLite, whose locks it drops
        self._keeper = self._open.enter_context(closing(connect(self.path, "rw")))
        self._keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self.mark_used()
        self._identity, self._length = self._stat()

    def require_same(self) -> None:
        """Raise Unavailable if the file or its journal is not the one that was opened, or was truncated."""
        length_before = self._length  # read first: other threads may make the file grow in the meantime
        try:
            identity, length = self._stat()
        except FileNotFoundError as cause:
            raise Unavailable("gone") from cause
        if identity != self._identity:
            raise Unavailable("replaced")
        if length < length_before or os.pread(self._descriptor, len(MAGIC), 0) != MAGIC:
            raise Unavailable("damaged")
        self._length = length

    def _stat(self) -> tuple[list[tuple[int, int]], int]:
        both = [os.stat(f"{self.path}{ending}") for ending in ("", "-wal")]  # noqa: PTH116 - called by every request
        return [(each.st_dev, each.st_ino) for each in both], both[0].st_size

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Let one thread write at a time, because SQLite lets some wait for seconds; raises Unavailable after ten."""
        if not self._write_lock.acquire(timeout=10):
            raise Unavailable("locked")
        try:
            yield
        finally:
            self._write_lock.release()

    def empty_journal(self) -> None:
        """Empty the journal, which may contain deleted data, unless somebody is still reading it."""
        with suppress(sqlite3.Error, Unavailable), self.write_lock():
            if self._keeper:
                self._keeper.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        """Close the file; this process no longer reads or writes it."""
        self.empty_journal()
        self._open.close()
