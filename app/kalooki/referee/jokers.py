"""Rulings on freeing jokers from melds on the table in exchange for natural cards, or moving them along a run.

A meld with undeclared jokers has several readings; an exchange is legal if it is legal for any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.kalooki.cards import JOKER, SUITS, Card
from app.kalooki.faults import Fault
from app.kalooki.referee.building import build_faults, legal_ways
from app.kalooki.referee.meld_faults import meld_faults
from app.kalooki.referee.melds import Laid, Meld, face, in_suit_order, readings
from app.kalooki.referee.verdict import Verdict, joker_warnings, pack_faults, question_after, rules_applied
from app.kalooki.variants import Variant


class Freed(NamedTuple):
    """One way to free jokers: the naturals given, the meld before and after it, and the number of jokers released."""

    give: tuple[Card, ...]
    before: Meld
    after: Meld
    released: int


WaysOrFaults = tuple[list[Freed], list[Fault]]
"""The legal ways to free or move jokers; if there are none, the faults."""


class JokerVerdict(Verdict):
    """A ruling on freeing or moving jokers. `ways` are all legal ways; the other fields describe the first.

    `released` is the number of jokers that leave the meld, 0 if the joker only moves along its run.
    """

    released: int = 0
    result: Meld | None = None
    closed: bool = False
    ways: tuple[Freed, ...] = ()


def check_joker(on: Sequence[Card], give: Sequence[Card], variant: Variant, opened: bool = True) -> JokerVerdict:
    """Return the ruling on giving naturals for jokers of the meld `on`, by a player who has `opened` or not."""
    before = readings(on, variant)
    faults = list(pack_faults([*on, *give], variant))
    if not opened:
        faults.append(Fault("joker-after-opening"))
    if not before:
        faults += meld_faults(on, variant)
    ways, more_faults = judge(before, give, variant)
    unstated = joker_warnings(before, [way.before for way in ways])
    return _verdict(ways, (*faults, *more_faults), unstated, variant)


def judge(before: Sequence[Meld], give: Sequence[Card], variant: Variant) -> WaysOrFaults:
    """Return every legal way in which naturals free or move jokers of a meld with the readings `before`.

    If there is none, return the faults for the closest reading.
    """
    offered = [*_offer_faults(before, give)]
    if offered or not before:
        return [], offered
    tried = [(_from_set if meld.kind == "set" else _from_run)(meld, give, variant) for meld in before]
    ways = [way for possible, _ in tried for way in possible]
    closest = min((faults for _, faults in tried), key=lambda faults: (len(faults), _count_unusable(faults)))
    return ways, [] if ways else closest


def _count_unusable(faults: Sequence[Fault]) -> int:
    """Return the number of cards offered that the meld cannot use."""
    return sum(len(fault.cards) for fault in faults if fault.facts.get("case") == "wrong")


def _verdict(
    ways: list[Freed], faults: tuple[Fault, ...], unstated: tuple[Fault, ...], variant: Variant
) -> JokerVerdict:
    rules = ["joker-after-opening", "joker-for-naturals", "more-than-the-pack"]
    if faults:
        return JokerVerdict(faults=faults, rules=rules_applied(rules, faults))
    first = ways[0]
    rules += [_set_rule(first.before, variant)[0]] if first.before.kind == "set" else ["joker-from-run"]
    rules += ["freed-joker"] if first.released else []
    ask = question_after(way.after for way in ways)
    return JokerVerdict(
        rules=rules_applied(rules + (["declaring-a-joker"] if ask else []), unstated),
        ask=ask,
        warnings=unstated,
        released=first.released,
        result=first.after,
        closed=first.after.is_closed(variant),
        ways=tuple(ways),
    )


def _offer_faults(before: Sequence[Meld], give: Sequence[Card]) -> Iterator[Fault]:
    """Yield the faults that do not depend on the kind of meld: no joker to free, no card offered, a joker offered."""
    if before and not before[0].jokers:
        yield Fault("joker-for-naturals", before[0].cards, {"case": "no-joker"})
    if not give:
        yield Fault("joker-for-naturals", facts={"case": "nothing"})
    jokers = tuple(card for card in give if card.is_joker)
    if jokers:
        yield Fault("joker-for-naturals", jokers, {"case": "joker"})


def _from_run(run: Meld, give: Sequence[Card], variant: Variant) -> WaysOrFaults:
    if variant.joker_from_run == "never":
        return [], [Fault("joker-from-run", run.jokers, {"case": "never"})]
    wrong = _unwanted_cards(give, [face(joker) for joker in run.jokers])
    if wrong:
        return [], [Fault("joker-from-run", wrong, {"case": "wrong"})]
    if variant.joker_from_run == "moves":
        ways = [Freed(tuple(give), run, way.after, 0) for way in legal_ways([run], give, variant)]
        return ways, [] if ways else [*build_faults([run], give, variant)]
    swapped = tuple(face(card) if face(card) in give else card for card in run.cards)
    return [Freed(tuple(give), run, Meld("run", swapped), len(give))], []


def _from_set(meld: Meld, give: Sequence[Card], variant: Variant) -> WaysOrFaults:
    rule, needed = _set_rule(meld, variant)
    if needed == "never":
        return [], [Fault(rule, meld.jokers, {"case": "never"})]
    each, most = (1, len(meld.jokers)) if needed == "one" else (2, 2)
    wrong = _unwanted_cards(give, _missing_naturals(meld, variant))
    faults = [Fault(rule, wrong, {"case": "wrong"})] if wrong else []
    if len(give) < each:
        faults.append(Fault(rule, tuple(give), {"case": "few"}))
    elif len(give) > most:
        faults.append(Fault("joker-for-naturals", tuple(give), {"case": "many", "needed": most}))
    if faults:
        return [], faults
    released = len(give) // each
    return [Freed(tuple(give), meld, _without_jokers(meld, give, released), released)], []


def _set_rule(meld: Meld, variant: Variant) -> tuple[str, str]:
    """Return the rule about the jokers of this set, and its value: "never", or the naturals that free a joker."""
    if variant.sets_keep_jokers:
        return "joker-from-set", "never"
    if len(meld.cards) >= variant.set_limit:
        return "joker-from-full-set", variant.joker_from_full_set
    if len(meld.jokers) > 1:
        return "joker-from-two-joker-set", variant.joker_from_two_joker_set
    return "joker-from-set", variant.joker_from_set


def _missing_naturals(meld: Meld, variant: Variant) -> list[Card]:
    """Return the naturals that a set can still take: those of missing suits, or all of its rank if suits are free."""
    rank = next(face(card).rank for card in meld.cards if card != JOKER)
    suits = [card.suit for card in meld.cards if not card.is_joker]
    if variant.set_suits == "free":
        return [Card(rank, suit) for suit in SUITS] * variant.packs
    return [Card(rank, suit) for suit in SUITS if suit not in suits]


def _without_jokers(meld: Meld, give: Sequence[Card], released: int) -> Meld:
    """Return the set after jokers were freed.

    Jokers declared as one of the cards given leave first; if such a joker stays, it is no longer declared.
    """
    leaving = sorted(meld.jokers, key=lambda joker: face(joker) not in give)[:released]
    staying = list(meld.cards)
    for joker in leaving:
        staying.remove(joker)
    remaining = [JOKER if card.is_joker and face(card) in give else card for card in staying]
    return Meld("set", in_suit_order(Laid.of([*remaining, *give])))


def _unwanted_cards(give: Sequence[Card], wanted: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards in `give` that are not in `wanted`, in the order given."""
    open_places = list(wanted)
    unwanted = []
    for card in give:
        if card in open_places:
            open_places.remove(card)
        else:
            unwanted.append(card)
    return tuple(unwanted)
