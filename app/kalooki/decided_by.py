"""Judged claims in words, and what decided them: broken rules, and rules that the documents dispute or omit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from app.kalooki.cards import Card
from app.kalooki.claims import BuildClaim, Cards, Claim, CountClaim, JokerClaim, MeldClaim, SolveClaim, judge
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import Laid, Meld, Verdict, find_readings, lies_as, points
from app.kalooki.referee.turn import OnTable, Step, TurnClaim, TurnVerdict, brief_turn
from app.kalooki.rules.rulebook import Explained, documented_values, explain, mark, rule_in_words, rules
from app.kalooki.variants import Variant, all_variants


class DecidingRule(NamedTuple):
    """The slug of a rule that decided, and its standing ("source", "both", "usual" or "house")."""

    rule: str
    standing: str


class MeldReading(NamedTuple):
    """A legal reading of some cards and its points."""

    meld: Meld
    points: int


class Order(NamedTuple):
    """The readings that make a meld legal, which lies in another order; it is new, or was on the table before."""

    readings: tuple[Meld, ...]
    is_new: bool


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, the variant by which it was judged, and the verdict; `odd` are warnings besides the verdict's own."""

    claim: Claim
    variant: Variant
    verdict: Verdict
    odd: tuple[Fault, ...] = ()

    @cached_property
    def decided_by(self) -> tuple[DecidingRule, ...]:
        """The rules broken, and those of which another documented reading would reverse the ruling.

        For a legal claim, these all have the standing "usual" or "both". Questions about points or the best lay-down
        are decided by broken rules only.
        """
        behind = broken_rules(self.verdict.faults, self.variant)
        if isinstance(self.claim, CountClaim | SolveClaim):
            return behind
        applied = dict.fromkeys(slug for rule in self.verdict.rules for slug in (rule, *_RELATED_RULES.get(rule, ())))
        doubtful = ((slug, _doubtful_standing(slug, self.variant)) for slug in applied)
        reversing = (
            DecidingRule(slug, standing)
            for slug, standing in doubtful
            if standing and _would_reverse(slug, standing, self)
        )
        return tuple(dict.fromkeys((*behind, *reversing)))

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """The melds of a legal claim that are legal only in another order: read as they lie, it would not be legal."""
        turn = _turn(self.claim)
        new = dict.fromkeys(step.cards for step in turn.steps if step.do == "meld")
        old = (step.on for step in turn.steps if step.do in ("build", "free_joker") and step.on < len(turn.table))
        orders = []
        for cards in dict.fromkeys([*new, *(turn.table[on].cards for on in old)]) if self.verdict.ok else ():
            read = [*find_readings(Laid.of(cards), self.variant)]
            if not all(lies_as(cards, meld) for meld in read):
                legal = [meld for meld in read if judge(_declare(self.claim, cards, meld), self.variant).ok]
                if legal and not any(lies_as(cards, meld) for meld in legal):
                    orders.append(Order(tuple(legal), cards in new))
        return tuple(orders)

    @cached_property
    def faults(self) -> list[Explained]:
        return [explain(fault, self.variant) for fault in self.verdict.faults]

    @cached_property
    def warnings(self) -> list[str]:
        return [explain(fault, self.variant).text for fault in (*self.odd, *self.verdict.warnings)]

    @property
    def readings(self) -> list[MeldReading]:
        return [MeldReading(meld, points(meld, self.variant)) for meld in self.verdict.readings]

    @property
    def why(self) -> str | None:
        """The reason for the ending of the hand, if a turn ends it."""
        why = self.verdict.why if isinstance(self.verdict, TurnVerdict) else None
        return explain(why, self.variant).text if why else None


_RELATED_RULES = {
    "set-or-run": ("one-meld-a-turn",),
    "set-suits": ("ace-in-a-set",),
    "meld-points": ("ace-in-a-set", "low-ace"),
    "building": ("build-same-turn", "build-end-limit", "run-ends", "closed-set"),
    "declaring-a-joker": ("joker-not-declared",),
    "opening-points": ("build-order",),
}
"""By rule, further rules that decide whenever a check applies it."""


def broken_rules(faults: Iterable[Fault], variant: Variant) -> tuple[DecidingRule, ...]:
    """Return the rules of these faults, each once, with their standing."""
    return tuple(dict.fromkeys(DecidingRule(fault.rule, explain(fault, variant).standing) for fault in faults))


@lru_cache(maxsize=256)
def _doubtful_standing(slug: str, variant: Variant) -> str:
    """Return the standing of a rule if it is "usual" or "both", so that documents may read it differently, else ""."""
    rule = rule_in_words(slug, variant)
    return rule.standing if rule.text and rule.standing in ("usual", "both") else ""


def _would_reverse(slug: str, standing: str, judged: JudgedClaim) -> bool:
    """Return whether another documented reading of a rule would forbid a legal claim or allow a refused one."""
    if forbids := _OTHER_READING_FORBIDS.get((slug, standing)):
        return judged.verdict.ok and forbids(judged)
    others = _alternative_variants(slug, standing, judged.variant)
    return any(judge(judged.claim, other).ok != judged.verdict.ok for other in others)


@lru_cache(maxsize=256)
def _alternative_variants(slug: str, standing: str, variant: Variant) -> tuple[Variant, ...]:
    """Return the variant under each other documented reading of a rule.

    These are the readings of the variant's own document or, if it is silent, of all others.
    """
    documented = {of: dict(values) for (rule, of), values in documented_values().items() if rule == slug}
    if standing == "both":
        others = [documented[variant.id]] if variant.id in documented else []
    else:
        stating = [other for other in all_variants() if mark(slug, other.id).standing == "source"]
        stated = [{key: getattr(other, key) for key in rules()[slug].keys} for other in stating]
        others = [
            values
            for values in (*stated, *documented.values())
            if any(getattr(variant, key) != value for key, value in values.items())
        ]
    return tuple(replace(variant, **values) for values in others)


def _turn(claim: Claim) -> TurnClaim:
    """Return the melds and builds of a claim as a turn, which is empty if the claim has none."""
    if isinstance(claim, TurnClaim):
        return claim
    if isinstance(claim, MeldClaim):
        return brief_turn([claim.cards], ())
    if isinstance(claim, BuildClaim):
        return brief_turn((), [(claim.on, claim.cards)])
    if isinstance(claim, JokerClaim):
        return TurnClaim(hand=claim.give, table=(OnTable(claim.on),), steps=(Step("free_joker", claim.give),))
    return brief_turn(getattr(claim, "melds", ()), getattr(claim, "builds", ()))


def _steps(claim: Claim, *do: str) -> list[Step]:
    return [step for step in _turn(claim).steps if step.do in do]


def _melds_laid(claim: Claim) -> list[Cards]:
    """Return the new melds of a claim."""
    return [step.cards for step in _steps(claim, "meld")]


def _built_on(claim: Claim) -> list[Cards]:
    """Return the melds already on the table that the claim builds on."""
    table = [meld.cards for meld in _turn(claim).table]
    return [table[step.on] for step in _steps(claim, "build") if step.on < len(table)]


def _declare(claim: Any, cards: Cards, meld: Meld) -> Claim:
    """Return the claim with these cards read as `meld`, in whichever order it names them."""
    changed: Claim = replace(claim, **{name: _read_as(part, cards, meld) for name, part in vars(claim).items()})
    return changed


def _read_as(part: Any, cards: Cards, meld: Meld) -> Any:
    if not isinstance(part, tuple) or isinstance(part, Card):
        return part
    if Counter(part) == Counter(cards):
        return meld.cards
    parts = [_read_as(each, cards, meld) for each in part]
    return type(part)(*parts) if hasattr(part, "_fields") else tuple(parts)


def _is_set_with_joker(cards: Iterable[Card]) -> bool:
    naturals = {card.rank for card in cards if not card.is_joker}
    return len(naturals) == 1 and any(card.is_joker for card in cards)


def _is_set_of_aces(cards: Iterable[Card]) -> bool:
    """Return whether the naturals are all aces, at least two: one ace with jokers may be the end of a run."""
    naturals = [card.rank for card in cards if not card.is_joker]
    return len(naturals) > 1 and set(naturals) == {"A"}


_OTHER_READING_FORBIDS: Mapping[tuple[str, str], Callable[[JudgedClaim], bool]] = {
    # more than one new meld
    ("one-meld-a-turn", "both"): lambda judged: len(_melds_laid(judged.claim)) > 1,
    # a build on a set that was already on the table with a joker
    ("closed-set", "both"): lambda judged: any(map(_is_set_with_joker, _built_on(judged.claim))),
    # a set of aces, new or built on
    ("ace-in-a-set", "both"): lambda judged: any(
        map(_is_set_of_aces, (*_melds_laid(judged.claim), *_built_on(judged.claim)))
    ),
    # a build before the first meld, in the turn of the opening
    ("build-order", "both"): lambda judged: (
        [step.do for step in _steps(judged.claim, "meld", "build")][:1] == ["build"]
    ),
    # a claim that is legal only because nobody declared a joker
    ("joker-not-declared", "usual"): lambda judged: (
        "declaring-a-joker" in {odd.rule for odd in judged.verdict.warnings}
    ),
}
"""By rule and standing: what another reading of the rule would forbid, if that reading is not a value."""
