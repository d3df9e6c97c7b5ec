"""Everything recorded in a game and what became of it: undone, corrected, put in late, no longer making sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.kalooki.events import Amend, Event, Hand, Undo, Void
from app.kalooki.game import Game
from app.kalooki.rulebook import explain
from app.kalooki.standing import standing, undone_entries
from app.log import Entry
from app.recording import Table
from app.words import gettext


@dataclass(frozen=True)
class Chapter:
    """One entry as recorded, with the numbers of the entries that took it back or replaced it, if any.

    `event` is what was recorded; `stands` what counts for it now, None if nothing does. `faults` say in words why it
    no longer makes sense.
    """

    recorded: Entry
    event: Event
    stands: Event | None
    undone_by: int | None
    amended_by: int | None
    faults: tuple[str, ...]

    @property
    def number(self) -> int:
        return self.recorded.seq

    @property
    def is_hand(self) -> bool:
        """Whether it stands as a hand or a void hand, which the form for hands corrects."""
        return isinstance(self.stands, (Hand, Void))

    @property
    def is_correction(self) -> bool:
        return isinstance(self.event, (Amend, Undo))


def chronicle(table: Table) -> list[Chapter]:
    """Every entry of a game, the newest first."""
    undone = undone_entries(table.entries)
    stands = dict(standing(table.entries))
    faults = _faults(table.game)
    undone_by = _targets(table, Undo, undone)
    amended_by = _targets(table, Amend, undone)
    chapters = [
        Chapter(
            recorded=recorded,
            event=event,
            stands=stands.get(number),
            undone_by=undone_by.get(number) if number in undone else None,
            amended_by=amended_by.get(number),
            faults=tuple(faults.get(number, ())),
        )
        for recorded, (number, event) in zip(table.log.entries, table.entries, strict=True)
    ]
    return chapters[::-1]


def _targets(table: Table, kind: type[Amend] | type[Undo], undone: set[int]) -> Mapping[int, int]:
    """The newest standing entry of a kind by the entry it is about."""
    return {e.event.target: e.number for e in table.entries if isinstance(e.event, kind) and e.number not in undone}


def _faults(game: Game) -> Mapping[int, list[str]]:
    """In words why entries no longer make sense, by entry."""
    told: dict[int, list[str]] = {}
    for number, fault in game.faults:
        told.setdefault(number, []).append(explain(fault, game.variant, gettext).text)
    return told
