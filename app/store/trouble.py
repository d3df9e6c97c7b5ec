"""Errors of the database, with messages that blame nobody."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

REASONS = {
    "damaged": "Parts of the database are damaged. See what is left of it: python3 -m app check. Or restore a backup.",
    "foreign": "This is empty, or is not a database of Kalooki Referee: name another one, or restore a backup.",
    "full": "The disk is full. Free some space.",
    "gone": "The database’s file is gone: see DATABASE_URL, or restore a backup; to begin anew, delete its .in-use.",
    "locked": "Another program has the database open. Close it.",
    "newer": "A newer release of Kalooki Referee has used this database: install it, or restore the copy made before.",
    "older": "This database was made before release 0.3: open it with 0.3 once.",
    "read-only": "The database cannot be written: make it and its folder this user’s.",
    "replaced": "The database’s file was replaced while it was open: start the server again.",
    "unreachable": "The database does not answer: is it running, and is DATABASE_URL right?",
}
"""Messages that say what is wrong and what whoever runs the server can do about it."""
_SIGNS = {
    "full": ("SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"),
    "read-only": ("SQLITE_READONLY", "SQLITE_PERM", "25006", "EACCES", "EPERM", "EROFS"),
    "locked": ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "55P03"),
    "damaged": ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX"),
    "gone": ("SQLITE_CANTOPEN", "ENOENT", "ENOTDIR"),
}
"""How the error codes of SQLite, PostgreSQL and the system begin."""


class Unavailable(Exception):
    """The database cannot be used now; `reason` is one of `REASONS`. Nothing saved before is lost."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


@contextmanager
def translating_errors() -> Iterator[None]:
    """Raise errors of the database or the system as `Unavailable`; let those of our own bugs through."""
    try:
        yield
    except (exc.IntegrityError, exc.DataError, exc.ProgrammingError):
        raise
    except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error, OSError, UnicodeDecodeError) as cause:
        raise Unavailable(_reason(cause)) from cause


def _reason(cause: BaseException) -> str:
    if isinstance(cause, exc.TimeoutError):  # no connection was free
        return "locked"
    error = getattr(cause, "orig", None) or cause
    otherwise = "damaged" if isinstance(error, sqlite3.Error | UnicodeDecodeError) else "unreachable"
    codes = (getattr(error, "sqlite_errorname", None), getattr(error, "sqlstate", None))
    sign = next(filter(None, codes), errno.errorcode.get(getattr(error, "errno", None) or 0, ""))
    return next((reason for reason, signs in _SIGNS.items() if sign.startswith(signs)), otherwise)
