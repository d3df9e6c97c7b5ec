"""The search for the best arrangement, by branch and bound.

`cover` looks for the least that can be left. Few cards make a meld without a joker, so it first decides what is laid
with jokers, from a list of those moves: the first is what saves most for each of its jokers. It goes down that list
only, so that no choice of moves comes twice. To each choice it adds the best that the naturals left of the hand make
alone. These are few, and many choices leave the same ones: that is worked out once and kept.

What bounds it: no move further down the list saves more for a joker, and naturals save no more alone when some of them
are taken away. Where both together do not beat the best so far, the rest of the list is not looked at.

A move is taken with the fewest jokers, and its room for more is remembered: spare jokers go there at the end.
`weighing` has conditions on all that is laid (points, a contract), so it takes each number of jokers separately.

`lay_all` is for going out. It goes over the cards, the dearest first: each goes into one of its moves, or is thrown. A
card with no place ends a branch at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from app.kalooki.cards import JOKER
from app.kalooki.solver.holding import JOKERS, SPARE
from app.kalooki.solver.plays import Group, Option, Plays

MOST_STEPS = 200_000
"""Hands to look at, the first and what is left of it, before a question stays undecided."""


@dataclass(slots=True)
class Steps:
    """How many more hands the searches of one question may look at."""

    left: int = MOST_STEPS

    def take(self, count: int) -> None:
        """Use some steps; raises TimeoutError if none are left."""
        self.left -= count
        self.check()

    def check(self) -> None:
        """Raise TimeoutError if none are left."""
        if self.left < 0:
            raise TimeoutError


class Held(NamedTuple):
    """Where a search starts: a hand's number with its sums, and what can be built on the table's melds.

    `own` of its jokers may be left.
    """

    tallied: int
    own: int
    builds: Group | None = None


Cover = tuple[tuple[Option, int], ...]
"""Moves, each with its number of jokers."""
_Table = Mapping[int, Sequence[Option]]
_NONE: Sequence[Option] = ()
_COST = itemgetter(2)
_RATE = itemgetter(4)
_NEVER = 1 << 60
"""What an arrangement costs that the rules do not allow."""
_NO_LIMIT = 2 * _NEVER
_Alone = tuple[int, int, Option | None, int]
"""What a hand's naturals save without a joker, what they leave, the first move for that, and the hand after it."""


@dataclass(slots=True)
class _Best:
    """What the best arrangement so far saves, its moves with jokers, the hand they leave, and its part for `_alone`."""

    saved: int
    path: tuple[Option, ...] = ()
    state: int = -1
    naturals: int = -1


_Job = tuple[Held, Plays, Steps, _Best, list[Option], int, dict[int, _Alone], list[_Table], list[Option], int]
"""What all steps of `cover` share, unpacked at once for speed.

The hand, what can be laid, the steps left, the best so far, the moves taken, the cost of all cards, what is known of
naturals alone, the moves without jokers by their dearest card, those with jokers, and the fields `_alone` looks at.
"""
_LayJob = tuple[Held, bool, Plays, Steps, list[Option], set[tuple[int, int]], list[_Table]]
"""The same for `lay_all`: the hand, whether nothing need be thrown, …, the hands that led nowhere, the moves."""


def cover(hand: Held, plays: Plays, steps: Steps, floor: int) -> tuple[int, Cover] | None:
    """Return what the arrangement that leaves least saves, if it saves more than `floor`, and that arrangement."""
    tallied, _, builds = hand
    jokers = tallied & JOKERS
    runs, sets = plays.groups(tallied, jokers)
    free = 0
    bare: list[Option] = []
    wild: list[Option] = []
    tables: list[_Table] = []
    for group in [*runs, *sets, builds] if builds else runs + sets:
        wild += group.wild
        if group.bare:
            bare += group.bare
            tables.append(group.plain)
            free |= group.free
    layout = plays.layout
    if jokers < 2 and len(bare) < 2 and not builds:
        fitting = _all_fitting(tallied, bare, wild, layout.guards)
        if fitting:
            return fitting if fitting[0] > floor else None
    total = (tallied >> layout.cost_from) - jokers * plays.cost[JOKER]
    # after an earlier deal: even all cards that are in any move may not be enough
    if floor >= 0 and plays.cost_of(layout.shared(tallied, [option.take for option in bare + wild])) <= floor:
        return None
    wild.sort(key=_RATE, reverse=True)
    state = tallied & layout.held_bits
    best = _Best(floor)
    memo: dict[int, _Alone] = {state & layout.no_cards: (0, 0, None, 0)}
    job: _Job = (hand, plays, steps, best, [], total, memo, tables, wild, free | layout.no_cards)
    if jokers:
        _dive(job, state, 0, 0, 0)
    else:
        _without_jokers(job, state, 0)
    return (best.saved, _moves(best, memo, builds)) if best.state >= 0 else None


def _all_fitting(tallied: int, bare: Sequence[Option], wild: Sequence[Option], guards: int) -> tuple[int, Cover] | None:
    """Return the dearest move with the only joker, if any, and the only move without one, if they fit together.

    Then nothing can be better, and most hands with one joker or none need no more. A move without a joker repeats as
    often as the hand has its cards: both copies of a set make two sets.
    """
    saved, path, left = 0, [], tallied
    if tallied & JOKERS:
        done = max(wild, key=_COST, default=None)
        if not done:
            return None
        saved, path, left = done.cost, [(done, 1)], tallied - done.take
    for option in bare:
        times = _times(option.take, tallied, guards)
        if times > _times(option.take, left, guards):
            return None
        saved += times * option.cost
        path += times * [(option, 0)]
    return saved, tuple(path)


def _times(take: int, holding: int, guards: int) -> int:
    """Return how many times in a row a move can be made."""
    times = 0
    while (holding := holding - take) & guards == guards:
        times += 1
    return times


def _dive(job: _Job, state: int, first: int, room: int, saved: int) -> None:
    """Search a hand with jokers that already `saved` so much and has `room` for spare ones; it lays on from `first`."""
    _, plays, steps, best, path, total, memo, _, wild, free = job
    steps.left -= 1
    if steps.left < 0:
        raise TimeoutError
    naturals, left, guards = state & free, state & JOKERS, plays.layout.guards
    most = saved + (memo.get(naturals) or _alone(job, naturals, _NO_LIMIT))[0]
    enough = best.saved - most
    for number in range(first, len(wild)):  # the same move again too: both copies of its cards may be held
        take, more, cost, needed, rate, _ = option = wild[number]
        if left * rate <= enough:
            break
        rest = state - take
        if rest & guards == guards:
            path.append(option)
            if left > needed:
                _dive(job, rest, number, room + more, saved + cost)
            else:
                _without_jokers(job, rest, saved + cost)
            path.pop()
            if best.saved >= total:  # nothing is left
                return
            enough = best.saved - most
    if left > room:
        naturals += left - room
        most = saved + (memo.get(naturals) or _alone(job, naturals, _NO_LIMIT))[0]
    if most > best.saved:
        best.saved, best.path, best.state, best.naturals = most, tuple(path), state, naturals


def _without_jokers(job: _Job, state: int, saved: int) -> None:
    """Search a hand that has no joker any more, and already `saved` so much."""
    _, plays, _, best, path, _, memo, _, _, free = job
    naturals = state & free
    answer = memo.get(naturals)
    if not answer:
        limit = plays.cost_of(naturals) + saved - best.saved  # who leaves as much of them is not better
        if limit <= 0:
            return
        answer = _alone(job, naturals, limit)
    if saved + answer[0] > best.saved:
        best.saved, best.path, best.state, best.naturals = saved + answer[0], tuple(path), state, naturals


def _alone(job: _Job, state: int, limit: int) -> _Alone:
    """Return what some naturals save without a joker, where `state` has only the jokers that found no room yet.

    An answer that leaves `limit` or more need not be the best.
    """
    hand, plays, steps, _, _, _, memo, tables, _, _ = job
    counts, guards, field_at, shift_at, cost_at = plays.constants
    steps.left -= 1
    if steps.left < 0:
        raise TimeoutError
    jokers = state & JOKERS
    penalty = _penalty(hand, plays, state) if jokers else 0
    hand_left, lost, least = state, 0, limit
    best: _Alone = -_NEVER, limit, None, 0
    while (top := (hand_left & counts).bit_length()) and lost < least:
        for table in tables:
            for option in table.get(top, _NONE):
                rest = hand_left - option[0]
                if rest & guards == guards:
                    if jokers:
                        rest -= min(jokers, option[1])
                    saved, left, _, _ = memo.get(rest) or _alone(job, rest, least - lost)
                    if lost + left < least:
                        least = lost + left
                        best = option[2] + saved, least, option, rest
        field = hand_left & field_at[top]
        lost += (field >> shift_at[top]) * cost_at[top]
        hand_left ^= field
    if lost + penalty < least:
        least = lost + penalty
        best = -penalty, least, None, 0
    if least < limit:
        memo[state] = best
    return best


def _penalty(hand: Held, plays: Plays, state: int) -> int:
    """Return what it costs to leave the jokers that found no room: nothing where melds on the table can take them."""
    unplaced = state & JOKERS
    if hand.builds:
        unplaced = max(0, unplaced - sum(idle.jokers + idle.room for idle in _idle(hand.builds, state)))
    return unplaced * plays.cost[JOKER] if unplaced <= hand.own else _NEVER


def _idle(builds: Group, state: int) -> list[Option]:
    """Return the melds on the table that can still take a joker without other cards."""
    return [option for option in builds.at.get(0, _NONE) if option.take & ~JOKERS & state]


def _tables(kinds: Iterable[Sequence[_Table]]) -> list[_Table]:
    """Return the options by their dearest card, those of each kind together: a card is in one suit, and in one rank."""
    return [{top: options for table in some for top, options in table.items()} for some in kinds if some]


def _moves(best: _Best, answers: Mapping[int, _Alone], builds: Group | None) -> Cover:
    """Return the moves of the best arrangement, with spare jokers laid where there is room."""
    path, state = list(best.path), best.state
    _, _, option, naturals = answers[best.naturals]
    while option:
        path.append(option)
        state -= option.take
        _, _, option, naturals = answers[naturals]
    return _with_all_jokers(path, state, builds)


def _with_all_jokers(path: Sequence[Option], state: int, builds: Group | None) -> Cover:
    """Return moves, with the jokers of the hand they leave laid where there is room."""
    left = state & JOKERS
    if not left:
        return tuple([(option, option.jokers) for option in path])
    done = []
    for option in path:
        more = min(option.room, left)
        left -= more
        done.append((option, option.jokers + more))
    for option in _idle(builds, state) if builds else ():
        more = min(option.jokers + option.room, left)
        left -= more
        done += [(option, more)] if more else []
    return tuple(done)


def lay_all(hand: Held, throw: bool, bare: bool, plays: Plays, steps: Steps) -> Cover | None:
    """Return an arrangement that lays everything.

    With `throw` it lays all but one natural, or everything too if it is `bare`.
    """
    tallied, _, builds = hand
    runs, sets = plays.groups(tallied, tallied & JOKERS)
    tables = _tables([[group.at for group in kind] for kind in (runs, sets, [builds] if builds else [])])
    path: list[Option] = []
    state = (tallied & plays.layout.held_bits) | (SPARE if throw else 0)
    left = _lay((hand, bare, plays, steps, path, set(), tables), state, 0)
    return None if left is None else _with_all_jokers(path, left, builds)


def _lay(job: _LayJob, state: int, room: int) -> int | None:
    """Lay a hand that has `room` for spare jokers, the dearest card first: what is left of it, only such jokers."""
    hand, bare, plays, steps, path, failed, tables = job
    counts, guards, field_at, shift_at, _ = plays.constants
    key = state, min(room, state & JOKERS)
    if key in failed:
        return None
    failed.add(key)
    steps.take(1)
    while top := (state & counts).bit_length():
        for table in tables:
            for option in table.get(top, _NONE):
                rest = state - option.take
                if rest & guards == guards:
                    path.append(option)
                    left = _lay(job, rest, room + option.room)
                    if left is not None:
                        return left
                    path.pop()
        field = state & field_at[top]
        if not state & SPARE or field >> shift_at[top] > 1:
            return None
        state ^= SPARE | field
    unplaced = max(0, (state & JOKERS) - room)
    return None if (state & SPARE and not bare) or _penalty(hand, plays, (state & ~JOKERS) + unplaced) else state
