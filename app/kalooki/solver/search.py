"""The search for the best arrangement: branch and bound over the cards of a hand, the dearest first.

The dearest card held goes into one of its possible moves, or it is left; then the next card. Bounds cut this short: the
rest can save at most what the remaining jokers could save, and at most what is not yet left. A hand already reached by
laying no worse is not searched again. The last joker goes into each of its melds instead, the dearest first: few cards
make a meld without a joker, so the first is usually the best.

`cover` looks for the least that can be left. It takes a meld with the fewest jokers and remembers its room for more:
spare jokers go there at the end. `weigh` has conditions on all that is laid (points, a contract), so it takes a meld
with each number of jokers separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from app.kalooki.cards import JOKER
from app.kalooki.solver.holding import JOKERS, SPARE
from app.kalooki.solver.plays import Group, Option, Plays

MOST_STEPS = 200_000
"""Cards to look at before a question stays undecided."""


class Undecided(Exception):
    """The search would take more steps than it may."""


class Steps:
    """How many more cards the searches of one question may look at."""

    __slots__ = ("left", "most")

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.most = self.left = most

    def take(self, count: int) -> None:
        """Use some steps; raises Undecided if none are left."""
        self.left -= count
        self.check()

    def check(self) -> None:
        """Raises Undecided if none are left."""
        if self.left < 0:
            raise Undecided


class Hand(NamedTuple):
    """Where a search starts: a hand's number with its tallies, and what can be built on the table's melds.

    `own` of its jokers may be left. With `throw` one natural may be left at no cost, to be thrown; `bare` says that
    nothing need be thrown if nothing is left.
    """

    tallied: int
    own: int
    builds: Group | None = None
    throw: bool = False
    bare: bool = False


Cover = tuple[tuple[Option, int], ...]
"""Moves, each with its number of jokers."""
_Table = Mapping[int, Sequence[Option]]
_NONE: Sequence[Option] = ()
_COST = itemgetter(2)


class _Best:
    """What the best arrangement so far saves, the path to it, and the hand it leaves."""

    __slots__ = ("path", "saved", "state")

    def __init__(self, floor: int) -> None:
        self.saved = floor
        self.path: tuple[Option, ...] = ()
        self.state = -1


_Job = tuple[Any, ...]
"""What all steps of one search share, unpacked at once for speed: see `cover`."""


def cover(hand: Hand, plays: Plays, steps: Steps, floor: int) -> tuple[int, Cover] | None:
    """What the arrangement that leaves least saves, if it saves more than `floor`, and that arrangement."""
    tallied, _, builds, throw, _ = hand
    jokers = tallied & JOKERS
    runs, sets = plays.groups(tallied, jokers)
    groups = [*runs, *sets, builds] if builds else runs + sets
    free = 0
    bare: list[Option] = []
    single: list[Option] = []
    for group in groups:
        free |= group.free
        bare += group.bare
        single += group.single
    if jokers + len(bare) < 2 and not (throw or builds):
        return _lone(hand, bare or single, floor, plays)
    layout = plays.layout
    state = tallied & layout.held_bits
    best = _Best(floor)
    plain = _tables(runs, sets, builds, "plain")
    shared: _Job = (hand, plays, steps, best, [], {}, plain)
    free |= ~layout.counts
    single.sort(key=_COST, reverse=True)
    if throw or jokers > 1:
        tables = _tables(runs, sets, builds, "at")
        start, reach, promise = _bounds(hand, groups, plays, free)
        _dive((*shared, tables, single, free, promise), start, reach, 0, 0)
    elif jokers:
        _last_joker((*shared, plain, single, free, (plays.cost_of(state & free),)), state, 0, 0)
    else:
        _plain(shared, state & free, 0, 0)
    steps.check()
    return (best.saved, _with_all_jokers(best, builds)) if best.state >= 0 else None


def _lone(hand: Hand, options: Sequence[Option], floor: int, plays: Plays) -> tuple[int, Cover] | None:
    """The answer if at most one move is possible at a time: without a joker, or with the only one.

    Without a joker a move repeats as often as the hand has its cards: both copies of a set make two sets.
    """
    saved, path = -(hand.tallied & JOKERS) * plays.cost[JOKER], []
    if done := max(options, key=_COST, default=None):
        saved, left, guards = 0, hand.tallied - done.take, plays.layout.guards
        while left & guards == guards:
            path.append((done, done.jokers))
            saved, left = saved + done.cost, left - done.take
    return (saved, tuple(path)) if saved > floor else None


def _dive(job: _Job, state: int, reach: int, room: int, saved: int) -> None:  # noqa: C901 - one loop, for speed
    """Search a hand that already `saved` so much, can save at most `reach`, and has `room` for spare jokers."""
    hand, plays, steps, best, path, seen, _, tables, _, free, promise = job
    left = state & JOKERS
    if left < 2 and not hand.throw:
        if left:
            _last_joker(job, state, room, saved)
        else:
            _plain(job[:7], state & free, room, saved)
        return
    key = state, min(room, left)
    if seen.get(key, -1) >= saved:
        return
    seen[key] = saved
    counts, guards, field_at, shift_at, cost_at = plays.constants
    while top := (state & counts).bit_length():
        steps.left -= 1
        if reach <= best.saved or saved + promise[left] <= best.saved:
            return
        for table in tables:
            for option in table.get(top, _NONE):
                take, more, cost, needed, _ = option
                if needed > left or saved + cost + promise[left - needed] <= best.saved:
                    continue
                rest = state - take
                if rest & guards == guards:
                    path.append(option)
                    _dive(job, rest, reach, room + more, saved + cost)
                    path.pop()
        field = state & field_at[top]
        lost = (field >> shift_at[top]) * cost_at[top]
        if state & SPARE:
            state ^= SPARE
            saved += cost_at[top]
            lost -= cost_at[top]
        reach -= lost
        state ^= field
    _leave(job, state, room, saved)


def _last_joker(job: _Job, state: int, room: int, saved: int) -> None:
    """Search a hand with one joker left: in each of its melds, the dearest first, and in none."""
    _, plays, steps, best, path, _, _, _, single, free, promise = job
    guards = plays.layout.guards
    shared = job[:7]
    enough = best.saved - promise[0] - saved
    for option in single:
        take, more, cost, _, _ = option
        if cost <= enough:
            break
        rest = state - take
        if rest & guards == guards:
            steps.left -= 1
            path.append(option)
            _plain(shared, rest & free, room + more, saved + cost)
            path.pop()
            enough = best.saved - promise[0] - saved
    if enough < 0:
        _plain(shared, state & free, room, saved)


def _plain(job: _Job, state: int, room: int, saved: int) -> None:
    """Search a hand for melds when it has no joker any more, or no meld for one."""
    _, plays, steps, best, path, seen, tables = job
    counts, guards, field_at, shift_at, cost_at = plays.constants
    top = (state & counts).bit_length()
    if not top:
        _leave(job, state, room, saved)
        return
    key = ~state if room else state
    if seen.get(key, -1) >= saved:
        return
    seen[key] = saved
    reach = saved + plays.cost_of(state)
    while top:
        steps.left -= 1
        if reach <= best.saved:
            return
        for table in tables:
            for option in table.get(top, _NONE):
                rest = state - option[0]
                if rest & guards == guards:
                    path.append(option)
                    _plain(job, rest, room + option[1], saved + option[2])
                    path.pop()
        field = state & field_at[top]
        reach -= (field >> shift_at[top]) * cost_at[top]
        state ^= field
        top = (state & counts).bit_length()
    _leave(job, state, room, saved)


def _leave(job: _Job, state: int, room: int, saved: int) -> None:
    """Compare an arrangement with the best so far; all cards still held are left."""
    hand, plays, steps, best, path = job[:5]
    unplaced = (state & JOKERS) - room
    if unplaced > 0:
        if hand.builds:
            unplaced = max(0, unplaced - sum(idle.jokers + idle.room for idle in _idle(hand.builds, state)))
        if unplaced > hand.own:
            return
        saved -= unplaced * plays.cost[JOKER]
    if saved > best.saved and (hand.bare or not state & SPARE):
        steps.check()
        best.saved, best.path, best.state = saved, tuple(path), state


def _idle(builds: Group, state: int) -> list[Option]:
    """The melds on the table that can still take a joker without other cards."""
    return [option for option in builds.at.get(0, _NONE) if option.take & ~JOKERS & state]


def _tables(runs: Sequence[Group], sets: Sequence[Group], builds: Group | None, which: str) -> list[_Table]:
    """The options by their dearest card: of all runs, of all sets, and what can be built."""
    tables = []
    for groups in (runs, sets, [builds] if builds else []):
        if len(groups) == 1:
            tables.append(getattr(groups[0], which))
        elif groups:
            merged: dict[int, Sequence[Option]] = {}
            for group in groups:
                merged.update(getattr(group, which))
            tables.append(merged)
    return tables


def _bounds(hand: Hand, groups: Sequence[Group], plays: Plays, free: int) -> tuple[int, int, Sequence[int]]:
    """A hand with jokers, less cards without a move; what it can save at most; and the promise."""
    layout = plays.layout
    jokers = hand.tallied & JOKERS
    start = hand.tallied & layout.held_bits
    total = (hand.tallied >> layout.cost_from) - jokers * plays.cost[JOKER]
    if hand.throw:
        return start | SPARE, total, [total] * (jokers + 1)
    live = 0
    for group in groups:
        live |= group.live
    dead = start & layout.counts & ~live
    # a build may count a joker that is thrown: the shortest decides
    gain = [max(gains) for gains in zip(*[group.gain for group in groups], strict=False)]
    promise = [plays.cost_of(start & free)]
    for count in range(1, jokers + 1 if groups else 1):
        promise.append(max([gain[some] + promise[count - some] for some in range(1, count + 1)]))
    return start ^ dead, total - plays.cost_of(dead), promise


def _with_all_jokers(best: _Best, builds: Group | None) -> Cover:
    """The moves, with spare jokers laid where there is room."""
    left = best.state & JOKERS
    done = []
    for option in best.path:
        more = min(option.room, left)
        left -= more
        done.append((option, option.jokers + more))
    for option in _idle(builds, best.state) if builds and left else ():
        more = min(option.jokers + option.room, left)
        left -= more
        done += [(option, more)] if more else []
    return tuple(done)
