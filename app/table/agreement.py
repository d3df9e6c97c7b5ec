"""Everybody agrees: players see what the scorer is about to save, and call it right or wrong before it is saved."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from app import log
from app.kalooki.cards import Malformed
from app.kalooki.game.events import Amend, Event, Hand, Insert, from_json, to_json
from app.table.preview import Consequences, consequences
from app.table.recording import Refused, Table


@dataclass(frozen=True)
class Proposed:
    """A hand about to be saved: what saving would do, its name, how long it is shown, and opinions by seat."""

    outlook: Consequences
    name: str
    lasts: int
    opinions: dict[int, log.Opinion]


class Stop(NamedTuple):
    """A proposal that a player said stop to: how many entries the game had, its name, and `about` which hand it was."""

    seen: int = 0
    name: str = ""
    about: str = ""


_UNNEEDED = (log.Unavailable, log.NoSuchGame, log.RightGone)
"""What may go wrong without holding the scorer up."""


def propose(table: Table, event: Event, *, renews: bool = False) -> str:
    """Show a previewed hand to the players in their seats; the scorer's own page never waits for that to succeed.

    The proposal's name; empty if nobody is shown anything.
    """
    if _hand_of(event):
        with suppress(*_UNNEEDED):
            return log.propose(table.code, table.seen, to_json(bare(event)), renews=renews)
    return ""


def withdraw(code: str, name: str) -> None:
    """The scorer has left the preview of that name without saving: nobody is asked about it any more."""
    with suppress(*_UNNEEDED):
        log.withdraw(code, name)


def proposed(table: Table, kept: log.Proposal | None) -> Proposed | None:
    """What the scorer is about to save at this table, of what is `kept`.

    None if nothing, or something else was recorded since.
    """
    if kept is None or not _is_shown(table, kept):
        return None
    try:
        outlook = consequences(table, from_json(kept.event))
    except Malformed:  # proposed by another release
        return None
    return None if isinstance(outlook, Refused) else Proposed(outlook, kept.name, kept.lasts, dict(kept.opinions))


def give_opinion(table: Table, name: str, seat: int, agrees: bool, words: str) -> str:
    """Keep what a seat says to the proposal of that name; which hand that is about.

    Empty if it is no longer what is about to be saved.
    """
    kept = _kept(table)
    is_given = kept is not None and kept.name == name and log.give_opinion(table.code, name, seat, agrees, words)
    return _about(kept.event) if kept and is_given else ""


def became_of(table: Table, stop: Stop, kept: log.Proposal | None) -> str:
    """What became of a proposal, as far as whoever stopped it is told; `kept` is the one made last.

    It is `open` while nothing is proposed, `changed` when that hand is proposed otherwise, then `saved` all the same
    or `mended`; empty while it is still proposed, if another hand is proposed or saved, and once the game has gone on.
    """
    if table.seen == stop.seen:
        if kept is None or not _is_shown(table, kept):
            return "open"
        return "changed" if kept.name != stop.name and _about(kept.event) == stop.about else ""
    event = table.entries[stop.seen].event if table.seen == stop.seen + 1 else None
    if event is None or not _hand_of(event) or _about(to_json(event)) != stop.about:
        return ""
    return "saved" if log.name_of(stop.seen, to_json(bare(event))) == stop.name else "mended"


def with_opinions(table: Table, event: Event) -> Event:
    """The event with who agreed and who objected, if it is the very one that was proposed."""
    kept = _kept(table) if _hand_of(event) else None
    if kept is None or kept.event != to_json(bare(event)):
        return event
    agreed = tuple(seat for seat, said in kept.opinions.items() if said.agrees)
    objected = {seat: said.words for seat, said in kept.opinions.items() if not said.agrees}
    return _told(event, agreed, objected)


def bare(event: Event) -> Event:
    """The event without what players said to it: two that differ only in that are one."""
    return _told(event, (), {})


def _kept(table: Table) -> log.Proposal | None:
    """The proposal for this very table; only a game with signals can have one."""
    kept = log.proposed(table.code) if table.log.signals else None
    return kept if kept and kept.seen == table.seen else None


def _is_shown(table: Table, kept: log.Proposal) -> bool:
    return kept.seen == table.seen and kept.lasts > 0


def _about(event: log.Event) -> str:
    """Which hand an event is about, whatever it says of it: the next one (`hand-`), or an earlier one (`amend-5`)."""
    return f"{event['kind']}-{event.get('target', event.get('before', ''))}"


def _hand_of(event: Event) -> Hand | None:
    inner = event.event if isinstance(event, (Amend, Insert)) else event
    return _hand_of(inner) if isinstance(inner, (Amend, Insert)) else inner if isinstance(inner, Hand) else None


def _told(event: Event, agreed: tuple[int, ...], objected: dict[int, str]) -> Event:
    if isinstance(event, Hand):
        return replace(event, agreed=agreed, objected=objected)
    if isinstance(event, (Amend, Insert)):
        return replace(event, event=_told(event.event, agreed, objected))
    return event
