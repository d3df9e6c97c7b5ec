"""What a club shows: its table, its money, its games, and each of its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import abort, render_template, request, url_for
from markupsafe import Markup

from app import days
from app.games.clubs import RecordedClub
from app.games.recording import RecordedGame, open_game
from app.history.club import ClubWords, merges_of, payments_made
from app.history.formats import MoneyFormat
from app.history.league import LeagueLine, LeagueWords, TableDays, league_text, league_words, percent
from app.history.phrases import stakes_words
from app.kalooki.club.events import AddGame
from app.kalooki.club.fold import Meeting
from app.kalooki.club.league import LeagueRow, Slate, between, currencies, league, season_start, slates
from app.kalooki.club.person import best_and_worst, evenings, games_of, opponents
from app.kalooki.faults import Fault
from app.kalooki.money import Currency
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
MOST_REGULARS = 40
MOST_OFFERS = 3
"""The most games, of those played last, whose rematch is looked for."""

SORTS: Mapping[str, Callable[[LeagueRow], Any]] = {
    "won": lambda row: row.wins,
    "games": lambda row: row.games,
    "hands": lambda row: row.hands_won,
    "kalookis": lambda row: row.kalookis,
    "left": lambda row: -row.left[0] / row.left[1] if row.left[1] else -1_000_000,
}
"""The columns by which the table can be sorted, besides money: the largest first; of points left, the fewest first."""


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
    evening = days.day_at_table(days.on_the_wall(days.now(), record.zone))
    first = season_start(evening, usual.season if usual else "")
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
        exceptions=_words(record, shown.asked).exceptions,
        is_one_enough=_is_one_enough(_rows(record, shown.asked), shown.asked.least),
        has_money=bool(_currencies(record)),
        **_money(record),
        **_games(record, shown.asked),
        offers=_offers(record) if access.may_write(record.code) else {},
        was_payment_refused="paid" in typed_before(),
        is_tried=access.sample_game() == record.code,
    )


def _rows(record: RecordedClub, asked: TableDays) -> tuple[LeagueRow, ...]:
    return record.once(("rows", asked), lambda: league(record.club, record.played, *asked))


def _is_one_enough(rows: tuple[LeagueRow, ...], least: int) -> bool:
    """Return whether somebody is ranked by a single game beside others who have played three or more."""
    games = {row.games for row in rows}
    return least == 1 and 1 in games and max(games) > 2


def _words(record: RecordedClub, asked: TableDays) -> LeagueWords:
    region = words_of(record).region
    return record.once(("words", asked, region), lambda: league_words(record.club, record.played, asked, region))


def _currencies(record: RecordedClub) -> dict[str, Currency]:
    return record.once("currencies", lambda: currencies(record.club, record.played))


def _slates(record: RecordedClub) -> tuple[Slate, ...]:
    return record.once("slates", lambda: slates(record.club, record.played))


def _sorted_lines(record: RecordedClub, asked: TableDays) -> list[LeagueLine]:
    """Return the table in words, in its own order or by the column in the address."""
    lines = {line.person: line for line in _words(record, asked).lines}
    main = next((each.name for each in _currencies(record).values()), "")
    sorts = {**SORTS, "money": lambda row: row.money.get(main, 0)}
    key = sorts.get(request.args.get("sort", ""))
    rows = _rows(record, asked)
    return [lines[row.person] for row in (sorted(rows, key=key, reverse=True) if key else rows)]


def _money(record: RecordedClub) -> dict[str, Any]:
    """Return who is up and who is down in each currency, the payments that settle it, and those made."""
    words = words_of(record)
    owed = []
    for slate in _slates(record):
        balances = sorted(slate.balances.items(), key=lambda each: (-each[1], words.name(each[0])))
        owed.append((MoneyFormat(slate.currency, words.region), balances, slate.payments))
    key = "paid", words.region, words.today
    payments = record.once(key, lambda: payments_made(words, record.entries, record.stamps))
    return {"owed": owed, "paid": payments[:MOST_PAID], "has_more_paid": len(payments) > MOST_PAID}


def _games(record: RecordedClub, asked: TableDays) -> dict[str, Any]:
    """Return the games of these days, newest first; open, deleted and left-out ones apart, of all days."""
    words = words_of(record)
    left_out = [each for each in reversed(record.played) if each.problem]
    over = [each for each in reversed(between(record.played, asked.first, asked.last)) if each.counts]
    return {
        "open_games": open_games(record),
        "problems": [(each, _problem_words(each), _remedy(each)) for each in left_out if not is_gone(each)],
        "deleted": [each for each in left_out if is_gone(each)],
        "latest": over[:MOST_LATEST],
        "earlier": record.once(("earlier", asked, words.region, words.today), lambda: _by_year(record, words, over)),
    }


class OpenGame(NamedTuple):
    """A game that is not over: its code, whether this device records in it, and on which device it was added."""

    meeting: Meeting
    code: str | None
    records: bool
    device: str


def open_games(record: RecordedClub) -> list[OpenGame]:
    """Return the games that are not over, newest first."""
    games = [each for each in reversed(record.played) if not each.problem and not each.summary.is_over]
    return [_open_game(record, each, record.code_of(each)) for each in games]


def _open_game(record: RecordedClub, meeting: Meeting, code: str | None) -> OpenGame:
    actor = record.log.entries[meeting.game.entry - 1].actor
    other = actor if actor == "another device" else f"another device ({actor})"
    device = "this device" if code and access.has_started(code) else other
    return OpenGame(meeting, code, bool(code and access.may_write(code)), device)


def last_game(record: RecordedClub) -> RecordedGame | None:
    """Return the club's game of the latest day that is not left out and can still be opened."""
    codes = (record.code_of(each) for each in reversed(record.played) if not each.problem)
    return next((game for code in codes if code and (game := open_game(code))), None)


def beside_next_game(record: RecordedClub) -> dict[str, Any]:
    """Return what the form for the club's next game shows: its people, who played last first, its usual stakes."""
    usual, last, words = record.club.usual, last_game(record), words_of(record)
    stakes = usual.stakes if usual else last.game.stakes if last else None
    latest = [person for each in reversed(record.played) for person in each.people.values()]
    others = [person for person in record.club.people if person not in record.club.merged]
    company = {record.club.people[each]: None for each in list(dict.fromkeys([*latest, *others]))[:MOST_REGULARS]}
    return {
        "of_club": record,
        "words": words,
        "company": company,
        "open_games": open_games(record),
        "stakes_told": stakes_words(stakes or {}, words.region),
        "changed_at": url_for("clubs.next_game", code=record.code, change=1),
    }


def _by_year(record: RecordedClub, words: ClubWords, games: list[Meeting]) -> str:
    """Return a list of the earlier games for each year, as HTML."""
    years: dict[str, list[Meeting]] = {}
    for game in games[MOST_LATEST:]:
        years.setdefault(game.summary.day[:4], []).append(game)
    return Markup(render_template("clubs/earlier.html", record=record, words=words, years=years))  # noqa: S704 - escaped by the template


def is_gone(meeting: Meeting) -> bool:
    """Return whether a game was deleted."""
    return meeting.problem is not None and meeting.problem.why == "gone"


def _problem_words(meeting: Meeting) -> str:
    problem = meeting.problem
    if not problem:
        return ""
    return explain(Fault(problem.why, facts={"name": ", ".join(problem.names)}), load(ids()[0])).text


def _remedy(meeting: Meeting) -> str:
    """Return the label of the link to a game that is left out."""
    is_unclear = meeting.problem is not None and meeting.problem.why in ("seat-unknown", "person-twice")
    return "Say who sat where" if is_unclear else "Look at it"


def _offers(record: RecordedClub) -> dict[str, object]:
    """Return the rematches of the latest games that were never in the club, by code, each with its label."""
    rematches = (
        stored_games.rematch_of(code) for each in record.played[-MOST_OFFERS:] if (code := record.code_of(each))
    )
    added = {entry.event.code for entry in record.entries if isinstance(entry.event, AddGame)}
    here = {code: open_game(code) for code in rematches if code and code not in added}
    return {code: game.label for code, game in here.items() if game}


@pages.get("/person/<int:person>")
def person(record: RecordedClub, person: int) -> str:
    """Show one person: what their row of the table is made of, their evenings, and whom they met."""
    club = record.club
    if person not in club.people:
        abort(404)
    shown, words = shown_days(record), words_of(record)
    whole = club.whole(person)
    games = games_of(club, record.played, whole, shown.asked.first, shown.asked.last)
    by_day = evenings(games)
    called = {each.name: MoneyFormat(each, words.region) for each in _currencies(record).values()}
    return page_of(
        record,
        "clubs/person.html",
        person=person,
        whole=whole,
        shown=shown,
        row=next((each for each in _rows(record, shown.asked) if each.person == whole), None),
        line=next((each for each in _sorted_lines(record, shown.asked) if each.person == whole), None),
        games=games[::-1],
        several={each.day for each in by_day if len(each.games) > 1},
        extremes=best_and_worst(by_day),
        opponents=opponents(club, games),
        formats=called,
        percent=percent,
        merges=merges_of(club, record.entries, person),
        owed=_owed_to(record, whole),
        paid=payments_made(words, record.entries, record.stamps, whole),
    )


def _owed_to(record: RecordedClub, person: int) -> list[tuple[MoneyFormat, int]]:
    """Return what a person is owed now in each currency; negative if they owe."""
    region = words_of(record).region
    return [
        (MoneyFormat(slate.currency, region), slate.balances[person])
        for slate in _slates(record)
        if person in slate.balances
    ]


@pages.get("/game/<int:entry>")
def seats(record: RecordedClub, entry: int) -> str:
    """Show who sat where in a game, to correct it or to drop the game from the club."""
    meeting = next((each for each in record.played if each.game.entry == entry), None) or abort(404)
    typed = typed_before().get("people", {})
    now, problem = record.code_of(meeting), _problem_words(meeting)
    return page_of(
        record,
        "clubs/seats.html",
        meeting=meeting,
        problem=problem,
        chosen={**meeting.people, **chosen_in(typed)},
        asks_who=bool(problem or typed),
        now=now,
        records=bool(now and access.may_write(now)),
    )


@pages.get("/table")
def send(record: RecordedClub) -> str:
    """Offer the table as text for a chat, on paper for the wall, and for a spreadsheet."""
    shown, words = shown_days(record), words_of(record)
    with_money = request.args.get("money") == "1"
    files: dict[str, Any] = dict(zip(("from", "to", "least"), (each or None for each in shown.asked), strict=True))
    files |= {"club": record.code, "money": "1" if with_money else None}
    return page_of(
        record,
        "clubs/send.html",
        shown=shown,
        with_money=with_money,
        text=league_text(_words(record, shown.asked), with_money=with_money),
        csv=url_for("sheets.table_csv", **files),
        papers=[
            (label, url_for("sheets.table_pdf", paper=paper, **files))
            for paper, label in paper_choices(words.region)[:2]
        ],
    )
