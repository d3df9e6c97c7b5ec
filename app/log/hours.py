"""The hours a server has run, and how long deletions wait because its clock may be wrong.

A machine without a battery for its clock may start at any date. So nothing is deleted for a week of running, added up
over starts, where by the clock every game is old, or a month has passed since the last hour that was noted.
"""

from __future__ import annotations

import sqlalchemy as sa

from app.log.database import days_ago, now, reading, seconds_since, unused, writing_transaction
from app.log.tables import entry, game, pulse

A_WEEK = 7 * 24
_HOUR = 60 * 60
_ANOTHER_PROCESS = 45 * 60
"""Seconds: whoever notes an hour sooner after the last one is a second process of the same server."""
_NOTED = sa.select(pulse.c.ran_at, pulse.c.waiting)


def hour_run(days: int, most: int = 1) -> int | None:
    """Note that the server has run another hour; returns for how many more nothing may be deleted.

    None if another process has noted this hour. Whoever notes only once a day says `most=24`: the hours since the last
    note then count, up to so many.
    """
    with writing_transaction(is_news=False) as connection:
        ran_at, waiting = connection.execute(_NOTED.with_for_update()).one()
        passed = seconds_since(ran_at) if ran_at else _ANOTHER_PROCESS
        if 0 <= passed < _ANOTHER_PROCESS:
            return None
        if passed < -_HOUR:
            waiting = 0  # the clock was ahead, and is right again
        ran = min(max(round(passed / _HOUR), 1), most)
        left = max(waiting - ran, 0) if waiting else _doubt(connection, ran_at, days)
        connection.execute(sa.update(pulse).values(ran_at=now(), waiting=left))
    return left


def hours_to_wait(days: int) -> int:
    """For how many hours of running nothing may be deleted, as things are now."""
    with reading() as connection:
        ran_at, waiting = connection.execute(_NOTED).one()
        return waiting or _doubt(connection, ran_at, days)


def _doubt(connection: sa.Connection, ran_at: str, days: int) -> int:
    """A week if the clock may be wrong; before any hour was noted, the newest entry says when it was right."""
    last = ran_at or connection.execute(sa.select(sa.func.max(entry.c.at))).scalar() or now()
    kept = sa.select(game.c.id).where(game.c.code.not_in(unused(days)))
    is_any = connection.execute(sa.select(game.c.id).limit(1)).first()
    would_all_go = is_any and not connection.execute(kept.limit(1)).first()
    return A_WEEK if would_all_go or last < days_ago(30) else 0
