"""The rows of a score sheet: hands and what moved a total between them, file by file and page by page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from app.i18n import _, gettext
from app.kalooki.game.play import Game
from app.kalooki.game.state import Change, PlayedHand, Score
from app.kalooki.rules import wording
from app.kalooki.rules.wording import called
from app.kalooki.variants import Variant
from app.sheets.formats import whole
from app.sheets.paper import Paper

HANDS_A_FILE = 200
"""A longer game is printed as several files: a file of so many hands takes about two seconds and six pages."""

WON, ALL_AT_ONCE = "✓", {"kalooki": "K", "bending": "B"}
DEALT = "•"


class Cell(NamedTuple):
    """What one player got and has then; `marks` are classes: won, out (struck), bought (circled)."""

    points: str = ""
    total: str = ""
    marks: str = ""


class Row(NamedTuple):
    """A hand, or what moved a total between hands. `text` stands across all columns instead of cells.

    `out` are the columns of those who are out of the game after it.
    """

    label: str
    cells: tuple[Cell, ...]
    after: tuple[int | None, ...]
    entry: int = 0
    contract: str = ""
    text: str = ""
    note: str = ""
    is_hand: bool = True
    out: frozenset[int] = frozenset()


Totals = tuple[int | None, ...]
"""Everybody's totals after a row, in the order of the columns; None for who has none."""


class Page(NamedTuple):
    """The rows that stand on one page; totals brought forward from the page before, carried to the next."""

    rows: tuple[Row, ...]
    brought: tuple[Cell, ...]
    carried: tuple[Cell, ...]


def rows_of(game: Game, marks: Mapping[int, str]) -> Iterator[Row]:
    """Hands and what came between them, in the order they count, and the contracts still to be played."""
    out: set[int] = set()
    for row in _rows(game, marks):
        for column, cell in enumerate(row.cells):
            if cell.total:
                (out.add if "out" in cell.marks else out.discard)(column)
        yield row._replace(out=frozenset(out))


def _rows(game: Game, marks: Mapping[int, str]) -> Iterator[Row]:
    totals: dict[int, int] = {}
    between = {place: [*changes] for place, changes in groupby(game.changes, key=lambda change: change.hands)}
    for place, hand in enumerate([*game.hands, None]):
        for group in _together(between.get(place, ())):
            yield _change_row(game, group, totals, marks)
        if hand is not None:
            yield _hand_row(game, hand, totals, marks)
    for number in range(game.number, game.last_contract + 1 if not game.finish else 0):
        yield Row(
            str(number),
            (Cell(),) * len(game.order),
            _after(game, totals),
            contract=contract_words(game.variant, number),
        )


def _together(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Buy-ins that follow each other stand in one row."""
    for bought, group in groupby(changes, key=lambda change: change.why == "buy-in"):
        listed = [*group]
        yield from [listed] if bought else ([change] for change in listed)


def _change_row(game: Game, changes: Sequence[Change], totals: dict[int, int], marks: Mapping[int, str]) -> Row:
    before = dict(totals)
    totals |= {change.seat: change.total for change in changes}
    cells = {change.seat: _changed(game, change, before.get(change.seat, 0)) for change in changes}
    return Row(
        called("changes", changes[0].why, "brief", gettext),
        tuple(cells.get(seat, Cell()) for seat in game.order),
        _after(game, totals),
        entry=changes[0].entry,
        note=" ".join(filter(None, (marks.get(change.entry) for change in changes))),
        is_hand=False,
    )


def _changed(game: Game, change: Change, before: int) -> Cell:
    if change.why != "penalty":
        return Cell("", whole(change.total), "bought" if change.why == "buy-in" else "")
    out = "out" if game.variant.is_out(change.total) else ""
    return Cell(whole(change.total - before, plus=True), whole(change.total), out)


def _hand_row(game: Game, hand: PlayedHand, totals: dict[int, int], marks: Mapping[int, str]) -> Row:
    totals |= hand.totals
    scores = hand.scores
    return Row(
        str(hand.number),
        tuple(_cell(hand, seat, scores.get(seat)) for seat in game.order),
        _after(game, totals),
        entry=hand.entry,
        contract=contract_words(game.variant, hand.number),
        text=_void(hand) if hand.is_void else "",
        note=marks.get(hand.entry, ""),
    )


def _cell(hand: PlayedHand, seat: int, score: Score | None) -> Cell:
    if score is None:
        return Cell()
    won = seat == hand.winner
    words = [DEALT] if seat == hand.dealer else []
    if won:
        words.append(ALL_AT_ONCE.get(hand.ending or "", WON))
    if score.points or not won:
        words.append(whole(score.points))
    marks = [mark for mark, holds in (("won", won), ("out", score.out)) if holds]
    return Cell(" ".join(words), whole(score.total), " ".join(marks))


def _void(hand: PlayedHand) -> str:
    return _("void: {reason}").format(reason=hand.reason) if hand.reason else _("void")


def contract_words(variant: Variant, number: int) -> str:
    """The contract of a hand in a few words; empty where there is none."""
    contract = variant.contract(number)
    if contract is None:
        return ""
    return wording.contract_words(*contract, gettext)


def _after(game: Game, totals: Mapping[int, int]) -> Totals:
    return tuple(totals.get(seat) for seat in game.order)


def files_of(rows: list[Row]) -> list[list[Row]]:
    """The rows of each file: at most HANDS_A_FILE hands and what follows them."""
    files: list[list[Row]] = [[]]
    hands = 0
    for row in rows:
        hands += row.is_hand
        if row.is_hand and hands > HANDS_A_FILE:
            files.append([])
            hands = 1
        files[-1].append(row)
    return files


def pages_of(rows: Sequence[Row], paper: Paper, before: Row | None, feet: int) -> Iterator[Page]:
    """The rows page by page, each with the totals it begins and ends with; `before` is the row before the first.

    `feet` lines follow the last row; where they do not fit below it they stand on a page of their own.
    """
    start = 0
    while start == 0 or start < len(rows):
        room = paper.rows(first=start == 0)
        shown = tuple(rows[start : start + room])
        begins = rows[start - 1] if start else before
        start += room
        needs_another = start >= len(rows) and len(shown) + feet > room + 1 and bool(shown)
        yield Page(shown, _stand(begins), _stand(shown[-1]) if needs_another or start < len(rows) else ())
    if needs_another:
        yield Page((), _stand(rows[-1]), ())


def _stand(row: Row | None) -> tuple[Cell, ...]:
    """Everybody's total after a row, struck for who is out."""
    if row is None:
        return ()
    totals = enumerate(figures(row.after))
    return tuple(Cell("", total, "out" if column in row.out else "") for column, total in totals)


def figures(totals: Totals | None) -> tuple[str, ...]:
    """Totals as they are printed; blank where a player has none."""
    return tuple("" if total is None else whole(total) for total in totals or ())
