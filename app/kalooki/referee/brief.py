"""Turns described without their steps: openings, and turns in which a player goes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import Laid
from app.kalooki.referee.opening import Opening, melds_over_the_limit, opening_has_minimum
from app.kalooki.referee.turn import TurnVerdict, check_turn
from app.kalooki.referee.turn_steps import OnTable, Step, TurnClaim, replay
from app.kalooki.referee.verdict import Verdict, meld_rules, rules_applied
from app.kalooki.variants import Variant

Cards = tuple[Card, ...]
Build = tuple[Cards, Cards]
"""A meld (on the table or new) and the cards built on it."""


class OpeningVerdict(Verdict):
    """A ruling on an opening; `readings` has one reading of each meld.

    `points` is what the opening counts, `needed` the minimum; it is None if the hand has a `contract` (sets, runs).
    """

    points: int = 0
    needed: int | None = None
    contract: tuple[int, int] | None = None


_DECIDED_AS_A_WHOLE = ("draw-first", "build-after-opening", "build-same-turn", "runs-of-one-suit", "sets-of-one-rank")
"""Rules whose faults in the replayed turn are ignored: the opening as a whole decides them, in whatever order."""


def check_opening(
    melds: Sequence[Cards], builds: Sequence[Build], variant: Variant, hand_number: int = 1, kalooki: bool = False
) -> OpeningVerdict:
    """Return the ruling on opening with these new melds and builds in one turn.

    `hand_number` counts from 1 and matters if hands have contracts. `kalooki` claims that the whole hand is laid.
    Raises BadInput if the variant has contracts but none for this hand.
    """
    turn = replay(brief_turn(melds, builds, hand_number=hand_number), variant)
    exempt = kalooki and variant.kalooki_below_opening and (variant.kalooki_builds or not builds)
    opening = turn.opening(exempt)
    faults = [
        *(
            _without_place(fault)
            for fault in sorted(turn.faults, key=lambda fault: "on" in fault.facts)
            if fault.rule not in _DECIDED_AS_A_WHOLE
        ),
        *_builds_out_of_place(builds, variant, kalooki),
        *(() if kalooki or opening_has_minimum(variant, hand_number) else melds_over_the_limit(len(melds), variant)),
        *opening.faults,
    ]
    joker_warnings = [] if faults else turn.joker_warnings
    return OpeningVerdict(
        faults=tuple(faults),
        rules=rules_applied(_rules(opening, builds, variant, kalooki), [*faults, *joker_warnings]),
        readings=opening.melds,
        ask=None if faults else turn.question(),
        warnings=(*joker_warnings, *(_kalooki_warnings(melds, variant) if kalooki else ())),
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
    """Yield a warning if a Kalooki does not lay as many cards as are dealt."""
    card_count = sum(map(len, melds))
    expected = {cards + spare for cards in variant.dealt for spare in ((0,) if variant.last_discard else (0, 1))}
    if not variant.contracts and card_count not in expected:
        yield Fault("kalooki", facts={"case": "count", "count": card_count})


def brief_turn(melds: Sequence[Cards], builds: Sequence[Build], **known: Any) -> TurnClaim:
    """Return the turn that lays these new melds and builds, without a draw or discard.

    All builds on one meld become one step. `known` has further fields of the TurnClaim.
    """
    built: dict[Cards, Cards] = {}
    for on, cards in builds:
        built[_sorted_cards(on)] = built.get(_sorted_cards(on), ()) + tuple(cards)
    bags = [*map(_sorted_cards, melds)]
    table = {_sorted_cards(on): OnTable(tuple(on)) for on, _ in builds if _sorted_cards(on) not in bags}
    places = [*table, *bags]
    steps = (
        *(Step("meld", tuple(cards)) for cards in melds),
        *(Step("build", cards, on=places.index(on)) for on, cards in built.items()),
    )
    hand = tuple(card for step in steps for card in step.cards)
    return TurnClaim(hand=hand, steps=steps, table=tuple(table.values()), **known)


def _sorted_cards(cards: Iterable[Card]) -> Cards:
    """Return cards sorted by notation, so that the same meld in another order is recognised."""
    return tuple(sorted(cards, key=str))


def last_turn(melds: Sequence[Cards], builds: Sequence[Build], thrown: Cards, **known: Any) -> TurnClaim:
    """Return the turn in which a player goes out with these cards; `thrown` is empty if no card was left to throw."""
    brief = brief_turn(melds, builds, **known)
    hand = (*brief.hand, *thrown)
    draw, discard = Step("draw", hand[-1:]), Step("discard", thrown)
    steps = (*([draw] if hand else ()), *brief.steps, *([discard] if thrown else ()))
    return replace(brief, hand=hand[:-1], steps=steps)


def check_going_out(claim: TurnClaim, variant: Variant) -> TurnVerdict:
    """Return the ruling on going out with this turn; it does not matter which card was drawn.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> claim = last_turn([parse("7H 8H 9H")], [], thrown=parse("2C"), opened=True)
    >>> check_going_out(claim, load("european")).ending
    'going_out'
    """
    verdict = check_turn(claim, variant)
    return replace(verdict, faults=tuple(map(_without_place, verdict.faults)))


def _without_place(fault: Fault) -> Fault:
    """Return the fault without its step and meld number, since this turn was not described step by step."""
    return replace(fault, facts={name: fact for name, fact in fault.facts.items() if name not in ("step", "on")})
