"""Messages: what phones at the table say beside the log, and the answers. None of it is part of the game.

A `count` is what a player has left in the hand being played. A `proposal` is what the scorer is about to save, one a
game at most, and an `opinion` what a player says to it. Two kinds are appeals to the whole table, and stay as long as
the game does: `referee` (come and rule) and `pen` (let me write).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from app.log.changes import Edition, changing, signal
from app.log.database import now, reading, seconds_since, shown
from app.log.entries import Event, as_kept
from app.log.grants import Grant, give_up_seat, grants, insert_grant, keep_seats, revoked_grant, take_back
from app.log.tables import game, grant, message

APPEALS = ("referee", "pen")
LASTS_SECONDS = 60
"""How long a proposal is shown, unless the scorer's open page renews it (static/js/outlook.js)."""
_FRESH_SECONDS = 15
MOST_LETTERS = {"count": 400, "opinion": 200}
_ANSWERED = {"settled": "referee", "refused": "pen", "given": "pen", "passed": "pen"}
"""The kind of appeal each answer belongs to."""


class Message(NamedTuple):
    """One thing said by a `seat` (0 for the scorer) to the log of `about` entries; appeals are about none.

    `contents` are the cards or points of a count, the event proposed, or the words of an opinion, whose `answer` is
    right or stop. That of an appeal is empty, settled, refused, given or passed. A pen given is passed once the phone
    that asked takes it; until then the scorer writes.
    """

    id: int
    kind: str
    seat: int
    about: int
    contents: str
    device: str
    at: str
    answer: str
    answered_by: str
    answered_at: str | None

    @property
    def age(self) -> int:
        """Seconds since it was said, or answered; if the clock was set back far, it counts as expired.

        Otherwise a player might wait a day for the pen; this way they just ask again. Clocks jump by seconds all the
        time.
        """
        seconds = seconds_since(self.answered_at or self.at)
        return max(seconds, 0) if seconds >= -10 else 24 * 60 * 60

    @property
    def lasts(self) -> int:
        """For how many seconds more a proposal is shown."""
        return max(LASTS_SECONDS - self.age, 0)

    @property
    def name(self) -> str:
        """Changes with what is proposed, so that nobody agrees to something they have not seen."""
        return _named(self.about, self.contents)

    @property
    def event(self) -> Event:
        """What is proposed."""
        proposed: Event = json.loads(self.contents)
        return proposed

    @property
    def agrees(self) -> bool:
        """Whether an opinion calls the proposal right."""
        return self.answer == "right"


_SHOWN = [message.c[name] for name in Message._fields]


def messages_of(code: str, known: Edition | None = None) -> tuple[Message, ...]:
    """All messages of a game, oldest first; not even looked for if its `known` edition has none."""
    if known and not known.signals:
        return ()
    with reading() as connection:
        return _stored(connection, code)


def hand_in(code: str, after: int, seat: int, cards: str) -> None:
    """Keep what `seat` has left in the hand dealt after entry `after`, and drop the counts of earlier hands.

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame`.
    """
    earlier = sa.or_(message.c.about < after, sa.and_(message.c.about == after, message.c.seat == seat))
    count = {"kind": "count", "seat": seat, "about": after, "contents": cards[: MOST_LETTERS["count"]]}
    with changing(code) as (connection, locked):
        _exchange(connection, locked.id, sa.and_(message.c.kind == "count", earlier), *([count] if cards else []))


def make_appeal(code: str, kind: str, seat: int, device: str, lasts: int) -> None:
    """Ask the whole table; does nothing if the same appeal is open and at most `lasts` seconds old."""
    with changing(code) as (connection, locked):
        there = [each for each in _stored(connection, code) if (each.kind, each.seat, each.answer) == (kind, seat, "")]
        if not any(each.age < lasts for each in there):
            _exchange(connection, locked.id, sa.false(), {"kind": kind, "seat": seat, "device": shown(device)})


def answer_appeal(code: str, appeal_id: int, answer: str, by: str) -> bool:
    """Answer an open appeal of this game; False if it has none with that number that this answer fits."""
    with changing(code) as (connection, locked):
        return _answer(connection, locked.id, appeal_id, answer, by, now())


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


def proposal_in(said: Iterable[Message]) -> Message | None:
    """The game's last proposal, however old."""
    return next((each for each in said if each.kind == "proposal"), None)


def propose(code: str, seen: int, event: Event, *, renews: bool = False) -> str:
    """Show an event to the seated players and return the proposal's name; empty if it is not shown.

    Proposing the same event again keeps the opinions. A call that only `renews` does not replace another proposal that
    is still shown: otherwise two phones that write would keep replacing each other's.
    """
    if not any(each.role == "player" and each.seat and not each.revoked_at for each in grants(code)):
        return ""
    contents = as_kept(event)
    name = _named(seen, contents)
    shown_now = _without_a_change(messages_of(code), seen, name, renews)
    if shown_now is not None:
        return shown_now
    with changing(code) as (connection, locked):
        said = _stored(connection, code)  # another phone may have proposed since
        shown_now = _without_a_change(said, seen, name, renews)
        if shown_now is not None:
            return shown_now
        known = proposal_in(said)
        gone = ("proposal",) if known and known.name == name else ("proposal", "opinion")
        fresh = {"kind": "proposal", "about": seen, "contents": contents}
        _exchange(connection, locked.id, message.c.kind.in_(gone), fresh)
    return name


def _without_a_change(said: Iterable[Message], seen: int, name: str, renews: bool) -> str | None:
    """What `propose` returns if the proposal there stays; None if it must be replaced."""
    known = proposal_in(said)
    if known and known.name == name:
        return name if known.age < _FRESH_SECONDS else None
    return "" if known and renews and known.lasts and known.about >= seen else None


def withdraw(code: str, name: str) -> None:
    """Withdraw the proposal of that name, with its opinions; any other stays."""
    with changing(code) as (connection, locked):
        known = proposal_in(_stored(connection, code))
        if known and known.name == name:
            _exchange(connection, locked.id, message.c.kind.in_(("proposal", "opinion")))


def give_opinion(code: str, seen: int, name: str, seat: int, answer: str, words: str) -> Message | None:
    """Keep what a seat says to the proposal of that name: right, or stop and what is wrong, which may be empty.

    Returns that proposal; None if it is not the game's any more, or the log has more than `seen` entries.
    """
    with changing(code) as (connection, locked):
        known = proposal_in(_stored(connection, code))
        if known is None or (known.about, known.name) != (seen, name):
            return None
        opinion = {"kind": "opinion", "seat": seat, "about": known.about, "answer": answer}
        before = sa.and_(message.c.kind == "opinion", message.c.seat == seat)
        _exchange(connection, locked.id, before, opinion | {"contents": words[: MOST_LETTERS["opinion"]]})
        return known


def name_of(seen: int, event: Event) -> str:
    """The name of the proposal of this event on a log of `seen` entries."""
    return _named(seen, as_kept(event))


def _named(seen: int, contents: str) -> str:
    return sha256(f"{seen} {contents}".encode()).hexdigest()[:16]


def _stored(connection: sa.Connection, code: str) -> tuple[Message, ...]:
    statement = sa.select(*_SHOWN).join(game).where(game.c.code == code).order_by(message.c.id)
    return tuple(Message(*row) for row in connection.execute(statement))


def _exchange(connection: sa.Connection, game_id: int, gone: sa.ColumnElement[bool], *fresh: dict[str, Any]) -> None:
    """Put `fresh` messages in the place of those that are `gone`."""
    connection.execute(sa.delete(message).where(message.c.game_id == game_id, gone))
    for each in fresh:
        connection.execute(sa.insert(message).values(game_id=game_id, at=now(), **each))
    signal(connection, game_id)


def _answer(connection: sa.Connection, game_id: int, appeal_id: int, answer: str, by: str, at: str) -> bool:
    unanswered = ("", "given") if answer == "passed" else ("",)
    is_open = sa.and_(message.c.answer.in_(unanswered), message.c.kind == _ANSWERED[answer])
    answered = {"answer": answer, "answered_by": shown(by), "answered_at": at}
    this = sa.update(message).where(message.c.game_id == game_id, message.c.id == appeal_id, is_open)
    done = connection.execute(this.values(answered)).rowcount == 1
    if done:
        signal(connection, game_id)
    return done
