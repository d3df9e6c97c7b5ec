"""A game's entries: when and by whom each was recorded, how its hands are numbered, what each gave the players."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from app.days import NOON, day_at_table
from app.kalooki.game.corrections import Entry, effective_entries
from app.kalooki.game.events import Decline, Event, Hand, Join, Leave, Undo, Void
from app.kalooki.game.play import Game
from app.kalooki.game.state import Change, PlayedHand
from app.kalooki.money import Movement
from app.kalooki.rules.rulebook import explain


class Stamp(NamedTuple):
    """When an entry was recorded, on the table's clock (2026-11-21 20:15), and by whom; both empty if unknown."""

    at: str
    by: str


@dataclass(frozen=True)
class History:
    """What was recorded of a game, with a stamp for each entry, on the clock of the table's time `zone`.

    `counted` is the game that numbers the hands, if `game` is the same with one more entry or with other names.
    """

    code: str
    zone: str
    game: Game
    entries: Sequence[Entry]
    stamps: Sequence[Stamp]
    counted: Game | None = None

    @property
    def day(self) -> str:
        """The day of the game, such as 2026-11-21: as corrected, else the day on the clock when it began."""
        return self.game.day or self._first_day

    @property
    def evening(self) -> str:
        """The day at the table when the game began: after midnight it is still the day before, until six."""
        return self.game.day or day_at_table(self.stamps[0].at)

    @property
    def _first_day(self) -> str:
        return self.stamps[0].at[:10]

    @property
    def is_from_paper(self) -> bool:
        """Whether the game was copied from paper, which has no time of day: its first entries are stored with noon."""
        return {stamp.at for stamp in self.stamps[:2]} == {f"{self._first_day} {NOON}"}

    def stamp(self, number: int) -> Stamp:
        """Return when and by whom an entry was recorded; only the day of one copied from paper."""
        stamp = self.stamps[number - 1]
        is_copied = self.is_from_paper and stamp.at == self.stamps[0].at
        return stamp._replace(at=self._first_day) if is_copied else stamp

    def of(self, game: Game) -> History:
        """Return the same entries with another game: as it would be, or with names as printed."""
        return replace(self, game=game, counted=self.counted or self.game)

    def event(self, number: int) -> Event | None:
        """Return what was recorded at an entry; None if there is none yet."""
        return self.entries[number - 1].event if number <= len(self.entries) else None

    @cached_property
    def effective(self) -> Mapping[int, Event]:
        """The events that count, by entry, in the order in which they count."""
        return dict(effective_entries(self.entries))

    @cached_property
    def faults(self) -> Mapping[int, Sequence[str]]:
        """Why entries no longer make sense, in words, by entry."""
        texts: dict[int, list[str]] = {}
        for number, fault in self.game.faults:
            texts.setdefault(number, []).append(explain(fault, self.game.variant).text)
        return texts

    @cached_property
    def faults_to_fix(self) -> Mapping[int, Sequence[str]]:
        """The same without answers whose question is gone, a no to a buy-in or who won a tie: they fall away."""
        gone = {number for number, fault in self.game.faults if fault.rule == "no-tie" or self._is_no(number)}
        return {number: texts for number, texts in self.faults.items() if number not in gone}

    def _is_no(self, entry: int) -> bool:
        return isinstance(self.effective.get(entry), Decline)

    def hand_number(self, entry: int) -> int | None:
        """Return the number of the hand recorded at an entry, as the table counts; None if the entry is not a hand.

        A hand that no longer counts keeps its number; one that was undone keeps the number it had.
        """
        if entry not in self._numbers:
            self._numbers[entry] = self._number_before_undone(entry)
        return self._numbers[entry]

    @cached_property
    def _numbers(self) -> dict[int, int | None]:
        game = self.counted or self.game
        played: dict[int, int | None] = {hand.entry: hand.number for hand in game.hands}
        return played | {entry: lapsed.number for entry, lapsed in game.lapsed_hands.items()}

    def _number_before_undone(self, entry: int) -> int | None:
        for at, undo in self.entries:
            if isinstance(undo, Undo) and undo.target == entry:
                number = 1 + (self.game.carried.hands if self.game.carried else 0)
                for each, event in effective_entries(self.entries[: at - 1]):
                    if each == entry and isinstance(event, (Hand, Void)):
                        return number
                    number += isinstance(event, Hand)
        return None


CALL_UPS = ("call-up", "kalooki")
_KINDS = {"initial-stake": "stake", "joined": "join", "refund": "pool", "paid": "payment"}
"""The `kind` of a gain, if it differs from the reason why a total changed or money moved."""


class Gain(NamedTuple):
    """What one player got in a hand or between hands: points with the total after them, and money in minor units.

    `points` and `total` are None if the total did not change; `paid` is positive for money received.
    """

    kind: str
    seat: int
    points: int | None = None
    total: int | None = None
    out: bool = False
    paid: int = 0


def gains(history: History) -> Mapping[int, list[Gain]]:
    """Return the gains of every entry that counts, by entry; a player has at most one of each kind."""
    totals: dict[int, int] = {}
    hands = {hand.entry: hand for hand in history.game.hands}
    changes = _by_entry(change for change in history.game.changes if change.why != "left")  # which changes no total
    movements = _by_entry(history.game.movements)
    gains: dict[int, list[Gain]] = {}
    for number, event in history.effective.items():
        hand = _of_hand(hands[number], movements[number]) if number in hands else ()
        gains[number] = []
        for gain in (*hand, *_between(history.game, event, changes[number], movements[number])):
            before = totals.get(gain.seat, 0)
            points = None if gain.total is None else gain.total - before
            gains[number].append(gain._replace(points=points))
            totals[gain.seat] = before + (points or 0)
    return gains


_Item = TypeVar("_Item", Change, Movement)


def _by_entry(listed: Iterable[_Item]) -> Mapping[int, list[_Item]]:
    items = defaultdict[int, list[_Item]](list)
    for each in listed:
        items[each.entry].append(each)
    return items


def _of_hand(hand: PlayedHand, movements: Iterable[Movement]) -> Iterator[Gain]:
    paid = Counter[int]()
    for movement in movements:
        if movement.why in CALL_UPS:
            paid.update(movement.amounts)
    for seat, score in sorted(hand.scores.items()):
        yield Gain("hand", seat, total=score.total, out=score.out, paid=paid[seat])


def _between(game: Game, event: Event, changes: Iterable[Change], movements: Iterable[Movement]) -> Iterator[Gain]:
    """Yield what an entry changed besides the scores of a hand, still without points."""
    totals = {(_KINDS.get(change.why, change.why), change.seat): change.total for change in changes}
    paid = {
        ("join" if isinstance(event, Join) else _KINDS.get(movement.why, movement.why), seat): amount
        for movement in movements
        if movement.why not in CALL_UPS
        for seat, amount in movement.amounts.items()
    }
    gone = {("leave", event.seat): None} if isinstance(event, Leave) else {}
    for kind, seat in gone | totals | paid:
        total = totals.get((kind, seat))
        out = total is not None and kind not in ("buy-in", "join") and game.variant.is_out(total)
        yield Gain(kind, seat, total=total, out=out, paid=paid.get((kind, seat), 0))
