"""A search for hands that are hard for the solver, by hill climbing on what it looks at; it keeps the hardest.

`python3 -m tests.bench climb 40` climbs from forty hands and writes `tests/bench/hard_hands.txt`, with what is there
already.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from app.kalooki.cards import JOKER, Card, parse, write
from app.kalooki.solver.solve import Asked, solve
from app.kalooki.variants import load
from tests.bench.solver import HARD_HANDS, HELD, PACK

KEPT, PATIENCE = 12, 200
JOKER_COUNTS = (0, 1, 2, 3, 4)
RULES = replace(load("european"), jokers=4)


def main(starts: int = 40, *, tiny: bool = False) -> None:
    found = {tuple(sorted(parse(line))) for line in HARD_HANDS.read_text(encoding="utf-8").splitlines()}
    patience = 3 if tiny else PATIENCE
    for start in range(1 if tiny else starts):
        found.add(climb(random.Random(start), JOKER_COUNTS[start % len(JOKER_COUNTS)], patience))
    hardest = sorted(found, key=looked_at, reverse=True)[:KEPT]
    if not tiny:
        HARD_HANDS.write_text("".join(f"{write(hand)}\n" for hand in hardest), encoding="utf-8")
    print(f"the hardest of {len(found)} hands: {looked_at(hardest[0])} steps: {write(hardest[0])}")


def climb(chance: random.Random, jokers: int, patience: int) -> tuple[Card, ...]:
    """From a random hand, one card changed at a time, as long as that makes it no easier."""
    hand = [*chance.sample(PACK * 2, HELD - jokers), *[JOKER] * jokers]
    hardest, tries = looked_at(hand), 0
    while tries < patience:
        tries += 1
        other = list(hand)
        other[chance.randrange(HELD - jokers)] = chance.choice(PACK)
        steps = looked_at(other) if max(Counter(other[: HELD - jokers]).values()) <= RULES.packs else 0
        if steps >= hardest:
            tries = tries if steps == hardest else 0
            hand, hardest = other, steps
    return tuple(sorted(hand))


def looked_at(hand: list[Card] | tuple[Card, ...]) -> int:
    return solve(Asked(tuple(hand), "least_points"), RULES).looked_at
