"""Changes of a game: each needs its right to the end, and is told once it is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa
from blinker import Signal
from flask import Flask, current_app

from app.days import now
from app.store.database import NoSuchGame, fetch, is_code, transaction
from app.store.models import SCORERS, Game, Gone, Grant, db

game_changed = Signal("what all phones show of the game `code` has changed, and is stored")

# built once, because every phone asks every few seconds
_VERSIONS = sa.select(Game.code, Game.length, Game.signals).where(Game.code.in_(sa.bindparam("codes", expanding=True)))
_VERSION = sa.select(Game.length, Game.signals).where(Game.code == sa.bindparam("code"))
_NEXT_SIGNAL = (
    sa.update(Game).where(Game.code == sa.bindparam("of")).values(signals=Game.signals + 1).returning(Game.id)
)
may_record = sa.or_(
    Grant.role.in_(SCORERS),
    sa.and_(Grant.role == "player", Grant.seat.is_not(None), sa.not_(Game.only_starter_records)),
)
"""Whether a right of a game is one to record in it: a scorer's, or a seat's unless only the starting device records."""
_ACTIVE = (
    sa.select(may_record).join_from(Grant, Game).where(Grant.id == sa.bindparam("grant"), Grant.revoked_at.is_(None))
)
_RELIED_ON = "grants_relied_on"


class Version(NamedTuple):
    """The number of a game's newest entry, and how often anything else that all phones show has changed.

    It only grows, and is written `5.2`.
    """

    seen: int
    signals: int

    def __str__(self) -> str:
        return f"{self.seen}.{self.signals}"


class NotAllowed(Exception):
    """The right a change relied on was revoked or reduced while it waited for its turn: nothing was stored."""


class NeededRight(NamedTuple):
    """The grant that a change relies on, and whether it must be one to record."""

    grant_id: int
    records: bool


def version(code: str) -> Version | None:
    """Return how far a game has come, or None if there is no such game."""
    rows = fetch(_VERSION, code=code)
    return Version(*rows[0]) if rows else None


def versions(codes: Collection[str]) -> dict[str, Version]:
    """Return how far each of these games has come; a code without a game is left out: one SQL statement."""
    rows = fetch(_VERSIONS, codes=[code for code in codes if is_code(code)])
    return {code: Version(seen, signals) for code, seen, signals in rows}


_RESET = "\nreset"
"""Ends what is hashed besides where links were reset; no code has a line break."""


def mark_gone(code: str, *, by_reset: bool = False) -> None:
    """Note inside the caller's transaction that this code leads to its game no more."""
    for text in (code, code + _RESET)[: 1 + by_reset]:
        db.session.add(Gone(code_hash=_fingerprint(text), day=now()[:10]))


def is_gone(code: str, *, by_reset: bool = False) -> bool:
    """Return whether this code led to a game that was deleted or has another code since; or only the latter."""
    text = code + _RESET if by_reset else code
    return bool(fetch(sa.select(Gone.day).where(Gone.code_hash == _fingerprint(text))))


def _fingerprint(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()  # of 55 random bits: too many to try


def ask_rights_of(app: Flask, relied_on: Callable[[str], NeededRight | None]) -> None:
    """Before each change of a game, ask `relied_on` for the right that must stand; None for none."""
    app.extensions[_RELIED_ON] = relied_on


@contextmanager
def writing(code: str, lock: sa.Executable = _NEXT_SIGNAL, **values: object) -> Iterator[int]:
    """One transaction on a game, whose number it yields; tells everybody once it commits.

    `lock` is its first statement, which changes the game's row: so writers take turns. Raises `NoSuchGame`, and
    `NotAllowed` if a right this request relies on was revoked or reduced in the meantime.
    """
    if not is_code(code):
        raise NoSuchGame(code)
    with transaction() as connection:
        game_id = connection.execute(lock, {"of": code, **values}).scalar()
        if game_id is None:
            raise NoSuchGame(code)
        # the game is locked, so the right stays until the end
        needed: NeededRight | None = current_app.extensions[_RELIED_ON](code)
        if needed:
            active = connection.execute(_ACTIVE, {"grant": needed.grant_id}).first()
            if active is None or (needed.records and not active[0]):
                raise NotAllowed
        yield game_id
    game_changed.send(None, code=code)
