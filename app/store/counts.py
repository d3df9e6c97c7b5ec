"""What players hand in of their own cards, beside the log: none of it is part of the game."""

from __future__ import annotations

import sqlalchemy as sa

from app.store.changes import Version, changing, signal
from app.store.database import now, reading
from app.store.tables import count, game

MOST_LETTERS = 400
_COUNTS = (
    sa.select(count.c.seat, count.c.cards)
    .join(game)
    .where(game.c.code == sa.bindparam("code"), count.c.dealt_after == sa.bindparam("dealt_after"))
    .order_by(count.c.at, count.c.seat)
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

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame`.
    """
    earlier = sa.or_(count.c.dealt_after < dealt_after, count.c.seat == seat)
    with changing(code) as (connection, locked):
        connection.execute(sa.delete(count).where(count.c.game_id == locked.id, earlier))
        if cards:
            fresh = {"game_id": locked.id, "dealt_after": dealt_after, "seat": seat, "at": now()}
            connection.execute(sa.insert(count).values(fresh | {"cards": cards[:MOST_LETTERS]}))
        signal(connection, locked.id)
