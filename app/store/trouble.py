"""What is wrong with a database in use, in words that blame nobody."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

REASONS = {
    "damaged": "Parts of the database are damaged.",
    "empty": "The database’s file is empty: it was cut off, or is no database of Kalooki Referee.",
    "foreign": "This is no database of Kalooki Referee.",
    "full": "There is no room left on the disk.",
    "gone": "The database’s file is gone.",
    "locked": "Another program holds the database.",
    "newer": "A newer release of Kalooki Referee has used this database.",
    "read-only": "The database cannot be written.",
    "replaced": "The database’s file was replaced while it was open: start the server again.",
    "unreachable": "The database does not answer.",
}
_SIGNS = {
    "full": ("SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"),
    "read-only": ("SQLITE_READONLY", "SQLITE_PERM", "25006", "EACCES", "EPERM", "EROFS"),
    "locked": ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "55P03"),
    "damaged": ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX"),
    "gone": ("SQLITE_CANTOPEN", "ENOENT", "ENOTDIR"),
}
"""How the error codes of SQLite, PostgreSQL and the system begin."""
_BUGS = (exc.IntegrityError, exc.DataError, exc.ProgrammingError)


class Unavailable(Exception):
    """The database cannot be used now; `reason` is one of `REASONS`. Nothing saved before is lost."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn trouble with the database or the system into `Unavailable`; our own bugs pass through."""
    try:
        yield
    except _BUGS:
        raise
    except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error, OSError) as cause:
        raise Unavailable(_reason(cause)) from cause


def _reason(cause: BaseException) -> str:
    if isinstance(cause, exc.TimeoutError):  # no connection was free
        return "locked"
    error = getattr(cause, "orig", None) or cause
    codes = (getattr(error, "sqlite_errorname", None), getattr(error, "sqlstate", None))
    sign = next(filter(None, codes), errno.errorcode.get(getattr(error, "errno", None) or 0, ""))
    return next((reason for reason, signs in _SIGNS.items() if sign.startswith(signs)), "unreachable")
