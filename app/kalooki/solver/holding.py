"""The representation of a hand as one integer, so that a single subtraction finds a meld in it and removes the meld.

Each kind of card has a field of a few bits that counts its copies, below a guard bit that is always set. A meld is the
sum of its cards' units. If all guards are still set in `held - meld`, the meld was in the hand, and the difference is
the hand without it. If a copy was missing, its field has borrowed from the guard.

    field of the 7H (two packs)    guard 1 | count 10      two are held
    minus a meld with one 7H       guard 1 | count 01      one is left
    minus a meld with three of it  guard 0 | count 11      borrowed: not in the hand

The dearest cards, those that cost most if left, have the highest fields, so `bit_length` finds the dearest card still
held. The lowest fields count the jokers and everything else that can be used up: one meld of each suit or rank if a
player may lay only one, the new melds of a turn, and one build on each meld on the table.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.kalooki.cards import JOKER, RANKS, SUITS, Card
from app.kalooki.variants import Variant

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
