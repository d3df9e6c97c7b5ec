"""The log with its corrections applied: what stands, in the order it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.kalooki.events import Amend, Event, Insert, Undo
from app.kalooki.faults import Fault


class Entry(NamedTuple):
    """One entry of a log: its number, counted from 1, and what was recorded."""

    number: int
    event: Event


def standing(log: Sequence[Entry]) -> list[Entry]:
    """The entries that stand: undone ones gone, amended ones replaced, inserted ones at their place.

    Later entries decide about earlier ones, so one walk backwards settles everything, undone undos included.
    """
    undone: set[int] = set()
    amended: dict[int, Event] = {}
    kept = []
    for number, event in reversed(log):
        if number in undone:
            continue
        if isinstance(event, Undo):
            undone.add(event.target)
        elif isinstance(event, Amend):
            amended.setdefault(event.target, event.event)
        else:
            kept.append(Entry(number, _replaced(event, amended.get(number))))
    return _in_place(kept[::-1])


def _replaced(event: Event, by: Event | None) -> Event:
    """An amended event; one that was inserted keeps its place."""
    if by is None or isinstance(by, Insert) or not isinstance(event, Insert):
        return by or event
    return Insert(event.before, by)


def _in_place(kept: list[Entry]) -> list[Entry]:
    """Inserted events moved to where they belong."""
    row = [entry for entry in kept if not isinstance(entry.event, Insert)]
    moved: set[int] = set()
    for number, event in kept:
        if isinstance(event, Insert):
            row.insert(_place(row, event.before, moved), Entry(number, event.event))
            moved.add(number)
    return row


def _place(row: list[Entry], before: int, moved: set[int]) -> int:
    """Where entry `before` stands, or if it was undone the next that was recorded after it."""
    numbers = [entry.number for entry in row]
    if before in numbers:
        return numbers.index(before)
    return next((i for i, number in enumerate(numbers) if number > before and number not in moved), len(row))


def correction_faults(log: Sequence[Entry], event: Event) -> Iterator[Fault]:
    """What speaks against correcting an earlier entry: it is not there, undone already, or cannot be corrected so."""
    target = _target(event)
    if target is None:
        return
    facts = {"field": "before" if isinstance(event, Insert) else "target", "entry": target}
    if target > len(log):
        yield Fault("no-such-entry", facts=facts)
        return
    if target == 1:
        yield Fault("start-stays", facts=facts)
    if isinstance(event, Amend) and isinstance(log[target - 1].event, (Amend, Undo)):
        yield Fault("correction-stays", facts=facts)
    if not isinstance(event, Insert) and target in undone_entries(log):
        yield Fault("undone-already", facts=facts)


def _target(event: Event) -> int | None:
    if isinstance(event, (Undo, Amend)):
        return event.target
    return event.before if isinstance(event, Insert) else None


def undone_entries(log: Sequence[Entry]) -> set[int]:
    """The numbers of the entries taken back, undone undos not counted."""
    undone: set[int] = set()
    for number, event in reversed(log):
        if isinstance(event, Undo) and number not in undone:
            undone.add(event.target)
    return undone
