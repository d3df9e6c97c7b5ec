"""The use of melds on the table: which jokers to free, and which moves are then possible.

A freed joker is one more joker to lay. Since jokers may be freed only after the opening, an opening turn distinguishes
moves before that (they count towards the opening and use only the hand's own jokers) from moves after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.kalooki.cards import JOKER, Card
from app.kalooki.referee.building import UNBUILT
from app.kalooki.referee.jokers import Freed
from app.kalooki.referee.melds import Meld, points, readings
from app.kalooki.solver.growing import Growth, freeings, growths
from app.kalooki.solver.holding import OWN_JOKER_UNIT
from app.kalooki.solver.plays import Core, Plays, RunCore, meld_of, naturals, points_of
from app.kalooki.solver.weighing import Move, Steps
from app.kalooki.variants import Variant

Swaps = dict[tuple[Card, ...], tuple[Freed, ...]]
"""All exchanges with one meld by the naturals given for its jokers, one `Freed` for each reading; none given first."""
STEPS_PER_MOVE = 4
"""How many steps of the search limit it costs to compute one move."""


class Deal(NamedTuple):
    """A hand and a table after naturals were exchanged for jokers.

    `hand` includes the jokers that were freed, `freed` is their number. `melds` has the readings of each meld on the
    table, with the exchange made.
    """

    hand: Counter[Card]
    freed: int
    melds: tuple[tuple[Freed, ...], ...]

    @property
    def own(self) -> int:
        """The number of jokers that were in the hand before."""
        return self.hand[JOKER] - self.freed


class FreshMeld(NamedTuple):
    """A new meld, whether it is part of the opening, and what is built on it later in the turn."""

    meld: Meld
    opens: bool
    growth: Growth | None = None


class OnMeld(NamedTuple):
    """What is built on a meld on the table before jokers are freed, and after."""

    on: int
    before: Growth | None
    after: Growth | None


def exchange_points(deal: Deal, plays: Plays) -> int:
    """Return the points that the exchanges of jokers add to the melds on the table."""
    variant = plays.variant
    return sum(
        max(points(swap.after, variant) - points(swap.before, variant) for swap in swaps) for swaps in deal.melds
    )


@dataclass
class Offers:
    """All moves of a hand in a turn, computed once for all its deals; the search skips those a deal cannot make.

    In a `first_turn`, in which the player has not opened, moves that open are separate. `counts` says whether builds
    count towards the opening or, later, at all. `wanted` is a card that must be in a new meld.
    """

    hand: Counter[Card]
    first_turn: bool
    counts: bool
    wanted: Card | None
    plays: Plays
    steps: Steps
    _move_cache: dict[object, list[Move]] = field(default_factory=dict)

    def deals(self, table: Sequence[Sequence[Card]], frees: bool) -> Iterator[Deal]:
        """Yield the deal of every choice of jokers to free on the table, first the one that frees none."""
        return self._deals(Deal(self.hand, 0, ()), [readings(cards, self.plays.variant) for cards in table], frees)

    def _deals(self, deal: Deal, read: Sequence[Sequence[Meld]], frees: bool) -> Iterator[Deal]:
        if len(deal.melds) == len(read):
            yield deal
            return
        self.steps.take(STEPS_PER_MOVE)
        for give, swaps in self._swaps(read[len(deal.melds)], deal.hand, frees).items():
            after = deal.hand - Counter(give)
            after[JOKER] += swaps[0].released
            freed = deal.freed + swaps[0].released
            yield from self._deals(Deal(after, freed, (*deal.melds, swaps)), read, frees)

    def _swaps(self, read: Sequence[Meld], hand: Counter[Card], frees: bool) -> Swaps:
        swaps: Swaps = {(): tuple(Freed((), meld, meld, 0) for meld in read)}
        for swap in (each for meld in read if frees for each in freeings(meld, hand, self.plays.variant)):
            swaps[swap.give] = (*swaps.get(swap.give, ()), swap)
        return swaps

    def moves(self, deal: Deal) -> list[Move]:
        """Return all moves, a separate one for each number of jokers."""
        jokers, apart = deal.hand[JOKER], self.first_turn and deal.freed > 0
        moves = list(self._cache_moves((jokers, apart), self._new_melds(jokers, apart)))
        for on, swaps in enumerate(deal.melds):
            key = on, swaps[0].give, jokers, apart
            moves += self._cache_moves(key, (move for swap in swaps for move in self._on_meld(on, swap, jokers, apart)))
        return moves

    def _cache_moves(self, key: object, moves: Iterator[Move]) -> list[Move]:
        """Return the moves, cached by `key`; of moves that take the same cards, only the one with the most points."""
        if key not in self._move_cache:
            fresh = []
            for move in moves:
                self.steps.take(STEPS_PER_MOVE)
                fresh.append(move)
            fresh.sort(key=lambda move: move.points)
            self._move_cache[key] = list({(move.take, move.kind, move.wanted): move for move in fresh}.values())
        return self._move_cache[key]

    def _new_melds(self, jokers: int, apart: bool) -> Iterator[Move]:
        """Yield every new meld with every number of jokers; if `apart`, also those laid too late to open."""
        once, new_meld = self.plays.layout.once, self.plays.layout.new_meld
        for core, needed, room in self.plays.cores(self.hand, jokers):
            kind, name = ("run", core.suit) if isinstance(core, RunCore) else ("set", core.rank)
            used = once.get((kind, name), 0) + new_meld
            for count in range(needed, min(needed + room, jokers) + 1):
                yield from self._as_moves(core, kind, count, used, apart)
                if apart:
                    yield from self._grow(core, kind, count, used, jokers)

    def _as_moves(self, core: Core, kind: str, count: int, used: int, apart: bool) -> Iterator[Move]:
        cards = naturals(core)
        take = self.plays.take(cards, count, used)
        lays = count > 0 if self.wanted == JOKER else self.wanted in cards
        meld = meld_of(core, count, self.plays)
        worth = points_of(core, count, self.plays), *self.plays.worth_of(cards)
        if not apart or count <= self.hand[JOKER]:
            yield Move(take + count * OWN_JOKER_UNIT, *worth, kind, FreshMeld(meld, opens=True), lays)
        if apart and count:
            yield Move(take, 0, *worth[1:], "", FreshMeld(meld, opens=False), lays)

    def _grow(self, core: Core, kind: str, count: int, used: int, jokers: int) -> Iterator[Move]:
        """Yield melds that open and on which jokers freed afterwards are built."""
        plays = self.plays
        cards = naturals(core)
        hand = self.hand - Counter(cards)
        for meld in readings([*cards, *[JOKER] * count], plays.variant):
            for growth in growths(meld, hand, jokers - count, plays.variant) if meld.kind == kind else ():
                if growth.jokers:
                    laid = [*cards, *growth.naturals]
                    lays = count > 0 if self.wanted == JOKER else self.wanted in cards
                    take = plays.take(laid, count + growth.jokers, used) + count * OWN_JOKER_UNIT
                    worth = points(meld, plays.variant), *plays.worth_of(laid)
                    yield Move(take, *worth, kind, FreshMeld(meld, True, growth), lays)

    def _on_meld(self, on: int, swap: Freed, jokers: int, apart: bool) -> Iterator[Move]:
        """Yield every move that builds on one meld, before its jokers are freed, after that, or both."""
        variant = self.plays.variant
        for growth in growths(swap.after, self.hand, jokers, variant):
            if apart or not self.counts:
                yield self._build_move(on, None, growth, 0)
            else:
                yield self._build_move(on, growth, None, points(growth.after, variant) - points(swap.after, variant))
        for first in growths(swap.before, self.hand, self.hand[JOKER], variant) if apart and self.counts else ():
            gain = points(first.after, variant) - points(swap.before, variant)
            hand = self.hand - Counter(first.naturals)
            for meld in _free_jokers(first.after, swap, variant):
                yield self._build_move(on, first, None, gain)
                ends = first.ends if meld.kind == "run" else UNBUILT
                for growth in growths(meld, hand, jokers - first.jokers, variant, ends):
                    yield self._build_move(on, first, growth, gain)

    def _build_move(self, on: int, before: Growth | None, after: Growth | None, gain: int) -> Move:
        parts = [growth for growth in (before, after) if growth]
        cards = [card for growth in parts for card in growth.naturals]
        take = self.plays.take(cards, sum(growth.jokers for growth in parts), self.plays.layout.once["table", on])
        own = before.jokers * OWN_JOKER_UNIT if before else 0
        return Move(take + own, gain, *self.plays.worth_of(cards), "", OnMeld(on, before, after), False)


def _free_jokers(meld: Meld, swap: Freed, variant: Variant) -> list[Meld]:
    """Return the readings of a built-on meld after an exchange of its jokers, empty if that is no longer legal."""
    if not swap.give:
        return [meld]
    ways = freeings(meld, Counter(swap.give), variant)
    return [way.after for way in ways if (way.give, way.released) == (swap.give, swap.released)]
