"""The rules card: on the front what a table needs at a glance, behind it every rule, all from the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from app.i18n import _, gettext
from app.kalooki.cards import JOKER, Card
from app.kalooki.rules.rulebook import Explained, remark, rules_of
from app.kalooki.rules.sources import documents
from app.kalooki.rules.wording import at_a_glance
from app.kalooki.variants import Variant
from app.sheets.letters import POINT, lines
from app.sheets.paper import Paper
from app.telling.phrases import stakes_by_value, stakes_words, whole

TRIES = 8
STEP = 0.15
"""The difference in points between one type size and the next smaller one to try."""
DENSITY = 2.97
"""A full page's type size in points, divided by the square root of its square millimetres per character."""
PAGES_BEHIND = 2
PAGES = 1 + PAGES_BEHIND
AT_LEAST, AT_MOST = 12.0, 15.0
"""The range of type sizes on the front, in points."""
FRONT_COLUMNS, BETWEEN = 2, 8
"""Its columns, and the space between them in millimetres."""
LINE, BESIDE = 1.28, 0.96
"""A line's height as a multiple of its type, and the part of its width that bold titles and framed cards leave."""
MARGIN = 9
NO_PLACES: Mapping[str, int] = MappingProxyType({})
SIGNS: Mapping[str, str] = MappingProxyType({"usual": "°", "both": "‡"})
"""What a rule's text is followed by if the document does not simply say so."""
_CARDS = re.compile(r"(?<!\w)((?:10|[2-9AJQK])[♠♥♦♣]|★)")


class CardRule(NamedTuple):
    """One rule in short: its title, its text, and its standing, as the rulebook has it.

    `places` are the numbers of the places in the source that state it, as the card lists them: "4, 7".
    """

    title: str
    text: str
    standing: str
    places: str = ""

    @property
    def is_house(self) -> bool:
        return self.standing == "house"

    @property
    def sign(self) -> str:
        """The sign after its text; the card's foot and its front explain it."""
        return SIGNS.get(self.standing, "")

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """Its text in pieces; each says whether it is a card, which is drawn with a frame.

        >>> CardRule("Sets", "8♠ ★ make two", "source").parts
        [('8♠', True), (' ', False), ('★', True), (' make two', False)]
        """
        pieces = enumerate(_CARDS.split(self.text))
        return [(piece, bool(place % 2)) for place, piece in pieces if piece]


class CardChapter(NamedTuple):
    """Rules under one heading."""

    title: str
    rules: tuple[CardRule, ...]


class RulesCard(NamedTuple):
    """A card as printed; `values` are the points of cards left in hand, `places` maps places in the source to numbers.

    `table` names the players and stakes of the table it is for.
    """

    name: str
    summary: str
    table: tuple[str, ...]
    values: tuple[tuple[str, str, str], ...]
    glance: tuple[CardRule, ...]
    chapters: tuple[CardChapter, ...]
    has_house_rules: bool
    paper: Paper
    source: str
    places: Mapping[str, int]

    @property
    def signs(self) -> list[str]:
        """What the signs on the front mean: those that stand there."""
        standings = {rule.standing for rule in self.glance} | {standing for _, _, standing in self.values}
        meanings = {
            "house": _("† the rule of this table."),
            "usual": _("° usual default; the source does not say."),
            "both": _("‡ the source says both, or otherwise: see overleaf."),
        }
        return [meaning for standing, meaning in meanings.items() if standing in standings]

    @property
    def standings(self) -> str:
        """What the signs beside the rules mean, and which document is the source."""
        own = f"† {_('the rule of this table.')} " if self.has_house_rules else ""
        return f"{own}° {_('not stated by the source; usual default.')} {_('The source:')} {self.source}."

    @property
    def marks(self) -> str:
        """The same, with the list of numbered places."""
        if not self.places:
            return self.standings
        places = "; ".join(f"[{number}] {place}" for place, number in self.places.items())
        return f"{self.standings} {_('It says so in')} {places}."


def rules_card(
    variant: Variant, paper: Paper, stakes: Mapping[str, Any] | None = None, players: Sequence[str] = ()
) -> RulesCard:
    """The rules of a variant, or of a table with its house rules. Stakes are minor units with a currency."""
    told = rules_of(variant, gettext, stakes_by_value(stakes))
    places = _numbered(rule for chapter in told for rule in chapter.rules)
    standings = {rule.rule: rule.standing for chapter in told for rule in chapter.rules}
    chapters = tuple(
        CardChapter(chapter.title, tuple(in_short(rule, places) for rule in chapter.rules)) for chapter in told
    )
    return RulesCard(
        name=variant.name,
        summary=_(variant.summary),
        table=tuple(filter(None, (", ".join(players), stakes_words(stakes) if stakes else ""))),
        values=tuple((name, points, standings[rule]) for name, points, rule in left_values(variant)),
        glance=tuple(_at_a_glance([rule for chapter in told for rule in chapter.rules])),
        chapters=chapters,
        has_house_rules=any(rule.is_house for chapter in chapters for rule in chapter.rules),
        paper=paper._replace(margin=MARGIN),
        source=_source(variant),
        places=places,
    )


def _at_a_glance(rules: Sequence[Explained]) -> Iterator[CardRule]:
    """The rules on the front; the table's own follow."""
    by_slug = {rule.rule: rule for rule in rules if rule.text}
    front = [slug for slug, about in at_a_glance() if about.get("card", True)]
    own = [slug for slug, rule in by_slug.items() if rule.standing == "house" and slug not in front]
    for slug in (*front, *own):
        if slug in by_slug:
            rule = by_slug[slug]
            yield CardRule(rule.title, rule.text, rule.standing)


def _numbered(rules: Iterable[Explained]) -> dict[str, int]:
    """The places in the source that state some rules, numbered in the order of the rules."""
    places = (place for rule in rules for place in _places(rule))
    return {place: number for number, place in enumerate(dict.fromkeys(places), start=1)}


def _places(rule: Explained) -> list[str]:
    """Where the variant's own source states a rule; empty for a usual default."""
    return [] if rule.standing == "usual" else [place for source in rule.sources for place in source.where.split("; ")]


def _source(variant: Variant) -> str:
    """The document the rules come from, and where it can be read."""
    document = documents()[variant.source]
    return ", ".join(filter(None, (document.published, document.place)))


def in_short(rule: Explained, numbers: Mapping[str, int] = NO_PLACES) -> CardRule:
    """A rule for a card: a mark says that its source is silent, other remarks stay in words.

    `numbers` maps the places that the card lists to their numbers.
    """
    text = f"{rule.text} {remark(rule.note, gettext)}".strip()
    places = ", ".join(str(numbers[place]) for place in _places(rule) if place in numbers)
    return CardRule(rule.title, text, rule.standing, places)


def left_values(variant: Variant) -> Iterator[tuple[str, str, str]]:
    """What the cards left in a hand count, the dearest first, as players learn it; with the rules that say so."""
    aces = {_("Ace"): Card("A")}
    if variant.colour_scores:
        aces = {_("Black ace ♠ ♣"): Card("A", "black"), _("Red ace ♥ ♦"): Card("A", "red")}
    jokers = {_("Joker"): JOKER} if variant.jokers else {}
    for name, card in (jokers | aces | {_("10 J Q K"): Card("K")}).items():
        rule = {"*": "joker-left", "A": "ace-left"}.get(card.rank, "court-cards")
        yield name, whole(variant.worth_left[card]), rule
    yield _("2 to 9"), _("their number"), "number-cards"


def sizes_of(card: RulesCard) -> tuple[str, ...]:
    """The CSS of the full rules in several type sizes, beginning with the largest that could fit."""
    glance = f".glance {{ font-size: {_front_letters(card):.2f}pt }}"
    texts = sum(len(rule.title) + len(rule.text) + 8 for chapter in card.chapters for rule in chapter.rules)
    letters = texts + 60 * len(card.chapters) + 100 + sum(len(place) + 6 for place in card.places)
    space = PAGES_BEHIND * (card.paper.width - 2 * MARGIN) * (card.paper.height - 2 * MARGIN - 2)
    largest = DENSITY * (space / letters) ** 0.5
    return tuple(f"{glance} .card {{ font-size: {largest - STEP * smaller:.2f}pt }}" for smaller in range(TRIES))


def _front_letters(card: RulesCard) -> float:
    """The largest type size at which the front fills its two columns and no more."""
    width = card.paper.width - 2 * MARGIN
    head = [(card.name, 1.6), *((text, 1.0) for text in (card.summary, *card.table, *card.signs))]
    line = AT_LEAST * LINE * POINT
    taken = sum(lines(text, size * AT_LEAST, width * BESIDE) * size * line + 1 for text, size in head) + 13
    room = card.paper.height - 2 * MARGIN - taken
    letters = AT_MOST
    while letters > AT_LEAST and _columns(_heights(card, letters, (width - BETWEEN) / 2), room) > FRONT_COLUMNS:
        letters -= STEP
    return max(AT_LEAST, letters)


def _heights(card: RulesCard, letters: float, width: float) -> Iterator[float]:
    """How high the values and each rule of the front are, in millimetres."""
    line = letters * LINE * POINT
    yield (len(card.values) + 1.2) * line + 6
    for rule in card.glance:
        text = f"† {rule.title}. {' '.join(piece for piece, _is_card in rule.parts)} °"
        yield lines(text, letters, width * BESIDE) * line + 1.6


def _columns(heights: Iterable[float], room: float) -> int:
    """How many columns some blocks take, none of them split."""
    count, free = 1, room
    for height in heights:
        count += height > free
        free = (room if height > free else free) - height
    return count
