"""A spreadsheet as plain values: what the press is handed, which loads nothing else of the application."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class Formula(NamedTuple):
    """A cell's formula, in OpenFormula notation, and its value."""

    words: str
    value: int | Decimal


Cell = str | int | Decimal | Formula | None


class Grid(NamedTuple):
    """One table of a workbook: its headings, its rows, and below them rows of sums."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sums: tuple[tuple[Cell, ...], ...]


class Workbook(NamedTuple):
    """A spreadsheet file as plain values."""

    title: str
    language: str
    grids: tuple[Grid, ...]
