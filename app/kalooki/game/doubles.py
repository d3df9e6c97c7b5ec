"""Detects doubles: one hand of the table, recorded by two people."""

from __future__ import annotations

from collections.abc import Sequence

from app.kalooki.game.corrections import Entry, standing
from app.kalooki.game.events import Hand
from app.kalooki.game.hands import calls_told, held_points
from app.kalooki.variants import Variant


def same_hand(one: Hand, other: Hand, variant: Variant) -> bool:
    """Whether two hands agree: winner, ending, calls, and what each loser had left, by cards or by points."""
    return _said(one, variant) == _said(other, variant)


def _said(hand: Hand, variant: Variant) -> tuple[object, ...]:
    held = {seat: held_points(left, variant) for seat, left in hand.left.items()}
    return hand.winner, hand.ending, held, calls_told(variant, hand)


def new_hands(log: Sequence[Entry], seen: int) -> list[int]:
    """The entries that stand as a hand now, and did not when the log had `seen` entries, in the order of the hands.

    A hand undone since does not count, a hand brought back does, and a corrected hand is not new.
    """
    known = {number for number, event in standing(log[:seen]) if isinstance(event, Hand)}
    return [number for number, event in standing(log) if isinstance(event, Hand) and number not in known]
