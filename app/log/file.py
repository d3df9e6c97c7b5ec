"""The SQLite file: whether it is still the one that was opened, and whose turn it is to write."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from contextlib import closing, contextmanager, suppress
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

from app.log.trouble import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 10.0
"""Seconds a writer waits for its turn."""
_POLL = 0.002
_CHECKED_FOR = 60.0
"""Seconds before a file found whole is checked again."""


def with_ending(path: Path, ending: str) -> Path:
    """A file that SQLite (`-wal`, `-shm`) or the log (`.lock`, `.in-use`) keeps next to a database."""
    return path.with_name(path.name + ending)


def address(path: Path, mode: str) -> str:
    """The URI that opens a file: `ro` to read, `rw` to write; neither creates it."""
    return f"file:{quote(str(path))}?mode={mode}"


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether SQLite finds no fault in any page; reads the whole file."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))


class File:
    """One SQLite file as this process uses it; created if missing, for this user only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._watched = (str(path), str(with_ending(path, "-wal")))
        self.patience = PATIENCE
        self._queue = threading.Lock()
        self._in_use: IO[str] | None = None
        self._keeper: sqlite3.Connection | None = None
        self._opened: tuple[tuple[int, int] | None, ...] = ()
        self._whole_until = 0.0

    def make(self) -> None:
        """Create the file and its folder, unless they exist."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # do not even open an existing one: closing it would drop SQLite's locks
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))

    def hold(self) -> None:
        """Mark the database as in use until this process ends; raises Unavailable (`locked`)."""
        self._in_use = with_ending(self.path, ".in-use").open("a")
        try:
            fcntl.flock(self._in_use, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            raise Unavailable("locked") from cause

    def keep(self) -> None:
        """Remember which file was opened.

        One connection stays open for good, so that no well-behaved program removes the journal.
        """
        self._keeper = sqlite3.connect(address(self.path, "rw"), uri=True, check_same_thread=False)
        self._keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._opened = self._seen()

    def release(self) -> None:
        """Close it; nothing can be read or written any more."""
        for held in (self._keeper, self._in_use):
            if held:
                held.close()
        self._keeper = self._in_use = None

    def require_same(self) -> None:
        """Raises Unavailable if the file or its journal is not the one that was opened."""
        if not self._opened:
            return
        seen = self._seen()
        if seen != self._opened:
            raise Unavailable("gone" if seen[0] in (None, self._opened[0]) else "replaced")

    def _seen(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_identity, self._watched))

    def require_whole(self) -> None:
        """Raises Unavailable if pages are damaged; checks once a minute, or every time while they are."""
        if time.monotonic() < self._whole_until:
            return
        with closing(sqlite3.connect(address(self.path, "ro"), uri=True)) as connection:
            if not is_whole(connection):
                raise Unavailable("damaged")
        self._whole_until = time.monotonic() + _CHECKED_FOR

    def empty_journal(self) -> None:
        """Move the journal into the file and empty it; some of it stays while somebody is reading."""
        with closing(sqlite3.connect(address(self.path, "rw"), uri=True)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[None]:
        """Make writers (threads and processes) take turns; raises Unavailable (`locked`) after `patience` seconds.

        SQLite's own waiting is a lottery with long losers. The threads of a process queue up first, so only one of them
        asks for the system's lock, which is fair but cannot time out.
        """
        most = self.patience if patience is None else patience
        until = time.monotonic() + most
        if not self._queue.acquire(timeout=most):
            raise Unavailable("locked")
        try:
            with with_ending(self.path, ".lock").open("a") as file:
                _lock(file, until)
                yield
        finally:
            self._queue.release()


def _identity(name: str) -> tuple[int, int] | None:
    try:
        found = os.stat(name)  # noqa: PTH116 - asked for by every request
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _lock(file: IO[str], until: float) -> None:
    """Lock a file until it is closed."""
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            if time.monotonic() > until:
                raise Unavailable("locked") from cause
            time.sleep(_POLL)
        else:
            return
