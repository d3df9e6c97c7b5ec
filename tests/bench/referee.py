"""The worst claim against the median, of every check of every variant."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.claims import check
from app.kalooki.variants import all_variants

CLAIMS = 4_000
PACK = [Card(rank, suit) for suit in SUITS for rank in RANKS]


def main(*, tiny: bool = False) -> None:
    """Claims of up to 13 cards, four jokers among them, each timed alone."""
    chance, claims = random.Random(40), 40 if tiny else CLAIMS
    gc.collect()
    gc.disable()
    timed = [(alone(call), kind) for kind, call in (big_claim(chance) for _ in range(claims))]
    usual = median(time for time, _ in timed)
    slowest, kind = max(timed)
    print(f"worst of {claims} claims of up to 13 cards: {slowest / usual:.0f} medians (goal: under 200)")
    print(f"the worst was a {kind} check, {slowest / 1e6:.2f} ms; the median {usual / 1e6:.2f} ms")


def alone(call: Callable[[], object]) -> int:
    """The nanoseconds of the quickest of some calls."""
    times = []
    for _ in range(5):
        start = perf_counter_ns()
        call()
        times.append(perf_counter_ns() - start)
    return min(times)


def big_claim(chance: random.Random) -> tuple[str, Callable[[], object]]:
    """One claim with its kind: cards of one suit, of one rank or of the pack, with as many jokers as hurt most."""
    variant = chance.choice(list(all_variants()))
    suit, rank = chance.choice(SUITS), chance.choice(RANKS)
    pool = chance.choice([[card for card in PACK if card.suit == suit], [c for c in PACK if c.rank == rank], PACK])
    jokers = chance.randint(0, 4)
    cards = chance.sample([chance.choice(pool) for _ in range(13 - jokers)] + [JOKER] * jokers, 13)
    kind = chance.choice(sorted(BODIES))
    body = BODIES[kind]([str(card) for card in cards], chance.randint(1, 12))
    return kind, lambda: check(kind, body, variant)


def a_turn(words: list[str], cut: int) -> dict[str, object]:
    """A turn that lays some of the cards and builds the rest, card by card, on melds with jokers."""
    built = [{"do": "build", "on": 0, "cards": word} for word in words[cut:12]]
    return {
        "hand": " ".join(words[3:12]),
        "table": [{"cards": " ".join(words[:3]), "owner": 1}],
        "steps": [
            {"do": "draw", "from": "discard", "card": words[12]},
            {"do": "meld", "cards": " ".join(words[3:cut])},
            *built,
            {"do": "discard", "card": words[12]},
        ],
    }


BODIES: dict[str, Callable[[list[str], int], dict[str, object]]] = {
    "meld": lambda words, cut: {"cards": " ".join(words[: cut + 1])},
    "opening": lambda words, cut: {"melds": [" ".join(words[at : at + 3]) for at in range(0, cut, 3)]},
    "build": lambda words, cut: {"on": " ".join(words[:cut]), "cards": " ".join(words[cut:])},
    "joker": lambda words, cut: {"on": " ".join(words[:cut]), "give": " ".join(words[cut:])},
    "turn": a_turn,
}
