"""The best lay-down of a hand: whether a player could have opened or gone out, and the least that could be left.

The answer is exact, and the referee allows it. An example shows how it is found. Ann holds

    QH  7H 8H 9H  7S 7D  *

in European Kalooki. `holding` represents the hand as one integer with a field for each card, so that removing a meld
is one subtraction. `plays` lists the melds of the hearts and of the sevens, each with every number of jokers that fits:

    7H 8H 9H    8H 9H *    7H 9H *    7H 8H *    7S 7H 7D    7S 7D *    7S 7H *    7H 7D *

`weighing` goes through the cards, dearest first. The queen is in no meld, so it is left and costs 10. The nine is laid
in each of its melds in turn, and left after that:

    7H 8H 9H   then 7S 7D *, and only the queen is left
    8H 9H *    then 7S 7H 7D, and only the queen is left

As soon as the cards left in a branch cost as much as in the best answer so far, that branch ends: leaving the nine
would cost 19. A hand that was reached before at no higher cost is not searched again. To go out, one card may be left
at no cost: the queen is thrown. An opening or a contract is a condition on the points and kinds of the melds.

With melds on the table, `growing` adds the ways to build on each and to free its jokers. `deals` goes through the
choices of jokers to free, since each gives another hand and another table. `laydown` turns the result into a turn.

The limit is a number of steps, not a time: a search that reaches it reports that the question is undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from app.kalooki.cards import JOKER, Card
from app.kalooki.faults import Fault
from app.kalooki.referee.meld_faults import meld_faults
from app.kalooki.referee.opening import contract_of, opening_has_minimum
from app.kalooki.referee.turn_steps import out_of_reach, undeclared
from app.kalooki.referee.verdict import pack_faults, rules_applied
from app.kalooki.solver.deals import Deal, Offers, exchange_points
from app.kalooki.solver.holding import OWN_JOKER_UNIT
from app.kalooki.solver.laydown import Arrangement, Laydown, LaydownVerdict, lay_down, nothing_laid, throw_only
from app.kalooki.solver.plays import Plays
from app.kalooki.solver.weighing import FIRST_OF_ALL, MOST_STEPS, Aim, Due, Steps, Weighing
from app.kalooki.variants import Variant

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


_Attempt = tuple[Aim, bool, bool]
"""One way in which a turn may reach its goal: its aim, whether it may build, and whether it may free jokers."""


@lru_cache(maxsize=2)
def plays_of(variant: Variant) -> Plays:
    """Return the melds of a variant with their caches."""
    return Plays(variant)


def _limits(problem: Problem, variant: Variant) -> Iterator[tuple[Problem, Variant]]:
    """Yield the turns to try, each with a variant that sets how many new melds it may lay (rule `one-meld-a-turn`)."""
    free = variant if variant.melds_a_turn is None else replace(variant, melds_a_turn=None)
    if problem.goal == "kalooki" or (not problem.opened and opening_has_minimum(variant, problem.hand_number)):
        yield problem, free
        return
    if problem.goal == "go_out" and not problem.opened and free is not variant:
        yield problem._replace(goal="kalooki"), free
    yield problem, variant


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
    answers = (_solve_once(turn, limited, most_steps) for turn, limited in _limits(problem, variant))
    laydown = next(answers)
    return laydown if laydown.possible else next(answers, laydown)


def _solve_once(problem: Problem, variant: Variant, most_steps: int) -> Laydown:
    plays, steps = plays_of(variant), Steps(most_steps)
    try:
        arrangement = _search(problem, plays, steps)
    except TimeoutError:
        return nothing_laid(problem.cards, None, variant)
    return (
        lay_down(problem.cards, arrangement, problem.opened, variant)
        if arrangement
        else nothing_laid(problem.cards, False, variant)
    )


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
    odd = () if faults else tuple(_discard_warning(problem, laydown, variant))
    rules = rules_applied(_rules(problem, variant), (*faults, *odd))
    return LaydownVerdict(faults=tuple(faults), rules=rules, warnings=odd, laydown=laydown)


def _discard_warning(problem: Problem, laydown: Laydown, variant: Variant) -> Iterator[Fault]:
    """Yield a warning if the turn could lay every card, did it not have to keep one to throw."""
    out = problem.goal in _OUT
    maybe = laydown.possible is False if out else laydown.possible and (not laydown.left) != (problem.goal in _TURNS)
    if not variant.last_discard or problem.goal == "open" or not problem.cards or not maybe:
        return
    bare = solve(problem._replace(goal=problem.goal if out else "go_out", throws=False), variant)
    if bare.possible and not bare.left:
        yield Fault("last-discard", facts={"case": "all-laid"})


def _rules(problem: Problem, variant: Variant) -> list[str]:
    rules = ["set-or-run", "more-than-the-pack"]
    if problem.table:
        rules += ["build-after-opening", "joker-after-opening", "freed-joker"]
    if problem.goal in _TURNS:
        rules += [] if problem.opened else ["contract" if variant.contracts else "opening-points"]
        rules += ["kalooki"] if problem.goal == "kalooki" else []
        rules += ["last-discard"]
    return rules


def _throws(problem: Problem, deal: Deal, variant: Variant) -> tuple[str, ...]:
    """Return what can be thrown, "natural" or "joker" (one of the hand's own); "" if the goal has no discard."""
    if problem.goal not in _TURNS or not problem.throws:
        return ("",)
    return ("natural", "joker") if variant.joker_discard and deal.own > 0 else ("natural",)


def _hand_to_lay(deal: Deal, throws: str) -> Counter[Card]:
    return deal.hand - Counter([JOKER]) if throws == "joker" else deal.hand


def _attempts(problem: Problem, variant: Variant) -> Iterator[_Attempt]:
    """Yield the ways in which a turn may reach the goal."""
    contract = contract_of(variant, problem.hand_number)
    wanted = problem.wanted is not None
    if problem.goal in ("least_points", "most_points"):
        yield Aim(dearest=problem.goal == "most_points"), problem.opened, problem.opened
    elif not problem.opened:
        sets, runs = contract or (0, 0)
        due = Due(sets, runs, 1, wanted)
        builds = variant.build_same_turn and (problem.goal != "kalooki" or variant.kalooki_builds)
        yield Aim(0 if contract else variant.opening_points, due), builds, builds
        if problem.goal != "open" and variant.kalooki_below_opening:
            yield Aim(due=due), builds and variant.kalooki_builds and variant.builds_open, False
        if problem.goal == "go_out" and len(problem.cards) == 1 and not wanted:
            yield Aim(), False, False
    elif problem.goal in ("go_out", "least_after_throw"):
        yield Aim(due=Due(wanted=wanted)), True, True


def _search(problem: Problem, plays: Plays, steps: Steps) -> Arrangement | None:
    """Return the best arrangement that meets the conditions of the goal."""
    arrangement: Arrangement | None = None
    counts = problem.opened or plays.variant.builds_count
    offers = Offers(Counter(problem.cards), not problem.opened, counts, problem.wanted, plays, steps)
    for aim, builds, frees in _attempts(problem, plays.variant):
        for deal in offers.deals(problem.table if builds else (), frees):
            weighing = Weighing(offers.moves(deal), plays, steps)
            for throws in _throws(problem, deal, plays.variant):
                arrangement = _weigh(weighing, problem, aim, deal, throws, arrangement) or arrangement
                if arrangement and problem.goal in _OUT:
                    return arrangement
    return arrangement


def _weigh(
    weighing: Weighing, problem: Problem, aim: Aim, deal: Deal, throws: str, best_so_far: Arrangement | None
) -> Arrangement | None:
    """Return the best arrangement of one deal with one discard, None unless it is better than the best so far.

    In a first turn, only the hand's own jokers can be part of the opening.
    """
    plays = weighing.plays
    own = deal.own - (throws == "joker")
    aim = aim._replace(throw=throws == "natural", bare=not plays.variant.last_discard, own=own)
    more = exchange_points(deal, plays) * FIRST_OF_ALL if aim.dearest else 0
    hand = _hand_to_lay(deal, throws)
    state = plays.layout.sum_of(hand.elements())
    state += (hand[JOKER] if problem.opened else own) * OWN_JOKER_UNIT
    floor = -1 if problem.goal in _OUT else best_so_far.value - more if best_so_far else -FIRST_OF_ALL
    best = weighing.search(state, aim, floor)
    return Arrangement(best[0] + more, deal, tuple(move.payload for move in best[1]), throws) if best else None
