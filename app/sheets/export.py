"""Games as files for other programs: rows for a spreadsheet, text for a chat, the log to restore a game from."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal

from app.i18n import _
from app.kalooki.game.play import Game
from app.sheets.facts import hands_words, names_of
from app.sheets.formats import exact, whole
from app.sheets.happenings import Happening, happenings
from app.sheets.places import Standing, standings
from app.sheets.settling import open_lines, pool_words, settlement_lines
from app.table.recording import Table

BYTE_ORDER_MARK = "\ufeff"
"""Without it, a spreadsheet misreads names such as Zoë and Łukasz."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_COLUMNS = (
    *("game", "variant", "date", "hand", "entry", "dealer", "seat", "player", "result", "cards", "calls"),
    *("points", "total", "out", "paid", "currency"),
    *("kind", "balance", "time", "reason"),
)
MOST_NAME = 80
# fmt: off
DECIMAL_COMMA = frozenset([
    "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv",
    "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk",
])
# fmt: on
"""Languages whose office programs read 1,10 as a number and 1.10 as a date or a word."""
_NOT_IN_NAMES = str.maketrans("", "", '\\/:*?"<>|')


def spreadsheet(table: Table, language: str = "en") -> str:
    """The game as CSV: for each hand, and anything else that moved points or money, one row for each player.

    In a language that writes 1,10 the cells stand between semicolons, as its office programs expect them. `paid` is
    what the player received. A player's points add up to `total`, the payments to `balance`. Texts that a spreadsheet
    would calculate are made harmless.
    """
    written = io.StringIO()
    has_comma = language[:2].lower() in DECIMAL_COMMA
    rows = csv.writer(written, lineterminator="\r\n", delimiter=";" if has_comma else ",")
    rows.writerow(_COLUMNS)
    for happening in happenings(table):
        cells = (harmless(cell) if isinstance(cell, str) else cell for cell in _cells(table, happening))
        rows.writerow([str(cell).replace(".", ",") if has_comma and type(cell) is Decimal else cell for cell in cells])
    return BYTE_ORDER_MARK + written.getvalue()


def harmless(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("Ann"), harmless("-5")
    ("'=1+1", 'Ann', "'-5")
    """
    return f"'{text}" if text.lstrip(" \u200b\ufeff").startswith(_FORMULA) else text


def _cells(table: Table, row: Happening) -> Iterator[str | int | Decimal | None]:
    game, is_of_player = table.game, bool(row.seat)
    has_money = is_of_player and game.stakes is not None
    yield from (table.code, game.variant.name, table.day, row.number or "", row.entry)
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
    entries = [
        {"entry": entry.seq, "at": entry.at, "by": entry.actor, "event": entry.event} for entry in table.log.entries
    ]
    # sorted, because an entry just typed and the same one read back have their keys in different orders
    return json.dumps({"code": table.code, "log": entries}, ensure_ascii=False, indent=1, sort_keys=True)


def chat_text(table: Table, address: str) -> str:
    """The game in a few lines for a chat: the ranking, money won and lost, payments made and due, the pool."""
    game = table.game
    return _text(table, _standings(game, standings(game)), settlement_lines(game), address)


def open_text(table: Table, address: str) -> str:
    """The same lines with only what is still open: the balances, and the payments not made yet."""
    game = table.game
    return _text(table, _standings(game, standings(game, game.balances)), _open(game), address)


def _open(game: Game) -> Iterator[str]:
    if game.balances != game.won:
        yield _("The amounts are what is still open: payments made are taken off.")
    yield from open_lines(game)


def _text(table: Table, ranking: Iterable[str], settled: Iterable[str], address: str) -> str:
    game = table.game
    head = f"{game.variant.name}, {table.day}"
    lines = [head, _progress(game), "", *ranking]
    if game.stakes and not game.finish:
        lines += ["", _("In the pool: {amount}").format(amount=game.currency.amount(game.pool))]
    if game.finish and game.stakes:
        lines += ["", *settled, *filter(None, [pool_words(game)])]
    return "\n".join([*lines, "", address, ""])


def _progress(game: Game) -> str:
    hands = hands_words(game)
    if not game.finish:
        return hands
    if not game.winners:
        return _("Over after {hands}").format(hands=hands)
    return _("{names} won after {hands}").format(names=names_of(game, game.winners), hands=hands)


def _standings(game: Game, ranked: Iterable[Standing]) -> Iterator[str]:
    """One line for each player, in the order of their places."""
    for place, player, notes, money in ranked:
        won = f"{money} {game.currency}" if money else ""
        yield ", ".join(filter(None, [f"{place}. {player.name} {whole(player.total)}", *notes, won]))


def file_name(table: Table, what: str, suffix: str) -> str:
    """A file name that people recognise in a folder: what it is, the day, the players.

    Leaves out characters that file systems or HTTP headers do not accept.
    """
    players = " ".join(table.game.name(seat) for seat in table.game.order)
    return plain_name(f"{what} {table.day} {players}", suffix)


def plain_name(words: str, suffix: str) -> str:
    """Any text as a file name.

    >>> plain_name('Kalooki  A/B: "x"', "pdf")
    'Kalooki AB x.pdf'
    """
    kept = (sign if sign == " " or unicodedata.category(sign)[0] not in "CZ" else "" for sign in words)
    spaced = " ".join("".join(kept).translate(_NOT_IN_NAMES).split())
    return f"{spaced[:MOST_NAME].strip(' .')}.{suffix}"
