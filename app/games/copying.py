"""Enter a paper score sheet: its rows become hands, each judged after those before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.games.cells import ALL_AT_ONCE, PaperCell, find_winner, read_cell, read_hand
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game.events import MOST_BONUS, BuyIn, End, Event, Hand, Penalty, Start, Void, to_json
from app.kalooki.game.play import Entry, Game, judge, opening_entry, play_on, warnings
from app.kalooki.points import in_plain_digits, read_points
from app.kalooki.readers import MOST_POINTS, whole_typed
from app.kalooki.rules.rulebook import explain

VOID = "void"
_REDEALS = frozenset({VOID, "redeal"})
_BUYS_IN = frozenset({"b", "buy", "buy-in"})
_STAND_IN = PaperCell(text="2H")
"""What counts for a cell that is wrong, so that the others' totals can be told and compared all the same."""


class SheetRow(NamedTuple):
    """One row as typed: the winner's seat or VOID, how the hand ended, and each seat's cell.

    If no winner is chosen, it is the seat whose cell has ✓, K or B, otherwise the one whose cell is empty.
    """

    winner: str = ""
    ending: str = "going_out"
    cells: Mapping[int, str] = {}

    @property
    def is_blank(self) -> bool:
        return not self.winner and not any(self.cells.values())


class CellFault(NamedTuple):
    """What is wrong with the cell of one seat or, without a seat, with its whole row."""

    text: str
    seat: int = 0


class JudgedRow(NamedTuple):
    """One row with its result: the number of its hand, totals by seat, remarks, and every error.

    A total is None if it depends on a wrong cell, in this row or above.
    """

    source: SheetRow
    number: int | None = None
    totals: Mapping[int, int | None] = {}
    remarks: tuple[str, ...] = ()
    faults: tuple[CellFault, ...] = ()


class CopiedSheet(NamedTuple):
    """A whole sheet: its judged rows, and the game they make; `unknown` are the seats whose totals are not known."""

    rows: tuple[JudgedRow, ...]
    entries: tuple[Entry, ...]
    game: Game
    faults: tuple[str, ...]
    unknown: frozenset[int]

    @property
    def is_sound(self) -> bool:
        """Whether it can be saved: at least one hand, and no errors."""
        return bool(self.game.hands) and not self.faults and not any(row.faults for row in self.rows)


def copy_sheet(start: Start, sheet_rows: Sequence[SheetRow], *, ends: bool, added: bool = True) -> CopiedSheet:
    """Return the sheet judged row by row; `ends` says that the table ended the game after the last row.

    Numbers are what a hand counted, with everything added; without `added` they are what the cards alone count.
    A player who is out but has a value in the next row has bought in: on paper, only a circle shows that.
    """
    recorded, game, wrong = opening_entry(start)
    entries = [Entry(1, recorded)]
    unknown: set[int] = set()
    rows = []
    for row in sheet_rows:
        judged, game = (JudgedRow(row), game) if row.is_blank else _judge_row(entries, game, row, unknown, added=added)
        rows.append(judged)
    if ends and not game.finish:
        game, more = judge(entries, End(), game)
        wrong = [*wrong, *more]
        entries.append(Entry(len(entries) + 1, End()))
    return CopiedSheet(tuple(rows), tuple(entries), game, _explain(wrong, game), frozenset(unknown))


def export_of(copy: CopiedSheet, at: str, by: str) -> list[dict[str, Any]]:
    """Return the copied game in the shape that `recording.import_game` takes."""
    return [{"event": to_json(event), "at": at, "by": by} for _number, event in copy.entries]


def _judge_row(
    entries: list[Entry], before: Game, row: SheetRow, unknown: set[int], *, added: bool
) -> tuple[JudgedRow, Game]:
    """Return a row judged after the rows above it, and the game after it; add the row's entries to `entries`.

    A wrong cell makes its player's totals `unknown`. If the whole row is wrong, all totals are unknown, the entries
    stay as they are and the game is `before`.
    """
    if changes := _changes_in(row, before):
        return _judge_changes(entries, before, row, changes, unknown)
    cells = {seat: read_cell(cell, before.variant) for seat, cell in row.cells.items()}
    cells |= dict.fromkeys(_perhaps_out(cells, row, before, unknown), _STAND_IN)
    row = _with_winner(row, cells, before)
    bought = [seat for seat in before.offers if row.winner == str(seat) or (seat in cells and not cells[seat].is_empty)]
    log = [*entries, *(Entry(len(entries) + place, BuyIn(seat)) for place, seat in enumerate(bought, 1))]
    table = play_on(before, log, len(entries))
    played, wrong, faults = row, dict[int, PaperCell](), dict[CellFault, None]()
    while True:
        event, game, errors = _judge_hand(log, table, played, cells | wrong, added=added)
        faults |= dict.fromkeys(errors)
        played, more = _stand_in(played, cells, table, errors)
        if more.keys() <= wrong.keys():
            break
        wrong |= more
    every = tuple(sorted(faults, key=lambda fault: fault.seat))
    unknown.update(before.players if errors else wrong)
    if errors:
        return JudgedRow(row, faults=every), before
    unknown.update(bought if unknown else ())  # the score they bought in at is another's total
    number = len(log) + 1
    odd = [explain(fault, game.variant).text for fault in warnings(game, number)]
    notes = (*(_describe_buy_in(game, seat, before) for seat in bought), *_describe_knock_outs(game, number), *odd)
    hand = game.hands[-1]
    totals = {seat: None if seat in unknown else total for seat, total in hand.totals.items()}
    entries += [*log[len(entries) :], Entry(number, event)]
    return JudgedRow(row, hand.number, totals, () if every else notes, every), game


def _judge_hand(
    log: list[Entry], table: Game, row: SheetRow, cells: Mapping[int, PaperCell], *, added: bool
) -> tuple[Event, Game, tuple[CellFault, ...]]:
    """Return the hand in a row, the game after it, and every error; with an error the game is `table`."""
    try:
        event = _event(row, cells, [player.seat for player in table.playing], table, added=added)
    except BadInput as unreadable:
        # the cells of a row have no labels, so the message begins with the player's name
        errors = ((_seat_of(each.field), each.say_alone()) for each in (unreadable, *unreadable.also))
        return (
            Void(),
            table,
            tuple(CellFault(f"{table.name(at)}: {message}" if at else message, at) for at, message in errors),
        )
    game, wrong = judge(log, event, table)
    return event, game, _faults(wrong, game)


def _stand_in(
    row: SheetRow, cells: Mapping[int, PaperCell], table: Game, faults: Sequence[CellFault]
) -> tuple[SheetRow, dict[int, PaperCell]]:
    """Return the row with somebody who may have won it, and by seat what counts for each wrong cell.

    Where the winner collects what the others held, nothing can stand in for a cell.
    """
    if table.variant.scoring == "winner_collects":
        return row, {}
    playing = [player.seat for player in table.playing]
    wrong = {fault.seat for fault in faults if fault.seat}
    if not row.winner:
        wrong = {seat for seat in playing if cells.get(seat, PaperCell()).is_empty}
        row = row._replace(winner=str(min(wrong, default="")))
    return row, {
        seat: _STAND_IN if seat in playing and str(seat) != row.winner else PaperCell() for seat in sorted(wrong)
    }


def _perhaps_out(cells: Mapping[int, PaperCell], row: SheetRow, before: Game, unknown: set[int]) -> list[int]:
    """Return the seats whose cell may be blank because they are out, which a wrong cell above leaves unknown."""
    if before.variant.limit is None or before.variant.scoring == "winner_collects":
        return []
    blank = [player.seat for player in before.playing if cells.get(player.seat, PaperCell()).is_empty]
    out = [seat for seat in blank if seat in unknown and str(seat) != row.winner]
    return out if len(out) < len(blank) else []


def _changes_in(row: SheetRow, before: Game) -> list[BuyIn | Penalty]:
    """Return the events in a row between hands: a penalty (+10), a bonus (-10), or buy-ins (B, the circled total)."""
    filled = {seat: cell for seat, cell in row.cells.items() if cell}
    if row.winner or not filled:
        return []
    if all(_buys_in(cell, before.offers.get(seat)) for seat, cell in filled.items()):
        return [BuyIn(seat) for seat in filled]
    seat, written = next((seat, in_plain_digits(cell)) for seat, cell in filled.items())
    points = read_points(written[1:]) if written[:1] in ("+", "-") and len(filled) == 1 else None
    if not points:
        return []
    # where the winner collects, a penalty takes points away; the other sign is a bonus
    is_against = (written[:1] == "-") == (before.variant.scoring == "winner_collects")
    points = points if is_against else -points
    return [Penalty(seat, points=points, reason="copied from paper")] if -MOST_BONUS <= points <= MOST_POINTS else []


def _buys_in(cell: str, offer: int | None) -> bool:
    return offer is not None and (cell.casefold() in _BUYS_IN or read_points(cell) == offer)


def _judge_changes(
    entries: list[Entry], before: Game, row: SheetRow, events: Sequence[BuyIn | Penalty], unknown: set[int]
) -> tuple[JudgedRow, Game]:
    """Return a judged row that is not a hand, and the game after it; add the row's events to `entries`."""
    game, log = before, list(entries)
    for event in events:
        game, wrong = judge(log, event, game)
        if wrong:
            unknown.add(event.seat)
            return JudgedRow(row, faults=tuple(CellFault(text, event.seat) for text in _explain(wrong, game))), before
        log.append(Entry(len(log) + 1, event))
    entries += log[len(entries) :]
    changed = game.changes[len(before.changes) :]
    unknown.update(each.seat for each in changed if unknown and each.why == "buy-in")
    totals = {each.seat: None if each.seat in unknown else each.total for each in changed}
    return JudgedRow(row, totals=totals), game


def _faults(wrong: Sequence[Fault], game: Game) -> tuple[CellFault, ...]:
    seats = (_seat_of(str(fault.facts.get("field", ""))) for fault in wrong)
    return tuple(map(CellFault, _explain(wrong, game), seats))


def _with_winner(row: SheetRow, cells: Mapping[int, PaperCell], before: Game) -> SheetRow:
    """Return the row with the winner and the ending that its cells say."""
    if not row.winner and any(cell.casefold() in _REDEALS for cell in row.cells.values()):
        return row._replace(winner=VOID)
    seat = find_winner(cells, (player.seat for player in before.playing), before.variant)
    winner = row.winner or str(seat or "")
    all_at_once = winner.isdecimal() and cells.get(int(winner), PaperCell()).mark in ALL_AT_ONCE
    return row._replace(winner=winner, ending=before.variant.kalooki_ending if all_at_once else row.ending)


def _event(
    row: SheetRow, cells: Mapping[int, PaperCell], playing: Sequence[int], before: Game, *, added: bool
) -> Event:
    """Return the hand in a row; raises BadInput naming an unreadable cell as left.SEAT."""
    if row.winner == VOID:
        return Void("copied from paper")
    if not row.winner:
        raise BadInput("Say who won this hand: write ✓ in their cell, or leave just that one empty.", "winner")
    won = Hand(whole_typed(row.winner, digits=2) or 0, row.ending, {})
    return read_hand(cells, won, playing, before.variant, added=added)


def _seat_of(field: str) -> int:
    """Return the seat in a field such as left.3; 0 for another field."""
    seat = field.removeprefix("left.").split(".")[0]
    return int(seat) if seat.isdecimal() else 0


def _explain(wrong: Sequence[Fault], game: Game) -> tuple[str, ...]:
    return tuple(explain(fault, game.variant).text for fault in wrong)


def _describe_buy_in(game: Game, seat: int, before: Game) -> str:
    return f"{game.name(seat)} had bought in at {before.offers[seat]}."


def _describe_knock_outs(game: Game, number: int) -> Iterator[str]:
    for player in game.players.values():
        if player.out_since == number:
            yield f"{player.name} is out."
