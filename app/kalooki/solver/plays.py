"""The melds that can be laid from a hand, indexed by their dearest card and cached.

A *core* is the naturals of a meld. It needs some jokers, for its gaps and to be long enough, and has room for more:
`7H 9H` needs one and has room for eleven more. The runs of a suit depend only on the ranks held in it, and the sets of
a rank only on its copies held, so both are computed once and cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, product
from typing import Any, NamedTuple

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.referee.melds import JOKER_AS, PLACE_OF, RANK_AT, TOP, Meld, place_points, points
from app.kalooki.solver.holding import JOKER_UNIT, JOKERS, Fields
from app.kalooki.variants import SET_LEAST, Variant

MAX_CACHED = 160_000
"""The most list entries cached for one variant (some 30 MB), after which the cache is cleared.

That is enough for ten thousand hands of fourteen cards with any number of jokers.
"""
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


class Option(NamedTuple):
    """One move of the search, with the fewest jokers.

    `take` is what it takes from a hand: naturals, `jokers`, and whatever it uses up. `room` is how many more jokers
    fit. `cost` is what its naturals would cost if left, and `rate` that cost per joker, rounded up. `core` identifies
    the move for the caller of the search.
    """

    take: int
    room: int
    cost: int
    jokers: int
    rate: int
    core: Any


class Group(NamedTuple):
    """The options of one suit or rank.

    `at` has all options by the highest bit of their dearest card, `plain` likewise those without a joker. `bare` lists
    the options without a joker, and `wild` those with jokers and naturals, the highest rate first. `free` has the
    fields of all cards that occur in `bare`.
    """

    at: Mapping[int, Sequence[Option]]
    plain: Mapping[int, Sequence[Option]]
    bare: Sequence[Option]
    wild: Sequence[Option]
    free: int


class Plays:
    """All melds of one variant, with caches; `cost` is what each card costs if it is left."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.cost = {card: worth * POINT_COST + 1 for card, worth in variant.worth_left.items()}
        self.layout = Fields(variant, self.cost)
        self.cost_at = {top: self.cost[card] for top, card in self.layout.card_at.items()}
        places = {rank: place_points(PLACE_OF[rank], variant) for rank in RANKS}
        aces = max(variant.high_ace_points, variant.low_ace_points, variant.set_ace_points)
        self.most_worth = places | {"A": aces}
        layout = self.layout
        self.constants = layout.counts, layout.guards, layout.field_at, layout.shift_at, self.cost_at
        self.points_to = [0, *accumulate(place_points(place, variant) for place in range(1, TOP + 1))]
        long = variant.runs_of_one_suit == "one" or variant.run_naturals > 1 or variant.melds_a_turn is not None
        self.most_span = min(variant.run_most, TOP - 1 if long else 2 * variant.run_least - 1)
        self._clear_caches()

    def groups(self, packed: int, jokers: int) -> tuple[list[Group], list[Group]]:
        """Return the options of each suit (runs) and of each rank (sets) in a hand with `jokers` jokers."""
        if self.cached_count > MAX_CACHED:
            self._clear_caches()
        layout, suits, ranks = self.layout, self._suits[jokers], self._ranks[jokers]
        present = layout.present(packed)
        runs, sets = [], []
        for suit, mask in layout.suits.items():
            group = suits.get(present & mask)
            if group is None:
                group = self._of_suit(present & mask, suit, jokers)
            if group.at:
                runs.append(group)
        for mask in layout.ranks_with(packed, max(1, SET_LEAST - jokers)):
            group = ranks.get(packed & mask)
            if group is None:
                group = self._of_rank(packed & mask, jokers)
            if group.at:
                sets.append(group)
        return runs, sets

    def cost_of(self, hand: int) -> int:
        """Return what the naturals of a hand cost if they are left."""
        return sum(map(self.cost.__getitem__, self.layout.cards_of(hand)))

    def worth_of(self, cards: Sequence[Card]) -> tuple[int, int]:
        """Return the most points that the naturals could count in melds, and their number."""
        return sum(self.most_worth[card.rank] for card in cards), len(cards)

    def _of_suit(self, present: int, suit: str, jokers: int) -> Group:
        places = [PLACE_OF[rank] for rank in RANKS if present & self.layout.unit[Card(rank, suit)]]
        group = self._suits[jokers][present] = self._group(run_cores(places, suit, jokers, self), ("run", suit), jokers)
        return group

    def _of_rank(self, hand: int, jokers: int) -> Group:
        cards = self.layout.cards_of(hand)
        rank = cards[0].rank
        copies = [cards.count(Card(rank, suit)) for suit in SUITS]
        cores = set_cores(copies, rank, jokers, self.variant)
        group = self._ranks[jokers][hand] = self._group(cores, ("set", rank), jokers)
        return group

    def _clear_caches(self) -> None:
        """Clear the caches: the options of suits and of ranks, by the number of jokers, and the melds."""
        self.melds: dict[tuple[Core, int], Meld] = {}
        self._suits: list[dict[int, Group]] = [{} for _ in range(JOKERS + 1)]
        self._ranks: list[dict[int, Group]] = [{} for _ in range(JOKERS + 1)]
        self.cached_count = 0

    def _group(self, cores: Iterable[tuple[Core, int, int]], only_one: tuple[str, str], jokers: int) -> Group:
        used = self.layout.once.get(only_one, 0) + self.layout.new_meld
        options = [
            self.option(naturals(core), needed, min(room, jokers - needed), core, used) for core, needed, room in cores
        ]
        self.cached_count += 1 + len(options)
        return self.group_of(options)

    def option(self, cards: Sequence[Card], jokers: int, room: int, core: object, used: int = 0) -> Option:
        """Return one move with some naturals and jokers."""
        take = sum(map(self.layout.unit.__getitem__, cards)) + jokers * JOKER_UNIT + used
        cost = sum(map(self.cost.__getitem__, cards))
        return Option(take, room, cost, jokers, cost if jokers < 2 else -(-cost // jokers), core)

    def group_of(self, options: Iterable[Option]) -> Group:
        """Return the options as a group, sorted by falling cost, then by the number of jokers."""
        at: dict[int, list[Option]] = {}
        plain: dict[int, list[Option]] = {}
        bare, wild, free = [], [], 0
        for option in sorted(options, key=lambda option: (-option.cost, option.jokers)):
            cards = self.layout.present(option.take)
            at.setdefault(cards.bit_length(), []).append(option)
            if not option.jokers:
                bare.append(option)
                plain.setdefault(cards.bit_length(), []).append(option)
                free |= cards
            elif cards:
                wild.append(option)
        wild.sort(key=lambda option: -option.rate)
        return Group(self._by_bit(at), self._by_bit(plain), tuple(bare), tuple(wild), free * self.layout.copies)

    def _by_bit(self, by_card: Mapping[int, Sequence[Option]]) -> Mapping[int, Sequence[Option]]:
        fixed = {top: tuple(options) for top, options in by_card.items()}
        return {top + more: options for top, options in fixed.items() for more in self.layout.more_bits}


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
    meld = plays.melds.get((core, jokers))
    if not meld:
        meld = plays.melds[core, jokers] = _make_meld(core, jokers, plays)
        plays.cached_count += 2  # a meld takes as much memory as two list entries
    return meld


def _make_meld(core: Core, jokers: int, plays: Plays) -> Meld:
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
