"""Sheets as pages, PDFs, pictures and files: of a game, of several, blank, and rules cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cachetools import LRUCache, TTLCache
from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import ServiceUnavailable
from wtforms import Form, StringField

from app.forms.entry import CurrencyField, blame, folded
from app.games import recording
from app.games.recording import RecordedGame, whole_log
from app.history.formats import MoneyFormat, currency_of, read_amount, read_currency, region_of
from app.history.phrases import NO_STAKES, WrittenStakes, began_at, write_stakes
from app.history.record import History
from app.history.spreadsheet import SEPARATORS, csv_text
from app.history.standings import chat_text
from app.history.timeline import difference
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.game.evening import dealer_after
from app.kalooki.money import Currency
from app.kalooki.readers import whole_typed
from app.kalooki.rules.wording import differing
from app.kalooki.variants import STAKES, Variant, all_variants, load
from app.settings import ROOT
from app.sheets import renderer
from app.sheets.blank_sheet import blank_layouts, blank_sheet
from app.sheets.paper import (
    A4,
    A5,
    LETTER,
    Paper,
    bare_css,
    find_paper,
    large_print,
    page_css,
    readable,
    usual_paper,
    without_letters,
)
from app.sheets.payments import payment_sizes, payments_of_games
from app.sheets.result import DOTS_A_POINT, result_layouts, result_of
from app.sheets.rules_card import card_sizes, most_disputed, rules_card
from app.sheets.score_sheet import PrintOptions, ScoreSheet, score_layouts, score_sheet
from app.store import database
from app.views import access, limits, links
from app.views.game import pages
from app.views.links import PREFIX, address, base_address, code_inline, spelled_out

sheets = Blueprint("sheets", __name__)

MOST_BYTES = 24 * 1024 * 1024


class NotPrinted(ServiceUnavailable):
    """What was asked for cannot be printed now."""

    title = "This can’t be printed now"


class PrintedFile(NamedTuple):
    """A file ready to send, and the name under which it is saved."""

    contents: bytes
    name: str


_CACHE: LRUCache[str, PrintedFile] = LRUCache(MOST_BYTES, getsizeof=lambda file: len(file.contents))
_CACHE_LOCK = Lock()
RETRY_AFTER = 600
"""Seconds until what took too much time or memory is tried again."""
_FAILED: TTLCache[Hashable, bool] = TTLCache(1_000, RETRY_AFTER)
_CANNOT_PRINT = (
    "This is too long to be printed: it took too much time or memory. The page of the score sheet and the CSV have"
    " every line."
)
_NO_PRINTER = "The program that prints did not start here. Whoever runs this server finds why in its log."
_DOWNLOADED = {"csv", "json"}
"""The types that are downloaded; browsers show the others."""
_MOST_NAME = 80
_NOT_IN_NAMES = str.maketrans("", "", '\\/:*?"<>|')


def serve(
    tag: str, make: Callable[[], tuple[str, PrintedFile]], about: Hashable = None, *, printed: bool = True
) -> Response:
    """Return a file from the browser's cache, from ours, or rendered now; `make` returns its tag and the file.

    Printing counts as heavy work. After waiting for it, the same file may have been made by another request. `about` is
    what the size of the file depends on: if that was too much, it is not tried again for a while.
    """
    file = _find_cached(tag)
    if file is None and not request.if_none_match.contains_weak(tag):
        if printed:
            with _CACHE_LOCK:
                if (about or tag) in _FAILED:
                    raise NotPrinted(_CANNOT_PRINT, retry_after=RETRY_AFTER)
            limits.require("papers")
        with limits.heavy_slot() if printed else nullcontext():
            file = _find_cached(tag)
            if file is None:
                if printed:
                    limits.count("papers")
                tag, file = _make_file(make, about or tag)
                _cache(tag, file)
    return _answer(file, tag)


def _make_file(make: Callable[[], tuple[str, PrintedFile]], about: Hashable) -> tuple[str, PrintedFile]:
    """Return the tag and the file; raises NotPrinted, or Busy."""
    try:
        return make()
    except renderer.Exhausted as cause:
        with _CACHE_LOCK:
            _FAILED[about] = True
        limits.count("papers", limits.FAILURE_COST)
        raise NotPrinted(_CANNOT_PRINT, retry_after=RETRY_AFTER) from cause
    except renderer.Occupied as cause:
        raise limits.Busy from cause
    except ChildProcessError as cause:
        current_app.logger.exception("the program that prints did not start")
        raise NotPrinted(_NO_PRINTER, retry_after=60) from cause


def _find_cached(tag: str) -> PrintedFile | None:
    with _CACHE_LOCK:
        return _CACHE.get(tag)


def _cache(tag: str, file: PrintedFile) -> None:
    with _CACHE_LOCK, suppress(ValueError):  # larger than the cache
        _CACHE[tag] = file


def start_renderer_early(app: Flask) -> None:
    """Start the renderer when the first page has been served, not with the first sheet."""
    waits = Lock()

    def start(response: Response) -> Response:
        if response.mimetype == "text/html" and waits.acquire(blocking=False):
            response.call_on_close(renderer.start)
        return response

    app.after_request(start)


@cache
def release() -> str:
    """Return a hash of the code, templates and styles that produce sheets, because another release changes them."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]


def clear_cache() -> None:
    """Drop all cached files: one may be of a deleted game, and the others are soon rendered again."""
    with _CACHE_LOCK:
        _CACHE.clear()


def tag_of(*parts: object) -> str:
    """Return the tag of a file, from everything it depends on: `parts`, the release, and the address in its QR code."""
    depends = (request.endpoint, parts, base_address())
    return f"{sha256(repr(depends).encode()).hexdigest()[:16]}-{release()}"


def _answer(file: PrintedFile | None, tag: str) -> Response:
    """Return the response with a file, its name and tag, or 304 without a file."""
    if file is None:
        answer = Response(status=304)
    else:
        suffix = file.name.rsplit(".", 1)[-1]
        answer = send_file(
            BytesIO(file.contents),
            as_attachment=suffix in _DOWNLOADED,
            download_name=file.name,
            conditional=True,
            etag=tag,
        )
    answer.set_etag(tag, weak=True)  # weak: it is the same for any compression
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def file_name(history: History, what: str, suffix: str) -> str:
    """Return a file name that people recognise in a folder: what it is, the day, the place, the time, the players.

    Leaves out characters that file systems or HTTP headers do not accept.
    """
    players = " ".join(history.game.name(seat) for seat in history.game.order)
    day, _, clock = began_at(history).replace(":", ".").partition(" ")
    return plain_name(f"{what} {day} {history.game.place} {clock} {players}", suffix)


def plain_name(words: str, suffix: str) -> str:
    """Return any text as a file name.

    >>> plain_name('Kalooki  A/B: "x"', "pdf")
    'Kalooki AB x.pdf'
    """
    chars = (sign if sign == " " or unicodedata.category(sign)[0] not in "CZ" else "" for sign in words)
    spaced = " ".join("".join(chars).translate(_NOT_IN_NAMES).split())
    return f"{spaced[:_MOST_NAME].strip(' .')}.{suffix}"


def paper_in_address(papers: tuple[Paper, ...], region: str) -> Paper:
    """Return the paper in the address, by default the region’s; raises BadInput for an unknown one."""
    return find_paper(request.args.get("paper") or usual_paper(region).id, papers)


ON_PAPER = frozenset({"print", "place"})
"""The options of a sheet on paper, besides the paper."""
DOTS = 1.82
"""Pixels per point for paper as a picture."""


@pages.get("/sheet")
def sheet(record: RecordedGame) -> str:
    """Show the score sheet as a page, with every format in which it can be saved."""
    code = record.code

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
    return paper_in_address((A4, LETTER, A5), region_of(record.game))


@sheets.get(f"{PREFIX}/games/<code>/sheet.csv")
def csv(code: str) -> Response:
    """Return CSV with one row per player for each hand, and for anything else that moved points or money.

    The separator is named in the address, or is what spreadsheets of the table's region expect.
    """
    separator = read_separator()
    return _text_file(code, "csv", lambda record: csv_text(record, separator), separator)


def read_separator() -> str:
    """Return the cell separator named in the address, empty without one; raises BadInput for an unknown one."""
    separator = request.args.get("separator", "")
    if "separator" in request.args and separator not in SEPARATORS:
        raise BadInput(
            "{field}: “{word}” is not one of: {choices}.", "separator", separator, choices=", ".join(SEPARATORS)
        )
    return separator


@sheets.get(f"{PREFIX}/games/<code>/sheet.json")
def json(code: str) -> Response:
    """Return the whole log, which `POST /games/import` restores."""
    return _text_file(code, "json", whole_log)


@sheets.get(f"{PREFIX}/games/<code>/sheet.txt")
def text(code: str) -> Response:
    """Return a few lines of text with what is still open between the players."""
    return _text_file(code, "txt", lambda record: chat_text(record, _address(code), only_open=True))


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
    return renderer.make(renderer.Job(html, result_layouts(result), dots=DOTS_A_POINT))


@sheets.get("/evening/payments.pdf")
def payments() -> Response:
    """Return a PDF of who pays whom over several games, with boxes to tick."""
    paper = paper_in_address((A4, LETTER, A5), access.region())
    paper = large_print(paper) if print_options().large else paper
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
    layout = renderer.Layout(page_css(paper, owed.title), (payment_sizes(paper),))
    return renderer.make(renderer.Job(html, (layout,)))


def _text_file(code: str, suffix: str, write: Callable[[RecordedGame], str], *options: str) -> Response:
    """Return a file of the current game that does not need the PDF renderer."""
    return _of_game(code, lambda record: _file(record, suffix, write(record).encode()), *options, printed=False)


def _of_game(code: str, make: Callable[[RecordedGame], PrintedFile], *options: str, printed: bool = True) -> Response:
    """Return a file of the current game; its tag depends on the newest entry, so it is rendered once per entry."""
    seen = _newest_entry(code)
    tag_parts = (code, print_options(), *options)

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
    """Return the rendered score sheet; a PDF has the game's log attached, in a file any PDF reader can name.

    Its foot identifies later pages, and so does their head: who won, what was played, and when.
    """
    options = print_options()
    paper = large_print(paper) if options.large else paper
    sheet = score_sheet(readable(record), paper, options)
    head = f"{sheet.headline} · {sheet.head[0]}"
    foot = " · ".join(filter(None, (sheet.name, sheet.day, ", ".join(sheet.players))))

    def css_of(page: Paper) -> str:
        return bare_css(page) if dots else page_css(page, foot, head)

    job = renderer.Job(
        _score_html(record, sheet),
        score_layouts(sheet, paper, css_of, large=options.large),
        attachments=() if dots else ((f"kalooki-{record.code}.json", whole_log(record).encode()),),
        dots=dots,
    )
    return renderer.make(job)


def print_options() -> PrintOptions:
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
    return PrintOptions(large=size == "large", place=folded)


def _score_html(record: RecordedGame, sheet: ScoreSheet | None = None, *, linked: bool = False) -> str:
    sheet = sheet or score_sheet(readable(record), options=print_options())
    return render_template("sheets/score.html", sheet=sheet, linked=linked, **_opening(record.code))


def _address(code: str) -> str:
    """Return the address at which the game opens on a phone, as printed."""
    return links.spelled_out(links.address("games.show", code=code))


def _opening(code: str) -> dict[str, str]:
    """Return the address at which the game opens on a phone, and its QR code."""
    qr = links.code_inline(links.address("games.show", code=code), "Code that opens the game on a phone")
    return {"address": _address(code), "qr": qr}


FEWEST = 2
PAPERS = (A4, LETTER, A5)
_ASKED_AT = {
    "sheets.ask_for_blank": "blank",
    "sheets.blank": "blank",
    "sheets.rules_card": "cards",
}
"""The section of the Print page that asks for each file."""


class BlankSheetForm(Form):
    """Asks who plays, and for how much; the view of the sheet validates it."""

    names = StringField("Names, with commas between")
    players = StringField("Number of players")
    unit = StringField("Stake")
    currency = CurrencyField("Currency", readers.currency)

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Read the form, after setting the region whose currency signs apply."""
        self.currency.region = access.region()
        super().process(*args, **kwargs)

    def blame(self, wrong: BadInput) -> None:
        """Show an error at its field, without the field's name, which is the label."""
        text = wrong.say().removeprefix(f"{wrong.field}: ")
        blame(self, next((each for each in self if each.name == wrong.field), None), text)


@sheets.get("/sheets")
def choose() -> str:
    """Show the choice of a blank sheet or a rules card, filled in from the address."""
    currency = access.last_currency() or currency_of(access.region()) or readers.CURRENCY
    return _choose_page(BlankSheetForm(request.args, data={"currency": currency}))


def _choose_page(form: BlankSheetForm) -> str:
    setup = access.last_setup() or {}
    names = ", ".join(setup.get("players", ()))
    return render_template(
        "sheets/choose.html", form=form, region=access.region(), last_variant=setup.get("variant"), last_names=names
    )


def where_asked() -> str | None:
    """Return the address of the Print page with what this request asked for; None if the request has another page."""
    part = _ASKED_AT.get(request.endpoint or "")
    if part is None:
        return None
    return f"{url_for('sheets.choose')}?{urlencode([*request.args.items(multi=True)])}#{part}"


def relabel_error(wrong: BadInput) -> str:
    """Return an error with its field named as on the Print page."""
    labels = {"paper": "Paper"} | {each.name: each.label.text for each in BlankSheetForm()}
    return (wrong.at(labels[wrong.field]) if wrong.field in labels else wrong).say()


@sheets.get("/sheets/blank")
def ask_for_blank() -> ResponseReturnValue:
    """Redirect to the blank sheet that was asked for, or show the page again with what was typed and the error."""
    try:
        _read_table()
        paper_in_address(PAPERS, access.region())
    except BadInput as wrong:
        form = BlankSheetForm(request.args)
        form.blame(wrong)
        return _choose_page(form), 422
    query = urlencode([*request.args.items(multi=True)])
    return redirect(f"{url_for('sheets.blank')}?{query}", 303)


@sheets.get(f"{PREFIX}/sheets/blank.pdf")
def blank() -> Response:
    """Return a score sheet to fill in by hand, for a variant or for the table of a game."""
    code = request.args.get("game", "")
    variant, base, players, stakes, dealer, region = _read_table()
    paper = paper_in_address(PAPERS, region)
    written = write_stakes(stakes, region)
    differences = differing(variant, base, written.by_value)
    tag = tag_of(_values(variant), differences, players, paper, written, dealer, code)

    def make() -> tuple[str, PrintedFile]:
        differs = [difference(each) for each in most_disputed(differences) if each.key != "contracts"]
        sheet = blank_sheet(variant, players, paper, written, dealer, differs)
        copying = copying_address(variant, players, stakes, code)
        qr = code_inline(copying, "Code that opens the page for copying a sheet back")
        copy_at = spelled_out(address("copying.start"))
        page = render_template("sheets/blank.html", sheet=sheet, address=copy_at, qr=qr)
        layouts = blank_layouts(sheet, paper, lambda turned: page_css(turned, "Kalooki Referee"))
        pdf = renderer.make(renderer.Job(page, layouts))
        return tag, PrintedFile(pdf, plain_name(f"{sheet.variant.name} blank sheet {' '.join(players)}", "pdf"))

    return serve(tag, make)


def copying_address(variant: Variant, players: Sequence[str], stakes: Mapping[str, Any] | None, code: str = "") -> str:
    """Return the address at which a sheet is entered later, filled in with its rules, names and stakes."""
    facts = {"variant": variant.id} | ({"rules": code} if code else {})
    if any(players):
        facts["names"] = ",".join(filter(None, players))
    if stakes:
        money_format = MoneyFormat(Currency.of(stakes))  # it is read without a region
        units = {name: getattr(variant, f"stake_{name}") for name in STAKES}
        one = next((stakes[name] // units[name] for name in STAKES if units[name]), 0)
        if all(stakes.get(name, 0) == units[name] * one for name in STAKES):
            facts["unit"] = money_format.plain(one)
        else:
            facts |= {name: money_format.plain(stakes[name]) for name in STAKES if name in stakes}
        facts["currency"] = money_format.currency.name
    return address("copying.start", **facts)


class _Table(NamedTuple):
    variant: Variant
    base: Variant
    players: tuple[str, ...]
    stakes: dict[str, Any] | None
    dealer: int | None
    region: str


def _read_table() -> _Table:
    """Return the table of the game in the address, or one made from the other parameters; raises BadInput.

    `variant` includes house rules and `base` does not; `dealer` is the index of the next dealer among the players.
    """
    code = request.args.get("game", "")
    if code:
        game = access.get_game(code).game
        names = tuple(game.name(seat) for seat in game.order)
        dealer = dealer_after(game, game.order) if game.finish else game.next_dealer  # over: that of a rematch
        place = None if dealer is None else game.order.index(dealer)
        stakes = dict(game.stakes) if game.stakes else None
        return _Table(game.explained_variant, game.base, names, stakes, place, region_of(game))
    variant = load(request.args.get("variant") or all_variants()[0].id)
    return _Table(variant, variant, _players(variant), _stakes(variant), None, access.region())


def _players(variant: Variant) -> tuple[str, ...]:
    """Return the names in the address, padded with blanks to the number of players."""
    names = [name.strip() for name in request.args.get("names", "").split(",")]
    named = [readers.new_name(name, "names") for name in names if name]
    usual = max(FEWEST, len(named)) if named else min(max(variant.players_fewest, 4), variant.players_most)
    typed_count = request.args.get("players") or str(usual)
    number = whole_typed(typed_count, digits=3)
    count = readers.whole(FEWEST, variant.most_players)(typed_count if number is None else number, "players")
    if len(named) > count:
        raise BadInput("{field}: {count} names are more than {most} players.", "names", count=len(named), most=count)
    return (*named, *([""] * (count - len(named))))


def _stakes(variant: Variant) -> dict[str, Any] | None:
    """Return the variant's stakes for the unit in the address; None without a unit, or if it has no stakes."""
    unit_text = request.args.get("unit", "").strip()
    name = read_currency(folded(request.args.get("currency")), access.region()) or readers.CURRENCY
    currency = Currency.called(readers.currency(name, "currency"))
    if not unit_text or not variant.has_stakes:
        return None
    try:
        unit = read_amount(unit_text, currency, access.region())
    except ValueError as cause:
        raise BadInput("{field}: “{word}” isn’t an amount. {why}", "unit", unit_text, why=str(cause)) from cause
    return currency.stated | {name: getattr(variant, f"stake_{name}") * unit for name in STAKES}


@sheets.get(f"{PREFIX}/variants/<variant_id>/rules.pdf", endpoint="rules_card")
def rules_card_of(variant_id: str) -> Response:
    """Return the rules of a variant: at a glance on the first page, then in full."""
    variant = load(variant_id)
    return _card(variant, variant)


@sheets.get(f"{PREFIX}/games/<code>/rules.pdf", endpoint="table_card")
def rules_of_game(code: str) -> Response:
    """Return the rules of a game, with its stakes and marked house rules: at a glance, then in full."""
    game = access.get_game(code).game
    names = [game.name(seat) for seat in game.order]
    return _card(game.explained_variant, game.base, write_stakes(game.stakes, region_of(game)), names)


def _card(variant: Variant, base: Variant, stakes: WrittenStakes = NO_STAKES, players: Sequence[str] = ()) -> Response:
    paper = paper_in_address((A4, LETTER), access.region())
    differences = differing(variant, base, stakes.by_value)
    tag = tag_of(_values(variant), differences, paper, stakes, players)

    def make() -> tuple[str, PrintedFile]:
        card = rules_card(variant, paper, stakes, players, differences)
        page = render_template("sheets/card.html", card=card)
        css = page_css(card.paper, f"Kalooki Referee · {card.name}")
        pdf = renderer.make(renderer.Job(page, (renderer.Layout(css, (card_sizes(),)),)))
        layout = ["Letter"] if paper is LETTER else []
        return tag, PrintedFile(pdf, plain_name(" ".join((card.name, "rules", *layout, *players)), "pdf"))

    return serve(tag, make)


def _values(variant: Variant) -> tuple[object, ...]:
    """Return the values that distinguish one table's rules from another's."""
    return (variant.id, variant.name, *variant.values.items())
