"""The table of a club as files: to print, for a spreadsheet, for a chat."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, render_template, request

from app import days
from app.games.clubs import RecordedClub
from app.history.formats import territory_of, write_day
from app.history.league import TableDays, league_csv, league_text, league_words
from app.kalooki import readers
from app.kalooki.club.events import MOST_LEAST
from app.sheets import renderer
from app.sheets.league import league_sheet, league_sizes
from app.sheets.paper import A4, LETTER, page_css
from app.views import access
from app.views.links import PREFIX
from app.views.sheets import PrintedFile, paper_in_address, plain_name, read_separator, serve, sheets, tag_of


def read_days() -> TableDays:
    """Return which days the table in the address is of, and who is ranked; raises BadInput."""
    first, last = (readers.day(each, name) if (each := request.args.get(name)) else "" for name in ("from", "to"))
    text = request.args.get("least") or "1"
    least = readers.whole(1, MOST_LEAST).read(readers.whole_typed(text) or text, "least")
    return TableDays(first, last, least)


@sheets.get(f"{PREFIX}/clubs/<club>/table.csv")
def table_csv(club: str) -> Response:
    """Return the table as CSV, a row a person, with the money in each currency."""
    separator = read_separator()

    def write(record: RecordedClub, asked: TableDays, region: str) -> bytes:
        return league_csv(record.club, record.played, asked, region, separator).encode()

    return _of_club(club, "csv", write, separator)


@sheets.get(f"{PREFIX}/clubs/<club>/table.txt")
def table_text(club: str) -> Response:
    """Return the table as a few lines of text for a chat."""

    def write(record: RecordedClub, asked: TableDays, region: str) -> bytes:
        return league_text(league_words(record.club, record.played, asked, region), with_money=with_money).encode()

    with_money = _is_money_asked()
    return _of_club(club, "txt", write, with_money=with_money)


@sheets.get(f"{PREFIX}/clubs/<club>/table.pdf")
def table_pdf(club: str) -> Response:
    """Return the table as PDF, on the paper in the address, with money only if the address asks for it."""

    def render(record: RecordedClub, asked: TableDays, region: str) -> bytes:
        paper = paper_in_address((A4, LETTER), region)
        sheet = league_sheet(league_words(record.club, record.played, asked, region), with_money=with_money)
        html = render_template("sheets/league.html", league=sheet)
        printed_on = f"Printed {write_day(days.today(record.zone), region)}"
        css = page_css(paper, f"Kalooki Referee · {printed_on} · {sheet.title}", sheet.title)
        return renderer.make(renderer.Job(html, (renderer.Layout(css, (league_sizes(sheet, paper),)),)))

    with_money = _is_money_asked()
    return _of_club(club, "pdf", render, request.args.get("paper", "").lower(), with_money=with_money, printed=True)


def _is_money_asked() -> bool:
    return request.args.get("money") == "1"


def _of_club(
    code: str,
    suffix: str,
    make: Callable[[RecordedClub, TableDays, str], bytes],
    *options: object,
    with_money: bool = False,
    printed: bool = False,
) -> Response:
    """Return a file of the club as it is now; it is made once per version of the club, days and region."""
    record, span = access.get_club(code), read_days()
    region = territory_of(record.zone) or access.region()
    today = days.today(record.zone)
    tag = tag_of(code, record.version, span, region, today, with_money, *options)

    def render() -> tuple[str, PrintedFile]:
        title = "table with money" if with_money else "table"
        name = plain_name(f"Kalooki {record.club.name} {title} {today}", suffix)
        return tag, PrintedFile(make(record, span, region), name)

    return serve(tag, render, (code, record.version), printed=printed)
