"""A sheet folded into eight panels: what goes into which, so that no line crosses a fold.

Heights and widths are millimetres, type sizes points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from app.sheets.letters import POINT, lines
from app.sheets.paper import Paper

if TYPE_CHECKING:
    from app.sheets.rules_card import CardRule, RulesCard

ACROSS, DOWN = 4, 2
PADDING = 5.0
"""Between a panel's text and its folds."""
LARGEST, SMALLEST, STEP = 12.0, 5.0, 0.15
LINE = 1.28
BESIDE = 0.96
"""The part of a line's width that texts are measured for: bold titles and framed cards take more than measured."""


class Block(NamedTuple):
    """What is never split: a rule with the heading above it, or the card's head, values or marks."""

    kind: str
    heading: str = ""
    rule: CardRule | None = None


class Room(NamedTuple):
    """Columns of text, or panels."""

    width: float
    height: float
    columns: int


class Leaf(NamedTuple):
    """One side of the sheet: its two halves with their panels, its type size, the height of a half, a panel's width."""

    halves: tuple[tuple[tuple[Block, ...], ...], ...]
    letters: float
    half: float
    panel: float


def leaves_of(card: RulesCard, blocks: Sequence[Block], paper: Paper, count: int) -> Iterator[Leaf]:
    """The blocks on `count` sides of paper, panel by panel, in the largest type that fits."""
    panel, half = paper.width / ACROSS, paper.height / DOWN
    room = Room(panel - 2 * PADDING, half - 2 * PADDING, count * ACROSS * DOWN)
    letters = letters_for(card, blocks, room, LARGEST)
    panels = [*_filled(card, blocks, room, letters)]
    panels += [()] * (room.columns - len(panels))
    for first in range(0, len(panels), ACROSS * DOWN):
        halves = tuple(tuple(panels[start : start + ACROSS]) for start in (first, first + ACROSS))
        yield Leaf(halves, letters, half, panel)


def letters_for(card: RulesCard, blocks: Sequence[Block], room: Room, letters: float) -> float:
    """The largest type size, at most `letters`, at which the blocks fit into the columns."""
    while letters > SMALLEST and len([*_filled(card, blocks, room, letters)]) > room.columns:
        letters -= STEP
    return letters


def _filled(card: RulesCard, blocks: Sequence[Block], room: Room, letters: float) -> Iterator[tuple[Block, ...]]:
    panel, free = list[Block](), room.height
    for block in blocks:
        height = _height(card, block, letters, room.width)
        if panel and height > free:
            yield tuple(panel)
            panel, free = [], room.height
        panel.append(block)
        free -= height
    yield tuple(panel)


def _height(card: RulesCard, block: Block, letters: float, room: float) -> float:
    line = letters * LINE * POINT
    if block.rule:
        rule = block.rule
        text = f"† {rule.title}. {' '.join(piece for piece, _ in rule.parts)} °"
        heading = 1.2 * line + 2.2 if block.heading else 0
        return heading + lines(text, letters, room * BESIDE) * line + (0.8 if letters < LARGEST else 1.6)
    if block.kind == "values":
        return (len(card.values) + 1.2) * line + 6
    if block.kind == "head":
        name = lines(card.name, 1.6 * letters, room, bold=True) * 1.9 * letters * POINT
        texts = (card.summary, *card.table, *(["†"] if card.has_house_rules else []))
        return name + sum(lines(text, letters, room * BESIDE) * line + 1 for text in texts) + 3
    return lines(card.standings, 0.9 * letters, room * BESIDE) * 0.9 * line + 1


def head_height(card: RulesCard, room: Room) -> float:
    """The height of the card's head at twelve points, with the margins above and below the text."""
    return _height(card, Block("head"), LARGEST, room.width) + 2 * PADDING


def panel_rules(leaf: Leaf) -> str:
    """The CSS of the panels and folds: two panels fill the height of the paper."""
    return (
        f".half {{ min-height: {leaf.half - 0.1:.2f}mm }}"
        f" .panel {{ width: {leaf.panel - 2 * PADDING - 0.05:.2f}mm; padding: {PADDING}mm }}"
        + "".join(f" .fold-{number} {{ left: {leaf.panel * number:.2f}mm }}" for number in range(1, ACROSS))
        + f" .fold-across {{ top: {leaf.half:.2f}mm }}"
    )
