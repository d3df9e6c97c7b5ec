"""A game's file as text: its hands, totals, ranking, and who pays whom."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfoNotFoundError

from app import days
from app.i18n import N_, gettext
from app.interface.requests import as_json, log_of
from app.kalooki.cards import Malformed
from app.kalooki.game.events import Start
from app.kalooki.game.play import Game, from_record, play
from app.sheets.rows import DEALT, WON, Cell, ledger_below, rows_of, tallies, totals
from app.telling.phrases import heading, headline, table_facts
from app.telling.settling import pool_words, settlement_lines
from app.telling.standings import standings
from app.telling.story import Stamp, Story

COLUMNS = 80
LONGEST_HEAD = 12
"""Of a name above its column; the ranking has it in full."""
LARGEST_FILE = 16 * 1024 * 1024
OUT, BACK = "x", "o"
"""The marks of a total that puts a player out, and of one at which they bought in."""
_LEGEND = {
    DEALT: N_("• dealt"),
    WON: N_("✓ won the hand"),
    "K": N_("K won by a Kalooki"),
    "B": N_("B bent the table"),
    OUT: N_("x out"),
    BACK: N_("o bought in at this score"),
}
_NO_GAME = "{path} is no saved game: sheet.json, from a game’s page Share, is one."


class ScoreLine(NamedTuple):
    """A row of the table: what it is, and for each player a text; `text` goes across them all."""

    label: str
    values: tuple[str, ...] = ()
    text: str = ""


def sheet(path: Path) -> list[str]:
    """The score of the game in a file; raises Malformed if there is none in it."""
    story = _story(path)
    game = story.game
    hands = [*_hands(story)]
    table = _table([game.name(seat) for seat in game.order], [*hands, *_foot(game)])
    ranking = (
        f"{place}. {', '.join([player.name, str(player.total), *notes])}{f', {money} {game.currency}' if money else ''}"
        for place, player, notes, money in standings(game)
    )
    settled = [*settlement_lines(game), *filter(None, [pool_words(game)])] if game.stakes else []
    facts = " · ".join(table_facts(story))
    wrong = (text for texts in story.faults.values() for text in texts)
    parts = ([headline(game), heading(story), facts], [*table, _legend(hands)], ranking, settled, wrong)
    return [line for part in filter(None, map(list, parts)) for line in (*part, "")][:-1]


def _story(path: Path) -> Story:
    code, record = _record(path)
    try:
        entries = from_record([each.get("event") for each in record])
        game = play(entries)
    except Malformed as cause:
        raise Malformed("{path}: {why}", path=path, why=cause) from cause
    start = entries[0].event
    zone = days.known_zone(start.zone if isinstance(start, Start) else "")
    stamps = [Stamp(_on_the_wall(str(each.get("at") or ""), zone), str(each.get("by") or "")) for each in record]
    return Story(code, stamps[0].at[:10], game, entries, stamps, game)


def _record(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The code and the log in a game's file; raises Malformed."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as cause:
        raise Malformed("{path} cannot be read: {why}.", path=path, why=cause.strerror) from cause
    try:
        if len(raw) <= LARGEST_FILE:
            contents = as_json(raw.removeprefix(b"\xef\xbb\xbf"))
            log = log_of(contents)
            return str(contents.get("code") or path.stem), log
    except (ValueError, RecursionError) as cause:
        raise Malformed(_NO_GAME, path=path) from cause
    raise Malformed(_NO_GAME, path=path)


def _on_the_wall(at: str, zone: str) -> str:
    """A time of the log on the table's clock; as it was written where this machine knows no time zones."""
    try:
        return days.on_the_wall(at, zone)
    except ZoneInfoNotFoundError:
        return at[:16].replace("T", " ")


def _hands(story: Story) -> Iterator[ScoreLine]:
    for row in rows_of(story):
        yield ScoreLine(" ".join(filter(None, (row.label, row.contract))), tuple(map(_cell, row.cells)), row.text)


def _foot(game: Game) -> Iterator[ScoreLine]:
    for each in (totals(game), *tallies(game), *ledger_below(game)):
        values = (f"{value}{OUT * (column in each.struck)}" for column, value in enumerate(each.values))
        yield ScoreLine(each.label, tuple(values))


def _cell(cell: Cell) -> str:
    mark = OUT if "out" in cell.marks else BACK if "bought" in cell.marks else ""
    return " ".join(filter(None, (cell.points, f"{cell.total}{mark}")))


def _table(names: Sequence[str], lines: Sequence[ScoreLine]) -> list[str]:
    """The table in blocks of as many players as fit the width, below each other."""
    heads = [_shortened(name) for name in names]
    columns = [*zip_longest(*(line.values for line in lines if line.values), fillvalue="")]
    widths = [max(map(_width, (head, *column))) for head, column in zip(heads, columns, strict=True)]
    first = max(_width(line.label) for line in lines)
    rows = []
    for begin, end in _blocks(widths, COLUMNS - first):
        rows += ["", _row("", heads[begin:end], first, widths[begin:end])]
        for line in lines:
            cells = (line.values or ("",) * len(names))[begin:end]
            across = f"{_padded(line.label, first)}  {line.text}"
            rows.append(across if line.text else _row(line.label, cells, first, widths[begin:end]))
    return rows[1:]


def _legend(lines: Sequence[ScoreLine]) -> str:
    """What the marks mean that occur in a table."""
    signs = {sign for line in lines for value in line.values for sign in value}
    return " · ".join(gettext(words) for sign, words in _LEGEND.items() if sign in signs)


def _blocks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """The first and the last column, exclusive, of each block."""
    begin = used = 0
    for at, width in enumerate(widths):
        if used + width + 2 > room and at > begin:
            yield begin, at
            begin, used = at, 0
        used += width + 2
    yield begin, len(widths)


def _row(label: str, cells: Sequence[str], first: int, widths: Sequence[int]) -> str:
    right = (" " * (width - _width(cell)) + cell for cell, width in zip(cells, widths, strict=True))
    return "  ".join([_padded(label, first), *right]).rstrip()


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _shortened(name: str) -> str:
    while _width(name) > LONGEST_HEAD:
        name = f"{name.removesuffix('…')[:-1]}…"
    return name


def _width(text: str) -> int:
    """The columns a text takes on a terminal: two for an ideograph or an emoji, none for an accent or a joiner."""
    return sum(_columns_of(letter) for letter in text)


def _columns_of(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
