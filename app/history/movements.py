"""What happened in a game, as rows for other programs: their sums explain every total and every balance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from app.history.facts import facts_of
from app.history.record import History
from app.history.timeline import brief_of, is_pending, timing_of
from app.kalooki.cards import write
from app.kalooki.game.events import Event, Hand, Join, Leave
from app.kalooki.game.play import Game
from app.kalooki.game.state import Change, PlayedHand
from app.kalooki.money import CARRIED, Movement, balances

CALL_UPS = ("call-up", "kalooki")
_KINDS = {"initial-stake": "stake", "joined": "join", "refund": "pool", "paid": "payment"}
"""The `kind` of a row, where it is not the reason why a total changed or money moved."""


class Happening(NamedTuple):
    """What one player got in a hand or between hands; a void hand has one row with seat 0.

    The `points` of a player's rows add up to their `total`, and `paid` to their `balance` (minor units, positive if
    received). `number` and `dealer` are those of the hand, 0 between hands; `at` is the time on the table's clock.
    """

    kind: str
    entry: int
    at: str
    seat: int = 0
    number: int = 0
    dealer: int = 0
    result: str = ""
    cards: str = ""
    calls: int | None = None
    points: int | None = None
    total: int | None = None
    out: bool = False
    paid: int = 0
    balance: int = 0
    reason: str = ""


def happenings(history: History) -> Iterator[Happening]:
    """Everything that moved points or money, and players going home, in the order it counts."""
    totals, sums = dict[int, int](), dict[int, int]()
    for row in _happenings(history):
        before = totals.get(row.seat, 0)
        total = before if row.total is None else row.total
        totals[row.seat], sums[row.seat] = total, sums.get(row.seat, 0) + row.paid
        points = None if row.total is None else total - before
        yield row._replace(points=points, total=total, balance=sums[row.seat])


def _happenings(history: History) -> Iterator[Happening]:
    """The rows without their sums; `total` is None in a row that does not change it."""
    game = history.game
    hands = {hand.entry: hand for hand in game.hands}
    changes, movements = _by_entry(game.changes), _by_entry(game.movements)
    skipped = {noted.entry for noted in game.faults}
    for number, event in history.effective.items():
        if number not in skipped:
            blank = Happening("", number, history.stamps[number - 1].at)
            if is_pending(game, number):
                yield _without_effect(history, event, blank)
                continue
            if number in hands:
                yield from _of_hand(hands[number], movements[number], blank)
            yield from _between(game, event, changes[number], movements[number], blank)


def _without_effect(history: History, event: Event, blank: Happening) -> Happening:
    """The row of an entry that waits for its hand, or came too late."""
    what = ", ".join([brief_of(event, history.game), *(fact.text for fact in facts_of(event, history.game))])
    seat = getattr(event, "seat", None) or 0
    return blank._replace(kind=event.kind, seat=seat, result=timing_of(history, blank.entry), reason=what)


_Kept = TypeVar("_Kept", Change, Movement)


def _by_entry(listed: Iterable[_Kept]) -> Mapping[int, list[_Kept]]:
    found = defaultdict[int, list[_Kept]](list)
    for each in listed:
        found[each.entry].append(each)
    return found


def _of_hand(hand: PlayedHand, movements: Iterable[Movement], blank: Happening) -> Iterator[Happening]:
    common = blank._replace(kind="hand", number=hand.number, dealer=hand.dealer)
    if hand.is_void:
        yield common._replace(kind="void", result="void", reason=hand.reason)
    reason = hand.event.note if isinstance(hand.event, Hand) else ""
    paid = balances(movement for movement in movements if movement.why in CALL_UPS)
    for seat, score in sorted(hand.scores.items()):
        yield common._replace(
            seat=seat,
            result=(hand.ending or "") if seat == hand.winner else "lost",
            cards=write(hand.cards(seat)),
            calls=hand.calls.get(seat),
            total=score.total,
            out=score.out,
            paid=paid.get(seat, 0),
            reason=reason,
        )


def _between(
    game: Game, event: Event, changes: Iterable[Change], movements: Iterable[Movement], blank: Happening
) -> Iterator[Happening]:
    """What an entry changed besides the scores of a hand: one row for each kind and seat."""
    totals = {(_KINDS.get(change.why, change.why), change.seat): change.total for change in changes}
    paid = {
        ("join" if isinstance(event, Join) else _KINDS.get(movement.why, movement.why), seat): amount
        for movement in movements
        if movement.why not in CALL_UPS
        for seat, amount in movement.amounts.items()
    }
    gone = {("leave", event.seat): None} if isinstance(event, Leave) else {}
    reason = getattr(event, "reason", "") or getattr(event, "note", "")
    for kind, seat in gone | totals | paid:
        total = totals.get((kind, seat))
        is_penalty, is_carried = kind == "penalty", kind == CARRIED
        yield blank._replace(
            kind=kind,
            seat=seat,
            result="carried over" if is_carried else "",
            total=total,
            out=(is_penalty or is_carried) and total is not None and game.variant.is_out(total),
            paid=paid.get((kind, seat), 0),
            reason=reason if is_penalty else "",
        )
