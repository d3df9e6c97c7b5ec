"""Conditions on the values of a variant, as the .toml files write them: "ace=high limit!=none"."""

from __future__ import annotations

from functools import cache
from typing import Any

AnyVariant = Any
"""A Variant. Importing the class would be circular: its module reads tables that have conditions."""


def holds(conditions: str, variant: AnyVariant) -> bool:
    """Return whether every condition ("key=value key!=value") is true for this variant."""
    # a loop is faster than all(), and one page calls this hundreds of times
    for key, value, must_equal in parse_conditions(conditions):
        if (plain(getattr(variant, key)) == value) is not must_equal:
            return False
    return True


@cache
def parse_conditions(conditions: str) -> tuple[tuple[str, str, bool], ...]:
    """Return each condition as (key, value, whether they must be equal)."""
    parts = (condition.partition("=") for condition in conditions.split())
    return tuple((key.removesuffix("!"), value, not key.endswith("!")) for key, _, value in parts)


def plain(value: object) -> str:
    """Return a value as conditions write it: `40`, `high`, `true`, or `none` for None and the empty tuple."""
    return "none" if value in (None, ()) else str(value).lower()
