"""The chart of a game's totals: lines and labels in the units of its own drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.sheets.paper import breadth

WIDTH, HEIGHT = 1000, 280
LEFT, RIGHT, TOP, BOTTOM = 50, 750, 20, 250
LABEL_GAP = 26
NAME_GAP = 66
"""Room for a piece of a player's line before his name."""
MOST_LETTERS = 17
MOST_STEPS = 5
STEPS = (1, 2, 5)


class Stroke(NamedTuple):
    """How a line is drawn; `dashes` is empty for one without gaps."""

    ink: str
    width: float
    dashes: str


BLACK, GREY = "#111", "#999"
STROKES = (
    Stroke(BLACK, 3.5, ""),
    Stroke(BLACK, 3.5, "14 6"),
    Stroke(BLACK, 3.5, "4 5"),
    Stroke(GREY, 7, ""),
    Stroke(BLACK, 3.5, "18 5 4 5"),
    Stroke(GREY, 7, "12 8"),
    Stroke(BLACK, 1.5, ""),
    Stroke(GREY, 7, "3 6"),
    Stroke(BLACK, 8, ""),
    Stroke(BLACK, 1.5, "9 6"),
    Stroke(BLACK, 8, "6 6"),
    Stroke(GREY, 3.5, ""),
)
"""More than can sit at a table; they come again for whom joined after others had gone home."""


class Tick(NamedTuple):
    """A number at an axis and where it stands."""

    text: str
    at: float


class Curve(NamedTuple):
    """One player's line: its points for SVG, its stroke and the label at its end."""

    name: str
    points: str
    stroke: Stroke
    end: tuple[float, float]
    label_at: float


class Chart(NamedTuple):
    """A drawing of WIDTH × HEIGHT; `limit` is where the limit's line stands, None without one.

    `letters` is the size of the players' names, small enough for the longest and for all of them.
    """

    title: str
    curves: tuple[Curve, ...]
    values: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    limit: Tick | None
    letters: int


def chart(title: str, players: Sequence[tuple[str, Sequence[int | None]]], limit: int | None, first: int = 1) -> Chart:
    """The totals of each player after hand `first` and those that follow; None where a player was not in."""
    count = max((len(totals) for _, totals in players), default=0)
    known = [total for _, totals in players for total in totals if total is not None]
    low, high = min([0, *known]), max([1, limit or 0, *known])
    step = _step(high - low)
    low, high = low // step * step, -(-high // step) * step
    across = _scale(0, max(1, count - 1), LEFT, RIGHT)
    up = _scale(low, high, BOTTOM, TOP)
    lines = [
        (place, name, [(across(hand), up(total)) for hand, total in enumerate(totals) if total is not None])
        for place, (name, totals) in enumerate(players)
    ]
    drawn = [line for line in lines if line[2]]
    labels = _apart([points[-1][1] for _, _, points in drawn])
    every = max(1, -(-count // 20))
    return Chart(
        title,
        tuple(_curve(*line, label) for line, label in zip(drawn, labels, strict=True)),
        tuple(Tick(str(value), up(value)) for value in range(low, high + 1, step)),
        tuple(Tick(str(first + place), across(place)) for place in range(0, count, every)),
        Tick(str(limit), up(limit)) if limit is not None else None,
        _letters([name for _, name, _ in drawn]),
    )


def _curve(place: int, name: str, points: Sequence[tuple[float, float]], label: float) -> Curve:
    drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
    return Curve(name, drawn, STROKES[place % len(STROKES)], points[-1], label)


def _letters(names: Sequence[str]) -> int:
    """The size at which the widest name fits beside the lines, and all of them below each other.

    >>> _letters(["Ann"]), _letters(["W" * 20]), _letters(["Ann"] * 32)
    (17, 9, 8)
    """
    widest = max(map(breadth, names))
    return int(min(MOST_LETTERS, (WIDTH - RIGHT - NAME_GAP) / widest, _gap(len(names))))


class _Scale(NamedTuple):
    low: float
    per_unit: float
    start: float

    def __call__(self, value: float) -> float:
        return round(self.start + (value - self.low) * self.per_unit, 1)


def _scale(low: float, high: float, start: float, end: float) -> _Scale:
    return _Scale(low, (end - start) / (high - low), start)


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


def _gap(labels: int) -> float:
    return min(LABEL_GAP, (BOTTOM - TOP + LABEL_GAP) / max(1, labels))


def _apart(wanted: Sequence[float]) -> list[float]:
    """Places for labels as near as can be to where they are wanted, above and below, none over another.

    >>> _apart([100, 100, 200])
    [87.0, 113.0, 200.0]
    >>> _apart([250, 240])
    [250, 224]
    """
    gap = _gap(len(wanted))
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    groups: list[list[float]] = []
    for rank, place in enumerate(order):
        # without their gaps labels that would overlap stand at one place, the middle of where they are wanted
        groups.append([wanted[place] - rank * gap])
        while len(groups) > 1 and _middle(groups[-2]) > _middle(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    lowest = BOTTOM - (len(wanted) - 1) * gap
    settled = [min(max(_middle(group), TOP), lowest) for group in groups for _ in group]
    placed = [0.0] * len(wanted)
    for rank, place in enumerate(order):
        placed[place] = round(settled[rank] + rank * gap, 1)
    return placed


def _middle(group: Sequence[float]) -> float:
    return sum(group) / len(group)
