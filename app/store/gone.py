"""Addresses that led to a game until it was deleted or got another: kept as fingerprints that nobody can turn back."""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy as sa

from app.store.database import is_code, now, reading
from app.store.models import Gone, db

_IS_GONE = sa.select(Gone.day).where(Gone.code_hash == sa.bindparam("code_hash"))


def mark_gone(code: str) -> None:
    """Note inside the caller's transaction that this code leads to its game no more."""
    db.session.execute(sa.insert(Gone).values(code_hash=_fingerprint(code), day=now()[:10]))


def is_gone(code: str) -> bool:
    """Return whether this code led to a game that was deleted or has another code since."""
    if not is_code(code):
        return False
    with reading() as connection:
        return connection.execute(_IS_GONE, {"code_hash": _fingerprint(code)}).first() is not None


def _fingerprint(code: str) -> str:
    return sha256(code.encode()).hexdigest()  # of 55 random bits: too many to try
