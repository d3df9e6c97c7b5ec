"""The cells of a paper sheet for one hand: who won, what each loser held, and the calls made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.kalooki.cards import BadInput
from app.kalooki.game.events import Event, Hand, from_json, to_json
from app.kalooki.game.hands import all_at_once, calls_cost, hand_points
from app.kalooki.points import in_plain_digits, read_left, read_points
from app.kalooki.readers import Left
from app.kalooki.variants import Variant

ALL_AT_ONCE = frozenset({"k", "b"})
_EMPTY = frozenset({"", "0", "-", "—"})
_CELL = re.compile(r"(?:• ?)?(?P<mark>[✓vwxkb](?![a-z]))? ?(?P<text>.*?)(?: ?/ ?(?P<calls>[0-9]{1,2}))?", re.IGNORECASE)
"""The dealer's dot, the winner's mark, points or cards, and the calls after a stroke."""
_PRICED = re.compile(r"(?P<text>[0-9]*) ?(?P<sign>[+-]) ?(?P<price>[0-9]{1,4})")
"""Points and, after a sign, the price of too many calls: 20+100, as on our own sheet."""
ONLY_SUM = "Only the sum of what the others held was on the paper: they share it here."
_TOO_LOW = "{word} is too low: this hand adds {added} to the cards, so write more than {added}."
_NOT_TIMES = "{word} can’t be right: {special} {counts}. Write the {figure} figure{more}."
_FEW = "{word} can’t be right: all {count} others held something in this hand."
_OTHERWISE = "{word} can’t be right: the other cells make {count}."


class PaperCell(NamedTuple):
    """One cell as read; `priced` says that the price of the calls is written separately, after a sign."""

    mark: str = ""
    text: str = ""
    calls: int | None = None
    priced: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.mark and self.text in _EMPTY


def read_cell(text: str, variant: Variant) -> PaperCell:
    """Return what a cell says; text that is not a number stays as written."""
    written = in_plain_digits(text)
    match = _CELL.fullmatch(written)
    if not match:
        return PaperCell(text=written)
    mark, text, calls = (match["mark"] or "").casefold(), match["text"], match["calls"]
    if mark and text and (text[0] not in "0123456789+-" or (mark == "k" and variant.scoring != "winner_collects")):
        mark, text = "", f"{match['mark']} {text}"  # a king and more cards
    priced = _PRICED.fullmatch(text) if variant.has_calls and calls is None else None
    price = int(priced["price"]) if priced else 0
    if priced and priced["sign"] == "-" and variant.scoring != "winner_collects":
        return PaperCell(mark, text)
    if priced and price and variant.call_penalty and price % variant.call_penalty == 0:
        return PaperCell(mark, priced["text"] or "0", variant.calls + price // variant.call_penalty, priced=True)
    return PaperCell(mark, text, int(calls) if calls else None)


def find_winner(cells: Mapping[int, PaperCell], playing: Iterable[int], variant: Variant) -> int | None:
    """Return the seat whose cell is marked or, without a mark, is the only one unlike the others."""
    marked = [seat for seat, cell in cells.items() if cell.mark]
    free = [seat for seat in playing if cells.get(seat, PaperCell()).is_empty]
    filled = [seat for seat, cell in cells.items() if not cell.is_empty]
    collects = variant.scoring == "winner_collects" and len(filled) == 1
    winners = marked or (filled if collects else free)
    return winners[0] if len(winners) == 1 else None


def read_hand(
    cells: Mapping[int, PaperCell], won: Hand, playing: Iterable[int], variant: Variant, *, added: bool
) -> Event:
    """Return the hand written in the cells, with its winner and ending from `won`.

    With `added`, numbers are what the hand counted, with everything added; otherwise they are what the cards alone
    count. Raises BadInput, whose field names a cell as left.SEAT, with those of further cells as `also`.
    """
    reader = _HandReader(cells, won, variant, added=added)
    losers = [seat for seat in playing if seat != won.winner]
    left = {str(seat): each.plain for seat, each in reader.read_left(losers).items()}
    return from_json(to_json(reader.hand) | {"left": left} | ({"note": ONLY_SUM} if reader.shares else {}))


class _HandReader:
    """Reads one hand: `hand` is what is known before any loser's cell, `gain` the points a winner who collects got."""

    def __init__(self, cells: Mapping[int, PaperCell], won: Hand, variant: Variant, *, added: bool) -> None:
        self.variant, self.added = variant, added
        self.collects = variant.scoring == "winner_collects"
        self.cells = dict(cells)
        calls = {seat: cell.calls for seat, cell in cells.items() if cell.calls is not None}
        own = self.cells.pop(won.winner, PaperCell())
        points = read_points(own.text)
        if points and not self.collects and own.calls is None and variant.has_calls and variant.call_penalty:
            over, rest = divmod(points, variant.call_penalty)
            calls |= {} if rest else {won.winner: variant.calls + over}
        self.hand = Hand(won.winner, won.ending, {}, calls)
        price = calls_cost(variant, self.hand, won.winner)
        self.gain = points if self.collects and own.text not in _EMPTY else None
        if self.gain is not None and added and not own.priced:
            self.gain += price
        # a winner who does not collect has only the price of calls written
        self.is_settled = own.text in _EMPTY or self.gain is not None or own.priced or points == price
        self.own = own
        self.shares = False

    def read_left(self, losers: Sequence[int]) -> dict[int, Left]:
        """Return what each loser held; if only the winner's gain is written, equal parts of it."""
        blank = _EMPTY if self.collects else {""}
        left: dict[int, Left] = {}
        unreadable: list[BadInput] = []
        for seat, cell in self.cells.items():
            if cell.text not in blank:
                try:
                    left[seat] = self._left_of(cell, seat)
                except BadInput as error:
                    unreadable.append(error)
        if unreadable:
            unreadable[0].also = tuple(unreadable[1:])
            raise unreadable[0]
        if not self.is_settled:
            left[self.hand.winner] = read_left(self.own.text, f"left.{self.hand.winner}")
        if self.gain is None or not losers:
            return left
        if not left:
            self.shares = True
            return self._share(self.gain, losers)
        hand = replace(self.hand, left=left)
        gained = hand_points(self.variant, hand)[hand.winner] + calls_cost(self.variant, hand, hand.winner)
        if self.added and gained != self.gain:
            raise BadInput(_OTHERWISE, f"left.{hand.winner}", self.own.text, count=gained)
        return left

    def _left_of(self, cell: PaperCell, seat: int) -> Left:
        left = read_left(cell.text, f"left.{seat}")
        if not self.added or left.points is None:
            return left
        times, added = all_at_once(self.variant, self.hand)
        added += 0 if cell.priced else calls_cost(self.variant, self.hand, seat)
        return Left(points=self._subtract_added(left.points, times, added, f"left.{seat}"))

    def _share(self, gain: int, losers: Sequence[int]) -> dict[int, Left]:
        """Divide the gain as evenly as possible, because nobody wrote down who held what."""
        field = f"left.{self.hand.winner}"
        times, added = all_at_once(self.variant, self.hand) if self.added else (1, 0)
        added = added * len(losers) + sum(calls_cost(self.variant, self.hand, seat) for seat in losers)
        each, more = divmod(self._subtract_added(gain, times, added, field), len(losers))
        if not each:
            raise BadInput(_FEW, field, gain, count=len(losers))
        return {seat: Left(points=each + (place < more)) for place, seat in enumerate(losers)}

    def _subtract_added(self, points: int, times: int, added: int, field: str) -> int:
        """Return what the cards alone count; raises BadInput if no cards can count that."""
        if added and points <= added:
            raise BadInput(_TOO_LOW, field, points, added=added)
        if (points - added) % times:
            is_two = times == 2
            counts = "doubles the points" if is_two else f"counts the points {times} times"
            special = "a Kalooki" if self.variant.kalooki_ending == "kalooki" else "bending the table"
            more = f" with {added} added" if added else ""
            figure = "doubled" if is_two else f"{times}-fold"
            raise BadInput(_NOT_TIMES, field, points, special=special, counts=counts, figure=figure, more=more)
        return (points - added) // times
