"""The settlement slip: who pays whom, with a box to tick and room to sign, and below it each player's money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.kalooki.game.play import Game
from app.sheets.letters import POINT, longest_word, widest, width
from app.sheets.paper import Paper
from app.sheets.rows import Foot, ledger
from app.telling.settling import WhoPaysWhom, payments_of

LARGEST, SMALLEST = 10.0, 6.0
PADDING, SPARE = 0.9, 0.4
_TIGHT = ".slip td, .slip th { padding: 0.3mm 0 } .money td, .money th { padding-block: 0; line-height: 1.2 }"
_SMALL = f"{_TIGHT} .slip {{ font-size: 8.5pt; line-height: 1.1 }} .slip, .money {{ margin-top: 1.5mm }}"
SLIP_FITS = (
    "",
    ".slip td, .slip th { padding: 0.8mm 0 } .money td, .money th { padding-block: 0.2mm }",
    f"{_TIGHT} .slip {{ font-size: 10pt }}",
    f"{_SMALL} .slip td, .slip th {{ padding: 0.9mm 0 }}",
    f"{_SMALL} p {{ margin: 1mm 0 }}",
    f"{_SMALL} .detail {{ display: none }} .sheet-head {{ font-size: 8pt }}",
)
"""Styles tried one after another until everything fits on one page; none leaves out the balance."""


class Slip(NamedTuple):
    """A slip on its paper: the payments, each player's balance, and the lines that make it up.

    `letters` is the type size of its table in points, `label` the width of its first column in millimetres.
    """

    payments: tuple[WhoPaysWhom, ...]
    balance: Foot | None
    details: tuple[Foot, ...]
    letters: float
    label: float
    is_turned: bool = False


def slip_of(game: Game, paper: Paper) -> Slip:
    """The slip of a game; in a game without money it has no table.

    Where many players would need small letters, they stand below each other, and the kinds of money across.
    """
    lines = [*ledger(game)]
    across, down = _across(game, lines, paper), _down(game, lines, paper)
    is_turned = across[0] < min(8.5, down[0])
    sizes = down if is_turned else across
    return Slip(tuple(payments_of(game)), lines[-1] if lines else None, tuple(lines[:-1]), *sizes, is_turned)


def _down(game: Game, lines: Sequence[Foot], paper: Paper) -> tuple[float, float]:
    """The type size and the first column's width with a row for each player."""
    names = [game.name(seat) for seat in game.order]
    label = min(paper.across / 3, max(width(name, LARGEST, bold=True) for name in names) + 2 * PADDING)
    room = (paper.across - label) / max(1, len(lines)) - 2 * PADDING - SPARE
    words = [word for line in lines for word in (*line.values, line.label)]
    return min(LARGEST, room / (longest_word(words) * POINT)), label


def _across(game: Game, lines: Sequence[Foot], paper: Paper) -> tuple[float, float]:
    """The same with a column for each player."""
    label = max((width(line.label, LARGEST, bold=True) for line in lines), default=0) + 2 * PADDING
    room = (paper.across - label) / len(game.order) - 2 * PADDING - SPARE
    figures = [value for line in lines for value in line.values]
    words = [*figures, *(word for seat in game.order for word in game.name(seat).split())]
    longest, needed = ((widest(texts, bold=True) or 1) * POINT for texts in (words, figures))
    return min(LARGEST, max(room / longest, SMALLEST), room / needed), label


def slip_rules(slip: Slip) -> str:
    """The CSS that depends on the players and their amounts."""
    return f".money {{ font-size: {slip.letters:.2f}pt }} .money .label {{ width: {slip.label:.2f}mm }}"
