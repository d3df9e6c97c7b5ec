"""The spreadsheet of a game: players across, events down, every sum a formula over the rows that explain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby

from app.kalooki.game.play import Game
from app.kalooki.rules.wording import called
from app.sheets.grid import Cell, Formula, Grid, Workbook
from app.telling.movements import Happening, happenings
from app.telling.phrases import exact, heading
from app.telling.story import Story

FACTS = 6
"""The number of columns before the players'."""
_KINDS = {
    "void": "void",
    "stake": "stake",
    "buy-in": "buy-in",
    "join": "joins",
    "leave": "leaves",
    "pool": "pool",
    "payment": "cash payment",
}


def workbook(story: Story, language: str) -> Workbook:
    """A table of points and, in a game for money, one of what moved and one of who pays whom."""
    rows = [*happenings(story)]
    grids = [_points(story, rows)]
    if story.game.stakes:
        grids += [_money(story, rows), _settled(story)]
    return Workbook(heading(story), language, tuple(grids))


def _points(story: Story, rows: Sequence[Happening]) -> Grid:
    """Points and running totals; a total is the sum of the points above it."""
    game, order = story.game, story.game.order
    names = [game.name(seat) for seat in order]
    lines, totals = list[tuple[Cell, ...]](), dict[int, int]()
    for each in _together(row for row in rows if row.points is not None or row.kind in ("void", "leave")):
        by_seat = {row.seat: row for row in each}
        totals |= {row.seat: row.total or 0 for row in each}
        line = len(lines) + 2
        running = (_sum(place, line, totals.get(seat)) for place, seat in enumerate(order))
        points = (by_seat[seat].points if seat in by_seat else None for seat in order)
        lines.append((*_facts(story, each), *points, *running))
    last = [_sum(place, len(lines) + 1, game.players[seat].total) for place, seat in enumerate(order)]
    heads = (*_heads(), *names, *(f"{name}, total" for name in names))
    return Grid("Points", heads, tuple(lines), (_labelled("Total", last),))


def _money(story: Story, rows: Sequence[Happening]) -> Grid:
    """What each player received and paid; what they paid and nobody received is in the pool.

    After cash payments, what was won and lost before them stands above the balance, as it does on the score sheet.
    """
    game, order = story.game, story.game.order
    lines, unpaid = list[tuple[Cell, ...]](), list[int]()
    for each in _together(row for row in rows if row.paid):
        by_seat, line = {row.seat: row.paid for row in each}, len(lines) + 2
        amounts = (exact(game, by_seat[seat]) if seat in by_seat else None for seat in order)
        pool = Formula(f"-SUM({_area(0, line, len(order))})", exact(game, -sum(by_seat.values())))
        lines.append((*_facts(story, each), *amounts, pool))
        unpaid += [line] if each[0].kind != "payment" else []
    owed = [_sum(place, len(lines) + 1, amount) for place, amount in enumerate(_with_pool(game, game.balances))]
    sums = [_labelled("Balance", owed)]
    if game.won != game.balances:
        won = [_sum_of(place, unpaid, amount) for place, amount in enumerate(_with_pool(game, game.won))]
        sums.insert(0, _labelled("Won and lost", won))
    heads = (*_heads(), *(game.name(seat) for seat in order), "Pool")
    name = f"Money ({game.currency})"
    return Grid(name, heads, tuple(lines), tuple(sums))


def _with_pool(game: Game, amounts: Mapping[int, int]) -> list[Decimal]:
    """Each player's amount, and last what is in the pool."""
    paid = [exact(game, amounts[seat]) for seat in game.order]
    return [*paid, -sum(paid, Decimal(0))]


def _settled(story: Story) -> Grid:
    """Who pays whom at the end."""
    game = story.game
    owed = game.payments
    name, currency = game.name, game.currency.name
    lines = [(name(each.payer), name(each.to), exact(game, each.amount), currency) for each in owed]
    return Grid("Who pays whom", ("From", "To", "Amount", "Currency"), tuple(lines), ())


def _labelled(label: str, sums: Iterable[Cell]) -> tuple[Cell, ...]:
    return (label, *[None] * (FACTS - 1), *sums)


def _together(rows: Iterable[Happening]) -> Iterator[list[Happening]]:
    """The rows, grouped by entry and kind."""
    for _key, each in groupby(rows, key=lambda row: (row.entry, row.kind)):
        yield [*each]


def _heads() -> tuple[str, ...]:
    return "Hand", "What", "Time", "Dealer", "Won by", "Note"


def _facts(story: Story, together: Sequence[Happening]) -> Iterator[Cell]:
    game, first = story.game, together[0]
    winner = next((row for row in together if row.result not in ("", "lost", "void")), None)
    yield first.number or None
    yield called("endings", winner.result, "noun") if winner else _kind(first.kind)
    yield first.at
    yield game.name(first.dealer) if first.dealer else None
    yield game.name(winner.seat) if winner else None
    yield first.reason or (game.name(first.seat) if first.kind == "leave" else None)


def _kind(kind: str) -> str:
    return _KINDS[kind] if kind in _KINDS else called("changes", kind, "row")


def _sum(place: int, line: int, value: int | Decimal | None) -> Cell:
    """The sum of a player's column from its top to a line; None for a player without a value."""
    column = _column(FACTS + place)
    return None if value is None or line < 2 else Formula(f"SUM([.{column}$2:.{column}{line}])", value)


def _sum_of(place: int, lines: Sequence[int], value: Decimal) -> Cell:
    """The sum of some lines of a player's column, written as the ranges they make; the value alone without lines."""
    column = _column(FACTS + place)
    runs = [
        [line for _place, line in run] for _key, run in groupby(enumerate(lines), key=lambda each: each[1] - each[0])
    ]
    ranges = ";".join(f"[.{column}${run[0]}:.{column}${run[-1]}]" for run in runs)
    return Formula(f"SUM({ranges})", value) if ranges else value


def _area(place: int, line: int, count: int) -> str:
    """The cells of some players in one line."""
    return f"[.{_column(FACTS + place)}{line}:.{_column(FACTS + place + count - 1)}{line}]"


def _column(number: int) -> str:
    """The letters of a column, counted from 0.

    >>> _column(0), _column(25), _column(26)
    ('A', 'Z', 'AA')
    """
    before, place = divmod(number, 26)
    return (_column(before - 1) if before else "") + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place]
