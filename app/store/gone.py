"""Addresses that led to a game until it was deleted or got another: kept as fingerprints that nobody can turn back."""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy as sa

from app.store.database import is_code, now, reading
from app.store.tables import gone


def mark_gone(connection: sa.Connection, code: str) -> None:
    """Note inside the caller's transaction that this code leads to its game no more."""
    connection.execute(sa.insert(gone).values(code_hash=_fingerprint(code), day=now()[:10]))


def is_gone(code: str) -> bool:
    """Return whether this code led to a game that was deleted or has another code since."""
    if not is_code(code):
        return False
    with reading() as connection:
        found = connection.execute(sa.select(gone.c.day).where(gone.c.code_hash == _fingerprint(code)))
        return found.first() is not None


def _fingerprint(code: str) -> str:
    return sha256(code.encode()).hexdigest()  # of 55 random bits: too many to try
