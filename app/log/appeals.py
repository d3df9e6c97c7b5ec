"""Appeals: what phones ask of the whole table, which stays as long as the game does; and what phones have lost.

A `referee` is to come and rule; by a `pen` a phone asks for the right to write, which passes to it.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from app.log.changes import changing, signal
from app.log.database import now, reading, shown
from app.log.grants import Grant, first_secret, give_up_seat, grants, insert_grant, keep_seats, revoked_grant, take_back
from app.log.messages import exchange, messages_of, stored
from app.log.tables import grant, message

APPEALS = ("referee", "pen")
_ANSWERED = {"settled": "referee", "refused": "pen", "given": "pen", "passed": "pen"}
"""The kind of appeal each answer belongs to."""


def make_appeal(code: str, kind: str, seat: int, device: str, lasts: int) -> None:
    """Ask the whole table; does nothing if the same appeal is open and at most `lasts` seconds old."""
    with changing(code) as (connection, locked):
        there = [each for each in stored(connection, code) if (each.kind, each.seat, each.answer) == (kind, seat, "")]
        if not any(each.age < lasts for each in there):
            exchange(connection, locked.id, sa.false(), {"kind": kind, "seat": seat, "device": shown(device)})


def answer_appeal(code: str, appeal_id: int, answer: str, by: str) -> bool:
    """Answer an open appeal of this game; False if it has none with that number that this answer fits."""
    with changing(code) as (connection, locked):
        return _answer(connection, locked.id, appeal_id, answer, by, now())


def pen_secret(code: str, appeal_id: int, own: str) -> str:
    """The secret by which the bearer of the secret `own` writes once the pen has passed by that appeal.

    If the answer is lost on its way, asking again gives the same.
    """
    return first_secret(code, f"pen {appeal_id} {own}")


def pass_pen(code: str, appeal_id: int, seat: int, device: str, own: Grant, secret: str) -> str | None:
    """Give the right to write to the player who asked for the pen, and revoke everybody else's.

    Every phone keeps its seat: those that wrote sit where their owners said; this one sits by its right to write, in
    place of its `own` right. Recovery codes stay valid. Returns the `secret`; None unless that is an open appeal for
    the pen.
    """
    with changing(code) as (connection, locked):
        at = now()  # one time for both, to tell a writer who lost the pen from one whose right was revoked
        if not _answer(connection, locked.id, appeal_id, "passed", device, at):
            return None
        keep_seats(connection, locked.id)
        take_back(connection, locked.id, grant.c.role == "scorer", at=at)
        give_up_seat(connection, locked.id, own.id)
        return insert_grant(connection, locked.id, "scorer", seat, device, secret)


class LostPen(NamedTuple):
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
    passed = [each for each in messages_of(code) if each.answer == "passed"]
    has_started = [each.id for each in grants(code)[:1]] == [lost.id]
    if not has_started and lost.revoked_at not in [each.answered_at for each in passed]:
        return None
    return LostPen(lost.id, lost.seat, passed[-1].seat if passed else None)


def lost_seat(code: str, secret: str) -> int | None:
    """The seat that the bearer of `secret` lost to another phone which still has it; otherwise None."""
    with reading() as connection:
        lost = revoked_grant(connection, code, secret, "player")
    if lost is None or lost.seat is None:
        return None
    has_phone = any(each.seat == lost.seat and not each.revoked_at for each in grants(code))
    return lost.seat if has_phone else None


def _answer(connection: sa.Connection, game_id: int, appeal_id: int, answer: str, by: str, at: str) -> bool:
    unanswered = ("", "given") if answer == "passed" else ("",)
    is_open = sa.and_(message.c.answer.in_(unanswered), message.c.kind == _ANSWERED[answer])
    answered = {"answer": answer, "answered_by": shown(by), "answered_at": at}
    this = sa.update(message).where(message.c.game_id == game_id, message.c.id == appeal_id, is_open)
    done = connection.execute(this.values(answered)).rowcount == 1
    if done:
        signal(connection, game_id)
    return done
