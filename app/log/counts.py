"""What players hand in of their own cards, beside the log: none of it is part of the game."""

from __future__ import annotations

import sqlalchemy as sa

from app.log.changes import Edition, changing, signal
from app.log.database import now, reading
from app.log.tables import game, message

MOST_LETTERS = 400
_COUNTS = (
    sa.select(message.c.seat, message.c.contents)
    .join(game)
    .where(
        game.c.code == sa.bindparam("code"), message.c.kind == "count", message.c.about == sa.bindparam("dealt_after")
    )
    .order_by(message.c.id)
)


def counts(code: str, dealt_after: int, known: Edition) -> dict[int, str]:
    """Return what was handed in for the hand dealt after that entry, by seat; nothing is asked if none ever was."""
    if not known.signals:
        return {}
    with reading() as connection:
        rows = connection.execute(_COUNTS, {"code": code, "dealt_after": dealt_after})
        return {row.seat: row.contents for row in rows}


def hand_in(code: str, dealt_after: int, seat: int, cards: str) -> None:
    """Keep what `seat` has left in the hand dealt after that entry, and drop the counts of earlier hands.

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame`.
    """
    earlier = sa.or_(message.c.about < dealt_after, sa.and_(message.c.about == dealt_after, message.c.seat == seat))
    with changing(code) as (connection, locked):
        old = sa.delete(message).where(message.c.game_id == locked.id, message.c.kind == "count", earlier)
        connection.execute(old)
        if cards:
            fresh = {"game_id": locked.id, "kind": "count", "seat": seat, "about": dealt_after, "at": now()}
            connection.execute(sa.insert(message).values(fresh | {"contents": cards[:MOST_LETTERS]}))
        signal(connection, locked.id)
