"""The moves of a turn: every meld that a hand could lay, every build, and every exchange for a joker on the table.

A hand is one integer, so that a single subtraction finds a meld in it and removes the meld. Each kind of card has a
field of a few bits that counts its copies, below a guard bit that is always set. A meld is the sum of its cards' units.
If all guards are still set in `held - meld`, the meld was in the hand, and the difference is the hand without it. If a
copy was missing, its field has borrowed from the guard.

    field of the 7H (two packs)    guard 1 | count 10      two are held
    minus a meld with one 7H       guard 1 | count 01      one is left
    minus a meld with three of it  guard 0 | count 11      borrowed: not in the hand

The dearest cards, those that cost most if left, have the highest fields, so `bit_length` finds the dearest card still
held. The lowest fields count the jokers and everything else that can be used up: one meld of each suit or rank if a
player may lay only one, the new melds of a turn, and one build on each meld on the table.

A *core* is the naturals of a meld. It needs some jokers, for its gaps and to be long enough, and has room for more:
`7H 9H` needs one and has room for eleven more.

A freed joker is one more joker to lay. Since jokers may be freed only after the opening, an opening turn distinguishes
moves before that (they count towards the opening and use only the hand's own jokers) from moves after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, combinations, product
from typing import NamedTuple

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.referee.building import UNBUILT, Built, Ends, Freed, judge_exchange, may_build
from app.kalooki.referee.melds import (
    JOKER_AS,
    PLACE_OF,
    RANK_AT,
    TOP,
    Meld,
    face,
    place_points,
    points,
    readings,
)
from app.kalooki.variants import SET_LEAST, Variant

# ---- A hand as one number

MOST_TABLE = 12
"""The most melds on the table, each of which has a field."""

_JOKER_BITS = 5
JOKER_UNIT = 1
JOKERS = (1 << _JOKER_BITS) - 1
OWN_JOKER_UNIT = 1 << (_JOKER_BITS + 1)
"""The unit of the hand's own jokers; only these can be part of the opening, because others are freed after it."""
SPARE = 1 << 2 * (_JOKER_BITS + 1)
"""A bit that is set while the card to throw is not chosen yet."""
_FIRST_LIMIT = 2 * (_JOKER_BITS + 1) + 1
_LIMIT_BITS = 4
_KINDS = [Card(rank, suit) for rank in RANKS[::-1] for suit in SUITS[::-1]]


class Fields:
    """The layout of the fields for one variant.

    By card, `unit` has the lowest bit of its field and `field` all bits of its count. `once` has the unit of each thing
    that can be used once, and `new_meld` the unit of new melds in a turn (0 if they are unlimited). By the position of
    the highest set bit of a count, `card_at`, `field_at` and `shift_at` have the card, its field and its shift.
    `counts` has the bits of all counts and `guards` all guards; `empty` is a hand without cards.
    """

    def __init__(self, variant: Variant, cost: dict[Card, int]) -> None:
        width = variant.packs.bit_length() + 1
        names: list[tuple[str, object]] = [("table", number) for number in range(MOST_TABLE)]
        names += [("run", suit) for suit in SUITS] if variant.runs_of_one_suit == "one" else []
        names += [("set", rank) for rank in RANKS] if variant.sets_of_one_rank == "one" else []
        self.once = {name: 1 << (_FIRST_LIMIT + 2 * number) for number, name in enumerate(names)}
        first = _FIRST_LIMIT + 2 * len(names)
        limit = variant.melds_a_turn
        self.new_meld = 0 if limit is None else 1 << first
        first += 0 if limit is None else _LIMIT_BITS + 1
        cheapest_first = sorted(_KINDS, key=cost.__getitem__)
        shift = {card: first + width * number for number, card in enumerate(cheapest_first)}
        self.unit = {card: 1 << place for card, place in shift.items()} | {JOKER: JOKER_UNIT}
        copies = (1 << (width - 1)) - 1
        self.field = {card: copies << place for card, place in shift.items()}
        self.counts = sum(self.field.values())
        guarded = [1 << (place + width - 1) for place in shift.values()] + [unit << 1 for unit in self.once.values()]
        self.guards = sum(guarded) + ((JOKER_UNIT + OWN_JOKER_UNIT) << _JOKER_BITS) + (self.new_meld << _LIMIT_BITS)
        self.empty = self.guards + sum(self.once.values()) + (limit or 0) * self.new_meld
        self.more_bits = range(width - 1)
        bits = {card: [place + more + 1 for more in self.more_bits] for card, place in shift.items()}
        self.card_at = {top: card for card in _KINDS for top in bits[card]}
        self.field_at = {top: self.field[card] for top, card in self.card_at.items()}
        self.shift_at = {top: shift[card] for top, card in self.card_at.items()}

    def sum_of(self, cards: Iterable[Card]) -> int:
        """Return the integer for a hand; its cards must be undeclared and fit in the packs."""
        return self.empty + sum(map(self.unit.__getitem__, cards))

    def place_of(self, hand: int) -> int:
        """Return the position of the lowest bit that counts the dearest card, 0 if there are no naturals."""
        top = (hand & self.counts).bit_length()
        return self.shift_at[top] + 1 if top else 0

    def cards_of(self, hand: int) -> list[Card]:
        """Return the naturals of a hand, dearest first."""
        cards: list[Card] = []
        counts = hand & self.counts
        while counts:
            top = counts.bit_length()
            cards += [self.card_at[top]] * (counts >> self.shift_at[top])
            counts &= ~self.field_at[top]
        return cards


# ---- New melds

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
        ranks = {card.rank for card in hand}
        for rank in filter(ranks.__contains__, RANKS):
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


# ---- Builds and exchanges

Part = tuple[tuple[Card, ...], str | None]
"""The cards built in one step, and the end of a run ("low" or "high") they are built on."""


class Growth(NamedTuple):
    """One way to build on a meld: the naturals and number of jokers it takes, the steps, and the meld after it."""

    naturals: tuple[Card, ...]
    jokers: int
    parts: tuple[Part, ...]
    after: Meld
    ends: Ends = UNBUILT


def growths(meld: Meld, hand: Counter[Card], jokers: int, variant: Variant, built: Ends = UNBUILT) -> Iterator[Growth]:
    """Yield every way to build on a meld with naturals of the hand and up to `jokers` jokers.

    `built` counts the cards that this turn has built on its ends already.
    """
    if meld.kind == "set":
        return _set_growths(meld, hand, jokers, variant)
    return _run_growths(meld, hand, jokers, variant, built)


def _set_growths(meld: Meld, hand: Counter[Card], jokers: int, variant: Variant) -> Iterator[Growth]:
    different = variant.set_suits == "different"
    faces = [face(card) for card in meld.cards if card != JOKER]
    kinds = [Card(faces[0].rank, suit) for suit in SUITS]
    counts = [(min(1, hand[card]) if card not in faces else 0) if different else hand[card] for card in kinds]
    for added in product(*[range(count + 1) for count in counts]):
        room = variant.set_limit - len(meld.cards) - sum(added)
        naturals = tuple(card for card, count in zip(kinds, added, strict=True) for _ in range(count))
        for more in range(0 if naturals else 1, min(room, jokers) + 1):
            cards = (*naturals, *[JOKER] * more)
            yield Growth(naturals, more, ((cards, None),), Meld("set", (*meld.cards, *cards)))


def _run_growths(run: Meld, hand: Counter[Card], jokers: int, variant: Variant, built: Ends) -> Iterator[Growth]:
    suit = face(run.cards[0]).suit
    stood_for = [face(joker) for joker in run.jokers if hand[face(joker)]] if variant.joker_from_run == "moves" else []
    longest = min(variant.run_most, TOP - 1)
    for low, high in product(range(run.low, variant.bottom - 1, -1), range(run.high, TOP + 1)):
        places = [*range(low, run.low), *range(run.high + 1, high + 1)]
        if not places or high - low >= longest:
            continue
        own = [place for place in places if hand[Card(RANK_AT[place], suit)]]
        for moved in _subsets(stood_for):
            least = max(0, len(places) - jokers - len(moved))
            for count in range(least, min(len(own), len(places) - len(moved)) + 1):
                for chosen in combinations(own, count):
                    growth = _run_growth(run, (low, high), chosen, moved)
                    if may_build(Built(run, growth.after, growth.ends), variant, built):
                        yield growth


def _run_growth(run: Meld, window: tuple[int, int], chosen: Collection[int], moved: Sequence[Card]) -> Growth:
    low, high = window
    suit = face(run.cards[0]).suit

    def at(place: int) -> Card:
        return Card(RANK_AT[place], suit) if place in chosen else JOKER_AS[place, suit]

    below = tuple(map(at, range(low, run.low)))
    above = tuple(map(at, range(run.high + 1, high + 1)))
    present = tuple(face(card) if face(card) in moved else card for card in run.cards)
    naturals = (*moved, *[card for card in (*below, *above) if not card.is_joker])
    jokers = len(below) + len(above) - len(naturals)
    if moved:
        parts: tuple[Part, ...] = (((*naturals, *[JOKER] * jokers), None),)
    else:
        parts = tuple((cards, end) for cards, end in ((above, "high"), (below, "low")) if cards)
    return Growth(naturals, jokers, parts, Meld("run", (*below, *present, *above)), Ends(len(below), len(above)))


def _subsets(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Return every subset of the cards, the smallest first."""
    return chain.from_iterable(combinations(cards, count) for count in range(len(cards) + 1))


def freeings(meld: Meld, hand: Counter[Card], variant: Variant) -> Iterator[Freed]:
    """Yield every way to take jokers out of a meld in exchange for naturals of the hand."""
    faces = [face(card) for card in meld.cards if card != JOKER]
    wanted = [Card(faces[0].rank, suit) for suit in SUITS] if meld.kind == "set" else map(face, meld.jokers)
    for give in _subsets([card for card in wanted if hand[card]] if meld.jokers else []):
        ways, _ = judge_exchange([meld], give, variant)
        yield from (way for way in ways if way.released)


# ---- The moves of a hand with a table

MOST_STEPS = 200_000
"""The most hands, including remainders of the first, that a search looks at before it gives up."""


@dataclass(slots=True)
class Steps:
    """The number of hands that the searches for one question may still look at."""

    left: int = MOST_STEPS

    def take(self, count: int) -> None:
        """Use up some steps; raises TimeoutError if there are not enough left."""
        self.left -= count
        if self.left < 0:
            raise TimeoutError


class Move(NamedTuple):
    """One move: what it takes from the hand, and its points.

    `worth` is the most points its naturals could count, `size` their number. `kind` is "set" or "run" for a new meld,
    "" for a build and for a meld laid too late to open. `part` is what it lays. `wanted` says whether it lays the
    card that must be in a new meld.
    """

    take: int
    points: int
    worth: int
    size: int
    kind: str
    part: FreshMeld | OnMeld
    wanted: bool


STEPS_PER_MOVE = 4
"""How many steps of the search limit it costs to compute one move."""


class Deal(NamedTuple):
    """A hand and a table after naturals were exchanged for jokers.

    `hand` includes the jokers that were freed, `freed` is their number. `melds` has the readings of each meld on the
    table, with the exchange made.
    """

    hand: Counter[Card]
    freed: int
    melds: tuple[tuple[Freed, ...], ...]

    @property
    def own(self) -> int:
        """The number of jokers that were in the hand before."""
        return self.hand[JOKER] - self.freed


class FreshMeld(NamedTuple):
    """A new meld, whether it is part of the opening, and what is built on it later in the turn."""

    meld: Meld
    opens: bool
    growth: Growth | None = None


class OnMeld(NamedTuple):
    """What is built on a meld on the table before jokers are freed, and after."""

    on: int
    before: Growth | None
    after: Growth | None


def exchange_points(deal: Deal, plays: Plays) -> int:
    """Return the points that the exchanges of jokers add to the melds on the table."""
    variant = plays.variant
    return sum(
        max(points(swap.after, variant) - points(swap.before, variant) for swap in swaps) for swaps in deal.melds
    )


@dataclass
class Offers:
    """All moves of a hand in a turn, computed once for all its deals; the search skips those a deal cannot make.

    In a `first_turn`, in which the player has not opened, moves that open are separate. `counts` says whether builds
    count towards the opening or, later, at all. `wanted` is a card that must be in a new meld.
    """

    hand: Counter[Card]
    first_turn: bool
    counts: bool
    wanted: Card | None
    plays: Plays
    steps: Steps
    _move_cache: dict[object, list[Move]] = field(default_factory=dict)

    def deals(self, table: Sequence[Sequence[Card]], frees: bool) -> Iterator[Deal]:
        """Yield the deal of every choice of jokers to free on the table, first the one that frees none."""
        return self._deals(Deal(self.hand, 0, ()), [readings(cards, self.plays.variant) for cards in table], frees)

    def _deals(self, deal: Deal, read: Sequence[Sequence[Meld]], frees: bool) -> Iterator[Deal]:
        if len(deal.melds) == len(read):
            yield deal
            return
        self.steps.take(STEPS_PER_MOVE)
        # all exchanges with one meld by the naturals given for its jokers, one for each reading; none given first
        melds = read[len(deal.melds)]
        exchanges: dict[tuple[Card, ...], tuple[Freed, ...]] = {(): tuple(Freed((), meld, meld, 0) for meld in melds)}
        for swap in (each for meld in melds if frees for each in freeings(meld, deal.hand, self.plays.variant)):
            exchanges[swap.give] = (*exchanges.get(swap.give, ()), swap)
        for give, swaps in exchanges.items():
            after = deal.hand - Counter(give)
            after[JOKER] += swaps[0].released
            freed = deal.freed + swaps[0].released
            yield from self._deals(Deal(after, freed, (*deal.melds, swaps)), read, frees)

    def moves(self, deal: Deal) -> list[Move]:
        """Return all moves, a separate one for each number of jokers."""
        jokers, apart = deal.hand[JOKER], self.first_turn and deal.freed > 0
        moves = list(self._cache_moves((jokers, apart), self._new_melds(jokers, apart)))
        for on, swaps in enumerate(deal.melds):
            key = on, swaps[0].give, jokers, apart
            moves += self._cache_moves(key, (move for swap in swaps for move in self._on_meld(on, swap, jokers, apart)))
        return moves

    def _cache_moves(self, key: object, moves: Iterator[Move]) -> list[Move]:
        """Return the moves, cached by `key`; of moves that take the same cards, only the one with the most points."""
        if key not in self._move_cache:
            fresh = []
            for move in moves:
                self.steps.take(STEPS_PER_MOVE)
                fresh.append(move)
            fresh.sort(key=lambda move: move.points)
            self._move_cache[key] = list({(move.take, move.kind, move.wanted): move for move in fresh}.values())
        return self._move_cache[key]

    def _new_melds(self, jokers: int, apart: bool) -> Iterator[Move]:
        """Yield every new meld with every number of jokers; if `apart`, also those laid too late to open."""
        once, new_meld = self.plays.layout.once, self.plays.layout.new_meld
        for core, needed, room in self.plays.cores(self.hand, jokers):
            kind, name = ("run", core.suit) if isinstance(core, RunCore) else ("set", core.rank)
            used = once.get((kind, name), 0) + new_meld
            for count in range(needed, min(needed + room, jokers) + 1):
                yield from self._as_moves(core, kind, count, used, apart)
                if apart:
                    yield from self._grow(core, kind, count, used, jokers)

    def _as_moves(self, core: Core, kind: str, count: int, used: int, apart: bool) -> Iterator[Move]:
        cards = naturals(core)
        take = self.plays.take(cards, count, used)
        lays = count > 0 if self.wanted == JOKER else self.wanted in cards
        meld = meld_of(core, count, self.plays)
        worth = points_of(core, count, self.plays), *self.plays.worth_of(cards)
        if not apart or count <= self.hand[JOKER]:
            yield Move(take + count * OWN_JOKER_UNIT, *worth, kind, FreshMeld(meld, opens=True), lays)
        if apart and count:
            yield Move(take, 0, *worth[1:], "", FreshMeld(meld, opens=False), lays)

    def _grow(self, core: Core, kind: str, count: int, used: int, jokers: int) -> Iterator[Move]:
        """Yield melds that open and on which jokers freed afterwards are built."""
        plays = self.plays
        cards = naturals(core)
        hand = self.hand - Counter(cards)
        for meld in readings([*cards, *[JOKER] * count], plays.variant):
            for growth in growths(meld, hand, jokers - count, plays.variant) if meld.kind == kind else ():
                if growth.jokers:
                    natural_cards = [*cards, *growth.naturals]
                    lays = count > 0 if self.wanted == JOKER else self.wanted in cards
                    take = plays.take(natural_cards, count + growth.jokers, used) + count * OWN_JOKER_UNIT
                    worth = points(meld, plays.variant), *plays.worth_of(natural_cards)
                    yield Move(take, *worth, kind, FreshMeld(meld, True, growth), lays)

    def _on_meld(self, on: int, swap: Freed, jokers: int, apart: bool) -> Iterator[Move]:
        """Yield every move that builds on one meld, before its jokers are freed, after that, or both."""
        variant = self.plays.variant
        for growth in growths(swap.after, self.hand, jokers, variant):
            if apart or not self.counts:
                yield self._build_move(on, None, growth, 0)
            else:
                yield self._build_move(on, growth, None, points(growth.after, variant) - points(swap.after, variant))
        for first in growths(swap.before, self.hand, self.hand[JOKER], variant) if apart and self.counts else ():
            gain = points(first.after, variant) - points(swap.before, variant)
            hand = self.hand - Counter(first.naturals)
            for meld in _free_jokers(first.after, swap, variant):
                yield self._build_move(on, first, None, gain)
                ends = first.ends if meld.kind == "run" else UNBUILT
                for growth in growths(meld, hand, jokers - first.jokers, variant, ends):
                    yield self._build_move(on, first, growth, gain)

    def _build_move(self, on: int, before: Growth | None, after: Growth | None, gain: int) -> Move:
        parts = [growth for growth in (before, after) if growth]
        cards = [card for growth in parts for card in growth.naturals]
        take = self.plays.take(cards, sum(growth.jokers for growth in parts), self.plays.layout.once["table", on])
        own = before.jokers * OWN_JOKER_UNIT if before else 0
        return Move(take + own, gain, *self.plays.worth_of(cards), "", OnMeld(on, before, after), False)


def _free_jokers(meld: Meld, swap: Freed, variant: Variant) -> list[Meld]:
    """Return the readings of a built-on meld after an exchange of its jokers, empty if that is no longer legal."""
    if not swap.give:
        return [meld]
    ways = freeings(meld, Counter(swap.give), variant)
    return [way.after for way in ways if (way.give, way.released) == (swap.give, swap.released)]
