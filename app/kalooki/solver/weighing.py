"""The search: branch and bound over the moves of a hand, with conditions on the whole lay-down.

It goes through the cards, dearest first, and tries a meld with each number of jokers separately, because the number
changes its points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.kalooki.cards import JOKER
from app.kalooki.solver.holding import JOKERS, SPARE
from app.kalooki.solver.plays import Plays
from app.kalooki.variants import SET_LEAST

FIRST_OF_ALL = 1 << 20
"""The weight of a point laid when points come first; it exceeds the cost of any hand."""


MOST_STEPS = 200_000
"""The most hands, including remainders of the first, that a search looks at before it gives up."""


@dataclass(slots=True)
class Steps:
    """The number of hands that the searches for one question may still look at."""

    left: int = MOST_STEPS

    def take(self, count: int) -> None:
        """Use up some steps; raises TimeoutError if there are not enough left."""
        self.left -= count
        if self.left < 0:
            raise TimeoutError


class Move(NamedTuple):
    """One move: what it takes from the hand, and its points.

    `worth` is the most points its naturals could count, `size` their number. `kind` is "set" or "run" for a new meld,
    "" for a build and for a meld laid too late to open. `payload` is for the caller. `wanted` says whether it lays the
    card that must be in a new meld.
    """

    take: int
    points: int
    worth: int
    size: int
    kind: str
    payload: Any
    wanted: bool


class Due(NamedTuple):
    """What must still be laid: numbers of sets, of runs and of new melds of any kind, and whether the wanted card."""

    sets: int = 0
    runs: int = 0
    melds: int = 0
    wanted: bool = False

    def after(self, move: Move) -> Due:
        if not any(self):
            return self
        return Due(
            max(0, self.sets - (move.kind == "set")),
            max(0, self.runs - (move.kind == "run")),
            max(0, self.melds - (move.kind != "")),
            self.wanted and not move.wanted,
        )


class Aim(NamedTuple):
    """The conditions on an arrangement: at least `points` points, and everything that is `due`.

    The best arrangement has the most points if `dearest` is set, else it leaves least. With `throw`, one natural may be
    left at no cost, to be thrown; `bare` means that nothing need be thrown if nothing is left. `own` of the hand's
    jokers may be left.
    """

    points: int = 0
    due: Due = Due()
    dearest: bool = False
    throw: bool = False
    bare: bool = False
    own: int = 0


class Weighing:
    """A search over some moves.

    `best` is the value of the best arrangement so far: its weighted points minus the cost of the cards left.
    """

    def __init__(self, moves: Iterable[Move], plays: Plays, steps: Steps) -> None:
        self.plays = plays
        self.steps = steps
        self.worth_at = {top: plays.most_worth[card.rank] for top, card in plays.layout.card_at.items()}
        each = plays.variant.joker_points
        self.joker_worth = max(plays.most_worth.values()) if each is None else each
        at: dict[int, list[Move]] = {}  # by the lowest bit of their dearest card
        for move in sorted(moves, key=lambda move: (-move.size, -move.points, move.take & JOKERS)):
            at.setdefault(plays.layout.place_of(move.take), []).append(move)
        self.moves = {top + more: options for top, options in at.items() for more in plays.layout.more_bits}

    def search(self, state: int, aim: Aim, floor: int) -> tuple[int, tuple[Move, ...]] | None:
        """Return the value and the moves of the best arrangement of a hand, if it is worth more than `floor`."""
        self.aim, self.best = aim, floor
        self.weight = FIRST_OF_ALL if aim.dearest else 0
        self.path: tuple[Move, ...] | None = None
        self.taken: list[Move] = []
        self.seen: dict[tuple[int, Due], list[tuple[int, int]]] = {}
        rest = self.plays.worth_of(self.plays.layout.cards_of(state))
        self._search(state | (SPARE if aim.throw else 0), 0, 0, rest, aim.due)
        self.steps.take(0)
        return None if self.path is None else (self.best, self.path)

    def _search(self, state: int, cost: int, points: int, rest: tuple[int, int], due: Due) -> None:
        """Search a hand of which cards that cost `cost` are left so far, and `points` points are laid.

        `rest` is the worth and the number of the naturals that are neither left nor laid yet.
        """
        if self._is_dominated(state, cost, points, due):
            return
        layout, cost_at = self.plays.layout, self.plays.cost_at
        counts, guards, field_at, shift_at = layout.counts, layout.guards, layout.field_at, layout.shift_at
        needed = SET_LEAST * due.sets + self.plays.variant.run_least * due.runs
        worth, size = rest
        while self._can_improve(state & JOKERS, cost, points, worth, size - needed):
            top = (state & counts).bit_length()
            moves = self.moves.get(top, ())
            self.steps.left -= 1 + len(moves) // 4
            for move in moves:
                after = state - move[0]
                if after & guards == guards:
                    _, counted, less, fewer, *_ = move
                    self.taken.append(move)
                    self._search(after, cost, points + counted, (worth - less, size - fewer), due.after(move))
                    self.taken.pop()
            if not top:
                self._leave(state, cost, points, due)
                return
            copies = (state & field_at[top]) >> shift_at[top]
            worth -= copies * self.worth_at[top]
            size -= copies
            state, copies = (state ^ SPARE, copies - 1) if state & SPARE else (state, copies)
            cost += copies * cost_at[top]
            state &= ~field_at[top]

    def _can_improve(self, jokers: int, cost: int, points: int, worth: int, size: int) -> bool:
        """Return whether the cards still held could meet the conditions and beat the best so far."""
        self.steps.take(0)
        most = points + worth + jokers * self.joker_worth
        return size + jokers >= 0 and most >= self.aim.points and most * self.weight - cost > self.best

    def _is_dominated(self, state: int, cost: int, points: int, due: Due) -> bool:
        """Return whether the same hand was reached before at no higher cost and with no fewer points; remember it."""
        reached = self.seen.setdefault((state, due), [])
        if any(before <= cost and points_laid >= points for before, points_laid in reached):
            return True
        reached.append((cost, points))
        return False

    def _leave(self, state: int, cost: int, points: int, due: Due) -> None:
        """Compare a finished arrangement, in which all cards still held are left, with the best so far."""
        jokers = state & JOKERS
        cost += jokers * self.plays.cost[JOKER]
        value = points * self.weight - cost
        thrown = not state & SPARE or (self.aim.bare and not cost)
        if value > self.best and points >= self.aim.points and not any(due) and jokers <= self.aim.own and thrown:
            self.best, self.path = value, tuple(self.taken)
