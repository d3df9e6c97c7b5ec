"""What a phone needs to count a hand offline: what cards are worth, how many there are, which sums exist."""

from __future__ import annotations

from typing import Any

from app.kalooki.cards import JOKER, RANKS, Card
from app.kalooki.game.events import Hand
from app.kalooki.game.state import Game
from app.kalooki.scoring import can_be_left, dearest_left
from app.kalooki.variants import Variant

HANDS_BEFORE = 3
"""How far back a table's habit reaches: one hand counted differently does not change it, two do."""


def counting(game: Game) -> dict[str, Any]:
    """Card points by key, copies in the packs, possible sums by calls, the dearest ever, the table's habit."""
    variant = game.variant
    worths = _worths(variant)
    return {
        "keys": list(worths),
        "worths": worths,
        "ranks": 4 * variant.packs,
        "jokers": variant.jokers,
        "colours": variant.colour_scores,
        "dealt": game.dealt,
        "sums": [_sums(variant, game.dealt + 2 * calls) for calls in range(variant.calls + 1)],
        "dearest": dearest_left(variant, max(variant.dealt) + 2 * variant.calls),
        "mode": _habit(game),
    }


def _worths(variant: Variant) -> dict[str, int]:
    """The points of each card under the name of its key: suits do not matter, but the colour of an ace may."""
    aces = (Card("A", "red"), Card("A", "black")) if variant.colour_scores else (Card("A"),)
    cards = [*aces, *(Card(rank) for rank in RANKS if rank != "A"), *([JOKER] if variant.jokers else [])]
    return {str(card): variant.worth_left[card] for card in cards}


def _sums(variant: Variant, most_cards: int) -> dict[str, Any]:
    """The dearest hand of that many cards, and the lower sums that no cards make."""
    dearest = dearest_left(variant, most_cards)
    gaps = [points for points in range(1, dearest) if not can_be_left(points, variant, most_cards)]
    return {"dearest": dearest, "gaps": gaps}


def _habit(game: Game) -> str:
    """How most losers were counted lately, `cards` or `points`; empty before the first hand."""
    hands = [hand.event for hand in game.hands if isinstance(hand.event, Hand)][-HANDS_BEFORE:]
    by_cards = [bool(left.cards) for hand in hands for left in hand.left.values()]
    if not by_cards:
        return ""
    return "cards" if 2 * sum(by_cards) > len(by_cards) else "points"
