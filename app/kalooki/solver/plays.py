"""The melds that can be laid from a hand.

A *core* is the naturals of a meld. It needs some jokers, for its gaps and to be long enough, and has room for more:
`7H 9H` needs one and has room for eleven more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, product
from typing import NamedTuple

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.referee.melds import JOKER_AS, PLACE_OF, RANK_AT, TOP, Meld, place_points, points
from app.kalooki.solver.holding import JOKER_UNIT, Fields
from app.kalooki.variants import SET_LEAST, Variant

POINT_COST = 32
"""The cost of one point left. Each card left costs 1 more, and a hand has at most 22, so points come before cards."""


class RunCore(NamedTuple):
    """The naturals of a run: those from place `first` to `last` whose bit is set in `places`."""

    suit: str
    first: int
    last: int
    places: int


class SetCore(NamedTuple):
    """The naturals of a set, as their suits."""

    rank: str
    suits: tuple[str, ...]


Core = RunCore | SetCore


class Plays:
    """What a variant makes of cards in melds; `cost` is what each card costs if it is left."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.cost = {card: worth * POINT_COST + 1 for card, worth in variant.worth_left.items()}
        self.layout = Fields(variant, self.cost)
        self.cost_at = {top: self.cost[card] for top, card in self.layout.card_at.items()}
        places = {rank: place_points(PLACE_OF[rank], variant) for rank in RANKS}
        aces = max(variant.high_ace_points, variant.low_ace_points, variant.set_ace_points)
        self.most_worth = places | {"A": aces}
        self.points_to = [0, *accumulate(place_points(place, variant) for place in range(1, TOP + 1))]
        long = variant.runs_of_one_suit == "one" or variant.run_naturals > 1 or variant.melds_a_turn is not None
        self.most_span = min(variant.run_most, TOP - 1 if long else 2 * variant.run_least - 1)

    def cores(self, hand: Counter[Card], jokers: int) -> Iterator[tuple[Core, int, int]]:
        """Yield every core in a hand, with the jokers it needs and the room for more."""
        for suit in SUITS:
            yield from run_cores([PLACE_OF[rank] for rank in RANKS if hand[Card(rank, suit)]], suit, jokers, self)
        for rank in RANKS:
            yield from set_cores([hand[Card(rank, suit)] for suit in SUITS], rank, jokers, self.variant)

    def take(self, cards: Iterable[Card], jokers: int, used: int) -> int:
        """Return what a move with these naturals and jokers takes from a hand; `used` is what else it uses up."""
        return sum(map(self.layout.unit.__getitem__, cards)) + jokers * JOKER_UNIT + used

    def worth_of(self, cards: Sequence[Card]) -> tuple[int, int]:
        """Return the most points that the naturals could count in melds, and their number."""
        return sum(self.most_worth[card.rank] for card in cards), len(cards)


def naturals(core: Core) -> list[Card]:
    """Return the cards of a core."""
    if isinstance(core, SetCore):
        return [Card(core.rank, suit) for suit in core.suits]
    return [Card(RANK_AT[place], core.suit) for place in range(core.first, core.last + 1) if core.places >> place & 1]


def run_cores(places: Sequence[int], suit: str, jokers: int, plays: Plays) -> Iterator[tuple[RunCore, int, int]]:
    """Yield every core of a run from naturals at these places, with the jokers it needs and the room for more.

    Long runs that could be laid as two shorter ones are left out.
    """
    variant = plays.variant
    places = sorted([1, *places] if TOP in places and variant.ace == "both" else places)
    for first in places:
        for last, gaps, mask in _cores_from(first, places, jokers, plays):
            size = last - first + 1
            short = max(0, variant.run_least - size)
            room = min(sum(room_beside(first, last, variant)), variant.run_most - size) - short
            if mask.bit_count() >= variant.run_naturals and room >= 0 and gaps + short <= jokers:
                yield RunCore(suit, first, last, mask), gaps + short, room


def _cores_from(first: int, places: Sequence[int], jokers: int, plays: Plays) -> Iterator[tuple[int, int, int]]:
    """Yield the cores that begin at one place as (last place, number of gaps, bit mask of naturals)."""
    most_gap = jokers if plays.variant.jokers_together else 1
    ends = [(first, 0, 1 << first)]
    while ends:
        last, gaps, mask = ends.pop()
        yield last, gaps, mask
        for place in places:
            gap = place - last - 1
            if 0 <= gap <= most_gap and gaps + gap <= jokers and place - first < plays.most_span:
                ends.append((place, gaps + gap, mask | 1 << place))


def room_beside(first: int, last: int, variant: Variant) -> tuple[int, int]:
    """Return how many jokers fit below the first place of a run, and how many above its last."""
    below, above = first - variant.bottom, TOP - last
    return (below, above) if variant.jokers_together else (min(below, 1), min(above, 1))


def set_cores(copies: Sequence[int], rank: str, jokers: int, variant: Variant) -> Iterator[tuple[SetCore, int, int]]:
    """Yield every core of a set from `copies` naturals of each suit, with the jokers it needs and the room for more.

    Large sets that could be laid as two smaller ones are left out.
    """
    most = 1 if variant.set_suits == "different" else max(copies)
    counted = variant.sets_of_one_rank == "one" or variant.melds_a_turn is not None
    largest = sum(copies) if counted else 2 * max(SET_LEAST, variant.set_naturals) - 1
    for used in product(*[range(min(count, most) + 1) for count in copies]):
        size = sum(used)
        short = max(0, SET_LEAST - size)
        room = variant.set_limit - size - short
        if max(1, variant.set_naturals) <= size <= largest and short <= jokers and room >= 0:
            suits = tuple(suit for suit, count in zip(SUITS, used, strict=True) for _ in range(count))
            yield SetCore(rank, suits), short, room


def meld_of(core: Core, jokers: int, plays: Plays) -> Meld:
    """Return the meld of a core with `jokers` jokers; those that fill no gap go where they count most."""
    if isinstance(core, SetCore):
        return Meld("set", (*naturals(core), *[JOKER] * jokers))
    low, high = ends_with(core, jokers, plays)
    suit, places = core.suit, core.places
    cards = [
        Card(RANK_AT[place], suit) if places >> place & 1 else JOKER_AS[place, suit] for place in range(low, high + 1)
    ]
    return Meld("run", tuple(cards))


def ends_with(core: RunCore, jokers: int, plays: Plays) -> tuple[int, int]:
    """Return the first and last place of the run with `jokers` jokers that has the most points, preferably high."""
    size = core.places.bit_count() + jokers
    below, above = room_beside(core.first, core.last, plays.variant)
    highest = min(core.first, core.last + above - size + 1)
    lowest = max(core.first - below, core.last - size + 1)
    worth = plays.points_to
    low = max(range(highest, lowest - 1, -1), key=lambda place: worth[place - 1 + size] - worth[place - 1])
    return low, low + size - 1


def points_of(core: Core, jokers: int, plays: Plays) -> int:
    """Return the points of the meld of a core with `jokers` jokers."""
    if isinstance(core, SetCore) or plays.variant.joker_points is not None:
        return points(meld_of(core, jokers, plays), plays.variant)
    low, high = ends_with(core, jokers, plays)
    return plays.points_to[high] - plays.points_to[low - 1]
