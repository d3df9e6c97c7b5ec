"""Helpers for tests of single rules and rulings."""

from app.kalooki.claims import check
from app.kalooki.rules.wording import read
from app.kalooki.variants import all_variants, load, with_house_rules

WITH_A_DOCUMENT = [variant for variant in all_variants() if variant.source in read("sources.toml")["documents"]]
"""The variants that have one of our documents as their source."""


def table(variant="european", **house):
    return with_house_rules(load(variant), house)[0]


def broken(kind, variant=None, **claim):
    """Return the slugs of the rules that a claim breaks, in alphabetical order."""
    return sorted({fault.rule for fault in check(kind, claim, variant or table()).faults})


def steps_of(*steps):
    """Return the steps of a turn, written as "draw stock 7H", "build 0 QD", "discard 2C"."""
    return [step_of(step) for step in steps]


def step_of(words):
    do, *rest = words.split(" ", 2)
    if do == "draw":
        return {"do": do, "from": rest[0], "card": rest[1]}
    if do in ("build", "free_joker"):
        return {"do": do, "on": int(rest[0]), "cards" if do == "build" else "give": rest[1]}
    return {"do": do, "card" if do == "discard" else "cards": " ".join(rest)}
