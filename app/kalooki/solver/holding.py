"""A hand as one number, so that one subtraction both looks for a meld in it and takes the meld out.

Every kind of card has a field of a few bits that counts its copies, below a guard bit that is always set. A meld is the
sum of its cards' units. If `held - meld` leaves every guard set, the meld was in the hand and the difference is the
hand without it; a missing copy would have borrowed from a guard.

    field of the 7H (two packs)   guard 1 | count 10       two of them held
    minus a meld with one 7H      guard 1 | count 01       one is left
    minus one with three of them  guard 0 | count 11       borrowed: not in the hand

The dearest cards are on top, so `bit_length` finds the dearest card still held. Below them are the jokers and whatever
else can be used up: one meld of a suit or rank if a player may lay only one, so many new melds in a turn, one play on
each meld on the table.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.variants import Variant

MOST_TABLE = 12
"""Melds on the table that have a field."""

_JOKER_BITS = 5
JOKER_UNIT = 1
JOKERS = (1 << _JOKER_BITS) - 1
OWN_JOKER_UNIT = 1 << (_JOKER_BITS + 1)
"""A joker from the hand laid in what opens; one on the table is freed only after that."""
SPARE = 1 << 2 * (_JOKER_BITS + 1)
"""The card to throw is still to be found."""
_FIRST_LIMIT = 2 * (_JOKER_BITS + 1) + 1
_SUM_BITS = 6
_LIMIT_BITS = 4
_KINDS = [Card(rank, suit) for rank in RANKS for suit in SUITS]


class Fields:
    """The field of each kind of card, and of each thing that can be used up.

    `unit` is one card, `field` all the bits of its count, `once` each thing that can be used up once, `new_meld` one
    of the new melds of a turn where these are counted. A count is known
    by its highest set bit: `card_at`, `field_at`, `shift_at`. `counts` are the bits of all counts of cards, `low` the
    lowest bit of each, `guards` all guards, `no_cards` all bits but those of cards and jokers. `packed` adds to a
    card's unit the sums kept next to it: the cards of each rank, and the cost of all cards.
    """

    def __init__(self, variant: Variant, cost: dict[Card, int]) -> None:
        width = variant.packs.bit_length() + 1
        self.copies = (1 << (width - 1)) - 1
        names: list[tuple[str, object]] = [("table", number) for number in range(MOST_TABLE)]
        names += [("run", suit) for suit in SUITS] if variant.runs_of_one_suit == "one" else []
        names += [("set", rank) for rank in RANKS] if variant.sets_of_one_rank == "one" else []
        self.once = {name: 1 << (_FIRST_LIMIT + 2 * number) for number, name in enumerate(names)}
        first = _FIRST_LIMIT + 2 * len(names)
        limit = variant.melds_a_turn
        self.new_meld = 0 if limit is None else 1 << first
        first += 0 if limit is None else _LIMIT_BITS + 1
        cheapest_first = sorted(_KINDS, key=lambda card: (cost[card], -_KINDS.index(card)))
        shift = {card: first + width * number for number, card in enumerate(cheapest_first)}
        self.unit = {card: 1 << place for card, place in shift.items()}
        self.field = {card: self.copies << place for card, place in shift.items()}
        self.counts, self.low = sum(self.field.values()), sum(self.unit.values())
        guarded = [unit << (width - 1) for unit in self.unit.values()] + [unit << 1 for unit in self.once.values()]
        self.guards = sum(guarded) + ((JOKER_UNIT + OWN_JOKER_UNIT) << _JOKER_BITS) + (self.new_meld << _LIMIT_BITS)
        self.empty = self.guards + sum(self.once.values()) + (limit or 0) * self.new_meld
        self.more_bits = range(width - 1)
        bits = {card: [place + more + 1 for more in self.more_bits] for card, place in shift.items()}
        self.card_at = {top: card for card in _KINDS for top in bits[card]}
        self.field_at = {top: self.field[card] for top, card in self.card_at.items()}
        self.shift_at = {top: shift[card] for top, card in self.card_at.items()}
        self.suits = {suit: sum(self.unit[Card(rank, suit)] for rank in RANKS) for suit in SUITS}
        self.ranks = {rank: sum(self.field[Card(rank, suit)] for suit in SUITS) for rank in RANKS}
        self.no_cards = ~(self.counts | JOKERS)
        self.size = first + width * len(_KINDS)
        self._add_sums(cost)

    def _add_sums(self, cost: dict[Card, int]) -> None:
        place = {rank: self.size + _SUM_BITS * number for number, rank in enumerate(RANKS)}
        self.cost_from = self.size + _SUM_BITS * len(RANKS)
        self.packed = {card: unit + (1 << place[card.rank]) for card, unit in self.unit.items()} | {JOKER: JOKER_UNIT}
        self.packed = {card: unit + (cost[card] << self.cost_from) for card, unit in self.packed.items()}
        self.held_bits = (1 << self.size) - 1
        # with enough cards of a rank, its sum plus the shortfall to the top bit reaches that bit
        self._top_bits = {1 << (place[rank] + _SUM_BITS - 1): self.ranks[rank] for rank in RANKS}
        ones = sum(1 << place[rank] for rank in RANKS)
        self._short_by = [((1 << (_SUM_BITS - 1)) - least) * ones for least in range(4)]
        self._tops = sum(self._top_bits)
        self._ranks_at: dict[int, list[int]] = {}

    def sum_of(self, cards: Iterable[Card]) -> int:
        """Return the number of a hand with its sums: undeclared cards, no more of a kind than the packs have."""
        return self.empty + sum(map(self.packed.__getitem__, cards))

    def ranks_with(self, tallied: int, least: int) -> list[int]:
        """Return the fields of every rank with at least `least` cards (up to 3) in the hand."""
        reached = (tallied + self._short_by[least]) & self._tops
        fields = self._ranks_at.get(reached)  # at most a list for each choice of ranks
        if fields is None:
            fields = self._ranks_at[reached] = [field for top, field in self._top_bits.items() if reached & top]
        return fields

    def present(self, hand: int) -> int:
        """Return the kinds of card in the hand, one bit each, at the lowest bit of the kind's field."""
        counts = bits = hand & self.counts
        for more in self.more_bits[1:]:
            bits |= counts >> more
        return bits & self.low

    def shared(self, hand: int, others: Iterable[int]) -> int:
        """Return the naturals of a hand of whose kind there are any in other numbers."""
        kinds = 0
        for other in others:
            kinds |= other
        return hand & self.present(kinds) * self.copies

    def cards_of(self, hand: int) -> list[Card]:
        """Return the naturals of a number, the dearest first."""
        cards: list[Card] = []
        counts = hand & self.counts
        while counts:
            top = counts.bit_length()
            cards += [self.card_at[top]] * (counts >> self.shift_at[top])
            counts &= ~self.field_at[top]
        return cards
