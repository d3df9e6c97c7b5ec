"""The score sheet of a game: players across, hands down, running totals, and the sums at the foot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.history.formats import money_format, region_of, write_day
from app.history.phrases import at_once_words, heading, headline, table_facts
from app.history.record import History
from app.history.settling import WhoPaysWhom, payments_of, pool_words, why_nothing
from app.history.timeline import difference, differences, name_within
from app.kalooki.game.play import Game
from app.kalooki.variants import Variant
from app.sheets.chart import INKS, Chart, Course, chart
from app.sheets.paper import A5, Paper, on_its_side, upright
from app.sheets.rows import DEALT, WON, Foot, Row, ledger_below, rows_of, tallies, totals

BESIDE = 160.0
"""The width of paper on which the chart stands beside the result, not below it."""
MOST_UPRIGHT, MOST_ON_SMALL = 6, 4
"""With more players than this, a page is landscape; the second is for small paper."""


class Wishes(NamedTuple):
    """What is printed on request: large type, a place."""

    large: bool = False
    place: str = ""


class ScoreSheet(NamedTuple):
    """A game's score sheet, every value as printed.

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
    rows: tuple[Row, ...]
    totals: Foot
    feet: tuple[Foot, ...]
    payments: tuple[WhoPaysWhom, ...]
    result: tuple[str, ...]
    faults: tuple[str, ...]
    house_rules: tuple[str, ...]
    notes: tuple[str, ...]
    legend: str
    chart: Chart | None = None

    @property
    def is_wide(self) -> bool:
        """Whether a browser should print it in landscape."""
        return len(self.players) > MOST_UPRIGHT


def score_sheet(history: History, paper: Paper | None = None, wishes: Wishes = Wishes()) -> ScoreSheet:  # noqa: B008 - frozen
    """Return the sheet of a game; without `paper`, for a screen."""
    game = history.game
    rows = tuple(rows_of(history))
    sheet = ScoreSheet(
        code=history.code,
        name=game.variant.name,
        day=write_day(history.day, region_of(game)),
        headline=headline(game),
        head=(heading(history), " · ".join(table_facts(history, wishes.place))),
        players=tuple(game.name(seat) for seat in game.order),
        won=frozenset(column for column, seat in enumerate(game.order) if seat in game.winners),
        has_contracts=bool(game.variant.contracts),
        rows=rows,
        totals=totals(game),
        feet=(*tallies(game), *ledger_below(game)),
        payments=tuple(payments_of(game)),
        result=tuple(filter(None, (pool_words(game), why_nothing(game)))),
        faults=tuple(fault_lines(history)),
        house_rules=tuple(map(difference, differences(game))),
        notes=(*filter(None, [game.note]), *(note for row in rows for note in row.notes)),
        legend=_legend(game),
    )
    lines = [] if paper and wishes.large else _lines(game, rows)
    first = next((row.number for row in rows if row.number), 1) - 1
    drawn = chart(lines, game.variant.limit, _chart_size(sheet, paper), first) if lines else None
    return sheet._replace(chart=drawn)


def page_of(sheet: ScoreSheet, paper: Paper) -> Paper:
    """Return the paper as this many players need it, upright or in landscape."""
    most = MOST_ON_SMALL if paper.height == A5.height else MOST_UPRIGHT
    return on_its_side(paper) if len(sheet.players) > most else upright(paper)


def _chart_size(sheet: ScoreSheet, paper: Paper | None) -> tuple[float, float]:
    """Return the width and height of the chart in millimetres: beside a result it is narrow, below many rows low."""
    if paper is None:
        return 95.0, 50.0
    page = page_of(sheet, paper)
    is_beside = (sheet.payments or sheet.result) and page.across >= BESIDE
    width = 0.3 * page.across if is_beside else min(150.0, 0.7 * page.across)
    return width, max(35.0, min(80.0, 0.9 * width, page.down - 75 - 8 * len(sheet.rows)))


def fault_lines(history: History) -> Iterator[str]:
    """Yield the entries that no longer make sense after a correction, and why."""
    for number, texts in history.faults.items():
        yield from (f"Doesn’t count: {name_within(history, number)}. {text}" for text in texts)


def lines_of(history: History) -> list[Course]:
    """Return the players' totals over the whole game, as a chart draws them; empty before the first hand."""
    return _lines(history.game, [*rows_of(history)])


def _lines(game: Game, rows: Sequence[Row]) -> list[Course]:
    """Return the players' totals after each of these rows, from zero or what was carried over.

    Changes after the last hand count as part of it, so that every line ends at the total on the sheet.
    """
    played = [row for row in rows if row.number and row.entry]
    if not played:
        return []
    ends = played[-1]._replace(after=rows[-1].after)
    late = {change.seat for change in game.changes if change.why == "joined"}
    carried = dict(enumerate(game.carried.totals, 1)) if game.carried else {}
    starts = tuple(None if seat in late else carried.get(seat, 0) for seat in game.order)
    lines = []
    for place, seat in enumerate(game.order):
        back = _bought_in(rows, place)
        drawn_rows = played if len(played) in back else [*played[:-1], ends]
        ink = INKS[game.players[seat].face.colour]
        lines.append(Course(game.name(seat), _totals_of(drawn_rows, place, starts[place]), back, ink))
    return lines


def _bought_in(rows: Sequence[Row], place: int) -> dict[int, int]:
    """Return the totals a player bought in at, by the number of hands these rows have before it.

    Penalties between the buy-in and the next hand are included.
    """
    back: dict[int, int] = {}
    hands = 0
    for row in rows:
        hands += bool(row.number and row.entry)
        total = row.after[place]
        if total is not None and (row.cells[place].marks == "bought" or (hands in back and not row.number)):
            back[hands] = total
    return back


def _totals_of(rows: Sequence[Row], place: int, start: int | None) -> list[int | None]:
    """Return a player's total before and after each row; None before they joined and once they are out for good."""
    last = max((at for at, row in enumerate(rows) if any(row.cells[place])), default=-1)
    return [start, *(row.after[place] if at <= last else None for at, row in enumerate(rows))]


def _legend(game: Game) -> str:
    """Return what the marks on the sheet mean: dots and ticks, and of the others those that occur in this game."""
    special = game.variant.kalooki_ending
    out = [player for player in game.players.values() if not player.playing and not player.has_left]
    signs = {
        f"{DEALT} dealt": True,
        f"{WON} won the hand": True,
        _say_at_once(game.variant): any(hand.ending == special for hand in game.hands),
        "struck through: out": out,
        _say_bought(game): any(player.buy_ins for player in game.players.values()),
        "+ added for calls": any(
            line.rule == "calls" for hand in game.hands for score in hand.scores.values() for line in score.lines
        ),
        "out later, placed higher": len({player.lasted for player in out}) > 1,
    }
    return " · ".join(words for words, occurs in signs.items() if occurs)


def _say_at_once(variant: Variant) -> str:
    """Return the sign of a hand won all at once, and how it makes the losers’ cards count."""
    counted = at_once_words(variant.kalooki_times, variant.kalooki_points)
    sign = "K Kalooki" if variant.kalooki_ending == "kalooki" else "B bent the table"
    return f"{sign} (points {counted})" if counted else sign


def _say_bought(game: Game) -> str:
    """Return what a circle means, and what each buy-in cost."""
    if not game.stakes or not game.stakes["buy_in"]:
        return "circled: bought in at this score"
    price = money_format(game).amount(game.stakes["buy_in"])
    return f"circled: bought in at this score for {price}"
