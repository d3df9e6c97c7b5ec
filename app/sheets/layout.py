"""The layouts tried for a score sheet: its paper turned, its type sizes from the largest down.

Widths are millimetres, type sizes points. Columns are as wide as their texts by the rules of tables; from the number of
characters follows only how the rest of the page is shared out, so that all players have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.sheets.chart import TENTHS
from app.sheets.paper import Paper, about_as_wide, on_its_side
from app.sheets.pdf_press import Layout
from app.sheets.score_sheet import BESIDE, ScoreSheet, page_of

SIZES = (16.0, 14.0, 12.0, 10.5, 9.2, 8.2)
"""Type sizes of the running totals, tried down to the smallest of the paper; in large print, all that is large."""
LAST = (7.0, 6.0, 5.0)
"""Sizes for what is too wide in any other."""
ROW, LOW_ROW = 1.95, 1.6
"""The height of a row, as a multiple of its type size."""
WIDEST = 55.0
"""A player’s column: in a wider one the eye takes points for those of the player beside."""
LONGEST_NAME = 45.0
"""Of a name turned on its side: longer ones have two lines, unless one word is longer."""


def score_layouts(
    sheet: ScoreSheet, paper: Paper, css_of: Callable[[Paper], str], *, large: bool = False
) -> tuple[Layout, ...]:
    """Return the layouts, the best first: in landscape, with names turned, at last in small type if all is too wide.

    `css_of` returns the CSS of a page of that size; `large` is for weak eyes: the largest type, on any number of pages.
    """
    pages = dict.fromkeys((page_of(sheet, paper), on_its_side(paper)))
    *_, wide = pages
    sizes = (*(size for size in SIZES if size > paper.least), paper.least)
    if large:
        layouts = [Layout(css_of(page) + _size_css(sheet, page, size)) for size in sizes for page in pages]
    else:
        layouts = [Layout(css_of(page), (_sizes_css(sheet, page, sizes),)) for page in pages]
    turned = css_of(wide) + _turned_css(sheet, wide)
    last = (Layout(turned, (tuple(_size_css(sheet, wide, size) for size in some),)) for some in (sizes, LAST))
    return (*layouts, *last)


def _sizes_css(sheet: ScoreSheet, page: Paper, sizes: Sequence[float]) -> tuple[str, ...]:
    """Return the CSS of each size, the last in the lowest rows people can still read, and those without the chart."""
    *larger, least = sizes
    low = _size_css(sheet, page, least, LOW_ROW)
    return (*(_size_css(sheet, page, size) for size in larger), low, f"{low} .drawn {{ display: none }}")


def _size_css(sheet: ScoreSheet, page: Paper, size: float, row: float = ROW) -> str:
    """Return the CSS of a printed score sheet at one type size: sizes, heights, widths."""
    least = min(page.least, size)
    points, feet, names = (max(least, part * size) for part in (0.85, 0.8, 0.85))
    texts = max(least, min(11.0, 0.72 * size))
    sizes = {
        "html": texts,
        "h1": 22 if page.across > 160 else 17,
        ".pays": 1.25 * texts,
        ".signs, .address": least,
        ".hands": size,
        ".hands thead th": names,
        ".hands .rows th, .hands .contract, .hands .points, .hands .said": points,
        ".hands .feet": feet,
        ".hands .sum": min(20.0, 1.25 * size),
    }
    lined = {".hands .rows": row * size, ".hands .feet": max(1.3 * feet, 0.72 * row * size), ".hands .sum": row * size}
    css = [f"{what} {{ font-size: {points:.2f}pt }}" for what, points in sizes.items()]
    css += [f"{what} {{ line-height: {height:.2f}pt }}" for what, height in lined.items()]
    return " ".join([*css, *_width_css(sheet, page, size, points, feet)])


def _width_css(sheet: ScoreSheet, page: Paper, size: float, points: float, feet: float) -> Iterator[str]:
    """Yield the widths; most of a column’s empty room lies before the points, which stand nearer to their total."""
    labels = about_as_wide((f"{row.label} {row.mark}" for row in sheet.rows if row.label), points)
    labels += about_as_wide((row.contract for row in sheet.rows), points) if sheet.has_contracts else 0
    labels = max(labels, about_as_wide((line.label for line in sheet.feet), feet))
    each = min(WIDEST, (page.across - labels) / len(sheet.players))
    across = labels + each * len(sheet.players)
    total = about_as_wide((cell.total for row in sheet.rows for cell in row.cells), size)
    total = max(total, total + 0.3 * (each - 2 * total))
    yield f".hands {{ width: {across:.2f}mm }}"
    yield f"col.points {{ width: {100 * max(1, each - total) / across:.2f}% }}"
    yield f"col.total {{ width: {100 * total / across:.2f}% }}"
    if sheet.chart:
        width, height = sheet.chart.width / TENTHS, sheet.chart.height / TENTHS
        if page.across < BESIDE:
            yield ".halves, .halves .half { display: block; padding: 0 }"
        yield f".plot, .drawing {{ width: {width:.1f}mm }} .drawing {{ height: {height:.1f}mm }}"


def _turned_css(sheet: ScoreSheet, page: Paper) -> str:
    """Return the CSS of names that read upwards, in two lines if they are long."""
    words = [word for name in sheet.players for word in name.split()]
    letters = 1.1 * page.least  # they are bold
    long = max(min(LONGEST_NAME, about_as_wide(sheet.players, letters)), about_as_wide(words, letters))
    return (
        f".hands .name {{ height: {long + 1:.1f}mm }} .name span {{ display: block; text-align: left;"
        f" overflow-wrap: anywhere; width: {long:.1f}mm; margin: 0 -{long:.1f}mm 0 70%; transform-origin: 0 100%;"
        f" transform: rotate(-90deg) }} .hands thead .name {{ font-size: {page.least}pt }}"
    )
