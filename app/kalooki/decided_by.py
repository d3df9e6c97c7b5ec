"""What decided a ruling: the rules broken, and those that the documents dispute or omit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from app.kalooki import claims
from app.kalooki.cards import Card, parse
from app.kalooki.faults import Fault
from app.kalooki.referee.verdict import Verdict
from app.kalooki.rules.rulebook import explain, rule_in_words, rules
from app.kalooki.rules.sources import documented_readings, mark
from app.kalooki.variants import Variant, all_variants


class DecidingRule(NamedTuple):
    """A rule (its slug) that decided, and its standing: source, both, usual or house."""

    rule: str
    standing: str


_BEHIND = {
    "set-or-run": ("one-meld-a-turn",),
    "set-suits": ("ace-in-a-set",),
    "meld-points": ("ace-in-a-set", "low-ace"),
    "building": ("build-same-turn", "build-end-limit", "run-ends", "closed-set"),
    "declaring-a-joker": ("joker-not-declared",),
    "opening-points": ("build-order",),
}
"""Rules that decide together with a rule that a check applies."""


def decided_by(kind: str, raw: Mapping[str, Any], variant: Variant, verdict: Verdict) -> tuple[DecidingRule, ...]:
    """The rules behind a ruling's faults, and those whose other documented reading would turn the ruling.

    `kind` and `raw` are the claim as `claims.check` takes it, `verdict` is the ruling. A legal claim names only rules
    of standing "usual" and "both".
    """
    behind = broken(verdict.faults, variant)
    applied = dict.fromkeys(slug for rule in verdict.rules for slug in (rule, *_BEHIND.get(rule, ())))
    claim = _Claim(kind, raw, variant, verdict)
    doubts = ((slug, _doubt(slug, variant)) for slug in applied)
    turning = (DecidingRule(slug, standing) for slug, standing in doubts if standing and _turns(slug, standing, claim))
    return tuple(dict.fromkeys((*behind, *turning)))


def broken(faults: Iterable[Fault], variant: Variant) -> tuple[DecidingRule, ...]:
    """The rules behind some faults, each once."""
    return tuple(dict.fromkeys(DecidingRule(fault.rule, explain(fault, variant).standing) for fault in faults))


@lru_cache(maxsize=256)
def _doubt(slug: str, variant: Variant) -> str:
    """The standing of a rule that another document, or the same one, may read otherwise; empty for any other rule."""
    rule = rule_in_words(slug, variant)
    return rule.standing if rule.text and rule.standing in ("usual", "both") else ""


class _Claim(NamedTuple):
    kind: str
    raw: Mapping[str, Any]
    variant: Variant
    verdict: Verdict


def _turns(slug: str, standing: str, claim: _Claim) -> bool:
    """Whether another documented reading of a rule would forbid a legal claim, or allow a refused one."""
    if forbids := _WITHOUT_VALUES.get((slug, standing)):
        return claim.verdict.ok and forbids(claim)
    others = _played_otherwise(slug, standing, claim.variant)
    return any(claims.check(claim.kind, claim.raw, other).ok != claim.verdict.ok for other in others)


@lru_cache(maxsize=256)
def _played_otherwise(slug: str, standing: str, variant: Variant) -> tuple[Variant, ...]:
    """The variant as it would be played under each other documented reading of a rule."""
    return tuple(replace(variant, **other) for other in _other_readings(slug, standing, variant))


def _other_readings(slug: str, standing: str, variant: Variant) -> Iterator[dict[str, Any]]:
    """The values under which a document plays the rule: the variant's own or, where that is silent, any other."""
    documented = {of: values for (rule, of), values in documented_readings().items() if rule == slug}
    if standing == "both":
        yield from [dict(documented[variant.id])] if variant.id in documented else []
        return
    keys = rules()[slug].keys
    said = [other for other in all_variants() if mark(slug, other.id).standing == "source"]
    values = [*({key: getattr(other, key) for key in keys} for other in said), *map(dict, documented.values())]
    yield from (other for other in values if any(getattr(variant, key) != value for key, value in other.items()))


def _laid(claim: _Claim) -> list[str]:
    """The new melds of a claim."""
    if claim.kind == "meld":
        return [claim.raw["cards"]]
    return [*(claim.raw.get("melds") or ()), *(step["cards"] for step in _steps(claim, "meld"))]


def _built_on(claim: _Claim) -> list[str]:
    """The melds already on the table that the claim builds on."""
    if claim.kind == "build":
        return [claim.raw["on"]]
    table = [meld["cards"] for meld in claim.raw.get("table") or ()]
    in_steps = [table[step["on"]] for step in _steps(claim, "build") if step["on"] < len(table)]
    return in_steps + [build["on"] for build in claim.raw.get("builds") or ()]


def _steps(claim: _Claim, *do: str) -> list[Mapping[str, Any]]:
    return [step for step in claim.raw.get("steps") or () if step.get("do") in do]


def _is_set_with_joker(cards: Iterable[Card]) -> bool:
    naturals = {card.rank for card in cards if not card.is_joker}
    return len(naturals) == 1 and any(card.is_joker for card in cards)


def _is_set_of_aces(cards: Iterable[Card]) -> bool:
    """Whether the cards are all aces: at least two, because one ace beside jokers may end a run."""
    naturals = [card.rank for card in cards if not card.is_joker]
    return len(naturals) > 1 and set(naturals) == {"A"}


_WITHOUT_VALUES: Mapping[tuple[str, str], Callable[[_Claim], bool]] = {
    # more than one new meld
    ("one-meld-a-turn", "both"): lambda claim: len(_laid(claim)) > 1,
    # a build on a set that was already on the table with a joker
    ("closed-set", "both"): lambda claim: any(_is_set_with_joker(parse(cards)) for cards in _built_on(claim)),
    # a set of aces, new or built on
    ("ace-in-a-set", "both"): lambda claim: any(map(_is_set_of_aces, map(parse, (*_laid(claim), *_built_on(claim))))),
    # a build before the first meld, in the turn of the opening
    ("build-order", "both"): lambda claim: [step["do"] for step in _steps(claim, "meld", "build")][:1] == ["build"],
    # a claim that is legal only because nobody declared a joker
    ("joker-not-declared", "usual"): lambda claim: "declaring-a-joker" in {odd.rule for odd in claim.verdict.warnings},
}
"""Rules whose other reading is not a value: the standing that has such a reading, and what it forbids."""
