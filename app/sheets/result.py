"""A game as a picture for a phone: the winner, the ranking with the last hands, who pays whom, and a chart."""

from __future__ import annotations

from typing import NamedTuple

from app.history.formats import region_of, show_currency
from app.history.phrases import heading, headline
from app.history.record import History
from app.history.settling import pool_words, settlement_lines
from app.history.standings import Standing, standings
from app.kalooki.game.play import Game
from app.sheets.chart import INK, Chart, Symbol, chart
from app.sheets.paper import CHARACTER, POINT
from app.sheets.pdf_press import Layout
from app.sheets.rows import DEALT, rows_of
from app.sheets.score_sheet import lines_of

ACROSS = 1080
"""The pixels a phone shows beside each other."""
WIDE = 108
"""The width of the picture in millimetres."""
DOTS_A_POINT = ACROSS * POINT / WIDE
WITHIN = 94.0
"""The width between the margins, in millimetres."""
TITLES, NAMES = (8.4, 7.2, 6.0, 4.8), (4.3, 3.9, 3.5, 3.2)
"""Type sizes in millimetres, from the largest down: names shrink before they are given two lines."""
BESIDE_NAMES, OF_MONEY = 30.0, 3.2
"""The width of place, mark and total; the type size of money."""
OF_HANDS, A_HAND, MOST_HANDS = 9.0, 7.0, 7
"""The width of the word before the numbers of the hands, and of one hand; as many hands are shown at most."""
CHART, CHART_OF_MANY, MANY = 48.0, 54.0, 6
HEAD, A_ROW, OF_SETTLING = 90.0, 22.0, 10.0
"""More than what is above and below, a player, and their payment and share ever take; what stays empty is cut off."""


class ResultRow(NamedTuple):
    """One player of the ranking, with the mark and the colour of their line, and their points in the last hands."""

    stands: Standing
    mark: Symbol | None
    ink: str
    last: tuple[str, ...]


class Result(NamedTuple):
    """The picture: its headline, what was played, the ranking, the chart, and who paid and pays whom.

    `part` says which of the hands are shown, if not all; then the first of `hands` is for the total before them.
    """

    headline: str
    heading: str
    place: str
    settled: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    hands: tuple[str, ...]
    part: str
    chart: Chart | None
    currency: str


def result_of(history: History) -> Result:
    """Return the picture of a game as it stands."""
    game = history.game
    drawn = _chart(history)
    curves = {curve.name: curve for curve in drawn.curves} if drawn else {}
    ranked = standings(game)
    room = WITHIN - BESIDE_NAMES - OF_MONEY * CHARACTER * max(len(stands.money) for stands in ranked)
    count = max(1, min(MOST_HANDS, round((room - OF_HANDS) / A_HAND)))
    sheet = [*rows_of(history)]
    every = [row for row in sheet if row.number and row.entry and not row.text]
    is_part = len(every) > count
    played = every[1 - count :] if is_part and count > 1 else every[-count:]
    before = sheet[sheet.index(played[0]) - 1].after if is_part else ()
    rows = []
    for stands in ranked:
        curve, column = curves.get(stands.player.name), game.order.index(stands.player.seat)
        last = tuple(row.cells[column].points.replace(DEALT, "").strip() for row in played)
        if is_part:
            last = ("" if before[column] is None else str(before[column]), *last)
        rows.append(ResultRow(stands, curve.mark if curve else None, curve.ink if curve else INK, last))
    return Result(
        headline=headline(game),
        heading=heading(history),
        place=game.place,
        settled=_settlement(game),
        rows=tuple(rows),
        hands=(*([_earlier(played[0].number - 1)] if is_part else ()), *(row.label for row in played)),
        part=f"Points: hands {played[0].number} to {played[-1].number} of {len(every)}." if is_part else "",
        chart=drawn,
        currency=show_currency(game.currency.name, region_of(game)),
    )


def _earlier(last: int) -> str:
    """Return the hands before those shown, which have one column."""
    return f"1–{last}" if last > 1 else "1"


def _settlement(game: Game) -> tuple[str, ...]:
    """Return who paid whom, who still pays whom and who got the pool, once a game for money is over."""
    if not game.stakes or not game.finish:
        return ()
    return (*settlement_lines(game), *filter(None, [pool_words(game)]))


def _chart(history: History) -> Chart | None:
    totals = lines_of(history)
    size = (WITHIN, CHART_OF_MANY if len(totals) > MANY else CHART)
    return chart(totals, history.game.variant.limit, size) if totals else None


def result_layouts(result: Result) -> tuple[Layout, ...]:
    """Return the layouts of the picture: names in one line, in several, and in pieces."""
    high = HEAD + CHART_OF_MANY + (A_ROW + OF_SETTLING) * len(result.rows)
    page = f"@page {{ size: {WIDE}mm {high:.0f}mm; margin: 0 }}"
    parts = {"h1": TITLES, ".ranking .name": NAMES}
    sizes = tuple(tuple(f"{part} {{ font-size: {size}mm }}" for size in some) for part, some in parts.items())
    breaks = ("white-space: nowrap", "white-space: normal", "overflow-wrap: anywhere")
    return tuple(Layout(f"{page} .ranking .name {{ {each} }}", sizes) for each in breaks)
