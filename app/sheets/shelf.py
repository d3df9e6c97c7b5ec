"""Sheets made before, kept while there is room, and what tells the sheets of one release from another's."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from app.bootstrap import ROOT

MOST_BYTES = 24 * 1024 * 1024


class Made(NamedTuple):
    """A file ready to be sent, with the name it is saved under."""

    contents: bytes
    name: str


class Shelf:
    """Files by a tag; the ones asked for longest ago make room for new ones."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._kept: OrderedDict[str, Made] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, tag: str) -> Made | None:
        """What was put under a tag, if it is still there."""
        with self._lock:
            if tag in self._kept:
                self._kept.move_to_end(tag)
            return self._kept.get(tag)

    def put(self, tag: str, made: Made) -> None:
        """Keep a file; one larger than a quarter of the shelf is not kept."""
        if len(made.contents) * 4 > self._most:
            return
        with self._lock:
            before = self._kept.pop(tag, None)
            self._held += len(made.contents) - (len(before.contents) if before else 0)
            self._kept[tag] = made
            while self._held > self._most:
                self._held -= len(self._kept.popitem(last=False)[1].contents)


@cache
def release() -> str:
    """Names the code, templates and styles that make the sheets: a sheet of another release is another sheet."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]
