"""A player's first melds in a hand: points against the minimum, or the contract.

The readings of all melds are chosen together: first those that break the fewest rules, then the dearest. Neither the
order of the melds nor the order of their cards matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from app.kalooki.cards import Card, Malformed, in_a_sentence
from app.kalooki.faults import Fault
from app.kalooki.referee.building import UNBUILT, BuildVerdict, Built, Ends, check_build, on_a_new_run
from app.kalooki.referee.meld_faults import meld_faults
from app.kalooki.referee.melds import Laid, Meld, face, points, readings
from app.kalooki.referee.verdict import JokerQuestion, Verdict, meld_rules, pack_faults, question, rules_applied
from app.kalooki.variants import Variant

MOST_UNSURE = 8
"""A meld that can be a set or a run has at least two jokers, and there are at most sixteen."""

Build = tuple[Sequence[Card], Sequence[Card]]
"""A meld on the table and the cards built on it."""

Builds = Mapping[tuple[Card, ...], tuple[Card, ...]]
"""All cards built, by the meld on the table (its cards in the order of their notation)."""


class Reading(NamedTuple):
    """One way to read a meld: as it was when first laid, as it is now, and what this turn built on it.

    `built` counts the cards at each end of a run, `gained` the points they add.
    """

    first: Meld
    now: Meld
    built: Ends = UNBUILT
    gained: int = 0

    def grown(self, way: Built, variant: Variant) -> Reading:
        """The reading after something more was built on the meld."""
        ends = Ends(self.built.low + way.ends.low, self.built.high + way.ends.high)
        return Reading(self.first, way.after, ends, self.gained + way.gain(variant))


class Opening(NamedTuple):
    """What a player lays to open: the melds in their best reading, their points with the builds that count, faults."""

    melds: tuple[Meld, ...]
    points: int
    faults: tuple[Fault, ...]


class OpeningVerdict(Verdict):
    """A ruling on an opening; `readings` are the melds as they were read.

    `needed` is the minimum in points, None if the hand has a `contract` (sets, runs).
    """

    points: int = 0
    needed: int | None = None
    contract: tuple[int, int] | None = None


def check_opening(
    melds: Sequence[Sequence[Card]],
    builds: Sequence[Build],
    variant: Variant,
    hand_number: int = 1,
    kalooki: bool = False,
) -> OpeningVerdict:
    """Whether a player may open with these new melds and builds in one turn.

    `hand_number` counts from 1 and matters if hands have contracts; `kalooki` claims that the whole hand is laid.
    Raises Malformed if there is no such hand.
    """
    contract = contract_of(variant, hand_number)
    gathered = _by_meld(builds)
    built = {on: check_build(on, cards, variant) for on, cards in gathered.items()}
    found, elsewhere = _new_melds(melds, built, variant)
    gained = sum(verdict.points for verdict in elsewhere) if variant.builds_count else 0
    exempt = kalooki and variant.kalooki_below_opening and (variant.kalooki_builds or not gathered)
    opening = open_with([each for each in found if each], gained, variant, contract, exempt)
    faults = [
        *pack_faults(_all_cards(melds, gathered), variant),
        *(fault for cards in melds for fault in meld_faults(cards, variant)),
        *(fault for fault in _build_faults(melds, built) if fault.rule != "more-than-the-pack"),
        *_builds_out_of_place(gathered, variant, kalooki),
        *(() if kalooki or opening_is_asked(variant, hand_number) else melds_over_the_limit(len(melds), variant)),
        *opening.faults,
    ]
    said = [] if faults else [fault for verdict in elsewhere for fault in verdict.warnings]
    return OpeningVerdict(
        faults=tuple(faults),
        rules=rules_applied(_rules(opening, gathered, variant, kalooki), [*faults, *said]),
        readings=opening.melds,
        ask=None if faults else _first_question(melds, found),
        warnings=(*said, *(_kalooki_warnings(melds, variant) if kalooki else ())),
        points=opening.points,
        needed=None if contract else variant.opening_points,
        contract=contract,
    )


def contract_of(variant: Variant, hand_number: int) -> tuple[int, int] | None:
    """Sets and runs of the hand's contract, None if the variant has none; Malformed for a hand without one."""
    contract = variant.contract(hand_number)
    if variant.contracts and contract is None:
        raise Malformed(
            "There is no hand {word}; hands are 1 to {most}.", "hand_number", hand_number, most=len(variant.contracts)
        )
    return contract


def opening_is_asked(variant: Variant, hand_number: int) -> bool:
    """Whether points or a contract are needed to open: such a turn may lay any number of melds."""
    return bool(variant.opening_points) or variant.contract(hand_number) is not None


def melds_over_the_limit(count: int, variant: Variant) -> Iterator[Fault]:
    """More new melds than one turn may have, unless the turn is free of that (rule `one-meld-a-turn`)."""
    if variant.melds_a_turn is not None and count > variant.melds_a_turn:
        yield Fault("one-meld-a-turn", facts={"count": count})


def _by_meld(builds: Sequence[Build]) -> Builds:
    """All cards built on each meld; naming a meld twice names one meld."""
    gathered: dict[tuple[Card, ...], tuple[Card, ...]] = {}
    for on, cards in builds:
        key = _bag(on)
        gathered[key] = gathered.get(key, ()) + tuple(cards)
    return gathered


def _bag(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=str))


def _new_melds(
    melds: Sequence[Sequence[Card]], built: Mapping[tuple[Card, ...], BuildVerdict], variant: Variant
) -> tuple[list[list[Reading]], Collection[BuildVerdict]]:
    """Each new meld in the ways that leave room for what is built on it at once, and the builds on other melds."""
    elsewhere = dict(built)
    found = []
    for cards in melds:
        verdict = elsewhere.pop(_bag(cards), None)
        ways = verdict.ways if verdict else ()
        found.append(
            [Reading(way.before, way.before).grown(way, variant) for way in ways]
            or [Reading(meld, meld) for meld in readings(cards, variant)]
        )
    return found, elsewhere.values()


def _build_faults(melds: Sequence[Sequence[Card]], built: Mapping[tuple[Card, ...], BuildVerdict]) -> Iterator[Fault]:
    laid = set(map(_bag, melds))
    for on, verdict in built.items():
        yield from on_a_new_run(verdict.faults) if _bag(on) in laid else verdict.faults


def _all_cards(melds: Sequence[Sequence[Card]], builds: Builds) -> Iterator[Card]:
    """Every card of the claim once, even those of a new meld that is built on at once."""
    laid = set(map(_bag, melds))
    for cards in (*melds, *builds.values(), *(on for on in builds if on not in laid)):
        yield from cards


def open_with(
    found: Sequence[Sequence[Reading]], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    """The best opening with new melds whose readings are `found`; builds on other melds add `gained` points."""
    dearest = [sorted(ways, key=lambda new: -_counted(new, variant)) for ways in found]
    return min(
        (_judged(new, gained, variant, contract, exempt) for new in assignments(dearest)),
        key=lambda opening: (len(opening.faults), -opening.points),
    )


def _counted(new: Reading, variant: Variant) -> int:
    """What a new meld counts in an opening, including what is built on it."""
    return points(new.first, variant) + (new.gained if variant.builds_count else 0)


def assignments(found: Sequence[Sequence[Reading]]) -> Iterator[tuple[Reading, ...]]:
    """Every way to read some melds together: as set or run, in the first reading of each kind."""
    options = [list({new.first.kind: new for new in reversed(ways)}.values())[::-1] for ways in found]
    unsure = [number for number, kinds in enumerate(options) if len(kinds) > 1]
    for number in unsure[MOST_UNSURE:]:
        options[number] = options[number][:1]
    return product(*options)


def _judged(
    new: tuple[Reading, ...], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    melds = tuple(each.first for each in new)
    total = gained + sum(_counted(each, variant) for each in new)
    faults = [*repetition_faults(melds, variant)]
    if not melds:
        faults.append(Fault("builds-open"))
    if contract:
        faults += _contract_faults(melds, contract)
    elif total < variant.opening_points and not exempt:
        faults.append(Fault("opening-points", facts={"points": total}))
    return Opening(melds, total, tuple(faults))


def _contract_faults(melds: Sequence[Meld], contract: tuple[int, int]) -> Iterator[Fault]:
    laid = Counter(meld.kind for meld in melds)
    sets, runs = contract
    if laid["set"] < sets or laid["run"] < runs:
        facts = {"sets": sets, "runs": runs, "laid_sets": laid["set"], "laid_runs": laid["run"]}
        yield Fault("contract", facts=facts)


def repetition_faults(melds: Iterable[Meld], variant: Variant) -> Iterator[Fault]:
    """Runs of one suit and sets of one rank beyond what one player may lay in a hand."""
    by_kind: dict[tuple[str, str], list[Meld]] = {}
    for meld in melds:
        first = next(face(card) for card in meld.cards if face(card).rank != "*")
        by_kind.setdefault((meld.kind, first.suit if meld.kind == "run" else first.rank), []).append(meld)
    allowed = {"run": variant.runs_of_one_suit, "set": variant.sets_of_one_rank}
    slugs = {"run": "runs-of-one-suit", "set": "sets-of-one-rank"}
    for (kind, _), alike in by_kind.items():
        if allowed[kind] == "one" and len(alike) > 1:
            apart = " / ".join(in_a_sentence(meld.cards) for meld in alike)
            yield Fault(slugs[kind], tuple(card for meld in alike for card in meld.cards), {"melds": apart})


def _builds_out_of_place(builds: Builds, variant: Variant, kalooki: bool) -> Iterator[Fault]:
    cards = tuple(card for built in builds.values() for card in built)
    if builds and not variant.build_same_turn:
        yield Fault("build-same-turn", cards)
    if builds and kalooki and not variant.kalooki_builds:
        yield Fault("kalooki", cards, {"case": "built", "values": ("kalooki_builds",)})


def _rules(opening: Opening, builds: Builds, variant: Variant, kalooki: bool) -> list[str]:
    rules = ["contract" if variant.contracts else "opening-points", "more-than-the-pack"]
    rules += ["builds-open", "building", "build-same-turn"] if builds else []
    rules += ["kalooki", "kalooki-below-opening"] if kalooki else []
    rules += ["one-meld-a-turn"] if len(opening.melds) > 1 else []
    kinds = {meld.kind for meld in opening.melds}
    rules += ["runs-of-one-suit"] if "run" in kinds else []
    rules += ["sets-of-one-rank"] if "set" in kinds else []
    return rules + [rule for meld in opening.melds for rule in meld_rules(meld.kind, Laid.of(meld.cards), variant)]


def _first_question(melds: Sequence[Sequence[Card]], found: Sequence[Sequence[Reading]]) -> JokerQuestion | None:
    readable = [tuple(dict.fromkeys(new.first for new in ways)) for ways in found]
    asked = (question(cards, legal) for cards, legal in zip(melds, readable, strict=True))
    return next((each for each in asked if each), None)


def _kalooki_warnings(melds: Sequence[Sequence[Card]], variant: Variant) -> Iterator[Fault]:
    """Odd, but for the table to judge: a Kalooki that does not lay as many cards as are dealt."""
    laid = sum(map(len, melds))
    expected = {cards + spare for cards in variant.dealt for spare in ((0,) if variant.last_discard else (0, 1))}
    if not variant.contracts and laid not in expected:
        yield Fault("kalooki", facts={"case": "count", "count": laid})
