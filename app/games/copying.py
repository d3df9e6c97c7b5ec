"""Enter a paper score sheet: read its cells, judge its rows, and make the game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.kalooki import readers
from app.kalooki.cards import BadInput, Card
from app.kalooki.faults import Fault
from app.kalooki.game.apply import all_at_once, calls_cost, hand_points
from app.kalooki.game.events import MOST_BONUS, BuyIn, End, Event, Hand, Penalty, Start, Void
from app.kalooki.game.play import Entry, Game, judge, opening_entry, play_on, warnings
from app.kalooki.points import in_plain_digits, points_left, read_left, read_points, read_signed_points
from app.kalooki.readers import MOST_POINTS, Left
from app.kalooki.rules.rulebook import explain
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


def read_hand(
    cells: Mapping[int, PaperCell], playing: Sequence[int], variant: Variant, *, cards_alone: bool
) -> tuple[Hand, list[BadInput]]:
    """Return the hand written in the cells, each read by itself, and an error for each mistake.

    Numbers are what the hand counted, with everything added, or with `cards_alone` what the cards alone count. The
    field of an error names a cell as left.SEAT; in the hand a low card stands for it. If several players may have won,
    the first of them stands for all.
    """
    absent = tuple(sorted(seat for seat, cell in cells.items() if cell.is_absent))
    cells = {seat: cell for seat, cell in cells.items() if not cell.is_absent}
    playing = [seat for seat in playing if seat not in absent]
    winners = _possible_winners(cells, playing, variant)
    errors, wrong = list[BadInput](), set[int]()
    if len(winners) != 1:
        errors, wrong = [BadInput(_WHO_WON)], set(winners)
        cells = {seat: cell for seat, cell in cells.items() if seat not in wrong}
    hand, unreadable = _HandReader(cells, next(iter(winners), 0), variant, cards_alone=cards_alone).read(playing)
    errors += unreadable
    wrong |= {seat_of(error.field) for error in unreadable}
    if errors and variant.scoring == "winner_collects":  # the winner has what all others held
        wrong |= set(playing)
    low = Left(points=points_left((_LOW,), variant))
    left = {**hand.left} | {seat: low for seat in playing if seat in wrong and seat != hand.winner}
    return replace(hand, left=left, absent=absent), errors


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

    def __init__(self, cells: Mapping[int, PaperCell], winner: int, variant: Variant, *, cards_alone: bool) -> None:
        self.cells, self.variant, self.cards_alone = cells, variant, cards_alone
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
        if self.gain is not None and not cards_alone and not own.priced:
            self.gain += price
        # a winner who does not collect has only the price of calls written
        self.is_settled = own.text in _EMPTY or self.gain is not None or own.priced or points == price

    def read(self, playing: Sequence[int]) -> tuple[Hand, list[BadInput]]:
        """Return the hand, and an error for each cell that cannot be right."""
        left: dict[int, Left] = {}
        errors: list[BadInput] = []
        for seat, cell in self.cells.items():
            try:
                if cards := self._left_of(cell, seat):
                    left[seat] = cards
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

    def _left_of(self, cell: PaperCell, seat: int) -> Left | None:
        """Return the cards left that a cell tells, None if it tells none; raises BadInput if it cannot be right."""
        field = f"left.{seat}"
        if cell.calls is not None and not self.variant.has_calls:
            raise BadInput(_NO_CALLS, field, f"{cell.mark}{cell.text}/{cell.calls}")
        readers.calls(self.hand.calls.get(seat, 0), field)
        is_winner = seat == self.hand.winner
        is_blank = not cell.text or (self.collects and cell.text in _EMPTY)
        if (is_winner and self.is_settled) or (is_blank and not is_winner):
            return None
        left: Left = readers.left(read_left(cell.text, field).plain, field)
        if self.cards_alone or left.points is None or is_winner:
            return left
        times, added = all_at_once(self.variant, self.hand)
        added += 0 if cell.priced else calls_cost(self.variant, self.hand, seat)
        return Left(points=self._subtract_added(left.points, times, added, field))

    def _by_gain(self, hand: Hand, gain: int, losers: Sequence[int]) -> Hand:
        """Return the hand if its cells make the winner's gain; if only that is written, with equal parts of it."""
        if not hand.left:
            return replace(hand, left=self._share(gain, losers), note=ONLY_SUM)
        gained = hand_points(self.variant, hand)[hand.winner] + calls_cost(self.variant, hand, hand.winner)
        if not self.cards_alone and gained != gain:
            raise BadInput(_OTHERWISE, f"left.{hand.winner}", self.own.text, count=gained)
        return hand

    def _share(self, gain: int, losers: Sequence[int]) -> dict[int, Left]:
        """Divide the gain as evenly as possible, because nobody wrote down who held what."""
        field = f"left.{self.hand.winner}"
        times, added = (1, 0) if self.cards_alone else all_at_once(self.variant, self.hand)
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


_REDEALS = frozenset({"void", "redeal"})
_BUYS_IN = frozenset({"b", "buy", "buy-in"})
_BLANK = "{name}: not dealt in? Otherwise write what they held."
_LOW = Card("2")
"""What a player holds whose cell is wrong, so that the other cells of the row are judged all the same."""

SheetRow = Mapping[int, str]
"""One row as typed, the cell of each seat: the winner's has ✓, K or B or is the only empty one."""


class CellFault(NamedTuple):
    """What is wrong with the cell of one seat or, without a seat, with its whole row.

    `asks_absence` says that the cell is blank, perhaps because its player was not dealt in.
    """

    text: str
    seat: int = 0
    asks_absence: bool = False


class JudgedRow(NamedTuple):
    """One row with its result: the number of its hand, totals by seat, remarks, and every error."""

    source: SheetRow
    number: int | None = None
    totals: Mapping[int, int] = {}
    remarks: tuple[str, ...] = ()
    faults: tuple[CellFault, ...] = ()


class SoFar(NamedTuple):
    """The game that the rows above make."""

    entries: tuple[Entry, ...]
    game: Game

    def with_entry(self, event: Event, game: Game) -> SoFar:
        """Return what there is after one more event, which makes that game."""
        return SoFar((*self.entries, Entry(len(self.entries) + 1, event)), game)


class CopiedSheet(NamedTuple):
    """The judged rows of a sheet, up to the first wrong one, and the game that those above it make."""

    rows: tuple[JudgedRow, ...]
    entries: tuple[Entry, ...]
    game: Game
    faults: tuple[str, ...]

    @property
    def has_wrong_row(self) -> bool:
        return any(row.faults for row in self.rows)

    @property
    def is_sound(self) -> bool:
        """Whether it can be saved: at least one hand, and no errors."""
        return bool(self.game.hands) and not self.faults and not self.has_wrong_row


def copy_sheet(start: Start, sheet_rows: Sequence[SheetRow], *, ends: bool, cards_alone: bool) -> CopiedSheet:
    """Return the sheet judged row by row; `ends` says that the table ended the game after the last row.

    Numbers are what a hand counted, with everything added, or with `cards_alone` what the cards alone count.
    A player who is out but has a value in the next row has bought in: on paper, only a circle shows that.
    """
    recorded, game, wrong = opening_entry(start)
    so_far = SoFar((Entry(1, recorded),), game)
    rows = []
    for row in sheet_rows:
        judged, so_far = _judge_row(so_far, row, cards_alone=cards_alone)
        rows.append(judged)
        if judged.faults:
            return CopiedSheet(tuple(rows), so_far.entries, so_far.game, _explain(wrong, so_far.game))
    if ends and not so_far.game.finish:
        game, more = judge(so_far.entries, End(), so_far.game)
        wrong = [*wrong, *more]
        so_far = so_far.with_entry(End(), game)
    return CopiedSheet(tuple(rows), so_far.entries, so_far.game, _explain(wrong, so_far.game))


def _judge_row(above: SoFar, row: SheetRow, *, cards_alone: bool) -> tuple[JudgedRow, SoFar]:
    """Return a row judged after the rows above it, and what they make together."""
    if not any(row.values()):
        return JudgedRow(row), above
    if changes := _changes_in(row, above.game):
        return _judge_changes(above, row, changes)
    return _judge_hand(above, row, cards_alone=cards_alone)


def _judge_hand(above: SoFar, row: SheetRow, *, cards_alone: bool) -> tuple[JudgedRow, SoFar]:
    """Return a judged row that is a hand, and what it makes with the rows above it."""
    before = above.game
    cells = {seat: read_cell(text, before.variant) for seat, text in row.items()}
    bought = [seat for seat in before.offers if not cells.get(seat, PaperCell()).is_empty]
    log = [*above.entries, *(Entry(number, BuyIn(seat)) for number, seat in enumerate(bought, len(above.entries) + 1))]
    table = play_on(before, log, len(above.entries))
    event, errors = read_hand(cells, [each.seat for each in table.playing], table.variant, cards_alone=cards_alone)
    game, refused = judge(log, event, table)
    if faults := _faults_by_seat(errors, refused, table):
        return JudgedRow(row, faults=faults), above
    hand = game.hands[-1]
    notes = [f"{game.name(seat)} had bought in at {before.offers[seat]}." for seat in bought]
    notes += [f"{each.name} is out." for each in game.players.values() if each.out_since == hand.entry]
    notes += [explain(fault, game.variant).text for fault in warnings(game, hand.entry)]
    return JudgedRow(row, hand.number, hand.totals, tuple(notes)), SoFar((*log, Entry(hand.entry, event)), game)


def _changes_in(row: SheetRow, before: Game) -> Sequence[BuyIn | Penalty | Void]:
    """Return what a row records that is not a hand's score.

    A redeal, a penalty (+10), a bonus (-10), or buy-ins (B, or the circled total).
    """
    filled = {seat: cell for seat, cell in row.items() if cell}
    if any(cell.casefold() in _REDEALS for cell in filled.values()):
        return [Void("copied from paper")]
    offers = before.offers
    if all(
        seat in offers and (cell.casefold() in _BUYS_IN or read_signed_points(cell) == offers[seat])
        for seat, cell in filled.items()
    ):
        return [BuyIn(seat) for seat in filled]
    seat, written = next((seat, in_plain_digits(cell)) for seat, cell in filled.items())
    points = read_points(written[1:]) if written[:1] in ("+", "-") and len(filled) == 1 else None
    if not points:
        return []
    # where the winner collects, a penalty takes points away; the other sign is a bonus
    is_against = (written[:1] == "-") == (before.variant.scoring == "winner_collects")
    points = points if is_against else -points
    return [Penalty(seat, points=points, reason="copied from paper")] if -MOST_BONUS <= points <= MOST_POINTS else []


def _judge_changes(above: SoFar, row: SheetRow, events: Sequence[BuyIn | Penalty | Void]) -> tuple[JudgedRow, SoFar]:
    """Return a judged row that scores no hand, and what it makes with the rows above it."""
    so_far = above
    for event in events:
        game, wrong = judge(so_far.entries, event, so_far.game)
        if wrong:
            seat = 0 if isinstance(event, Void) else event.seat
            faults = tuple(CellFault(text, seat) for text in _explain(wrong, game))
            return JudgedRow(row, faults=faults), above
        so_far = so_far.with_entry(event, game)
    changed = so_far.game.changes[len(above.game.changes) :]
    return JudgedRow(row, totals={each.seat: each.total for each in changed}), so_far


def _faults_by_seat(errors: Sequence[BadInput], refused: Sequence[Fault], table: Game) -> tuple[CellFault, ...]:
    """Return what is wrong with a hand; an error begins with the player's name, because its cell has no label."""
    faults = []
    for error in errors:
        seat = seat_of(error.field)
        faults.append(CellFault(f"{table.name(seat)}: {error.sentence}" if seat else error.sentence, seat))
    for fault in refused:
        seat, asks = seat_of(str(fault.facts.get("field", ""))), fault.rule == "loser-missing"
        text = _BLANK.format(name=table.name(seat)) if asks else explain(fault, table.variant).text
        faults.append(CellFault(text, seat, asks))
    return tuple(sorted(dict.fromkeys(faults), key=lambda fault: fault.seat))


def _explain(wrong: Sequence[Fault], game: Game) -> tuple[str, ...]:
    return tuple(explain(fault, game.variant).text for fault in wrong)
