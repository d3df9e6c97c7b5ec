"""The SQLite file: whether it is still the one that was opened, whose turn it is to write, and what is in it alone.

SQLite writes into a journal beside the file and moves that into the file now and then. So that the file alone holds
everything, the journal is folded in whenever nobody has written for a minute, and when the process ends.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote
from weakref import WeakSet

from app import settings
from app.store.trouble import Unavailable, noticed

PATIENCE = 10.0
"""Seconds a writer waits for its turn."""
_FOR_READERS = 0.25
_FOR_LAST_READERS = 1.0
"""Seconds to wait for somebody who still reads an older state; at the end of the process a little longer."""
_PRIVATE = 0o600
ENDINGS = ("", "-wal", "-shm", ".lock", ".in-use")
MAGIC = b"SQLite format 3\0"
_LOG = logging.getLogger(__name__)
_NOT_WHOLE = (
    "%s is not whole without %s-wal: another program is reading it. Copy both, or start and stop the server once more."
)
_IN_USE: WeakSet[File] = WeakSet()


def with_ending(path: Path, ending: str) -> Path:
    """A file that SQLite (`-wal`, `-shm`) or the log (`.lock`, `.in-use`) keeps next to a database."""
    return path.with_name(path.name + ending)


def opened(path: Path) -> IO[str]:
    """A lock's file, which no other user can open: whoever opens it can hold it."""
    return open(path, "a", opener=lambda name, flags: os.open(name, flags, _PRIVATE))


def address(path: Path, mode: str) -> str:
    """The URI that opens a file: `ro` to read, `rw` to write; neither creates it."""
    return f"file:{quote(str(path))}?mode={mode}"


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether SQLite finds no fault in any page; reads the whole file."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))


def copy_whole(source: sqlite3.Connection, draft: Path) -> None:
    """Copy a database, as it is now, to a new file without a journal; raises Unavailable if it is not whole."""
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    with closing(sqlite3.connect(draft)) as copy:
        source.backup(copy)
    finish(draft)


def finish(draft: Path) -> None:
    """Leave a copy without a journal; raises Unavailable if it is not whole."""
    with closing(sqlite3.connect(draft)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        if not is_whole(copy):
            raise Unavailable("damaged")


def require_own(path: Path) -> None:
    """Refuse a database of another user, or a file beside it; raises Unusable."""
    for ending in (*ENDINGS, "-journal"):
        settings.require_own(with_ending(path, ending))


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """A draft that takes the name of a new file at the end, whole or not at all."""
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        yield draft
        target.hardlink_to(draft)
    finally:
        remove(draft)


def remove(draft: Path) -> None:
    """Leave nothing of a draft."""
    for ending in (*ENDINGS, "-journal"):
        with_ending(draft, ending).unlink(missing_ok=True)


class File:
    """One SQLite file as this process uses it; created if missing, for this user only."""

    def __init__(self, path: Path, quiet: float) -> None:
        """`quiet`: seconds without a write after which the journal is folded in."""
        self.path = path
        self._quiet = quiet
        self._watched = (str(path), str(with_ending(path, "-wal")))
        self.patience = PATIENCE
        self._queue = threading.Lock()
        self._in_use: IO[str] | None = None
        self._keeper: sqlite3.Connection | None = None
        self._opened: tuple[tuple[int, int] | None, ...] = ()
        self._descriptor: int | None = None
        self._length = 0
        self._whole_until = 0.0
        self._is_over = threading.Event()
        self._noting = threading.Lock()
        self._fold_at = 0.0

    def make(self) -> None:
        """Create the file and its folder, unless they exist."""
        self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # do not even open an existing one: closing it would drop SQLite's locks
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))

    def hold(self) -> None:
        """Mark the database as in use until this process ends, by this user only; raises Unavailable (`locked`)."""
        for ending in ENDINGS:
            _make_private(with_ending(self.path, ending))
        with_ending(self.path, ".head").unlink(missing_ok=True)  # a note of 0.3, which nobody reads any more
        self._in_use = opened(with_ending(self.path, ".in-use"))
        try:
            fcntl.flock(self._in_use, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            raise Unavailable("locked") from cause

    def keep(self) -> None:
        """Remember which file was opened, and fold in what the last process left in the journal.

        One connection stays open for good, so that no well-behaved program removes the journal.
        """
        self._keeper = sqlite3.connect(address(self.path, "rw"), uri=True, check_same_thread=False)
        self._keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._descriptor = os.open(self.path, os.O_RDONLY)
        self._opened = self._seen()
        _IN_USE.add(self)
        if not self._is_folded_in(_FOR_READERS):
            self.written()

    def close(self) -> None:
        """Put everything into the file and close it: this process neither reads nor writes it any more."""
        if self._keeper and not self._is_folded_in(_FOR_LAST_READERS, is_last=True):
            _LOG.warning(_NOT_WHOLE, self.path, self.path)
        self._is_over.set()
        for held in (self._keeper, self._in_use):
            if held:
                held.close()
        if self._descriptor is not None:
            os.close(self._descriptor)  # last, because it drops whatever locks SQLite still has on the file
        self._keeper = self._in_use = self._descriptor = None
        _IN_USE.discard(self)

    def require_same(self) -> None:
        """Raises Unavailable if the file or its journal is not the one that was opened, or was cut or overwritten."""
        if self._is_over.is_set():
            raise Unavailable("unreachable")
        if not self._opened:
            return
        seen = self._seen()
        if seen != self._opened:
            raise Unavailable("gone" if seen[0] in (None, self._opened[0]) else "replaced")
        if not self._is_long_enough():
            raise Unavailable("damaged")

    def _is_long_enough(self) -> bool:
        """Whether the file begins as SQLite's do and holds the pages it says.

        It is a little shorter while it grows, but never than it was before.
        """
        if self._descriptor is None:
            return False
        header, length = os.pread(self._descriptor, 100, 0), os.fstat(self._descriptor).st_size
        stated = int.from_bytes(header[16:18], "big") * int.from_bytes(header[28:32], "big")
        if not header.startswith(MAGIC) or length < min(stated, self._length):
            return False
        self._length = length
        return True

    def _seen(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_identity, self._watched))

    def require_whole(self) -> None:
        """Raises Unavailable if pages are damaged; checks once a minute, or every time while they are."""
        if time.monotonic() < self._whole_until:
            return
        with closing(sqlite3.connect(address(self.path, "ro"), uri=True)) as connection:
            if not is_whole(connection):
                raise Unavailable("damaged")
        self._whole_until = time.monotonic() + 60

    def written(self, *, is_news: bool = True) -> None:
        """Somebody has written: fold the journal in when nobody else has for a while; signs of life put nothing off."""
        with self._noting:
            was = self._fold_at
            if is_news or not was:
                self._fold_at = time.monotonic() + self._quiet
        if not was:
            threading.Thread(target=self._fold_in_when_quiet, name="quiet", daemon=True).start()

    def _fold_in_when_quiet(self) -> None:
        while not self._is_over.wait(self._fold_at - time.monotonic()):
            began = self._fold_at
            if began > time.monotonic():
                continue
            is_done = False
            with suppress(sqlite3.Error):  # tried again after the next quiet minute
                is_done = self._is_folded_in(_FOR_READERS)
            with self._noting:
                if self._fold_at != began:
                    continue
                self._fold_at = 0.0 if is_done else time.monotonic() + self._quiet
            if is_done:
                return

    def _is_folded_in(self, patience: float, *, is_last: bool = False) -> bool:
        """Fold the journal in if that can be done now; if it `is_last`, nobody gets a turn after it.

        Never opens a file that was cut to nothing: SQLite would then delete the journal.
        """
        with suppress(Unavailable), noticed(), self.locked(patience):
            self.require_same()
            if is_last:
                self._is_over.set()
            return self.fold_in(patience)
        return False

    def fold_in(self, patience: float = PATIENCE) -> bool:
        """Move the journal into the file and empty it; False if somebody still reads an older state."""
        with closing(sqlite3.connect(address(self.path, "rw"), uri=True, timeout=patience)) as connection:
            is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy

    @contextmanager
    def locked(self, patience: float | None = None) -> Iterator[None]:
        """Make writers (threads and processes) take turns; raises Unavailable (`locked`) after `patience` seconds.

        SQLite's own waiting is a lottery with long losers. The threads of a process queue up first, so only one of them
        asks for the system's lock, which is fair but cannot time out.
        """
        most = self.patience if patience is None else patience
        until = time.monotonic() + most
        if not self._queue.acquire(timeout=most):
            raise Unavailable("locked")
        try:
            if self._is_over.is_set():
                raise Unavailable("unreachable")
            with opened(with_ending(self.path, ".lock")) as file:
                _lock(file, until)
                yield
        finally:
            self._queue.release()


@atexit.register
def _close_all() -> None:
    """Every orderly end of the process leaves whole files, whichever server it ran."""
    for file in tuple(_IN_USE):
        file.close()


def _make_private(path: Path) -> None:
    """Let no other user read a file: a release before left some open to all."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(_PRIVATE)
    except FileNotFoundError:
        return
    except OSError:
        _LOG.warning(
            "Other users of this machine can read %s, which belongs to one of them: make it this user's.", path
        )


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
            time.sleep(0.002)
        else:
            return
