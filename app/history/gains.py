"""What each entry gave the players: points and money, whose sums explain every total and every balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from app.history.record import History
from app.kalooki.game.events import Event, Join, Leave
from app.kalooki.game.play import Game
from app.kalooki.game.state import Change, PlayedHand
from app.kalooki.money import Movement

CALL_UPS = ("call-up", "kalooki")
_KINDS = {"initial-stake": "stake", "joined": "join", "refund": "pool", "paid": "payment"}
"""The `kind` of a gain, if it differs from the reason why a total changed or money moved."""


class Gain(NamedTuple):
    """What one player got in a hand or between hands: points with the total after them, and money in minor units.

    `points` and `total` are None if the total did not change; `paid` is positive for money received.
    """

    kind: str
    seat: int
    points: int | None = None
    total: int | None = None
    out: bool = False
    paid: int = 0


def gains(history: History) -> Mapping[int, list[Gain]]:
    """Return the gains of every entry that counts, by entry; a player has at most one of each kind."""
    totals: dict[int, int] = {}
    hands = {hand.entry: hand for hand in history.game.hands}
    changes = _by_entry(change for change in history.game.changes if change.why != "left")  # which changes no total
    movements = _by_entry(history.game.movements)
    gains: dict[int, list[Gain]] = {}
    for number, event in history.effective.items():
        hand = _of_hand(hands[number], movements[number]) if number in hands else ()
        gains[number] = []
        for gain in (*hand, *_between(history.game, event, changes[number], movements[number])):
            before = totals.get(gain.seat, 0)
            points = None if gain.total is None else gain.total - before
            gains[number].append(gain._replace(points=points))
            totals[gain.seat] = before + (points or 0)
    return gains


_Item = TypeVar("_Item", Change, Movement)


def _by_entry(listed: Iterable[_Item]) -> Mapping[int, list[_Item]]:
    items = defaultdict[int, list[_Item]](list)
    for each in listed:
        items[each.entry].append(each)
    return items


def _of_hand(hand: PlayedHand, movements: Iterable[Movement]) -> Iterator[Gain]:
    paid = Counter[int]()
    for movement in movements:
        if movement.why in CALL_UPS:
            paid.update(movement.amounts)
    for seat, score in sorted(hand.scores.items()):
        yield Gain("hand", seat, total=score.total, out=score.out, paid=paid[seat])


def _between(game: Game, event: Event, changes: Iterable[Change], movements: Iterable[Movement]) -> Iterator[Gain]:
    """Yield what an entry changed besides the scores of a hand, still without points."""
    totals = {(_KINDS.get(change.why, change.why), change.seat): change.total for change in changes}
    paid = {
        ("join" if isinstance(event, Join) else _KINDS.get(movement.why, movement.why), seat): amount
        for movement in movements
        if movement.why not in CALL_UPS
        for seat, amount in movement.amounts.items()
    }
    gone = {("leave", event.seat): None} if isinstance(event, Leave) else {}
    for kind, seat in gone | totals | paid:
        total = totals.get((kind, seat))
        out = total is not None and kind not in ("buy-in", "join") and game.variant.is_out(total)
        yield Gain(kind, seat, total=total, out=out, paid=paid.get((kind, seat), 0))
