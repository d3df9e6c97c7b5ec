"""The search under conditions on the whole lay-down: points or a contract to reach, a card that must be in a meld.

It goes over the cards, the dearest first, and takes a meld with each number of jokers separately, because each counts
differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from app.kalooki.cards import JOKER
from app.kalooki.solver.holding import JOKERS, SPARE
from app.kalooki.solver.plays import Plays
from app.kalooki.solver.search import Steps
from app.kalooki.variants import SET_LEAST

FIRST_OF_ALL = 1 << 20
"""The weight of a point if points come first: more than all the cards of a hand cost."""


class Move(NamedTuple):
    """One move: what it takes and what it counts.

    `worth` is the most its naturals could count, `size` how many they are. `kind` is that of a new meld, "" for a build
    and for a meld too late to open. `payload` is for the caller. `wanted` says that it lays the card that must be in a
    new meld.
    """

    take: int
    points: int
    worth: int
    size: int
    kind: str
    payload: Any
    wanted: bool


class Due(NamedTuple):
    """What must still be laid: sets and runs, new melds of any kind, and the card that must be in one of them."""

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
    """The goal of an arrangement: at least `points` points, and everything that is `due`.

    The best counts most points if `dearest` is set, and leaves least otherwise. With `throw` one natural may be left at
    no cost, to be thrown; `bare` says that nothing need be thrown if nothing is left. `own` jokers may be left.
    """

    points: int = 0
    due: Due = Due()
    dearest: bool = False
    throw: bool = False
    bare: bool = False
    own: int = 0


class Weighing:
    """The searches among some moves.

    `best` is the value of the best arrangement so far: its points if these come first, less what it leaves.
    """

    def __init__(self, moves: Iterable[Move], plays: Plays, steps: Steps) -> None:
        self.plays = plays
        self.steps = steps
        self.worth_at = {top: plays.most_worth[card.rank] for top, card in plays.layout.card_at.items()}
        each = plays.variant.joker_points
        self.joker_worth = max(plays.most_worth.values()) if each is None else each
        at: dict[int, list[Move]] = {}
        for move in sorted(moves, key=lambda move: (-move.size, -move.points, move.take & JOKERS)):
            at.setdefault(plays.layout.present(move.take).bit_length(), []).append(move)
        self.moves = {top + more: options for top, options in at.items() for more in plays.layout.more_bits}

    def search(self, state: int, aim: Aim, floor: int) -> tuple[int, tuple[Move, ...]] | None:
        """Return the value and the moves of the best arrangement of a hand, if it is worth more than `floor`."""
        self.aim, self.best = aim, floor
        self.weight = FIRST_OF_ALL if aim.dearest else 0
        self.path: tuple[Move, ...] | None = None
        self.taken: list[Move] = []
        self.seen: dict[tuple[int, Due], list[tuple[int, int]]] = {}
        rest = self.plays.worth_of(self.plays.layout.cards_of(state))
        self._dive(state | (SPARE if aim.throw else 0), 0, 0, rest, aim.due)
        self.steps.check()
        return None if self.path is None else (self.best, self.path)

    def _dive(self, state: int, cost: int, points: int, rest: tuple[int, int], due: Due) -> None:
        """`cost` was left so far, `points` laid; what is neither left nor laid yet is `rest` (worth, cards)."""
        if self._is_known(state, cost, points, due):
            return
        counts, guards, field_at, shift_at, cost_at = self.plays.constants
        needed = SET_LEAST * due.sets + self.plays.variant.run_least * due.runs
        worth, size = rest
        while self._may_do(state & JOKERS, cost, points, worth, size - needed):
            top = (state & counts).bit_length()
            moves = self.moves.get(top, ())
            self.steps.left -= 1 + len(moves) // 4
            for move in moves:
                after = state - move[0]
                if after & guards == guards:
                    _, counted, less, fewer, *_ = move
                    self.taken.append(move)
                    self._dive(after, cost, points + counted, (worth - less, size - fewer), due.after(move))
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

    def _may_do(self, jokers: int, cost: int, points: int, worth: int, size: int) -> bool:
        """Whether the cards still held can reach the goal, and beat the best so far."""
        self.steps.check()
        most = points + worth + jokers * self.joker_worth
        return size + jokers >= 0 and most >= self.aim.points and most * self.weight - cost > self.best

    def _is_known(self, state: int, cost: int, points: int, due: Due) -> bool:
        """Whether this hand was reached before with no more left and no less laid."""
        reached = self.seen.setdefault((state, due), [])
        if any(before <= cost and points_laid >= points for before, points_laid in reached):
            return True
        reached.append((cost, points))
        return False

    def _leave(self, state: int, cost: int, points: int, due: Due) -> None:
        """Compare an arrangement with the best so far; all cards still held are left."""
        jokers = state & JOKERS
        cost += jokers * self.plays.cost[JOKER]
        value = points * self.weight - cost
        thrown = not state & SPARE or (self.aim.bare and not cost)
        if value > self.best and points >= self.aim.points and not any(due) and jokers <= self.aim.own and thrown:
            self.best, self.path = value, tuple(self.taken)
