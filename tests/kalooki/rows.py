"""Rows of tests that only have values in them: `rows/*.toml` has those of a test under its name."""

from collections.abc import Mapping, Set
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


def plain(value):
    """Return a value as the files have it: seats as text, lists for everything in a row."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Set):
        return sorted(value)
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def inside(value, parts):
    """Return what stands in a value under names and places one after the other, "*" for each."""
    for place, part in enumerate(parts):
        if part == "*":
            return [
                inside(each, parts[place + 1 :]) for each in (value.values() if hasattr(value, "values") else value)
            ]
        if part in ("len", "keys"):
            value = len(value) if part == "len" else list(value)
        elif part.isdigit():
            value = value[int(part)]
        else:
            value = value[part] if isinstance(value, Mapping) else getattr(value, part)
    return value
