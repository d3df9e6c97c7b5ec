"""The chart of a game's totals: lines and labels in the units of its own drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 1000, 280
LEFT, RIGHT, TOP, BOTTOM = 50, 750, 20, 250
LABEL_GAP = 26
NAME_GAP = 12
NARROW = frozenset("abcdefghijklnopqrstuvxyzäöüéèß0123456789 .-")
MOST_LETTERS = 17
MOST_STEPS = 5
STEPS = (1, 2, 5)


class Tick(NamedTuple):
    """A number at an axis and where it stands."""

    text: str
    at: float


class Curve(NamedTuple):
    """One player's line: its points for SVG, its style (0 to 7) and the label at its end."""

    name: str
    points: str
    style: int
    end: tuple[float, float]
    label_at: float


class Chart(NamedTuple):
    """A drawing of WIDTH × HEIGHT; `limit` is where the limit's line stands, None without one.

    `letters` is the size of the players' names, small enough for the longest.
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
        (name, style, [(across(place), up(total)) for place, total in enumerate(totals) if total is not None])
        for style, (name, totals) in enumerate(players)
    ]
    drawn = [(name, style, points) for name, style, points in lines if points]
    labels = _apart([points[-1][1] for _, _, points in drawn])
    every = max(1, -(-count // 20))
    return Chart(
        title,
        tuple(
            Curve(name, " ".join(f"{x:g},{y:g}" for x, y in points), style % 8, points[-1], label)
            for (name, style, points), label in zip(drawn, labels, strict=True)
        ),
        tuple(Tick(str(value), up(value)) for value in range(low, high + 1, step)),
        tuple(Tick(str(first + place), across(place)) for place in range(0, count, every)),
        Tick(str(limit), up(limit)) if limit is not None else None,
        _letters([name for name, _, _ in drawn]),
    )


def _letters(names: Sequence[str]) -> int:
    """The size at which the widest name fits beside the lines, were its capitals and foreign signs as wide as high.

    >>> _letters(["Ann"]), _letters(["W" * 20])
    (17, 11)
    """
    widest = max(sum(0.68 if sign in NARROW else 1 for sign in name) for name in names)
    return int(min(MOST_LETTERS, (WIDTH - RIGHT - NAME_GAP) / widest))


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


def _apart(wanted: Sequence[float]) -> list[float]:
    """Places for labels near where they are wanted, none over another.

    >>> _apart([100, 100, 200])
    [100, 126, 200]
    """
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    gap = min(LABEL_GAP, (BOTTOM - TOP + LABEL_GAP) / max(1, len(wanted)))
    placed = [0.0] * len(wanted)
    lowest = float(TOP) - gap
    for place in order:
        placed[place] = lowest = max(wanted[place], lowest + gap)
    highest = float(BOTTOM) + gap
    for place in reversed(order):
        placed[place] = highest = min(placed[place], highest - gap)
    return placed
