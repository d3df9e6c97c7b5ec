"""How a score sheet fills its paper: the largest type that takes no more pages than the smallest would.

Heights and widths are millimetres, type sizes points. Texts are measured with the bundled fonts, so the rows of each
page are known before printing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product
from math import ceil
from typing import NamedTuple

from app.sheets.layout import PAYMENT, Columns, Heights, Layout, Letters, ScoreSheet
from app.sheets.letters import POINT, breakable, lines, longest_word, smaller, widest, width
from app.sheets.paper import Paper, for_weak_eyes, on_its_side, upright
from app.sheets.rows import Row

LARGEST, STEP = 16.0, 0.5
TALLEST_ROW, LOWEST_ROW = 11.0, 4.6
SMALL_PRINT = 8.5
"""Paper whose smallest type is below this size is tried both ways round."""
LEAST_NAMES = 7.0
"""On small paper, names shrink to this size before they are turned."""
PADDING = 0.9
WIDEST = 55.0
"""Millimetres of a player’s column: in a wider one the eye takes points for those of the player beside."""
LINE = 1.35
"""The height of a line of text, as a multiple of its type size."""
CHARTS = (100.0, 80.0, 65.0, 55.0, 45.0, 35.0)
"""Heights the chart can have; without room for the lowest, there is no chart."""
GUTTER, BOX, KEY, BULLET = 8.0, 4.0, 8.0, 5.0
"""The space between two columns, above a box, for the marks beside a chart, and for those of a list."""
LEAST_OF_A_PAGE = 1 / 3
"""How full the last page is at least, if the page before it can spare the rows."""


class Contents(NamedTuple):
    """A sheet, and of its rows how many there are and the longest texts that need room in a column.

    Lengths are multiples of the type size; `feet` are the labels of the foot, `figures` its values.
    """

    sheet: ScoreSheet
    rows: int
    labels: float
    contracts: float
    points: float
    totals: float
    circled: float
    feet: float
    figures: float
    has_chart: bool


def contents_of(sheet: ScoreSheet, rows: Sequence[Row], *, has_chart: bool) -> Contents:
    """Return what the layout of a sheet with these rows must find room for."""
    cells = [cell for row in rows for cell in row.cells]
    return Contents(
        sheet=sheet,
        rows=len(rows),
        labels=widest(["brought", *(f"{row.label} {row.mark}" for row in rows if row.label)]),
        contracts=widest(row.contract for row in rows),
        points=widest((cell.points for cell in cells), bold=True),
        totals=widest([*(cell.total for cell in cells), *sheet.totals.values], bold=True),
        circled=widest((cell.total for cell in cells if "bought" in cell.marks), bold=True),
        feet=widest((line.label for line in sheet.feet), bold=True),
        figures=widest((value for line in sheet.feet for value in line.values), bold=True),
        has_chart=has_chart,
    )


class _Below(NamedTuple):
    """What stands below the table: the size of the chart, the place of the notes, the height of what stays together.

    `flows` is the height of the house rules below all that, in two columns, which may go on on the next page; 0 where
    they stand with the rest.
    """

    chart: tuple[float, float] | None
    notes_at: str
    height: float
    flows: float = 0


def choose_layout(contents: Contents, paper: Paper, *, large: bool = False) -> Layout:
    """Return the layout with the fewest pages; among those, the one with the largest type, then the largest chart.

    `large` is for weak eyes: the largest type, no chart, and as many pages as that takes.
    """
    paper = for_weak_eyes(paper) if large else paper
    charts = (*CHARTS, 0.0) if contents.has_chart and not large else (0.0,)
    pages = [upright(paper), on_its_side(paper)] if large else [*_pages_of(contents, paper)]
    layouts = [
        layout
        for page in pages
        for size, chart in product(_sizes(paper), charts)
        if (layout := _try_layout(contents, page, size, chart))
    ]
    if not layouts:
        return _squeeze(contents, on_its_side(paper))
    return max(layouts, key=_largest if large else _merit)


def _merit(layout: Layout) -> tuple[float, ...]:
    chart = layout.chart[1] if layout.chart else 0
    return (
        -layout.pages,
        not layout.runs_on,
        layout.is_even,
        chart > 0,
        layout.letters.totals,
        layout.heights.row,
        chart,
    )


def _largest(layout: Layout) -> tuple[float, ...]:
    """Rank a layout by its letters, where a page less is worth a point of them."""
    return (layout.letters.totals - layout.pages, layout.letters.totals)


def _squeeze(contents: Contents, paper: Paper) -> Layout:
    """Return the layout with the largest type that fits the columns, however small that is."""
    sizes = ((letters, max(LOWEST_ROW, letters * TALLEST_ROW / LARGEST)) for letters in count(paper.least, -STEP))
    tried = (_try_layout(contents, paper._replace(least=size[0]), size, 0) for size in sizes)
    return next(filter(None, tried))._replace(paper=paper)


def _pages_of(contents: Contents, paper: Paper) -> Iterator[Paper]:
    """Yield the ways to turn the paper: many players need its width; small paper is tried both ways."""
    is_wide = contents.sheet.is_wide
    if is_wide or paper.least < SMALL_PRINT:
        yield on_its_side(paper)
    if not is_wide:
        yield upright(paper)


def _sizes(paper: Paper) -> Iterator[tuple[float, float]]:
    """Yield type sizes of the running totals from the largest down, with the height of a row.

    The last has the lowest rows people can still read.
    """
    for letters in (*smaller(LARGEST, paper.least, STEP), paper.least):
        yield letters, letters * TALLEST_ROW / LARGEST
    yield paper.least, max(LOWEST_ROW, paper.least * 0.66)


def _try_layout(contents: Contents, paper: Paper, size: tuple[float, float], chart: float) -> Layout | None:
    """Return the layout at one size; None if a figure does not fit its column, or the chart is too low or too high."""
    totals, row = size
    letters = _letters(paper, totals)
    columns = _columns(contents, paper, letters)
    if columns is None or 0 < chart < (len(contents.sheet.players) + 1) * letters.texts * LINE * POINT + 2:
        return None
    letters = _fit_names(contents, paper, letters, columns)
    sheet = contents.sheet
    heights = _heights(sheet, paper, letters, columns, row)
    below = _below(sheet, paper, letters, chart)
    legend = lines(sheet.legend, paper.least, paper.across) * paper.least * LINE * POINT + 1
    foot = heights.sums + len(sheet.feet) * heights.foot + legend
    if below.chart and below.chart[1] > max(CHARTS[-2], below.chart[0]):
        return None
    cut = _divide(contents, paper, heights, foot, below)
    return Layout(paper, letters, columns, heights, *cut, below.chart, below.notes_at, below.flows > 0)


def _letters(paper: Paper, totals: float) -> Letters:
    return Letters(
        totals=totals,
        points=max(paper.least, 0.85 * totals),
        feet=max(paper.least, 0.8 * totals),
        texts=max(paper.least, min(11.0, 0.72 * totals)),
        sums=min(20.0, 1.25 * totals),
        names=totals,
        turned=0,
        title=22 if paper.across > 160 else 17,
    )


def _columns(contents: Contents, paper: Paper, letters: Letters) -> Columns | None:
    """Return widths at which every figure fits its column; None if there are none."""
    has_contracts = contents.sheet.has_contracts and contents.rows
    feet = contents.feet * letters.feet * POINT
    names = width("Hand", letters.names, bold=True)
    label = max(contents.labels * letters.points * POINT, names, 0 if has_contracts else feet) + 2 * PADDING
    contract = 0.0
    if has_contracts:
        names = width("Contract", letters.names, bold=True)
        contract = max(contents.contracts * letters.points * POINT, names) + 2 * PADDING
    contract += max(0, feet + 2 * PADDING - label - contract)  # a label of the foot spans both
    players = len(contents.sheet.players)
    each = min(WIDEST, (paper.across - label - contract) / players)
    points = contents.points * letters.points * POINT + 2 * PADDING
    circled = contents.circled and contents.circled * letters.totals * POINT + 3.2  # what a circle adds
    totals = max(contents.totals * letters.totals * POINT, circled) + 2 * PADDING
    figures = contents.figures * letters.feet * POINT + 2 * PADDING
    if max(points + totals, figures) > each:
        return None
    # more of a column's empty room lies before the points, so that they stand nearer to their own total
    return Columns(label, contract, each, points + 0.6 * (each - points - totals), players)


def _fit_names(contents: Contents, paper: Paper, letters: Letters, columns: Columns) -> Letters:
    """Return the sizes with names and last totals small enough for the columns, so that no word of a name is broken.

    Where that would make names too small to read, they are turned on their side instead.
    """
    room = columns.each - 2 * PADDING - 0.5
    players = contents.sheet.players
    words = longest_word(players) * POINT
    least = min(paper.least if paper.least >= SMALL_PRINT else LEAST_NAMES, letters.totals)
    names = min(letters.names, room / max(words, 0.1))
    turned = 0.0
    if names < least:
        names = max(least, min(letters.names, room / (2 * LINE * POINT)))
        whole = max(width(name, names, bold=True) for name in players) + 1
        turned = min(whole, max(45, words * names + 1))  # longer names have two lines
    return letters._replace(names=names, turned=turned, sums=min(letters.sums, room / (contents.totals * POINT)))


def _heights(sheet: ScoreSheet, paper: Paper, letters: Letters, columns: Columns, row: float) -> Heights:
    beside_code = paper.across - paper.code - 5
    title = lines(sheet.headline, letters.title, beside_code, bold=True) * letters.title * 1.15 * POINT
    first, *others = (*sheet.head, "")  # the last is the address
    count = lines(first, letters.texts, beside_code, bold=True)
    count += sum(lines(text, letters.texts, beside_code) for text in others)
    texts = count * letters.texts * LINE * POINT
    room = columns.each - 2 * PADDING
    deepest = max(lines(breakable(name), letters.names, room, bold=True) for name in sheet.players)
    return Heights(
        head=max(paper.code + 1, title + texts + 1 + len(others)) + 3,
        names=(letters.turned or deepest * letters.names * 1.2 * POINT) + 2,
        row=row,
        foot=max(letters.feet * 1.3 * POINT, 0.72 * row),
        sums=max(row, letters.sums * 1.3 * POINT),
    )


def _below(sheet: ScoreSheet, paper: Paper, letters: Letters, chart: float) -> _Below:
    """Return what stands below the table, the house rules with it or, where that is lower, below it."""
    together = _together(sheet, sheet.house_rules, paper, letters, chart)
    if not sheet.house_rules:
        return together
    others = _together(sheet, (), paper, letters, chart)
    listed = _box(sheet.house_rules, letters.texts, (paper.across - GUTTER) / 2 - BULLET, columns=2)
    most = paper.down * LEAST_OF_A_PAGE
    return min(together, others._replace(flows=listed), key=lambda each: (each.height > most, each.height + each.flows))


def _together(sheet: ScoreSheet, house_rules: Sequence[str], paper: Paper, letters: Letters, chart: float) -> _Below:
    half = (paper.across - GUTTER) / 2
    has_text = bool(sheet.payments or sheet.result or sheet.faults or house_rules)
    room = half if has_text and (chart or sheet.notes) else paper.across
    payments = [f"☐ {payment.words} {payment.amount}" for payment in sheet.payments]
    left = _box(payments, letters.texts * PAYMENT, half - 30) + _box(sheet.result, letters.texts, room)
    left += sum(_box(each, letters.texts, room - BULLET) for each in (house_rules, sheet.faults))
    beside = _box(sheet.notes, letters.texts, half)
    if chart:
        title = (letters.texts * 1.1 * LINE + 3) * POINT + BOX
        names = max(width(f"{name} 10000", letters.texts, bold=True) for name in sheet.players)
        beside_names = half if has_text else paper.across
        drawing = (beside_names - min(names + KEY, beside_names * 0.55), chart)
        if has_text and left + beside <= chart + title:
            return _Below(drawing, "left", chart + title)
        return _Below(drawing, "below", max(left, chart + title) + _box(sheet.notes, letters.texts, paper.across))
    if has_text and sheet.notes:
        return _Below(None, "right", max(left, beside))
    return _Below(None, "below", left + _box(sheet.notes, letters.texts, paper.across))


def _box(texts: Sequence[str], letters: float, room: float, columns: int = 1) -> float:
    """Return the height of a box: a heading, and some texts below each other, in one column or two."""
    if not texts:
        return 0
    counts = [lines(text, letters, room) for text in texts]
    count = ceil(sum(counts) / columns) + (columns - 1) * (max(counts) - 1)  # no text continues in the next column
    return (count * LINE + 1.1 * LINE) * letters * POINT + 1 + BOX


def _divide(
    contents: Contents, paper: Paper, heights: Heights, foot: float, below: _Below
) -> tuple[tuple[int, ...], bool, int, bool]:
    """How the sheet is divided into pages: the last page has some rows above the foot, and the texts too if they fit.

    Returns the rows of each page, whether the texts below them begin a new page (they may if they fill enough of it),
    how many more pages those need, and whether the first page is not left more than a third empty.
    """
    later = paper.down - heights.names - 1  # for the lines between rows
    room = later - heights.head
    breaks = below.height >= paper.down * LEAST_OF_A_PAGE
    rest, counts = contents.rows, list[int]()
    while rest * heights.row + foot + (0 if breaks else below.height) > room:
        fitting = min(rest - 1, int(room / heights.row) - 1)
        if fitting < 1:
            break
        counts.append(fitting)
        rest -= fitting
        room = later - heights.row
    over = rest * heights.row + foot + below.height - room
    breaks = breaks and over > 0
    counts.append(rest)
    end = foot + (0 if breaks else below.height + below.flows)
    least = int((paper.down * LEAST_OF_A_PAGE - end - heights.names) / heights.row)
    while len(counts) > 1 and counts[-1] < least and counts[-2] > least:
        counts[-2:] = [counts[-2] - 1, counts[-1] + 1]
    first = heights.head + heights.names + (counts[0] + 1) * heights.row
    is_even = len(counts) == 1 or first > paper.down * (1 - LEAST_OF_A_PAGE)
    after = below.flows + (below.height if breaks else over)
    return tuple(counts), breaks, max(0, ceil(after / paper.down) - breaks), is_even
