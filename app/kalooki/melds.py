"""Every way some cards can be read as a meld, and every rule they break when they are none.

An entry is a bag of cards: order never matters. A declared joker (`*=6H`) stands for its card; a bare one takes
whatever place the rules leave it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.kalooki.cards import COURT, JOKER, RANKS, SUITS, Card, write
from app.kalooki.faults import Fault
from app.kalooki.variants import Variant

SET_LEAST = 3
TOP = 14
"""The highest place in a run, the ace above the king."""

RANK_AT = ("", *RANKS, "A")
PLACE_OF = {rank: place for place, rank in enumerate(RANK_AT[:TOP])} | {"A": TOP}
JOKER_AS = {
    (place, suit): JOKER._replace(stands_for=Card(RANK_AT[place], suit)) for place in range(1, 15) for suit in SUITS
}
PIPS = {rank: int(rank) for rank in RANKS if rank.isdigit() and rank not in COURT}


class Meld(NamedTuple):
    """One reading of some cards: `kind` is "set" or "run".

    The cards of a run stand in order with every joker declared, those of a set in the order of the suits with the
    bare jokers last.
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


class Laid(NamedTuple):
    """A bag of cards sorted out: `told` are naturals and declared jokers, `bare` counts the other jokers."""

    told: tuple[Card, ...]
    bare: int
    naturals: int

    @property
    def size(self) -> int:
        return len(self.told) + self.bare


def face(card: Card) -> Card:
    """The card itself, or the card a declared joker stands for."""
    return card.stands_for or card


def sort_out(cards: Iterable[Card]) -> Laid:
    """The bag with its bare jokers counted.

    >>> sort_out([Card("7", "H"), JOKER]).size
    2
    """
    cards = tuple(cards)
    told = tuple([card for card in cards if card.rank != "*" or card.stands_for])
    return Laid(told, len(cards) - len(told), sum(card.rank != "*" for card in told))


def readings(cards: Sequence[Card], variant: Variant) -> tuple[Meld, ...]:
    """Every legal reading of exactly these cards as one meld, the dearest first; none if they are no meld.

    A whole suit that could hold its ace low or high has the dearer reading only (rule `ace-high`).

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> [str(meld) for meld in readings(parse("8H * 7H"), load("european"))]
    ['7H 8H *=9H', '*=6H 7H 8H']
    """
    laid = sort_out(cards)
    found = [*_sets(laid, variant), *_runs(laid, variant)]
    if len(found) < 2:
        return tuple(found)
    found.sort(key=lambda meld: -points(meld, variant))
    return tuple({(meld.kind, frozenset(meld.cards)): meld for meld in reversed(found)}.values())[::-1]


def points(meld: Meld, variant: Variant) -> int:
    """What a meld counts towards the opening (rule `meld-points`): a joker counts as the card it stands for."""
    if meld.kind == "set":
        rank = next(face(card).rank for card in meld.cards if card != JOKER)
        return len(meld.cards) * (variant.set_ace_points if rank == "A" else _worth(rank, variant))
    low, high = meld.low, meld.high
    return sum(place_points(place, variant) for place in range(low, high + 1))


def place_points(place: int, variant: Variant) -> int:
    """What a card at one place of a run counts, an ace by whether it is low (1) or high (14)."""
    if place in (1, TOP):
        return variant.low_ace_points if place == 1 else variant.high_ace_points
    return _worth(RANK_AT[place], variant)


def _worth(rank: str, variant: Variant) -> int:
    return PIPS.get(rank, variant.court_points)


def is_closed(meld: Meld, variant: Variant) -> bool:
    """Whether nothing can be added to a set any more (rule `closed-set`)."""
    return meld.kind == "set" and len(meld.cards) >= set_limit(variant)


def set_limit(variant: Variant) -> int:
    """The most cards a set can have; there are only so many different suits."""
    most = variant.set_most or len(SUITS) * variant.packs + variant.jokers
    return min(most, len(SUITS)) if variant.set_suits == "different" else most


def _sets(laid: Laid, variant: Variant) -> Iterator[Meld]:
    faces = [face(card) for card in laid.told]
    if not faces or any(card.rank != faces[0].rank for card in faces):
        return
    if laid.naturals < variant.set_naturals or not SET_LEAST <= laid.size <= set_limit(variant):
        return
    if variant.set_suits == "different" and len(set(faces)) < len(faces):
        return
    yield Meld("set", in_suit_order(laid))


def in_suit_order(laid: Laid) -> tuple[Card, ...]:
    """A set as it is written: the told cards in the order of the suits, the bare jokers last."""
    ordered = sorted(laid.told, key=lambda card: (SUITS.index(face(card).suit), card.is_joker))
    return (*ordered, *[JOKER] * laid.bare)


def _runs(laid: Laid, variant: Variant) -> Iterator[Meld]:
    if not laid.told or laid.naturals < variant.run_naturals:
        return
    if not variant.run_least <= laid.size <= variant.run_most or not _one_suit(laid.told):
        return
    for cards in arrangements(laid, variant):
        if variant.jokers_together or not jokers_touch(cards):
            yield Meld("run", cards)


def _one_suit(cards: Sequence[Card]) -> bool:
    suit = face(cards[0]).suit
    return all(face(card).suit == suit for card in cards)


def jokers_touch(cards: Sequence[Card]) -> bool:
    """Whether two jokers stand side by side (rule `jokers-together`)."""
    return any(a.rank == "*" == b.rank for a, b in pairwise(cards))


def arrangements(laid: Laid, variant: Variant) -> Iterator[tuple[Card, ...]]:
    """The cards of one suit in sequence, in every way the bare jokers allow, the highest first."""
    suit = face(laid.told[0]).suit
    for placed in _placings(laid.told, variant):
        if len(placed) < len(laid.told):
            return
        first, last = max(placed) - laid.size + 1, min(*placed, TOP + 1 - laid.size)
        for start in range(last, max(first, bottom(variant)) - 1, -1):
            places = range(start, start + laid.size)
            yield tuple([placed.get(place) or JOKER_AS[place, suit] for place in places])


def _placings(cards: Sequence[Card], variant: Variant) -> Iterator[Mapping[int, Card]]:
    """The cards by their place in a run, with the ace high and, where it may be, low."""
    placed = {PLACE_OF[face(card).rank]: card for card in cards}
    yield placed
    if TOP in placed and variant.ace == "both":
        yield {1 if place == TOP else place: card for place, card in placed.items()}


def bottom(variant: Variant) -> int:
    """The lowest place in a run: the two, or the ace below it."""
    return 1 if variant.ace == "both" else 2


def meld_faults(cards: Sequence[Card], variant: Variant) -> tuple[Fault, ...]:
    """All rules the cards break, read as the kind of meld they are closest to; none if they are a meld."""
    if readings(cards, variant):
        return ()
    laid = sort_out(cards)
    if laid.size < 2 or not laid.told:
        return tuple(_kindless_faults(in_order(cards), variant))
    return kind_faults(meant(laid), laid, variant)


def kind_faults(kind: str, laid: Laid, variant: Variant) -> tuple[Fault, ...]:
    """All rules the cards break as a set, or as a run; at least one of them has to be told."""
    laid = laid._replace(told=in_order(laid.told))
    return tuple(_set_faults(laid, variant) if kind == "set" else _run_faults(laid, variant))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards suit by suit from the two to the ace, bare jokers last: a ruling never depends on how they were laid."""
    return tuple(sorted(cards, key=_place_in_order))


def _place_in_order(card: Card) -> tuple[int, int, bool]:
    shown = face(card)
    suit = SUITS.index(shown.suit) if shown.suit in SUITS else len(SUITS)
    return suit, PLACE_OF.get(shown.rank, TOP + 1), card.is_joker


def _kindless_faults(cards: tuple[Card, ...], variant: Variant) -> Iterator[Fault]:
    """Nothing, one card, or jokers only: nobody can say which kind of meld was meant."""
    jokers = bool(cards) and all(card.is_joker for card in cards)
    yield Fault("set-or-run", cards, {"case": "jokers" if jokers else "few" if cards else "none"})
    if jokers:
        yield Fault("naturals", cards, {"needed": variant.set_naturals, "count": 0, "values": ("set_naturals",)})


def meant(laid: Laid) -> str:
    """The kind of meld the cards are closest to: the one fewer of them would have to leave."""
    of_rank = max(Counter(face(card).rank for card in laid.told).values())
    of_suit = max(Counter(face(card).suit for card in laid.told).values())
    same_rank = of_rank == len(laid.told) or (of_rank > 1 and of_rank >= of_suit)
    return "set" if same_rank else "run"


def _set_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    rank = Counter(face(card).rank for card in laid.told).most_common(1)[0][0]
    strangers = tuple(card for card in laid.told if face(card).rank != rank)
    if strangers:
        yield Fault("set-rank", strangers)
    twice = _repeated([card for card in laid.told if face(card).rank == rank])
    if twice and variant.set_suits == "different":
        yield Fault("set-suits", twice)
    if laid.size < SET_LEAST:
        yield Fault("set-size", facts={"case": "few", "count": laid.size, "values": ()})
    elif laid.size > set_limit(variant):
        yield Fault("set-size", facts={"case": "many", "count": laid.size})
    yield from _too_few_naturals(laid, variant.set_naturals, "set_naturals")


def _run_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    suit = Counter(face(card).suit for card in laid.told).most_common(1)[0][0]
    in_suit = tuple(card for card in laid.told if face(card).suit == suit)
    strangers = tuple(card for card in laid.told if face(card).suit != suit)
    if strangers:
        yield Fault("run-suit", strangers)
    yield from _length_faults(laid.size, variant)
    yield from _too_few_naturals(laid, variant.run_naturals, "run_naturals")
    twice = _repeated(in_suit)
    if twice:
        yield Fault("run-sequence", twice, {"case": "twice"})
    distinct = tuple({face(card).rank: card for card in in_suit}.values())
    yield from _sequence_faults(laid._replace(told=distinct), variant)


def _length_faults(size: int, variant: Variant) -> Iterator[Fault]:
    if size < variant.run_least:
        yield Fault("run-length", facts={"case": "few", "count": size, "values": ("run_least",)})
    elif size > variant.run_most:
        yield Fault("run-length", facts={"case": "many", "count": size, "values": ("run_most",)})


def _too_few_naturals(laid: Laid, needed: int, key: str) -> Iterator[Fault]:
    if laid.naturals < needed:
        yield Fault("naturals", facts={"needed": needed, "count": laid.naturals, "values": (key,)})


def _repeated(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that come a second time, each once; a declared joker is the card it stands for."""
    seen = Counter(map(face, cards))
    return tuple(card for card in {face(card): card for card in cards}.values() if seen[face(card)] > 1)


def _sequence_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    """Gaps, low aces, corners and touching jokers of some distinct cards of one suit."""
    rule, missing = _closest_sequence(laid, variant)
    if rule:
        yield Fault(rule, tuple(card for card in laid.told if face(card).rank == "A"))
    if len(missing) > laid.bare:
        yield Fault("run-sequence", laid.told, {"case": "gap", "missing": write(missing)})
    elif not rule and not variant.jokers_together and laid.size <= variant.run_most:
        arranged = list(arrangements(laid, variant))
        if arranged and all(map(jokers_touch, arranged)):
            yield Fault("jokers-together", tuple(card for card in arranged[0] if card.is_joker))


def _closest_sequence(laid: Laid, variant: Variant) -> tuple[str, list[Card]]:
    """The sequence the cards come closest to: the rule it breaks, if any, and the cards missing inside it."""
    suit = face(laid.told[0]).suit
    high = sorted(PLACE_OF[face(card).rank] for card in laid.told)
    low = sorted(1 if place == TOP else place for place in high)
    candidates = [("", _gaps(high)), ("" if variant.ace == "both" else "ace-high", _gaps(low))]
    rule, gaps = min(candidates, key=lambda candidate: len(candidate[1]))
    if len(gaps) > laid.bare:
        round_gaps = _gaps_round_the_corner(low)
        if len(round_gaps) <= laid.bare:
            return "round-the-corner", []
    return rule, [Card(RANK_AT[place], suit) for place in gaps]


def _gaps(places: Sequence[int]) -> list[int]:
    return [place for place in range(places[0], places[-1]) if place not in places]


def _gaps_round_the_corner(low: Sequence[int]) -> list[int]:
    """The places missing if the sequence could go on from the king to the ace, cut where it leaves most out."""
    turned = [_gaps([*low[cut:], *(place + 13 for place in low[:cut])]) for cut in range(1, len(low))]
    return min(turned, key=len, default=list(range(TOP)))
