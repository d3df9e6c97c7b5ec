"""A recorded game: its entries, when and by whom each was recorded, what counts now, and how its hands are numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from app.kalooki.game.corrections import Entry, effective_entries
from app.kalooki.game.events import Event, Undo
from app.kalooki.game.play import Game, play
from app.kalooki.rules.rulebook import explain


class Stamp(NamedTuple):
    """When an entry was recorded, on the table's clock (2026-11-21 20:15), and by whom; both empty if unknown."""

    at: str
    by: str


@dataclass(frozen=True)
class History:
    """What was recorded of a game; `stamps` has one for each of `entries`, `day` is when it began, at the table.

    `counted` is the game by which hands are numbered, where `game` is that game with one more entry, or with other
    names.
    """

    code: str
    day: str
    game: Game
    entries: Sequence[Entry]
    stamps: Sequence[Stamp]
    counted: Game | None = None
    _numbers: dict[int, int | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, game: Game) -> History:
        """Return the same entries, with the game as it would be, or with names as they are printed."""
        return replace(self, game=game, counted=self.counted or self.game)

    def event(self, number: int) -> Event | None:
        """Return what was recorded at an entry; None if there is none yet."""
        return self.entries[number - 1].event if number <= len(self.entries) else None

    @cached_property
    def effective(self) -> Mapping[int, Event]:
        """What counts, by entry, in the order it counts."""
        return dict(effective_entries(self.entries))

    @cached_property
    def faults(self) -> Mapping[int, Sequence[str]]:
        """Why entries no longer make sense, in words, by entry."""
        texts: dict[int, list[str]] = {}
        for number, fault in self.game.faults:
            texts.setdefault(number, []).append(explain(fault, self.game.variant).text)
        return texts

    def hand_number(self, entry: int) -> int | None:
        """Return the number of the hand recorded at an entry, as the table counts; None if the entry is not a hand.

        One that counts no longer keeps its number, one taken back the number it had.
        """
        if entry not in self._numbers:
            self._numbers[entry] = self._hand_number(entry)
        return self._numbers[entry]

    def _hand_number(self, entry: int) -> int | None:
        counted = self.counted or self.game
        if entry in counted.fallen:
            return counted.fallen[entry].number
        undone = (at for at, event in self.entries if isinstance(event, Undo) and event.target == entry)
        games = chain([counted], (play(self.entries[: at - 1]) for at in undone))
        return next((hand.number for game in games for hand in game.hands if hand.entry == entry), None)
