"""Copies of an SQLite database as an earlier release left it, made before its tables are changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from app.store.file import address, appearing, copy_whole

KEPT = 3
"""So many copies lie beside a database; the oldest goes first."""


def keep_earlier(path: Path, schema: str) -> Path:
    """Copy a database whose tables are those of migration `schema`, whole or not at all; returns the copy."""
    kept = path.with_name(f"{path.name}.schema-{schema}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
    with appearing(kept) as draft, closing(sqlite3.connect(address(path, "ro"), uri=True)) as source:
        copy_whole(source, draft)
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
