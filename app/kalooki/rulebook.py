"""Every rule in our own words: its text for one variant, the sources that state it, the table's own rule.

`rulebook.toml` holds the rules of play, `entries.toml` what cannot be recorded, `wording.toml` how values read.
All texts are msgids: pass `gettext` to have them in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from tomllib import loads
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.cards import write
from app.kalooki.faults import Fault
from app.kalooki.variants import Value, Variant, all_variants, meanings

FOLDER = Path(__file__).parent
NOT_STATED = "Not stated by the source; usual default."
PARTLY_STATED = "Not stated by the source; usual default: {values}."
Gettext = Callable[[str], str]
NO_AMOUNTS: Mapping[str, str] = MappingProxyType({})


_NAMES = re.compile(r"\{(\w+)\}|(\w+)!?=")
"""The values a text names, and those its conditions ask."""


class Source(NamedTuple):
    """One of the texts the rules come from: S0 to S4, with a short title of ours."""

    id: str
    title: str


@dataclass(frozen=True)
class Rule:
    """One rule as the rulebook holds it.

    `sentences` are texts with the values under which each is said; `faults` are the words of a ruling, case by
    case; `keys` the values the rule rests on. A rule of record keeping has no chapter.
    """

    slug: str
    title: str
    chapter: str
    sources: tuple[str, ...]
    sentences: tuple[tuple[str, str], ...]
    faults: Mapping[str, str]
    keys: tuple[str, ...]


class Explained(NamedTuple):
    """A rule or a broken rule in words, for one variant.

    `cards` is canonical notation. `house_rule` is the table's own rule where that decided ("Opening: 51 points"),
    else None.
    """

    rule: str
    title: str
    text: str
    cards: str
    sources: tuple[Source, ...]
    house_rule: str | None


class Chapter(NamedTuple):
    """Some rules of one variant under one heading, in reading order."""

    slug: str
    title: str
    rules: tuple[Explained, ...]


def explain(fault: Fault, variant: Variant, gettext: Gettext = str) -> Explained:
    """The broken rule in words: what is wrong with which cards, and who says so.

    A fact `case` picks among the rule's rulings; a fact `values` names the values that decided, where they are
    fewer than the rule rests on.
    """
    rule = rules()[fault.rule]
    cards = write(fault.cards)
    words = _Words(variant, gettext, {**fault.facts, "cards": cards})
    ruling = rule.faults.get(str(fault.facts.get("case", "else")))
    keys: tuple[str, ...] = fault.facts.get("values", rule.keys)  # type: ignore[assignment]
    text = gettext(ruling).format_map(words) if ruling else _text(rule, variant, words, gettext)
    return _explained(rule, variant, _Telling(text, cards, keys, gettext))


def rule_in_words(
    slug: str, variant: Variant, gettext: Gettext = str, amounts: Mapping[str, str] = NO_AMOUNTS
) -> Explained:
    """The rule as this variant plays it; its text is empty if the rule does not apply.

    `amounts` are what a table plays for in place of the variant's units: {"stake_call_up": "0.20 GBP"}.
    """
    rule = rules()[slug]
    text = _text(rule, variant, _Words(variant, gettext, amounts), gettext)
    silent = [key for key in _silent_values(rule, variant) if key not in amounts]
    if silent:
        values = ", ".join(f"{gettext(meanings()[key].label)} ({value_words(variant, key, gettext)})" for key in silent)
        text = f"{text} {gettext(PARTLY_STATED).format(values=values)}"
    return _explained(rule, variant, _Telling(text, "", rule.keys, gettext))


def _silent_values(rule: Rule, variant: Variant) -> list[str]:
    """The values the rule's sentences speak of that are our usual defaults, where the source states others of it."""
    if not _is_stated(rule, rule.keys, variant) or not variant.house.isdisjoint(rule.keys):
        return []
    said = " ".join(f"{conditions} {text}" for conditions, text in rule.sentences if _holds(conditions, variant))
    spoken_of = {name for names in _NAMES.findall(said) for name in names}
    return [key for key in rule.keys if key in spoken_of and key not in variant.stated]


def is_usual(slug: str, variant: Variant) -> bool:
    """Whether the rule is our usual default here: neither stated by the variant's source nor set by the table."""
    keys = rules()[slug].keys
    return not _is_stated(rules()[slug], keys, variant) and variant.house.isdisjoint(keys)


def rules_of(variant: Variant, gettext: Gettext = str, amounts: Mapping[str, str] = NO_AMOUNTS) -> tuple[Chapter, ...]:
    """The rules that apply to this variant, chapter by chapter, as somebody would read them out.

    `amounts` as in `rule_in_words`.
    """
    play = [rule for rule in rules().values() if rule.chapter]
    every = [(rule.chapter, rule_in_words(rule.slug, variant, gettext, amounts)) for rule in play]
    applying = [(chapter, rule) for chapter, rule in every if rule.text]
    titles = _wording()["chapters"]
    return tuple(
        Chapter(chapter, gettext(titles[chapter]), tuple(rule for _, rule in group))
        for chapter, group in groupby(applying, key=lambda pair: pair[0])
    )


def value_words(variant: Variant, key: str, gettext: Gettext = str) -> str:
    """What the variant plays for one value, in words: “40 points”, “high only”, “no limit”."""
    if key == "dealt" and len(variant.dealt) > 1:
        return _dealt_words(variant, gettext)
    return say(key, getattr(variant, key), gettext)


def say(key: str, value: Value, gettext: Gettext = str) -> str:
    """One value of a key in words, also one the variant does not play (the choices of a house rule).

    >>> say("opening_points", 51), say("ace", "both"), say("limit", None)
    ('51 points', 'high or low', 'no limit')
    """
    named = _wording()["values"].get(key, {}).get(_plain(value)) or _wording()["values"]["any"].get(_plain(value))
    if named is not None:
        return gettext(named)
    if isinstance(value, tuple) and len(value) == 1:
        return say(key, value[0], gettext)
    if isinstance(value, tuple):
        return ", ".join("+".join(map(str, pair)) if isinstance(pair, tuple) else str(pair) for pair in value)
    forms = _wording()["units"].get(meanings()[key].unit)
    return gettext(forms[value != 1]).format(n=value) if forms else str(value)


def _dealt_words(variant: Variant, gettext: Gettext) -> str:
    phrases = _wording()["dealt"]
    if variant.dealt_by == "contract":
        numbers = ", ".join(map(str, variant.dealt))
        return gettext(phrases["contract"]).format(n=numbers, last=len(variant.dealt))
    groups = [(cards, [players for players, _ in group]) for cards, group in _by_cards(variant)]
    return ", ".join(
        gettext(phrases["one" if len(players) == 1 else "several"]).format(n=cards, first=players[0], last=players[-1])
        for cards, players in groups
    )


def _by_cards(variant: Variant) -> Iterable[tuple[int, Iterable[tuple[int, int]]]]:
    return groupby(enumerate(variant.dealt, start=2), key=lambda pair: pair[1])


class _Words(dict[str, object]):
    """The values of a variant in words, to fill the {names} of a text: each is said when a text asks for it."""

    def __init__(self, variant: Variant, gettext: Gettext, facts: Mapping[str, object] = MappingProxyType({})) -> None:
        super().__init__(facts)
        self.variant = variant
        self.gettext = gettext

    def __missing__(self, key: str) -> str:
        return value_words(self.variant, key, self.gettext)


def told(sentences: Iterable[tuple[str, str]], variant: Variant, gettext: Gettext = str) -> str:
    """What of some sentences a variant makes true, its values filled in; empty if nothing is.

    >>> told([("ace=high", "The ace is {ace}."), ("ace=both", "Two places.")], next(all_variants()))
    'The ace is high only.'
    """
    return _told(sentences, variant, _Words(variant, gettext), gettext)


def _text(rule: Rule, variant: Variant, words: Mapping[str, object], gettext: Gettext) -> str:
    return _told(rule.sentences, variant, words, gettext)


def _told(sentences: Iterable[tuple[str, str]], variant: Variant, words: Mapping[str, object], gettext: Gettext) -> str:
    said = [text for conditions, text in sentences if _holds(conditions, variant)]
    return " ".join(gettext(text).format_map(words) for text in said)


def _holds(conditions: str, variant: Variant) -> bool:
    """Whether all of "key=value key!=value" is so in this variant."""
    for condition in conditions.split():
        key, _, value = condition.partition("=")
        wanted = not key.endswith("!")
        if (_plain(getattr(variant, key.removesuffix("!"))) == value) is not wanted:
            return False
    return True


def _plain(value: Value) -> str:
    """A value as the texts' conditions write it: 40, high, true; none for no limit and for an empty list."""
    return "none" if value in (None, ()) else str(value).lower()


class _Telling(NamedTuple):
    text: str
    cards: str
    keys: tuple[str, ...]
    gettext: Gettext


def _explained(rule: Rule, variant: Variant, telling: _Telling) -> Explained:
    text, cards, keys, gettext = telling
    house = next((key for key in keys if key in variant.house), None)
    own = f"{gettext(meanings()[house].label)}: {value_words(variant, house, gettext)}" if house else None
    stated = _is_stated(rule, keys, variant)
    if text and not stated and not house and rule.chapter:
        text = f"{text} {gettext(NOT_STATED)}"
    ids = (variant.source,) if stated and not house else _elsewhere(rule, keys, variant)
    titles = _wording()["sources"]
    sources = tuple(Source(source, gettext(titles[source])) for source in ids)
    return Explained(rule.slug, gettext(rule.title), text, cards, sources, own)


def _is_stated(rule: Rule, keys: tuple[str, ...], variant: Variant) -> bool:
    """Whether the variant's own source states the rule.

    A rule with values is stated if one of them is. A rule without any is stated if the source is among the
    rule's, unless the source is silent on the values of the rule's whole chapter (South Africa).
    """
    if keys:
        return not variant.stated.isdisjoint(keys)
    around = {key for other in rules().values() if other.chapter == rule.chapter for key in other.keys}
    return variant.source in rule.sources and (not around or not variant.stated.isdisjoint(around))


def _elsewhere(rule: Rule, keys: tuple[str, ...], variant: Variant) -> tuple[str, ...]:
    """The sources that state the rule as it is played here, though the variant's own does not."""
    alike = {
        other.source
        for other in all_variants()
        if keys and other.stated.issuperset(keys) and all(getattr(other, k) == getattr(variant, k) for k in keys)
    }
    return tuple(sorted(alike)) or rule.sources


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its slug: the rules of play in reading order, then those of record keeping."""
    keys = {slug: tuple(group) for slug, group in _keys_by_rule()}
    table = _read("rulebook.toml") | _read("entries.toml")
    return MappingProxyType({slug: _rule(slug, about, keys.get(slug, ())) for slug, about in table.items()})


def _keys_by_rule() -> Iterable[tuple[str, list[str]]]:
    by_rule: dict[str, list[str]] = {}
    for key, meaning in meanings().items():
        by_rule.setdefault(meaning.rule, []).append(key)
    return by_rule.items()


def _rule(slug: str, about: Mapping[str, Any], keys: tuple[str, ...]) -> Rule:
    text = about["text"]
    sentences = (("", text),) if isinstance(text, str) else tuple((said[0], said[1]) for said in text)
    sources = tuple(about.get("sources", ()))
    faults = about.get("fault", {})
    return Rule(slug, about["title"], about.get("chapter", ""), sources, sentences, MappingProxyType(faults), keys)


@cache
def _wording() -> Mapping[str, Any]:
    return _read("wording.toml")


def _read(name: str) -> dict[str, Any]:
    return loads((FOLDER / name).read_text("utf-8"))
