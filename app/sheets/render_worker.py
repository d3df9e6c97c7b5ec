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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element, ParseError, fromstring

import pypdfium2
from cssselect2 import ElementWrapper
from PIL import Image, ImageChops
from pydyf import PDF, Dictionary
from weasyprint import CSS, HTML, Attachment
from weasyprint.document import Document
from weasyprint.formatting_structure.boxes import Box, LineBox, TableRowBox
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from app.kalooki.cards import BadInput
from app.settings import ROOT
from app.sheets.renderer import SECONDS, Exhausted, Heights, Job, Layout, Size
from app.stderr import format_trace

STATIC = ROOT / "static"
EXACT_COLOURS, BLENDED_COLOURS = 192, 64
"""How many colours of a picture stay exact, and how many are blended from all others."""

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space this process may use; 200 hands of nine players need about a third."""

ENLARGE_BUDGET = SECONDS / 4
"""CPU seconds to spend on trying larger sizes."""
TRIES, LONG = 3, 30
"""How many sizes of a score sheet to try, and of how many rows a few are measured first."""
FEW = 3
"""A list of so many choices is short."""
NAMES = "names"
"""The id of the head of a score sheet's table."""
MM = 25.4 / 96
"""The millimetres of WeasyPrint's unit."""
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

FRAME = 2**15
"""The values that the frame of `make` has room for.

Python keeps the frames of calls in chunks of 16 KB, and maps and unmaps one whenever a call crosses the end of another,
which took a fifth of the time. A frame so large has a chunk of 512 KB, in which all calls below `make` fit.
"""

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


def make(job: Job) -> bytes:
    """Return the PDF or the picture of a page.

    Python's garbage collection waits for the pause that follows: during layout there is no garbage to find, and looking
    for it takes a seventh of the time.
    """
    gc.disable()
    try:
        attachments = [_attachment(*each) for each in job.attachments]
        pdf: bytes = _lay_out(job).write_pdf(attachments=attachments, finisher=_scope_headers, **PDF_UA)
        return _picture(pdf, job.dots) if job.dots else pdf
    finally:
        gc.enable()


make.__code__ = make.__code__.replace(co_stacksize=FRAME)


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

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:  # noqa: ARG002 - what WeasyPrint calls
        return []


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
        document = _fit(page, layout, layout.heights) if layout.heights else _choose(page, layout)
        if document:
            return document
    document = _render(page, PLAIN_PAPER, [job.layouts[-1].css])
    if lost_ids(document, page):
        raise BadInput(INCOMPLETE, "paper")
    return document


def _choose(page: HTML, layout: Layout) -> Document | None:
    """Return the document in the largest of the choices that take no more pages than the last, by halving each list.

    The first choice of a long list is tried first, as it mostly fits. If something is lost even in the last of all,
    return None.
    """
    began, css = time.process_time(), [layout.css, *(choices[-1] for choices in layout.choices)]
    document = _render(page, PAPER, css)
    if lost_ids(document, page):
        return None
    for place, choices in enumerate(layout.choices, start=1):
        low, high = 0, len(choices) - 1
        middle = 0 if len(choices) > FEW else high // 2
        while low < high and time.process_time() - began < ENLARGE_BUDGET:
            larger = [*css[:place], choices[middle], *css[place + 1 :]]
            tried = _render(page, PAPER, larger)
            if len(tried.pages) <= len(document.pages) and not lost_ids(tried, page):
                document, css, high = tried, larger, middle
            else:
                low = middle + 1
            middle = (low + high) // 2
    return document


def _fit(page: HTML, layout: Layout, heights: Heights) -> Document | None:
    """Return a score sheet in the largest of its sizes that takes the fewest pages, or None if something is lost.

    Which it is follows from the heights of its parts, at first about, then as they are in the last size tried. In a
    long game a dozen rows are measured first, and what then takes no more pages than expected is good enough.
    """
    began, sizes, tried = time.process_time(), layout.sizes, dict[int, float]()
    best: Document | None = None
    place = _best_place(sizes, heights, tried)
    is_long = len(heights.rows) > LONG and heights.pages_at(sizes[place]) > 1
    if is_long:
        heights = _measure(_render(_short(page), PAPER, [layout.css, sizes[place].css]), sizes[place], heights)
        place = _best_place(sizes, heights, tried)
    for _attempt in range(TRIES):
        if place in tried or (tried and time.process_time() - began > ENLARGE_BUDGET):
            break
        document = _render(page, PAPER, [layout.css, sizes[place].css])
        if lost_ids(document, page):  # too wide, as are all in as large a type
            tried |= {at: inf for at, size in enumerate(sizes) if size.type >= sizes[place].type}
        else:
            tried[place] = len(document.pages)
            is_expected = tried[place] <= heights.pages_at(sizes[place])
            heights = _measure(document, sizes[place], heights)
            if (tried[place], place) == min((count, each) for each, count in tried.items()):
                best = document
            if is_long and is_expected:
                break
        del document
        place = _best_place(sizes, heights, tried)
    return best


def _best_place(sizes: Sequence[Size], heights: Heights, tried: Mapping[int, float]) -> int:
    """Return the place of the largest size that should take the fewest pages; what was tried says more than heights."""

    def pages(place: int) -> float:
        least = max((count for each, count in tried.items() if each >= place), default=0)
        most = min((count for each, count in tried.items() if each <= place), default=inf)
        return max(least, min(most, heights.pages_at(sizes[place])))

    return min(range(len(sizes)), key=lambda place: (pages(place), place))


def _short(page: HTML) -> HTML:
    """Return the page with the first dozen of the rows of its table."""
    root = deepcopy(page.etree_element)
    rows = next(each for each in root.iter("tbody"))
    del rows[12:]
    return _Page(root)


def _measure(document: Document, size: Size, before: Heights) -> Heights:
    """Return the heights of a score sheet's parts as they are on paper; rows left out are as high as most."""
    parts: dict[str, tuple[int, float, float]] = {}
    used = []
    for number, each in enumerate(document.pages):
        top = each._page_box.content_box_y()  # noqa: SLF001 - nothing else knows a page's margins
        for name, (_left, upper, _right, lower) in each.anchors.items():
            parts.setdefault(name, (number, (upper - top) * MM, (lower - top) * MM))
        used.append(max(((lower - top) * MM for *_others, lower in each.anchors.values()), default=0))
    _page, head, names = parts[NAMES]
    _page, _top, signs = parts["signs"]
    at, _top, bottom = parts["below"]
    start = signs if at == parts["signs"][0] else 0
    rows = [lower - upper for name, (_page, upper, lower) in parts.items() if name.startswith("row-")]
    feet = [(upper, lower) for name, (_page, upper, lower) in parts.items() if name.startswith("foot-")]
    ends = (lower for name, (_page, _top, lower) in parts.items() if name.startswith(("pays-", "said-")))
    return before._replace(
        size=size,
        room=document.pages[0]._page_box.height * MM,  # noqa: SLF001
        head=head,
        names=names - head,
        rows=(*rows, *[median(rows)] * (len(before.rows) - len(rows))) if rows else (),
        feet=feet[-1][1] - feet[0][0],
        signs=signs - feet[-1][1],
        below=bottom - start if size.has_chart else before.below,
        bare=max(ends, default=start) - start,
        texts=sum(used[at:]) - bottom,
    )


def _render(page: HTML, medium: str, css: list[str]) -> Document:
    own = (CSS(string=text, font_config=_FONTS, url_fetcher=_FETCHER) for text in css)
    return page.render(stylesheets=[_style(medium), *own], font_config=_FONTS, **PDF_UA)


def lost_ids(document: Document, page: HTML) -> list[str]:
    """Return the ids of what is not whole on the paper: all must lie within a page's margins, a row on one page.

    No text of a row may be wider than its cell, where it would be printed over that of the cell beside.
    """
    inside: dict[str, list[bool]] = {}
    for each in document.pages:
        box = each._page_box  # noqa: SLF001 - nothing else knows a page's margins
        first, last = box.content_box_x() - 1, box.content_box_x() + box.width + 1
        for name, (left, top, right, bottom) in each.anchors.items():
            is_inside = first <= left <= right <= last and -1 <= top <= bottom <= each.height + 1
            inside.setdefault(name, []).append(is_inside)
        for row in _rows(box):
            if any(line.width > cell.width + 1 for cell in row.children for line in _lines(cell)):
                name = next((each.get("id") for each in row.element.iter() if each.get("id")), NAMES)
                inside.setdefault(name, []).append(False)
    return [
        name
        for element in page.etree_element.iter()
        if (name := element.get("id"))
        and not (all(inside.get(name, [False])) and (element.tag not in ("tr", "th") or len(inside[name]) == 1))
    ]


def _rows(box: Box) -> Iterator[Box]:
    """Yield the rows of all tables in a box."""
    for child in getattr(box, "children", ()):
        if isinstance(child, TableRowBox):
            yield child
        elif not isinstance(child, LineBox):
            yield from _rows(child)


def _lines(cell: Box) -> Iterator[Box]:
    return (child for child in cell.children if isinstance(child, LineBox))


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
