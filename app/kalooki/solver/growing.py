"""Every way to build on a meld, and every way to free its jokers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from app.kalooki.cards import JOKER, SUITS, Card
from app.kalooki.referee.building import UNBUILT, Built, Ends, may_build
from app.kalooki.referee.jokers import Freed, judge
from app.kalooki.referee.melds import JOKER_AS, RANK_AT, TOP, Meld, face
from app.kalooki.variants import Variant

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
        ways, _ = judge([meld], give, variant)
        yield from (way for way in ways if way.released)
