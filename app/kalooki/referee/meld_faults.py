"""Why cards are not a meld: the rules they break as a set or as a run, whichever is closer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.kalooki.cards import JOKER, RANKS, SUITS, Card, in_a_sentence
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import PLACE_OF, RANK_AT, TOP, Laid, arrangements, face, in_order, jokers_touch, read
from app.kalooki.variants import SET_LEAST, Variant


def meld_faults(cards: Sequence[Card], variant: Variant) -> tuple[Fault, ...]:
    """Return the faults of the cards as the kind of meld they are closest to, none if they are a meld."""
    bag = Laid.of(cards)
    return () if read(bag, variant) else kind_faults(likely_kind(bag), bag, variant)


def kind_faults(kind: str, laid: Laid, variant: Variant) -> tuple[Fault, ...]:
    """Return the faults that prevent the cards from being a meld of the given kind, "set" or "run"."""
    if laid.size < 2 or not laid.named:
        return tuple(_kindless_faults(laid, variant))
    return tuple(_set_faults(laid, variant) if kind == "set" else _run_faults(laid, variant))


def _kindless_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    """Yield the faults of no card, one card or only jokers, which are close to neither kind of meld."""
    cards = (*laid.named, *[JOKER] * laid.bare)
    jokers = bool(cards) and not laid.naturals
    yield Fault("set-or-run", cards, {"case": "jokers" if jokers else "few" if cards else "none"})
    if jokers:
        yield Fault("naturals", cards, {"needed": variant.set_naturals, "count": 0, "values": ("set_naturals",)})


def likely_kind(laid: Laid) -> str:
    """Return the kind of meld, "set" or "run", that needs fewer of the cards removed."""
    same_rank_count = max(map(laid.ranks.count, laid.ranks), default=0)
    same_suit_count = max(map(laid.suits.count, laid.suits), default=0)
    same_rank = same_rank_count == len(laid.named) or (same_rank_count > 1 and same_rank_count >= same_suit_count)
    return "set" if same_rank else "run"


def _set_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    rank = max(RANKS, key=laid.ranks.count)
    in_rank = [card for card, each in zip(laid.named, laid.ranks, strict=True) if each == rank]
    if len(in_rank) < len(laid.named):
        yield Fault("set-rank", in_order(card for card in laid.named if face(card).rank != rank))
    repeated = _repeats(in_rank)
    if repeated and variant.set_suits == "different":
        yield Fault("set-suits", repeated)
    if laid.size < SET_LEAST:
        yield Fault("set-size", facts={"case": "few", "count": laid.size, "values": ()})
    elif laid.size > variant.set_limit:
        yield Fault("set-size", facts={"case": "many", "count": laid.size})
    yield from _too_few_naturals(laid, variant.set_naturals, "set_naturals")


def _run_faults(laid: Laid, variant: Variant) -> Iterator[Fault]:
    suit = max(SUITS, key=laid.suits.count)
    in_suit = [card for card, each in zip(laid.named, laid.suits, strict=True) if each == suit]
    if len(in_suit) < len(laid.named):
        yield Fault("run-suit", in_order(card for card in laid.named if face(card).suit != suit))
    yield from _length_faults(laid.size, variant)
    yield from _too_few_naturals(laid, variant.run_naturals, "run_naturals")
    repeated = _repeats(in_suit)
    if repeated:
        yield Fault("run-sequence", repeated, {"case": "twice"})
    yield from _sequence_faults(suit, in_suit, laid.bare, variant)


def _length_faults(size: int, variant: Variant) -> Iterator[Fault]:
    if size < variant.run_least:
        yield Fault("run-length", facts={"case": "few", "count": size, "values": ("run_least",)})
    elif size > variant.run_most:
        yield Fault("run-length", facts={"case": "many", "count": size, "values": ("run_most",)})


def _too_few_naturals(laid: Laid, needed: int, key: str) -> Iterator[Fault]:
    if laid.naturals < needed:
        yield Fault("naturals", facts={"needed": needed, "count": laid.naturals, "values": (key,)})


def _repeats(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return each card that occurs more than once; a declared joker counts as the card it stands for."""
    faces = [face(card) for card in cards]
    if len(set(faces)) == len(faces):
        return ()
    return in_order({face(card): card for card in in_order(cards) if faces.count(face(card)) > 1}.values())


def _sequence_faults(suit: str, cards: Sequence[Card], bare: int, variant: Variant) -> Iterator[Fault]:
    """Yield the faults in the sequence of cards of one suit: gaps, low aces, round the corner, touching jokers."""
    placed = {PLACE_OF[face(card).rank]: card for card in sorted(cards)}
    rule, places = _closest_sequence(set(placed), bare, variant)
    inside = () if rule == "round-the-corner" else range(min(places), max(places))
    missing = [place for place in inside if place not in places]
    if rule:
        yield Fault(rule, (placed[TOP],) if TOP in placed else ())
    if len(missing) > bare:
        absent = in_a_sentence(Card(RANK_AT[place], suit) for place in missing)
        yield Fault("run-sequence", in_order(placed.values()), {"case": "gap", "missing": absent})
    elif not rule and not variant.jokers_together and len(placed) + bare <= variant.run_most:
        arranged = list(arrangements(Laid.of([*placed.values(), *[JOKER] * bare]), variant))
        if arranged and all(map(jokers_touch, arranged)):
            yield Fault("jokers-together", tuple(card for card in arranged[0] if card.is_joker))


def _closest_sequence(places: set[int], bare: int, variant: Variant) -> tuple[str, set[int]]:
    """Return the sequence that the cards are closest to, as the rule it breaks (or "") and their places in it."""
    closest, rule = places, ""
    low = places - {TOP} | {1} if TOP in places else places
    if _count_missing(low) < _count_missing(places):
        closest, rule = low, "" if variant.ace == "both" else "ace-high"
    if _count_missing(closest) > bare >= _count_missing_round_the_corner(sorted(low)):
        rule = "round-the-corner"
    return rule, closest


def _count_missing(places: set[int]) -> int:
    return max(places) - min(places) + 1 - len(places)


def _count_missing_round_the_corner(low: Sequence[int]) -> int:
    """Return how many cards are missing if the sequence continues from king to ace, starting after its widest gap."""
    widest = max((after - before for before, after in pairwise(low)), default=0)
    return len(RANKS) + 1 - widest - len(low) if widest else TOP
