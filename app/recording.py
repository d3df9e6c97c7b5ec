"""Recording: a game opened from its log, and one more event judged and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from flask import current_app

from app import days
from app import log as logs
from app.kalooki.cards import Malformed
from app.kalooki.events import Event, Hand, Start, Undo, Void, from_json, to_json
from app.kalooki.faults import Fault
from app.kalooki.game import Entry, Game, from_record, judge, opening_entry, play
from app.kalooki.variants import Variant
from app.shelf import Shelf

MOST_KEPT = 10_000
"""Entries of all tables a process keeps: those of some hundred evenings."""
_TABLES = "tables"


class Refused(Exception):
    """An event the table's rules or its record do not allow: all faults, and the game as it is."""

    def __init__(self, faults: Sequence[Fault], game: Game) -> None:
        super().__init__(", ".join(fault.rule for fault in faults))
        self.faults = list(faults)
        self.game = game

    @property
    def variant(self) -> Variant:
        return self.game.variant


@dataclass(frozen=True)
class Table:
    """A game as recorded: its log, the entries read from it, and what they add up to."""

    log: logs.Log
    entries: list[Entry]
    game: Game

    @property
    def code(self) -> str:
        return self.log.code

    @property
    def seen(self) -> int:
        return len(self.entries)

    @property
    def edition(self) -> logs.Edition:
        """How far the game had come when it was read; what else a page shows is read later, so it is no older."""
        return logs.Edition(self.seen, self.log.signals)

    @property
    def dealt_after(self) -> int:
        """The entry after which the hand now being played was dealt: the newest hand recorded, or the start."""
        return max((entry.number for entry in self.entries if isinstance(entry.event, (Hand, Void))), default=1)

    def hand_number(self, entry: int) -> int | None:
        """Which hand was recorded at an entry, as the table counts them; of one taken back, which it was until then.

        None for what is no hand.
        """
        undone = (at for at, event in self.entries if isinstance(event, Undo) and event.target == entry)
        games = chain([self.game], (play(self.entries[: at - 1]) for at in undone))
        return next((hand.number for game in games for hand in game.hands if hand.entry == entry), None)

    @property
    def zone(self) -> str:
        """The time zone of the table, by its name: the server's own where nobody has said, or nobody knows it here."""
        told = zone_of(self.entries)
        return told if days.is_zone(told) else days.server_zone()

    @property
    def day(self) -> str:
        """The day at the table when the game began, such as 2026-11-21."""
        return self.when(self.log.entries[0].at)[:10]

    @property
    def last_day(self) -> str:
        """The day at the table when the newest entry was recorded."""
        return self.when(self.log.entries[-1].at)[:10]

    def when(self, at: str) -> str:
        """A time of the log as the clock at the table showed it: 2026-11-21 20:15."""
        return days.on_the_wall(at, self.zone)


def zone_of(entries: Sequence[Entry]) -> str:
    """The time zone told at the start; empty for none."""
    start = entries[0].event
    return start.zone if isinstance(start, Start) else ""


@dataclass(frozen=True)
class Saved:
    """An event in the log: the table after it, its number, and whether it had been saved before."""

    table: Table
    entry: int
    repeated: bool


def open_table(code: str) -> Table | None:
    """The game with that code as it is now: one SQL statement, which fetches what this process does not know yet.

    A table is kept as it was opened, for whoever asks next: nobody changes anything in it.
    """
    kept = _kept()
    known = kept.get(code)
    log = logs.read(code, known.log if known else None)
    if log is None:
        return None
    table = _table(log, known)
    if table is not known:
        kept.put(code, table)
    return table


def _kept() -> Shelf[Table]:
    """The tables this process has opened lately."""
    kept: Shelf[Table] = current_app.extensions.setdefault(_TABLES, Shelf(MOST_KEPT, lambda table: table.seen))
    return kept


def _table(log: logs.Log, known: Table | None = None) -> Table:
    """What a log adds up to; of an earlier table of the same game its events need not be read again."""
    if known and log.entries is known.log.entries:
        return known if log.signals == known.log.signals else replace(known, log=log)
    before = known.entries if known and log.entries[: known.seen] == known.log.entries else []
    entries = before + [Entry(entry.seq, from_json(entry.event)) for entry in log.entries[len(before) :]]
    return Table(log, entries, play(entries))


def start(event: Start, submission: str, actor: str) -> tuple[logs.NewGame, Game]:
    """Starts a game; raises Refused where nobody could play it, and Malformed for a time zone nobody knows."""
    days.require_zone(event.zone, "zone")
    recorded, game, faults = opening_entry(event)
    if faults:
        raise Refused(faults, game)
    return logs.new_game(to_json(recorded), submission, actor), game


def preview(table: Table, event: Event) -> Table:
    """The table as it would be with one more event; nothing is stored. Raises Refused."""
    game, faults = judge(table.entries, event)
    if faults:
        raise Refused(faults, table.game)
    return replace(table, game=game)


def save(code: str, event: Event, seen: int, submission: str, actor: str) -> Saved:
    """Judges an event on the log it is added to, and adds it exactly once.

    Raises Refused, and what `log.append` raises: Stale, AlreadySaved, NoSuchGame.
    """

    def check(log: logs.Log) -> None:
        preview(_table(log), event)

    done = logs.append(code, to_json(event), seen, submission, actor, check)
    table = open_table(code)
    if table is None:  # it was given another code since
        raise logs.NoSuchGame(code)
    return Saved(table, done.seq, done.repeated)


def bring_in(record: Sequence[dict[str, Any]], submission: str, actor: str) -> logs.NewGame:
    """Starts a new game from the exported log of another: entries with `event`, `at` and `by`.

    Raises Malformed for what is no log, and Refused where nobody could play the game as it starts; both name a field
    as it stands in that log.
    """
    entries = from_record([entry.get("event") for entry in record])
    days.require_zone(zone_of(entries), _of_start("zone"))
    try:
        begun = play(entries[:1])
    except Malformed as error:
        raise error.at(_of_start(error.field)) from error
    if begun.faults:
        raise Refused([_named_in_log(noted.fault) for noted in begun.faults], begun)
    try:
        play(entries)  # what a later entry makes unplayable is said now, not at every look at the game
    except Malformed as error:  # the house rules of all entries together do not fit
        raise error.at("log") from error
    kept = [
        logs.Entry(number, to_json(event), str(raw.get("by") or ""), str(raw.get("at") or ""))
        for (number, event), raw in zip(entries, record, strict=True)
    ]
    return logs.import_log(kept, submission, actor)


def _named_in_log(fault: Fault) -> Fault:
    return replace(fault, facts={**fault.facts, "field": _of_start(str(fault.facts["field"]))})


def _of_start(field: str) -> str:
    """A field of the start as the log that is brought in has it."""
    return f"log.1.event.{field}"


def without_copies(tables: Sequence[Table]) -> list[Table]:
    """The tables but those another one goes on from: a game brought back from its sheet lies beside its original.

    Of two that have come equally far the first stays.
    """
    kept: dict[str, Table] = {}
    for table in sorted(tables, key=lambda each: -each.seen):
        if not any(_recorded(other)[: table.seen] == _recorded(table) for other in kept.values()):
            kept[table.code] = table
    return [table for table in tables if table.code in kept]


def _recorded(table: Table) -> list[tuple[dict[str, Any], str]]:
    return [(entry.event, entry.at) for entry in table.log.entries]
