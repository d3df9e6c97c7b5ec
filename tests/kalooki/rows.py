"""Rows of tests that only have values in them: `rows/*.toml` has those of a test under its name."""

from functools import cache
from pathlib import Path
from tomllib import loads


@cache
def read(file):
    return loads((Path(__file__).parent / "rows" / f"{file}.toml").read_text("utf-8"))


def rows(file, name):
    """Return the rows of a test."""
    return [without_null(row) for row in read(file)[name]]


def without_null(value):
    """Return a value of a file with None for every "null", which TOML has not."""
    if isinstance(value, dict):
        return {key: without_null(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_null(inner) for inner in value]
    return None if value == "null" else value
