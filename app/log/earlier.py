"""Copies of an SQLite database as an earlier release left it, made before its tables are changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from app.log.file import address, is_whole, with_ending
from app.log.trouble import Unavailable

KEPT = 3
"""So many copies lie beside a database; the oldest goes first."""


def keep_earlier(path: Path, schema: str) -> Path:
    """Copy a database whose tables are those of migration `schema`, whole or not at all; returns the copy."""
    kept = path.with_name(f"{path.name}.schema-{schema}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
    draft = kept.with_name(f".{kept.name}")
    _remove(draft)
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(sqlite3.connect(address(path, "ro"), uri=True)) as source,
            closing(sqlite3.connect(draft)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            if not is_whole(copy):
                raise Unavailable("damaged")
        kept.hardlink_to(draft)
    finally:
        _remove(draft)
    for oldest in _kept(path)[:-KEPT]:
        oldest.unlink()
    return kept


def newest_of(path: Path, schemas: Iterable[str]) -> Path | None:
    """The newest copy of a database with the tables of one of these migrations."""
    known = tuple(f"{path.name}.schema-{schema}." for schema in schemas)
    return next((kept for kept in reversed(_kept(path)) if kept.name.startswith(known)), None)


def _kept(path: Path) -> list[Path]:
    """The copies of a database, the oldest first."""
    return sorted(path.parent.glob(f"{path.name}.schema-*.*"), key=lambda kept: kept.name.rpartition(".")[2])


def _remove(draft: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        with_ending(draft, ending).unlink(missing_ok=True)
