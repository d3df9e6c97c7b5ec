"""What a player says they have left: cards or points, kept as text until the scorer saves the hand."""

from __future__ import annotations

from app.forms.hand import sorted_out
from app.kalooki.cards import Malformed, parse_left, write
from app.kalooki.readers import whole_typed
from app.kalooki.variants import Variant

MOST_POINTS_DIGITS = 4
SUM = "="
"""Marks points, because 10 is also a card."""
OUT = "out"
"""Says that the player went out."""


def count_of(cards: str, points: str, variant: Variant) -> str:
    """The count as stored: cards in canonical notation, or points such as `=35`; empty if nothing was typed.

    Raises Malformed naming the field.
    """
    cards, points = sorted_out(cards.strip(), points.strip())
    if cards:
        return write(parse_left(cards, "cards", variant.colour_scores))
    if not points:
        return ""
    number = whole_typed(points, MOST_POINTS_DIGITS)
    if number is None:
        raise Malformed("“{word}” is no whole number.", "points", points)
    return f"{SUM}{number}"


def as_fields(counts: dict[int, str]) -> dict[str, str]:
    """Players' own counts as fields of the hand form; if several say that they went out, none is believed.

    >>> as_fields({2: "K Q", 3: "=35", 4: "out"})
    {'cards-2': 'K Q', 'points-3': '35', 'winner': '4'}
    >>> as_fields({2: "out", 4: "out"})
    {}
    """
    out = [seat for seat, kept in counts.items() if kept == OUT]
    counted = {
        f"points-{seat}" if kept.startswith(SUM) else f"cards-{seat}": kept.removeprefix(SUM)
        for seat, kept in counts.items()
        if kept != OUT
    }
    return counted | ({"winner": str(out[0])} if len(out) == 1 else {})
