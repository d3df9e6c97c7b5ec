"""Paper: its sizes, and names in any script on it."""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from app.history.record import History
from app.kalooki.cards import BadInput
from app.settings import ROOT, child_environment

POINT = 25.4 / 72
"""A point of print in millimetres."""
CHARACTER, SPACE = 0.68, 0.32
"""About the widths of a character and of a space, as multiples of their type size."""


class Paper(NamedTuple):
    """A page: its sides and margin in millimetres, and the smallest type size in points for its sheets."""

    id: str
    width: int
    height: int
    margin: int
    least: float

    @property
    def size(self) -> str:
        """The size of the page in CSS."""
        return _INCHES.get((self.width, self.height), f"{self.width}mm {self.height}mm")

    @property
    def across(self) -> float:
        """The width between its margins, in millimetres."""
        return self.width - 2 * self.margin

    @property
    def down(self) -> float:
        """The height between its upper margin and the foot of the page, in millimetres."""
        return self.height - 2 * self.margin - FOOT


A4 = Paper("a4", 210, 297, 12, 8.5)
LETTER = Paper("letter", 216, 279, 12, 8.5)
A5 = Paper("a5", 210, 148, 9, 7.5)
FOOT = 2
EDGE = 5
"""Millimetres along each side of a page that not every printer reaches."""
_AT_THE_FOOT = f"vertical-align: bottom; padding-bottom: {EDGE}mm"
_INCHES = {(216, 279): "8.5in 11in", (279, 216): "11in 8.5in"}
"""Paper whose sides are not whole millimetres."""


_LETTER_REGIONS = frozenset(["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"])
"""Where CLDR has US Letter as the usual paper; Babel leaves it out."""


def usual_paper(region: str) -> Paper:
    """Return the paper that printers of a region have.

    >>> usual_paper("US").id, usual_paper("GB").id, usual_paper("").id
    ('letter', 'a4', 'a4')
    """
    return LETTER if region in _LETTER_REGIONS else A4


def paper_choices(region: str) -> tuple[tuple[str, str], ...]:
    """Return the papers that pages offer, by name and label, the usual one of the region first."""
    large = ("a4", "A4"), ("letter", "Letter")
    return (*sorted(large, key=lambda each: each[0] != usual_paper(region).id), ("a5", "A5 for a pocket"))


def find_paper(name: str, papers: tuple[Paper, ...]) -> Paper:
    """Return the paper with that name among some papers; raises BadInput if there is none."""
    for paper in papers:
        if paper.id == name.lower():
            return paper
    choices = ", ".join(paper.id for paper in papers)
    raise BadInput("{field}: “{word}” is not one of: {choices}.", "paper", name, choices=choices)


def large_print(paper: Paper) -> Paper:
    """Return the paper with a minimum type size of 12 points."""
    return paper._replace(least=12, margin=max(paper.margin, 11))  # in which a line keeps clear of the edge


def landscape(paper: Paper) -> Paper:
    """Return the page in landscape."""
    return paper._replace(width=max(paper[1:3]), height=min(paper[1:3]))


def portrait(paper: Paper) -> Paper:
    """Return the page in portrait."""
    return paper._replace(width=min(paper[1:3]), height=max(paper[1:3]))


def estimate_width(texts: Iterable[str], letters: float) -> float:
    """Return about the width of the longest of some texts in a cell, in type of so many points."""
    ems = (CHARACTER * len(text) - (CHARACTER - SPACE) * text.count(" ") for text in texts)
    return 1.9 + letters * POINT * max(ems, default=CHARACTER)


def bare_css(paper: Paper) -> str:
    """Return the CSS of pages without a foot: pictures and folded sheets."""
    return f"@page {{ size: {paper.size}; margin: {paper.margin}mm }}"


def page_css(paper: Paper, foot: str, head: str = "") -> str:
    """Return the CSS of a document's pages: their size, a foot with “Page n of m”, and a head from the second page on.

    Both stay clear of the edge, where printers leave white, and have as many words as one line has room for.
    """
    least = paper.least
    most = int(paper.across / (0.6 * least * POINT))
    foot, head = shorten(foot.strip(" ·"), most - 20), shorten(head, int(most / 1.25))  # it is bold
    return (
        f"@page {{ size: {paper.size}; margin: {paper.margin}mm {paper.margin}mm {paper.margin + FOOT}mm;"
        f" font-size: {least:.2f}pt;"
        f" @bottom-left {{ content: {_text(foot)}; {_AT_THE_FOOT} }}"
        f" @bottom-right {{ content: 'Page ' counter(page) ' of ' counter(pages); {_AT_THE_FOOT};"
        " white-space: nowrap }"
        f" @top-left {{ content: {_text(head)}; font-weight: bold; vertical-align: top; padding-top: {EDGE}mm }} }}"
        " @page :first { @top-left { content: none } }"
    )


def shorten(text: str, most: int) -> str:
    """Return as many words of the text as so many characters hold, with an ellipsis for the rest.

    >>> shorten("the stock ran out twice", 30), shorten("the stock ran out twice", 12)
    ('the stock ran out twice', 'the stock …')
    >>> shorten("Catherine-Elizabeth", 10)
    'Catherin …'
    """
    if len(text) <= most:
        return text
    whole, _space, cut = text[: most - 1].rpartition(" ")
    return f"{whole or cut[: most - 2]} …"


def _text(words: str) -> str:
    r"""Return any text as a CSS string, with everything but letters, digits and spaces escaped.

    >>> _text('a"b')
    '"a\\22 b"'
    """
    plain = {sign for sign in words if sign == " " or (sign.isascii() and sign.isalnum())}
    return '"' + "".join(sign if sign in plain else f"\\{ord(sign):x} " for sign in words) + '"'


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
    return subprocess.run(command, capture_output=True, check=True, text=True, env=child_environment()).stdout  # noqa: S603 - as written above


def _read_range(written: str) -> range:
    """Return a range of characters as fontconfig writes it: 41-5a or 2660."""
    first, _, last = written.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
