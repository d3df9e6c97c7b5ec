"""Going out in brief: the melds laid and the card thrown, without the turn step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.referee.turn import TurnVerdict, check_turn
from app.kalooki.referee.turn_steps import OnTable, Step, TurnClaim
from app.kalooki.variants import Variant


@dataclass(frozen=True, kw_only=True)
class LastTurn:
    """All that a player gets rid of in one turn: new melds, builds (meld on the table, cards), and the card thrown.

    `thrown` is empty if nothing was left to throw. `opened` means before this turn; `warned` says whether the player
    announced the few cards left, None if nobody asks.
    """

    melds: tuple[tuple[Card, ...], ...] = ()
    builds: tuple[tuple[tuple[Card, ...], tuple[Card, ...]], ...] = ()
    thrown: tuple[Card, ...] = ()
    opened: bool = False
    warned: bool | None = None
    hand_number: int = 1


def check_going_out(last: LastTurn, variant: Variant) -> TurnVerdict:
    """Whether a player may go out like this, and which ending of the hand it is; the card drawn does not matter.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> last = LastTurn(melds=(parse("7H 8H 9H"),), thrown=parse("2C"), opened=True)
    >>> check_going_out(last, load("european")).ending
    'going_out'
    """
    verdict = check_turn(_as_turn(last), variant)
    return replace(verdict, faults=tuple(map(_without_step, verdict.faults)))


def _as_turn(last: LastTurn) -> TurnClaim:
    table = list(dict.fromkeys(on for on, _ in last.builds))
    laid = [*last.melds, *(cards for _, cards in last.builds), last.thrown]
    held = tuple(card for cards in laid for card in cards)
    return TurnClaim(
        hand=held[:-1],
        steps=(
            *_one("draw", held[-1:]),
            *(Step("meld", cards) for cards in last.melds),
            *(Step("build", cards, on=table.index(on)) for on, cards in last.builds),
            *_one("discard", last.thrown),
        ),
        table=tuple(map(OnTable, table)),
        opened=last.opened,
        warned=last.warned,
        hand_number=last.hand_number,
    )


def _one(do: str, card: tuple[Card, ...]) -> list[Step]:
    """The draw or the discard; none without a card."""
    return [Step(do, card)] if card else []


def _without_step(fault: Fault) -> Fault:
    """The fault without its step, since nobody described this turn step by step."""
    return replace(fault, facts={name: fact for name, fact in fault.facts.items() if name != "step"})
