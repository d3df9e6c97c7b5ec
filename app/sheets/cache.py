"""Finished files, and the release that made them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NamedTuple

from app.bootstrap import ROOT

MOST_BYTES = 24 * 1024 * 1024


class Made(NamedTuple):
    """A file ready to send, and the name to save it under."""

    contents: bytes
    name: str


@cache
def release() -> str:
    """A hash of the code, templates and styles that make sheets: another release makes other sheets."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]
