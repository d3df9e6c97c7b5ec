"""Is it the same hand? Two people who record the same hand mean one hand, not two."""

from __future__ import annotations

from collections.abc import Sequence

from app.kalooki.game.corrections import Entry, standing
from app.kalooki.game.events import Hand
from app.kalooki.game.hands import held_points
from app.kalooki.variants import Variant


def same_hand(one: Hand, other: Hand, variant: Variant) -> bool:
    """Whether two hands say the same: winner, ending, calls, and what each loser held, by cards or by their sum."""
    return _said(one, variant) == _said(other, variant)


def _said(hand: Hand, variant: Variant) -> tuple[object, ...]:
    held = {seat: held_points(left, variant) for seat, left in hand.left.items()}
    calls = {seat: made for seat, made in hand.calls.items() if made and variant.calls}
    return hand.winner, hand.ending, held, calls


def new_hands(log: Sequence[Entry], seen: int) -> list[int]:
    """The entries that stand as a hand now and did not when the log had `seen` entries, in the order of the hands.

    A hand taken back since is none; a hand brought back since is one; a hand corrected since is no new one.
    """
    known = {number for number, event in standing(log[:seen]) if isinstance(event, Hand)}
    return [number for number, event in standing(log) if isinstance(event, Hand) and number not in known]
