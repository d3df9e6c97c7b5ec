"""The chart of a game's totals: an SVG drawing whose unit is a tenth of a millimetre.

The drawing cannot set right-to-left scripts, so the players' names are outside it: beside the chart, highest line
first, each with the mark of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import ceil
from typing import NamedTuple

from app.history.phrases import whole

SCALE = 10
LETTERS = 30
"""The type size of its numbers: 8.5 points."""
LEFT, TOP, FOOT = 90, 20, 50
RIGHT_MARGIN = 25
MAX_MARKS = 9
SIZE = 11

INK = "#111"
INKS = {
    "blue": "#1a4fb0",
    "red": "#b3161f",
    "green": "#14683a",
    "orange": "#b8500a",
    "purple": "#6a2c91",
    "teal": "#0b716c",
    "pink": "#b82a80",
    "brown": "#6b4423",
    "yellow": "#8a6a00",
    "grey": "#565c60",
}
"""The line for each face's colour, dark enough to be seen on white paper."""


class Symbol(NamedTuple):
    """What tells a player's line apart without colour: the shape of its marks, filled, or hollow with a broken line."""

    shape: str
    is_hollow: bool

    @property
    def words(self) -> str:
        """The mark in words, for readers who cannot see it."""
        drawn = "hollow {shape}, broken line" if self.is_hollow else "filled {shape}, whole line"
        return drawn.format(shape=self.shape)

    @property
    def outline(self) -> str:
        """The shape around the origin, as a path."""
        return _OUTLINES[self.shape]


_OUTLINES = {
    "circle": f"M-{SIZE} 0a{SIZE} {SIZE} 0 1 0 {2 * SIZE} 0a{SIZE} {SIZE} 0 1 0 -{2 * SIZE} 0z",
    "square": f"M-{SIZE} -{SIZE}h{2 * SIZE}v{2 * SIZE}h-{2 * SIZE}z",
    "triangle": f"M0 -{SIZE + 3}l{SIZE + 2} {2 * SIZE + 2}h-{2 * SIZE + 4}z",
    "diamond": f"M0 -{SIZE + 5}l{SIZE + 5} {SIZE + 5}l-{SIZE + 5} {SIZE + 5}l-{SIZE + 5} -{SIZE + 5}z",
    "cross": f"M-{SIZE} -4h7v-7h8v7h7v8h-7v7h-8v-7h-7z",
}
MARKS = tuple(Symbol(shape, is_hollow) for shape in _OUTLINES for is_hollow in (False, True))
"""Enough for a full table; they repeat for players who join after others have left."""


class Tick(NamedTuple):
    """A number on an axis, and its position."""

    text: str
    at: float


class Curve(NamedTuple):
    """One player's line: its points, those with a mark, the mark, the last total and its height, the colour."""

    name: str
    points: str
    marked: tuple[tuple[float, float], ...]
    mark: Symbol
    last: str
    height: float
    ink: str = INK


class Chart(NamedTuple):
    """A drawing of `width` × `height`; `curves` are sorted by their last total, the highest first.

    `limit` is the limit's line; `beyond` names a limit that is too far away to draw.
    """

    title: str
    in_words: str
    width: int
    height: int
    left: int
    curves: tuple[Curve, ...]
    values: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    limit: Tick | None
    beyond: str

    @property
    def right(self) -> int:
        """The right end of the lines."""
        return self.width - RIGHT_MARGIN


class Series(NamedTuple):
    """A player's name and totals, beginning with the one before the first hand; None where the player has none.

    `back` maps the number of a hand to the total at which the player bought in after it; `ink` is the line's colour.
    """

    name: str
    totals: Sequence[int | None]
    back: Mapping[int, int] = {}
    ink: str = INK

    @property
    def drawn(self) -> list[tuple[int, int]]:
        """Each hand with the total after it; a hand followed by a buy-in comes again, with the new total."""
        totals = [(hand, total) for hand, total in enumerate(self.totals) if total is not None]
        return [(hand, each) for hand, total in totals for each in (total, self.back.get(hand)) if each is not None]


def chart(players: Sequence[Series], limit: int | None, size: tuple[float, float], first: int = 0) -> Chart:
    """Return the players' totals, in the order of their seats.

    `size` is in millimetres, `first` the hands carried over.
    A limit more than twice the highest total is not drawn: it would flatten all lines.
    """
    hands = max(len(line.totals) for line in players) - 1
    values, limit_at, up = _upwards(players, limit, round(size[1] * SCALE))
    left = max(LEFT, 20 * max(len(whole(value)) for value in values) + 25)
    across = _Scale(0, (round(size[0] * SCALE) - RIGHT_MARGIN - left) / max(1, hands), left)
    curves = [
        _curve(MARKS[place % len(MARKS)], line, [(across(hand), up(total)) for hand, total in line.drawn])
        for place, line in enumerate(players)
        if line.drawn
    ]
    every = max(1, ceil(90 / across.per_unit))  # by the width of a number below the lines
    return Chart(
        "The totals after each hand",
        ", ".join(f"{curve.name} {curve.last}" for curve in curves),
        round(size[0] * SCALE),
        round(size[1] * SCALE),
        left,
        tuple(sorted(_side_by_side(curves), key=lambda curve: curve.height)),
        tuple(Tick(whole(value), up(value)) for value in values),
        tuple(Tick(str(first + place), across(place)) for place in range(0, hands + 1, every)),
        limit_at,
        "" if limit_at or limit is None else str(limit),
    )


def _upwards(lines: Sequence[Series], limit: int | None, height: int) -> tuple[range, Tick | None, _Scale]:
    """Return the values on the axis, the limit if it is near enough to draw, and the scale for values."""
    figures = [total for line in lines for _hand, total in line.drawn]
    near = limit if limit is not None and 2 * max(figures) >= limit else None
    low, high = min([0, *figures]), max([*figures, 1, near or 0])
    step = _step(high - low)
    up = _Scale(low, (TOP - height + FOOT) / (high - low), height - FOOT)
    values = range(-(-low // step) * step, high + 1, step)
    return values, None if near is None else Tick(str(near), up(near)), up


def _curve(mark: Symbol, player: Series, points: Sequence[tuple[float, float]]) -> Curve:
    hands = [*dict.fromkeys(x for x, _y in points)]
    every = max(1, -(-len(hands) // MAX_MARKS))
    chosen = {*hands[1 + MARKS.index(mark) % every :: every], hands[-1]}
    marked = (point for point in points if point[0] in chosen)
    _hand, last = player.drawn[-1]
    drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
    return Curve(player.name, drawn, tuple(dict.fromkeys(marked)), mark, whole(last), points[-1][1], player.ink)


def _side_by_side(curves: Sequence[Curve]) -> Iterator[Curve]:
    """Yield the curves with marks moved sideways where they would hide those of another curve."""
    marks: list[tuple[float, float]] = []
    for curve in curves:
        hidden = [sum(x == a and abs(y - b) < SIZE for a, b in marks) for x, y in curve.marked]
        marks += curve.marked
        aside = [SIZE * ((others + 1) // 2) * (-1 if others % 2 else 1) for others in hidden]
        yield curve._replace(marked=tuple((x + far, y) for (x, y), far in zip(curve.marked, aside, strict=True)))


class _Scale(NamedTuple):
    low: float
    per_unit: float
    start: float

    def __call__(self, value: float) -> float:
        return round(self.start + (value - self.low) * self.per_unit, 1)


def _step(span: int) -> int:
    """Return a round interval between the numbers on an axis.

    >>> _step(150), _step(7), _step(4200)
    (50, 2, 1000)
    """
    steps: Iterator[int] = (step * 10**power for power in count() for step in (1, 2, 5))
    return next(step for step in steps if span <= 5 * step)
