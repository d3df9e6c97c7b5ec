"""The blank sheet: a score sheet to fill in by hand; its margin has what a table looks up most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.history.phrases import NO_STAKES, WrittenStakes
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.rules.wording import at_a_glance
from app.kalooki.variants import Variant
from app.sheets.paper import A5, Paper, estimate_width, landscape
from app.sheets.renderer import Layout
from app.sheets.rules_card import CardRule, left_values
from app.sheets.score_sheet import contract_words

HEIGHTS, MOST_OF_A_HAND = (18.0, 15.0, 13.0, 11.0, 9.5, 8.0, 6.0, 4.8), 13.0
"""Heights of a row in millimetres where their number is known; those without a contract are no taller than the last."""
ROW, SMALL_ROW = 8.2, 7.0
"""The height of a row where their number is not known."""
MARGINS = 58.0
"""Millimetres of a page above and below the rows and the feet, about."""
MAX_ATTEMPTS = 8
"""How many row counts to try."""
MAX_BOXES = 6
"""With more calls than this, there are no boxes to tick for them."""
DIFFERENCES, SOME_DIFFERENCES = 10, 3
"""The most house rules listed at the foot, and on small paper."""
LETTERS, LABEL, MARGIN_COLUMN = 8.5, 17.0, 50.0


class BlankSheet(NamedTuple):
    """A sheet to fill in.

    `rows` are labels and contracts; if their number `is_open`, there are as many as the page has room for. `dealer` is
    the column of the first dealer, if known; `calls` is the number of boxes to tick in each cell. `how` says how it is
    kept, `differs` what the table plays differently, and `differences` in how many points.
    """

    variant: Variant
    stakes: str
    players: tuple[str, ...]
    values: tuple[tuple[str, str, str], ...]
    is_small: bool
    dealer: int | None
    calls: int
    how: str
    rows: tuple[tuple[str, str], ...]
    is_open: bool
    feet: tuple[str, ...]
    rules: tuple[CardRule, ...]
    differs: str
    differences: int


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
    is_small = paper.height == A5.height
    count = len(variant.contracts) or variant.game_hands
    feet = _feet(variant, is_small=is_small, has_money=bool(stakes.line) or variant.has_stakes)
    boxes = variant.calls if variant.calls <= MAX_BOXES else 0
    return BlankSheet(
        variant=variant,
        stakes=stakes.line,
        players=tuple(players),
        values=tuple(left_values(variant)),
        is_small=is_small,
        dealer=dealer,
        calls=boxes,
        how=" ".join(_how(variant, dealer, boxes)),
        rows=tuple(
            (str(number), contract_words(variant, number))
            for number in range(1, (count or _most_rows(paper, feet)) + 1)
        ),
        is_open=not count,
        feet=feet,
        rules=tuple(_rules(variant, len(players), stakes)),
        differs=_differs(differences, SOME_DIFFERENCES if is_small else DIFFERENCES),
        differences=len(differences),
    )


def _differs(differences: Sequence[str], most: int) -> str:
    """Return what the table plays differently, the most important of it, and where the rest stands."""
    more = [f"and {len(differences) - most} more: see the rules card"] if len(differences) > most else []
    return f"† This table plays: {' · '.join([*differences[:most], *more])}" if differences else ""


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


def _rules(variant: Variant, players: int, stakes: WrittenStakes) -> Iterator[CardRule]:
    """Yield what a table looks up most, in the referee's words, with the number of cards dealt to this many players."""
    for _place, slug in sorted((about["sheet"], slug) for slug, about in at_a_glance() if "sheet" in about):
        rule = rule_in_words(slug, variant, stakes.by_value)
        is_fixed = slug == "the-deal" and not variant.contracts
        text = f"{variant.cards_dealt(players, 1)} cards each" if is_fixed else rule.text
        is_no_limit = slug == "limit" and variant.limit is None
        if text and not is_no_limit:
            yield CardRule(rule.title, text, rule.standing)


def _feet(variant: Variant, *, is_small: bool, has_money: bool) -> tuple[str, ...]:
    """Return the lines below the hands: tallies kept during play, and what is added up at the end."""
    if is_small:
        return ("Total",)
    all_at_once = "Bent" if variant.kalooki_ending == "bending" else "Kalookis"
    tallies = ("Won", all_at_once, *(("Buy-ins",) if variant.limit and variant.buy_ins else ()))
    return (*tallies, *(("Paid",) if has_money else ()), "Total")


def blank_layouts(sheet: BlankSheet, paper: Paper, css_of: Callable[[Paper], str]) -> tuple[Layout, ...]:
    """Return the layouts: in landscape if a pen has no room in the columns of an upright page, last with narrow ones.

    Each says what the table plays differently, or where that stands, and has as many rules in its margin and as many
    rows, or as tall ones, as its page has room for.
    """
    wide = landscape(paper)
    differs = ("", ".differs { display: none } .elsewhere { display: block }")[: 1 + bool(sheet.differs)]
    rules = tuple(f".rule:nth-of-type(n+{count + 1}) {{ display: none }}" for count in range(len(sheet.rules), -1, -1))
    tried = ((paper, ""), (wide, ""), (wide, ".fill .name { min-width: 0 }"))
    return tuple(
        Layout(css_of(page) + _columns_css(sheet, page) + narrow, (differs, rules, tuple(_rows_css(sheet, page))))
        for page, narrow in tried
    )


def _row(page: Paper) -> float:
    return SMALL_ROW if page.height == A5.height else ROW


def _most_rows(page: Paper, feet: Sequence[str]) -> int:
    """Return more rows than the page has room for."""
    return int((page.height - MARGINS) / _row(page)) - len(feet)


def _rows_css(sheet: BlankSheet, page: Paper) -> Iterator[str]:
    """Yield the CSS of fewer and fewer rows to fill in or, where their number is known, of lower and lower ones."""
    if sheet.is_open:
        height = _row(page)
        most = _most_rows(page, sheet.feet)
        for count in range(most, most - MAX_ATTEMPTS, -1):
            yield f".hand {{ height: {height}mm }} .hand:nth-child(n+{count + 1}) {{ display: none }}"
        return
    for height in HEIGHTS:
        if sheet.variant.contracts or height <= MOST_OF_A_HAND:
            inline = ".calls { display: inline }" if height < ROW else ""  # which has room for one line
            yield f".hand {{ height: {height}mm }} {inline}"


def _columns_css(sheet: BlankSheet, page: Paper) -> str:
    """Return the CSS of equal columns for the players, in which a thin line divides points from totals."""
    across = page.across - MARGIN_COLUMN
    contracts = [contract for _label, contract in sheet.rows]
    labels = LABEL + (estimate_width(contracts, LETTERS) if sheet.variant.contracts else 0)
    each = 100 * (1 - labels / across) / len(sheet.players)
    small = ".sheet-qr svg { width: 19mm; height: 19mm } .foot { height: 7mm } .fill thead th { height: 8mm }"
    return (
        f"col.points {{ width: {0.4 * each:.2f}% }} col.total {{ width: {0.6 * each:.2f}% }} {small * sheet.is_small}"
    )
