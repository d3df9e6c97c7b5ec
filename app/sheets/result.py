"""A game as a picture for a phone: the winner, the story, bars to the limit or a chart, the ranking, who pays whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.history.formats import region_of, show_currency
from app.history.phrases import heading, headline, whole
from app.history.record import History
from app.history.settling import pool_words, settlement_lines
from app.history.standings import Standing, standings
from app.history.story import story
from app.kalooki.game.play import Game
from app.sheets.chart import INKS, Chart, Symbol, chart
from app.sheets.paper import CHARACTER, POINT
from app.sheets.renderer import Layout
from app.sheets.score_sheet import DEALT, Cell, Row, figures, lines_of, rows_of

PIXELS_WIDE = 1080
"""The pixels a phone shows beside each other."""
MM_WIDE = 108
"""The width of the picture in millimetres."""
DOTS_A_POINT = PIXELS_WIDE * POINT / MM_WIDE
TEXT_WIDTH = 94.0
"""The width between the margins, in millimetres."""
TITLE_SIZES, NAME_SIZES = (14.0, 11.0, 8.4, 6.0, 4.8), (4.8, 4.3, 3.9, 3.5, 3.2)
"""Type sizes in millimetres, from the largest down: names shrink before they are given two lines."""
FIGURES_WIDTH, MONEY_SIZE = 30.0, 3.2
"""The width of place, mark and total; the type size of money."""
LABEL_WIDTH, HAND_WIDTH, WORD_WIDTH, MAX_HANDS = 9.0, 7.0, 11.0, 7
"""The widths of the word before the numbers of the hands, of one hand, and of a column headed by a word; and as many
hands are shown at most."""
CHART_HEIGHT, TALL_CHART_HEIGHT, MANY_PLAYERS = 48.0, 54.0, 6
FRAME_HEIGHT, ROW_HEIGHT, PAYMENT_HEIGHT = 110.0, 30.0, 10.0
"""Generous heights in mm; the picture is cropped to its content."""


class Column(NamedTuple):
    """What each player got in a hand, or before or besides the hands shown, in the order of play."""

    label: str
    cells: tuple[str, ...]

    @property
    def is_wide(self) -> bool:
        """Whether a word is its label, not the number of a hand."""
        return not self.label[0].isdigit()


class ResultRow(NamedTuple):
    """One player of the ranking, with the mark of their line, their colour and bar, and their cells in the columns.

    The bar is in hundredths of the longest bar there may be.
    """

    stands: Standing
    mark: Symbol | None
    ink: str
    bar: int
    last: tuple[str, ...]


class Result(NamedTuple):
    """The picture: its headline and story, what was played, the ranking, bars or chart, and who paid and pays whom.

    A game with a limit, which is `limit_at` on the scale of the bars, has bars; another has the chart.

    `part` says which of the hands are shown, if not all. The `columns` of each player add up to the total.
    """

    headline: str
    story: str
    heading: str
    place: str
    limit_at: int | None
    settled: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    columns: tuple[Column, ...]
    part: str
    chart: Chart | None
    currency: str


def result_of(history: History) -> Result:
    """Return the picture of a game as it stands."""
    game = history.game
    limit = game.variant.limit if game.hands else None
    longest = max(limit or 1, *(player.total for player in game.players.values()))
    drawn = _chart(history) if limit is None else None
    curves = {curve.name: curve for curve in drawn.curves} if drawn else {}
    ranked = standings(game)
    room = TEXT_WIDTH - FIGURES_WIDTH - MONEY_SIZE * CHARACTER * max(len(stands.money) for stands in ranked)
    count = max(1, min(MAX_HANDS, round((room - LABEL_WIDTH) / HAND_WIDTH)))
    columns, part = _last_hands(history, count)
    rows = []
    for stands in ranked:
        curve, place = curves.get(stands.player.name), game.order.index(stands.player.seat)
        last = tuple(column.cells[place] for column in columns)
        ink = INKS[stands.player.avatar.colour]
        rows.append(ResultRow(stands, curve.mark if curve else None, ink, _share(stands.player.total, longest), last))
    return Result(
        headline=headline(game),
        story=story(history),
        heading=heading(history),
        place=game.place,
        limit_at=None if limit is None else _share(limit, longest),
        settled=(*settlement_lines(game), *filter(None, [pool_words(game)])) if game.stakes and game.finish else (),
        rows=tuple(rows),
        columns=columns,
        part=part,
        chart=drawn,
        currency=show_currency(game.currency.name, region_of(game)),
    )


def _share(total: int, longest: int) -> int:
    return max(0, total * 100 // longest)


def _last_hands(history: History, count: int) -> tuple[tuple[Column, ...], str]:
    """Return the columns of the last hands that fit in the width of `count`, and which hands these are, if not all."""
    sheet = [*rows_of(history)]
    every = [row for row in sheet if row.number and row.entry and not row.text]
    columns: tuple[Column, ...] = ()
    for shown_count in range(min(count, len(every)), 0, -1):
        columns = tuple(_columns(history.game, sheet, every[-shown_count:]))
        if sum(WORD_WIDTH if column.is_wide else HAND_WIDTH for column in columns) <= HAND_WIDTH * count:
            break
    is_part = bool(every) and shown_count < len(every)
    return (
        columns,
        f"Points: hands {every[-shown_count].number} to {every[-1].number} of {every[-1].number}." if is_part else "",
    )


def _columns(game: Game, sheet: Sequence[Row], played: Sequence[Row]) -> Iterator[Column]:
    """Yield the total before some hands, their points, and what else changed totals; the first and last if needed."""
    first = sheet.index(played[0])
    before = sheet[first - 1].after if first else (None,) * len(game.order)
    if any(before):
        hands = played[0].number - 1
        yield Column(f"1–{hands}" if hands > 1 else "before", figures(before))
    for row in played:
        yield Column(row.label, tuple(map(_points, row.cells)))
    entries = {row.entry for row in played}
    scored = [hand.scores for hand in game.hands if hand.entry in entries]
    points = (sum(scores[seat].points for scores in scored if seat in scores) for seat in game.order)
    others = [
        game.players[seat].total - (start or 0) - each
        for seat, start, each in zip(game.order, before, points, strict=True)
    ]
    if any(others):
        why = "buy-in" if {change.why for change in game.changes} == {"buy-in"} else "other"
        yield Column(why, tuple(whole(other, plus=True) if other else "" for other in others))


def _points(cell: Cell) -> str:
    """Return the points of a hand for a narrow column; a dash if the player was not dealt in."""
    return "–" if cell.marks == "absent" else cell.points.replace(DEALT, "").strip()


def _chart(history: History) -> Chart | None:
    totals = lines_of(history)
    size = (TEXT_WIDTH, TALL_CHART_HEIGHT if len(totals) > MANY_PLAYERS else CHART_HEIGHT)
    return chart(totals, history.game.variant.limit, size) if totals else None


def result_layouts(result: Result) -> tuple[Layout, ...]:
    """Return the layouts of the picture: names in one line, in several, and in pieces."""
    high = FRAME_HEIGHT + TALL_CHART_HEIGHT + (ROW_HEIGHT + PAYMENT_HEIGHT) * len(result.rows)
    page = f"@page {{ size: {MM_WIDE}mm {high:.0f}mm; margin: 0 }}"
    parts = {"h1": TITLE_SIZES, ".ranking .name": NAME_SIZES}
    sizes = tuple(tuple(f"{part} {{ font-size: {size}mm }}" for size in some) for part, some in parts.items())
    breaks = ("white-space: nowrap", "white-space: normal", "overflow-wrap: anywhere")
    return tuple(Layout(f"{page} .ranking .name {{ {each} }}", sizes) for each in breaks)
