"""The blank sheet: a score sheet to fill in by hand; its margin has what a table looks up most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.history.phrases import NO_STAKES, WrittenStakes
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.rules.wording import at_a_glance
from app.kalooki.variants import Variant
from app.sheets.letters import POINT, ems, lines, longest_word, widest
from app.sheets.paper import Paper, on_its_side
from app.sheets.rows import contract_words
from app.sheets.rules_card import CardRule, left_values, with_fewer

TALLEST_ROW, TALLEST_CONTRACT = 13.0, 18.0
NARROWEST = 22
"""Millimetres a player needs for points and a total; with less, the page becomes landscape."""
MARGIN_COLUMN, BETWEEN_RULES = 46, 2.2
LABEL = 17
LETTERS, LINE = 8.5, 1.3
"""The margin's type size in points, and its line height as a multiple of that."""
NAMES, LEAST_NAMES = 9.0, 7.0
SMALL, LOWEST_ROW = 160, 6
"""A page lower than this (millimetres), or with rows lower than that, has smaller rows and fewer lines at its foot."""


class Measures(NamedTuple):
    """Heights in millimetres: the head, all but rows and texts, the lowest row to write in, a row of the foot."""

    head: float
    fixed: float
    row: float
    foot: float


ROOMY, TIGHT = Measures(27, 51, 8, 8.5), Measures(21, 41, 7, 7)


class BlankSheet(NamedTuple):
    """A sheet to fill in. Measurements are millimetres.

    `rows` are labels and contracts. The players' columns begin at `start`, each `column` wide. `dealer` is the column
    of the first dealer, if known; `calls` is the number of boxes to tick in each cell. `how` says how it is kept,
    `differs` what the table plays differently.
    """

    variant: Variant
    stakes: str
    players: tuple[str, ...]
    values: tuple[tuple[str, str, str], ...]
    is_small: bool
    dealer: int | None
    calls: int
    how: str
    paper: Paper
    measures: Measures
    start: float
    column: float
    rows: tuple[tuple[str, str], ...] = ()
    feet: tuple[str, ...] = ()
    rules: tuple[CardRule, ...] = ()
    differs: str = ""

    @property
    def code(self) -> float:
        """The side of its QR code, as large as its head allows, in millimetres."""
        return self.measures.head - 2


def blank_sheet(
    variant: Variant,
    players: Sequence[str],
    paper: Paper,
    stakes: WrittenStakes = NO_STAKES,
    dealer: int | None = None,
    differences: Sequence[str] = (),
) -> BlankSheet:
    """Return a sheet for these players; names not known yet are blank.

    `differences` is what the table plays differently, the most important first.
    """
    sheet = _without_rows(variant, players, paper, stakes, dealer)
    tries = (_fill(sheet._replace(is_small=small), differences) for small in (sheet.is_small, True))
    fitting = next((each for each in tries if each.measures.row >= LOWEST_ROW), None)
    elsewhere = f"{len(differences)} of them: see the rules card."
    first = [CardRule("House rules", elsewhere, "house")] if differences and not fitting else []
    fitting = fitting or _fill(sheet._replace(is_small=True), ())
    beside = fitting.paper.down - fitting.measures.head - (len(fitting.values) + 1.5) * LETTERS * 1.35 * POINT
    rules = [*first, *_rules(variant, len(players), stakes)]
    return fitting._replace(rules=tuple(_as_many_as_fit(rules, beside)))


def _without_rows(
    variant: Variant, players: Sequence[str], paper: Paper, stakes: WrittenStakes, dealer: int | None
) -> BlankSheet:
    """Return the sheet with its columns on the page, which lies on its side for many players."""
    start = LABEL + _contract(variant)
    upright = _column(paper, start, len(players)) >= NARROWEST
    page = paper if upright else on_its_side(paper)
    column = _column(page, start, len(players))
    boxes = variant.calls if ems("☐") * LETTERS * POINT * variant.calls < column - 2 else 0
    return BlankSheet(
        variant=variant,
        stakes=stakes.line,
        players=tuple(players),
        values=tuple(left_values(variant)),
        is_small=page.height < SMALL,
        dealer=dealer,
        calls=boxes,
        how=" ".join(_how(variant, dealer, boxes)),
        paper=page,
        measures=ROOMY,
        start=start,
        column=column,
    )


def _fill(sheet: BlankSheet, differences: Sequence[str]) -> BlankSheet:
    """Return the sheet with its rows, as high as the page allows, and what stands under them."""
    variant, measures = sheet.variant, TIGHT if sheet.is_small else ROOMY
    feet = _feet(variant, is_small=sheet.is_small, has_money=bool(sheet.stakes) or variant.has_stakes)
    differs = _differs(differences, _width(sheet), 3 if sheet.is_small else 8)
    texts = sum(
        1 + lines(text, LETTERS, _width(sheet)) * LETTERS * LINE * POINT for text in (sheet.how, differs) if text
    )
    free = sheet.paper.height - 2 * sheet.paper.margin - measures.fixed - measures.foot * len(feet) - texts
    count = len(variant.contracts) or int(free / measures.row)
    count = min(variant.game_hands or count, count)
    tallest = TALLEST_CONTRACT if variant.contracts else TALLEST_ROW
    return sheet._replace(
        rows=tuple((str(number), contract_words(variant, number)) for number in range(1, count + 1)),
        feet=feet,
        differs=differs,
        measures=measures._replace(row=min(tallest, free / count)),
    )


def _contract(variant: Variant) -> float:
    """Return the width of the column of contracts, which stand in one line each; 0 without contracts."""
    contracts = [contract_words(variant, number) for number in range(1, len(variant.contracts) + 1)]
    return widest(contracts) * LETTERS * POINT + 2.5 if contracts else 0


def _width(sheet: BlankSheet) -> float:
    return sheet.start + sheet.column * len(sheet.players)


def _differs(differences: Sequence[str], width: float, most: int) -> str:
    """Return what the table plays differently, as much as so many lines hold, and where the rest stands."""
    listed = with_fewer(differences, _elsewhere, 1)
    tries = (f"† This table plays: {' · '.join(some)}" for _shown, some in listed)
    return next((some for some in tries if lines(some, LETTERS, width) <= most), "")


def _elsewhere(left: int) -> str:
    return f"and {left} more: see the rules card"


def _how(variant: Variant, dealer: int | None, boxes: int) -> Iterator[str]:
    """Yield how to keep a sheet by hand, as this app prints it."""
    yield "Points small, the running total large; ✓ for whoever goes out."
    yield "K for a Kalooki." if variant.kalooki_ending == "kalooki" else "B for bending the table."
    yield "A dot marks the dealer." if dealer is None else "○ deals, as long as nobody is out."
    if variant.has_calls:
        yield "Tick a box for each call." if boxes else "Calls follow a stroke: 43/4."
    if variant.limit is not None:
        yield "Cross out a total that is out."
        if variant.buy_ins:
            yield "Circle the score after a buy-in."


def _column(paper: Paper, start: float, players: int) -> float:
    return (paper.width - 2 * paper.margin - MARGIN_COLUMN - 4 - start) / players


def _rules(variant: Variant, players: int, stakes: WrittenStakes) -> Iterator[CardRule]:
    """Yield what a table looks up most, in the referee's words, with the number of cards dealt to this many players."""
    for _place, slug in sorted((about["sheet"], slug) for slug, about in at_a_glance() if "sheet" in about):
        rule = rule_in_words(slug, variant, stakes.by_value)
        is_fixed = slug == "the-deal" and not variant.contracts
        text = f"{variant.cards_dealt(players, 1)} cards each" if is_fixed else rule.text
        is_no_limit = slug == "limit" and variant.limit is None
        if text and not is_no_limit:
            yield CardRule(rule.title, text, rule.standing)


def _as_many_as_fit(rules: Iterable[CardRule], room: float) -> Iterator[CardRule]:
    """Yield the rules that fit into the margin whole."""
    line = LETTERS * LINE * POINT
    for rule in rules:
        title = lines(f"{rule.title} †", LETTERS, MARGIN_COLUMN, bold=True)
        room -= (title + lines(rule.text, LETTERS, MARGIN_COLUMN)) * line + BETWEEN_RULES
        if room >= 0:
            yield rule


def _feet(variant: Variant, *, is_small: bool, has_money: bool) -> tuple[str, ...]:
    """Return the lines below the hands: tallies kept during play, and what is added up at the end."""
    if is_small:
        return ("Total",)
    all_at_once = "Bent" if variant.kalooki_ending == "bending" else "Kalookis"
    tallies = ("Won", all_at_once, *(("Buy-ins",) if variant.limit and variant.buy_ins else ()))
    return (*tallies, *(("Paid",) if has_money else ()), "Total")


def blank_css(sheet: BlankSheet) -> str:
    """Return the CSS that depends on paper and players: heights, widths and the lines between players."""
    bars = " ".join(
        f".bar:nth-child({2 * place + 1}) {{ left: {sheet.start + sheet.column * place:.2f}mm }}"
        f" .bar:nth-child({2 * place + 2}) {{ left: {sheet.start + sheet.column * (place + 0.4):.2f}mm }}"
        for place in range(len(sheet.players))
    )
    width = _width(sheet)
    heights = {
        ".blank-head": sheet.measures.head,
        ".sheet-qr svg": sheet.code,
        ".fill .hand": sheet.measures.row,
        ".fill .foot": sheet.measures.foot,
    }
    widths = {
        ".fill, .under": width,
        ".beside": MARGIN_COLUMN,
        ".sheet-qr svg": sheet.code,
        ".fill .label": LABEL,
        ".fill .contract": sheet.start - LABEL,
    }
    css = [f"{what} {{ height: {height:.2f}mm }}" for what, height in heights.items()]
    css += [f"{what} {{ width: {across:.2f}mm }}" for what, across in widths.items()]
    css += [".calls { display: inline }"] * (sheet.measures.row < 8)  # which has room for one line
    # small enough for every word of the names, if that can still be read
    names = min(NAMES, max(LEAST_NAMES, (sheet.column - 2.2) / POINT / longest_word(sheet.players)))
    css.append(f".fill thead .name {{ font-size: {names:.2f}pt }}")
    return f"{' '.join(css)} .beside {{ top: {sheet.measures.head}mm }} {bars}"
