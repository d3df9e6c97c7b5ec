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
    sa.select(Game.code, sa.func.min(Grant.device))
    .join_from(Game, _BEFORE, Game.continues == _BEFORE.id)
    .join(Grant, sa.and_(Grant.game_id == Game.id, Grant.role == "scorer"))
    .where(_BEFORE.code == sa.bindparam("code"))
    .group_by(Game.id, Game.code)
    .order_by(Game.id.desc())
)
_CONTINUED = sa.select(_BEFORE.code).join_from(Game, _BEFORE, Game.continues == _BEFORE.id)


class Continuation(NamedTuple):
    """A copy in which a game goes on, and the device that began it."""

    code: str
    device: str


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
        return tuple(Continuation(*row) for row in connection.execute(_COPIES, {"code": code}))


def find_continued(codes: Collection[str]) -> frozenset[str]:
    """Return those of the games that another of them continues."""
    among = _CONTINUED.where(Game.code.in_(codes), _BEFORE.code.in_(codes))
    with reading() as connection:
        return frozenset(connection.execute(among).scalars())
