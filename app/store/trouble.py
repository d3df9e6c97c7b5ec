"""What is wrong with a database in use, in words that blame nobody."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

REASONS = {
    "damaged": "Parts of the database are damaged.",
    "empty": "The database’s file is empty.",
    "foreign": "This is no database of Kalooki Referee.",
    "full": "There is no room left on the disk.",
    "gone": "The database’s file is gone.",
    "locked": "Another program holds the database.",
    "newer": "A newer release of Kalooki Referee has used this database.",
    "read-only": "The database cannot be written.",
    "replaced": "The database’s file was replaced while it was open: start the server again.",
    "unreachable": "The database does not answer.",
}
_SQLITE = {
    "damaged": (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
    "full": (sqlite3.SQLITE_FULL,),
    "gone": (sqlite3.SQLITE_CANTOPEN,),
    "locked": (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL),
    "read-only": (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY),
    "unreachable": (sqlite3.SQLITE_IOERR,),
}
_POSTGRESQL = {
    "read-only": ("25006",),
    "full": ("53100",),
    "locked": ("55P03",),
    "unreachable": ("08", "53", "57", "58"),
    "damaged": ("XX",),
}
"""The first letters of five-letter error codes; the first match counts."""
_SYSTEM = {
    "read-only": (errno.EACCES, errno.EPERM, errno.EROFS),
    "full": (errno.ENOSPC, errno.EDQUOT),
    "gone": (errno.ENOENT, errno.ENOTDIR),
}


class Unavailable(Exception):
    """The database cannot be used now; `reason` is one of `REASONS`. Nothing saved before is lost.

    `schema` is the migration that made its tables, if that is the trouble.
    """

    def __init__(self, reason: str, schema: str = "") -> None:
        super().__init__(REASONS[reason])
        self.reason = reason
        self.schema = schema


@contextmanager
def noticed() -> Iterator[None]:
    """Turn trouble with the database or the system into `Unavailable`; our own bugs pass through."""
    try:
        yield
    except (DBAPIError, NoConnection, sqlite3.Error, OSError) as cause:
        reason = reason_of(cause)
        if reason is None:
            raise
        raise Unavailable(reason) from cause


def reason_of(cause: BaseException) -> str | None:
    """Why the database cannot be used, or None if the error is about something else."""
    if isinstance(cause, NoConnection):
        return "locked"
    if isinstance(cause, IntegrityError):
        return None
    raised = cause.orig if isinstance(cause, DBAPIError) else cause
    if isinstance(raised, sqlite3.Error):
        return _of_sqlite(raised)
    if isinstance(raised, OSError):
        return _of(raised.errno, _SYSTEM) or "unreachable"
    return _of_postgresql(raised)


def _of_sqlite(raised: sqlite3.Error) -> str | None:
    said = str(raised)
    if said.startswith(("no such table", "no such column", "Could not decode")):
        return "damaged"
    return _of(getattr(raised, "sqlite_errorcode", 0) & 0xFF, _SQLITE)  # the last byte of an extended code


def _of(code: int | None, reasons: Mapping[str, tuple[int, ...]]) -> str | None:
    return next((reason for reason, codes in reasons.items() if code in codes), None)


def _of_postgresql(raised: BaseException | None) -> str | None:
    state = getattr(raised, "sqlstate", None)
    if state is None:  # never connected, or cut off: only then has the server not said what is wrong
        return "unreachable" if type(raised).__name__ in ("OperationalError", "InterfaceError") else None
    return next((reason for reason, letters in _POSTGRESQL.items() if state.startswith(letters)), None)
