"""The result of a game as a picture for a chat: the winner, the ranking, and a chart of the totals."""

from __future__ import annotations

from typing import NamedTuple

from app.sheets.chart import INK, Chart, Mark, chart
from app.sheets.facts import heading, headline
from app.sheets.letters import POINT, lines
from app.sheets.paper import Paper
from app.sheets.places import Standing, standings
from app.sheets.score_sheet import inks_of, lines_of
from app.sheets.settling import settlement_lines, why_nothing
from app.table.recording import Table

ACROSS, DOWN = 1080, 1350
"""Pixels: what a chat shows without cropping."""
CARD = Paper("card", ACROSS // 10, DOWN // 10, 0, 7, code=0)
DOTS_A_POINT = ACROSS * POINT / CARD.width
WITHIN = 94.0
"""The width between the margins, in millimetres."""
HEAD, FOOT = 37.0, 9.0
ROW, MOST_ROWS = 8.6, 62.0
"""The height of a row, and the most that all rows take together: with many players, rows are lower."""
LETTERS = 0.5
"""The type size, as a part of a row's height."""
LEAST_CHART = 20.0
CAPTION = 8.0
"""The height of the chart's title, with the space around both."""
SMALL, SMALL_LINE, AROUND = 2.8, 3.6, 2.0
"""For “who pays whom”, in millimetres: the type size, the height of a line, the space around it."""
TOGETHER = "\N{NO-BREAK SPACE}"
"""Keeps a payment on one line."""


class Row(NamedTuple):
    """One player of the ranking, with the mark and the colour of their line."""

    stands: Standing
    mark: Mark | None
    ink: str


class Result(NamedTuple):
    """The picture: its headline, what was played, the ranking, the chart, and who paid and pays whom."""

    headline: str
    heading: str
    place: str
    settled: str
    rows: tuple[Row, ...]
    chart: Chart | None
    currency: str
    rules: str


def result_of(table: Table) -> Result:
    """The picture of a game as it stands."""
    game = table.game
    height = min(ROW, MOST_ROWS / len(game.players))
    room = DOWN / 10 - HEAD - FOOT - height * len(game.players)
    settled = _settled(table, room)
    drawn = _chart(table, room - _height(settled))
    curves = {curve.name: curve for curve in drawn.curves} if drawn else {}
    rows = []
    for stands in standings(game):
        curve = curves.get(stands.player.name)
        rows.append(Row(stands, curve.mark if curve else None, curve.ink if curve else INK))
    return Result(
        headline=headline(game),
        heading=heading(table),
        place=game.place,
        settled=settled,
        rows=tuple(rows),
        chart=drawn,
        currency=game.currency.name,
        rules=_rules(height),
    )


def _settled(table: Table, room: float) -> str:
    """Who paid whom, and who still pays whom, once a game for money is over.

    If that leaves no room for the chart, only whether everything is paid: the text beside the picture has the rest.
    """
    if not table.game.stakes or not table.game.finish:
        return ""
    told = " · ".join(line.replace(" ", TOGETHER) for line in settlement_lines(table.game))
    of_chart = LEAST_CHART + CAPTION
    free = room - of_chart if room > of_chart else room
    return told if _height(told) < free else why_nothing(table.game)


def _height(settled: str) -> float:
    """The height of “who pays whom” in millimetres; 0 if there is nothing to say."""
    unbroken = settled.replace(TOGETHER, "_")
    return lines(unbroken, SMALL / POINT, WITHIN) * SMALL_LINE + AROUND if settled else 0


def _chart(table: Table, height: float) -> Chart | None:
    totals = lines_of(table)
    size = (WITHIN, height - CAPTION)
    inks = inks_of(table.game)
    return chart(totals, table.game.variant.limit, 0, size, inks=inks) if totals and height > LEAST_CHART else None


def _rules(height: float) -> str:
    """The CSS with the sizes of the page and its rows."""
    size = height * LETTERS
    page = f"@page {{ size: {CARD.size}; margin: 0 }}"
    return f"{page} .ranking td {{ height: {height:.2f}mm; font-size: {size:.2f}mm }}"
