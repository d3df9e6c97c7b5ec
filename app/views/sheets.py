"""Sheets: a game on paper, as a page, a PDF, a picture or a file for another program."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO

import segno
from flask import Blueprint, Response, abort, current_app, render_template, request, send_file
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import ServiceUnavailable

from app import log
from app.kalooki.cards import Malformed
from app.recording import Table
from app.sheets import press
from app.sheets.export import chat_text, file_name, spreadsheet, whole_log
from app.sheets.papers import A4, Paper, page_rules, paper_called, table_rules
from app.sheets.score import ScoreSheet, parts_of, score_sheet
from app.sheets.shelf import Made, Shelf, release
from app.views import access
from app.words import _

blueprint = Blueprint("sheets", __name__)

STYLES = ("sheet.css", "print.css")
_API = "/api/v1"
_SHELF = Shelf()


@blueprint.record_once
def _ready_the_press(setup: object) -> None:
    """The first request of any kind starts the press in the background; tests that print nothing do without."""
    app = setup.app  # type: ignore[attr-defined]
    app.extensions["press_started"] = app.testing


@blueprint.before_app_request
def _start_press() -> None:
    if not current_app.extensions["press_started"]:
        current_app.extensions["press_started"] = True
        press.warm_up()


@blueprint.get("/g/<code>/sheet")
def html(code: str) -> str:
    """The score sheet as a page, with everything it can be saved as."""
    table = access.table_or_404(code)
    sheet = _sheet(table, A4, _part(table))
    return render_template("sheets/score_page.html", sheet=sheet, address=_address(code), qr=_qr(_address(code)))


@blueprint.get(f"{_API}/games/<code>/sheet.html")
def document(code: str) -> ResponseReturnValue:
    """The score sheet as a document by itself, as it is printed."""
    return _of_game(code, lambda table: _file(table, "html", _score_html(table, linked=True).encode()))


@blueprint.get(f"{_API}/games/<code>/sheet.pdf")
def pdf(code: str) -> ResponseReturnValue:
    """The score sheet as PDF, on the paper asked for."""
    paper = _paper()
    return _of_game(code, lambda table: _file(table, "pdf", _printed(table, paper)), paper.id)


@blueprint.get(f"{_API}/games/<code>/sheet.png")
def png(code: str) -> ResponseReturnValue:
    """The score sheet as a picture."""
    paper = _paper()
    return _of_game(code, lambda table: _file(table, "png", _printed(table, paper, as_picture=True)), paper.id)


@blueprint.get(f"{_API}/games/<code>/sheet.csv")
def csv(code: str) -> ResponseReturnValue:
    """One row a hand and player, for a spreadsheet."""
    return _of_game(code, lambda table: _file(table, "csv", spreadsheet(table).encode()))


@blueprint.get(f"{_API}/games/<code>/sheet.json")
def json(code: str) -> ResponseReturnValue:
    """The whole log, which `POST /games/import` brings back."""
    return _of_game(code, lambda table: _file(table, "json", whole_log(table).encode()))


@blueprint.get(f"{_API}/games/<code>/sheet.txt")
def text(code: str) -> ResponseReturnValue:
    """A few lines for a chat."""
    return _of_game(code, lambda table: _file(table, "txt", chat_text(table, _address(code)).encode()))


_MIME = {
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
_SAVED = {"csv", "json"}
"""What is saved when it is opened; a browser shows the others."""


def _of_game(code: str, make: Callable[[Table], Made], *options: str) -> ResponseReturnValue:
    """A file of a game: from the browser's own store, from the shelf, or made now from the log as it is."""
    seen = log.version(code)
    if seen is None:
        abort(404)
    tag = _tag(code, seen, *options)
    made = _SHELF.get(tag)
    if made is None and not request.if_none_match.contains(tag):
        table = access.table_or_404(code)
        tag = _tag(code, table.seen, *options)
        made = make(table)
        _SHELF.put(tag, made)
    return _answer(made, tag)


def _tag(code: str, seen: int, *options: str) -> str:
    """Names one state of a file: what was asked for, the newest entry, the release and the address in its code."""
    asked = (request.endpoint, code, request.args.get("part", "1"), _address(code), *options)
    return f"{sha256(repr(asked).encode()).hexdigest()[:16]}-{seen}-{release()}"


def _answer(made: Made | None, tag: str) -> Response:
    """The file with its name and tag; without contents the news that the browser's own copy is still good."""
    if made is None:
        answer = Response(status=304)
        answer.set_etag(tag)
    else:
        suffix = made.name.rsplit(".", 1)[-1]
        answer = send_file(
            BytesIO(made.contents),
            mimetype=_MIME[suffix],
            as_attachment=suffix in _SAVED,
            download_name=made.name,
            conditional=True,
            etag=tag,
        )
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _file(table: Table, suffix: str, contents: bytes) -> Made:
    parts = parts_of(table.game)
    part = f" {_part(table)} of {parts}" if parts > 1 and suffix in ("pdf", "png", "html") else ""
    return Made(contents, file_name(table, f"Kalooki{part}", suffix))


def _printed(table: Table, paper: Paper, *, as_picture: bool = False) -> bytes:
    """The score sheet made by the press, the log of the game attached to it."""
    sheet = _sheet(table, paper, _part(table))
    rules = page_rules(sheet.paper, f"{_('Kalooki Referee')} · {table.code}")
    columns = table_rules(sheet.paper, len(sheet.players), contracts=sheet.has_contracts)
    attachment = None if as_picture else (file_name(table, "Kalooki", "json"), whole_log(table).encode())
    return _pressed(
        press.Job(
            _score_html(table, sheet),
            STYLES,
            rules + columns,
            attachment=attachment,
            as_picture=as_picture,
        )
    )


def _pressed(job: press.Job) -> bytes:
    try:
        return press.make(job)
    except press.Unprinted as cause:
        message = _(
            "The sheet could not be printed just now: too many are waiting, or it is too large. Try again soon."
        )
        raise ServiceUnavailable(message, retry_after=10) from cause


def _score_html(table: Table, sheet: ScoreSheet | None = None, *, linked: bool = False) -> str:
    shown = sheet or _sheet(table, A4, _part(table))
    address = _address(table.code)
    return render_template("sheets/score.html", sheet=shown, address=address, qr=_qr(address), linked=linked)


def _sheet(table: Table, paper: Paper, part: int) -> ScoreSheet:
    return score_sheet(table, paper, part)


def _part(table: Table) -> int:
    """Which file of a long game is asked for; raises Malformed where it has not so many."""
    asked, parts = request.args.get("part", "1"), parts_of(table.game)
    if asked.isascii() and asked.isdecimal() and 1 <= int(asked) <= parts:
        return int(asked)
    raise Malformed("{field}: “{word}” is not a whole number from 1 to {most}.", "part", asked, most=parts)


def _paper() -> Paper:
    return paper_called(request.args.get("paper", A4.id))


def _address(code: str) -> str:
    """Where the game opens on a phone: what the code on the sheet says."""
    base = current_app.config["BASE_URL"] or request.host_url.rstrip("/")
    return f"{base}/g/{code}"


def _qr(address: str) -> Markup:
    """The address as a code for a phone's camera."""
    title = _("Code that opens the game on a phone")
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=2, omitsize=True, title=title)
    return Markup(drawn)  # noqa: S704 - drawn by segno, the address is in its squares only
