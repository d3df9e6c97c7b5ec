"""The rules card: on the front what a table needs and argues about, behind it every rule, all from the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.history.formats import number_of
from app.history.phrases import NO_STAKES, WrittenStakes, whole
from app.kalooki.cards import JOKER, Card
from app.kalooki.conditions import holds
from app.kalooki.rules import wording
from app.kalooki.rules.rulebook import Explained, document_of, rules_of
from app.kalooki.variants import Variant, meanings
from app.sheets.paper import Paper

TYPE_SIZES = ((14.5, 10.8), (13.0, 10.0), (11.5, 9.2))
"""Type sizes in points, from the largest down, of the first page and of the full rules behind it."""
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
            "both": "‡ the source is unclear or disagrees: see overleaf.",
        }
        return [meaning for standing, meaning in meanings.items() if standing in standings]

    @property
    def legend(self) -> str:
        """What the signs beside the rules mean, and which document is the source."""
        own = "† house rule. " if self.has_house_rules else ""
        return f"{own}° not stated by the source; common practice. The source: {self.source}."

    @property
    def marks(self) -> str:
        """The same, with the list of numbered places."""
        if not self.places:
            return self.legend
        places = "; ".join(f"[{number}] {place}" for place, number in self.places.items())
        return f"{self.legend} It says so in {places}."


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
    differing = [
        CardRule(each.label, f"{each.own} (usually {each.base})", "house") for each in most_disputed(differences)
    ]
    own = f"As this table plays it: {number_of(len(differing), 'house rule')}."
    first = (CardChapter("What this table plays differently", tuple(differing)),) if differing else ()
    return RulesCard(
        name=variant.name,
        summary=own if differing else variant.summary,
        table=tuple(filter(None, (", ".join(players), stakes.line))),
        front=(*first, *_front(variant, {rule.rule: rule for chapter in every for rule in chapter.rules})),
        chapters=chapters,
        has_house_rules=any(rule.is_house for chapter in chapters for rule in chapter.rules),
        paper=paper._replace(margin=MARGIN),
        source=_source(variant),
        places=places,
    )


def most_disputed(differences: Iterable[wording.Difference]) -> list[wording.Difference]:
    """Return what a table plays differently, first what tables argue about."""
    disputed = [slug for about in wording.wording()["card"].values() for _conditions, slug in about["rules"]]
    return sorted(differences, key=lambda each: (not meanings()[each.key].first, each.rule not in disputed))


def _front(variant: Variant, rules: Mapping[str, Explained]) -> Iterator[CardChapter]:
    """Yield what stands on the first page for the values of a variant."""
    for about in wording.wording()["card"].values():
        slugs = [slug for conditions, slug in about["rules"] if slug in rules and holds(conditions, variant)]
        briefly = (_in_brief(rules[slug]) for slug in slugs)
        values = (value for key in about.get("rows", ()) for value in _values_of(key, variant))
        rows = tuple(CardRule(label, text, rules[slug].standing) for label, text, slug in values)
        chapter = CardChapter(about["title"], (*_line(about, variant, rules), *briefly), rows)
        if chapter.rules or chapter.rows:
            yield chapter


def _line(about: Mapping[str, Any], variant: Variant, rules: Mapping[str, Explained]) -> Iterator[CardRule]:
    """Yield the line that sums up some rules, if a section has one; its standing is that of the least certain rule."""
    if "line" in about:
        standings = {rules[slug].standing for slug in about["rests"]}
        standing = next(each for each in ("house", "usual", "both", "source") if each in standings)
        yield CardRule("", wording.fill(wording.Words(variant), wording.sentences(about["line"])), standing)


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


def card_sizes() -> tuple[str, ...]:
    """Return the CSS of the type sizes to try."""
    return tuple(f".front {{ font-size: {front}pt }} .card {{ font-size: {behind}pt }}" for front, behind in TYPE_SIZES)
