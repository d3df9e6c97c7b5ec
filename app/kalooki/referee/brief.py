"""A turn told in brief, without its steps: an opening, and the turn in which a player goes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import Laid
from app.kalooki.referee.opening import Opening, melds_over_the_limit, opening_is_asked
from app.kalooki.referee.turn import TurnVerdict, check_turn
from app.kalooki.referee.turn_steps import OnTable, Step, TurnClaim, replay
from app.kalooki.referee.verdict import Verdict, meld_rules, rules_applied
from app.kalooki.variants import Variant

Cards = tuple[Card, ...]
Build = tuple[Cards, Cards]
"""A meld, on the table or new, and the cards built on it."""


class OpeningVerdict(Verdict):
    """A ruling on an opening; `readings` are the melds as they were read.

    `needed` is the minimum in points, None if the hand has a `contract` (sets, runs).
    """

    points: int = 0
    needed: int | None = None
    contract: tuple[int, int] | None = None


_JUDGED_HERE = ("draw-first", "build-after-opening", "build-same-turn", "runs-of-one-suit", "sets-of-one-rank")
"""Rules that an opening as a whole decides, whatever the order of its melds and builds."""


def check_opening(
    melds: Sequence[Cards], builds: Sequence[Build], variant: Variant, hand_number: int = 1, kalooki: bool = False
) -> OpeningVerdict:
    """Whether a player may open with these new melds and builds in one turn.

    `hand_number` counts from 1 and matters if hands have contracts; `kalooki` claims that the whole hand is laid.
    Raises BadInput if there is no such hand.
    """
    turn = replay(brief_turn(melds, builds, hand_number=hand_number), variant)
    exempt = kalooki and variant.kalooki_below_opening and (variant.kalooki_builds or not builds)
    opening = turn.opening(exempt)
    faults = [
        *(
            _without_place(fault)
            for fault in sorted(turn.faults, key=lambda fault: "on" in fault.facts)
            if fault.rule not in _JUDGED_HERE
        ),
        *_builds_out_of_place(builds, variant, kalooki),
        *(() if kalooki or opening_is_asked(variant, hand_number) else melds_over_the_limit(len(melds), variant)),
        *opening.faults,
    ]
    unsaid = [] if faults else turn.unsaid
    return OpeningVerdict(
        faults=tuple(faults),
        rules=rules_applied(_rules(opening, builds, variant, kalooki), [*faults, *unsaid]),
        readings=opening.melds,
        ask=None if faults else turn.question(),
        warnings=(*unsaid, *(_kalooki_warnings(melds, variant) if kalooki else ())),
        points=opening.points,
        needed=None if turn.contract else variant.opening_points,
        contract=turn.contract,
    )


def _builds_out_of_place(builds: Sequence[Build], variant: Variant, kalooki: bool) -> Iterator[Fault]:
    cards = tuple(card for _, built in builds for card in built)
    if builds and not variant.build_same_turn:
        yield Fault("build-same-turn", cards)
    if builds and kalooki and not variant.kalooki_builds:
        yield Fault("kalooki", cards, {"case": "built", "values": ("kalooki_builds",)})


def _rules(opening: Opening, builds: Sequence[Build], variant: Variant, kalooki: bool) -> list[str]:
    rules = ["contract" if variant.contracts else "opening-points", "more-than-the-pack"]
    rules += ["builds-open", "building", "build-same-turn"] if builds else []
    rules += ["kalooki", "kalooki-below-opening"] if kalooki else []
    rules += ["one-meld-a-turn"] if len(opening.melds) > 1 else []
    kinds = {meld.kind for meld in opening.melds}
    rules += ["runs-of-one-suit"] if "run" in kinds else []
    rules += ["sets-of-one-rank"] if "set" in kinds else []
    return rules + [rule for meld in opening.melds for rule in meld_rules(meld.kind, Laid.of(meld.cards), variant)]


def _kalooki_warnings(melds: Sequence[Cards], variant: Variant) -> Iterator[Fault]:
    """Odd, but for the table to judge: a Kalooki that does not lay as many cards as are dealt."""
    card_count = sum(map(len, melds))
    expected = {cards + spare for cards in variant.dealt for spare in ((0,) if variant.last_discard else (0, 1))}
    if not variant.contracts and card_count not in expected:
        yield Fault("kalooki", facts={"case": "count", "count": card_count})


def brief_turn(melds: Sequence[Cards], builds: Sequence[Build], **known: Any) -> TurnClaim:
    """Return the turn of some new melds and builds, without draw and discard.

    All that is built on a meld is built at once.
    `known` is what else a TurnClaim says.
    """
    built: dict[Cards, Cards] = {}
    for on, cards in builds:
        built[_bag(on)] = built.get(_bag(on), ()) + tuple(cards)
    bags = [*map(_bag, melds)]
    table = {_bag(on): OnTable(tuple(on)) for on, _ in builds if _bag(on) not in bags}
    places = [*table, *bags]
    steps = (
        *(Step("meld", tuple(cards)) for cards in melds),
        *(Step("build", cards, on=places.index(on)) for on, cards in built.items()),
    )
    hand = tuple(card for step in steps for card in step.cards)
    return TurnClaim(hand=hand, steps=steps, table=tuple(table.values()), **known)


def _bag(cards: Iterable[Card]) -> Cards:
    """Return cards in the order of their notation: to name a meld twice, in any order, is to name one meld."""
    return tuple(sorted(cards, key=str))


def last_turn(melds: Sequence[Cards], builds: Sequence[Build], thrown: Cards, **known: Any) -> TurnClaim:
    """Return the turn in which a player gets rid of all this; `thrown` is empty if nothing was left to throw."""
    brief = brief_turn(melds, builds, **known)
    hand = (*brief.hand, *thrown)
    draw, discard = Step("draw", hand[-1:]), Step("discard", thrown)
    steps = (*([draw] if hand else ()), *brief.steps, *([discard] if thrown else ()))
    return replace(brief, hand=hand[:-1], steps=steps)


def check_going_out(claim: TurnClaim, variant: Variant) -> TurnVerdict:
    """Whether a player may go out like this, and which ending of the hand it is; the card drawn does not matter.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> claim = last_turn([parse("7H 8H 9H")], [], thrown=parse("2C"), opened=True)
    >>> check_going_out(claim, load("european")).ending
    'going_out'
    """
    verdict = check_turn(claim, variant)
    return replace(verdict, faults=tuple(map(_without_place, verdict.faults)))


def _without_place(fault: Fault) -> Fault:
    """Return the fault without its step and its meld's number, since nobody described this turn step by step."""
    return replace(fault, facts={name: fact for name, fact in fault.facts.items() if name not in ("step", "on")})
