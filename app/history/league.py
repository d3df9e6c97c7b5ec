"""The table of a club in words, for a chat and for paper, and as rows of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from app.history.club import labels_of
from app.history.formats import MoneyFormat, number_of, write_amount, write_day
from app.history.spreadsheet import harmless, write_csv
from app.kalooki.club.fold import Club, Meeting
from app.kalooki.club.league import LeagueRow, Slate, between, currencies, league, slates
from app.kalooki.money import Currency

_COLUMNS = ("place", "player", "games", "won", "beaten", "hands", "hands_won", "kalookis", "left")
_TENTHS = Currency("", 1)
NO_GAMES = "No game of these days counts yet."


class TableDays(NamedTuple):
    """The first and the last day of a table, either of which may be empty, and how many games it takes to be ranked."""

    first: str = ""
    last: str = ""
    least: int = 1


class LeagueLine(NamedTuple):
    """One person in the table, in words.

    Who is unranked has no place; who has no game for money, no `money`; whose hands were not recorded here, no `hands`;
    and who lost none, no `left`.
    """

    person: int
    place: str
    player: str
    beaten: str
    won: str
    money: str
    games: str
    hands: str
    kalookis: str
    left: str


class LeagueWords(NamedTuple):
    """A club's table in words: which games it is of, how it is ordered, who is an exception; and its lines.

    `about_money` is said only where money is shown.
    """

    name: str
    facts: tuple[str, ...]
    exceptions: tuple[str, ...]
    lines: tuple[LeagueLine, ...]
    about_money: tuple[str, ...]

    def facts_shown(self, *, with_money: bool) -> tuple[str, ...]:
        """Return what stands above the lines, with or without money."""
        return (*self.facts, *self.exceptions, *(self.about_money if with_money else ()))


def league_words(club: Club, played: Sequence[Meeting], asked: TableDays, region: str) -> LeagueWords:
    """Return the table of some days in words, with numbers as the region writes them."""
    called = {each.name: MoneyFormat(each, region) for each in currencies(club, played).values()}
    rows, money, labels = league(club, played, *asked), slates(club, played), labels_of(club)
    games = [each for each in between(played, asked.first, asked.last) if each.counts]
    return LeagueWords(
        club.name,
        tuple(_facts(games, asked, region)),
        tuple(_exceptions(rows, games, asked.least)),
        tuple(_line(row, labels[row.person], called, region) for row in rows),
        tuple(_about_money(money)),
    )


def _facts(games: Sequence[Meeting], asked: TableDays, region: str) -> Iterator[str]:
    first = asked.first and min((each.summary.day for each in games), default=asked.first)
    dates = (("from", first), ("up to", asked.last))
    span = " ".join(f"{word} {write_day(day, region)}" for word, day in dates if day)
    yield f"{number_of(len(games), 'game')} {span or 'in all'}"
    yield "The order is by the share of opponents beaten, then games won, then more games."


def _exceptions(rows: Sequence[LeagueRow], games: Sequence[Meeting], least: int) -> Iterator[str]:
    if any(each.summary.ended_early for each in games):
        yield "A game ended early is won by whoever was in front."
    if not all(row.ranked for row in rows):
        yield f"Whoever has played fewer than {least} games isn’t ranked."


def _about_money(money: Sequence[Slate]) -> Iterator[str]:
    if money:
        yield "Money won is what these games brought or cost, paid or not."
        if not any(amount for each in money for amount in each.balances.values()):
            yield "Everything is settled."


def _line(row: LeagueRow, name: str, called: Mapping[str, MoneyFormat], region: str) -> LeagueLine:
    return LeagueLine(
        person=row.person,
        place=str(row.place or ""),
        player=name,
        beaten=percent(row.beaten),
        won=str(row.wins),
        money=", ".join(called[currency].amount(units, plus=True) for currency, units in row.money.items()),
        games=str(row.games),
        hands=f"{row.hands_won} of {row.hands}" if row.hands else "",
        kalookis=str(row.kalookis),
        left=write_amount(_rounded(10, row.left), _TENTHS, region, is_named=False) if row.left[1] else "",
    )


def percent(share: tuple[int, int]) -> str:
    """Return a share of opponents beaten as a percentage.

    >>> percent((1, 3))
    '33%'
    """
    return f"{_rounded(100, share)}%"


def _rounded(times: int, share: tuple[int, int]) -> int:
    """Return a share times a number, rounded to the nearest whole number; a half goes up.

    >>> _rounded(100, (1, 3)), _rounded(10, (5, 4))
    (33, 13)
    """
    part, whole = share
    return (2 * times * part + whole) // (2 * whole)


def league_text(words: LeagueWords, *, with_money: bool = False) -> str:
    """Return the table as text for a chat, a line a person."""
    lines = [_chat_line(line, with_money=with_money) for line in words.lines] or [NO_GAMES]
    return "\n".join([words.name, *words.facts_shown(with_money=with_money), "", *lines, ""])


def _chat_line(line: LeagueLine, *, with_money: bool) -> str:
    name = f"{line.place}. {line.player}" if line.place else line.player
    parts = (
        f"{line.beaten} beaten",
        f"games won {line.won} of {line.games}",
        f"hands won {line.hands}" if line.hands else "",
        f"Kalookis {line.kalookis}" if line.kalookis != "0" else "",
        f"left per lost hand {line.left}" if line.left else "",
        line.money if with_money else "",
    )
    return f"{name}: {', '.join(filter(None, parts))}"


def league_csv(club: Club, played: Sequence[Meeting], asked: TableDays, region: str, separator: str = "") -> str:
    """Return the table as CSV, with a column for the money in each currency that somebody in it played for.

    `beaten` is the share of opponents beaten, `left` the points left in a lost hand.
    """
    rows, labels = league(club, played, *asked), labels_of(club)
    columns = {
        each.name: (harmless(f"money {each.name}"), each)
        for each in currencies(club, played).values()
        if any(each.name in row.money for row in rows)
    }

    def cells(row: LeagueRow) -> dict[str, object]:
        beaten = Decimal(_rounded(1000, row.beaten)).scaleb(-3)
        left = Decimal(_rounded(10, row.left)).scaleb(-1) if row.left[1] else None
        counts = (row.games, row.wins, beaten, row.hands, row.hands_won, row.kalookis, left)
        cells = dict[str, object](zip(_COLUMNS, (row.place, labels[row.person], *counts), strict=True))
        for name, units in row.money.items():
            column, currency = columns[name]
            cells[column] = Decimal(units).scaleb(-currency.decimals)
        return cells

    names = (*_COLUMNS, *(column for column, _currency in columns.values()))
    return write_csv(names, map(cells, rows), separator, region)
