"""Sheets as they are sent and kept, and what tells the sheets of one release from another's."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NamedTuple

from app.bootstrap import ROOT

MOST_BYTES = 24 * 1024 * 1024


class Made(NamedTuple):
    """A file ready to be sent, with the name it is saved under."""

    contents: bytes
    name: str


@cache
def release() -> str:
    """Names the code, templates and styles that make the sheets: a sheet of another release is another sheet."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]
