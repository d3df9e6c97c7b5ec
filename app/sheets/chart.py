"""The chart of a game's totals: lines and marks in tenths of a millimetre of its own drawing.

Names are no part of the drawing, which knows nothing of right-to-left scripts: they stand beside it, highest line
first, each with the mark of its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from app.i18n import N_, _, gettext
from app.sheets.formats import whole

TENTHS = 10
LETTERS = 30
"""8.5 points."""
LEFT, TOP, FOOT = 90, 20, 50
AT_THE_END = 25
MOST_STEPS = 5
STEPS = (1, 2, 5)
MANY, SOME = 40, 10
"""After more hands than MANY the lines of a game lie so close that their distance to the average says more; after
SOME where they do lie so close."""
CLOSE = 4
"""Lines that are never further apart than this part of the highest total are one band."""
MOST_BENDS = 14
"""A line beside the average bends no more often than this, or it hides the others."""
MOST_MARKS = 9
NUMBER = 90
"""What a number below the lines takes."""
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
"""Each colour of a face as a line on white, dark enough to be told from the paper."""

SHAPES = (N_("circle"), N_("square"), N_("triangle"), N_("diamond"), N_("cross"))


class Mark(NamedTuple):
    """How a player's line is told apart without colour: the shape of its marks, filled or hollow with a broken line."""

    shape: str
    is_hollow: bool

    @property
    def words(self) -> str:
        """The mark for who cannot see it."""
        told = _("hollow {shape}, broken line") if self.is_hollow else _("filled {shape}, whole line")
        return told.format(shape=gettext(self.shape))

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
MARKS = tuple(Mark(shape, is_hollow) for shape in SHAPES for is_hollow in (False, True))
"""As many as can sit at a table; they come again for whom joined after others had gone home."""


class Tick(NamedTuple):
    """A number at an axis and where it stands."""

    text: str
    at: float


class Curve(NamedTuple):
    """One player's line: its points, those that bear a mark, how it is marked, the last total, and its colour."""

    name: str
    points: str
    marked: tuple[tuple[float, float], ...]
    mark: Mark
    last: str
    height: float
    ink: str = INK


class Chart(NamedTuple):
    """A drawing of `width` × `height`, its curves from the highest end down.

    `limit` is the limit's line; `beyond` names a limit so far away that it is not drawn.
    """

    title: str
    told: str
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
        """Where the lines end."""
        return self.width - AT_THE_END

    @property
    def foot(self) -> int:
        """Where the lines stand on nothing."""
        return self.height - FOOT


class Line(NamedTuple):
    """A player's name and totals: the first before the first hand, None where there is none.

    `back` are the totals they bought in at, by the number of the hand after which they did.
    """

    name: str
    totals: Sequence[int | None]
    back: Mapping[int, int] = {}

    @property
    def drawn(self) -> list[tuple[int, int]]:
        """Each hand with the total after it; where the player bought in it comes again, with their new total."""
        known = [(hand, total) for hand, total in enumerate(self.totals) if total is not None]
        return [(hand, each) for hand, total in known for each in (total, self.back.get(hand)) if each is not None]


def chart(
    players: Sequence[Line],
    limit: int | None,
    first: int,
    size: tuple[float, float],
    say: Callable[[int], str] = whole,
    inks: Sequence[str] = (),
) -> Chart:
    """The totals of everybody, in the order of their seats, after `first` hands that are not shown.

    `size` is in millimetres, `say` writes a value, `inks` are the lines' colours, black without them. A limit more
    than twice the highest total would press all lines to the floor.
    """
    count = max(len(line.totals) for line in players) - 1
    is_even = count > MANY or (count > SOME and _are_close(players, limit))
    every_bend = max(1, ceil(count / MOST_BENDS)) if is_even else 1
    shown = _beside_the_average(players) if is_even else players
    values, limit_at, up = _upwards(shown, None if is_even else limit, round(size[1] * TENTHS))
    inks = [*inks, *[INK] * len(players)]
    left = max(LEFT, 20 * max(len(say(value)) for value in values) + 25)
    across = _Scale(0, (round(size[0] * TENTHS) - AT_THE_END - left) / max(1, count), left)
    curves = [
        _curve(MARKS[place % len(MARKS)], line, _at(shown[place], across, up, every_bend), say, inks[place])
        for place, line in enumerate(players)
        if line.drawn
    ]
    every = max(1, ceil(NUMBER / across.per_unit))
    return Chart(
        _("Points above or below the average") if is_even else _("The totals after each hand"),
        ", ".join(f"{curve.name} {curve.last}" for curve in curves),
        round(size[0] * TENTHS),
        round(size[1] * TENTHS),
        left,
        tuple(sorted(curves, key=lambda curve: curve.height)),
        tuple(Tick(say(value), up(value)) for value in values),
        tuple(Tick(str(first + place), across(place)) for place in range(0, count + 1, every)),
        limit_at,
        "" if limit_at or limit is None or is_even else str(limit),
    )


def _upwards(lines: Sequence[Line], limit: int | None, height: int) -> tuple[range, Tick | None, _Scale]:
    """The values at the axis, the limit if it is near enough to be drawn, and where a value stands."""
    figures = [total for line in lines for _hand, total in line.drawn]
    near = limit if limit is not None and 2 * max(figures) >= limit else None
    low, high = min([0, *figures]), max([*figures, 1, near or 0])
    step = _step(high - low)
    up = _Scale(low, (TOP - height + FOOT) / (high - low), height - FOOT)
    values = range(-(-low // step) * step, high + 1, step)
    return values, None if near is None else Tick(str(near), up(near)), up


def _are_close(players: Sequence[Line], limit: int | None) -> bool:
    """Whether the lines of totals would be one band, far from a limit."""
    known = _columns(players)
    apart = max(max(column) - min(column) for column in known if column)
    highest = max(max(column) for column in known if column)
    return apart * CLOSE < highest and (limit is None or 2 * highest < limit)


def _at(line: Line, across: _Scale, up: _Scale, every: int) -> list[tuple[float, float]]:
    """Where a line bends: at one hand in `every`, where its player bought in, and at its end."""
    last = line.drawn[-1][0] if line.drawn else 0
    return [
        (across(hand), up(total))
        for hand, total in line.drawn
        if hand % every == 0 or hand in line.back or hand == last
    ]


def _curve(
    mark: Mark, player: Line, points: Sequence[tuple[float, float]], say: Callable[[int], str], ink: str
) -> Curve:
    every = max(1, -(-len(points) // MOST_MARKS))
    marked = (*points[1 + MARKS.index(mark) % every :: every], points[-1])
    _hand, last = player.drawn[-1]
    drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
    return Curve(player.name, drawn, tuple(dict.fromkeys(marked)), mark, say(last), points[-1][1], ink)


def _columns(players: Sequence[Line]) -> list[list[int]]:
    """The totals hand by hand, of those who have one then."""
    columns = zip(*(line.totals for line in players), strict=True)
    return [[total for total in column if total is not None] for column in columns]


def _beside_the_average(players: Sequence[Line]) -> list[Line]:
    """Everybody's distance, hand by hand, to the average of those who have a total then."""
    known = _columns(players)
    averages = [sum(column) / len(column) if column else 0 for column in known]
    return [
        Line(
            line.name,
            [None if total is None else round(total - even) for total, even in zip(line.totals, averages, strict=True)],
            {hand: round(total - averages[hand]) for hand, total in line.back.items()},
        )
        for line in players
    ]


class _Scale(NamedTuple):
    low: float
    per_unit: float
    start: float

    def __call__(self, value: float) -> float:
        return round(self.start + (value - self.low) * self.per_unit, 1)


def _step(span: int) -> int:
    """A round distance between the numbers at an axis.

    >>> _step(150), _step(7), _step(4200)
    (50, 2, 1000)
    """
    power = 1
    while True:
        for step in STEPS:
            if span <= step * power * MOST_STEPS:
                return step * power
        power *= 10
