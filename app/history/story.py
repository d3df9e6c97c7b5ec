"""A game as people are told of it: every entry, when and by whom it was recorded, and what later became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from app.kalooki.game.corrections import Entry, corrections, effective_entries
from app.kalooki.game.events import Amend, Event, First, Hand, NewFace, Paid, Rename, Undo, Void
from app.kalooki.game.play import Game, play
from app.kalooki.rules.rulebook import explain

_UNSEEN_ONCE_UNDONE = (Amend, NewFace, First, Paid, Rename, Undo)
"""What a sheet does not mention once it was taken back."""


class Stamp(NamedTuple):
    """When an entry was recorded, on the table's clock (2026-11-21 20:15), and by whom; both empty if unknown."""

    at: str
    by: str


class Chapter(NamedTuple):
    """One entry as recorded, with the numbers of the entries that undid or replaced it, if any.

    `event` is what was recorded; `stands` what counts now, None if nothing does. `faults` say in words why it no longer
    makes sense.
    """

    number: int
    event: Event
    stamp: Stamp
    stands: Event | None
    undone_by: int | None
    amended_by: int | None
    faults: tuple[str, ...]

    @property
    def is_hand(self) -> bool:
        """Whether it stands as a hand or a void hand, which the form for hands corrects."""
        return isinstance(self.stands, (Hand, Void))

    @property
    def is_correction(self) -> bool:
        return isinstance(self.event, (Amend, Undo))

    @property
    def place(self) -> float:
        """Its place in the order that counts: its number or, if told late, just before the entry it belongs before."""
        before = self.event.belongs_before
        return before - 0.5 if before else self.number


@dataclass(frozen=True)
class Story:
    """All that is told of a game; `stamps` has one for each of `entries`, `day` is when it began, at the table.

    `counted` is the game by which hands are numbered: `game` may be that game with one more entry, or with other names.
    """

    code: str
    day: str
    game: Game
    entries: Sequence[Entry]
    stamps: Sequence[Stamp]
    counted: Game
    _numbers: dict[int, int | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, game: Game) -> Story:
        """The same entries told of the game as it would be, or with names as they are printed."""
        return replace(self, game=game)

    def event(self, number: int) -> Event | None:
        """What was recorded at an entry; None if there is none yet."""
        return self.entries[number - 1].event if number <= len(self.entries) else None

    @cached_property
    def chapters(self) -> Mapping[int, Chapter]:
        """Every entry by its number, oldest first."""
        made = corrections(self.entries)
        faults = self.faults
        return {
            number: Chapter(
                number=number,
                event=event,
                stamp=stamp,
                stands=self.stands.get(number),
                undone_by=made.undone_by.get(number),
                amended_by=made.amended_by.get(number),
                faults=tuple(faults.get(number, ())),
            )
            for (number, event), stamp in zip(self.entries, self.stamps, strict=True)
        }

    def is_again(self, number: int) -> bool:
        """Whether what the undo at an entry took back was recorded again after it: put back, it would count twice."""
        undo = self.event(number)
        if not isinstance(undo, Undo):
            return False
        undone = self.event(undo.target)
        return any(undone in (later.event, later.stands) for later in self.since(number))

    def since(self, seen: int) -> tuple[Chapter, ...]:
        """What was recorded after a page had seen that many entries; nothing for a page that had seen none."""
        return tuple(self.chapters.values())[seen:] if seen > 0 else ()

    @cached_property
    def stands(self) -> Mapping[int, Event]:
        """What stands, by entry, in the order it counts."""
        return dict(effective_entries(self.entries))

    @cached_property
    def in_order(self) -> tuple[Chapter, ...]:
        """What counts, in its order; most of what was taken back keeps its place."""
        skipped = {noted.entry for noted in self.game.faults}
        order = [self.chapters[number] for number in self.stands if number not in skipped]
        for chapter in self.chapters.values():
            if chapter.undone_by and not isinstance(chapter.event, _UNSEEN_ONCE_UNDONE):
                later = (at for at, each in enumerate(order) if each.place > chapter.place)
                order.insert(next(later, len(order)), chapter)
        return tuple(order)

    @property
    def faults(self) -> dict[int, list[str]]:
        """Why entries no longer make sense, in words, by entry."""
        said: dict[int, list[str]] = {}
        for number, fault in self.game.faults:
            said.setdefault(number, []).append(explain(fault, self.game.variant).text)
        return said

    def hand_number(self, entry: int) -> int | None:
        """The number of the hand recorded at an entry, as the table counts; for one taken back, the number it had.

        One that counts no longer keeps its number. None if the entry is not a hand.
        """
        if entry not in self._numbers:
            self._numbers[entry] = self._hand_number(entry)
        return self._numbers[entry]

    def _hand_number(self, entry: int) -> int | None:
        if entry in self.counted.fallen:
            return self.counted.fallen[entry].number
        undone = (at for at, event in self.entries if isinstance(event, Undo) and event.target == entry)
        games = chain([self.counted], (play(self.entries[: at - 1]) for at in undone))
        return next((hand.number for game in games for hand in game.hands if hand.entry == entry), None)
