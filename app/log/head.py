"""The head of the log: how far a database has come, noted beside its file so that an older file is not taken for it.

The number grows with every transaction that records something. SQLite keeps it in the file (`user_version`), so it is
committed with what it counts, and a backup has it too. The note is written after that commit: a kill between the two
leaves it behind the file, never ahead of it. It always has the same length, is written over in place without waiting
for the disk, and carries a checksum: a torn one counts as none.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

_NEWEST = """
    SELECT (SELECT max(id) FROM game), rowid, substr(at, 1, 20), {hash} FROM entry ORDER BY rowid DESC LIMIT 1
"""

_PRIVATE = 0o600


class Head(NamedTuple):
    """How far a database has come; `games` and `entries` are the highest numbers of rows, which take no counting."""

    number: int
    games: int = 0
    entries: int = 0
    at: str = ""
    hash: str = ""


BEGINNING = Head(-1)
"""While the tables are only being made."""


def head_of(connection: sqlite3.Connection) -> Head:
    """The head of a database, whichever release made it."""
    return _newest(connection, _number(connection))


def moved_on(connection: sqlite3.Connection) -> Head:
    """The next head, as part of a transaction under way."""
    number = _number(connection) + 1
    connection.execute(f"PRAGMA user_version = {number}")
    return _newest(connection, number)


def _number(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _newest(connection: sqlite3.Connection, number: int) -> Head:
    try:
        found = connection.execute(_NEWEST.format(hash="hash")).fetchone()
    except sqlite3.OperationalError:
        found = connection.execute(_NEWEST.format(hash="''")).fetchone()  # before there was a chain
    return Head(number, *(found or ()))


def lacks(connection: sqlite3.Connection, noted: Head) -> bool:
    """Whether a database does not reach what was noted: it is older, or another one went on from an older one."""
    there = _hash(connection, noted.entries)
    return bool(_number(connection) < noted.number or (there and noted.hash and there != noted.hash))


def _hash(connection: sqlite3.Connection, row: int) -> str:
    """The hash of an entry; nothing if it is deleted or damaged, or there was no chain yet."""
    with suppress(sqlite3.DatabaseError):
        found: Any = connection.execute("SELECT hash FROM entry WHERE rowid = ?", (row,)).fetchone()
        return str(found[0]) if found else ""
    return ""


def write_note(path: Path, head: Head) -> None:
    """Write the note; never in two parts, because nobody waits for it."""
    text = json.dumps(head)
    line = f"{text} {_sum(text)}".ljust(255) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, _PRIVATE)
    try:
        os.pwrite(descriptor, line.encode("ascii"), 0)
        os.ftruncate(descriptor, len(line))  # an imported game may have made it longer
    finally:
        os.close(descriptor)


def read_note(path: Path) -> Head | None:
    """What the note says; None without one, or if it is torn."""
    with suppress(OSError, UnicodeDecodeError):
        text, _, checksum = path.read_text(encoding="ascii").strip().rpartition(" ")
        return Head(*json.loads(text)) if checksum == _sum(text) else None
    return None


def _sum(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()[:16]
