"""The settlement slip: who pays whom, with a box to tick and room to sign, and below it each player's money."""

from __future__ import annotations

from typing import NamedTuple

from app.kalooki.game.play import Game
from app.sheets.foot import Foot, ledger
from app.sheets.letters import POINT, ems, width
from app.sheets.paper import Paper
from app.sheets.settling import Payment, payments_of

LARGEST, SMALLEST = 10.0, 6.0
PADDING, SPARE = 0.9, 0.4
SLIP_FITS = (
    "",
    ".slip td, .slip th { padding: 0.8mm 0 } .money td, .money th { padding-block: 0.2mm }",
    ".slip { font-size: 10pt } .slip td, .slip th { padding: 0.3mm 0 } .detail { display: none }",
    ".slip { font-size: 8.5pt; line-height: 1.1 } .detail { display: none } .sheet-head { font-size: 8pt }",
)
"""Styles tried one after another until everything fits on one page; none leaves out the balance."""


class Slip(NamedTuple):
    """A slip on its paper: the payments, each player's balance, and the lines that make it up.

    `letters` is the type size of its table in points, `label` the width of its first column in millimetres.
    """

    payments: tuple[Payment, ...]
    balance: Foot | None
    details: tuple[Foot, ...]
    letters: float
    label: float


def slip_of(game: Game, paper: Paper) -> Slip:
    """The slip of a game; in a game without money it has no table."""
    lines = ledger(game)
    label = max((width(line.label, LARGEST, bold=True) for line in lines), default=0) + 2 * PADDING
    room = (paper.across - label) / len(game.order) - 2 * PADDING - SPARE
    figures = [value for line in lines for value in line.values]
    words = [*figures, *(word for seat in game.order for word in game.name(seat).split())]
    widest, needed = (max((ems(text, bold=True) for text in texts), default=1) * POINT for texts in (words, figures))
    letters = min(LARGEST, max(room / widest, SMALLEST), room / needed)
    balance = lines[-1] if lines else None
    return Slip(tuple(payments_of(game)), balance, tuple(lines[:-1]), letters, label)


def slip_rules(slip: Slip) -> str:
    """The CSS that depends on the players and their amounts."""
    return f".money {{ font-size: {slip.letters:.2f}pt }} .money .label {{ width: {slip.label:.2f}mm }}"
