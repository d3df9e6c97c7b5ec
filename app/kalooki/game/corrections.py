"""Corrections applied to a log: which entries count, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from app.kalooki.faults import Fault
from app.kalooki.game.events import Amend, End, Event, Hand, Insert, Join, Setup, Stop, Undo, Void


class Entry(NamedTuple):
    """One entry of a log: its number, counted from 1, and what was recorded."""

    number: int
    event: Event


class Corrections(NamedTuple):
    """For each corrected entry, by its number: the number of the entry that undid it or that replaced it."""

    undone_by: dict[int, int]
    amended_by: dict[int, int]


class Effective(NamedTuple):
    """The entries that count, in order, pending ones last.

    An entry recorded during a hand counts right after the next hand or void hand, or just before the table ends the
    game; `counts_with` has that other entry by the number of the first.
    """

    entries: list[Entry]
    counts_with: dict[int, Entry]


def is_correction(event: Event) -> bool:
    """Return whether an event changes earlier entries, so that undoing it restores them."""
    return isinstance(event, (Amend, Undo, Setup)) or event.belongs_before is not None


def effective_entries(log: Sequence[Entry]) -> list[Entry]:
    """Return the entries that count, in order: without undone entries, and with amended ones replaced."""
    return effective(log).entries


def effective(log: Sequence[Entry]) -> Effective:
    """Return the entries that count, and the entry with which each one recorded during a hand counts.

    Nothing counts with an inserted hand, because it was not the hand in play.
    """
    entries: list[Entry] = []
    counts_with: dict[int, Entry] = {}
    waiting: list[Entry] = []
    for number, event in _corrected_entries(log):
        entry = Entry(number, event.inner)
        if entry.event.is_mid_hand:
            waiting.append(entry)
            continue
        is_hand = isinstance(entry.event, (Hand, Void)) and not isinstance(event, Insert)
        is_end = isinstance(entry.event, (Stop, End))
        entries += [*waiting, entry] if is_end else [entry, *waiting] if is_hand else [entry]
        if waiting and (is_end or is_hand):
            counts_with |= dict.fromkeys((each.number for each in waiting), entry)
            waiting = []
    return Effective(entries + waiting, counts_with)


def _corrected_entries(log: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries of the log with undos and amendments applied, and inserted entries moved to their place."""
    amendments = corrections(log)
    events = {number: event.event for number, event in log if isinstance(event, Amend)}
    replacements = {number: events[amendment] for number, amendment in amendments.amended_by.items()}
    amended = [
        Entry(entry.number, _apply_amendment(entry.event, replacements[entry.number]))
        if entry.number in replacements
        else entry
        for entry in log
    ]
    for entry in _move_late_entries(amended):
        if entry.number not in amendments.undone_by and not isinstance(entry.event, (Amend, Undo)):
            yield entry


def corrections(log: Sequence[Entry]) -> Corrections:
    """Return which entries are undone or amended, and by which entries.

    If several effective corrections target one entry, the newest decides. Since corrections only target earlier
    entries, one pass backwards resolves all of them, including undone undos.
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


def _apply_amendment(event: Event, replacement: Event) -> Event:
    """Return the amended event; an inserted one keeps its place unless the amendment names another."""
    if replacement.belongs_before or not isinstance(event, Insert):
        return replacement
    return Insert(event.before, replacement)


def _move_late_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with each late one moved before the entry it belongs before, even if that one was undone.

    Entries that were corrected until each belongs before the other come last, by number.
    """
    late: dict[int, list[Entry]] = {}
    remaining: list[Entry] = []
    for entry in entries:
        place = entry.event.belongs_before
        (remaining if place is None else late.setdefault(place, [])).append(entry)
    if not late:
        return remaining
    remaining.reverse()
    ordered: list[Entry] = []
    while remaining:
        entry = remaining.pop()
        before = late.pop(entry.number, None)
        if before is None:
            ordered.append(entry)
        else:
            remaining += [entry, *reversed(before)]
    circular = [entry for before in late.values() for entry in before]
    return ordered + sorted(circular, key=lambda entry: entry.number)


def seat_joiners(log: Sequence[Entry], seats: int) -> dict[int, int]:
    """Return the seat of each joining player by entry: the next free seat after the first `seats` when they joined.

    Undoing a join, or amending an earlier entry into one, moves nobody else, so that no entry ever comes to mean
    another player. If a join is undone, its seat is reused and the join is then restored, that player takes the next
    free seat. A player who joins during a hand gets a seat when that hand is recorded.
    """
    seats_by_join: dict[int, int] = {}
    joins: dict[int, int] = {}  # the entry turned into a join, by the entry that did so
    undone_entries: set[int] = set()
    undo_chains: dict[int, tuple[int, bool]] = {}
    waiting: list[int] = []
    last_hand = 0
    for number, event in log:
        if isinstance(event.inner, _ENDS_OF_HANDS) and not isinstance(event, Insert):
            last_hand = number
            for each in waiting:
                seats_by_join[each] = max(_taken_seats(seats_by_join, undone_entries), default=seats) + 1
            waiting = []
        joining = event.position(number) if isinstance(event.inner, Join) else None  # for an amendment, the target
        if joining is not None and joining not in seats_by_join:
            joins[number] = joining
            waiting = [each for each in waiting if each != joining]
            if event.inner.is_mid_hand and joining > last_hand:
                waiting.append(joining)
            else:
                seats_by_join[joining] = max(_taken_seats(seats_by_join, undone_entries), default=seats) + 1
        elif isinstance(event, Amend) and joining is None:
            waiting = [each for each in waiting if each != event.target]  # no longer a join
        elif isinstance(event, Undo):
            undone, back = undo_chains[number] = _resolve_undo(event.target, undo_chains)
            target = joins.get(undone, undone)
            if back and seats_by_join.get(target) in (later := _taken_seats(seats_by_join, undone_entries | {target})):
                seats_by_join[target] = max(later) + 1
            (undone_entries.discard if back else undone_entries.add)(target)
    return seats_by_join


_ENDS_OF_HANDS = (Hand, Void, Stop, End)


def _resolve_undo(target: int, undo_chains: Mapping[int, tuple[int, bool]]) -> tuple[int, bool]:
    """Return the entry at the end of a chain of undos, and whether the chain restores it."""
    if target not in undo_chains:
        return target, False
    first, back = undo_chains[target]
    return first, not back


def _taken_seats(seats_by_join: Mapping[int, int], undone_entries: Set[int]) -> set[int]:
    return {seat for entry, seat in seats_by_join.items() if entry not in undone_entries}


def new_hands(log: Sequence[Entry], seen: int) -> list[int]:
    """Return the entries that are effective hands now but were not when the log had `seen` entries, in playing order.

    A restored hand is new, a corrected one is not.
    """
    hand_numbers = {number for number, event in effective_entries(log[:seen]) if isinstance(event, Hand)}
    return [
        number for number, event in effective_entries(log) if isinstance(event, Hand) and number not in hand_numbers
    ]


def correction_faults(log: Sequence[Entry], event: Event) -> Iterator[Fault]:
    """Yield why the entry that a correction targets cannot be corrected: missing, already undone, or a wrong kind."""
    target = _target(event)
    if target is None:
        return
    corrects = isinstance(event, (Amend, Undo))
    facts = {"field": "target" if corrects else "before", "entry": target}
    if target > len(log):
        yield Fault("no-such-entry", facts=facts)
        return
    if target == 1:
        yield Fault("start-stays", facts=facts)
    if isinstance(event, Amend) and isinstance(log[target - 1].event, (Amend, Undo)):
        yield Fault("correction-stays", facts=facts)
    if corrects and target in corrections(log).undone_by:
        yield Fault("undone-already", facts=facts)
    before = event.event.belongs_before if isinstance(event, Amend) else None
    if before and (before > len(log) or before == target):
        yield Fault("no-such-entry", facts={"field": "event.before", "entry": before})


def has_bad_target(number: int, event: Event) -> bool:
    """Return whether a correction targets the start, itself or a later entry, which is never allowed."""
    target = _target(event)
    return target is not None and not 1 < target < number


def _target(event: Event) -> int | None:
    return event.target if isinstance(event, (Undo, Amend)) else event.belongs_before
