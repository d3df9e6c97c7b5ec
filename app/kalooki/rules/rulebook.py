"""Rules and broken rules in words, each with its standing: how certain it is by what documents say about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.cards import in_a_sentence, write
from app.kalooki.conditions import holds
from app.kalooki.faults import Fault
from app.kalooki.rules import wording
from app.kalooki.rules.wording import Sentences, Words, fill, fill_first, read, sentences
from app.kalooki.variants import STAKES, Variant, all_variants, meanings


class Document(NamedTuple):
    """A text that rules come from: our title for it, its own heading, and where to read it, if known."""

    title: str
    published: str
    place: str


class Mark(NamedTuple):
    """A rule's standing in a document: `where` names a heading of the document, `note` is a remark for players.

    `standing` is "source" if the document states the rule, "both" if it can be read in two ways, and "usual" if it is
    silent. With "both" the note names the readings and the one played; with "usual" it names the nearest statement.
    `disagrees` marks a "both" whose document has only one reading, which is not the one played.
    """

    standing: str
    where: str = ""
    note: str = ""
    disagrees: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the document states the rule and no remark is needed."""
        return self.standing == "source" and not self.note


USUAL = Mark("usual")


@cache
def documents() -> Mapping[str, Document]:
    """Return all documents by id, S0 to S4."""
    return MappingProxyType({key: Document(**entry) for key, entry in read("sources.toml")["documents"].items()})


def document_of(variant: Variant) -> Document:
    """Return the document a variant comes from; for a server's own variant it is the variant's file."""
    if variant.is_own:
        return Document(variant.name, variant.published or variant.source, "")
    return documents()[variant.source]


def mark(slug: str, variant_id: str) -> Mark:
    """Return what the variant's own document says about a rule.

    >>> mark("ace-high", "classic").standing, mark("ace-high", "european").where
    ('usual', 'Turn by turn play, (2) Melding')
    """
    return marks().get((slug, variant_id), USUAL)


@cache
def marks() -> Mapping[tuple[str, str], Mark]:
    """Return all marks by (rule, variant id); a missing one means common practice."""
    return MappingProxyType({entry: _mark(mark) for entry, mark in _by_variant("rules")})


@cache
def documented_values() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the values under which a document plays a rule differently, by (rule, variant id)."""
    return MappingProxyType(dict(_by_variant("readings")))


def _by_variant(part: str) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield the entries of one part of `sources.toml` as ((rule, variant id), entry)."""
    for slug, by_variants in read("sources.toml")[part].items():
        for variant_ids, mark in by_variants.items():
            yield from (((slug, variant_id), mark) for variant_id in variant_ids.split())


def _mark(entry: str | Mapping[str, Any]) -> Mark:
    if isinstance(entry, str):
        return Mark("source", entry)
    kind = next(each for each in ("usual", "both", "otherwise", "note") if each in entry)
    standing = {"otherwise": "both", "note": "source"}.get(kind, kind)
    return Mark(standing, entry.get("where", ""), entry[kind], disagrees=kind == "otherwise")


NOT_STATED = "Not in the source; common practice."
DISAGREES = "The source disagrees."
STATED_FOR_OTHERS = "The rules named here say it of other variants."
WITHOUT_MONEY = "Played without money"
LONGEST_BESIDE = 100
"""The most characters of a value shown with a rule; a longer one, such as a list of contracts, is left out."""
Amounts = Mapping[str, str]
"""A game's stakes by key, as shown in place of the variant's units: {"stake_call_up": "0.20 GBP"}."""
NO_AMOUNTS: Amounts = MappingProxyType({})
_CONDITION_KEYS = re.compile(r"(\w+)!?=")
_TEXT_KEYS = re.compile(r"\{(\w+?)(?:_number)?\}")
"""Find the values named in the conditions of a text, and those named in the text itself."""
_MELD_WORDS = {*wording.MELDS, "has_fours"}
_STAKE_VALUES = frozenset(f"stake_{stake}" for stake in STAKES)
_MELD_WORD_VALUES = ("contracts", "run_least")
"""The values that decide what melds are called."""


class Source(NamedTuple):
    """The place where a document states a rule: the document's id (S0 to S4), our title for it, and a heading."""

    id: str
    title: str
    where: str


def merge_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return one source for each document, with all its places."""
    wheres: dict[tuple[str, str], dict[str, None]] = {}
    for source in sources:
        wheres.setdefault((source.id, source.title), {}).update(dict.fromkeys(source.where.split("; ")))
    return tuple(Source(*document, "; ".join(places)) for document, places in wheres.items())


@dataclass(frozen=True)
class Rule:
    """One rule of the rulebook, for all variants.

    The title, the text (`sentences`) and the rulings (`faults`, by case) are sentences with conditions on the variant.
    `rests` names, by case, another rule that the ruling follows from. `keys` are the values behind the rule. A variant
    that does not meet the `conditions` does not have the rule. A rule about recording has no chapter.
    `searched_by` are words by which players look for it, besides those of its text.
    """

    slug: str
    title: Sentences
    chapter: str
    conditions: str
    sentences: Sentences
    faults: Mapping[str, Sentences]
    rests: Mapping[str, str]
    keys: tuple[str, ...]
    searched_by: tuple[str, ...]


class Explained(NamedTuple):
    """A rule or a broken rule in words, for one variant.

    `cards` are in canonical notation. `standing` is "source" (the variant's own document states the rule), "both" (the
    document can be read in two ways, or differs from what is played), "usual" (the document is silent) or "house" (a
    house rule, described by `house_rule`). `note` puts the standing into words if readers need to know it. `sources`
    are the documents that state exactly this rule; for a house rule, note and sources are those of the base variant.
    `remark` is the part of the note that is about this rule alone. `disagrees` means that the document has only one
    reading, which is not the one played.
    """

    rule: str
    title: str
    text: str
    cards: str = ""
    sources: tuple[Source, ...] = ()
    house_rule: str | None = None
    standing: str = "usual"
    note: str = ""
    remark: str = ""
    disagrees: bool = False

    @property
    def first(self) -> str:
        """The first sentence of the text: the rule with any exception that would reverse it."""
        return wording.split_first_sentence(self.text)[0]

    @property
    def rest(self) -> str:
        """The text after its first sentence."""
        return wording.split_first_sentence(self.text)[1]

    @property
    def in_full(self) -> str:
        """The text followed by the note."""
        return f"{self.text} {self.note}".strip()


class RuleChapter(NamedTuple):
    """The rules of one chapter for one variant, in reading order."""

    slug: str
    title: str
    rules: tuple[Explained, ...]


def explain(fault: Fault, variant: Variant) -> Explained:
    """Return a broken rule in words: what is wrong, with which cards, and which documents state the rule.

    The fact `case` selects one of the rule's rulings. The fact `values` names the values that decided, if they are only
    some of the rule's. The standing is that of the rule from which the case follows.
    """
    rule = rules()[fault.rule]
    case = str(fault.facts.get("case", "else"))
    cards = write(fault.cards)
    facts: dict[str, Any] = {**fault.facts, "cards": in_a_sentence(fault.cards)}
    if "sets" in facts:
        facts["asked"] = wording.contract_words(variant, facts["sets"], facts["runs"])
        facts["laid"] = wording.contract_words(variant, facts.get("laid_sets", 0), facts.get("laid_runs", 0))
    words = Words(variant, facts)
    text = fill_first(words, rule.faults.get(case, ())) or fill(words, rule.sentences)
    values: tuple[str, ...] | None = fault.facts.get("values")  # type: ignore[assignment]
    behind = rules()[rule.rests.get(case) or (meanings()[values[0]].rule if values else rule.slug)]
    house = _house_keys(behind, variant) if values is None else [key for key in values if key in variant.house]
    title = fill_first(Words(variant), rule.title)
    return _with_sources(Explained(rule.slug, title, text, cards), behind, house, variant)


def rule_in_words(slug: str, variant: Variant, amounts: Amounts = NO_AMOUNTS) -> Explained:
    """Return the rule as this variant plays it, with an empty text if it does not apply."""
    rule, words = rules()[slug], Words(variant, amounts)
    in_words = Explained(rule.slug, fill_first(words, rule.title), fill(words, rule.sentences))
    return _with_sources(in_words, rule, _house_keys(rule, variant), variant, amounts)


def rules_of(variant: Variant, amounts: Amounts = NO_AMOUNTS) -> tuple[RuleChapter, ...]:
    """Return the rules that apply to this variant, by chapter in reading order."""
    play = [rule for rule in rules().values() if rule.chapter and holds(rule.conditions, variant)]
    every = [(rule.chapter, rule_in_words(rule.slug, variant, amounts)) for rule in play]
    applying = [(chapter, rule) for chapter, rule in every if rule.text]
    titles = wording.wording()["chapters"]
    return tuple(
        RuleChapter(chapter, titles[chapter], tuple(rule for _, rule in group))
        for chapter, group in groupby(applying, key=lambda pair: pair[0])
    )


def _with_sources(
    rule: Explained, behind: Rule, house: Sequence[str], variant: Variant, amounts: Amounts = NO_AMOUNTS
) -> Explained:
    """Return the rule with the standing of the rule `behind` it, and with the documents that state it.

    `house` are the values that the table changed.
    """
    if not rules()[rule.rule].chapter:
        return rule
    if house:
        return _as_house_rule(rule, house, variant, amounts)
    standing, where, note, disagrees = mark_of(behind, variant)
    if _is_moneyless(behind, standing, variant):
        return rule._replace(standing="house", house_rule=WITHOUT_MONEY)
    others = _other_sources(behind.slug, variant) if standing == "usual" else ()
    sources = others if standing == "usual" else (_source_in(variant, where),)
    rule = rule._replace(standing=standing, sources=sources, disagrees=disagrees)
    if not rule.text:
        return rule
    usual = [NOT_STATED, note, STATED_FOR_OTHERS if others else ""]
    notes = usual if standing == "usual" else [DISAGREES if disagrees else "", note]
    return rule._replace(note=" ".join(filter(None, notes)), remark=note)


def mark_of(rule: Rule, variant: Variant) -> Mark:
    """Return what the variant's document says about a rule.

    The file of a server's own variant counts as stating the rules whose values it states.
    """
    if not variant.is_own:
        return mark(rule.slug, variant.id)
    stating = " ".join(conditions for conditions, _ in rule.sentences if holds(conditions, variant))
    says = variant.stated.intersection((*rule.keys, *_CONDITION_KEYS.findall(stating)))
    return Mark("source", document_of(variant).published) if says else USUAL


def _as_house_rule(rule: Explained, house: Sequence[str], variant: Variant, amounts: Amounts) -> Explained:
    """Return a house rule, with a note on what the base variant says about the values that the table changed."""
    by_label = {meanings()[key].label: amounts.get(key) or wording.value_words(variant, key) for key in house}
    labelled = (f"{label}: {words}" if len(words) <= LONGEST_BESIDE else label for label, words in by_label.items())
    rule = rule._replace(standing="house", house_rule="; ".join(labelled))
    base = variant.base_variant
    marks = {key: mark_of(rules()[meanings()[key].rule], base) for key in house}
    stated = {key: key in base.stated and each.standing == "source" for key, each in marks.items()}
    notes_of_book = [_base_note(base, [*keys], is_stated) for is_stated, keys in groupby(house, stated.__getitem__)]
    ambiguous = [wording.split_first_sentence(each.note)[0] for each in marks.values() if each.standing == "both"]
    places = [_source_in(base, each.where) for each in marks.values() if each.standing != "usual"]
    notes = [*dict.fromkeys((*notes_of_book, *ambiguous))]
    rule = rule._replace(note=" ".join(notes), remark=" ".join(each for each in notes if each != DISAGREES))
    return rule._replace(sources=tuple(dict.fromkeys(places)))


def _base_note(base: Variant, keys: Sequence[str], is_stated: bool) -> str:
    words = "; ".join(wording.value_words(base, key) for key in keys)
    if len(words) > LONGEST_BESIDE:
        return DISAGREES
    return f"{'The source says' if is_stated else 'Common practice'}: {words}."


def _is_moneyless(rule: Rule, standing: str, variant: Variant) -> bool:
    """Return whether a rule's text applies only because this table plays without money a game meant for money."""
    base = variant.base_variant
    if variant is base or variant.has_stakes or not base.has_stakes:
        return False
    is_new = not set(wording.holding(rule.sentences, variant)) <= set(wording.holding(rule.sentences, base))
    return is_new and (standing != "usual" or not _base_text(rule.slug, base))


def _source_in(variant: Variant, where: str) -> Source:
    """Return a heading of the variant's own document as a source."""
    return Source(variant.source, document_of(variant).title, where)


def _other_sources(slug: str, variant: Variant) -> tuple[Source, ...]:
    """Return the places where other documents state exactly the same rule without a remark."""
    text = _base_text(slug, variant.base_variant)
    places = {
        other.source: mark(slug, other.id).where
        for other in all_variants()
        if text and other.source != variant.source and mark(slug, other.id).is_plain and _base_text(slug, other) == text
    }
    return tuple(Source(document, documents()[document].title, where) for document, where in places.items())


def _house_keys(rule: Rule, variant: Variant) -> tuple[str, ...]:
    """Return the changed values that make this a house rule: the rule's own, else any that change its text.

    That a table plays for money does not turn common practice about money into its house rule.
    """
    if not variant.house or not rule.chapter:
        return ()
    own = tuple(key for key in rule.keys if key in variant.house)
    if own or fill(Words(variant), rule.sentences) == _base_text(rule.slug, variant.base_variant):
        return own
    changing = values_changing(rule.sentences, variant)
    is_common = mark_of(rule, variant.base_variant).standing == "usual"
    return () if is_common and _STAKE_VALUES.issuperset(changing) else changing


def names_in(texts: Sentences) -> tuple[str, ...]:
    """Return the names of all values that these sentences mention, in their conditions or in their text."""
    return tuple(
        name for conditions, text in texts for name in (*_CONDITION_KEYS.findall(conditions), *_TEXT_KEYS.findall(text))
    )


def values_changing(texts: Sentences, variant: Variant) -> tuple[str, ...]:
    """Return the table's changed values without which these sentences would read differently."""
    if not variant.house:
        return ()
    keys_named = [key for name in names_in(texts) for key in (_MELD_WORD_VALUES if name in _MELD_WORDS else (name,))]
    follows_from_others = any(key not in meanings() for key in keys_named)
    own = [
        key
        for key in (sorted(variant.house) if follows_from_others else dict.fromkeys(keys_named))
        if key in variant.house
    ]
    if not own:
        return ()
    now, base = fill(Words(variant), texts), variant.base_variant
    without = {key: replace(variant, **{key: getattr(base, key)}) for key in own}
    with_none = replace(variant, **{key: getattr(base, key) for key in own})
    turning = tuple(key for key, other in without.items() if fill(Words(other), texts) != now)
    return turning or (tuple(own) if fill(Words(with_none), texts) != now else ())


@lru_cache(maxsize=4096)
def _base_text(slug: str, base: Variant) -> str:
    """Return a rule's text for a variant without house rules."""
    return fill(Words(base), rules()[slug].sentences)


@cache
def rules() -> Mapping[str, Rule]:
    """Return all rules by slug: the rules of play in reading order, then those about recording."""
    table = wording.read("rulebook.toml") | wording.read("entries.toml")
    return MappingProxyType({slug: _rule(slug, about) for slug, about in table.items()})


def _rule(slug: str, about: Mapping[str, Any]) -> Rule:
    faults = {case: sentences(raw) for case, raw in about.get("fault", {}).items()}
    return Rule(
        slug=slug,
        title=sentences(about["title"]),
        chapter=about.get("chapter", ""),
        conditions=about.get("conditions", ""),
        sentences=sentences(about["text"]),
        faults=MappingProxyType(faults),
        rests=MappingProxyType(about.get("rests", {})),
        keys=tuple(key for key, meaning in meanings().items() if meaning.rule == slug),
        searched_by=tuple(about.get("search", ())),
    )
