"""Names in any script: in order within sentences, and which fonts this machine lacks to print them.

The fonts are the bundled ones and those fontconfig finds, as the press does. They are read once: after a new one is
installed, this module and the press use it from the next start of the server.
"""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache

from app.history.record import History
from app.settings import ROOT, surroundings

MARK = "\u200e"
"""The left-to-right mark, which is invisible."""
_ASKED = (
    ("fc-list", "--format", "%{charset} "),
    ("fc-query", "--format", "%{charset} ", *map(str, (ROOT / "static/fonts").glob("*.ttf"))),
)
"""Fontconfig's commands, which come with what WeasyPrint needs: the characters of installed and of bundled fonts."""
_DRAWS_NOTHING = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_SELECTORS = range(0xFE00, 0xFE10)
"""Variation selectors, which say how to draw the character before them."""


def readable(history: History) -> History:
    """Return the game with names that keep sentences in order."""
    players = history.game.players.items()
    return history.of(
        replace(history.game, players={seat: replace(each, name=in_sentences(each.name)) for seat, each in players})
    )


def in_sentences(name: str) -> str:
    """Return the name, marked if it runs from right to left, so that the words and numbers around it stay in place.

    >>> in_sentences("Ann"), in_sentences("כהן") == MARK + "כהן" + MARK
    ('Ann', True)
    """
    runs_left = any(unicodedata.bidirectional(char) in ("R", "AL") for char in name)
    return f"{MARK}{name}{MARK}" if runs_left else name


def without_letters(names: Iterable[str]) -> list[str]:
    """Return the names that paper shows with boxes for some letters."""
    return [name for name in names if not all(map(_is_lettered, name))]


def _is_lettered(char: str) -> bool:
    """Return whether some font on this machine can draw a character; also true of invisible ones.

    >>> _is_lettered("Ж"), _is_lettered("\u200d")
    (True, True)
    """
    if char.isascii() or ord(char) in _SELECTORS or unicodedata.category(char) in _DRAWS_NOTHING:
        return True
    return any(ord(char) in chars for chars in _printable())


@cache
def _printable() -> frozenset[range]:
    """Return the characters of all fonts, as ranges; without fontconfig's commands, nothing counts as missing."""
    with suppress(OSError, subprocess.CalledProcessError):
        return frozenset(map(_read_range, " ".join(map(_output, _ASKED)).split()))
    return frozenset({range(0x110000)})


def _output(command: tuple[str, ...]) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True, env=surroundings()).stdout  # noqa: S603 - as written above


def _read_range(written: str) -> range:
    """Return a range of characters as fontconfig writes it: 41-5a or 2660."""
    first, _, last = written.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
