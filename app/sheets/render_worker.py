"""Turns HTML into a PDF or a picture, in the renderer's child process.

The only user of WeasyPrint.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element, ParseError, fromstring

import pypdfium2
from cssselect2 import ElementWrapper
from PIL import Image, ImageChops
from pydyf import PDF, Dictionary
from weasyprint import CSS, HTML, Attachment
from weasyprint.document import Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from app.kalooki.cards import BadInput
from app.settings import ROOT
from app.sheets.renderer import SECONDS, Exhausted, Job, Layout
from app.stderr import format_trace

STATIC = ROOT / "static"
EXACT_COLOURS, BLENDED_COLOURS = 192, 64
"""How many colours of a picture stay exact, and how many are blended from all others."""

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space this process may use; 200 hands of nine players need about a third."""

ENLARGE_BUDGET = SECONDS / 4
"""CPU seconds to spend on trying larger sizes."""
MAX_HTML = 250_000
"""Longer HTML, such as 400 hands of eight players, is laid out plainly at once: laying it out takes 7 s each time."""
MAX_PICTURE_PAGES = 12
"""The pages one picture can hold."""
INCOMPLETE = (
    "A line would be missing on this paper, so nothing was printed. Choose other paper, or the usual print; the page of"
    " the score sheet has every line, and your browser can print it."
)
PAPER, PLAIN_PAPER = "paper", "plain-paper"
"""The media of the style sheet, which no browser has: the layout of each sheet, and the plainest."""
PDF_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date of every attachment, so that the same sheet has the same bytes."""
PDF_UA = {"pdf_variant": "pdf/ua-1"}
"""The options for a PDF that a screen reader can follow."""

# a little of all that a score sheet has: whatever is used for the first time is read then
TRIAL = Job(
    "<html lang='en'><head><title>.</title></head><body><div class='sheet-head'><h1>Trial</h1><p>♠ ♥ ♦ ♣ ★</p></div>"
    "<table class='hands'><thead><tr><th class='label'>1</th><th colspan='2'>Name</th></tr></thead><tbody class='rows'>"
    + "<tr><th class='label'>1</th><td class='points'>✓ 25</td><td class='total'>−0.50</td></tr>"
    * 60
    + "</tbody></table><div class='box'><h2>Heading</h2><ul><li>A line of text, long enough for two. </li></ul></div>"
    "<svg class='drawing' viewBox='0 0 90 90' font-size='9'><title>T</title><path stroke='#777' d='M9 9H81'/>"
    + "<text x='9' y='9' text-anchor='end'>100</text><circle cx='9' cy='9' r='4' fill='#fff' stroke='#111'/>" * 20
    + "<polyline fill='none' stroke='#111' stroke-dasharray='4 2' points='9,9 81,81'/></svg></body></html>",
    (Layout("@page { @bottom-right { content: counter(page) } } html { font-size: 11pt } .drawing { width: 80mm }"),),
    attachments=(("trial.json", b"{}"),),
)


class _StaticOnly(URLFetcher):  # type: ignore[misc]
    """Fetches files in static/ and nothing else, whatever a page asks for."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:  # noqa: ARG002 - what WeasyPrint calls
        address = urlsplit(url)
        path = Path(unquote(address.path)).resolve()
        if address.scheme != "file" or address.netloc or not path.is_relative_to(STATIC):
            raise ValueError(f"not a file of static/: {url}")
        return URLFetcherResponse(url, path.read_bytes())


# only one thread ever uses these: shared between threads, they corrupt memory
_FETCHER = _StaticOnly()
_BASE = f"{STATIC.as_uri()}/"
_FONTS = FontConfiguration()


@cache
def _style(medium: str) -> CSS:
    """Return the style sheet of all paper as a medium sees it, read once."""
    path = STATIC / "css" / "paper.css"
    return CSS(path, media_type=medium, font_config=_FONTS, url_fetcher=_FETCHER)


def _css(text: str) -> CSS:
    return CSS(string=text, font_config=_FONTS, url_fetcher=_FETCHER)


def make(job: Job) -> bytes:
    """Return the PDF or the picture of a page.

    Python's garbage collection waits for the pause that follows: during layout there is no garbage to find, and looking
    for it takes a seventh of the time.
    """
    gc.disable()
    try:
        pdf = _pdf(job)
        return _picture(pdf, job.dots) if job.dots else pdf
    finally:
        gc.enable()


def _pdf(job: Job) -> bytes:
    attachments = [_attachment(*each) for each in job.attachments]
    pdf: bytes = _lay_out(job).write_pdf(attachments=attachments, finisher=_scope_headers, **PDF_UA)
    return pdf


def _scope_headers(_document: Document, pdf: PDF) -> None:
    """Give every header cell its scope, which WeasyPrint leaves out: a column in a table's head, else a row."""
    elements = {each.reference: each for each in pdf.objects if isinstance(each, Dictionary)}
    for cell in elements.values():
        if cell.get("S") == "/TH":
            above = elements[cell["P"]]
            while above["S"] not in ("/THead", "/Table"):
                above = elements[above["P"]]
            cell["A"]["Scope"] = "/Column" if above["S"] == "/THead" else "/Row"


def _attachment(name: str, contents: bytes) -> Attachment:
    """Return a file to embed in the PDF."""
    return Attachment(
        file_obj=io.BytesIO(contents),
        name=name,
        relationship="Source",
        description=name,
        created=PDF_DATE,
        modified=PDF_DATE,
    )


class _Page(HTML):  # type: ignore[misc]
    """A page of well-formed HTML that uses few elements, as our templates write it.

    Reading and styling it takes a fraction of the time that arbitrary HTML takes.
    """

    def __init__(self, root: Element) -> None:
        self.base_url = _BASE
        self.url_fetcher = _FETCHER
        self.media_type = PAPER
        self.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
        self.etree_element = self.wrapper_element.etree_element


def _parse(html: str) -> HTML:
    """Return the page; HTML that is not well-formed is read as a browser would read it."""
    try:
        return _Page(fromstring(html.strip().removeprefix("<!doctype html>")))  # noqa: S314 - our own template's
    except ParseError:
        return HTML(string=html, base_url=_BASE, url_fetcher=_FETCHER)


def _lay_out(job: Job) -> Document:
    """Return the document in the first of its layouts that loses nothing; if all do, as plainly as can be.

    Raises BadInput if some of it would be missing even so.
    """
    page = _parse(job.html)
    for layout in job.layouts if len(job.html) <= MAX_HTML else ():
        document = _render(page, PAPER, _tightest(layout))
        if not lost_ids(document, page):
            return _enlarge(document, page, layout)
    document = _render(page, PLAIN_PAPER, _tightest(job.layouts[-1]))
    if lost_ids(document, page):
        raise BadInput(INCOMPLETE, "paper")
    return document


def _tightest(layout: Layout) -> list[str]:
    return [layout.css, *(sizes[-1] for sizes in layout.sizes)]


def _enlarge(document: Document, page: HTML, layout: Layout) -> Document:
    """Return the document in the largest of the sizes that take no more pages, found by halving each list of them."""
    began, css = time.process_time(), _tightest(layout)
    for place, sizes in enumerate(layout.sizes, start=1):
        low, high = 0, len(sizes) - 1
        while low < high and time.process_time() - began < ENLARGE_BUDGET:
            middle = (low + high) // 2
            larger = [*css[:place], sizes[middle], *css[place + 1 :]]
            tried = _render(page, PAPER, larger)
            if len(tried.pages) <= len(document.pages) and not lost_ids(tried, page):
                document, css, high = tried, larger, middle
            else:
                low = middle + 1
    return document


def _render(page: HTML, medium: str, css: list[str]) -> Document:
    return page.render(stylesheets=[_style(medium), *map(_css, css)], font_config=_FONTS, **PDF_UA)


def lost_ids(document: Document, page: HTML) -> list[str]:
    """Return the ids of what is not whole on the paper: all must lie within a page's margins, a row on one page."""
    inside: dict[str, list[bool]] = {}
    for each in document.pages:
        box = each._page_box  # noqa: SLF001 - nothing else knows a page's margins
        first, last = box.content_box_x() - 1, box.content_box_x() + box.width + 1
        for name, (left, top, right, bottom) in each.anchors.items():
            is_inside = first <= left <= right <= last and -1 <= top <= bottom <= each.height + 1
            inside.setdefault(name, []).append(is_inside)
    return [
        name
        for element in page.etree_element.iter()
        if (name := element.get("id"))
        and not (all(inside.get(name, [False])) and (element.tag != "tr" or len(inside[name]) == 1))
    ]


def _picture(pdf: bytes, dots: float) -> bytes:
    """Return the pages as one PNG, below each other and without their empty paper."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        if len(document) > MAX_PICTURE_PAGES:
            raise BadInput(INCOMPLETE, "paper")
        pages = [_crop(page.render(scale=dots).to_pil()) for page in document]
    finally:
        document.close()
    whole = Image.new("RGB", (max(page.width for page in pages), sum(page.height for page in pages)), "white")
    top = 0
    for page in pages:
        whole.paste(page, (0, top))
        top += page.height
    written = io.BytesIO()
    _in_few_colours(whole).save(written, "PNG", optimize=True)
    return written.getvalue()


def _in_few_colours(picture: Image.Image) -> Image.Image:
    """Return the picture with a palette: colours of areas as they are, shades at the edges of letters by others.

    Only a mixed palette would paint players of similar colours in one and the same.
    """
    counted: list[tuple[int, tuple[int, ...]]] = picture.getcolors(picture.width * picture.height)  # type: ignore[assignment]
    most = [part for _count, colour in sorted(counted, reverse=True)[:EXACT_COLOURS] for part in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*most, *(picture.quantize(BLENDED_COLOURS).getpalette() or [])[: 3 * BLENDED_COLOURS]])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _crop(page: Image.Image) -> Image.Image:
    """Return the page without the empty paper above and below; the margin left there is as wide as that at the side."""
    left, top, _right, bottom = ImageChops.invert(page.convert("L")).getbbox() or (0, 0, page.width, page.height)
    return page.crop((0, max(0, top - left), page.width, min(page.height, bottom + left)))


def main(pipe: Connection) -> None:
    """Do job after job until the pipe closes; the answer to a job that fails is why."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and that closes the pipe
    os.nice(10)  # a sheet may wait; recording a hand may not
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    make(TRIAL)
    gc.freeze()  # everything loaded so far stays, so the collector need not look through it each time
    with suppress(EOFError, BrokenPipeError):  # the server has ended
        while True:
            pipe.send(_attempt(pipe.recv()))
            gc.collect()


def _attempt(job: Job | None) -> bytes | BadInput | ChildProcessError | None:
    """Return what was made, or why not; nothing if nothing was asked for."""
    if job is None:
        return None
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # the signal ends this process, even deep inside a library
    try:
        return make(job)
    except Exception as trouble:  # noqa: BLE001 - the server is told that there is no sheet
        logging.getLogger(__name__).error("a sheet could not be made\n%s", format_trace(trouble))  # noqa: TRY400
        if isinstance(trouble, BadInput):
            return trouble
        return Exhausted() if isinstance(trouble, MemoryError) else ChildProcessError()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
