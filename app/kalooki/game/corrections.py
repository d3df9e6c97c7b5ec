"""The log with its corrections applied: what stands, in its proper order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from app.kalooki.faults import Fault
from app.kalooki.game.events import Amend, Event, Insert, Join, Undo


class Entry(NamedTuple):
    """One entry of a log: its number, counted from 1, and what was recorded."""

    number: int
    event: Event


class Corrections(NamedTuple):
    """By the numbers of entries: the entry that took each back, and the entry that holds what replaced it."""

    undone_by: dict[int, int]
    amended_by: dict[int, int]


def standing(log: Sequence[Entry]) -> list[Entry]:
    """The entries that stand: undone ones gone, amended ones replaced, inserted ones at their place."""
    made = corrections(log)
    instead = {number: event.event for number, event in log if isinstance(event, Amend)}
    by = {number: instead[amendment] for number, amendment in made.amended_by.items()}
    replaced = [Entry(number, _replaced(event, by.get(number))) for number, event in log]
    return [
        Entry(number, event.event if isinstance(event, Insert) else event)
        for number, event in _in_place(replaced)
        if number not in made.undone_by and not isinstance(event, (Amend, Undo))
    ]


def corrections(log: Sequence[Entry]) -> Corrections:
    """What became of entries; of several corrections of one entry the newest that stands.

    Later entries decide about earlier ones, so one walk backwards settles everything, undone undos included.
    """
    undone_by: dict[int, int] = {}
    amended_by: dict[int, int] = {}
    for number, event in reversed(log):
        if number in undone_by:
            continue
        if isinstance(event, Undo):
            undone_by.setdefault(event.target, number)
        elif isinstance(event, Amend):
            amended_by.setdefault(event.target, number)
    return Corrections(undone_by, amended_by)


def _replaced(event: Event, by: Event | None) -> Event:
    """An amended event; one that was inserted keeps its place."""
    if by is None or isinstance(by, Insert) or not isinstance(event, Insert):
        return by or event
    return Insert(event.before, by)


def _in_place(entries: Sequence[Entry]) -> list[Entry]:
    """Inserted entries moved before the entry they belong before, also if that was undone.

    Those corrected until each belongs before the other come last.
    """
    inserted: dict[int, list[Entry]] = {}
    for entry in entries:
        if isinstance(entry.event, Insert):
            inserted.setdefault(entry.event.before, []).append(entry)
    row: list[Entry] = []
    to_come = [entry for entry in reversed(entries) if not isinstance(entry.event, Insert)]
    while to_come:
        entry = to_come.pop()
        before = inserted.pop(entry.number, None)
        if before is None:
            row.append(entry)
        else:
            to_come += [entry, *reversed(before)]
    each_other = [entry for before in inserted.values() for entry in before]
    return row + sorted(each_other, key=lambda entry: entry.number)


def joiners_seats(log: Sequence[Entry], seats: int) -> dict[int, int]:
    """The seat each joining player was given, by entry: the next one free when they joined, `seats` being taken.

    Taking an earlier joiner back leaves the others where they sit, so that no entry comes to mean somebody else, and
    so does making a join of an earlier entry; one who is brought back after their seat was given away takes the next.
    """
    given: dict[int, int] = {}
    made: dict[int, int] = {}  # the entry that became a join, by the one that made it so
    gone: set[int] = set()
    about: dict[int, tuple[int, bool]] = {}
    for number, event in log:
        joining = _joining(number, event)
        if joining is not None and joining not in given:
            given[joining] = max(_taken(given, gone), default=seats) + 1
            made[number] = joining
        elif isinstance(event, Undo):
            undone, back = about[number] = _in_the_end(event.target, about)
            target = made.get(undone, undone)
            if back and given.get(target) in (taken := _taken(given, gone | {target})):
                given[target] = max(taken) + 1
            (gone.discard if back else gone.add)(target)
    return given


def _joining(number: int, event: Event) -> int | None:
    """The entry at which somebody joins by this one: itself, or the one it amends."""
    if isinstance(event, Amend) and isinstance(event.event, Join):
        return event.target
    return number if isinstance(event, Join) else None


def _in_the_end(target: int, about: Mapping[int, tuple[int, bool]]) -> tuple[int, bool]:
    """The entry an undo is about where it takes back other undos, and whether it brings that entry back."""
    if target not in about:
        return target, False
    first, back = about[target]
    return first, not back


def _taken(given: Mapping[int, int], gone: Set[int]) -> set[int]:
    return {seat for entry, seat in given.items() if entry not in gone}


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
    if not isinstance(event, Insert) and target in corrections(log).undone_by:
        yield Fault("undone-already", facts=facts)
    if isinstance(event, Amend) and isinstance(event.event, Insert):
        before = event.event.before
        if before > len(log) or before == target:
            yield Fault("no-such-entry", facts={"field": "event.before", "entry": before})


def points_astray(number: int, event: Event) -> bool:
    """Whether a correction is about the start, itself or a later entry, which none can be."""
    target = _target(event)
    return target is not None and not 1 < target < number


def _target(event: Event) -> int | None:
    if isinstance(event, (Undo, Amend)):
        return event.target
    return event.before if isinstance(event, Insert) else None
