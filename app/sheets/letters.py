"""The width of texts in the bundled fonts, so that a sheet knows its lines before it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import count, takewhile
from math import ceil

from PIL import ImageFont

from app.settings import ROOT

POINT = 25.4 / 72
"""A point of print in millimetres."""
_FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_FINE = 1000
_FULL_WIDTH = 0x1100
"""From this code point on, characters come from other fonts and count as wide as they are high."""


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ROOT / "static" / "fonts" / _FILES[bold], _FINE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(8192)
def ems(text: str, bold: bool = False) -> float:
    """Return the width of a text, as a multiple of its type size.

    >>> round(ems("1234"), 2), ems("日本")
    (2.54, 2.0)
    """
    foreign = sum(ord(sign) >= _FULL_WIDTH and not 0x2000 <= ord(sign) < 0x2800 for sign in text)
    own = "".join(sign for sign in text if ord(sign) < _FULL_WIDTH or 0x2000 <= ord(sign) < 0x2800)
    return foreign + _font(bold).getlength(own) / _FINE


def width(text: str, points: float, *, bold: bool = False) -> float:
    """Return the width of a text in millimetres at a type size of `points`."""
    return ems(text, bold) * points * POINT


def lines(text: str, points: float, room: float, *, bold: bool = False) -> int:
    """Return the number of lines a text takes in a column of `room` millimetres; a word too long for a line is broken.

    >>> lines("Dan pays Ann", 10, 100), lines("Dan pays Ann", 10, 18), lines("", 10, 18)
    (1, 2, 1)
    """
    free, line_count = room, 1
    space = width(" ", points, bold=bold)
    for word in text.split():
        wide = width(word, points, bold=bold)
        if wide <= free:
            free -= wide + space
            continue
        over = ceil(wide / room) - 1
        line_count += over + (free < room)
        free = room - (wide - over * room) - space
    return line_count


def widest(texts: Iterable[str], *, bold: bool = False) -> float:
    """Return the width of the longest of some texts, as a multiple of its type size; 0 without any."""
    return max((ems(text, bold) for text in texts), default=0)


def smaller(largest: float, smallest: float, step: float) -> Iterator[float]:
    """Return type sizes from the largest down, all larger than the smallest."""
    return takewhile(lambda size: size > smallest, count(largest, -step))


def breakable(name: str) -> str:
    """Return a name with a space wherever a line may break.

    >>> breakable("Jean-Baptiste de Mol")
    'Jean- Baptiste de Mol'
    """
    return name.replace("-", "- ")


def longest_word(texts: Iterable[str]) -> float:
    """Return the width of the longest part of bold texts that no line can break, as a multiple of its type size."""
    return max((ems(word, bold=True) for text in texts for word in breakable(text).split()), default=1)


def shortened(text: str, points: float, room: float) -> str:
    """Return as many words of the text as fit into one line, with an ellipsis for the rest.

    >>> shortened("the stock ran out twice", 9, 100), shortened("the stock ran out twice", 9, 20)
    ('the stock ran out twice', 'the stock …')
    """
    if width(text, points) <= room:
        return text
    words = text.split()
    while len(words) > 1 and width(" ".join([*words, "…"]), points) > room:
        words.pop()
    short = " ".join(words)
    while len(short) > 1 and width(f"{short} …", points) > room:
        short = short[:-1]
    return f"{short} …"
