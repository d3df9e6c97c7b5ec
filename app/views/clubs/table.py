"""What a club shows: its table, its money, its games, and each of its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import abort, request, url_for

from app import days
from app.games.clubs import RecordedClub
from app.history.club import merges_into, payments_made
from app.history.formats import MoneyFormat
from app.history.league import LeagueLine, TableDays, league_text, league_words, percent
from app.kalooki.club.fold import Meeting
from app.kalooki.club.league import LeagueRow, between, currencies, league, season_start, slates
from app.kalooki.club.person import best_and_worst, evenings, games_of, opponents
from app.kalooki.faults import Fault
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import ids, load
from app.sheets.paper import paper_choices
from app.store import games as stored_games
from app.views import access
from app.views.club_tables import read_days
from app.views.clubs import page_of, pages, typed_before, words_of
from app.views.clubs.changes import chosen_in

MOST_LATEST = 10
"""The most games that the club's page lists before the earlier ones are folded by year."""
MOST_PAID = 10
MOST_OFFERS = 3
"""The most games, of those played last, whose rematch is looked for."""

SORTS: Mapping[str, Callable[[LeagueRow], Any]] = {
    "beaten": lambda row: row.beaten[0] / row.beaten[1],
    "won": lambda row: row.wins,
    "money": lambda row: next(iter(row.money.values()), 0),
    "games": lambda row: row.games,
    "hands": lambda row: row.hands_won,
    "kalookis": lambda row: row.kalookis,
    "left": lambda row: -row.left[0] / row.left[1] if row.left[1] else -1_000_000,
}
"""The columns by which the table can be sorted, the largest first; of points left, the fewest first."""


class ShownDays(NamedTuple):
    """The days that a page shows, how they are called, and the query that asks for them."""

    asked: TableDays
    title: str
    query: Mapping[str, str]


def shown_days(record: RecordedClub) -> ShownDays:
    """Return the days in the address: from … to …, all, or by default the season, with its fewest games."""
    usual = record.club.usual
    least = usual.least if usual else 1
    if "from" in request.args or "to" in request.args:
        asked = read_days()
        words = words_of(record)
        dates = ((word, words.day(day)) for word, day in (("from", asked.first), ("to", asked.last)) if day)
        query = {name: request.args[name] for name in ("from", "to", "least") if name in request.args}
        return ShownDays(asked, " ".join(f"{word} {day}" for word, day in dates) or "All games", query)
    if "all" in request.args:
        return ShownDays(TableDays(least=least), "All games", {"all": "1"})
    first = season_start(days.today(record.zone), usual.season if usual else "")
    return ShownDays(TableDays(first, least=least), "This season", {})


@pages.get("")
def show(record: RecordedClub) -> str:
    """Show the club: the next game, the table, who owes whom, the games played last."""
    shown = shown_days(record)
    return page_of(
        record,
        "clubs/show.html",
        shown=shown,
        lines=_sorted_lines(record, shown.asked),
        sort=request.args.get("sort", ""),
        has_money=bool(currencies(record.club, record.played)),
        **_money(record),
        **_games(record, shown.asked),
        offers=_offers(record) if access.may_write(record.code) else {},
    )


def _sorted_lines(record: RecordedClub, asked: TableDays) -> list[LeagueLine]:
    """Return the table in words, in its own order or by the column in the address."""
    club, played, region = record.club, record.played, words_of(record).region
    lines = {line.person: line for line in league_words(club, played, asked, region).lines}
    key = SORTS.get(request.args.get("sort", ""))
    rows = league(club, played, *asked)
    return [lines[row.person] for row in (sorted(rows, key=key, reverse=True) if key else rows)]


def _money(record: RecordedClub) -> dict[str, Any]:
    """Return who is up and who is down in each currency, the payments that settle it, and those made."""
    words = words_of(record)
    owed = []
    for slate in slates(record.club, record.played):
        balances = sorted(slate.balances.items(), key=lambda each: (-each[1], words.name(each[0])))
        owed.append((MoneyFormat(slate.currency, words.region), balances, slate.payments))
    made = list(payments_made(words, record.entries))
    return {"owed": owed, "paid": made[:MOST_PAID], "has_more_paid": len(made) > MOST_PAID}


def _games(record: RecordedClub, asked: TableDays) -> dict[str, Any]:
    """Return the games of these days, newest first; open ones and those left out apart."""
    here = [each for each in reversed(record.played) if each.problem or not each.summary.is_over]
    over = [each for each in reversed(between(record.played, asked.first, asked.last)) if each.counts]
    return {
        "open_games": [each for each in here if not each.problem],
        "problems": [(each, _problem_words(each)) for each in here if each.problem],
        "latest": over[:MOST_LATEST],
        "earlier": _by_year(over[MOST_LATEST:]),
    }


def _by_year(games: list[Meeting]) -> dict[str, list[Meeting]]:
    years: dict[str, list[Meeting]] = {}
    for game in games:
        years.setdefault(game.summary.day[:4], []).append(game)
    return years


def _problem_words(meeting: Meeting) -> str:
    problem = meeting.problem
    if not problem:
        return ""
    return explain(Fault(problem.why, facts={"name": ", ".join(problem.names)}), load(ids()[0])).text


def _offers(record: RecordedClub) -> dict[str, str]:
    """Return the rematches of the latest games that are not in the club, by code, each with its players."""
    rematches = (
        stored_games.rematch_of(code) for each in record.played[-MOST_OFFERS:] if (code := record.code_of(each))
    )
    counted = {each.code for each in record.counted.values()}
    return {code: code for code in rematches if code and code not in counted}


@pages.get("/person/<int:person>")
def person(record: RecordedClub, person: int) -> str:
    """Show one person: what their row of the table is made of, their evenings, and whom they met."""
    club = record.club
    if person not in club.people:
        abort(404)
    shown, words = shown_days(record), words_of(record)
    whole = club.whole(person)
    games = games_of(club, record.played, whole, shown.asked.first, shown.asked.last)
    called = {each.name: MoneyFormat(each, words.region) for each in currencies(club, record.played).values()}
    rows = league(club, record.played, *shown.asked)
    return page_of(
        record,
        "clubs/person.html",
        person=person,
        whole=whole,
        shown=shown,
        row=next((each for each in rows if each.person == whole), None),
        line=next((each for each in _sorted_lines(record, shown.asked) if each.person == whole), None),
        games=games[::-1],
        extremes=best_and_worst(evenings(games)),
        opponents=opponents(club, games),
        formats=called,
        percent=percent,
        merges=merges_into(club, record.entries, person),
    )


@pages.get("/game/<int:entry>")
def seats(record: RecordedClub, entry: int) -> str:
    """Show who sat where in a game, to correct it or to drop the game from the club."""
    meeting = next((each for each in record.played if each.game.entry == entry), None) or abort(404)
    chosen = {**meeting.people, **chosen_in(typed_before())}
    return page_of(record, "clubs/seats.html", meeting=meeting, problem=_problem_words(meeting), chosen=chosen)


@pages.get("/table")
def send(record: RecordedClub) -> str:
    """Offer the table as text for a chat, on paper for the wall, and for a spreadsheet."""
    shown, words = shown_days(record), words_of(record)
    with_money = request.args.get("money") == "1"
    files: dict[str, Any] = dict(zip(("from", "to", "least"), (each or None for each in shown.asked), strict=True))
    files |= {"club": record.code, "money": "1" if with_money else None}
    league_now = league_words(record.club, record.played, shown.asked, words.region)
    return page_of(
        record,
        "clubs/send.html",
        shown=shown,
        with_money=with_money,
        text=league_text(league_now, with_money=with_money),
        csv=url_for("sheets.table_csv", **files),
        papers=[
            (label, url_for("sheets.table_pdf", paper=paper, **files))
            for paper, label in paper_choices(words.region)[:2]
        ],
    )
