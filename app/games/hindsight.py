"""What the losers of a hand could have laid."""

from __future__ import annotations

from typing import NamedTuple

from app.history.formats import number_of
from app.kalooki.cards import SUITS, Card
from app.kalooki.game.events import Hand
from app.kalooki.game.state import Game, PlayedHand
from app.kalooki.referee.melds import points
from app.kalooki.scoring import points_left
from app.kalooki.solver.solve import MOST_HELD, Laydown, Problem, solve
from app.kalooki.variants import Variant


class LookBack(NamedTuple):
    """One loser in hindsight: the cards left, what they count, and the best lay-down from them.

    `opened` says whether they must have opened, because they had fewer cards than were dealt. A player who had not
    opened needs an opening first; without one, all cards are left. `best` is None if cards were given without suits.
    `reached` is what the melds come to that fall short of the opening.
    """

    seat: int
    cards: tuple[Card, ...]
    points: int
    opened: bool
    variant: Variant
    best: Laydown | None = None
    reached: int = 0

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
            short = f" with {self.reached} of {self.variant.opening_points}" if self.reached else ""
            without = f"They could not have opened{short}: none of the {points} could be avoided."
            return "They could have opened with:" if best.possible else without
        if not best.melds:
            return f"None of the {points} could be avoided."
        if not best.points_left:
            unwarned = len(self.cards) <= self.variant.warning_at
            return "All of it could have been laid" + (", if they gave the few-cards warning." if unwarned else ".")
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
    look = LookBack(seat, cards, points_left(cards, variant), len(cards) < dealt, variant)
    if not _is_searchable(cards):
        return look
    number = hand.number if variant.contracts else 1
    problem = Problem(cards, look.goal, opened=look.opened, hand_number=number, throws=False)
    best = solve(problem, variant)
    falls_short = best.possible is False and not variant.contracts
    dearest = solve(problem._replace(goal="most_points"), variant).melds if falls_short else ()
    return look._replace(best=best, reached=sum(points(meld, variant) for meld in dearest))
