"""The best lay-down of a hand: whether a player could have opened or gone out, and the least that could be left.

The answer is exact, and the referee allows it. An example shows how it is found. Ann holds

    QH  7H 8H 9H  7S 7D  *

in European Kalooki. `moves` lists the melds of the hearts and of the sevens, with every number of jokers that fits:

    7H 8H 9H    8H 9H *    7H 9H *    7H 8H *    7S 7H 7D    7S 7D *    7S 7H *    7H 7D *

The search goes through the cards, dearest first. The queen is in no meld, so it is left and costs 10. The nine is laid
in each of its melds in turn, and left after that:

    7H 8H 9H   then 7S 7D *, and only the queen is left
    8H 9H *    then 7S 7H 7D, and only the queen is left

As soon as the cards left in a branch cost as much as in the best answer so far, that branch ends: leaving the nine
would cost 19. A hand that was reached before at no higher cost is not searched again. To go out, one card may be left
at no cost: the queen is thrown. An opening or a contract is a condition on the points and kinds of the melds.

With melds on the table, the moves include the ways to build on each. There is a search for every choice of jokers to
free, since each choice gives another hand and another table. The best result becomes a turn that the referee allows.

The limit is a number of steps, not a time: a search that reaches it reports that the question is undecided.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from app.kalooki.cards import JOKER, Card
from app.kalooki.faults import Fault
from app.kalooki.points import points_left
from app.kalooki.referee.melds import Meld, Verdict, in_order, meld_faults, pack_faults, points, rules_applied
from app.kalooki.referee.turn import Step, contract_of, opening_has_minimum, out_of_reach, undeclared
from app.kalooki.solver.moves import (
    JOKERS,
    MOST_STEPS,
    OWN_JOKER_UNIT,
    SPARE,
    Deal,
    FreshMeld,
    Growth,
    Move,
    Offers,
    OnMeld,
    Plays,
    Steps,
    exchange_points,
)
from app.kalooki.variants import SET_LEAST, Variant

GOALS = ("least_points", "least_after_throw", "go_out", "open", "kalooki", "most_points")
MOST_HELD = 22
_TURNS = ("least_after_throw", "go_out", "open", "kalooki")
_OUT = ("go_out", "kalooki")


class Problem(NamedTuple):
    """A question to the search: the cards held after the draw, the goal, the melds on the table, and the turn's state.

    `wanted` is a card that must be in a new meld, as one taken from the discard pile may have to be; it applies to the
    goals that are turns: all but "least_points" and "most_points". If `throws` is False, such a turn has no discard.
    """

    cards: tuple[Card, ...]
    goal: str
    table: tuple[tuple[Card, ...], ...] = ()
    opened: bool = False
    hand_number: int = 1
    wanted: Card | None = None
    throws: bool = True


class Build(NamedTuple):
    """Cards built in one step on a meld.

    `on` is the meld's index on the table, where new melds come last; `end` is the end of a run, else None.
    """

    on: int
    cards: tuple[Card, ...]
    end: str | None


class Release(NamedTuple):
    """Naturals given for jokers of a meld on the table."""

    on: int
    give: tuple[Card, ...]


class Laydown(NamedTuple):
    """The best lay-down for a goal; `possible` is None if the search gave up. Unless it is True, nothing is laid.

    `left` are the cards that stay in the hand without the `discard`, and `points_left` what they count. `released` is
    the number of jokers freed. `steps` is the turn in an order that the referee allows, without the draw.
    """

    possible: bool | None
    melds: tuple[Meld, ...] = ()
    builds: tuple[Build, ...] = ()
    releases: tuple[Release, ...] = ()
    released: int = 0
    left: tuple[Card, ...] = ()
    points_left: int = 0
    discard: Card | None = None
    steps: tuple[Step, ...] = ()


class LaydownVerdict(Verdict):
    """The best lay-down, or faults if the cards and the table are impossible."""

    laydown: Laydown


def best_laydown(problem: Problem, taken: Card | None, variant: Variant) -> LaydownVerdict:
    """Return the best lay-down of any cards and table, or the faults that make them impossible.

    `taken` is the card that came from the discard pile, if any; it must be in a new meld if the rules say so.
    """
    problem = problem._replace(cards=tuple(map(undeclared, problem.cards)))
    faults = list(pack_faults([*problem.cards, *(card for meld in problem.table for card in meld)], variant))
    for on, meld in enumerate(problem.table):
        faults += [fault.with_facts(on=on) for fault in meld_faults(meld, variant)]
    if taken:
        faults += out_of_reach([taken], problem.opened, variant)
    if taken and variant.discard_is_laid(problem.opened):
        problem = problem._replace(wanted=undeclared(taken))
    contract_of(variant, problem.hand_number)
    laydown = nothing_laid(problem.cards, False, variant) if faults else solve(problem, variant)
    odd = [] if faults else [*_shortfall(problem, laydown, variant)]
    count, is_out = len(problem.cards) - 1, laydown.possible and not laydown.left and problem.goal in _TURNS
    if is_out and 0 < count <= variant.warning_at:  # going out needed a warning in the turn before
        odd.append(Fault("few-cards-warning", facts={"case": "held", "held": count}))
    rules = rules_applied(_rules(problem, variant), (*faults, *odd))
    return LaydownVerdict(faults=tuple(faults), rules=rules, warnings=tuple(odd), laydown=laydown)


def _shortfall(problem: Problem, laydown: Laydown, variant: Variant) -> Iterator[Fault]:
    """Yield a warning if only the card to throw, or only the opening, keeps a player from laying every card."""
    out = problem.goal in _OUT
    maybe = laydown.possible is False if out else laydown.possible and (not laydown.left) != (problem.goal in _TURNS)
    if not problem.cards or problem.goal == "open" or not maybe:
        return
    may_empty_hand = problem._replace(goal=problem.goal if out else "go_out", throws=False)
    if variant.last_discard and _lays_all(may_empty_hand, variant):
        yield Fault("last-discard", facts={"case": "all-laid"})
    elif out and not problem.opened and opening_has_minimum(variant, problem.hand_number):
        yield from _short_opening(problem, variant)


def _lays_all(problem: Problem, variant: Variant) -> bool:
    laydown = solve(problem, variant)
    return laydown.possible is True and not laydown.left


def _short_opening(problem: Problem, variant: Variant) -> Iterator[Fault]:
    """Yield a warning if the turn could go out, were the opening not so dear."""

    def falls_short(least: int) -> bool:
        return not _lays_all(problem, replace(variant, contracts=(), opening_points=least, melds_a_turn=None))

    contract = variant.contract(problem.hand_number)
    if falls_short(0):
        return
    if contract:
        yield Fault("contract", facts={"case": "short", "sets": contract[0], "runs": contract[1]})
    else:
        reached = bisect_left(range(1, variant.opening_points), True, key=falls_short)
        yield Fault("opening-points", facts={"case": "short", "points": reached})


def _rules(problem: Problem, variant: Variant) -> list[str]:
    rules = ["set-or-run", "more-than-the-pack"]
    if problem.table:
        rules += ["build-after-opening", "joker-after-opening", "freed-joker"]
    if problem.goal in _TURNS:
        rules += [] if problem.opened else ["contract" if variant.contracts else "opening-points"]
        rules += ["kalooki"] if problem.goal == "kalooki" else []
        rules += ["last-discard"]
    return rules


@lru_cache(maxsize=2)
def plays_of(variant: Variant) -> Plays:
    """Return the cards of a variant as numbers, and what they count."""
    return Plays(variant)


def solve(problem: Problem, variant: Variant, most_steps: int = MOST_STEPS) -> Laydown:
    """Return the best lay-down for the goal; the cards must be undeclared and fit in the packs, the table legal.

    Raises BadInput for a hand number without a contract.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> best = solve(Problem(parse("QH 7H 8H 9H 7S 7D *"), "least_points"), load("european"))
    >>> [str(meld) for meld in best.melds], best.points_left
    (['7H 8H 9H', '7S 7D *'], 10)
    """
    if problem.goal != "least_after_throw":
        return _solve_goal(problem, variant, most_steps)
    for goal in [problem.goal] if problem.opened else ["go_out", "open"]:
        laydown = _solve_goal(problem._replace(goal=goal), variant, most_steps)
        if laydown.possible is not False:
            return laydown
    return laydown if problem.wanted else throw_only(problem.cards, variant)


def _solve_goal(problem: Problem, variant: Variant, most_steps: int) -> Laydown:
    """Return the best lay-down with as many new melds as the turn may have (rule `one-meld-a-turn`)."""
    free = variant if variant.melds_a_turn is None else replace(variant, melds_a_turn=None)
    opens = not problem.opened and opening_has_minimum(variant, problem.hand_number)
    if opens or problem.goal == "kalooki":
        return _solve_once(problem, free, most_steps)
    limited = _solve_once(problem, variant, most_steps)
    if problem.opened or variant.melds_a_turn is None or (problem.goal == "go_out" and limited.possible):
        return limited
    at_once = _solve_at_once(problem, free, most_steps)
    if None in (limited.possible, at_once.possible):
        return nothing_laid(problem.cards, None, variant)
    return max((limited, at_once), key=lambda found: (found.possible, _value(found, problem.goal, variant)))


def _value(laydown: Laydown, goal: str, variant: Variant) -> tuple[int, ...]:
    if goal == "most_points":
        return (sum(points(meld, variant) for meld in laydown.melds),)
    return -laydown.points_left, -len(laydown.left)


def _solve_at_once(problem: Problem, variant: Variant, most_steps: int) -> Laydown:
    """Return the best Kalooki for the goal; if the goal is no turn, the card that would be thrown is left."""
    if problem.goal in _TURNS:
        return _solve_once(problem._replace(goal="kalooki"), variant, most_steps)
    best, least = nothing_laid(problem.cards, False, variant), 0
    for left in _ways_to_throw(problem.cards, variant):
        rest = tuple((Counter(problem.cards) - Counter(left)).elements())
        at_once = Problem(rest, "kalooki", throws=False)
        while True:
            rules = replace(variant, opening_points=least, kalooki_below_opening=False)
            laydown = _solve_once(at_once, rules, most_steps)
            if not laydown.possible:
                break
            best = laydown._replace(left=left, points_left=points_left(left, variant))
            if problem.goal == "least_points":
                return best
            least = _value(best, problem.goal, variant)[0] + 1
        if laydown.possible is None:
            return laydown
    return best


def _ways_to_throw(cards: Sequence[Card], variant: Variant) -> Iterator[tuple[Card, ...]]:
    """Yield what may be thrown after everything else was laid, the cheapest first."""
    if not variant.last_discard:
        yield ()
    for card in sorted(set(cards), key=variant.worth_left.__getitem__):
        if variant.joker_discard or not card.is_joker:
            yield (card,)


def _solve_once(problem: Problem, variant: Variant, most_steps: int) -> Laydown:
    plays, steps = plays_of(variant), Steps(most_steps)
    try:
        arrangement = _find_arrangement(problem, plays, steps)
    except TimeoutError:
        return nothing_laid(problem.cards, None, variant)
    return (
        lay_down(problem.cards, arrangement, problem.opened, variant)
        if arrangement
        else nothing_laid(problem.cards, False, variant)
    )


def _attempts(problem: Problem, variant: Variant) -> Iterator[tuple[Aim, bool, bool]]:
    """Yield the ways in which a turn may reach the goal: its aim, and whether it may build and free jokers."""
    contract = contract_of(variant, problem.hand_number)
    wanted = problem.wanted is not None
    if problem.goal in ("least_points", "most_points"):
        yield Aim(most_points=problem.goal == "most_points"), problem.opened, problem.opened
    elif not problem.opened:
        sets, runs = contract or (0, 0)
        required = Required(sets, runs, 1, wanted)
        builds = variant.build_same_turn and (problem.goal != "kalooki" or variant.kalooki_builds)
        yield Aim(0 if contract else variant.opening_points, required), builds, builds
        if problem.goal != "open" and variant.kalooki_below_opening:
            yield Aim(required=required), builds and variant.kalooki_builds and variant.builds_open, False
        if problem.goal == "go_out" and len(problem.cards) == 1 and not wanted:
            yield Aim(), False, False
    elif problem.goal in ("go_out", "least_after_throw"):
        yield Aim(required=Required(wanted=wanted)), True, True


def _find_arrangement(problem: Problem, plays: Plays, steps: Steps) -> Arrangement | None:
    """Return the best arrangement that meets the conditions of the goal."""
    arrangement: Arrangement | None = None
    counts = problem.opened or plays.variant.builds_count
    offers = Offers(Counter(problem.cards), not problem.opened, counts, problem.wanted, plays, steps)
    for aim, builds, frees in _attempts(problem, plays.variant):
        for deal in offers.deals(problem.table if builds else (), frees):
            search = Search(offers.moves(deal), plays, steps)
            has_discard = problem.goal in _TURNS and problem.throws
            throws_joker = has_discard and plays.variant.joker_discard and deal.own > 0
            for throws in ["natural" if has_discard else "", *(["joker"] if throws_joker else [])]:
                arrangement = _search_deal(search, problem, aim, deal, throws, arrangement) or arrangement
                if arrangement and problem.goal in _OUT:
                    return arrangement
    return arrangement


def _search_deal(
    search: Search, problem: Problem, aim: Aim, deal: Deal, throws: str, best_so_far: Arrangement | None
) -> Arrangement | None:
    """Return the best arrangement of one deal with one discard, None unless it is better than the best so far.

    In a first turn, only the hand's own jokers can be part of the opening.
    """
    plays = search.plays
    spare = deal.own - (throws == "joker")
    aim = aim._replace(throw=throws == "natural", may_empty_hand=not plays.variant.last_discard, spare_jokers=spare)
    more = exchange_points(deal, plays) * FIRST_OF_ALL if aim.most_points else 0
    hand = deal.hand - Counter([JOKER]) if throws == "joker" else deal.hand
    state = plays.layout.sum_of(hand.elements())
    state += (hand[JOKER] if problem.opened else spare) * OWN_JOKER_UNIT
    floor = -1 if problem.goal in _OUT else best_so_far.value - more if best_so_far else -FIRST_OF_ALL
    best = search.search(state, aim, floor)
    return Arrangement(best[0] + more, deal, tuple(move.part for move in best[1]), throws) if best else None


# ---- The search

FIRST_OF_ALL = 1 << 20
"""The weight of a point laid when points come first; it exceeds the cost of any hand."""


class Required(NamedTuple):
    """What must still be laid: numbers of sets, of runs and of new melds of any kind, and whether the wanted card."""

    sets: int = 0
    runs: int = 0
    melds: int = 0
    wanted: bool = False

    def after(self, move: Move) -> Required:
        if not any(self):
            return self
        return Required(
            max(0, self.sets - (move.kind == "set")),
            max(0, self.runs - (move.kind == "run")),
            max(0, self.melds - (move.kind != "")),
            self.wanted and not move.wanted,
        )


class Aim(NamedTuple):
    """The conditions on an arrangement: at least `points` points, and everything that is `required`.

    The best arrangement has the most points if `most_points` is set, else it leaves least. With `throw`, one natural
    may be left at no cost, to be thrown; with `may_empty_hand`, nothing need be thrown if nothing is left.
    `spare_jokers` of the hand's own may be left.
    """

    points: int = 0
    required: Required = Required()
    most_points: bool = False
    throw: bool = False
    may_empty_hand: bool = False
    spare_jokers: int = 0


class Search:
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
        self.weight = FIRST_OF_ALL if aim.most_points else 0
        self.path: tuple[Move, ...] | None = None
        self.taken: list[Move] = []
        self.seen: dict[tuple[int, Required], list[tuple[int, int]]] = {}
        rest = self.plays.worth_of(self.plays.layout.cards_of(state))
        self._search(state | (SPARE if aim.throw else 0), 0, 0, rest, aim.required)
        self.steps.take(0)
        return None if self.path is None else (self.best, self.path)

    def _search(self, state: int, cost: int, points: int, rest: tuple[int, int], required: Required) -> None:
        """Search a hand of which cards that cost `cost` are left so far, and `points` points are laid.

        `rest` is the worth and the number of the naturals that are neither left nor laid yet.
        """
        if self._is_dominated(state, cost, points, required):
            return
        layout, cost_at = self.plays.layout, self.plays.cost_at
        counts, guards, field_at, shift_at = layout.counts, layout.guards, layout.field_at, layout.shift_at
        needed = SET_LEAST * required.sets + self.plays.variant.run_least * required.runs
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
                    self._search(after, cost, points + counted, (worth - less, size - fewer), required.after(move))
                    self.taken.pop()
            if not top:
                self._leave(state, cost, points, required)
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

    def _is_dominated(self, state: int, cost: int, points: int, required: Required) -> bool:
        """Return whether the same hand was reached before at no higher cost and with no fewer points; remember it."""
        reached = self.seen.setdefault((state, required), [])
        if any(before <= cost and points_laid >= points for before, points_laid in reached):
            return True
        reached.append((cost, points))
        return False

    def _leave(self, state: int, cost: int, points: int, required: Required) -> None:
        """Compare a finished arrangement, in which all cards still held are left, with the best so far."""
        jokers = state & JOKERS
        cost += jokers * self.plays.cost[JOKER]
        value = points * self.weight - cost
        thrown = not state & SPARE or (self.aim.may_empty_hand and not cost)
        if (
            value > self.best
            and points >= self.aim.points
            and not any(required)
            and jokers <= self.aim.spare_jokers
            and thrown
        ):
            self.best, self.path = value, tuple(self.taken)


# ---- The lay-down as a turn


class Arrangement(NamedTuple):
    """A result of the search: its value (more is better), its hand and table, its moves and its discard.

    `throws` is "natural" (the one with the most points that is left, if any), "joker", or "" for none.
    """

    value: int
    deal: Deal
    moves: tuple[FreshMeld | OnMeld, ...]
    throws: str


def lay_down(cards: Sequence[Card], arrangement: Arrangement, opened: bool, variant: Variant) -> Laydown:
    """Return the arrangement as a turn: the opening, the exchanges of jokers, what these allow, and the discard."""
    melds = sorted((move for move in arrangement.moves if isinstance(move, FreshMeld)), key=lambda new: not new.opens)
    early, late = _growths(arrangement, melds)
    releases = tuple(Release(on, swaps[0].give) for on, swaps in enumerate(arrangement.deal.melds) if swaps[0].give)
    first = [new.meld for new in melds if new.opens and not opened]
    if opened:
        early, late = [], early + late
    before, after = ([Build(on, *part) for on, growth in some for part in growth.parts] for some in (early, late))
    steps = [
        *(Step("meld", meld.cards) for meld in first),
        *(Step("build", build.cards, on=build.on, end=build.end) for build in before),
        *(Step("free_joker", give, on=on) for on, give in releases),
        *(Step("meld", new.meld.cards) for new in melds[len(first) :]),
        *(Step("build", build.cards, on=build.on, end=build.end) for build in after),
    ]
    released = arrangement.deal.freed
    used = Counter(undeclared(card) for step in steps for card in step.cards)
    left = list((Counter(cards) + Counter({JOKER: released}) - used).elements())
    thrown = _choose_throw(left, arrangement.throws, variant)
    if thrown:
        left.remove(thrown)
        steps.append(Step("discard", (thrown,)))
    return Laydown(
        possible=True,
        melds=tuple(new.meld for new in melds),
        builds=(*before, *after),
        releases=releases,
        released=released,
        left=in_order(left),
        points_left=points_left(left, variant),
        discard=thrown,
        steps=tuple(steps),
    )


def _growths(
    arrangement: Arrangement, melds: list[FreshMeld]
) -> tuple[list[tuple[int, Growth]], list[tuple[int, Growth]]]:
    """Return the builds before and after jokers are freed, each with the index of its meld on the table."""
    table = len(arrangement.deal.melds)
    on_table = sorted((move for move in arrangement.moves if isinstance(move, OnMeld)), key=lambda build: build.on)
    early = [(build.on, build.before) for build in on_table if build.before]
    late = [(table + number, new.growth) for number, new in enumerate(melds) if new.growth]
    return early, late + [(build.on, build.after) for build in on_table if build.after]


def _choose_throw(left: Sequence[Card], throws: str, variant: Variant) -> Card | None:
    """Return the card to throw: a joker, the natural with the most points, or None."""
    if throws == "joker":
        return JOKER
    able = [card for card in in_order(left) if not card.is_joker] if throws else []
    return max(able, key=variant.worth_left.__getitem__, default=None)


def nothing_laid(cards: Sequence[Card], possible: bool | None, variant: Variant) -> Laydown:
    """Return a lay-down that lays nothing."""
    return Laydown(possible, left=in_order(cards), points_left=points_left(cards, variant))


def throw_only(cards: Sequence[Card], variant: Variant) -> Laydown:
    """Return a turn that lays nothing and throws the card with the most points, if any can be thrown."""
    able = [card for card in in_order(cards) if variant.joker_discard or not card.is_joker]
    thrown = sorted(able, key=variant.worth_left.__getitem__)[-1:]
    left = list((Counter(cards) - Counter(thrown)).elements())
    steps = tuple(Step("discard", (card,)) for card in thrown)
    return nothing_laid(left, True, variant)._replace(discard=next(iter(thrown), None), steps=steps)
