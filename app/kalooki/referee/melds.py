"""The readings of cards as a meld.

The order of the cards never matters. A declared joker (`*=6H`) stands for its card; a bare joker can take any place
that the rules allow, so the same cards may have several readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from app.kalooki.cards import COURT, JOKER, RANKS, SUITS, Card, write
from app.kalooki.variants import SET_LEAST, Variant

TOP = 14
"""The highest place in a run, the ace above the king."""

RANK_AT = ("", *RANKS, "A")
PLACE_OF = {rank: place for place, rank in enumerate(RANK_AT[:TOP])} | {"A": TOP}
JOKER_AS = {
    (place, suit): JOKER._replace(stands_for=Card(RANK_AT[place], suit)) for place in range(1, 15) for suit in SUITS
}
PIPS = {rank: int(rank) for rank in RANKS if rank.isdigit() and rank not in COURT}


class Meld(NamedTuple):
    """One reading of some cards as a meld; `kind` is "set" or "run".

    The cards of a run are in sequence with all jokers declared. Those of a set are in order of suit, bare jokers last.
    """

    kind: str
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return write(self.cards)

    @property
    def jokers(self) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.is_joker)

    @property
    def low(self) -> int:
        """The place of a run's first card, 1 for a low ace."""
        rank = face(self.cards[0]).rank
        return 1 if rank == "A" else PLACE_OF[rank]

    @property
    def high(self) -> int:
        """The place of a run's last card, 14 for an ace above the king."""
        return self.low + len(self.cards) - 1

    def is_closed(self, variant: Variant) -> bool:
        """Return whether a set is full (rule `closed-set`)."""
        return self.kind == "set" and len(self.cards) >= variant.set_limit


class Laid(NamedTuple):
    """Some cards, in any order: `named` are the naturals and declared jokers, `bare` is the number of other jokers."""

    named: tuple[Card, ...]
    bare: int

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Laid:
        """Return these cards with the bare jokers counted.

        >>> Laid.of([Card("7", "H"), JOKER]).size
        2
        """
        cards = tuple(cards)
        named = tuple(card for card in cards if card != JOKER)
        return cls(named, bare=len(cards) - len(named))

    @property
    def size(self) -> int:
        return len(self.named) + self.bare

    @property
    def naturals(self) -> int:
        return sum(not card.is_joker for card in self.named)

    @property
    def ranks(self) -> list[str]:
        """The ranks of the named cards, for a declared joker that of the card it stands for."""
        return [face(card).rank for card in self.named]

    @property
    def suits(self) -> list[str]:
        """The suits of the named cards, for a declared joker that of the card it stands for."""
        return [face(card).suit for card in self.named]


def face(card: Card) -> Card:
    """Return the card that a declared joker stands for, or any other card itself."""
    return card.stands_for or card


def readings(cards: Sequence[Card], variant: Variant) -> tuple[Meld, ...]:
    """Return every legal reading of exactly these cards as one meld, the one with most points first.

    Of a whole suit whose ace could be low or high, only the reading with more points is returned (rule `ace-high`).

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> [str(meld) for meld in readings(parse("8H * 7H"), load("european"))]
    ['7H 8H *=9H', '*=6H 7H 8H']
    """
    return read(Laid.of(cards), variant)


def read(laid: Laid, variant: Variant) -> tuple[Meld, ...]:
    """Return every legal reading of the cards as one meld, the one with most points first."""
    readings = list(find_readings(laid, variant))
    if len(readings) < 2:
        return tuple(readings)
    readings.sort(key=lambda meld: -points(meld, variant))
    if laid.size < len(RANKS):
        return tuple(readings)
    return tuple({(meld.kind, frozenset(meld.cards)): meld for meld in reversed(readings)}.values())[::-1]


def is_meld(laid: Laid, variant: Variant) -> bool:
    """Return whether the cards have a legal reading; faster than `read`, because it stops at the first."""
    return next(find_readings(laid, variant), None) is not None


def find_readings(laid: Laid, variant: Variant) -> Iterator[Meld]:
    """Yield the legal readings in any order; a whole suit may appear twice, with its ace low and high."""
    if len(set(laid.ranks)) == 1:
        yield from _sets(laid, variant)
    if len(set(laid.suits)) == 1:
        yield from _runs(laid, variant)


def points(meld: Meld, variant: Variant) -> int:
    """Return the points of a meld (rule `meld-points`); a joker counts `joker_points` if set, else as its card."""
    if meld.kind == "set":
        rank = next(face(card).rank for card in meld.cards if card != JOKER)
        worths = [variant.set_ace_points if rank == "A" else _worth(rank, variant)] * len(meld.cards)
    else:
        worths = [place_points(place, variant) for place in range(meld.low, meld.high + 1)]
    if variant.joker_points is None:
        return sum(worths)
    each = variant.joker_points
    return sum(each if card.is_joker else worth for card, worth in zip(meld.cards, worths, strict=True))


def place_points(place: int, variant: Variant) -> int:
    """Return the points of a card at one place of a run, from 1 for a low ace to 14 for a high one."""
    if place in (1, TOP):
        return variant.low_ace_points if place == 1 else variant.high_ace_points
    return _worth(RANK_AT[place], variant)


def _worth(rank: str, variant: Variant) -> int:
    return PIPS.get(rank, variant.court_points)


def _sets(laid: Laid, variant: Variant) -> Iterator[Meld]:
    """Yield the set that cards of one rank make, if they make one."""
    if laid.naturals < variant.set_naturals or not SET_LEAST <= laid.size <= variant.set_limit:
        return
    if variant.set_suits == "free" or len(set(laid.suits)) == len(laid.suits):
        yield Meld("set", in_suit_order(laid))


def in_suit_order(laid: Laid) -> tuple[Card, ...]:
    """Return the cards of a set in order of suit, bare jokers last."""
    ordered = sorted(laid.named, key=lambda card: (SUITS.index(face(card).suit), card.is_joker))
    return (*ordered, *[JOKER] * laid.bare)


def _runs(laid: Laid, variant: Variant) -> Iterator[Meld]:
    """Yield the runs that cards of one suit make, the highest first."""
    if laid.naturals < variant.run_naturals or not variant.run_least <= laid.size <= variant.run_most:
        return
    for cards in arrangements(laid, variant):
        if variant.jokers_together or not jokers_touch(cards):
            yield Meld("run", cards)


def jokers_touch(cards: Sequence[Card]) -> bool:
    """Return whether two jokers are side by side (rule `jokers-together`)."""
    return any(card.is_joker and after.is_joker for card, after in pairwise(cards))


def arrangements(laid: Laid, variant: Variant) -> Iterator[tuple[Card, ...]]:
    """Yield every sequence that cards of one suit can make with their bare jokers, the highest first."""
    suit = laid.suits[0]
    for placed in _placings(laid, variant):
        if len(placed) < len(laid.named):
            return
        first, last = max(placed) - laid.size + 1, min(*placed, TOP + 1 - laid.size)
        for start in range(last, max(first, variant.bottom) - 1, -1):
            places = range(start, start + laid.size)
            yield tuple(placed.get(place) or JOKER_AS[place, suit] for place in places)


def _placings(laid: Laid, variant: Variant) -> Iterator[Mapping[int, Card]]:
    """Yield the cards by their place in a run, first with the ace high and then, if allowed, with it low."""
    placed = {PLACE_OF[rank]: card for rank, card in zip(laid.ranks, laid.named, strict=True)}
    yield placed
    if TOP in placed and variant.ace == "both":
        yield {1 if place == TOP else place: card for place, card in placed.items()}


def lies_as(cards: Sequence[Card], meld: Meld) -> bool:
    """Return whether the cards lie in the order of a reading, from one side of the table or the other.

    Without an undeclared joker, and in a set, the order says nothing.
    """
    if meld.kind == "set" or JOKER not in cards:
        return True
    ways = (cards, cards[::-1])
    return any(
        all(card == put or (card == JOKER and put.is_joker) for card, put in zip(way, meld.cards, strict=True))
        for way in ways
    )


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards by suit from the two to the ace, bare jokers last, so that rulings never depend on the order."""
    return tuple(sorted(cards, key=_place_in_order))


@cache
def _place_in_order(card: Card) -> tuple[int, int, bool]:
    card_face = face(card)
    suit = SUITS.index(card_face.suit) if card_face.suit in SUITS else len(SUITS)
    return suit, PLACE_OF.get(card_face.rank, TOP + 1), card.is_joker
