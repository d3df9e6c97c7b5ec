"""What players hand in of their own cards, beside the log: none of it is part of the game."""

from __future__ import annotations

import sqlalchemy as sa

from app.store.changes import Version, writing
from app.store.database import now, reading
from app.store.models import Count, Game, db

MOST_LETTERS = 400
_COUNTS = (
    sa.select(Count.seat, Count.cards)
    .join(Game)
    .where(Game.code == sa.bindparam("code"), Count.dealt_after == sa.bindparam("dealt_after"))
    .order_by(Count.at, Count.seat)
)


def counts(code: str, dealt_after: int, known: Version) -> dict[int, str]:
    """Return what was handed in for the hand dealt after that entry, by seat; nothing is asked if none ever was."""
    if not known.signals:
        return {}
    with reading() as connection:
        rows = connection.execute(_COUNTS, {"code": code, "dealt_after": dealt_after})
        return {row.seat: row.cards for row in rows}


def hand_in(code: str, dealt_after: int, seat: int, cards: str) -> None:
    """Keep what `seat` has left in the hand dealt after that entry, and drop the counts of earlier hands.

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame` and `RightGone`.
    """
    earlier = sa.or_(Count.dealt_after < dealt_after, Count.seat == seat)
    with writing(code) as game_id:
        db.session.execute(sa.delete(Count).where(Count.game_id == game_id, earlier))
        if cards:
            counted = {"dealt_after": dealt_after, "seat": seat, "cards": cards[:MOST_LETTERS], "at": now()}
            db.session.execute(sa.insert(Count).values(game_id=game_id, **counted))
