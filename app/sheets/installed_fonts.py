"""Which characters this machine can print: with the bundled fonts, and those fontconfig finds, as the press does.

Fonts are read once. After a new one is installed, this module and the press use it from the next start of the server.
"""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from app.bootstrap import ROOT
from app.config import surroundings

_ASKED = (
    ("fc-list", "--format", "%{charset} "),
    ("fc-query", "--format", "%{charset} ", *map(str, (ROOT / "static/fonts").glob("*.ttf"))),
)
"""Fontconfig's commands, which come with what WeasyPrint needs: the characters of installed and of bundled fonts."""
_DRAWS_NOTHING = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_SELECTORS = range(0xFE00, 0xFE10)
"""Variation selectors, which say how to draw the character before them."""
_EVERYTHING = frozenset({range(0x110000)})


@lru_cache(4096)
def is_lettered(sign: str) -> bool:
    """Whether some font on this machine can draw a character; also true of invisible ones.

    >>> is_lettered("Ж"), is_lettered("\u200d")
    (True, True)
    """
    if ord(sign) in _SELECTORS or unicodedata.category(sign) in _DRAWS_NOTHING:
        return True
    return any(ord(sign) in signs for signs in _lettered())


def unlettered(texts: Iterable[str]) -> frozenset[str]:
    """The characters in some texts that would be printed as boxes."""
    return frozenset(sign for sign in set("".join(texts)) if not (sign.isascii() or is_lettered(sign)))


@cache
def _lettered() -> frozenset[range]:
    """The characters of all fonts, as ranges; without fontconfig's commands, nothing counts as missing."""
    try:
        told = [_output(command) for command in _ASKED]
    except (OSError, subprocess.CalledProcessError):
        return _EVERYTHING
    return frozenset(map(_signs, " ".join(told).split()))


def _output(command: tuple[str, ...]) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True, env=surroundings()).stdout  # noqa: S603 - as written above


def _signs(written: str) -> range:
    """A range of characters as fontconfig writes it: 41-5a or 2660."""
    first, _, last = written.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
