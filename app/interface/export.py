"""Games as files for other programs: rows for a spreadsheet, the log to restore a game from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from decimal import Decimal

from app.games.recording import Table
from app.history.formats import csv_marks, region_of
from app.history.movements import Happening, happenings
from app.history.phrases import exact
from app.history.record import History
from app.interface.state import EXPORT

BYTE_ORDER_MARK = "\ufeff"
"""Without it, a spreadsheet misreads names such as Zoë and Łukasz."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_COLUMNS = (
    *("game", "variant", "date", "hand", "entry", "dealer", "seat", "player", "result", "cards", "calls"),
    *("points", "total", "out", "paid", "currency"),
    *("kind", "balance", "time", "reason"),
)
SEPARATORS = {"comma": (",", "."), "semicolon": (";", ",")}
"""Between cells and before decimals, by the word that asks for them."""


def csv_text(history: History, separator: str = "") -> str:
    """The game as CSV: for each hand, and anything else that moved points or money, one row for each player.

    Without a `separator`, cells and decimals are as the spreadsheets of the table's region expect them. `paid` is
    what the player received. A player's points add up to `total`, the payments to `balance`. Texts that a spreadsheet
    would calculate are made harmless.
    """
    written = io.StringIO()
    between, decimal = SEPARATORS[separator] if separator else csv_marks(region_of(history.game))
    rows = csv.writer(written, lineterminator="\r\n", delimiter=between)
    rows.writerow(_COLUMNS)
    for happening in happenings(history):
        cells = (harmless(cell) if isinstance(cell, str) else cell for cell in _cells(history, happening))
        rows.writerow([str(cell).replace(".", decimal) if type(cell) is Decimal else cell for cell in cells])
    return BYTE_ORDER_MARK + written.getvalue()


def harmless(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("Ann"), harmless("-5")
    ("'=1+1", 'Ann', "'-5")
    """
    return f"'{text}" if text.lstrip(" \u200b\ufeff").startswith(_FORMULA) else text


def _cells(history: History, row: Happening) -> Iterator[str | int | Decimal | None]:
    game, is_of_player = history.game, bool(row.seat)
    has_money = is_of_player and game.stakes is not None
    yield from (history.code, game.variant.name, history.day, row.number or "", row.entry)
    yield game.name(row.dealer) if row.dealer else ""
    yield from (row.seat, game.name(row.seat)) if is_of_player else ("", "")
    yield from (row.result, row.cards, row.calls, row.points)
    yield row.total if is_of_player else ""
    yield "yes" if row.out else ""
    yield from (exact(game, row.paid), game.currency.name) if has_money else ("", "")
    yield row.kind
    yield exact(game, row.balance) if has_money else ""
    yield from (row.at, row.reason)


def whole_log(table: Table) -> str:
    """The game as JSON, in the shape that restores it."""
    # sorted, because an entry just typed and the same one read back have their keys in different orders
    return json.dumps(EXPORT(table), ensure_ascii=False, indent=1, sort_keys=True)
