"""A variant's values in words (from `wording.toml`), and texts that depend on a variant's values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from tomllib import loads
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.conditions import holds, plain
from app.kalooki.variants import Value, Variant, differing_values, house_keys, meanings

_VERDICT = re.compile(r"^(Yes|No): ")
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")
FOLDER = Path(__file__).parent
Sentences = tuple[tuple[str, str], ...]
"""Texts, each after its conditions on the variant's values: ("ace=high limit!=none", "An ace …")."""


def read(name: str) -> dict[str, Any]:
    """Return one of the .toml files next to this module, with typographic apostrophes."""
    return loads((FOLDER / name).read_text("utf-8").replace("'", "’"))


@cache
def wording() -> Mapping[str, Any]:
    """Return the contents of `wording.toml`: units, phrases and words."""
    return MappingProxyType(read("wording.toml"))


@cache
def names(kind: str) -> Mapping[str, Any]:
    """Return the names of one kind from `names.toml`: endings, postings, stakes, changes, pools, colours or entries.

    A name is a string, or a mapping if it has several forms.
    """
    return MappingProxyType(read("names.toml")[kind])


def called(kind: str, name: str, form: str = "") -> str:
    """Return a name in the given form, or in its only form; some forms are empty.

    >>> called("postings", "call-up", "sum"), called("endings", "going_out", "sign"), called("colours", "red")
    ('Call-ups', '', 'Red')
    """
    text: str = names(kind)[name][form] if form else names(kind)[name]
    return text


class Difference(NamedTuple):
    """A value in which a table differs from its variant: key, label, the values of table and variant in words.

    `rule` is the slug of the rule that explains it.
    """

    key: str
    label: str
    own: str
    base: str
    rule: str


def differing(
    table: Variant, base: Variant, amounts: Mapping[str, str] = MappingProxyType({})
) -> tuple[Difference, ...]:
    """Return the values in which a table differs from the variant `base`, unless both read the same.

    `amounts` are the game's stakes by key, as shown in place of units: {"stake_kalooki": "1.00 GBP"}.

    >>> from app.kalooki.variants import load, with_house_rules
    >>> differing(with_house_rules(load("european"), {"limit": None})[0], load("european"))
    (Difference(key='limit', label='Limit', own='no limit', base='150 points', rule='limit'),)
    """
    every = (_differing(key, table, base) for key in house_keys(table))
    differing = (each._replace(own=amounts.get(each.key, each.own)) for each in every)
    return tuple(
        each for each in differing if each.own != each.base or getattr(table, each.key) == getattr(base, each.key)
    )


def all_differences(then: Variant, now: Variant) -> tuple[Difference, ...]:
    """Return all values in which two variants differ, with `then` as the table and `now` as its variant.

    >>> from app.kalooki.variants import load, with_house_rules
    >>> european = load("european")
    >>> [each.key for each in all_differences(with_house_rules(european, {"contracts": [[2, 0]]})[0], european)]
    ['dealt', 'dealt_by', 'contracts', 'game_hands']
    """
    return tuple(_differing(key, then, now) for key in differing_values(then, now))


def _differing(key: str, table: Variant, base: Variant) -> Difference:
    meaning, (own, base_words) = meanings()[key], (_short_words(variant, key) for variant in (table, base))
    if getattr(base, key) is None and key in wording()["glance"].get(meaning.rule, {}).get("values", ()):
        own = glance_words(table, meaning.rule, key)  # includes related values, which are not listed separately
    return Difference(key, meaning.label, own, base_words, meaning.rule)


def _short_words(variant: Variant, key: str) -> str:
    """Return a value in words for a comparison: contracts as numbers of sets and runs, “none” for 0 of a unit."""
    if key != "contracts" or not variant.contracts:
        words = value_words(variant, key)
        return "none" if words.startswith("0 ") else words
    listed = ", ".join(f"{sets}+{runs}" for sets, runs in variant.contracts)
    return str(wording()["contract"]["briefly"]).format_map(Words(variant, {"listed": listed}))


def value_words(variant: Variant, key: str) -> str:
    """Return one of the variant's values in words: “40 points”, “high only”, “no limit”."""
    if key == "dealt" and len({*variant.dealt}) > 1:
        return _dealt_words(variant)
    if key == "contracts" and variant.contracts:
        phrase = wording()["contract"]["hand"]
        every = enumerate(variant.contracts, start=1)
        return ". ".join(phrase.format(n=n, contract=contract_words(variant, *pair)) for n, pair in every)
    if key == "dealt_by" and len({*variant.dealt}) == 1:
        return str(wording()["dealt"]["always"])
    return say(key, getattr(variant, key))


def at_a_glance() -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Return the rules that players look up most, in the order of play, each with the `values` that summarise it."""
    glance: Mapping[str, Mapping[str, Any]] = wording()["glance"]
    return glance.items()


def glance_words(variant: Variant, rule: str, key: str) -> str:
    """Return a value in words for the rules at a glance, with any exception that would reverse it; may be empty.

    >>> from app.kalooki.variants import load
    >>> [glance_words(load(table), "opening-points", "opening_points") for table in ("kalooki-51", "classic")]
    ['51 points; none for a Kalooki', 'no minimum']
    """
    lines = sentences(wording()["glance"][rule]["values"][key])
    return fill_first(Words(variant), (*lines, ("", f"{{{key}}}")))


def say(key: str, value: Value) -> str:
    """Return any possible value of a key in words, such as the choices of a house rule.

    >>> say("opening_points", 51), say("ace", "both"), say("limit", None)
    ('51 points', 'high or low', 'no limit')
    """
    named: str | None = wording()["values"].get(key, {}).get(plain(value)) or wording()["values"]["any"].get(
        plain(value)
    )
    if named is not None:
        return named
    if isinstance(value, tuple):
        return say(key, value[0])
    forms = wording()["units"].get(meanings()[key].unit)
    return forms[value != 1].format(n=value) if forms else str(value)


def in_short(key: str, value: Value) -> str:
    """Return a value in words short enough for a list of choices.

    >>> in_short("run_ends", "high_first"), in_short("ace", "both")
    ('high end first, low end after it', 'high or low')
    """
    named = wording()["short"].get(key, {}).get(plain(value))
    return named or say(key, value)


def contract_words(variant: Variant, sets: int, runs: int) -> str:
    """Return a number of sets and runs in the players' words.

    >>> from app.kalooki.variants import load
    >>> [contract_words(load("jamaican"), *counted) for counted in ((2, 1), (0, 4), (0, 0))]
    ['2 threes + 1 four', '4 fours', 'nothing']
    """
    phrases = wording()["contract"]
    counted = (("set" if sets == 1 else "sets", sets), ("run" if runs == 1 else "runs", runs))
    parts = [phrases[kind].format_map(Words(variant, {"n": n})) for kind, n in counted if n]
    return " + ".join(parts) if parts else phrases["nothing"]


def hand_words(variant: Variant, number: int) -> str:
    """Return the contract of a hand and the cards dealt; empty if the variant has no such contract.

    >>> from app.kalooki.variants import load
    >>> hand_words(load("jamaican"), 2), hand_words(load("jamaican"), 0), hand_words(load("european"), 2)
    ('2 threes + 1 four (10 cards)', '', '')
    """
    contract = variant.contract(number)
    return f"{contract_words(variant, *contract)} ({dealt_in(variant, number)})" if contract else ""


def dealt_in(variant: Variant, hand: int) -> str:
    """Return how many cards are dealt in a hand, in words, for all numbers of players if it depends on them.

    >>> from app.kalooki.variants import load
    >>> dealt_in(load("jamaican"), 5), dealt_in(load("european"), 5)
    ('12 cards', '13 cards')
    """
    if variant.dealt_by == "players":
        return value_words(variant, "dealt")
    return say("dealt", variant.cards_dealt(variant.players_fewest, hand))


def _dealt_words(variant: Variant) -> str:
    phrases: Mapping[str, str] = wording()["dealt"]
    if variant.dealt_by == "contract":
        numbers = ", ".join(map(str, variant.dealt))
        return phrases["contract"].format(n=numbers, last=len(variant.dealt))
    by_cards = groupby(enumerate(variant.dealt, start=2), key=lambda pair: pair[1])
    groups = [(cards, [players for players, _ in group]) for cards, group in by_cards]
    return ", ".join(
        phrases["one" if len(players) == 1 else "several"].format(n=cards, first=players[0], last=players[-1])
        for cards, players in groups
    )


MELDS = ("set", "sets", "Sets", "run", "runs", "Runs")
"""The words for melds that a text can contain as {names}."""


class Words(dict[str, object]):
    """The values of a variant in words by key, computed on demand to fill the {names} of a text.

    {limit_number} is the value without its unit, {pool_winner_percent} the winner's share of the pool. {set}, {runs}
    and the like are the table's words for melds.
    """

    def __init__(self, variant: Variant, facts: Mapping[str, object] = MappingProxyType({})) -> None:
        super().__init__(facts)
        self.variant = variant

    def __missing__(self, key: str) -> str:
        if key in MELDS:
            return str(wording()["melds"][plain(self.variant.has_fours)][key])
        if key == "pool_winner_percent":
            return say("pool_others_percent", 100 - self.variant.pool_others_percent)
        is_stake = key in meanings() and meanings()[key].unit == "stakes"
        if is_stake and self.variant.house and key not in self.variant.house:
            return str(wording()["agreed"])  # a table with house rules has agreed on its stakes
        if key.endswith("_number"):
            return str(getattr(self.variant, key.removesuffix("_number")))
        return value_words(self.variant, key)


def fill(words: Words, sentences: Iterable[tuple[str, str]]) -> str:
    """Return the sentences that apply to a variant, with its values filled in; empty if none applies.

    >>> from app.kalooki.variants import load
    >>> fill(Words(load("european")), [("ace=high", "The ace is {ace}."), ("ace=both", "Two places.")])
    'The ace is high only.'
    """
    variant = words.variant
    return " ".join([text.format_map(words) for needed, text in sentences if holds(needed, variant)])


def fill_first(words: Words, sentences: Iterable[tuple[str, str]]) -> str:
    """Return the first text that applies to a variant, with its values filled in; empty if none applies."""
    for conditions, text in sentences:
        if holds(conditions, words.variant):
            return text.format_map(words) if text else ""
    return ""


def verdict(ruling: str) -> str:
    """Return the Yes or No that a ruling leads with, empty if it has none."""
    match = _VERDICT.match(ruling)
    return match[1] if match else ""


def without_verdict(ruling: str) -> str:
    """Return the sentence of a ruling that is true by itself, without any Yes or No before it.

    >>> without_verdict("No: open first."), without_verdict("Nobody pays.")
    ('Open first.', 'Nobody pays.')
    """
    sentence = _VERDICT.sub("", ruling)
    return sentence[:1].upper() + sentence[1:]


def split_first_sentence(text: str) -> tuple[str, str]:
    """Return the first sentence of a text, and the rest.

    >>> split_first_sentence("No: it goes back. Throw another card.")
    ('No: it goes back.', 'Throw another card.')
    """
    first, *others = _SENTENCE_END.split(text, maxsplit=1)
    return first, "".join(others)


def holding(sentences: Iterable[tuple[str, str]], variant: Variant) -> list[str]:
    """Return the texts that apply to a variant, without filling in its values."""
    return [text for conditions, text in sentences if holds(conditions, variant)]


def sentences(raw: str | list[list[str]]) -> Sentences:
    """Return texts from a .toml file, where they are a single string or a list of [conditions, text] pairs."""
    return (("", raw),) if isinstance(raw, str) else tuple((sentence[0], sentence[1]) for sentence in raw)
