"""Appeals: what a player asks of the whole table, and how it was answered; none is ever deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change, signal
from app.log.database import appeal, game, grant, now, reading, seconds_since, shown
from app.log.grants import insert_grant, revoked_grant, take_back

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

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
_ANSWERED = {"settled": "referee", "refused": "pen", "passed": "pen"}
"""Each answer with the kind of appeal it is an answer to."""
_PUT_RIGHT = 10
_LONG_AGO = 24 * 60 * 60


@dataclass(frozen=True)
class Appeal:
    """`kind` is referee (come and rule) or pen (let me write); `answer` is empty, settled, refused or passed."""

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
        """Seconds since it was made."""
        return _age(self.at)

    @property
    def answer_age(self) -> int | None:
        """Seconds since it was answered, None while it is open."""
        return _age(self.answered_at) if self.answered_at else None


def make_appeal(code: str, kind: str, seat: int, device: str, lasts: int) -> None:
    """Ask the whole table; asked again while it is open and no older than `lasts` seconds changes nothing."""

    def insert(connection: Connection, game_id: int) -> None:
        open_ones = [each for each in _of(connection, code) if each.kind == kind and each.seat == seat]
        if any(not each.answer and each.age < lasts for each in open_ones):
            return
        row = {"game_id": game_id, "kind": kind, "seat": seat, "device": shown(device), "at": now()}
        connection.execute(sa.insert(appeal).values(row))
        signal(connection, game_id)

    change(code, insert)


def answer_appeal(code: str, appeal_id: int, answer: str, by: str) -> bool:
    """Answer an open appeal of this game; False when none with that number can be answered so."""
    return change(code, lambda connection, game_id: _answer(connection, game_id, appeal_id, answer, by))


def pass_pen(code: str, appeal_id: int, seat: int, device: str) -> str | None:
    """Give the right to write to whoever asked for the pen, and take it from all who had it.

    Recovery codes stay good. Returns the secret; None unless that is an open appeal for the pen.
    """

    def passing(connection: Connection, game_id: int) -> str | None:
        at = now()  # of both: so that who wrote before is known to have lost the pen, not the trust
        if not _answer(connection, game_id, appeal_id, "passed", device, at):
            return None
        take_back(connection, game_id, grant.c.role == "scorer", at=at)
        return insert_grant(connection, game_id, "scorer", seat, device)

    return change(code, passing)


@dataclass(frozen=True)
class LostPen:
    """A right to write that is gone: `seat` is whose phone it was, if that was told, `to` who took the pen since."""

    grant_id: int
    seat: int | None
    to: int | None


def lost_pen(code: str, secret: str) -> LostPen | None:
    """What the bearer of `secret` lost when somebody took the pen; whoever started the game, however they lost it.

    None for everybody else, whose right was taken back on purpose.
    """
    with reading() as connection:
        lost = revoked_grant(connection, code, secret)
        if lost is None or lost.role != "scorer":
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
    is_open = sa.and_(appeal.c.answer == "", appeal.c.kind == _ANSWERED[answer])
    answered = {"answer": answer, "answered_by": shown(by), "answered_at": at or now()}
    done = connection.execute(sa.update(appeal).where(this, is_open).values(answered)).rowcount == 1
    if done:
        signal(connection, game_id)
    return done


def _age(at: str) -> int:
    """Seconds since `at`. Where the clock was put back meanwhile nobody knows: then it is as good as over.

    So nobody waits for a day to take the pen; it is asked for once more. Clocks are put right by seconds all the time.
    """
    seconds = seconds_since(at)
    return max(seconds, 0) if seconds >= -_PUT_RIGHT else _LONG_AGO
