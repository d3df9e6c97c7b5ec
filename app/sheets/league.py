"""The table of a club, to print."""

from __future__ import annotations

from typing import NamedTuple

from app.history.league import NO_GAMES, LeagueWords
from app.sheets.paper import Paper, in_sentences

TYPE_SIZES = (12, 11, 10, 9)
LONG = 50
"""With more rows than this, only the smallest type is tried."""


class League(NamedTuple):
    """A club's table on paper: its title, what it is of, the heads of its columns, and its rows."""

    title: str
    facts: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def empty(self) -> str:
        """What stands in place of the rows if there are none; else empty."""
        return "" if self.rows else NO_GAMES


COLUMNS = {
    "place": "",
    "player": "Player",
    "games": "Games",
    "won": "Won",
    "beaten": "Beaten",
    "hands": "Hands won",
    "kalookis": "Kalookis",
    "left": "Points left",
    "money": "Money won",
}
"""The columns of the sheet and their heads; that of money is on it only if it is asked for."""


def league_sheet(words: LeagueWords, *, with_money: bool = False) -> League:
    """Return the table in words as a sheet."""
    columns = [name for name in COLUMNS if name != "money" or with_money]
    lines = [line._replace(player=in_sentences(line.player))._asdict() for line in words.lines]
    rows = tuple(tuple(line[name] for name in columns) for line in lines)
    facts = words.facts_shown(with_money=with_money)
    facts += ("Points left is the average in a lost hand.",) if rows else ()
    return League(in_sentences(words.name), facts, tuple(COLUMNS[name] for name in columns), rows)


def league_sizes(league: League, paper: Paper) -> tuple[str, ...]:
    """Return the CSS for several type sizes, the largest first."""
    sizes = () if len(league.rows) > LONG else TYPE_SIZES
    return tuple(f"html {{ font-size: {size}pt }}" for size in (*sizes, paper.least))
