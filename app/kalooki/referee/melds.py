"""Rulings on single melds and on whole decks: the readings of cards as a meld, or why they are none.

The order of the cards never matters. A declared joker (`*=6H`) stands for its card; a bare joker can take any place
that the rules allow, so the same cards may have several readings.

Every check takes cards and a variant (with the table's house rules) and returns a Verdict. Broken rules never raise
exceptions.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple, dataclass_transform

from app.kalooki.cards import COURT, JOKER, RANKS, SUITS, Card, beyond_pack, in_a_sentence, write
from app.kalooki.faults import Fault
from app.kalooki.variants import SET_LEAST, Variant, all_variants

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
    return readings_of(Laid.of(cards), variant)


def readings_of(laid: Laid, variant: Variant) -> tuple[Meld, ...]:
    """Return every legal reading of the cards as one meld, the one with most points first."""
    readings = list(find_readings(laid, variant))
    if len(readings) < 2:
        return tuple(readings)
    readings.sort(key=lambda meld: -points(meld, variant))
    if laid.size < len(RANKS):
        return tuple(readings)
    return tuple({(meld.kind, frozenset(meld.cards)): meld for meld in reversed(readings)}.values())[::-1]


def is_meld(laid: Laid, variant: Variant) -> bool:
    """Return whether the cards have a legal reading; faster than `readings_of`, because it stops at the first."""
    return next(find_readings(laid, variant), None) is not None


def find_readings(laid: Laid, variant: Variant) -> Iterator[Meld]:
    """Yield the legal readings in any order; a whole suit may appear twice, with its ace low and high."""
    size, suits = laid.size, laid.suits
    is_one_rank = len(set(laid.ranks)) == 1 and laid.naturals >= variant.set_naturals
    has_suits = variant.set_suits == "free" or len(set(suits)) == len(suits)
    if is_one_rank and has_suits and SET_LEAST <= size <= variant.set_limit:
        yield Meld("set", in_suit_order(laid))
    is_one_suit = len(set(suits)) == 1 and laid.naturals >= variant.run_naturals
    if is_one_suit and variant.run_least <= size <= variant.run_most:
        for cards in arrangements(laid, variant):
            if variant.jokers_together or not jokers_touch(cards):
                yield Meld("run", cards)


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


def in_suit_order(laid: Laid) -> tuple[Card, ...]:
    """Return the cards of a set in order of suit, bare jokers last."""
    ordered = sorted(laid.named, key=lambda card: (SUITS.index(face(card).suit), card.is_joker))
    return (*ordered, *[JOKER] * laid.bare)


def jokers_touch(cards: Sequence[Card]) -> bool:
    """Return whether two jokers are side by side (rule `jokers-together`)."""
    return any(card.is_joker and after.is_joker for card, after in pairwise(cards))


def arrangements(laid: Laid, variant: Variant) -> Iterator[tuple[Card, ...]]:
    """Yield every sequence that cards of one suit can make with their bare jokers, the highest first."""
    suit = laid.suits[0]
    high = {PLACE_OF[rank]: card for rank, card in zip(laid.ranks, laid.named, strict=True)}
    low = {1 if place == TOP else place: card for place, card in high.items()}
    for placed in (high, low) if TOP in high and variant.ace == "both" else (high,):
        if len(placed) < len(laid.named):
            return
        first, last = max(placed) - laid.size + 1, min(*placed, TOP + 1 - laid.size)
        for start in range(last, max(first, variant.bottom) - 1, -1):
            places = range(start, start + laid.size)
            yield tuple(placed.get(place) or JOKER_AS[place, suit] for place in places)


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


# ---- Why cards are not a meld


def meld_faults(cards: Sequence[Card], variant: Variant) -> tuple[Fault, ...]:
    """Return the faults of the cards as the kind of meld they are closest to, none if they are a meld."""
    bag = Laid.of(cards)
    return () if readings_of(bag, variant) else kind_faults(likely_kind(bag), bag, variant)


def kind_faults(kind: str, laid: Laid, variant: Variant) -> tuple[Fault, ...]:
    """Return the faults that prevent the cards from being a meld of the given kind, "set" or "run"."""
    if laid.size > 1 and laid.named:
        return tuple(_set_faults(laid, variant) if kind == "set" else _run_faults(laid, variant))
    cards = (*laid.named, *[JOKER] * laid.bare)  # no card, one card or only jokers are close to neither kind
    if laid.naturals or not cards:
        return (Fault("set-or-run", cards, {"case": "few" if cards else "none"}),)
    needed = {"needed": variant.set_naturals, "count": 0, "values": ("set_naturals",)}
    return (Fault("set-or-run", cards, {"case": "jokers"}), Fault("naturals", cards, needed))


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
    if laid.size < variant.run_least:
        yield Fault("run-length", facts={"case": "few", "count": laid.size, "values": ("run_least",)})
    elif laid.size > variant.run_most:
        yield Fault("run-length", facts={"case": "many", "count": laid.size, "values": ("run_most",)})
    yield from _too_few_naturals(laid, variant.run_naturals, "run_naturals")
    repeated = _repeats(in_suit)
    if repeated:
        yield Fault("run-sequence", repeated, {"case": "twice"})
    yield from _sequence_faults(suit, in_suit, laid.bare, variant)


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
    # a sequence that continues from king to ace starts after the widest gap
    widest = max((after - before for before, after in pairwise(sorted(low))), default=0)
    missing_round = len(RANKS) + 1 - widest - len(low) if widest else TOP
    if _count_missing(closest) > bare >= missing_round:
        rule = "round-the-corner"
    return rule, closest


def _count_missing(places: set[int]) -> int:
    return max(places) - min(places) + 1 - len(places)


# ---- Verdicts


class JokerQuestion(NamedTuple):
    """A question about jokers that the player must answer before the cards count.

    `choices` are cards in notation, `melds` what the meld is by each of them.
    """

    text: str
    choices: tuple[str, ...]
    melds: tuple[Meld, ...]


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A ruling, which is legal if there are no faults; `rules` are the slugs of all rules applied.

    `readings` are the legal readings of the cards, the one with most points first. `warnings` are faults that are odd
    but allowed. Subclasses add the results of single checks; this class makes them frozen dataclasses.
    """

    faults: tuple[Fault, ...] = ()
    rules: tuple[str, ...] = ()
    readings: tuple[Meld, ...] = ()
    ask: JokerQuestion | None = None
    warnings: tuple[Fault, ...] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @property
    def ok(self) -> bool:
        return not self.faults


def pack_faults(cards: Iterable[Card], variant: Variant) -> tuple[Fault, ...]:
    """Return faults for cards that exceed the packs (rule `more-than-the-pack`), separate for naturals and jokers."""
    over = beyond_pack(cards, variant.packs, variant.jokers)
    naturals = in_order(card for card in over if not card.is_joker)
    faults = [Fault("more-than-the-pack", naturals, {"values": ("packs",)})] if naturals else []
    if len(naturals) < len(over):
        faults.append(Fault("more-than-the-pack", (JOKER,), {"values": ("jokers",)}))
    return tuple(faults)


def rules_applied(rules: Iterable[str], faults: Iterable[Fault]) -> tuple[str, ...]:
    """Return the rules and those of the faults, in order and each once."""
    return tuple(dict.fromkeys([*rules, *(fault.rule for fault in faults)]))


def meld_rules(kind: str, laid: Laid, variant: Variant) -> tuple[str, ...]:
    """Return the slugs of the rules that decide whether the cards are a meld of this kind, "set" or "run"."""
    jokers = laid.size - laid.naturals
    if kind == "set":
        rules = ["set-or-run", "set-rank", "set-size", "set-suits"]
    else:
        rules = ["set-or-run", "run-suit", "run-sequence", "run-length"]
        rules += ["ace-high", "round-the-corner"] if "A" in laid.ranks else []
        rules += ["jokers-together"] if jokers > 1 else []
    rules += ["naturals" if kind == "set" else "naturals-in-a-run"] if jokers else []
    rules += [] if variant.contracts else ["meld-points"]
    counts = variant.opening_points or variant.joker_points is not None
    return (*rules, "joker-points") if jokers and counts and not variant.contracts else tuple(rules)


def joker_warnings(before: Sequence[Meld], fitting: Sequence[Meld]) -> tuple[Fault, ...]:
    """Return a warning if a claim is legal only for some readings of a meld (rule `declaring-a-joker`).

    `before` are all readings of the meld, `fitting` those that make the claim legal; the player who laid the jokers may
    have declared another reading.
    """
    against = [meld for meld in before if meld not in fitting]
    if not fitting or not against:
        return ()
    if len(against) > 1 or len(against[0].jokers) > 1:
        return (Fault("declaring-a-joker", facts={"case": "otherwise"}),)
    return (Fault("declaring-a-joker", tuple(map(face, against[0].jokers)), {"case": "unsaid"}),)


def question(cards: Sequence[Card], readings: Sequence[Meld]) -> JokerQuestion | None:
    """Return the question to ask if bare jokers leave several readings (rule `declaring-a-joker`), else None."""
    if JOKER not in cards or len(readings) < 2:
        return None
    declared = {card for card in cards if card.stands_for}
    return _ask(readings, declared)


def question_after(melds: Iterable[Meld]) -> JokerQuestion | None:
    """Return the question if a build or an exchange can leave one of several melds, None if it leaves only one.

    A whole suit with its ace low or high has the same cards, so there is nothing to ask.
    """
    apart = list({frozenset(meld.cards): meld for meld in melds}.values())
    if len(apart) < 2:
        return None
    return _ask(apart, set.intersection(*(set(meld.jokers) for meld in apart)))


def _ask(melds: Iterable[Meld], known: Container[Card]) -> JokerQuestion:
    """Return the question which meld it is, with the lowest first.

    A choice is the card of the only joker that is not `known`, or the whole meld if there are several.
    """
    ordered = sorted(melds, key=lambda meld: (meld.kind == "set", meld.kind == "run" and meld.low))
    unknown = [[face(card) for card in meld.jokers if card not in known] for meld in ordered]
    if len(unknown[0]) > 1:
        return JokerQuestion("Which cards are the jokers?", tuple(map(str, ordered)), tuple(ordered))
    by_card = {str(joker): meld for (joker,), meld in zip(unknown, ordered, strict=True)}
    return JokerQuestion("Which card is the joker?", tuple(by_card), tuple(by_card.values()))


# ---- Checks


def check_meld(cards: Sequence[Card], variant: Variant) -> Verdict:
    """Return the ruling on whether the cards, in any order, are one legal meld.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> verdict = check_meld(parse("6H 7H *"), load("european"))
    >>> verdict.ok, [str(meld) for meld in verdict.readings], verdict.ask.choices
    (True, ['6H 7H *=8H', '*=5H 6H 7H'], ('5H', '8H'))
    """
    bag = Laid.of(cards)
    over = pack_faults(cards, variant)
    readings = readings_of(bag, variant)
    kind = readings[0].kind if readings else likely_kind(bag)
    faults = over if readings else (*kind_faults(kind, bag, variant), *over)
    legal = () if over else readings
    choice = question(cards, legal)
    rules = (*meld_rules(kind, bag, variant), "more-than-the-pack", *(("declaring-a-joker",) if choice else ()))
    return Verdict(faults=faults, rules=rules_applied(rules, faults), readings=legal, ask=choice)


def legal_in(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the ids of all variants, without house rules, in which the cards are a legal meld, in menu order."""
    bag = Laid.of(cards)
    return tuple(variant.id for variant in all_variants() if is_meld(bag, variant) and not pack_faults(cards, variant))


def check_deck(holdings: Iterable[Sequence[Card]], variant: Variant) -> Verdict:
    """Return the ruling on whether all hands and melds of one deal fit in the packs; suits may be unknown."""
    faults = pack_faults((card for cards in holdings for card in cards), variant)
    return Verdict(faults=faults, rules=("more-than-the-pack",))
