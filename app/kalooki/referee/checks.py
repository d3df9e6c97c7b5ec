"""Rulings on single melds and on whole decks.

Every check takes cards and a variant (with the table's house rules) and returns a Verdict. Broken rules never raise
exceptions. Builds, jokers, turns and openings have their own modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.kalooki.cards import Card
from app.kalooki.referee.meld_faults import kind_faults, likely_kind
from app.kalooki.referee.melds import Laid, is_meld, read
from app.kalooki.referee.verdict import Verdict, meld_rules, pack_faults, question, rules_applied
from app.kalooki.variants import Variant, all_variants


def check_meld(cards: Sequence[Card], variant: Variant) -> Verdict:
    """Return the ruling on whether the cards, in any order, are one legal meld.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> verdict = check_meld(parse("6H 7H *"), load("european"))
    >>> verdict.ok, [str(meld) for meld in verdict.readings], verdict.ask.choices
    (True, ['6H 7H *=8H', '*=5H 6H 7H'], ('5H', '8H'))
    """
    bag = Laid.of(cards)
    over = pack_faults(cards, variant)
    readings = read(bag, variant)
    kind = readings[0].kind if readings else likely_kind(bag)
    faults = over if readings else (*kind_faults(kind, bag, variant), *over)
    legal = () if over else readings
    choice = question(cards, legal)
    rules = (*meld_rules(kind, bag, variant), "more-than-the-pack", *(("declaring-a-joker",) if choice else ()))
    return Verdict(faults=faults, rules=rules_applied(rules, faults), readings=legal, ask=choice)


def legal_in(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the ids of all variants, without house rules, in which the cards are a legal meld, in menu order."""
    bag = Laid.of(cards)
    return tuple(variant.id for variant in all_variants() if is_meld(bag, variant) and not pack_faults(cards, variant))


def check_deck(holdings: Iterable[Sequence[Card]], variant: Variant) -> Verdict:
    """Return the ruling on whether all hands and melds of one deal fit in the packs; suits may be unknown."""
    faults = pack_faults((card for cards in holdings for card in cards), variant)
    return Verdict(faults=faults, rules=("more-than-the-pack",))
