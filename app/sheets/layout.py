"""A score sheet on its paper: what it says, its measurements, and the CSS that follows from them.

Heights and widths are millimetres, type sizes points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.history.settling import WhoPaysWhom
from app.sheets.chart import Chart
from app.sheets.letters import POINT
from app.sheets.paper import Paper
from app.sheets.rows import Foot, Page

MOST_UPRIGHT = 6
"""With more players than this, a page is landscape."""
PAYMENT = 1.25
"""The size of “who pays whom”, as a multiple of that of other texts."""
TIGHTER = "html { line-height: 1.2 } .box { margin-top: 2.5mm }"


class Letters(NamedTuple):
    """Type sizes in points; `totals` are the running totals, `sums` the last ones, `feet` the figures of the foot.

    `turned` is the length in millimetres of names turned on their side, 0 if they stand upright.
    """

    totals: float
    points: float
    feet: float
    texts: float
    sums: float
    names: float
    turned: float
    title: float


class Columns(NamedTuple):
    """Widths in millimetres: the labels, the contracts (0 without), each of `players`, and the points' part of that."""

    label: float
    contract: float
    each: float
    points: float
    players: int

    @property
    def across(self) -> float:
        """The whole table."""
        return self.label + self.contract + self.players * self.each


class Heights(NamedTuple):
    """Heights in millimetres: the head, the names, a row, a row of the foot and the row of the last totals."""

    head: float
    names: float
    row: float
    foot: float
    sums: float


class Layout(NamedTuple):
    """A sheet on its paper: its measurements, the number of rows on each page, the chart's width and height.

    `notes_at` is the place of the notes: left (column), right (column), or below both; with `lists` the house rules
    follow below all that, in two columns. What follows the table may begin a new page (`breaks`) and may need more
    pages (`runs_on`).
    """

    paper: Paper
    letters: Letters
    columns: Columns
    heights: Heights
    counts: tuple[int, ...]
    breaks: bool
    runs_on: int
    is_even: bool
    chart: tuple[float, float] | None
    notes_at: str
    lists: bool = False

    @property
    def pages(self) -> int:
        return len(self.counts) + self.breaks + self.runs_on


class ScoreSheet(NamedTuple):
    """A game's score sheet, every value as printed; `layout` is None on a screen.

    `head` are the lines below the headline; `won` are the columns of the winners.
    """

    code: str
    name: str
    day: str
    headline: str
    head: tuple[str, ...]
    players: tuple[str, ...]
    won: frozenset[int]
    has_contracts: bool
    totals: Foot
    feet: tuple[Foot, ...]
    payments: tuple[WhoPaysWhom, ...]
    result: tuple[str, ...]
    faults: tuple[str, ...]
    house_rules: tuple[str, ...]
    notes: tuple[str, ...]
    legend: str
    pages: tuple[Page, ...] = ()
    chart: Chart | None = None
    layout: Layout | None = None

    @property
    def is_wide(self) -> bool:
        """Whether a browser should print it in landscape."""
        return len(self.players) > MOST_UPRIGHT


def fits_of(layout: Layout) -> tuple[str, ...]:
    """Return what is tried in turn until all is on its pages: texts as measured, closer lines, smaller type."""
    sizes = (max(layout.paper.least, layout.letters.texts * part) for part in (0.92, 0.85, 0.78))
    return ("", TIGHTER, *(f"{TIGHTER} html {{ font-size: {size:.2f}pt }}" for size in sizes))


def layout_css(layout: Layout, feet: int) -> str:
    """Return the CSS of a printed score sheet: sizes, heights, widths, a line before each player.

    `feet` is the number of lines below the last totals, which the frame around the winner's column includes.
    """
    letters, columns, heights = layout.letters, layout.columns, layout.heights
    sizes = {
        "html": letters.texts,
        "h1": letters.title,
        ".hands .rows td, .hands .rows th": letters.points,
        ".hands .rows .total": letters.totals,
        ".hands thead th": letters.names,
        ".hands .feet td, .hands .feet th": letters.feet,
        ".hands .sum .total, .hands .sum th": letters.sums,
        ".pays": letters.texts * PAYMENT,
        ".signs, .address": layout.paper.least,
    }
    high = {
        ".sheet-head": heights.head,
        ".hands thead th": heights.names,
        ".rules i": heights.row,
    }
    lined = {
        ".hands .rows": heights.row,
        ".said span": heights.row - 0.3,  # between the text and the lines above and below it
        ".hands .feet": heights.foot,
        ".hands .sum": heights.sums,
    }
    wide = {".hands .points": columns.points, ".hands .contract": columns.contract, ".hands .label": columns.label}
    css = [f"{what} {{ font-size: {size:.2f}pt }}" for what, size in sizes.items()]
    css += [f"{what} {{ height: {height:.2f}mm }}" for what, height in high.items()]
    css += [f"{what} {{ line-height: {height:.2f}mm }}" for what, height in lined.items()]
    css += [f"{what} {{ width: {across:.2f}mm }}" for what, across in wide.items()]
    css += _line_css(layout, feet)
    css.append(f".rules {{ top: {heights.names:.2f}mm }}")
    if layout.chart:
        width, height = layout.chart
        css.append(f".drawing, .plot {{ width: {width:.1f}mm }} .drawing {{ height: {height:.1f}mm }}")
    return " ".join(css)


def _turned_css(layout: Layout) -> str:
    """Return the CSS of names that read upwards in the middle of their columns, in two lines if they are long."""
    high = 2.4 * layout.letters.names * POINT
    return (
        f".turned {{ display: block; width: {layout.letters.turned:.2f}mm; height: {high:.2f}mm; text-align: left;"
        f" margin-left: {(layout.columns.each + high) / 2 - 1:.2f}mm;"
        " transform-origin: 0 100%; transform: rotate(-90deg) }"
    )


def _line_css(layout: Layout, feet: int) -> Iterator[str]:
    """Yield the width of the table, the lines between players, turned names, and the frame around a winner's sums."""
    if layout.letters.turned:
        yield _turned_css(layout)
    columns, heights = layout.columns, layout.heights
    yield f".hands, .rules {{ width: {columns.across:.2f}mm }}"
    start = columns.label + columns.contract
    for place in range(columns.players):
        left = start + columns.each * place
        yield f".line:nth-child({place + 1}), .frame-{place} {{ left: {left:.2f}mm }}"
    height = 0.5 + heights.sums + feet * heights.foot  # with the line above the last totals
    # it covers the line before the next player
    yield f".frame {{ width: {columns.each + 0.2:.2f}mm; height: {height:.2f}mm }}"
