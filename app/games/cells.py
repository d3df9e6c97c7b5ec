"""The cells of a paper sheet for one hand: who won, what each loser held, and the calls made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.game.events import Hand
from app.kalooki.game.hands import all_at_once, calls_cost, hand_points
from app.kalooki.points import in_plain_digits, read_left, read_points
from app.kalooki.readers import Left
from app.kalooki.variants import Variant

_ALL_AT_ONCE = frozenset({"k", "b"})
_EMPTY = frozenset({"", "0", "-", "—"})
ABSENT = "not dealt in"
_CELL = re.compile(r"(?:• ?)?(?P<mark>[✓vwxkb](?![a-z]))? ?(?P<text>.*?)(?: ?/ ?(?P<calls>[0-9]{1,2}))?", re.IGNORECASE)
"""The dealer's dot, the winner's mark, points or cards, and the calls after a stroke."""
_PRICED = re.compile(r"(?P<text>[0-9]*) ?(?P<sign>[+-]) ?(?P<price>[0-9]{1,4})")
"""Points and, after a sign, the price of too many calls: 20+100, as on our own sheet."""
ONLY_SUM = "Only the sum of what the others held was on the paper: they share it here."
_WHO_WON = "Say who won this hand: write ✓ in their cell, or leave just that one empty."
_TOO_LOW = "{word} is too low: this hand adds {added} to the cards, so write more than {added}."
_NOT_TIMES = "{word} can’t be right: {special} {counts}. Write the {figure} figure{more}."
_NO_CALLS = "{word} can’t be right: nobody calls in this game. Write the points without a stroke."
_FEW = "{word} can’t be right: all {count} others held something in this hand."
_OTHERWISE = "{word} can’t be right: the other cells make {count}."


class PaperCell(NamedTuple):
    """One cell as read; `priced` says that the price of the calls is written separately, after a sign.

    `is_absent` says that the player was not dealt in.
    """

    mark: str = ""
    text: str = ""
    calls: int | None = None
    priced: bool = False
    is_absent: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.mark and self.text in _EMPTY and not self.is_absent


def read_cell(text: str, variant: Variant) -> PaperCell:
    """Return what a cell says; text that is not a number stays as written."""
    written = in_plain_digits(text)
    match = _CELL.fullmatch(written)
    if not match:
        return PaperCell(text=written)
    if match["text"].casefold() == ABSENT and not match["mark"]:
        return PaperCell(is_absent=True)
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


class PaperHand(NamedTuple):
    """A hand as its cells say, and an error for each mistake, whose field names a cell as left.SEAT.

    `left_out` are the seats whose cells are wrong: what the hand has for them means nothing.
    """

    hand: Hand
    errors: Sequence[BadInput]
    left_out: frozenset[int]


def read_hand(cells: Mapping[int, PaperCell], playing: Sequence[int], variant: Variant, *, added: bool) -> PaperHand:
    """Return the hand written in the cells, each read by itself.

    With `added`, numbers are what the hand counted, with everything added; otherwise they are what the cards alone
    count. If several players may have won, the first of them stands for all.
    """
    absent = tuple(sorted(seat for seat, cell in cells.items() if cell.is_absent))
    cells = {seat: cell for seat, cell in cells.items() if not cell.is_absent}
    playing = [seat for seat in playing if seat not in absent]
    winners = _possible_winners(cells, playing, variant)
    errors, wrong = list[BadInput](), set[int]()
    if len(winners) != 1:
        errors, wrong = [BadInput(_WHO_WON)], set(winners)
        cells = {seat: cell for seat, cell in cells.items() if seat not in wrong}
    hand, unreadable = _HandReader(cells, next(iter(winners), 0), variant, added=added).read(playing)
    errors += unreadable
    wrong |= {seat_of(error.field) for error in unreadable}
    if errors and variant.scoring == "winner_collects":  # the winner has what all others held
        wrong |= set(playing)
    return PaperHand(replace(hand, absent=absent), errors, frozenset(wrong))


def seat_of(field: str) -> int:
    """Return the seat in a field such as left.3 or left.3.points; 0 for another field."""
    seat = field.partition(".")[2].split(".")[0]
    return int(seat) if seat.isdecimal() else 0


def _possible_winners(cells: Mapping[int, PaperCell], playing: Sequence[int], variant: Variant) -> Sequence[int]:
    """Return the seats whose cell is marked or, without a mark, is unlike the others; if there are none, all seats."""
    marked = [seat for seat, cell in cells.items() if cell.mark]
    free = [seat for seat in playing if cells.get(seat, PaperCell()).is_empty]
    filled = [seat for seat, cell in cells.items() if not cell.is_empty]
    collects = variant.scoring == "winner_collects" and len(filled) == 1
    return marked or (filled if collects else free) or playing


class _HandReader:
    """Reads one hand: `hand` is what is known before any loser's cell, `gain` the points a winner who collects got."""

    def __init__(self, cells: Mapping[int, PaperCell], winner: int, variant: Variant, *, added: bool) -> None:
        self.cells, self.variant, self.added = cells, variant, added
        self.collects = variant.scoring == "winner_collects"
        self.own = own = cells.get(winner, PaperCell())
        calls = {seat: cell.calls for seat, cell in cells.items() if cell.calls is not None}
        points = read_points(own.text)
        if points and not self.collects and own.calls is None and variant.has_calls and variant.call_penalty:
            over, rest = divmod(points, variant.call_penalty)
            calls |= {} if rest else {winner: variant.calls + over}
        self.hand = Hand(winner, variant.kalooki_ending if own.mark in _ALL_AT_ONCE else "going_out", {}, calls=calls)
        price = calls_cost(variant, self.hand, winner)
        self.gain = points if self.collects and own.text not in _EMPTY else None
        if self.gain is not None and added and not own.priced:
            self.gain += price
        # a winner who does not collect has only the price of calls written
        self.is_settled = own.text in _EMPTY or self.gain is not None or own.priced or points == price

    def read(self, playing: Sequence[int]) -> tuple[Hand, list[BadInput]]:
        """Return the hand, and an error for each cell that cannot be right."""
        left: dict[int, Left] = {}
        errors: list[BadInput] = []
        for seat, cell in self.cells.items():
            try:
                self._require_calls(cell, f"left.{seat}")
                readers.calls(self.hand.calls.get(seat, 0), f"left.{seat}")
                if not self._is_blank(cell, seat):
                    left[seat] = self._left_of(cell, seat)
            except BadInput as error:
                errors.append(error)
        losers = [seat for seat in playing if seat != self.hand.winner]
        hand = replace(self.hand, left=left)
        if self.gain is None or not losers or errors:
            return hand, errors
        try:
            return self._by_gain(hand, self.gain, losers), []
        except BadInput as error:
            return hand, [error]

    def _require_calls(self, cell: PaperCell, field: str) -> None:
        """Raise BadInput if a cell has calls in a game without them."""
        if cell.calls is not None and not self.variant.has_calls:
            raise BadInput(_NO_CALLS, field, f"{cell.mark}{cell.text}/{cell.calls}")

    def _is_blank(self, cell: PaperCell, seat: int) -> bool:
        """Return whether a cell says nothing about cards left."""
        if seat == self.hand.winner:
            return self.is_settled
        return cell.text in _EMPTY if self.collects else not cell.text

    def _left_of(self, cell: PaperCell, seat: int) -> Left:
        field = f"left.{seat}"
        left: Left = readers.left(read_left(cell.text, field).plain, field)
        if not self.added or left.points is None or seat == self.hand.winner:
            return left
        times, added = all_at_once(self.variant, self.hand)
        added += 0 if cell.priced else calls_cost(self.variant, self.hand, seat)
        return Left(points=self._subtract_added(left.points, times, added, field))

    def _by_gain(self, hand: Hand, gain: int, losers: Sequence[int]) -> Hand:
        """Return the hand if its cells make the winner's gain; if only that is written, with equal parts of it."""
        if not hand.left:
            return replace(hand, left=self._share(gain, losers), note=ONLY_SUM)
        gained = hand_points(self.variant, hand)[hand.winner] + calls_cost(self.variant, hand, hand.winner)
        if self.added and gained != gain:
            raise BadInput(_OTHERWISE, f"left.{hand.winner}", self.own.text, count=gained)
        return hand

    def _share(self, gain: int, losers: Sequence[int]) -> dict[int, Left]:
        """Divide the gain as evenly as possible, because nobody wrote down who held what."""
        field = f"left.{self.hand.winner}"
        times, added = all_at_once(self.variant, self.hand) if self.added else (1, 0)
        added = added * len(losers) + sum(calls_cost(self.variant, self.hand, seat) for seat in losers)
        each, more = divmod(self._subtract_added(gain, times, added, field), len(losers))
        if not each:
            raise BadInput(_FEW, field, gain, count=len(losers))
        return {seat: readers.left({"points": each + (place < more)}, field) for place, seat in enumerate(losers)}

    def _subtract_added(self, points: int, times: int, added: int, field: str) -> int:
        """Return what the cards alone count; raises BadInput if no cards can count that."""
        if added and points <= added:
            raise BadInput(_TOO_LOW, field, points, added=added)
        if (points - added) % times:
            is_two = times == 2
            counts = "doubles the points" if is_two else f"multiplies the points by {times}"
            special = "a Kalooki" if self.variant.kalooki_ending == "kalooki" else "bending the table"
            more = f" with {added} added" if added else ""
            figure = "doubled" if is_two else f"{times}-fold"
            raise BadInput(_NOT_TIMES, field, points, special=special, counts=counts, figure=figure, more=more)
        return (points - added) // times
