"""Proposals: what the scorer is about to save, and what seated players say to it. A game has one at most."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import sqlalchemy as sa

from app.log.changes import change, signal
from app.log.database import game, grant, now, opinion, proposal, reading, seconds_since
from app.log.entries import as_kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

    from app.log.entries import Event

    _Row = sa.Row[int, int, str, str]

LASTS_SECONDS = 60
"""How long a proposal is shown, unless the scorer's open page renews it (static/js/hand.js)."""
_FRESH_SECONDS = 15
MOST_WORDS = 200

_SEATED = (
    sa.select(grant.c.id)
    .join(game)
    .where(game.c.code == sa.bindparam("code"), grant.c.role == "player", grant.c.seat.is_not(None))
    .where(grant.c.revoked_at.is_(None))
    .limit(1)
)


@dataclass(frozen=True)
class Opinion:
    """What one player says to a proposal; `words` say what is wrong and may be empty."""

    agrees: bool
    words: str


@dataclass(frozen=True)
class Proposal:
    """An event previewed on the log of `seen` entries, shown for another `lasts` seconds; opinions are by seat.

    `name` changes with the event, so that nobody agrees to something they have not seen.
    """

    seen: int
    event: Event
    name: str
    lasts: int
    opinions: Mapping[int, Opinion]


def propose(code: str, seen: int, event: Event, *, renews: bool = False) -> str:
    """Show an event to the seated players and return the proposal's name; empty if it is not shown.

    Proposing the same event again keeps the opinions. A call that only `renews` does not replace another proposal that
    is still shown: otherwise two phones that write would keep replacing each other's.
    """
    data = as_kept(event)
    with reading() as connection:
        if connection.execute(_SEATED, {"code": code}).first() is None:
            return ""
        answer = _without_a_change(_row(connection, code), seen, data, renews)
    if answer is not None:
        return answer

    def replace(connection: Connection, game_id: int) -> str:
        known = _row(connection, code)  # another phone may have proposed since
        answer = _without_a_change(known, seen, data, renews)
        if answer is not None:
            return answer
        if not known or (known.seen, known.data) != (seen, data):
            connection.execute(sa.delete(opinion).where(opinion.c.game_id == game_id))
        connection.execute(sa.delete(proposal).where(proposal.c.game_id == game_id))
        connection.execute(sa.insert(proposal).values(game_id=game_id, seen=seen, data=data, at=now()))
        signal(connection, game_id)
        return _named(seen, data)

    return change(code, replace)


def _without_a_change(known: _Row | None, seen: int, data: str, renews: bool) -> str | None:
    """What `propose` returns if the `known` proposal stays; None if it must be replaced."""
    if known is None:
        return None
    age = seconds_since(known.at)
    if (known.seen, known.data) == (seen, data):
        return _named(seen, data) if 0 <= age < _FRESH_SECONDS else None
    return "" if renews and 0 <= age < LASTS_SECONDS and known.seen >= seen else None


def withdraw(code: str, name: str) -> None:
    """Withdraw the proposal of that name, with its opinions; any other stays."""

    def drop(connection: Connection, game_id: int) -> None:
        known = _row(connection, code)
        if known is None or _named(known.seen, known.data) != name:
            return
        for table in (opinion, proposal):
            connection.execute(sa.delete(table).where(table.c.game_id == game_id))
        signal(connection, game_id)

    change(code, drop)


def give_opinion(code: str, name: str, seat: int, agrees: bool, words: str) -> bool:
    """Keep what a seat says to the proposal of that name; False if there is now another one, or none."""

    def replace(connection: Connection, game_id: int) -> bool:
        known = _row(connection, code)
        if known is None or _named(known.seen, known.data) != name:
            return False
        connection.execute(sa.delete(opinion).where(opinion.c.game_id == game_id, opinion.c.seat == seat))
        said = {"game_id": game_id, "seat": seat, "agrees": agrees, "words": words[:MOST_WORDS]}
        connection.execute(sa.insert(opinion).values(said))
        signal(connection, game_id)
        return True

    return change(code, replace)


def proposed(code: str) -> Proposal | None:
    """A game's last proposal, however old, with the opinions on it."""
    with reading() as connection:
        known = _row(connection, code)
        if known is None:
            return None
        said = sa.select(opinion).where(opinion.c.game_id == known.game_id).order_by(opinion.c.seat)
        opinions = {row.seat: Opinion(row.agrees, row.words) for row in connection.execute(said)}
    age = seconds_since(known.at)
    lasts = LASTS_SECONDS - age if age >= 0 else 0
    return Proposal(known.seen, json.loads(known.data), _named(known.seen, known.data), lasts, opinions)


def _row(connection: Connection, code: str) -> _Row | None:
    found = sa.select(proposal.c.game_id, proposal.c.seen, proposal.c.data, proposal.c.at)
    return connection.execute(found.join(game).where(game.c.code == code)).first()


def name_of(seen: int, event: Event) -> str:
    """The name of the proposal of this event on a log of `seen` entries."""
    return _named(seen, as_kept(event))


def _named(seen: int, data: str) -> str:
    return sha256(f"{seen} {data}".encode()).hexdigest()[:16]
