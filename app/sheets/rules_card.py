"""The rules card: on the front what a table needs and argues about, behind it every rule, all from the rulebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import sqrt
from typing import Any, NamedTuple, TypeVar

from app.history.phrases import NO_STAKES, WrittenStakes, whole
from app.history.plurals import number_of
from app.kalooki.cards import JOKER, Card
from app.kalooki.conditions import holds
from app.kalooki.rules import wording
from app.kalooki.rules.rulebook import Explained, rules_of
from app.kalooki.rules.sources import document_of
from app.kalooki.variants import Variant, meanings
from app.sheets.letters import POINT, lines, smaller
from app.sheets.paper import Paper

_T = TypeVar("_T")
STEP = 0.15
"""The difference in points between one type size of the front and the next smaller one to try; twice that behind."""
SMALLEST = 8.5
"""The smallest type of the full rules, in points."""
AT_LEAST, AT_MOST = 11.5, 15.0
"""The range of type sizes on the front, in points."""
MOSTLY = 8
"""So many differences stand on the front even if what tables argue about gets shorter for it."""
HEAD = 12.0
"""The type size of the front's head, but for its title."""
LINE, BESIDE = 1.28, 0.96
"""A line's height as a multiple of its type, and the part of its width that bold titles and framed cards leave."""
MARGIN = 9
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
        """What follows its text if the document does not simply say so; the card's foot and its front explain it."""
        return {"usual": "°", "both": "‡"}.get(self.standing, "")

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """Its text in pieces; each says whether it is a card, which is drawn with a frame.

        >>> CardRule("Sets", "8♠ ★ make two", "source").parts
        [('8♠', True), (' ', False), ('★', True), (' make two', False)]
        """
        pieces = enumerate(_CARDS.split(self.text))
        return [(piece, bool(place % 2)) for place, piece in pieces if piece]


class CardChapter(NamedTuple):
    """Rules under one heading, and the lines of a table: hands and contracts, or some cards and what they count."""

    title: str
    rules: tuple[CardRule, ...]
    rows: tuple[CardRule, ...] = ()


class RulesCard(NamedTuple):
    """A card as printed; `front` is its first page, `places` maps places in the source to numbers.

    `table` names the players and stakes of the table it is for.
    """

    name: str
    summary: str
    table: tuple[str, ...]
    front: tuple[CardChapter, ...]
    chapters: tuple[CardChapter, ...]
    has_house_rules: bool
    paper: Paper
    source: str
    places: Mapping[str, int]

    @property
    def signs(self) -> list[str]:
        """What the signs on the front mean: those that stand there."""
        standings = {each.standing for chapter in self.front for each in (*chapter.rules, *chapter.rows)}
        meanings = {
            "house": "† house rule.",
            "usual": "° common practice; the source does not say.",
            "both": "‡ the source is unclear: see overleaf.",
        }
        return [meaning for standing, meaning in meanings.items() if standing in standings]

    @property
    def standings(self) -> str:
        """What the signs beside the rules mean, and which document is the source."""
        own = "† house rule. " if self.has_house_rules else ""
        return f"{own}° not stated by the source; common practice. The source: {self.source}."

    @property
    def marks(self) -> str:
        """The same, with the list of numbered places."""
        if not self.places:
            return self.standings
        places = "; ".join(f"[{number}] {place}" for place, number in self.places.items())
        return f"{self.standings} It says so in {places}."


def rules_card(
    variant: Variant,
    paper: Paper,
    stakes: WrittenStakes = NO_STAKES,
    players: Sequence[str] = (),
    differences: Iterable[wording.Difference] = (),
) -> RulesCard:
    """Return the rules of a variant, or of a table with its house rules, of which the `differences` come first."""
    every = rules_of(variant, stakes.by_value)
    stated = dict.fromkeys(place for chapter in every for rule in chapter.rules for place in _places(rule))
    places = {place: number for number, place in enumerate(stated, start=1)}
    chapters = tuple(
        CardChapter(chapter.title, tuple(_in_short(rule, places) for rule in chapter.rules)) for chapter in every
    )
    differing = [*map(_beside_the_book, most_disputed(differences))]
    own = f"As this table plays it: {number_of(len(differing), 'house rule')}."
    card = RulesCard(
        name=variant.name,
        summary=own if differing else variant.summary,
        table=tuple(filter(None, (", ".join(players), stakes.line))),
        front=tuple(_front(variant, {rule.rule: rule for chapter in every for rule in chapter.rules})),
        chapters=chapters,
        has_house_rules=any(rule.is_house for chapter in chapters for rule in chapter.rules),
        paper=paper._replace(margin=MARGIN),
        source=_source(variant),
        places=places,
    )
    return _with_differences(card, differing)


def most_disputed(differences: Iterable[wording.Difference]) -> list[wording.Difference]:
    """Return what a table plays differently, first what tables argue about."""
    disputed = [slug for about in wording.wording()["card"].values() for _conditions, slug in about["rules"]]
    return sorted(differences, key=lambda each: (not meanings()[each.key].first, each.rule not in disputed))


def _beside_the_book(each: wording.Difference) -> CardRule:
    return CardRule(each.label, f"{each.own} (usually {each.book})", "house")


def with_fewer(every: Sequence[_T], more: Callable[[int], _T], fewest: int) -> Iterator[tuple[int, tuple[_T, ...]]]:
    """Yield a list as long as it is, then with fewer and fewer of its items, and how many of them it has.

    `more` says how many are left out.

    >>> [*with_fewer("abc", "+{}".format, 1)]
    [(3, ('a', 'b', 'c')), (2, ('a', 'b', '+1')), (1, ('a', '+2'))]
    """
    for number in range(len(every), fewest - 1, -1):
        left = len(every) - number
        yield number, (*every[:number], *((more(left),) if left else ()))


def _with_differences(card: RulesCard, differing: Sequence[CardRule]) -> RulesCard:
    """Return the card with as many differences on its front as there is room for; the others begin the next page."""
    tries = _tries(card, differing)
    count, fitting = next(((n, each) for n, each in tries if not _is_full_at(each, AT_LEAST)), (0, card))
    if not differing[count:]:
        return fitting
    more = CardChapter("More that this table plays differently", tuple(differing[count:]))
    return fitting._replace(chapters=(more, *card.chapters))


def _tries(card: RulesCard, differing: Sequence[CardRule]) -> Iterator[tuple[int, RulesCard]]:
    """Yield the card with fewer and fewer differences on its front, then with less and less of everything else.

    With many of them the rules that they are about do not stand there a second time.
    """
    front = card.front
    if len(differing) > MOSTLY:
        yield len(differing), _led_by(tuple(differing), front, card)
        front = tuple(each._replace(rules=tuple(filter(_is_said_once, each.rules))) for each in front)
    for number, rules in with_fewer(differing, _overleaf, min(len(differing), MOSTLY)):
        yield number, _led_by(rules, front, card)
    for shorter in _shorter_fronts(front):
        yield number, _led_by(rules, shorter, card)


def _is_said_once(rule: CardRule) -> bool:
    """Whether a rule of the front stands among no differences."""
    return not (rule.is_house and rule.title)


def _overleaf(left: int) -> CardRule:
    return CardRule("", f"And {left} more on page 2.", "source")


def _led_by(differing: tuple[CardRule, ...], front: Iterable[CardChapter], card: RulesCard) -> RulesCard:
    """Return the card with these differences before everything else on its front."""
    first = (CardChapter("What this table plays differently", differing),) if differing else ()
    return card._replace(front=(*first, *(chapter for chapter in front if chapter.rules or chapter.rows)))


def _shorter_fronts(front: tuple[CardChapter, ...]) -> Iterator[tuple[CardChapter, ...]]:
    """Yield the front, then with one rule less after another of the chapter that has most."""
    while True:
        yield front
        longest = max(front, key=lambda chapter: len(chapter.rules))
        if not longest.rules:
            return
        shorter = longest._replace(rules=longest.rules[:-1])
        front = tuple(shorter if chapter is longest else chapter for chapter in front)


def _front(variant: Variant, rules: Mapping[str, Explained]) -> Iterator[CardChapter]:
    """Yield what stands on the first page for the values of a variant."""
    for about in wording.wording()["card"].values():
        slugs = [slug for conditions, slug in about["rules"] if slug in rules and holds(conditions, variant)]
        briefly = (_in_brief(rules[slug]) for slug in slugs)
        values = (value for key in about.get("rows", ()) for value in _values_of(key, variant))
        rows = tuple(CardRule(label, text, rules[slug].standing) for label, text, slug in values)
        yield CardChapter(about["title"], (*_line(about, variant, rules), *briefly), rows)


def _line(about: Mapping[str, Any], variant: Variant, rules: Mapping[str, Explained]) -> Iterator[CardRule]:
    """Yield the line that sums up some rules, if a section has one: it stands as the weakest of them."""
    if "line" in about:
        standings = {rules[slug].standing for slug in about["rests"]}
        standing = next(each for each in ("house", "usual", "both", "source") if each in standings)
        yield CardRule("", wording.filled(wording.Words(variant), wording.sentences(about["line"])), standing)


def _values_of(key: str, variant: Variant) -> Iterator[tuple[str, str, str]]:
    """Yield a value of a variant in words, or several: each after its label, before the rule that has it."""
    if key == "left":
        yield from left_values(variant)
    elif key == "contracts":
        for number, contract in enumerate(variant.contracts_played, start=1):
            words = (wording.contract_words(variant, *contract), wording.dealt_in(variant, number))
            yield f"Hand {number}", ", ".join(words), "contract"
    elif key != "dealt" or not variant.contracts:  # with contracts it stands beside each
        yield meanings()[key].label, wording.value_words(variant, key), meanings()[key].rule


def _in_brief(rule: Explained) -> CardRule:
    """Return a rule for the first page: whole, or its first sentence if it is long."""
    text = rule.text if len(rule.text.split()) <= 35 else rule.first
    return CardRule(rule.title, text, rule.standing)


def _places(rule: Explained) -> list[str]:
    """Return where the variant's own source states a rule; empty for common practice."""
    return [] if rule.standing == "usual" else [place for source in rule.sources for place in source.where.split("; ")]


def _source(variant: Variant) -> str:
    """Return the document the rules come from, and where it can be read."""
    document = document_of(variant)
    return ", ".join(filter(None, (document.published, document.place)))


def _in_short(rule: Explained, numbers: Mapping[str, int]) -> CardRule:
    """Return a rule for a card: a mark says that its source is silent, other remarks stay in words.

    `numbers` maps the places that the card lists to their numbers.
    """
    text = f"{rule.text} {rule.remark}".strip()
    places = ", ".join(str(numbers[place]) for place in _places(rule) if place in numbers)
    return CardRule(rule.title, text, rule.standing, places)


def left_values(variant: Variant) -> Iterator[tuple[str, str, str]]:
    """Yield what the cards left in a hand count, the dearest first, as players learn it; with the rules that say so."""
    aces = {"Ace": Card("A")}
    if variant.colour_scores:
        aces = {"Black ace ♠ ♣": Card("A", "black"), "Red ace ♥ ♦": Card("A", "red")}
    jokers = {"Joker": JOKER} if variant.jokers else {}
    for name, card in (jokers | aces | {"10 J Q K": Card("K")}).items():
        rule = {"*": "joker-left", "A": "ace-left"}.get(card.rank, "court-cards")
        yield name, whole(variant.worth_left[card]), rule
    yield "2 to 9", "their number", "number-cards"


def pages_behind(card: RulesCard) -> int:
    """Return how many pages the full rules take in type that is large enough."""
    # 1.08: how much larger than the smallest the type should be by estimate, so that it fits in fact
    return next(pages for pages in count(2) if _largest(card, pages) > SMALLEST * 1.08)


def sizes_of(card: RulesCard) -> tuple[str, ...]:
    """Return the CSS of the card in several sizes of the full rules, from the largest that could fit.

    Its front fills its columns in each.
    """
    fitting = (size for size in smaller(AT_MOST, AT_LEAST, STEP) if not _is_full_at(card, size))
    front = f".front {{ font-size: {next(fitting, AT_LEAST):.2f}pt }}"
    sizes = (*smaller(_largest(card, pages_behind(card)), SMALLEST, 2 * STEP), SMALLEST)
    return tuple(f"{front} .card {{ font-size: {size:.2f}pt }}" for size in sizes)


def _largest(card: RulesCard, pages: int) -> float:
    """Return the type size at which the full rules could fill so many pages."""
    texts = sum(len(rule.title) + len(rule.text) + 8 for chapter in card.chapters for rule in chapter.rules)
    letters = texts + 60 * len(card.chapters) + 100 + sum(len(place) + 6 for place in card.places)
    space = pages * (card.paper.width - 2 * MARGIN) * (card.paper.height - 2 * MARGIN - 2)
    return 2.97 * sqrt(space / letters)


def _is_full_at(card: RulesCard, letters: float) -> bool:
    """Whether the front needs more than its two columns in type of this size."""
    width = card.paper.width - 2 * MARGIN
    head = [(card.name, 1.6), *((text, 1.0) for text in (card.summary, *card.table, *card.signs))]
    line = HEAD * LINE * POINT
    head_height = sum(lines(text, size * HEAD, width * BESIDE) * size * line + 1 for text, size in head)
    room = card.paper.height - 2 * MARGIN - head_height
    return _columns(_heights(card, letters, (width - 8) / 2), room) > 2  # with 8 mm between the columns


def _heights(card: RulesCard, letters: float, width: float) -> Iterator[float]:
    """How high the rules and tables of the front are, in millimetres; a heading belongs to the first rule under it."""
    line = letters * LINE * POINT
    for chapter in card.front:
        rows = sum(lines(row.text, letters, width * 0.7, bold=True) for row in chapter.rows)  # beside its label
        table = rows * line * 1.03
        heading = 1.15 * line + 2 + table + 2 * (table > 0)
        for rule in chapter.rules:
            framed = _CARDS.sub(r"\1 ", rule.text)  # a card in its frame is as wide as with a space more
            text = f"{'† ' * rule.is_house}{rule.title}. {framed} {rule.sign}"
            yield heading + lines(text, letters, width * BESIDE) * line + 1.6
            heading = 0
        if heading:
            yield heading


def _columns(heights: Iterable[float], room: float) -> int:
    """Return how many columns some blocks take, none of them split."""
    columns, free = 1, room
    for height in heights:
        columns += height > free
        free = (room if height > free else free) - height
    return columns
