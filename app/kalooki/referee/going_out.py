"""Going out in brief: the melds laid and the card thrown, without the turn step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.referee.turn import TurnVerdict, check_turn
from app.kalooki.referee.turn_steps import OnTable, Step, TurnClaim
from app.kalooki.variants import Variant

Cards = tuple[Card, ...]


def last_turn(melds: Sequence[Cards], builds: Sequence[tuple[Cards, Cards]], thrown: Cards, **known: Any) -> TurnClaim:
    """The turn in which a player gets rid of all this: new melds, builds (meld on the table, cards), the card thrown.

    `thrown` is empty if nothing was left to throw; `known` is what else a TurnClaim says.
    """
    table = list(dict.fromkeys(on for on, _ in builds))
    held = tuple(card for cards in (*melds, *(cards for _, cards in builds), thrown) for card in cards)
    steps = [
        Step("draw", held[-1:]),
        *(Step("meld", cards) for cards in melds),
        *(Step("build", cards, on=table.index(on)) for on, cards in builds),
        Step("discard", thrown),
    ]
    filled = tuple(step for step in steps if step.cards or step.do in ("meld", "build"))
    return TurnClaim(hand=held[:-1], steps=filled, table=tuple(map(OnTable, table)), **known)


def check_going_out(claim: TurnClaim, variant: Variant) -> TurnVerdict:
    """Whether a player may go out like this, and which ending of the hand it is; the card drawn does not matter.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> claim = last_turn([parse("7H 8H 9H")], [], thrown=parse("2C"), opened=True)
    >>> check_going_out(claim, load("european")).ending
    'going_out'
    """
    verdict = check_turn(claim, variant)
    return replace(verdict, faults=tuple(map(_without_step, verdict.faults)))


def _without_step(fault: Fault) -> Fault:
    """The fault without its step, since nobody described this turn step by step."""
    return replace(fault, facts={name: fact for name, fact in fault.facts.items() if name != "step"})
