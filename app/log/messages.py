"""Messages: what phones at the table say beside the log, and the answers. None of it is part of the game.

A `count` is what a player has left in the hand being played. A `proposal` is what the scorer is about to save, one a
game at most, and an `opinion` what a player says to it. The other kinds are appeals.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from app.log.changes import Edition, changing, signal
from app.log.database import now, reading, seconds_since
from app.log.entries import Event, as_kept
from app.log.grants import grants
from app.log.tables import game, message

LASTS_SECONDS = 60
"""How long a proposal is shown, unless the scorer's open page renews it (static/js/outlook.js)."""
MOST_LETTERS = {"count": 400, "opinion": 200}


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
        return stored(connection, code)


def hand_in(code: str, after: int, seat: int, cards: str) -> None:
    """Keep what `seat` has left in the hand dealt after entry `after`, and drop the counts of earlier hands.

    `cards` is as typed, cards or points; an empty text withdraws the count. Raises `NoSuchGame`.
    """
    earlier = sa.or_(message.c.about < after, sa.and_(message.c.about == after, message.c.seat == seat))
    count = {"kind": "count", "seat": seat, "about": after, "contents": cards[: MOST_LETTERS["count"]]}
    with changing(code) as (connection, locked):
        exchange(connection, locked.id, sa.and_(message.c.kind == "count", earlier), *([count] if cards else []))


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
        said = stored(connection, code)  # another phone may have proposed since
        shown_now = _without_a_change(said, seen, name, renews)
        if shown_now is not None:
            return shown_now
        known = proposal_in(said)
        gone = ("proposal",) if known and known.name == name else ("proposal", "opinion")
        fresh = {"kind": "proposal", "about": seen, "contents": contents}
        exchange(connection, locked.id, message.c.kind.in_(gone), fresh)
    return name


def _without_a_change(said: Iterable[Message], seen: int, name: str, renews: bool) -> str | None:
    """What `propose` returns if the proposal there stays; None if it must be replaced."""
    known = proposal_in(said)
    if known and known.name == name:
        return name if known.age < 15 else None
    return "" if known and renews and known.lasts and known.about >= seen else None


def withdraw(code: str, name: str) -> None:
    """Withdraw the proposal of that name, with its opinions; any other stays."""
    with changing(code) as (connection, locked):
        known = proposal_in(stored(connection, code))
        if known and known.name == name:
            exchange(connection, locked.id, message.c.kind.in_(("proposal", "opinion")))


def give_opinion(code: str, seen: int, name: str, seat: int, answer: str, words: str) -> Message | None:
    """Keep what a seat says to the proposal of that name: right, or stop and what is wrong, which may be empty.

    Returns that proposal; None if it is not the game's any more, or the log has more than `seen` entries.
    """
    with changing(code) as (connection, locked):
        known = proposal_in(stored(connection, code))
        if known is None or (known.about, known.name) != (seen, name):
            return None
        opinion = {"kind": "opinion", "seat": seat, "about": known.about, "answer": answer}
        before = sa.and_(message.c.kind == "opinion", message.c.seat == seat)
        exchange(connection, locked.id, before, opinion | {"contents": words[: MOST_LETTERS["opinion"]]})
        return known


def name_of(seen: int, event: Event) -> str:
    """The name of the proposal of this event on a log of `seen` entries."""
    return _named(seen, as_kept(event))


def _named(seen: int, contents: str) -> str:
    return sha256(f"{seen} {contents}".encode()).hexdigest()[:16]


def stored(connection: sa.Connection, code: str) -> tuple[Message, ...]:
    """All messages of a game, inside the caller's transaction."""
    statement = sa.select(*_SHOWN).join(game).where(game.c.code == code).order_by(message.c.id)
    return tuple(Message(*row) for row in connection.execute(statement))


def exchange(connection: sa.Connection, game_id: int, gone: sa.ColumnElement[bool], *fresh: dict[str, Any]) -> None:
    """Put `fresh` messages in the place of those that are `gone`."""
    connection.execute(sa.delete(message).where(message.c.game_id == game_id, gone))
    for each in fresh:
        connection.execute(sa.insert(message).values(game_id=game_id, at=now(), **each))
    signal(connection, game_id)
