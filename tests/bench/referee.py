"""A full verdict on some cards against the melding of a ten-card gin hand, and the worst claim against the median.

The peer is RLCard.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from statistics import median
from time import perf_counter_ns

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.claims import check
from app.kalooki.referee.melds import check_meld, readings
from app.kalooki.variants import all_variants, load

GROUPS = 20_000
ROUNDS = 5
WORST_CLAIMS = 4_000
PACK = [Card(rank, suit) for suit in SUITS for rank in RANKS]


def main(*, tiny: bool = False) -> None:
    chance = random.Random(40)
    variant = load("european")
    groups = [some_group(chance, number % 2 == 0) for number in range(100 if tiny else GROUPS)]
    legal = sum(bool(readings(group, variant)) for group in groups)
    print(f"{len(groups)} groups of 3 to 6 cards, {legal} of them melds")
    against_the_peer(groups, chance)
    worst_against_median(chance, 40 if tiny else WORST_CLAIMS)


def some_group(chance: random.Random, meld: bool) -> tuple[Card, ...]:
    """A legal meld with up to two jokers, or cards that are none (checked by the caller's count)."""
    variant = load("european")
    while True:
        group = some_meld(chance) if meld else some_near_miss(chance)
        if bool(readings(group, variant)) is meld:
            return group


def some_meld(chance: random.Random) -> tuple[Card, ...]:
    size = chance.randint(3, 6)
    suit = chance.choice(SUITS)
    order = [*RANKS[1:], "A"]
    start = chance.randint(0, len(order) - size)
    cards = [Card(rank, suit) for rank in order[start : start + size]]
    if size < 5 and chance.random() < 0.5:
        rank = chance.choice(RANKS)
        cards = [Card(rank, suit) for suit in chance.sample(SUITS, size)]
    for place in chance.sample(range(size), chance.choice((0, 0, 1, 2))):
        cards[place] = JOKER
    return tuple(chance.sample(cards, size))


def some_near_miss(chance: random.Random) -> tuple[Card, ...]:
    cards = list(some_meld(chance))
    cards[chance.randrange(len(cards))] = chance.choice(PACK)
    return tuple(cards)


def against_the_peer(groups: Sequence[tuple[Card, ...]], chance: random.Random) -> None:
    variant = load("european")
    peer_card = import_module("rlcard.games.base").Card
    melding = import_module("rlcard.games.gin_rummy.utils.melding")
    deck = [peer_card(suit, rank.replace("10", "T")) for suit in SUITS for rank in RANKS]
    hands = [chance.sample(deck, 10) for _ in groups]
    ours, plain, best = fastest(
        (lambda group: check_meld(group, variant), groups),
        (melding.get_meld_clusters, hands),
        (melding.get_best_meld_clusters, hands),
    )
    print(f"a full verdict: {ours / plain:.2f} of the peer's meld clusters of a ten-card hand (goal: at most 3)")
    print(f"a full verdict: {ours / best:.2f} of the peer's best meld clusters of a ten-card hand")
    print(f"here: {ours / 1000:.1f} µs a verdict, {plain / 1000:.1f} and {best / 1000:.1f} µs a gin hand")


Job = tuple[Callable[..., object], Sequence[object]]


def fastest(*jobs: Job) -> list[float]:
    """Nanoseconds for one call of each job: the best of several rounds, the jobs taking turns."""
    gc.collect()
    gc.disable()
    rounds = [[nanoseconds(call, inputs) for call, inputs in jobs] for _ in range(ROUNDS)]
    gc.enable()
    return [min(times) for times in zip(*rounds, strict=True)]


def nanoseconds(call: Callable[..., object], inputs: Sequence[object]) -> float:
    start = perf_counter_ns()
    for item in inputs:
        call(item)
    return (perf_counter_ns() - start) / len(inputs)


def worst_against_median(chance: random.Random, claims: int) -> None:
    """Claims of up to 13 cards, four jokers among them, to every check of every variant, each timed alone."""
    timed = [(alone(call), kind) for kind, call in (big_claim(chance) for _ in range(claims))]
    usual = median(time for time, _ in timed)
    slowest, kind = max(timed)
    print(f"worst of {claims} claims of up to 13 cards: {slowest / usual:.0f} medians (goal: under 200)")
    print(f"the worst was a {kind} check, {slowest / 1e6:.2f} ms; the median {usual / 1e6:.2f} ms")


def alone(call: Callable[[], object]) -> float:
    return min(nanoseconds(lambda _: call(), (None,)) for _ in range(5))


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
