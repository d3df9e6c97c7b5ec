"""CSV for a spreadsheet; a game as its rows."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from app.history.formats import csv_marks, region_of
from app.history.phrases import exact
from app.history.record import Gain, History
from app.history.timeline import NOT_DEALT_IN, HistoryItem, effective_timeline
from app.kalooki.cards import write
from app.kalooki.money import CARRIED

BYTE_ORDER_MARK = "\ufeff"
"""Without it, a spreadsheet misreads names such as Zoë and Łukasz."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_FORMULA_INSIDE = re.compile(rf'([,;\t\r\n]["\s\u200b\ufeff]*)(?=[{re.escape("".join(_FORMULA))}])')
_MONTHS = "[jg]an|ene|f[eé]v|feb|m[aä]r|apr|a[bv]r|ma[yij]|ju[nil]|aug|aoû|ago|se[pt]|o[ck]t|out|nov|d[eé]c|dez|dic"
_NO_TEXT = re.compile(
    rf"true|false|[\W\d_]*\d[\W\d_]*|[\d.,]+e[+-]?\d+|\d[\d:. ]*[ap]m?|(?=.*\d)[\W\d_]*(?:{_MONTHS})[^\W\d_]*[\W\d_]*",
    re.IGNORECASE,
)
"""What a spreadsheet reads as a number, a date, a time or a truth value."""
_OWN_FORMS = frozenset({"date", "time"})
"""The columns that a spreadsheet should read."""
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
    is what the player received. A player's points add up to `total`, the payments to `balance`. Text stays text.
    """
    return write_csv(_COLUMNS, _rows(history), separator, region_of(history.game))


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]], separator: str, region: str) -> str:
    """Return rows as CSV; without a `separator`, as the spreadsheets of the region expect it."""
    written = io.StringIO()
    between, decimal = SEPARATORS[separator] if separator else csv_marks(region)
    cells = csv.writer(written, lineterminator="\r\n", delimiter=between)
    cells.writerow(columns)
    for row in rows:
        cells.writerow([_cell(name, row.get(name), decimal) for name in columns])
    return BYTE_ORDER_MARK + written.getvalue()


def _cell(name: str, value: object, decimal: str) -> object:
    """Return a value as it is written in its column."""
    if isinstance(value, str):
        return value if name in _OWN_FORMS else harmless(value)
    return str(value).replace(".", decimal) if isinstance(value, Decimal) else value


def harmless(text: str) -> str:
    """Return the text with an apostrophe wherever a spreadsheet would take it for a formula, a number or a date.

    A spreadsheet that expects the other separator splits a cell at it, so a formula after a separator counts too.

    >>> harmless("=1+1"), harmless("Ann"), harmless("-5"), harmless("B,=1+1,C")
    ("'=1+1", 'Ann', "'-5", "B,'=1+1,C")
    >>> harmless("1/2"), harmless("MAR1"), harmless("1E5"), harmless("007"), harmless("3 of spades"), harmless("Ann 2")
    ("'1/2", "'MAR1", "'1E5", "'007", '3 of spades', 'Ann 2')
    """
    split = _FORMULA_INSIDE.sub(r"\1'", text)
    return f"'{split}" if split.lstrip(" \u200b\ufeff").startswith(_FORMULA) or _NO_TEXT.fullmatch(text) else split


def _rows(history: History) -> Iterator[dict[str, object]]:
    """Yield the rows of every entry that counts or waits for its hand; a void hand has one row without a player."""
    game = history.game
    of_game = {"game": history.code, "variant": game.variant.name, "date": history.evening}
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
