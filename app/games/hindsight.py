"""What the losers of a hand could have laid."""

from __future__ import annotations

from typing import NamedTuple

from app.history.plurals import number_of
from app.kalooki.cards import SUITS, Card
from app.kalooki.game.events import Hand
from app.kalooki.game.state import Game, PlayedHand
from app.kalooki.scoring import points_left
from app.kalooki.solver.solve import MOST_HELD, Laydown, Problem, solve
from app.kalooki.variants import Variant


class LookBack(NamedTuple):
    """One loser in hindsight: the cards left, what they count, and the best lay-down from them.

    `opened` says whether they must have opened, because they had fewer cards than were dealt. A player who had not
    opened needs an opening first; without one, all cards are left. `best` is None if cards were given without suits.
    """

    seat: int
    cards: tuple[Card, ...]
    points: int
    opened: bool
    best: Laydown | None

    @property
    def goal(self) -> str:
        """The goal for which the best lay-down is searched."""
        return "least_points" if self.opened else "open"

    @property
    def words(self) -> str:
        """What could have been done with the cards; ends with a colon if melds follow."""
        best, points = self.best, number_of(self.points, "point")
        if best is None:
            return "The suits were not recorded, so nobody can say."
        if best.possible is None:
            return "There are too many ways to check them all."
        if not self.opened:
            without = f"They could not have opened: none of the {points} could be avoided."
            return "They could have opened with:" if best.possible else without
        if not best.melds:
            return f"None of the {points} could be avoided."
        if not best.points_left:
            return "All of it could have been laid."
        return f"{number_of(best.points_left, 'point')} could not be avoided."


def can_be_looked_at(hand: PlayedHand) -> bool:
    """Return whether the exact cards of any loser of a hand were recorded."""
    event = hand.event
    return isinstance(event, Hand) and any(_is_searchable(left.cards) for left in event.left.values())


def _is_searchable(cards: tuple[Card, ...]) -> bool:
    """Return whether cards can be searched: at least one, not too many, each with its suit."""
    return 0 < len(cards) <= MOST_HELD and all(card.is_joker or card.suit in SUITS for card in cards)


def look_back(game: Game, hand: PlayedHand) -> list[LookBack]:
    """Return a look back at every loser whose cards were recorded, in the order of play."""
    event = hand.event
    if not isinstance(event, Hand):
        return []
    left = {seat: event.left[seat].cards for seat in game.order if seat in event.left and event.left[seat].cards}
    return [_look(seat, cards, hand, event, game.variant) for seat, cards in left.items()]


def _look(seat: int, cards: tuple[Card, ...], hand: PlayedHand, event: Hand, variant: Variant) -> LookBack:
    dealt = hand.dealt + variant.cards_called(event.calls.get(seat, 0))
    look = LookBack(seat, cards, points_left(cards, variant), len(cards) < dealt, None)
    if not _is_searchable(cards):
        return look
    problem = Problem(cards, look.goal, hand_number=hand.number if variant.contracts else 1, throws=False)
    return look._replace(best=solve(problem, variant))
