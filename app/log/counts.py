"""Counts: what players themselves say they have left, for the hand being recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change, signal
from app.log.database import count, game, now, reading

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

MOST_LETTERS = 400


def hand_in(code: str, after: int, seat: int, cards: str) -> None:
    """Keep what `seat` has left in the hand dealt after entry `after`, and drop the counts of earlier hands.

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame`.
    """

    def replace(connection: Connection, game_id: int) -> None:
        old = sa.or_(count.c.after_seq < after, sa.and_(count.c.after_seq == after, count.c.seat == seat))
        connection.execute(sa.delete(count).where(count.c.game_id == game_id, old))
        if cards:
            row = {"game_id": game_id, "after_seq": after, "seat": seat, "cards": cards[:MOST_LETTERS], "at": now()}
            connection.execute(sa.insert(count).values(row))
        signal(connection, game_id)

    change(code, replace)


def counts(code: str, after: int) -> dict[int, str]:
    """The counts for the hand dealt after entry `after`, by seat."""
    statement = (
        sa.select(count.c.seat, count.c.cards)
        .join(game)
        .where(game.c.code == code, count.c.after_seq == after)
        .order_by(count.c.seat)
    )
    with reading() as connection:
        return {row.seat: row.cards for row in connection.execute(statement)}
