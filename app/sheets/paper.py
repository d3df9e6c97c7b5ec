"""The papers sheets are printed on, and how much of a sheet a page of each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.i18n import _
from app.kalooki.cards import Malformed

MOST_UPRIGHT = 9
"""With more players than this a page is laid on its side."""


class Paper(NamedTuple):
    """A page: its sides in millimetres, its margin, and the height of a row, of the head and of the foot."""

    id: str
    width: int
    height: int
    margin: int
    row: float
    head: int

    @property
    def size(self) -> str:
        """What CSS calls the page."""
        return f"{self.width}mm {self.height}mm"

    def rows(self, *, first: bool) -> int:
        """The hands a page of a score sheet holds, below its head and above the totals at its foot."""
        free = self.height - 2 * self.margin - (self.head if first else 0) - 4 * self.row
        return int(free / self.row)


A4 = Paper("a4", 210, 297, 12, 6.2, 36)
LETTER = Paper("letter", 216, 279, 12, 6.2, 36)
A5 = Paper("a5", 210, 148, 9, 5.6, 30)


def paper_called(name: str, papers: tuple[Paper, ...]) -> Paper:
    """One of some papers by its name; raises Malformed for any other."""
    for paper in papers:
        if paper.id == name.lower():
            return paper
    choices = ", ".join(paper.id for paper in papers)
    raise Malformed("{field}: “{word}” is not one of: {choices}.", "paper", name, choices=choices)


NARROW = frozenset("abcdefghijklnopqrstuvxyzäöüéèß0123456789 .-")


def breadth(words: str) -> float:
    """How many times its letters' size a text is wide, were capitals and foreign signs as wide as high.

    >>> breadth("a"), breadth("WM")
    (0.68, 2)
    """
    return sum(0.68 if sign in NARROW else 1 for sign in words)


def is_crowded(names: Sequence[str], most: int, room: int) -> bool:
    """Whether columns headed by names, one for each, need smaller letters.

    There are more than `most` of them, or their longest words take more side by side than `room` (see breadth).

    >>> is_crowded(["Ann Wilhelmina", "-"], 2, 8), is_crowded(["Ann Wilhelmina", "-"], 2, 7)
    (False, True)
    """
    words = (name.replace("-", " ").split() for name in names)
    return len(names) > most or sum(max(map(breadth, parts), default=0) for parts in words) > room


def on_its_side(paper: Paper) -> Paper:
    """The page with its long side at the bottom."""
    return paper._replace(width=max(paper[1:3]), height=min(paper[1:3]))


def page_rules(paper: Paper, foot: str) -> str:
    """The style of the pages of a document: their size, and a foot with “Page n of m”."""
    before, between, after = _("Page {n} of {m}").replace("{m}", "{n}").split("{n}")
    number = f"{_text(before)} counter(page) {_text(between)} counter(pages) {_text(after)}"
    return (
        f"@page {{ size: {paper.size}; margin: {paper.margin}mm {paper.margin}mm {paper.margin + 2}mm;"
        f" @bottom-left {{ content: {_text(foot)} }} @bottom-right {{ content: {number} }} }}"
    )


LABEL, CONTRACT = 22, 27
"""The millimetres the first columns of a table of hands take."""
MOST_ROOMY = 6
"""With more players than this letters and gaps are smaller."""


DENSE = (
    ".hands { font-size: 7.5pt } .hands td { padding: 0 0.6mm }"
    " .hands thead th[colspan] { padding-inline: 0.6mm; font-size: 6.5pt }"
)


def table_rules(paper: Paper, players: int, *, contracts: bool) -> str:
    """The style of a printed table of hands: the height of its rows, narrow points, a line before each player.

    The lines are drawn once down the whole table: a border for each cell takes the press as long as its text.
    """
    label = LABEL if players <= MOST_ROOMY else LABEL - 4
    start = label + (CONTRACT if contracts else 0)
    each = (paper.width - 2 * paper.margin - start) / players
    lines = " ".join(
        f".line:nth-child({place + 1}) {{ left: {start + each * place:.2f}mm }}" for place in range(players)
    )
    letters = DENSE if players > MOST_ROOMY else ""
    columns = {"points": each * 0.43, "contract": CONTRACT, "label": label}
    widths = " ".join(f".hands .{name} {{ width: {width:.2f}mm }}" for name, width in columns.items())
    return f"{letters} .hands .rows {{ line-height: {paper.row}mm }} {widths} {lines}"


def _text(words: str) -> str:
    r"""Any text as a string of CSS, every sign but letters and digits escaped.

    >>> _text('a"b')
    '"a\\22 b"'
    """
    plain = {sign for sign in words if sign == " " or (sign.isascii() and sign.isalnum())}
    return '"' + "".join(sign if sign in plain else f"\\{ord(sign):x} " for sign in words) + '"'
