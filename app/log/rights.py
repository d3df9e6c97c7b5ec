"""Rights checked again: what a request was allowed to do must still be allowed when it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa
from flask import current_app

from app.log.database import grant

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.engine import Connection

_RELIED_ON = "grants_relied_on"
_STANDS = sa.select(grant.c.id).where(grant.c.id == sa.bindparam("grant"), grant.c.revoked_at.is_(None))


class RightGone(Exception):
    """The right a change relied on was revoked while it waited for its turn: nothing was stored."""


def ask_rights_of(app: Flask, relied_on: Callable[[str], int | None]) -> None:
    """Before each change of a game, ask `relied_on` for the number of the grant that must stand; None for none."""
    app.extensions[_RELIED_ON] = relied_on


def require_right(connection: Connection, code: str) -> None:
    """Raise `RightGone` unless the grant relied on still stands; the game is locked, so it stays until the end."""
    grant_id = current_app.extensions[_RELIED_ON](code)
    if grant_id is None:
        return
    if connection.execute(_STANDS, {"grant": grant_id}).first() is None:
        raise RightGone
