"""Games that go on in a copy, on a phone that could not record in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import aliased

from app.store.changes import writing
from app.store.database import reading
from app.store.models import Game, Grant, db

_BEFORE = aliased(Game)
_COPIES = (
    sa.select(_BEFORE.code, Game.code, sa.func.min(Grant.device), Game.created_at)
    .join_from(Game, _BEFORE, Game.continues == _BEFORE.id)
    .join(Grant, sa.and_(Grant.game_id == Game.id, Grant.role == "scorer"))
    .group_by(Game.id, Game.code, Game.created_at, _BEFORE.code)
    .order_by(Game.id.desc())
)
_COPIES_OF = _COPIES.where(_BEFORE.code == sa.bindparam("code"))


class Continuation(NamedTuple):
    """A copy in which the game `of` goes on, and the device that began it, `at` a time in UTC."""

    of: str
    code: str
    device: str
    at: str


def continue_in(code: str, copy: str, device: str) -> None:
    """Note that the game `copy`, begun by that device, continues the game `code`, and tell every phone that shows it.

    Raises `NoSuchGame`.
    """
    begun = sa.select(Game.id).where(Game.code == copy).scalar_subquery()
    starters = sa.and_(Grant.game_id == begun, Grant.role == "scorer")
    with writing(code) as game_id:
        db.session.execute(sa.update(Game).where(Game.code == copy).values(continues=game_id))
        db.session.execute(sa.update(Grant).where(starters).values(device=device))


def continuations(code: str) -> tuple[Continuation, ...]:
    """Return the copies in which a game goes on, the newest first."""
    with reading() as connection:
        return tuple(Continuation(*row) for row in connection.execute(_COPIES_OF, {"code": code}))


def copies_among(codes: Collection[str]) -> tuple[Continuation, ...]:
    """Return those of the games that are copies in which others go on, the newest first."""
    with reading() as connection:
        return tuple(Continuation(*row) for row in connection.execute(_COPIES.where(Game.code.in_(codes))))
