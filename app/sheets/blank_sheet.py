"""The blank sheet: a score sheet to fill in by hand; its margin has what a table looks up most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.i18n import _, gettext
from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.rules.wording import at_a_glance
from app.kalooki.variants import Variant
from app.sheets.letters import POINT, breakable, ems, lines
from app.sheets.paper import Paper, on_its_side
from app.sheets.rows import contract_words
from app.sheets.rules_card import CardRule, left_values
from app.telling.phrases import stakes_by_value, stakes_words

TALLEST_ROW, TALLEST_CONTRACT = 13.0, 18.0
NARROWEST = 22
"""Millimetres a player needs for points and a total; with less, the page becomes landscape."""
MARGIN_COLUMN, BETWEEN_RULES = 46, 2.2
LABEL = 17
CONTRACT = 24
LETTERS, LINE = 8.5, 1.3
"""The margin's type size in points, and its line height as a multiple of that."""
NAMES, LEAST_NAMES = 9.0, 7.0
SMALL = 160
"""A page lower than this (millimetres) has smaller rows and fewer lines at its foot."""


class Measures(NamedTuple):
    """Heights in millimetres: the head, everything but the rows, the lowest row one can write in, a row of the foot."""

    head: float
    taken: float
    row: float
    foot: float


ROOMY, TIGHT = Measures(27, 68, 8, 8.5), Measures(21, 49, 7, 7)


class BlankSheet(NamedTuple):
    """A sheet to fill in. Measurements are millimetres.

    `rows` are labels and contracts. The players' columns begin at `start`, each `column` wide. `dealer` is the column
    of the first dealer, if known; `calls` is the number of boxes to tick in each cell.
    """

    name: str
    stakes: str
    players: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    feet: tuple[str, ...]
    values: tuple[tuple[str, str, str], ...]
    rules: tuple[CardRule, ...]
    has_contracts: bool
    has_pool: bool
    has_stakes: bool
    is_small: bool
    dealer: int | None
    calls: int
    paper: Paper
    measures: Measures
    start: float
    column: float


def blank_sheet(
    variant: Variant,
    players: Sequence[str],
    paper: Paper,
    stakes: Mapping[str, Any] | None = None,
    dealer: int | None = None,
) -> BlankSheet:
    """A sheet for these players; names not known yet are blank. Stakes are minor units with a currency."""
    start = LABEL + (CONTRACT if variant.contracts else 0)
    page = paper
    if _column(page, start, len(players)) < NARROWEST:
        page = on_its_side(paper)
    is_small = page.height < SMALL
    measures = TIGHT if is_small else ROOMY
    feet = _feet(variant, is_small=is_small, has_money=bool(stakes) or variant.has_stakes)
    free = page.height - 2 * page.margin - measures.taken - measures.foot * len(feet)
    count = len(variant.contracts) or int(free / measures.row)
    tallest = TALLEST_CONTRACT if variant.contracts else TALLEST_ROW
    values = tuple((name, points, "") for name, points, _rule in left_values(variant))
    beside = page.down - measures.head - (len(values) + 1.5) * LETTERS * 1.35 * POINT
    return BlankSheet(
        name=variant.name,
        stakes=stakes_words(stakes) if stakes else "",
        players=tuple(players),
        rows=tuple((str(number), contract_words(variant, number)) for number in range(1, count + 1)),
        feet=feet,
        values=values,
        rules=tuple(_as_many_as_fit(_rules(variant, len(players), stakes), beside)),
        has_contracts=bool(variant.contracts),
        has_pool=bool(variant.stake_initial),
        has_stakes=variant.has_stakes,
        is_small=is_small,
        dealer=dealer,
        calls=variant.calls,
        paper=page,
        measures=measures._replace(row=min(tallest, free / count)),
        start=start,
        column=_column(page, start, len(players)),
    )


def _column(paper: Paper, start: float, players: int) -> float:
    return (paper.width - 2 * paper.margin - MARGIN_COLUMN - 4 - start) / players


def _rules(variant: Variant, players: int, stakes: Mapping[str, Any] | None) -> Iterator[CardRule]:
    """What a table looks up most, in the referee's words, with the number of cards dealt to this many players."""
    for _place, slug in sorted((about["sheet"], slug) for slug, about in at_a_glance() if "sheet" in about):
        rule = rule_in_words(slug, variant, gettext, stakes_by_value(stakes))
        is_fixed = slug == "the-deal" and not variant.contracts
        text = _("{n} cards each").format(n=variant.cards_dealt(players, 1)) if is_fixed else rule.text
        if text and not _says_nothing(slug, variant):
            yield CardRule(rule.title, text, rule.standing)


def _as_many_as_fit(rules: Iterable[CardRule], room: float) -> Iterator[CardRule]:
    """The rules that fit into the margin whole."""
    line = LETTERS * LINE * POINT
    for rule in rules:
        title = lines(f"{rule.title} ★", LETTERS, MARGIN_COLUMN, bold=True)
        room -= (title + lines(rule.text, LETTERS, MARGIN_COLUMN)) * line + BETWEEN_RULES
        if room >= 0:
            yield rule


def _says_nothing(slug: str, variant: Variant) -> bool:
    """Whether all a rule says is that there is no limit."""
    return slug == "limit" and variant.limit is None


def _feet(variant: Variant, *, is_small: bool, has_money: bool) -> tuple[str, ...]:
    """The lines below the hands: tallies kept during play, and what is added up at the end."""
    if is_small:
        return (_("Total"),)
    all_at_once = _("Bent") if variant.kalooki_ending == "bending" else _("Kalookis")
    tallies = (_("Won"), all_at_once, *((_("Buy-ins"),) if variant.limit and variant.buy_ins else ()))
    return (*tallies, *((_("Paid"),) if has_money else ()), _("Total"))


def _names_size(sheet: BlankSheet) -> float:
    """The type size of the names in points: small enough for every word of them, if that can still be read."""
    widest = max((ems(word, bold=True) for name in sheet.players for word in breakable(name).split()), default=1)
    return min(NAMES, max(LEAST_NAMES, (sheet.column - 2.2) / POINT / widest))


def blank_rules(sheet: BlankSheet) -> str:
    """The CSS that depends on paper and players: heights, widths and the lines between players."""
    bars = " ".join(
        f".bar:nth-child({2 * place + 1}) {{ left: {sheet.start + sheet.column * place:.2f}mm }}"
        f" .bar:nth-child({2 * place + 2}) {{ left: {sheet.start + sheet.column * (place + 0.4):.2f}mm }}"
        for place in range(len(sheet.players))
    )
    width = sheet.start + sheet.column * len(sheet.players)
    heights = {
        ".blank-head": sheet.measures.head,
        ".fill .hand": sheet.measures.row,
        ".fill .foot": sheet.measures.foot,
    }
    widths = {".fill": width, ".beside": MARGIN_COLUMN, ".fill .label": LABEL, ".fill .contract": CONTRACT}
    told = [f"{what} {{ height: {height:.2f}mm }}" for what, height in heights.items()]
    told += [f"{what} {{ width: {across:.2f}mm }}" for what, across in widths.items()]
    told.append(f".fill thead .name {{ font-size: {_names_size(sheet):.2f}pt }}")
    return f"{' '.join(told)} .beside {{ top: {sheet.measures.head}mm }} {bars}"
