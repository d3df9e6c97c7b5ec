"""Games that go on in another: the same table once more, or a copy on a phone that could not record."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import aliased

from app.store.changes import writing
from app.store.database import fetch, fetch_one
from app.store.models import Game, Grant, db

_BEFORE = aliased(Game)
_IS_BEFORE = _BEFORE.code == sa.bindparam("code")
_REMATCH_OF = sa.select(Game.code).join(_BEFORE, Game.rematch_of == _BEFORE.id).where(_IS_BEFORE)
_NEWEST_REMATCH_OF = _REMATCH_OF.order_by(Game.id.desc()).limit(1)
_COPIES = (
    sa.select(_BEFORE.code, Game.code, sa.func.min(Grant.device), Game.created_at)
    .join_from(Game, _BEFORE, Game.continues == _BEFORE.id)
    .join(Grant, sa.and_(Grant.game_id == Game.id, Grant.role == "scorer"))
    .group_by(Game.id, Game.code, Game.created_at, _BEFORE.code)
    .order_by(Game.id.desc())
)
_COPIES_OF = _COPIES.where(_IS_BEFORE)


class Continuation(NamedTuple):
    """A copy in which the game `of` continues, and the device that began it, `at` a time in UTC."""

    of: str
    code: str
    device: str
    at: str


def play_on(code: str, rematch: str) -> None:
    """Note that the table of the game `code` plays on in the game `rematch`, and tell every phone that shows `code`.

    Raises `NoSuchGame`, and `NotAllowed` if a right this request relies on was revoked.
    """
    with writing(code) as game_id:
        db.session.execute(sa.update(Game).where(Game.code == rematch).values(rematch_of=game_id))


def rematch_of(code: str) -> str | None:
    """Return the code of the newest game in which the table of the game `code` plays on."""
    rematch: str | None = fetch_one(_NEWEST_REMATCH_OF, code=code)
    return rematch


def continue_in(code: str, copy: str, device: str) -> None:
    """Note that the game `copy`, begun by that device, continues the game `code`, and tell every phone that shows it.

    Raises `NoSuchGame`.
    """
    copy_id = sa.select(Game.id).where(Game.code == copy).scalar_subquery()
    with writing(code) as game_id:
        db.session.execute(sa.update(Game).where(Game.code == copy).values(continues=game_id))
        db.session.execute(
            sa.update(Grant).where(Grant.game_id == copy_id, Grant.role == "scorer").values(device=device)
        )


def continuations(code: str) -> tuple[Continuation, ...]:
    """Return the copies in which a game continues, the newest first."""
    return tuple(Continuation(*row) for row in fetch(_COPIES_OF, code=code))


def copies_among(codes: Collection[str]) -> tuple[Continuation, ...]:
    """Return those of the games that are copies in which others go on, the newest first."""
    return tuple(Continuation(*row) for row in fetch(_COPIES.where(Game.code.in_(codes))))
