"""The score sheet: rows, their feet, payments and chart; and the layouts and type sizes that the renderer tries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from app import days
from app.history.formats import money_format, plural, region_of, show_currency, write_day
from app.history.phrases import at_once_words, counted_words, heading, headline, table_facts, whole
from app.history.record import Gain, History
from app.history.settling import WhoPaysWhom, payments_of, pool_words, why_nothing
from app.history.standings import place_words
from app.history.timeline import (
    NOT_DEALT_IN,
    HistoryItem,
    carried_over,
    describe_correction,
    difference,
    differences,
    effective_timeline,
    name_within,
)
from app.kalooki.game.apply import if_ended
from app.kalooki.game.events import BuyIn, First, Hand, Insert, Join, NewAvatar, Paid, Rename, Setup, Start
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Score
from app.kalooki.money import CARRIED, balances
from app.kalooki.rules import wording
from app.kalooki.variants import Variant
from app.sheets.chart import INKS, SCALE, Chart, Series, chart
from app.sheets.paper import A5, POINT, Paper, estimate_width, landscape, portrait, shorten
from app.sheets.renderer import Heights, Layout, Size

WON, ALL_AT_ONCE = "✓", {"kalooki": "K", "bending": "B"}
DEALT = "•"
_COMING_IN = ("buy-in", "join")
"""Changes that begin a player's total, so that no difference says anything; the row names who comes in."""
_UNPRINTED = (First, NewAvatar, Paid, Rename)
"""What changes no total, and what the head of the sheet or the settlement says."""
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LONGEST_NAMES, LONGEST_TEXT = 10, 70
"""The most characters of the names in a row's label, and of a text across all columns."""


class Cell(NamedTuple):
    """A player's points and total; `marks` are CSS classes: won, out (struck), bought (circled), absent."""

    points: str = ""
    total: str = ""
    marks: str = ""


class Row(NamedTuple):
    """A hand, or what happened between hands; a `text` spans all columns in place of the cells.

    `after` are the totals after it, in the order of the columns; None for a player who has none. `number` is the number
    of the hand, 0 between hands. `mark` refers to the `notes` on its entry.
    """

    label: str
    cells: tuple[Cell, ...]
    after: tuple[int | None, ...]
    entry: int = 0
    number: int = 0
    contract: str = ""
    text: str = ""
    mark: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_fifth(self) -> bool:
        """Whether it gets a stronger line below, to help the eye count."""
        return bool(self.number) and self.number % 5 == 0


class Foot(NamedTuple):
    """A line below the hands with a value for every player; the columns in `struck` are struck through."""

    label: str
    values: tuple[str, ...]
    strong: bool = False
    struck: frozenset[int] = frozenset()


def rows_of(history: History) -> Iterator[Row]:
    """Yield hands and what came between them, in the order they count, then the contracts still to be played."""
    game, noted = history.game, 0
    totals: dict[int, int] = {}
    for bought, group in groupby(_printed_items(history), key=lambda item: isinstance(item.effective, BuyIn)):
        items = [*group]
        # consecutive buy-ins share a row
        for together in [items] if bought else [[item] for item in items]:
            row = _row(game, together, totals)
            notes = [note for item in together if (note := _note(history, item, row))]
            marks = [str(noted + place).translate(SMALL) for place in range(1, len(notes) + 1)]
            noted += len(notes)
            hand = f"Hand {row.number}: " if row.number else ""
            marked = tuple(f"{mark} {hand}{note}" for mark, note in zip(marks, notes, strict=True))
            yield row._replace(mark=" ".join(marks), notes=marked)
    for number in range(game.number, len(game.variant.contracts_played) + 1 if not game.finish else 0):
        yield _plain(game, str(number), totals)._replace(number=number, contract=contract_words(game.variant, number))


def _printed_items(history: History) -> Iterator[HistoryItem]:
    for item in effective_timeline(history):
        is_heading = isinstance(item.event, Setup) and item.event.is_heading
        if not (is_heading or isinstance(item.event, _UNPRINTED)) and (item.entry > 1 or history.game.carried):
            yield item


def _row(game: Game, together: Sequence[HistoryItem], totals: dict[int, int]) -> Row:
    item = together[0]
    gained = [gain for each in together for gain in each.gains if gain.total is not None]
    totals |= {gain.seat: gain.total for gain in gained if gain.total is not None}
    if item.hand and not item.hand.is_void:
        return _hand_row(game, item.hand, totals)
    if gained:
        cells = {gain.seat: _change_cell(gain) for gain in gained}
        row = _plain(game, _change_label(game, gained), totals)
        return row._replace(cells=tuple(cells.get(seat, Cell()) for seat in game.order), entry=item.entry)
    label = "pending" if item.is_pending else ""
    return _plain(game, label, totals)._replace(entry=item.entry, text=shorten(_in_full(item), LONGEST_TEXT))


def _in_full(item: HistoryItem) -> str:
    """Return all that an entry says."""
    timing = f"{item.timing}: " if item.is_pending else ""
    between = " " if item.title[-1] in ".!?" else " · "
    return timing + between.join(filter(None, (item.title, " · ".join(fact.text for fact in item.facts))))


def _note(history: History, item: HistoryItem, row: Row) -> str:
    """Return what an entry says that its row does not, and how it came to be as it is."""
    unsaid = _unsaid(item, row)
    sentence = f"{unsaid}." if unsaid and unsaid[-1].isalnum() else unsaid
    return " ".join(filter(None, (sentence, *_corrections(history, item))))


def _unsaid(item: HistoryItem, row: Row) -> str:
    event = item.event
    if isinstance(event, Hand):
        return event.note
    if isinstance(event, Start) and event.carried:
        return "; ".join(carried_over(item.history.game, event.carried))
    is_named = isinstance(event, (BuyIn, Join)) and not row.text  # the label says who comes in, the total at what
    return "" if is_named or row.text == _in_full(item) else _in_full(item)


def _corrections(history: History, item: HistoryItem) -> Iterator[str]:
    recorded = history.entries[item.entry - 1].event
    if isinstance(recorded, Insert):
        yield f"Missed at first, recorded at {_when(history, item.entry)}."
    if item.amended_by and (changed := describe_correction(history.game, recorded.inner, item.event)):
        yield f"Corrected at {_when(history, item.amended_by)}: {changed}."


def _when(history: History, number: int) -> str:
    """Return when an entry was recorded by the clock at the table, and by whom; with the day if on another evening."""
    at, by = history.stamps[number - 1]
    clock = (
        at[11:]
        if days.day_at_table(at) == days.day_at_table(history.stamps[0].at)
        else write_day(at, region_of(history.game))
    )
    return f"{clock} ({by})" if by else clock


def _plain(game: Game, label: str, totals: Mapping[int, int]) -> Row:
    return Row(label, (Cell(),) * len(game.order), _after(game, totals))


def _change_label(game: Game, gained: Sequence[Gain]) -> str:
    """Return the kind of change, with the names of players who join or buy in."""
    kind = gained[0].kind
    if kind not in _COMING_IN:
        return wording.called("changes", kind).lower()
    words = plural("{names} buys in", "{names} buy in", len(gained)) if kind == "buy-in" else "{names} joins"
    seats = {gain.seat for gain in gained}
    names = ", ".join(game.name(seat) for seat in game.order if seat in seats)
    return words.format(names=shorten(names, LONGEST_NAMES))


def _change_cell(gain: Gain) -> Cell:
    total = whole(gain.total or 0)
    if gain.kind in _COMING_IN:
        return Cell("", total, "bought" if gain.kind == "buy-in" else "")
    points = "" if gain.kind == CARRIED else whole(gain.points or 0, plus=True)
    return Cell(points, total, "out" if gain.out else "")


def _hand_row(game: Game, hand: PlayedHand, totals: Mapping[int, int]) -> Row:
    scores = hand.scores
    return Row(
        str(hand.number),
        tuple(_cell(hand, seat, scores.get(seat)) for seat in game.order),
        _after(game, totals),
        entry=hand.entry,
        number=hand.number,
        contract=contract_words(game.variant, hand.number),
    )


def _cell(hand: PlayedHand, seat: int, score: Score | None) -> Cell:
    words = [DEALT] if seat == hand.dealer else []
    if seat in hand.absent:
        return Cell(" ".join([*words, NOT_DEALT_IN]), marks="absent")
    if score is None:
        return Cell()
    won = seat == hand.winner
    if won:
        words.append(ALL_AT_ONCE.get(hand.ending or "", WON))
    if score.items:  # what the winner collects is theirs alone
        words.append(_points(score))
    marks = [mark for mark, holds in (("won", won), ("out", score.out)) if holds]
    return Cell(" ".join(words), whole(score.total), " ".join(marks))


def _points(score: Score) -> str:
    """Return the points of a hand; the penalty for too many calls follows a plus sign."""
    calls = sum(item.points for item in score.items if item.rule == "calls")
    return f"{whole(score.points - calls)}{whole(calls, plus=True)}" if calls else whole(score.points)


def contract_words(variant: Variant, number: int) -> str:
    """Return the contract of a hand in a few words; empty if it has none."""
    contract = variant.contract(number)
    return wording.contract_words(variant, *contract) if contract else ""


def _after(game: Game, totals: Mapping[int, int]) -> tuple[int | None, ...]:
    return tuple(totals.get(seat) for seat in game.order)


def figures(totals: Iterable[int | None]) -> tuple[str, ...]:
    """Return totals as printed; blank for a player who has none."""
    return tuple("" if total is None else whole(total) for total in totals)


def totals(game: Game) -> Foot:
    """Return the last totals; those of players who are out are struck through."""
    players = [game.players[seat] for seat in game.order]
    out = (column for column, player in enumerate(players) if not player.playing and not player.has_left)
    return Foot("Total", figures(player.total for player in players), strong=True, struck=frozenset(out))


def tallies(game: Game) -> Iterator[Foot]:
    """Yield each player's place, and how often they won in each way; ways in which nobody won are left out.

    Without call-ups, “Hands won” counts both endings.
    """
    if any(not hand.is_void for hand in game.hands):
        places = place_words(game)
        yield Foot("Place", tuple(places[seat] or "left" for seat in game.order))
    for ending in game.variant.endings:
        counts_all = ending != game.variant.kalooki_ending and not game.variant.stake_call_up
        counted = game.variant.endings if counts_all else (ending,)
        won = [hand.winner for hand in game.hands if hand.ending in counted]
        if won:
            yield Foot(_ending(game, ending), tuple(str(won.count(seat) or "") for seat in game.order))


def ledger_below(game: Game) -> Iterator[Foot]:
    """Yield the ledger as printed below the tallies; each label names the currency, lest money be taken for a count."""
    name = show_currency(game.currency.name, region_of(game))
    for line in ledger(game):
        yield line._replace(label=f"{line.label}, {name}")


def ledger(game: Game) -> Iterator[Foot]:
    """Yield what each player paid and received, kind by kind, and last the balance; nothing in a game without money.

    A game in play is shown as if it ended now. Cash payments come below “Won and lost”: they settle those amounts and
    do not change them.
    """
    if not game.stakes:
        return
    label, game = "Balance" if game.finish else "If it ended now", if_ended(game)
    for why in wording.names("postings"):
        sums = balances(movement for movement in game.movements if movement.why == why)
        if any(sums.values()):
            if why == "paid":
                yield _sums(game, "Won and lost", game.won)
            cells = (money_format(game).number(sums[seat], plus=True) if sums.get(seat) else "" for seat in game.order)
            yield Foot(wording.called("postings", why, "sum"), tuple(cells))
    yield _sums(game, label, game.balances)


def _sums(game: Game, label: str, amounts: Mapping[int, int]) -> Foot:
    return Foot(label, tuple(money_format(game).number(amounts[seat], plus=True) for seat in game.order), strong=True)


def _ending(game: Game, ending: str) -> str:
    if ending != game.variant.kalooki_ending:
        return "Call-ups won" if game.variant.stake_call_up else "Hands won"
    return "Bent the table" if ending == "bending" else "Kalookis won"


BESIDE = 160.0
"""The width of paper on which the chart stands beside the result, not below it."""
MOST_UPRIGHT, MOST_ON_SMALL = 6, 4
"""With more players than this, a page is landscape; the second is for small paper."""


class PrintOptions(NamedTuple):
    """Options for printing: large type, a place."""

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


def score_sheet(history: History, paper: Paper | None = None, options: PrintOptions = PrintOptions()) -> ScoreSheet:  # noqa: B008 - frozen
    """Return the sheet of a game; without `paper`, for a screen."""
    game = history.game
    rows = tuple(rows_of(history))
    sheet = ScoreSheet(
        code=history.code,
        name=game.variant.name,
        day=write_day(history.evening, region_of(game)),
        headline=headline(game),
        head=(heading(history), " · ".join(table_facts(history, options.place))),
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
    lines = [] if paper and options.large else _lines(game, rows)
    first = next((row.number for row in rows if row.number), 1) - 1
    drawn = chart(lines, game.variant.limit, _chart_size(sheet, paper), first) if lines else None
    return sheet._replace(chart=drawn)


def page_of(sheet: ScoreSheet, paper: Paper) -> Paper:
    """Return the paper as this many players need it, upright or in landscape."""
    most = MOST_ON_SMALL if paper.height == A5.height else MOST_UPRIGHT
    return landscape(paper) if len(sheet.players) > most else portrait(paper)


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
    for number, texts in history.faults_to_fix.items():
        yield from (f"Doesn’t count: {name_within(history, number)}. {text}" for text in texts)


def lines_of(history: History) -> list[Series]:
    """Return the players' totals over the whole game, as a chart draws them; empty before the first hand."""
    return _lines(history.game, [*rows_of(history)])


def _lines(game: Game, rows: Sequence[Row]) -> list[Series]:
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
        ink = INKS[game.players[seat].avatar.colour]
        lines.append(Series(game.name(seat), _totals_of(drawn_rows, place, starts[place]), back, ink))
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
        _say_at_once(game): any(hand.ending == special for hand in game.hands),
        "struck through: out": out,
        _say_bought(game): any(player.buy_ins for player in game.players.values()),
        "+ added for calls": any(
            item.rule == "calls" for hand in game.hands for score in hand.scores.values() for item in score.items
        ),
        "out later, placed higher": len({player.lasted for player in out}) > 1,
    }
    return " · ".join(words for words, occurs in signs.items() if occurs)


def _say_at_once(game: Game) -> str:
    """Return the sign of a hand won all at once, and how it makes the losers’ cards count."""
    variant = game.variant
    counted = at_once_words(variant.kalooki_times, variant.kalooki_points)
    sign = "K Kalooki" if variant.kalooki_ending == "kalooki" else "B bent the table"
    if not counted:
        return sign
    special = [hand for hand in game.hands if hand.ending == variant.kalooki_ending]
    always = all(counted_words(variant, hand) == counted for hand in special)
    return f"{sign} (points {counted})" if always else f"{sign} (points {counted} up to {variant.calls} calls)"


def _say_bought(game: Game) -> str:
    """Return what a circle means, and what each buy-in cost."""
    if not game.stakes or not game.stakes["buy_in"]:
        return "circled: bought in at this score"
    price = money_format(game).amount(game.stakes["buy_in"])
    return f"circled: bought in at this score for {price}"


TYPE_SIZES = (16.0, 15.0, 14.0, 13.0, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
"""Type sizes of the running totals, tried down to the smallest of the paper."""
LARGE_SIZES, SMALLEST_SIZES = (16.0, 14.0, 12.0), (7.0, 6.0, 5.0)
"""Sizes in large print, and for what is too wide in any other."""
ROW, LOW_ROW = 1.95, 1.6
"""The height of a row, as a multiple of its type size."""
LINE, LETTER = 1.35, 0.58
"""The height of a line of text and about the width of its letters, as multiples of its type size."""
BOLD = 1.05
"""How much wider bold letters are."""
CIRCLE = 3.2
"""Millimetres that a circle takes beside its figure."""
MAX_COLUMN = 55.0
"""Millimetres of a player’s column: wider ones are hard to read across."""
LONGEST_NAME = 45.0
"""Of a name turned on its side: longer ones have two lines, unless one word is longer."""


def score_layouts(
    sheet: ScoreSheet, paper: Paper, css_of: Callable[[Paper], str], *, large: bool = False
) -> tuple[Layout, ...]:
    """Return the layouts, the best first: upright, in landscape, with columns as wide as names, with these turned.

    At last, the type is small if all is too wide. `css_of` returns the CSS of a page of that size; `large` is for large
    print, on any number of pages.
    """
    *_, wide = pages = [*dict.fromkeys((page_of(sheet, paper), landscape(paper)))]
    sizes = (*(size for size in TYPE_SIZES if size > paper.least), paper.least)
    layouts = (
        [
            Layout(css_of(page) + _size(sheet, page, size).css)
            for size in LARGE_SIZES
            for page in _wide_enough(sheet, pages, size)
        ]
        if large
        else [_sized_layout(sheet, page, css_of(page), sizes) for page in _wide_enough(sheet, pages, sizes[-1])]
    )
    css = (f"{css_of(wide)} .hands {{ table-layout: auto }}", css_of(wide) + _turned_css(sheet, wide))
    last = [(css[0], sizes), (css[1], sizes), (css[1], SMALLEST_SIZES)]
    return (*layouts, *(_sized_layout(sheet, wide, *each) for each in last))


def _wide_enough(sheet: ScoreSheet, pages: Iterable[Paper], size: float) -> list[Paper]:
    """Return the pages on which the table has about room for its columns at a type size."""
    return [
        page for page in pages if _columns(sheet, size, page.least).across(len(sheet.players)) <= 1.03 * page.across
    ]


def _sized_layout(sheet: ScoreSheet, page: Paper, css: str, sizes: Sequence[float]) -> Layout:
    """Return the layout with every size that is not too wide; the last ones have the lowest rows people can still read.

    The very last has no chart.
    """
    low = _size(sheet, page, sizes[-1], LOW_ROW)
    bare = low._replace(css=f"{low.css} .drawn {{ display: none }}", has_chart=False)
    fitting = [size for size in sizes[:-1] if _wide_enough(sheet, [page], size)]
    every = (*(_size(sheet, page, size) for size in (*fitting, sizes[-1])), low, bare)
    return Layout(css, sizes=every, heights=_heights(sheet, page, every[-3]))


def _size(sheet: ScoreSheet, page: Paper, size: float, row: float = ROW) -> Size:
    """Return a printed score sheet at one type size: sizes, heights, widths."""
    least = min(page.least, size)
    points, feet, names = (max(least, part * size) for part in (0.85, 0.8, 0.85))
    texts = max(least, min(11.0, 0.72 * size))
    foot = max(1.3 * feet, 0.72 * row * size)
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
    lined = {".hands .rows": row * size, ".hands .feet": foot, ".hands .sum": row * size}
    css = [f"{what} {{ font-size: {points:.2f}pt }}" for what, points in sizes.items()]
    css += [f"{what} {{ line-height: {height:.2f}pt }}" for what, height in lined.items()]
    return Size(" ".join([*css, *_width_css(sheet, page, size)]), size, row * size, foot, texts)


class _Columns(NamedTuple):
    """About the least widths of columns in millimetres; a player has two, of `each` in all with their name and sums."""

    label: float
    contract: float
    points: float
    total: float
    each: float

    def across(self, players: int) -> float:
        """Return the least width of the table."""
        return self.label + self.contract + self.each * players


def _columns(sheet: ScoreSheet, size: float, least: float) -> _Columns:
    """Return the columns at a type size; the least size is that of what is smaller."""
    points, feet, sums = max(least, 0.85 * size), max(least, 0.8 * size), min(20.0, 1.25 * size)
    contract = estimate_width((row.contract for row in sheet.rows), points) if sheet.has_contracts else 0
    label = estimate_width((f"{row.label} {row.mark}" for row in sheet.rows if row.label), points)
    label = max(label, estimate_width(["Hand."], points))
    label = max(label, estimate_width((line.label for line in sheet.feet), feet) - contract)
    label = max(label, estimate_width([sheet.totals.label], sums) - contract)
    cells = [cell for row in sheet.rows for cell in row.cells if cell.total]
    total = estimate_width((cell.total for cell in cells), BOLD * size)
    total += CIRCLE * any("bought" in cell.marks for cell in cells)
    won = estimate_width((cell.points for cell in cells), points)
    each = max(
        won + total,
        estimate_width((word for name in sheet.players for word in name.replace("-", "- ").split()), points),
        estimate_width((value for line in sheet.feet for value in line.values), feet),
        estimate_width(sheet.totals.values, sums),
    )
    return _Columns(label, contract, won, total, each)


def _heights(sheet: ScoreSheet, page: Paper, size: Size) -> Heights:
    """Return about the heights of a sheet at a size, by counts of rows, lines and letters."""
    line = LINE * size.text * POINT

    def lined(texts: Iterable[str], width: float = page.across) -> float:
        signs = width / (LETTER * size.text * POINT)
        return line * sum(ceil(len(text) / signs) for text in texts)

    columns = _columns(sheet, size.type, page.least)
    each = min(MAX_COLUMN, (page.across - columns.label - columns.contract) / len(sheet.players))
    name_lines = max(ceil(estimate_width([name], 0.85 * size.type) / each) for name in sheet.players)
    lists = [texts for texts in (sheet.faults, sheet.notes) if texts]
    chart = 10 + max(sheet.chart.height / SCALE, line * len(sheet.chart.curves)) if sheet.chart else 0
    bare = 10 + 1.25 * lined((pays.words for pays in sheet.payments), page.across / 2) + lined(sheet.result)
    bare = bare if sheet.payments or sheet.result else 0
    is_beside = sheet.chart and page.across >= BESIDE
    texts = sum(2 * line + 4 + lined(each) for each in lists)
    rules = 2 * line + 4 + lined(sheet.house_rules, page.across / 2) / 2 if sheet.house_rules else 0
    return Heights(
        size,
        room=page.down,
        head=max(27.0, 9 * ceil(len(sheet.headline) / 35) + lined(sheet.head, page.across - 30) + 11),
        names=1.2 * 0.85 * size.type * POINT * name_lines + 1.6,
        rows=(size.row * POINT + 0.15,) * len(sheet.rows),
        feet=size.row * POINT + size.foot * POINT * len(sheet.feet) + 0.5,
        signs=1 + LINE * page.least * POINT * ceil(len(sheet.legend) * LETTER * page.least * POINT / page.across),
        below=max(bare, chart) if is_beside else bare + chart,
        bare=bare,
        texts=texts + rules,
    )


def _width_css(sheet: ScoreSheet, page: Paper, size: float) -> Iterator[str]:
    """Yield the widths; most of a column’s empty room lies before the points, which stand nearer to their total."""
    label, contract, points, total, _each = _columns(sheet, size, min(page.least, size))
    each = min(MAX_COLUMN, (page.across - label - contract) / len(sheet.players))
    total += max(0, min(0.3 * (each - 2 * total), each - points - total))
    across = label + contract + each * len(sheet.players)
    yield f".hands {{ width: {across:.2f}mm }}"
    widths = {"label": label, "contract": contract, "points": each - total, "total": total}
    yield from (f"col.{name} {{ width: {100 * width / across:.3f}% }}" for name, width in widths.items())
    if sheet.chart:
        width, height = sheet.chart.width / SCALE, sheet.chart.height / SCALE
        if page.across < BESIDE:
            yield ".halves, .halves .half { display: block; padding: 0 }"
        yield f".plot, .drawing {{ width: {width:.1f}mm }} .drawing {{ height: {height:.1f}mm }}"


def _turned_css(sheet: ScoreSheet, page: Paper) -> str:
    """Return the CSS of names that read upwards, in two lines if they are long."""
    words = [word for name in sheet.players for word in name.split()]
    letters = 1.1 * page.least  # they are bold
    long = max(min(LONGEST_NAME, estimate_width(sheet.players, letters)), estimate_width(words, letters))
    return (
        f".hands .name {{ height: {long + 1:.1f}mm }} .name span {{ display: block; text-align: left;"
        f" overflow-wrap: anywhere; width: {long:.1f}mm; margin: 0 -{long:.1f}mm 0 70%; transform-origin: 0 100%;"
        f" transform: rotate(-90deg) }} .hands thead .name {{ font-size: {page.least}pt }}"
    )
