"""Agreement: players see what the scorer is about to save, and call it right or wrong first."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from app import log
from app.kalooki.cards import Malformed
from app.kalooki.game.events import Amend, Event, Hand, Insert, from_json, to_json
from app.table.preview import Consequences, consequences
from app.table.recording import Refused, Table


class Proposed(NamedTuple):
    """A hand about to be saved: what saving would do, its name, how long it is shown, and opinions by seat."""

    outlook: Consequences
    name: str
    lasts: int
    opinions: dict[int, log.Message]


class Stopped(NamedTuple):
    """A proposal that a player stopped: the entries the game had then, its name, and which hand it was `about`."""

    seen: int = 0
    name: str = ""
    about: str = ""


_UNNEEDED = (log.Unavailable, log.NoSuchGame, log.RightGone)
"""Errors that must not hold up the scorer."""


def propose(table: Table, event: Event, *, renews: bool = False) -> str:
    """Show a previewed hand to the seated players; if that fails, the scorer's own page does not.

    Returns the proposal's name; empty if nobody is shown anything.
    """
    if _hand_of(event):
        with suppress(*_UNNEEDED):
            return log.propose(table.code, table.seen, to_json(bare(event)), renews=renews)
    return ""


def withdraw(code: str, name: str) -> None:
    """Stop asking players about the proposal of that name: the scorer has left its preview without saving."""
    with suppress(*_UNNEEDED):
        log.withdraw(code, name)


def proposed(table: Table, said: Sequence[log.Message]) -> Proposed | None:
    """What is proposed, as seated players see it; None if there is nothing, or something was recorded since."""
    kept = log.proposal_in(said)
    if kept is None or not _is_shown(table, kept):
        return None
    with suppress(Malformed):  # proposed by another release
        outlook = consequences(table, from_json(kept.event))
        return None if isinstance(outlook, Refused) else Proposed(outlook, kept.name, kept.lasts, _opinions(said))
    return None


def give_opinion(table: Table, name: str, seat: int, answer: str, words: str) -> str:
    """Keep what a seat says to the proposal of that name, right or stop; returns which hand it is about.

    Returns an empty text if the scorer is no longer about to save it.
    """
    kept = log.give_opinion(table.code, table.seen, name, seat, answer, words)
    return _about(kept.event) if kept else ""


def became_of(table: Table, stop: Stopped, said: Sequence[log.Message]) -> str:
    """What became of a stopped proposal, for the player who stopped it.

    It is `open` while nothing is proposed and `changed` when the hand is proposed differently; once a hand is saved,
    it is `saved` (unchanged) or `mended`. It is empty while the same proposal is shown, if the hand proposed or saved
    is another one, and once the game has gone on.
    """
    if table.seen == stop.seen:
        kept = log.proposal_in(said)
        if kept is None or not _is_shown(table, kept):
            return "open"
        return "changed" if kept.name != stop.name and _about(kept.event) == stop.about else ""
    event = table.entries[stop.seen].event if table.seen == stop.seen + 1 else None
    if event is None or not _hand_of(event) or _about(to_json(event)) != stop.about:
        return ""
    return "saved" if log.name_of(stop.seen, to_json(bare(event))) == stop.name else "mended"


def with_opinions(table: Table, event: Event) -> Event:
    """The event with who agreed and who objected, if it is the very one that was proposed."""
    said = log.messages_of(table.code, table.edition) if _hand_of(event) else ()
    kept = log.proposal_in(said)
    if kept is None or kept.name != log.name_of(table.seen, to_json(bare(event))):
        return event
    opinions = _opinions(said)
    agreed = tuple(seat for seat, each in opinions.items() if each.agrees)
    return _with_opinions(event, agreed, {seat: each.contents for seat, each in opinions.items() if not each.agrees})


def bare(event: Event) -> Event:
    """The event without the players' opinions: events that differ only in these are the same."""
    return _with_opinions(event, (), {})


def _is_shown(table: Table, kept: log.Message) -> bool:
    return kept.about == table.seen and kept.lasts > 0


def _opinions(said: Sequence[log.Message]) -> dict[int, log.Message]:
    """The opinions on what is proposed, by seat."""
    return dict(sorted((each.seat, each) for each in said if each.kind == "opinion"))


def _about(event: log.Event) -> str:
    """Which hand an event is about, whatever it says about it: the next one (`hand-`) or an earlier one (`amend-5`)."""
    return f"{event['kind']}-{event.get('target', event.get('before', ''))}"


def _hand_of(event: Event) -> Hand | None:
    return event.inner if isinstance(event.inner, Hand) else None


def _with_opinions(event: Event, agreed: tuple[int, ...], objected: dict[int, str]) -> Event:
    if isinstance(event, Hand):
        return replace(event, agreed=agreed, objected=objected)
    if isinstance(event, (Amend, Insert)):
        return replace(event, event=_with_opinions(event.event, agreed, objected))
    return event
