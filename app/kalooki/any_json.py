"""JSON of any shape, kept as it was sent, within a modest size and depth."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps
from typing import Any

from app.kalooki.cards import Malformed
from app.kalooki.readers import Reader

MOST_JSON = 16_000
MOST_LEVELS = 50
"""No claim nests lists and objects nearly this deep; writing one to JSON recurses through every level."""


def is_deeper(raw: object, levels: int) -> bool:
    """Whether lists and objects nest deeper than `levels`; it counts level by level, so no depth overflows the stack.

    >>> is_deeper([{"a": 1}], 2), is_deeper([{"a": []}], 2)
    (False, True)
    """
    level = [raw]
    for _ in range(levels):
        if not level:
            return False
        level = [inner for each in level for inner in _inside(each)]
    return any(isinstance(each, (dict, list)) for each in level)


def _inside(raw: object) -> Iterable[object]:
    if isinstance(raw, dict):
        return raw.values()
    return raw if isinstance(raw, list) else ()


def _size(raw: object) -> int:
    """The size in bytes as JSON; more than any limit if the value cannot be written as JSON."""
    try:
        return len(dumps(raw, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, TypeError):
        return MOST_JSON + 1


def _any_json(raw: object, path: str) -> Any:
    if is_deeper(raw, MOST_LEVELS) or _size(raw) > MOST_JSON:
        raise Malformed("{field}: this is too long or too deep to keep.", path)
    return raw


any_json = Reader(_any_json, {})
"""Any JSON of modest size and depth, unchanged."""
