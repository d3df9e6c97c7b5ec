"""Rulings on the melds on the table: adding cards to them, and freeing or moving their jokers.

A meld on the table with undeclared jokers has several readings; a build or an exchange is legal if it is legal for any
of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from app.kalooki.cards import JOKER, SUITS, Card
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import (
    JOKER_AS,
    RANK_AT,
    TOP,
    Laid,
    Meld,
    Verdict,
    face,
    in_suit_order,
    joker_warnings,
    jokers_touch,
    kind_faults,
    meld_faults,
    meld_rules,
    pack_faults,
    points,
    question_after,
    readings,
    rules_applied,
)
from app.kalooki.variants import Variant

# ---- Builds


class Ends(NamedTuple):
    """The number of cards built on each end of one run in this turn."""

    low: int = 0
    high: int = 0


UNBUILT = Ends()


class Built(NamedTuple):
    """One way to place a build: the meld before and after it, and the cards added to each end of a run."""

    before: Meld
    after: Meld
    ends: Ends = UNBUILT

    def gain(self, variant: Variant) -> int:
        """Return the points by which the build raises the meld's value."""
        return points(self.after, variant) - points(self.before, variant)


class BuildVerdict(Verdict):
    """A ruling on a build.

    `ways` are all legal ways to place it. `result` is the meld after the first of them, `closed` whether it is closed.
    """

    result: Meld | None = None
    closed: bool = False
    ways: tuple[Built, ...] = ()


def check_build(
    on: Sequence[Card], cards: Sequence[Card], variant: Variant, opened: bool = True, built_this_turn: Ends = UNBUILT
) -> BuildVerdict:
    """Return the ruling on building `cards` on the meld `on`, by a player who has `opened` or not.

    `built_this_turn` counts the cards they already built on that run in this turn. Putting a natural in place of a
    joker that moves along its run (rule `joker-from-run`) is a build, too.
    """
    before = readings(on, variant)
    ways = legal_ways(before, cards, variant, built_this_turn)
    faults = list(pack_faults([*on, *cards], variant))
    if not opened:
        faults.append(Fault("build-after-opening"))
    if not before:
        faults += meld_faults(on, variant)
    if not cards:
        faults.append(Fault("building", facts={"case": "none"}))
    elif before and not ways:
        faults += build_faults(before, cards, variant, built_this_turn)
    unstated = joker_warnings(before, [way.before for way in ways])
    return _build_verdict(Laid.of((*on, *cards)), ways if cards else (), tuple(faults), unstated, variant)


def _build_verdict(
    laid: Laid, ways: tuple[Built, ...], faults: tuple[Fault, ...], unstated: tuple[Fault, ...], variant: Variant
) -> BuildVerdict:
    kind = ways[0].after.kind if ways else "run"
    rules = ["building", "build-after-opening", *meld_rules(kind, laid, variant), "more-than-the-pack"]
    rules += ["closed-set"] if kind == "set" else ["run-ends", "build-end-limit"]
    if faults:
        return BuildVerdict(faults=faults, rules=rules_applied(rules, faults))
    ask = question_after(way.after for way in ways)
    return BuildVerdict(
        rules=rules_applied(rules + (["declaring-a-joker"] if ask else []), unstated),
        ask=ask,
        warnings=unstated,
        result=ways[0].after,
        closed=ways[0].after.is_closed(variant),
        ways=ways,
    )


def legal_ways(
    before: Sequence[Meld], cards: Sequence[Card], variant: Variant, built: Ends = UNBUILT
) -> tuple[Built, ...]:
    """Return every legal way to build the cards on a meld with the readings `before`, the high end first."""
    return tuple(way for meld in before for way in _ways(meld, cards, variant) if may_build(way, variant, built))


def _ways(meld: Meld, cards: Sequence[Card], variant: Variant) -> Iterator[Built]:
    """Yield the ways in which the cards fit the meld, ignoring limits on ends and on touching jokers."""
    if meld.kind == "set":
        grown = readings([*meld.cards, *cards], variant)
        yield from (Built(meld, after) for after in grown if after.kind == "set")
        return
    run, rest = _replace_jokers(meld, cards, variant)
    bag = Laid.of(rest)
    most_low = min(bag.size, run.low - variant.bottom)
    for low in range(max(0, bag.size - (TOP - run.high)), most_low + 1):
        ends = Ends(low, bag.size - low)
        below = range(run.low - ends.low, run.low)
        above = range(run.high + 1, run.high + ends.high + 1)
        placed = _place(bag, face(run.cards[0]).suit, [*below, *above])
        if placed is None or len(run.cards) + bag.size > variant.run_most:
            continue
        after = Meld("run", (*map(placed.__getitem__, below), *run.cards, *map(placed.__getitem__, above)))
        yield Built(meld, after, ends)


def _replace_jokers(run: Meld, cards: Sequence[Card], variant: Variant) -> tuple[Meld, tuple[Card, ...]]:
    """Return the run with naturals put in place of its jokers, and the cards to add, including jokers that move."""
    if variant.joker_from_run != "moves":
        return run, tuple(cards)
    naturals = {face(joker): face(joker) for joker in run.jokers if face(joker) in cards}
    rest = list(cards)
    for natural in naturals:
        rest[rest.index(natural)] = JOKER
    return Meld("run", tuple(naturals.get(face(card), card) for card in run.cards)), tuple(rest)


def _place(laid: Laid, suit: str, places: Sequence[int]) -> Mapping[int, Card] | None:
    """Return the card for each place, with bare jokers where there is no other; None if a card fits no place."""
    by_face = {Card(RANK_AT[place], suit): place for place in places}
    by_place = {by_face.get(face(card), 0): card for card in laid.named}
    if 0 in by_place or len(by_place) < len(laid.named):
        return None
    return {place: by_place.get(place) or JOKER_AS[place, suit] for place in places}


def may_build(way: Built, variant: Variant, built: Ends) -> bool:
    """Return whether a way to build keeps the limits on ends and on touching jokers."""
    return not any(_limit_faults(way, variant, built))


def _limit_faults(way: Built, variant: Variant, built: Ends) -> Iterator[Fault]:
    """Yield a fault for each rule about the ends of a run and its jokers that a way to build breaks."""
    limit = variant.build_end_limit
    lay = way.after.cards
    below, above = lay[: way.ends.low], lay[len(lay) - way.ends.high :]
    for added, already in ((below, built.low), (above, built.high)):
        if limit is not None and added and len(added) + already > limit:
            yield Fault("build-end-limit", added, {"count": len(added) + already})
    if variant.run_ends == "high_first" and below and way.after.high < TOP:
        yield Fault("run-ends", below)
    if way.after.kind == "run" and not variant.jokers_together and jokers_touch(way.after.cards):
        yield Fault("jokers-together", way.after.jokers)


def build_faults(
    before: Sequence[Meld], cards: Sequence[Card], variant: Variant, built: Ends = UNBUILT
) -> tuple[Fault, ...]:
    """Return the faults of an illegal build, for the reading of the meld with the fewest."""
    tried = [tuple(_faults_of_reading(meld, cards, variant, built)) for meld in before]
    return min(tried, key=len)


def ways_at(ways: Sequence[Built], end: str | None) -> tuple[Built, ...]:
    """Return the ways that build at the given end ("low" or "high"), only those that build nowhere else if any do."""
    if end is None:
        return tuple(ways)
    other = "high" if end == "low" else "low"
    there = [way for way in ways if getattr(way.ends, end)]
    return tuple([way for way in there if not getattr(way.ends, other)] or there)


def end_faults(
    end: str, before: Sequence[Meld], cards: Sequence[Card], variant: Variant, built: Ends = UNBUILT
) -> tuple[Fault, ...]:
    """Return the faults of a build that is legal only at the other end than the one the player named."""
    stated = [way for meld in before for way in ways_at([*_ways(meld, cards, variant)], end)]
    tried = [tuple(_limit_faults(way, variant, built)) for way in stated]
    return min(tried, key=len, default=(Fault("building", tuple(cards), {"case": end}),))


def _faults_of_reading(meld: Meld, cards: Sequence[Card], variant: Variant, built: Ends) -> Iterator[Fault]:
    ways = [tuple(_limit_faults(way, variant, built)) for way in _ways(meld, cards, variant)]
    if ways:
        yield from min(ways, key=len)
    elif meld.kind == "set":
        closed = meld.is_closed(variant)
        if closed:
            yield Fault("closed-set", tuple(cards))
        for fault in kind_faults("set", Laid.of([*meld.cards, *cards]), variant):
            if fault.rule != "set-size" or not closed:
                yield fault
    else:
        run, rest = _replace_jokers(meld, cards, variant)
        broken = kind_faults("run", Laid.of([*run.cards, *rest]), variant)
        if run != meld and all(fault.rule == "run-length" for fault in broken):
            yield Fault("joker-from-run", tuple(card for card in cards if card not in rest), {"case": "no-room"})
        yield from broken


# ---- Jokers


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
    ways, more_faults = judge_exchange(before, give, variant)
    unstated = joker_warnings(before, [way.before for way in ways])
    return _joker_verdict(ways, (*faults, *more_faults), unstated, variant)


def judge_exchange(before: Sequence[Meld], give: Sequence[Card], variant: Variant) -> WaysOrFaults:
    """Return every legal way in which naturals free or move jokers of a meld with the readings `before`.

    If there is none, return the faults for the closest reading.
    """
    unfit = []
    if before and not before[0].jokers:
        unfit.append(Fault("joker-for-naturals", before[0].cards, {"case": "no-joker"}))
    if not give:
        unfit.append(Fault("joker-for-naturals", facts={"case": "nothing"}))
    jokers = tuple(card for card in give if card.is_joker)
    if jokers:
        unfit.append(Fault("joker-for-naturals", jokers, {"case": "joker"}))
    if unfit or not before:
        return [], unfit
    tried = [(_from_set if meld.kind == "set" else _from_run)(meld, give, variant) for meld in before]
    ways = [way for possible, _ in tried for way in possible]
    if ways:
        return ways, []
    return [], min(
        (faults for _, faults in tried),
        key=lambda faults: (len(faults), sum(len(each.cards) for each in faults if each.facts.get("case") == "wrong")),
    )


def _joker_verdict(
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
    rank = next(face(card).rank for card in meld.cards if card != JOKER)
    is_free = variant.set_suits == "free"
    there = () if is_free else tuple(card.suit for card in meld.cards if not card.is_joker)
    missing = [Card(rank, suit) for suit in SUITS if suit not in there]
    wrong = _unwanted_cards(give, missing * (variant.packs if is_free else 1))
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
