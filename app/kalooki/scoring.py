"""The points of the cards left in a hand, itemised by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from app.kalooki.cards import COURT, JOKER, PACK, RANKS, Card
from app.kalooki.variants import Variant


class ScoreItem(NamedTuple):
    """Some points, the slug of the rule that counts them, and the cards they are for."""

    points: int
    rule: str
    cards: tuple[Card, ...] = ()


_RULES = {rank: "court-cards" if rank in COURT else "number-cards" for rank in RANKS} | {
    "*": "joker-left",
    "A": "ace-left",
}


@lru_cache(maxsize=8192)
def left_lines(cards: tuple[Card, ...], variant: Variant) -> tuple[ScoreItem, ...]:
    """Return the points of the cards left in a hand, one item for each kind of card in order of first appearance.

    If red and black aces count differently, every ace must have a colour (`parse_left` checks that). Cached, because a
    game is replayed for each entry.
    """
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(_RULES[card.rank], []).append(card)
    return tuple(ScoreItem(points_left(group, variant), rule, tuple(group)) for rule, group in groups.items())


def all_at_once_items(lines: Iterable[ScoreItem], times: int, added: int) -> tuple[ScoreItem, ...]:
    """Return what going out all at once costs a loser (rule `kalooki-effect`), beside the `lines` of their cards.

    That is `added` points, and the points of the cards again if they count several `times`.
    """
    points = added + (times - 1) * sum(line.points for line in lines)
    return (ScoreItem(points, "kalooki-effect"),) if points else ()


def points_left(cards: Iterable[Card], variant: Variant) -> int:
    """Return the total points of cards left in a hand."""
    return sum(map(variant.worth_left.__getitem__, cards))


def can_be_left(points: int, variant: Variant, most_cards: int) -> bool:
    """Return whether some 1 to `most_cards` cards of the variant's packs count exactly `points`."""
    return bool(_possible_sums(_card_values(variant), most_cards) >> points & 1)


def max_points_left(variant: Variant, most_cards: int) -> int:
    """Return the most points that `most_cards` cards left in one hand can count."""
    return _possible_sums(_card_values(variant), most_cards).bit_length() - 1


def _card_values(variant: Variant) -> tuple[tuple[int, int], ...]:
    """Return each point value of a card left in hand, with the number of cards in the packs that have it."""
    cards = [*PACK * variant.packs, *[JOKER] * variant.jokers]
    return tuple(sorted(Counter(variant.worth_left[card] for card in cards).items()))


@lru_cache(maxsize=256)
def _possible_sums(values: tuple[tuple[int, int], ...], most_cards: int) -> int:
    """Return the sums that 1 to `most_cards` cards can have, as a bit set: bit n is set if n is possible."""
    by_count = [1] + [0] * most_cards
    for worth, copies in values:
        for count in range(most_cards, 0, -1):
            for used in range(1, min(copies, count) + 1):
                by_count[count] |= by_count[count - used] << (worth * used)
    sums = 0
    for bits in by_count[1:]:
        sums |= bits
    return sums
