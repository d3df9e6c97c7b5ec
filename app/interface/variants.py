"""Variants as plain JSON: the menu, one variant's values and rules, and how two differ."""

from __future__ import annotations

from typing import Any

from app.i18n import gettext
from app.kalooki.rules.rulebook import Explained, rules_of
from app.kalooki.rules.wording import value_words
from app.kalooki.variants import Meaning, Variant, all_variants, house_range, meanings


def menu() -> list[dict[str, str]]:
    """Every variant in the order of the menus."""
    return [
        {"id": each.id, "name": gettext(each.name), "summary": gettext(each.summary), "source": each.source}
        for each in all_variants()
    ]


def variant_json(variant: Variant) -> dict[str, Any]:
    """One variant: every value with its meaning, and the rules that apply, in reading order."""
    told = [rule for chapter in rules_of(variant, gettext) for rule in chapter.rules]
    return {
        "id": variant.id,
        "name": gettext(variant.name),
        "summary": gettext(variant.summary),
        "source": variant.source,
        "values": {key: _value(variant, meaning) for key, meaning in meanings().items()},
        "rules": [_rule(rule) for rule in told],
    }


def differences(a: Variant, b: Variant) -> list[str]:
    """The keys of the values two variants play differently, in the order of `values.toml`."""
    return [key for key in meanings() if getattr(a, key) != getattr(b, key)]


def comparison(a: Variant, b: Variant) -> dict[str, Any]:
    """The values two variants play differently: for each, what both play, as a value and in words."""
    return {
        "a": a.id,
        "b": b.id,
        "values": {
            key: _meaning(meanings()[key]) | {"a": _played(a, key), "b": _played(b, key)} for key in differences(a, b)
        },
    }


def _meaning(meaning: Meaning) -> dict[str, Any]:
    return {"label": gettext(meaning.label), "unit": meaning.unit, "rule": meaning.rule}


def _played(variant: Variant, key: str) -> dict[str, Any]:
    return {
        "value": variant.plain[key],
        "words": value_words(variant, key, gettext),
        "stated": key in variant.stated,
    }


def _value(variant: Variant, meaning: Meaning) -> dict[str, Any]:
    house = house_range(variant, meaning.key)
    return _meaning(meaning) | _played(variant, meaning.key) | {"house": dict(house) if house else None}


def _rule(told: Explained) -> dict[str, Any]:
    sources = [source._asdict() for source in told.sources]
    return {
        "rule": told.rule,
        "title": told.title,
        "text": told.in_full,
        "standing": told.standing,
        "sources": sources,
    }
