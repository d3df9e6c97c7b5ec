"""A game's score sheet as a page, a PDF or a picture, and the game as a file for other programs."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, render_template, request
from markupsafe import Markup

from app.games import recording
from app.games.recording import RecordedGame, whole_log
from app.history.formats import region_of
from app.history.spreadsheet import SEPARATORS, csv_text
from app.history.standings import chat_text, open_text
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.sheets import pdf_press
from app.sheets.paper import A4, A5, LETTER, Paper, bare_css, for_weak_eyes, page_css, readable, without_letters
from app.sheets.payments import payment_sizes, payments_of_games
from app.sheets.result import DOTS_A_POINT, result_layouts, result_of
from app.sheets.score_sheet import ScoreSheet, Wishes, score_layouts, score_sheet
from app.store import database
from app.views import access, device, links
from app.views.links import PREFIX
from app.views.print.files import PrintedFile, file_name, paper_asked, plain_name, serve, sheets, tag_of

ON_PAPER = frozenset({"print", "place"})
"""The options of a sheet on paper, besides the paper."""
DOTS = 1.82
"""Pixels per point for paper as a picture."""


@sheets.get("/g/<code>/sheet")
def html(code: str) -> str:
    """Show the score sheet as a page, with every format in which it can be saved."""
    record = access.get_game(code)

    def render() -> str:
        return render_template("sheets/score_article.html", sheet=score_sheet(readable(record)), **_opening(code))

    article = recording.render_once(record, ("sheet", links.base_address()), render)
    return render_template(
        "sheets/score_page.html",
        table=record,
        code=code,
        article=Markup(article),  # noqa: S704 - rendered by a template that escapes
        place=record.game.place,
        most_place=readers.MOST_PLACE,
        lacking=without_letters(player.name for player in record.game.players.values()),
    )


@sheets.get(f"{PREFIX}/games/<code>/sheet.html")
def document(code: str) -> Response:
    """Return the score sheet as a document of its own, exactly as printed."""
    return _text_file(code, "html", lambda record: _score_html(record, linked=True))


@sheets.get(f"{PREFIX}/games/<code>/sheet.pdf")
def pdf(code: str) -> Response:
    """Return the score sheet as PDF, on the paper in the address."""
    return _of_game(code, lambda record: _file(record, "pdf", _print_sheet(record, _paper_for(record))), _asked_paper())


@sheets.get(f"{PREFIX}/games/<code>/sheet.png")
def png(code: str) -> Response:
    """Return the result as a picture for a phone, or the score sheet as a picture if the address has paper options."""
    if not request.args.get("paper") and ON_PAPER.isdisjoint(request.args):
        return result_picture(code)
    return _of_game(
        code, lambda record: _file(record, "png", _print_sheet(record, _paper_for(record), DOTS)), _asked_paper()
    )


def _asked_paper() -> str:
    return request.args.get("paper", "").lower()


def _paper_for(record: RecordedGame) -> Paper:
    """Return the paper in the address, by default that of the table’s region."""
    return paper_asked((A4, LETTER, A5), region_of(record.game))


@sheets.get(f"{PREFIX}/games/<code>/sheet.csv")
def csv(code: str) -> Response:
    """Return CSV with one row per player for each hand, and for anything else that moved points or money.

    The separator is named in the address, or is what spreadsheets of the table's region expect.
    """
    separator = request.args.get("separator", "")
    if "separator" in request.args and separator not in SEPARATORS:
        raise BadInput(
            "{field}: “{word}” is not one of: {choices}.", "separator", separator, choices=", ".join(SEPARATORS)
        )
    return _text_file(code, "csv", lambda record: csv_text(record, separator), separator)


@sheets.get(f"{PREFIX}/games/<code>/sheet.json")
def json(code: str) -> Response:
    """Return the whole log, which `POST /games/import` restores."""
    return _text_file(code, "json", whole_log)


@sheets.get(f"{PREFIX}/games/<code>/sheet.txt")
def text(code: str) -> Response:
    """Return a few lines of text with what is still open between the players."""
    return _text_file(code, "txt", lambda record: open_text(record, _address(code)))


@sheets.get("/g/<code>/result.txt")
def result_text(code: str) -> Response:
    """Return the result as a few lines of text for a chat."""
    return _text_file(code, "txt", lambda record: chat_text(record, _address(code)))


@sheets.get("/g/<code>/result.png")
def result_picture(code: str) -> Response:
    """Return the result as a picture for a phone."""
    return _of_game(code, lambda record: _file(record, "png", _result(record)))


def _result(record: RecordedGame) -> bytes:
    result = result_of(readable(record))
    html = render_template("sheets/result.html", result=result)
    return pdf_press.make(pdf_press.Job(html, result_layouts(result), dots=DOTS_A_POINT))


@sheets.get("/evening/payments.pdf")
def payments() -> Response:
    """Return a PDF of who pays whom over several games, with boxes to tick."""
    paper = paper_asked((A4, LETTER, A5), device.region())
    paper = for_weak_eyes(paper) if _wishes().large else paper
    codes = access.read_codes()
    seen = [_newest_entry(code) for code in codes]

    def render() -> tuple[str, PrintedFile]:
        records = access.get_games(codes)
        name = plain_name(f"Kalooki payments {records[0].evening}", "pdf")
        return tag_of(codes, [record.seen for record in records], paper), PrintedFile(_payments(records, paper), name)

    return serve(tag_of(codes, seen, paper), render, (*codes, *seen))


def _payments(records: list[RecordedGame], paper: Paper) -> bytes:
    owed = payments_of_games([readable(record) for record in records])
    where = links.address("evenings.settle", game=[record.code for record in records])
    facts = {"payments": owed, "address": links.spelled_out(links.base_address())}
    facts["qr"] = links.code_inline(where, "Code that opens the settlement on a phone")
    html = render_template("sheets/payments.html", **facts)
    layout = pdf_press.Layout(page_css(paper, owed.title), (payment_sizes(paper),))
    return pdf_press.make(pdf_press.Job(html, (layout,)))


def _own_copy(record: RecordedGame) -> tuple[str, bytes]:
    """Return the name and contents of the whole game as a file to embed in a PDF; any PDF reader can show the name."""
    return f"kalooki-{record.code}.json", whole_log(record).encode()


def _text_file(code: str, suffix: str, write: Callable[[RecordedGame], str], *options: str) -> Response:
    """Return a file of the current game that does not need the PDF renderer."""
    return _of_game(code, lambda record: _file(record, suffix, write(record).encode()), *options, printed=False)


def _of_game(code: str, make: Callable[[RecordedGame], PrintedFile], *options: str, printed: bool = True) -> Response:
    """Return a file of the current game; its tag depends on the newest entry, so it is rendered once per entry."""
    seen = _newest_entry(code)
    tag_parts = (code, _wishes(), *options)

    def render() -> tuple[str, PrintedFile]:
        record = access.get_game(code)
        return tag_of(*tag_parts, record.seen), make(record)

    return serve(tag_of(*tag_parts, seen), render, (code, seen, bool(options)), printed=printed)


def _newest_entry(code: str) -> int:
    """Return the number of a game's newest entry, on which its sheets depend; abort without such a game."""
    version = database.version(code) or access.abort_missing(code)
    return version.seen


def _file(record: RecordedGame, suffix: str, contents: bytes) -> PrintedFile:
    return PrintedFile(contents, file_name(record, "Kalooki", suffix))


def _print_sheet(record: RecordedGame, paper: Paper, dots: float = 0) -> bytes:
    """Return the rendered score sheet; a PDF has the game's log attached."""
    wishes = _wishes()
    paper = for_weak_eyes(paper) if wishes.large else paper
    sheet = score_sheet(readable(record), paper, wishes)
    head = f"{sheet.headline} · {sheet.head[0]}"  # of later pages: who won, what was played, and when

    def css_of(page: Paper) -> str:
        return bare_css(page) if dots else page_css(page, _foot_of(sheet), head)

    job = pdf_press.Job(
        _score_html(record, sheet),
        score_layouts(sheet, paper, css_of, large=wishes.large),
        attachments=() if dots else (_own_copy(record),),
        dots=dots,
    )
    return pdf_press.make(job)


def _wishes() -> Wishes:
    """Return the options in the address besides the paper.

    Raises BadInput, for example if the place is too long for the sheet's head.
    """
    place = request.args.get("place", "")
    if len(place) > readers.MOST_PLACE:  # counted with all spaces, as the maximum length in the OpenAPI document is
        facts = {"least": 0, "most": readers.MOST_PLACE, "count": len(place)}
        raise BadInput("{field}: write {least} to {most} characters, not {count}.", "place", place, **facts)
    size = request.args.get("print")
    if size not in (None, "large"):
        raise BadInput("{field}: “{word}” isn’t a size; leave it out or ask for large.", "print", size)
    folded = readers.text(0, readers.MOST_PLACE)(place, "place")
    return Wishes(large=size == "large", place=folded)


def _foot_of(sheet: ScoreSheet) -> str:
    """Return the foot that identifies later pages: the variant, the day and the players."""
    return " · ".join(filter(None, (sheet.name, sheet.day, ", ".join(sheet.players))))


def _score_html(record: RecordedGame, sheet: ScoreSheet | None = None, *, linked: bool = False) -> str:
    sheet = sheet or score_sheet(readable(record), wishes=_wishes())
    return render_template("sheets/score.html", sheet=sheet, linked=linked, **_opening(record.code))


def _address(code: str) -> str:
    """Return the address at which the game opens on a phone, as printed."""
    return links.spelled_out(links.address("games.show", code=code))


def _opening(code: str) -> dict[str, str]:
    """Return the address at which the game opens on a phone, and its QR code."""
    qr = links.code_inline(links.address("games.show", code=code), "Code that opens the game on a phone")
    return {"address": _address(code), "qr": qr}
