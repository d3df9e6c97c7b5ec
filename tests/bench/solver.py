"""The solver: the first question of a process, random hands, and the hardest hands that were searched for."""

from __future__ import annotations

import gc
import random
from dataclasses import replace
from pathlib import Path
from time import process_time_ns

from app.kalooki.cards import JOKER, RANKS, SUITS, Card, parse, write
from app.kalooki.solver.solve import Problem, solve
from app.kalooki.variants import Variant, load

HARD_HANDS = Path(__file__).with_name("hard_hands.txt")
PACK = [Card(rank, suit) for rank in RANKS for suit in SUITS]
HANDS, HELD, REPEATS = 10_000, 14, 3


def main(*, tiny: bool = False) -> None:
    variant = load("european")
    first = timed("QH 7H 8H 9H 7S 7D 2C 3C 9D KS 5S 6S * *", variant)
    print(f"the first question of all takes {first / 1000:.2f} ms\n")
    count, median = 20 if tiny else HANDS, 0.0
    print(f"{count} random hands of {HELD} cards of two packs a row; microseconds of the processor")
    for jokers in (0, 1, 2, 4):
        chance = random.Random(jokers)
        hands = [write([*chance.sample(PACK * 2, HELD - jokers), *[JOKER] * jokers]) for _ in range(count)]
        gc.collect()
        gc.freeze()
        times = sorted(timed(hand, variant) for hand in hands)
        median = times[len(times) // 2]
        print(f"jokers {jokers}: median {median:.1f}, 99 of 100 within {times[len(times) * 99 // 100]:.1f}")
    hardest(replace(variant, jokers=4), median)


def hardest(rules: Variant, usual: float) -> None:
    """The hardest hands, against the median hand with four jokers."""
    hands = HARD_HANDS.read_text(encoding="utf-8").splitlines()
    times = {hand: min(timed(hand, rules) for _ in range(REPEATS)) for hand in hands}
    hand = max(times, key=times.__getitem__)
    print(f"{len(hands)} hard hands: the slowest takes {times[hand] / usual:.0f} medians with four jokers", end=" ")
    print(f"(goal: at most 400)\n  {times[hand] / 1000:.1f} ms: {write(parse(hand))}")


def timed(cards: str, rules: Variant) -> float:
    """Microseconds."""
    asked = Problem(parse(cards), "least_points")
    start = process_time_ns()
    solve(asked, rules)
    return (process_time_ns() - start) / 1000
