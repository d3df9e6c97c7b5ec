"""What decided a ruling: the rules it breaks or, for a legal claim, those that the documents dispute or omit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from app.kalooki import claims
from app.kalooki.cards import Card, parse
from app.kalooki.faults import Fault
from app.kalooki.referee.verdict import Verdict
from app.kalooki.rules.rulebook import explain, rule_in_words, rules
from app.kalooki.rules.sources import mark, readings
from app.kalooki.variants import Variant, all_variants


class Decider(NamedTuple):
    """A rule (its slug) that decided, and how it stands: source, both, usual or house."""

    rule: str
    standing: str


_BEHIND = {
    "set-or-run": ("one-meld-a-turn",),
    "set-suits": ("ace-in-a-set",),
    "meld-points": ("ace-in-a-set", "low-ace"),
    "building": ("build-same-turn", "build-end-limit", "run-ends", "closed-set"),
    "declaring-a-joker": ("joker-not-declared",),
}
"""Rules that decide along with one that a check applies."""


def decided_by(kind: str, raw: Mapping[str, Any], variant: Variant, verdict: Verdict) -> tuple[Decider, ...]:
    """The rules of a ruling's faults; of a legal claim, the rules whose other documented reading would forbid it.

    `kind` and `raw` are the claim as `claims.check` takes it, `verdict` is the ruling. Of a legal claim only rules of
    standing "usual" and "both" are named.
    """
    if verdict.faults:
        return broken(verdict.faults, variant)
    applied = dict.fromkeys(slug for rule in verdict.rules for slug in (rule, *_BEHIND.get(rule, ())))
    told = (rule_in_words(slug, variant) for slug in applied)
    open_to_doubt = [rule for rule in told if rule.text and rule.standing in ("usual", "both")]
    claim = _Claim(kind, raw, variant, verdict)
    return tuple(Decider(rule.rule, rule.standing) for rule in open_to_doubt if _turns(rule.rule, rule.standing, claim))


def broken(faults: Iterable[Fault], variant: Variant) -> tuple[Decider, ...]:
    """The rules of some faults, each once."""
    return tuple(dict.fromkeys(Decider(fault.rule, explain(fault, variant).standing) for fault in faults))


class _Claim(NamedTuple):
    kind: str
    raw: Mapping[str, Any]
    variant: Variant
    verdict: Verdict


def _turns(slug: str, standing: str, claim: _Claim) -> bool:
    """Whether another documented reading of a rule would forbid a legal claim."""
    if slug in _WITHOUT_VALUES and standing == _WITHOUT_VALUES[slug].standing:
        return _WITHOUT_VALUES[slug].forbids(claim)
    others = _other_readings(slug, standing, claim.variant)
    return any(not claims.check(claim.kind, claim.raw, replace(claim.variant, **other)).ok for other in others)


def _other_readings(slug: str, standing: str, variant: Variant) -> Iterator[dict[str, Any]]:
    """The values by which a document would have the rule played: the variant's own, or where it is silent any other."""
    told = readings().get(slug, {})
    if standing == "both":
        yield from [dict(told[variant.id])] if variant.id in told else []
        return
    keys = rules()[slug].keys
    said = [other for other in all_variants() if mark(slug, other.id).standing == "source"]
    values = [*({key: getattr(other, key) for key in keys} for other in said), *map(dict, told.values())]
    yield from (other for other in values if any(getattr(variant, key) != value for key, value in other.items()))


def _several_melds(claim: _Claim) -> bool:
    """Whether more than one new meld was laid in the turn."""
    return len(_laid(claim)) > 1


def _built_on_a_jokers_set(claim: _Claim) -> bool:
    """Whether a card was built on a set with a joker that lay on the table before."""
    return any(_is_set_with_joker(parse(cards)) for cards in _built_on(claim))


def _aces_in_a_set(claim: _Claim) -> bool:
    """Whether a set of aces was laid, or lay there and was built on."""
    return any(_is_set_of_aces(parse(cards)) for cards in (*_laid(claim), *_built_on(claim)))


def _something_unsaid(claim: _Claim) -> bool:
    """Whether the claim is legal only because nobody said what a joker is."""
    return any(warning.rule == "declaring-a-joker" for warning in claim.verdict.warnings)


def _laid(claim: _Claim) -> list[str]:
    """The new melds of a claim."""
    if claim.kind == "meld":
        return [claim.raw["cards"]]
    return [*(claim.raw.get("melds") or ()), *(step["cards"] for step in _steps(claim, "meld"))]


def _built_on(claim: _Claim) -> list[str]:
    """The melds that lay on the table before and were built on."""
    if claim.kind == "build":
        return [claim.raw["on"]]
    table = [meld["cards"] for meld in claim.raw.get("table") or ()]
    in_steps = [table[step["on"]] for step in _steps(claim, "build") if step["on"] < len(table)]
    return in_steps + [build["on"] for build in claim.raw.get("builds") or ()]


def _steps(claim: _Claim, do: str) -> list[Mapping[str, Any]]:
    return [step for step in claim.raw.get("steps") or () if step.get("do") == do]


def _is_set_with_joker(cards: Iterable[Card]) -> bool:
    naturals = {card.rank for card in cards if not card.is_joker}
    return len(naturals) == 1 and any(card.is_joker for card in cards)


def _is_set_of_aces(cards: Iterable[Card]) -> bool:
    """Whether nothing but aces lies there: two of them at least, since one beside jokers may end a run."""
    naturals = [card.rank for card in cards if not card.is_joker]
    return len(naturals) > 1 and set(naturals) == {"A"}


class _Unvalued(NamedTuple):
    standing: str
    forbids: Callable[[_Claim], bool]


_WITHOUT_VALUES: Mapping[str, _Unvalued] = {
    "one-meld-a-turn": _Unvalued("both", _several_melds),
    "closed-set": _Unvalued("both", _built_on_a_jokers_set),
    "ace-in-a-set": _Unvalued("both", _aces_in_a_set),
    "joker-not-declared": _Unvalued("usual", _something_unsaid),
}
"""Rules whose other reading no value holds: the standing under which there is one, and what it forbids."""
