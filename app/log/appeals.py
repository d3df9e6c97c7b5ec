"""Appeals: what a player asks the whole table, and the answer; none is ever deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change, signal
from app.log.database import appeal, game, grant, now, reading, seconds_since, shown
from app.log.grants import give_up_seat, insert_grant, keep_seats, revoked_grant, take_back

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from app.log.grants import Grant

_SHOWN = (
    appeal.c.id,
    appeal.c.kind,
    appeal.c.seat,
    appeal.c.device,
    appeal.c.at,
    appeal.c.answer,
    appeal.c.answered_by,
    appeal.c.answered_at,
)
_ANSWERED = {"settled": "referee", "refused": "pen", "given": "pen", "passed": "pen"}
"""The kind of appeal each answer belongs to."""
_PUT_RIGHT = 10
_LONG_AGO = 24 * 60 * 60


@dataclass(frozen=True)
class Appeal:
    """`kind` is referee (come and rule) or pen (let me write); `answer` is empty, settled, refused, given or passed.

    A pen given is passed once the phone that asked takes it; until then the scorer writes.
    """

    id: int
    kind: str
    seat: int
    device: str
    at: str
    answer: str
    answered_by: str
    answered_at: str | None

    @property
    def age(self) -> int:
        """Seconds since the appeal."""
        return _age(self.at)

    @property
    def answer_age(self) -> int | None:
        """Seconds since the answer; None while the appeal is open."""
        return _age(self.answered_at) if self.answered_at else None


def make_appeal(code: str, kind: str, seat: int, device: str, lasts: int) -> None:
    """Ask the whole table; does nothing if the same appeal is open and at most `lasts` seconds old."""

    def insert(connection: Connection, game_id: int) -> None:
        open_ones = [each for each in _of(connection, code) if each.kind == kind and each.seat == seat]
        if any(not each.answer and each.age < lasts for each in open_ones):
            return
        row = {"game_id": game_id, "kind": kind, "seat": seat, "device": shown(device), "at": now()}
        connection.execute(sa.insert(appeal).values(row))
        signal(connection, game_id)

    change(code, insert)


def answer_appeal(code: str, appeal_id: int, answer: str, by: str) -> bool:
    """Answer an open appeal of this game; False if it has none with that number that this answer fits."""
    return change(code, lambda connection, game_id: _answer(connection, game_id, appeal_id, answer, by))


def pass_pen(code: str, appeal_id: int, seat: int, device: str, own: Grant, secret: str) -> str | None:
    """Give the right to write to the player who asked for the pen, and revoke everybody else's.

    Every phone keeps its seat: those that wrote sit where their owners said; this one sits by its right to write, in
    place of its `own` right. Recovery codes stay valid. Returns the `secret`; None unless that is an open appeal for
    the pen.
    """

    def passing(connection: Connection, game_id: int) -> str | None:
        at = now()  # one time for both, to tell a writer who lost the pen from one whose right was revoked
        if not _answer(connection, game_id, appeal_id, "passed", device, at):
            return None
        keep_seats(connection, game_id)
        take_back(connection, game_id, grant.c.role == "scorer", at=at)
        give_up_seat(connection, game_id, own.id)
        return insert_grant(connection, game_id, "scorer", seat, device, secret)

    return change(code, passing)


@dataclass(frozen=True)
class LostPen:
    """A lost right to write: `seat` owns the phone, if known, and `to` took the pen."""

    grant_id: int
    seat: int | None
    to: int | None


def lost_pen(code: str, secret: str) -> LostPen | None:
    """What the bearer of `secret` lost when somebody took the pen; for the game's starter, however they lost it.

    None for everybody else, whose right was revoked on purpose.
    """
    with reading() as connection:
        lost = revoked_grant(connection, code, secret, "scorer")
        if lost is None:
            return None
        passed = [each for each in _of(connection, code) if each.answer == "passed"]
        first = sa.select(sa.func.min(grant.c.id)).join(game).where(game.c.code == code, grant.c.role == "scorer")
        started = connection.execute(first).scalar() == lost.id
    if not started and lost.revoked_at not in [each.answered_at for each in passed]:
        return None
    return LostPen(lost.id, lost.seat, passed[-1].seat if passed else None)


def appeals(code: str) -> tuple[Appeal, ...]:
    """All appeals of a game, oldest first."""
    with reading() as connection:
        return _of(connection, code)


def _of(connection: Connection, code: str) -> tuple[Appeal, ...]:
    statement = sa.select(*_SHOWN).join(game).where(game.c.code == code).order_by(appeal.c.id)
    return tuple(Appeal(*row) for row in connection.execute(statement))


def _answer(connection: Connection, game_id: int, appeal_id: int, answer: str, by: str, at: str = "") -> bool:
    this = sa.and_(appeal.c.game_id == game_id, appeal.c.id == appeal_id)
    unanswered = ("", "given") if answer == "passed" else ("",)
    is_open = sa.and_(appeal.c.answer.in_(unanswered), appeal.c.kind == _ANSWERED[answer])
    answered = {"answer": answer, "answered_by": shown(by), "answered_at": at or now()}
    done = connection.execute(sa.update(appeal).where(this, is_open).values(answered)).rowcount == 1
    if done:
        signal(connection, game_id)
    return done


def _age(at: str) -> int:
    """Seconds since `at`; if the clock was set back far, the appeal counts as expired.

    Otherwise a player might wait a day for the pen; this way they just ask again. Clocks jump by seconds all the time.
    """
    seconds = seconds_since(at)
    return max(seconds, 0) if seconds >= -_PUT_RIGHT else _LONG_AGO
