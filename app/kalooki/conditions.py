"""Conditions on the values of a variant, as texts and tables write them: "ace=high limit!=none"."""

from __future__ import annotations

from functools import cache
from typing import Any

AnyVariant = Any
"""A variant, whose class is defined in a module that reads tables with conditions."""


def holds(conditions: str, variant: AnyVariant) -> bool:
    """Whether all of "key=value key!=value" is true of this variant."""
    for key, value, wanted in parsed(conditions):  # noqa: SIM110 - asked some hundred times for a page
        if (plain(getattr(variant, key)) == value) is not wanted:
            return False
    return True


@cache
def parsed(conditions: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the key and value of each condition, and whether it must be so or must not."""
    parts = (condition.partition("=") for condition in conditions.split())
    return tuple((key.removesuffix("!"), value, not key.endswith("!")) for key, _, value in parts)


def plain(value: object) -> str:
    """Return a value as conditions write it: 40, high, true; none for no limit and for an empty list."""
    return "none" if value in (None, ()) else str(value).lower()
