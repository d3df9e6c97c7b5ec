"""A game as rows of CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from app.history.facts import NOT_DEALT_IN
from app.history.formats import csv_marks, region_of
from app.history.gains import Gain
from app.history.phrases import exact
from app.history.record import History
from app.history.timeline import HistoryItem, effective_timeline
from app.kalooki.cards import write
from app.kalooki.money import CARRIED

BYTE_ORDER_MARK = "\ufeff"
"""Without it, a spreadsheet misreads names such as Zoë and Łukasz."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_COLUMNS = (
    *("game", "variant", "date", "hand", "entry", "dealer", "seat", "player", "result", "cards", "calls"),
    *("points", "total", "out", "paid", "currency"),
    *("kind", "balance", "time", "reason"),
)
SEPARATORS = {"comma": (",", "."), "semicolon": (";", ",")}
"""The cell separator and the decimal mark, by the word that chooses them."""


def csv_text(history: History, separator: str = "") -> str:
    """Return the game as CSV: one row per player for each hand, and for anything else that moved points or money.

    Without a `separator`, cells and decimals are written as the spreadsheets of the table's region expect them. `paid`
    is what the player received. A player's points add up to `total`, the payments to `balance`. Text that a
    spreadsheet would take for a formula is made harmless.
    """
    written = io.StringIO()
    between, decimal = SEPARATORS[separator] if separator else csv_marks(region_of(history.game))
    rows = csv.writer(written, lineterminator="\r\n", delimiter=between)
    rows.writerow(_COLUMNS)
    for row in _rows(history):
        cells = (harmless(cell) if isinstance(cell, str) else cell for cell in map(row.get, _COLUMNS))
        rows.writerow([str(cell).replace(".", decimal) if type(cell) is Decimal else cell for cell in cells])
    return BYTE_ORDER_MARK + written.getvalue()


def harmless(text: str) -> str:
    """Return the text with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("Ann"), harmless("-5")
    ("'=1+1", 'Ann', "'-5")
    """
    return f"'{text}" if text.lstrip(" \u200b\ufeff").startswith(_FORMULA) else text


def _rows(history: History) -> Iterator[dict[str, object]]:
    """Yield the rows of every entry that counts or waits for its hand; a void hand has one row without a player."""
    game = history.game
    of_game = {"game": history.code, "variant": game.variant.name, "date": history.day}
    totals, balances = Counter[int](), Counter[int]()
    for item in effective_timeline(history):
        of_entry: dict[str, object] = of_game | {"entry": item.entry, "time": item.stamp.at}
        of_hand = {"hand": item.hand.number, "dealer": game.name(item.hand.dealer)} if item.hand else {}
        if item.hand and item.hand.is_void:
            yield of_entry | of_hand | {"kind": "void", "result": "void", "reason": item.hand.reason}
        pending = Gain(item.event.kind, getattr(item.event, "seat", None) or 0)
        absent = [Gain("hand", seat) for seat in item.hand.absent] if item.hand else []
        for gain in [pending] if item.is_pending else [*item.gains, *absent]:
            row = of_entry | (of_hand if gain.kind == "hand" else {}) | _result(item, gain)
            row |= {"kind": gain.kind, "points": gain.points}
            if gain.seat:
                totals[gain.seat] += gain.points or 0
                balances[gain.seat] += gain.paid
                row |= {"seat": gain.seat, "player": game.name(gain.seat), "total": totals[gain.seat]}
                row["out"] = "yes" if gain.out else ""
            if gain.seat and game.stakes:
                paid, balance = exact(game, gain.paid), exact(game, balances[gain.seat])
                row |= {"paid": paid, "balance": balance, "currency": game.currency.name}
            yield row


def _result(item: HistoryItem, gain: Gain) -> dict[str, object]:
    """Return the result of a hand or an entry for a player, and its reason."""
    hand, event = item.hand, item.event
    if gain.kind == "hand" and hand and gain.seat in hand.absent:
        return {"result": NOT_DEALT_IN, "reason": hand.note}
    if gain.kind == "hand" and hand:
        result = hand.ending if gain.seat == hand.winner else "lost"
        cards, calls = write(hand.cards(gain.seat)), hand.calls.get(gain.seat)
        return {"result": result, "cards": cards, "calls": calls, "reason": hand.note}
    if item.is_pending:
        return {"result": item.timing, "reason": ", ".join((item.title, *(fact.text for fact in item.facts)))}
    if gain.kind == "penalty":
        return {"reason": getattr(event, "reason", "") or getattr(event, "note", "")}
    return {"result": "carried over"} if gain.kind == CARRIED else {}
