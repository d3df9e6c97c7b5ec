"""The log: every game is a list of entries that only grows.

The one place that reads and writes the database. It keeps what was recorded, in order, exactly
once, and knows nothing of the rules of play: who calls `append` has validated the event, or hands
over a `check` that runs inside the same transaction.
"""

from app.log.database import BackupRefused, backup, db, open_database, ping
from app.log.entries import (
    AlreadySaved,
    Appended,
    Entry,
    Event,
    Log,
    NewGame,
    NoSuchGame,
    Stale,
    append,
    codes,
    import_log,
    new_game,
    read,
    usable_submission,
    version,
)
from app.log.grants import Grant, grant_for, grants, mint, revoke

__all__ = [
    "AlreadySaved",
    "Appended",
    "BackupRefused",
    "Entry",
    "Event",
    "Grant",
    "Log",
    "NewGame",
    "NoSuchGame",
    "Stale",
    "append",
    "backup",
    "codes",
    "db",
    "grant_for",
    "grants",
    "import_log",
    "mint",
    "new_game",
    "open_database",
    "ping",
    "read",
    "revoke",
    "usable_submission",
    "version",
]
