"""Matrices: each value stands for itself in every run, all combinations are tried in the long one."""

from itertools import product

import pytest


def matrix(*columns, count=None):
    """Every combination of a value of each column; all but a diagonal are left to the long run.

    The diagonal has every value of the longest column, and of the others as far as they go; `count` makes it shorter.

    >>> [each.id for each in matrix(["a4", "letter"], [2, 4, 6]) if not each.marks]
    ['a4-2', 'a4-6', 'letter-4']
    """
    diagonal = {tuple(place % len(column) for column in columns) for place in range(count or max(map(len, columns)))}
    return [
        pytest.param(
            *(column[at] for column, at in zip(columns, places, strict=True)),
            marks=() if places in diagonal else pytest.mark.long,
            id="-".join(named(column[at]) for column, at in zip(columns, places, strict=True)),
        )
        for places in product(*(range(len(column)) for column in columns))
    ]


def some(values, *here):
    """Each value; all but those `here` are left to the long run.

    >>> [each.id for each in some([2, 3, 4], 2, 4) if not each.marks]
    ['2', '4']
    """
    return [
        pytest.param(
            *(each if isinstance(each, tuple) else [each]),
            marks=() if each in here else pytest.mark.long,
            id=named(each[0] if isinstance(each, tuple) else each),
        )
        for each in values
    ]


def named(value):
    """What a value is called in the name of a test."""
    if isinstance(value, dict):
        return " ".join(f"{key}={each}" for key, each in value.items()) or "as usual"
    return str(getattr(value, "id", getattr(value, "stem", value)))
