"""The hash chain of a log: each entry's hash covers the entry before it, and the game stores that of its newest.

It reveals entries changed, swapped, moved or removed behind the app's back. It cannot stop somebody from recomputing
the whole chain: it is not a signature.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

LINKED = ("seq", "submission", "data", "actor", "at")
"""The columns of an entry that its hash covers, in this order."""


def first_link(game_id: int, created_at: str) -> str:
    """The hash the first entry of a game links to."""
    return _hashed(game_id, created_at)


def link(before: str, row: Mapping[str, object]) -> str:
    """The hash of an entry after the one whose hash is `before`.

    >>> row = {"seq": 1, "submission": "a", "data": "{}", "actor": "Ann", "at": "2025-12-31T20:15:00Z"}
    >>> link("x", row) == link("x", dict(row)), link("x", row) == link("x", row | {"actor": "Ben"})
    (True, False)
    """
    return _hashed(before, *(row[name] for name in LINKED))


def linked(before: str, rows: Iterable[Mapping[str, object]]) -> Iterator[dict[str, object]]:
    """Consecutive entries, each with its `hash`."""
    for row in rows:
        before = link(before, row)
        yield {**row, "hash": before}


def breaks(game_id: int, created_at: str, head: str, rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """What is wrong with the chain of one game, in words; `rows` are its entries by number.

    After a break it resumes where the chain is whole again, so it names each damaged entry and no other.
    """
    before, expected = first_link(game_id, created_at), 1
    for row in rows:
        seq, kept = row["seq"], str(row["hash"])
        if seq != expected:
            yield f"missing before entry {seq}"
        elif link(before, row) != kept:
            yield f"entry {seq} is not what was recorded here"
        before, expected = kept, int(str(seq)) + 1
    if expected == 1:
        yield "no entries"
    elif before != head:
        yield f"missing after entry {expected - 1}, or it is another than was recorded last"


def _hashed(*parts: object) -> str:
    return sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
