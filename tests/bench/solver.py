"""The solver against an integer programme for HiGHS that finds the least that can be left, on the same hands.

The peer runs in an environment and a process of its own.
"""

from __future__ import annotations

import gc
import json
import random
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time_ns

from app import bootstrap
from app.kalooki.cards import JOKER, RANKS, SUITS, Card, parse, write
from app.kalooki.points import points_left
from app.kalooki.referee.melds import PLACE_OF
from app.kalooki.solver.moves import OWN_JOKER_UNIT, Deal, Offers, Plays
from app.kalooki.solver.solve import FIRST_OF_ALL, Aim, Problem, Search, Steps, plays_of, solve
from app.kalooki.variants import Variant, load

HERE = Path(__file__).parent
HARD_HANDS = HERE / "hard_hands.txt"
PACK = [Card(rank, suit) for rank in RANKS for suit in SUITS]
HANDS, HELD, REPEATS = 10_000, 14, 3
PEER = "solver-highs"
ABOUT = """
{count} random hands of {held} cards of two packs a row, what is laid of them being worth most points; microseconds of
the processor, median and 99th percentile. “Whole” is from the cards to the answer, “alone” only the search (of the
integer programme: the run of the solver)."""
Told = list[tuple[int, int, int]]
"""Of each hand the nanoseconds of the whole question, those of the search alone, and the points."""


def main(*, tiny: bool = False) -> int:
    variant = load("european")
    cold(variant)
    count = 20 if tiny else HANDS
    print(ABOUT.format(count=count, held=HELD))
    wrong = median_of_four = 0
    for jokers in (0, 1, 2, 4):
        chance = random.Random(jokers)
        hands = [(*chance.sample(PACK * 2, HELD - jokers), *[JOKER] * jokers) for _ in range(count)]
        ours = ask_ours(hands, variant)
        median_of_four = percentile([whole for whole, _, _ in ours], 50)
        print(
            f"\njokers {jokers}          whole: median      99 %    alone: median      99 %   faster, whole and alone"
        )
        print(f"  here            {row(ours)}")
        if tiny and not bootstrap.is_ready(*place_of(PEER)):
            print("  HiGHS is not installed: nothing to compare with")
            continue
        wrong += against("HiGHS", ask_peer(PEER, [[spot(card) for card in hand] for hand in hands]), ours)
    hardest(variant, median_of_four)
    return min(wrong, 1)


def cold(variant: Variant) -> None:
    """The first question of a process."""
    start = process_time_ns()
    solve(Problem(parse("QH 7H 8H 9H 7S 7D 2C 3C 9D KS 5S 6S * *"), "least_points"), variant)
    print(f"the first question of all takes {(process_time_ns() - start) / 1e6:.2f} ms")


def ask_ours(hands: Sequence[tuple[Card, ...]], variant: Variant) -> Told:
    plays = plays_of(variant)
    told = []
    gc.collect()
    gc.freeze()
    for hand in hands:
        asked = Problem(hand, "least_points")
        start = process_time_ns()
        found = solve(asked, variant)
        end = process_time_ns()
        told.append((end - start, alone(hand, plays), points_left(hand, variant) - found.points_left))
    return told


def alone(hand: Sequence[Card], plays: Plays) -> int:
    """The nanoseconds of the search among the moves, which are found before."""
    held, jokers, steps = Counter(hand), hand.count(JOKER), Steps()
    moves = Offers(held, first_turn=False, counts=True, wanted=None, plays=plays, steps=steps).moves(Deal(held, 0, ()))
    search = Search(moves, plays, steps)
    state = plays.layout.sum_of(hand) + jokers * OWN_JOKER_UNIT
    start = process_time_ns()
    search.search(state, Aim(spare_jokers=jokers), -FIRST_OF_ALL)
    return process_time_ns() - start


def spot(card: Card) -> tuple[int, int]:
    """A card in the peers' notation."""
    return (-1, 0) if card.is_joker else (SUITS.index(card.suit), PLACE_OF[card.rank])


def place_of(name: str) -> tuple[Path, Path]:
    """The lock of a peer, and its environment."""
    return HERE / f"{name}.lock", bootstrap.ROOT / "instance" / f"bench-{name}"


def ask_peer(peer: str, hands: Sequence[object]) -> Told:
    """What a peer says of each hand, in its own environment."""
    python = bootstrap.environment(*place_of(peer))
    script = HERE / f"_{peer.replace('-', '_')}.py"
    done = subprocess.run([python, script], input=json.dumps(hands), stdout=subprocess.PIPE, text=True, check=True)
    told: Told = json.loads(done.stdout)
    return told


def percentile(numbers: Sequence[int], percent: int) -> float:
    """Microseconds."""
    return sorted(numbers)[min(len(numbers) - 1, len(numbers) * percent // 100)] / 1000


def row(told: Told) -> str:
    whole, search, _ = zip(*told, strict=True)
    return "".join(f"{percentile(times, percent):15.1f}" for times in (whole, search) for percent in (50, 99))


def against(name: str, theirs: Told, ours: Told) -> int:
    """Print a peer's times and how it compares; the number of hands of which it laid more."""
    ratios = [
        percentile([each[at] for each in theirs], percent) / percentile([each[at] for each in ours], percent)
        for at in (0, 1)
        for percent in (50, 99)
    ]
    short = sum(a[2] < b[2] for a, b in zip(theirs, ours, strict=True))
    more = sum(a[2] > b[2] for a, b in zip(theirs, ours, strict=True))
    shown = f"{ratios[0]:.0f} / {ratios[1]:.0f} and {ratios[2]:.0f} / {ratios[3]:.0f} times"
    print(f"  {name:16s}{row(theirs)}   {shown}; {short} hands short of the best, {more} better than here")
    return more


def hardest(variant: Variant, usual: float) -> None:
    """The hardest hands that were searched for, against the median hand with four jokers."""
    rules = replace(variant, jokers=4)
    times = []
    for line in HARD_HANDS.read_text(encoding="utf-8").splitlines():
        asked = Problem(parse(line), "least_points")
        solve(asked, rules)
        times.append(min(timed(asked, rules) for _ in range(REPEATS)))
    hand = HARD_HANDS.read_text(encoding="utf-8").splitlines()[times.index(max(times))]
    slower = max(times) / usual
    print(f"\n{len(times)} hard hands: the slowest takes {slower:.0f} medians with four jokers (goal: at most 400)")
    print(f"  {max(times) / 1000:.1f} ms: {write(parse(hand))}")


def timed(asked: Problem, rules: Variant) -> float:
    start = process_time_ns()
    solve(asked, rules)
    return (process_time_ns() - start) / 1000
