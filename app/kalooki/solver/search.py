"""Branch and bound over the moves of a hand.

`cover` finds the arrangement that leaves least. Since few cards make a meld without a joker, it chooses the moves with
jokers first, from a list in order of falling rate (what a move saves per joker). A branch only continues down the list,
so no combination of moves is tried twice. To each combination it adds the best arrangement of the remaining naturals
without jokers. Many combinations leave the same naturals, so that result is cached.

The bound: moves further down the list have no higher rate, and naturals alone never save more after some of them are
taken. If both together cannot beat the best arrangement so far, the rest of the list is skipped.

Each move is taken with its fewest jokers, and its room for more is added up; spare jokers are placed at the end.
`weighing` has conditions on the whole lay-down (points, a contract), so it tries each number of jokers separately.

`lay_all` is for going out. It goes through the cards, dearest first, and puts each into one of its moves or throws it.
A branch ends as soon as a card fits nowhere.
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
"""The most hands, including remainders of the first, that a search looks at before it gives up."""


@dataclass(slots=True)
class Steps:
    """The number of hands that the searches for one question may still look at."""

    left: int = MOST_STEPS

    def take(self, count: int) -> None:
        """Use up some steps; raises TimeoutError if there are not enough left."""
        self.left -= count
        self.check()

    def check(self) -> None:
        """Raise TimeoutError if too many steps were used."""
        if self.left < 0:
            raise TimeoutError


class Held(NamedTuple):
    """The start of a search: the hand as an integer with its sums (`packed`), and the options to build on the table.

    `own` is how many of its jokers may be left.
    """

    packed: int
    own: int
    builds: Group | None = None


Cover = tuple[tuple[Option, int], ...]
"""The moves of an arrangement, each with its number of jokers."""
_Table = Mapping[int, Sequence[Option]]
_NONE: Sequence[Option] = ()
_COST = itemgetter(2)
_RATE = itemgetter(4)
_NEVER = 1 << 60
"""The cost of an arrangement that the rules do not allow."""
_NO_LIMIT = 2 * _NEVER
_Alone = tuple[int, int, Option | None, int]
"""The best use of naturals without jokers: what it saves, what it leaves, its first move, and the hand after that."""


@dataclass(slots=True)
class _Best:
    """The best arrangement so far: what it saves, its moves with jokers, the hand after them, and its `memo` key."""

    saved: int
    path: tuple[Option, ...] = ()
    state: int = -1
    naturals: int = -1


_Job = tuple[Held, Plays, Steps, _Best, list[Option], int, dict[int, _Alone], list[_Table], list[Option], int]
"""What all calls of `cover` share, as a tuple because it is unpacked at once for speed.

The hand, the melds, the steps left, the best so far, the moves taken, the cost of all cards, the cache of `_alone`, the
moves without jokers by their dearest card, the moves with jokers, and the fields that matter to `_alone`.
"""
_LayJob = tuple[Held, bool, Plays, Steps, list[Option], set[tuple[int, int]], list[_Table]]
"""The same for `lay_all`: the hand, whether nothing need be thrown, the melds, the steps left, the moves taken, the
hands from which the search failed, and the moves by their dearest card.
"""


def cover(hand: Held, plays: Plays, steps: Steps, floor: int) -> tuple[int, Cover] | None:
    """Return what the arrangement that leaves least saves, and its moves; None if that is not more than `floor`."""
    packed, _, builds = hand
    jokers = packed & JOKERS
    runs, sets = plays.groups(packed, jokers)
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
        fitting = _all_fitting(packed, bare, wild, layout.guards)
        if fitting:
            return fitting if fitting[0] > floor else None
    total = (packed >> layout.cost_from) - jokers * plays.cost[JOKER]
    # with a floor from an earlier deal, even laying every card that is in some move may not be enough
    if floor >= 0 and plays.cost_of(layout.shared_naturals(packed, [option.take for option in bare + wild])) <= floor:
        return None
    wild.sort(key=_RATE, reverse=True)
    state = packed & layout.held_bits
    best = _Best(floor)
    memo: dict[int, _Alone] = {state & layout.no_cards: (0, 0, None, 0)}
    job: _Job = (hand, plays, steps, best, [], total, memo, tables, wild, free | layout.no_cards)
    if jokers:
        _search(job, state, 0, 0, 0)
    else:
        _without_jokers(job, state, 0)
    return (best.saved, _moves(best, memo, builds)) if best.state >= 0 else None


def _all_fitting(packed: int, bare: Sequence[Option], wild: Sequence[Option], guards: int) -> tuple[int, Cover] | None:
    """Return the dearest move with the only joker, if any, and the only move without a joker, if both fit.

    Then no arrangement is better; this settles most hands with at most one joker. A move without a joker is repeated as
    often as the hand has its cards: both copies of a set make two sets.
    """
    saved, path, left = 0, [], packed
    if packed & JOKERS:
        dearest = max(wild, key=_COST, default=None)
        if not dearest:
            return None
        saved, path, left = dearest.cost, [(dearest, 1)], packed - dearest.take
    for option in bare:
        times = _times(option.take, packed, guards)
        if times > _times(option.take, left, guards):
            return None
        saved += times * option.cost
        path += times * [(option, 0)]
    return saved, tuple(path)


def _times(take: int, holding: int, guards: int) -> int:
    """Return how many times a move can be made."""
    times = 0
    while (holding := holding - take) & guards == guards:
        times += 1
    return times


def _search(job: _Job, state: int, first: int, room: int, saved: int) -> None:
    """Search a hand that still has jokers, from move `first` of the list.

    `saved` is what the moves so far save, `room` how many spare jokers fit into them.
    """
    _, plays, steps, best, path, total, memo, _, wild, free = job
    steps.left -= 1
    if steps.left < 0:
        raise TimeoutError
    naturals, left, guards = state & free, state & JOKERS, plays.layout.guards
    most = saved + (memo.get(naturals) or _alone(job, naturals, _NO_LIMIT))[0]
    enough = best.saved - most
    for number in range(first, len(wild)):  # starts with the same move, because both copies of its cards may be held
        take, more, cost, needed, rate, _ = option = wild[number]
        if left * rate <= enough:
            break
        rest = state - take
        if rest & guards == guards:
            path.append(option)
            if left > needed:
                _search(job, rest, number, room + more, saved + cost)
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
    """Complete an arrangement that has used all jokers and `saved` so much."""
    _, plays, _, best, path, _, memo, _, _, free = job
    naturals = state & free
    answer = memo.get(naturals)
    if not answer:
        limit = plays.cost_of(naturals) + saved - best.saved  # leaving this much would not beat the best
        if limit <= 0:
            return
        answer = _alone(job, naturals, limit)
    if saved + answer[0] > best.saved:
        best.saved, best.path, best.state, best.naturals = saved + answer[0], tuple(path), state, naturals


def _alone(job: _Job, state: int, limit: int) -> _Alone:
    """Return the best use of naturals without jokers; jokers in `state` are those for which there is no room yet.

    A result that leaves `limit` or more need not be the best.
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
    """Return the cost of the jokers for which there is no room; those that melds on the table can take cost nothing."""
    unplaced = state & JOKERS
    if hand.builds:
        unplaced = max(0, unplaced - sum(idle.jokers + idle.room for idle in _unused_builds(hand.builds, state)))
    return unplaced * plays.cost[JOKER] if unplaced <= hand.own else _NEVER


def _unused_builds(builds: Group, state: int) -> list[Option]:
    """Return the options to build only jokers on melds that no move has used yet."""
    return [option for option in builds.at.get(0, _NONE) if option.take & ~JOKERS & state]


def _tables(kinds: Iterable[Sequence[_Table]]) -> list[_Table]:
    """Return one table of options by dearest card for each kind, since a card belongs to one suit and to one rank."""
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
    """Return the moves, with the jokers of the remaining hand `state` laid where there is room."""
    left = state & JOKERS
    if not left:
        return tuple([(option, option.jokers) for option in path])
    moves = []
    for option in path:
        more = min(option.room, left)
        left -= more
        moves.append((option, option.jokers + more))
    for option in _unused_builds(builds, state) if builds else ():
        more = min(option.jokers + option.room, left)
        left -= more
        moves += [(option, more)] if more else []
    return tuple(moves)


def lay_all(hand: Held, throw: bool, bare: bool, plays: Plays, steps: Steps) -> Cover | None:
    """Return an arrangement that lays all cards, None if there is none.

    With `throw` it keeps one natural to throw; if `bare`, it may also lay all cards.
    """
    packed, _, builds = hand
    runs, sets = plays.groups(packed, packed & JOKERS)
    tables = _tables([[group.at for group in kind] for kind in (runs, sets, [builds] if builds else [])])
    path: list[Option] = []
    state = (packed & plays.layout.held_bits) | (SPARE if throw else 0)
    left = _lay((hand, bare, plays, steps, path, set(), tables), state, 0)
    return None if left is None else _with_all_jokers(path, left, builds)


def _lay(job: _LayJob, state: int, room: int) -> int | None:
    """Lay all cards of a hand, dearest first, and return what is left, None if that is impossible.

    Only spare jokers are left, for which the moves have `room`.
    """
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
