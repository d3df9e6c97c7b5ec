"""The rules card: everything one table plays, on one page, from the same rulebook as every ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from app.i18n import _, gettext
from app.kalooki.cards import JOKER, Card
from app.kalooki.rules.rulebook import Explained, rules_of
from app.kalooki.rules.sources import documents
from app.kalooki.variants import Variant
from app.sheets.formats import stakes_by_value, whole
from app.sheets.paper import Paper, on_its_side

TRIES = 8
STEP = 0.15
"""Points between one size of print that is tried and the next smaller one."""
DENSITY = 2.97
"""The size of print in points at which a page is full, for each square root of the square millimetres a letter has."""
MARGIN = 9
NO_PLACES: Mapping[str, int] = MappingProxyType({})


class CardRule(NamedTuple):
    """One rule in short: its title, its text, and whether it is the table's own or a usual default.

    `places` are the numbers under which the card lists where the source says it: "4, 7".
    """

    title: str
    text: str
    is_house: bool
    is_usual: bool
    places: str = ""


class CardChapter(NamedTuple):
    """Rules under one heading."""

    title: str
    rules: tuple[CardRule, ...]


class RulesCard(NamedTuple):
    """A card as it is printed; `values` are the points of cards left in hand, `places` are numbered."""

    name: str
    summary: str
    values: tuple[tuple[str, str], ...]
    chapters: tuple[CardChapter, ...]
    has_house_rules: bool
    paper: Paper
    is_folded: bool
    source: str
    places: Mapping[str, int]


def rules_card(variant: Variant, paper: Paper, stakes: Mapping[str, Any] | None = None, *, folded: bool) -> RulesCard:
    """The rules of a variant with the house rules of its table. Stakes are minor units with a currency."""
    told = rules_of(variant, gettext, stakes_by_value(stakes))
    places = _numbered(rule for chapter in told for rule in chapter.rules)
    chapters = tuple(
        CardChapter(chapter.title, tuple(in_short(rule, places) for rule in chapter.rules)) for chapter in told
    )
    return RulesCard(
        name=variant.name,
        summary=_(variant.summary),
        values=tuple(left_values(variant)),
        chapters=chapters,
        has_house_rules=any(rule.is_house for chapter in chapters for rule in chapter.rules),
        paper=(on_its_side(paper) if folded else paper)._replace(margin=MARGIN),
        is_folded=folded,
        source=_source(variant),
        places=places,
    )


def _numbered(rules: Iterable[Explained]) -> dict[str, int]:
    """The places where the source says some rules, numbered as they are met."""
    places = (place for rule in rules for place in _places(rule))
    return {place: number for number, place in enumerate(dict.fromkeys(places), start=1)}


def _places(rule: Explained) -> list[str]:
    """Where the variant's own source says a rule; nowhere if it is a usual default."""
    return [] if rule.standing == "usual" else [place for source in rule.sources for place in source.where.split("; ")]


def _source(variant: Variant) -> str:
    """The document the rules come from, and where it can be read."""
    document = documents()[variant.source]
    return ", ".join(filter(None, (document.published, document.place)))


def in_short(rule: Explained, numbers: Mapping[str, int] = NO_PLACES) -> CardRule:
    """A rule for a card: that its source is silent becomes a mark, that it says two things stays in words.

    `numbers` are those of the places that the card lists.
    """
    usual = rule.standing == "usual"
    text = rule.text if usual else rule.in_full
    places = ", ".join(str(numbers[place]) for place in _places(rule) if place in numbers)
    return CardRule(rule.title, text, rule.standing == "house", usual, places)


def left_values(variant: Variant) -> Iterator[tuple[str, str]]:
    """What the cards left in a hand count, dearest first as tables learn it."""
    aces = {_("Ace"): Card("A")}
    if variant.colour_scores:
        aces = {_("Black ace ♠ ♣"): Card("A", "black"), _("Red ace ♥ ♦"): Card("A", "red")}
    jokers = {_("Joker"): JOKER} if variant.jokers else {}
    for name, card in (jokers | aces | {_("10 J Q K"): Card("K")}).items():
        yield name, whole(variant.worth_left[card])
    yield _("2 to 9"), _("their number")


def sizes_of(card: RulesCard) -> tuple[str, ...]:
    """The style of the card at some sizes of print, from the largest that could fit on its page downwards."""
    texts = sum(len(rule.title) + len(rule.text) + 8 for chapter in card.chapters for rule in chapter.rules)
    letters = texts + 60 * len(card.chapters) + 300 + sum(len(place) + 6 for place in card.places)
    space = (card.paper.width - 2 * MARGIN) * (card.paper.height - 2 * MARGIN - 2)
    largest = DENSITY * (space / letters) ** 0.5
    return tuple(f"html {{ font-size: {largest - STEP * smaller:.2f}pt }}" for smaller in range(TRIES))
