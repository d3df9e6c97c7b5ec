"""HTML becomes a PDF or a picture, rows a spreadsheet: runs in the press's child process.

It is the only user of WeasyPrint.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import resource
import signal
import sys
from contextlib import suppress
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

from app.bootstrap import ROOT
from app.sheets.pdf_press import SECONDS, Job
from app.sheets.workbook import Workbook

STATIC = ROOT / "static"
MOST_PICTURE_PAGES = 12

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space this process may use; 200 hands of nine players need about a third."""
NICENESS = 10
"""A sheet may wait; recording a hand may not."""

TRIAL = Job(
    "<html lang='en'><title>.</title><h1>♠</h1><table><tr><th>1<td><b>2</b></table><svg width='9' height='9'>"
    "<text y='9'>♥</text></svg>",
    ("sheet.css", "print.css"),
    "@page { @bottom-right { content: counter(page) } }",
)


class _StaticOnly(URLFetcher):  # type: ignore[misc]
    """Fetches files of static/ and nothing else, whatever a page asks for."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:  # noqa: ARG002 - what WeasyPrint calls
        address = urlsplit(url)
        path = Path(unquote(address.path)).resolve()
        if address.scheme != "file" or address.netloc or not path.is_relative_to(STATIC):
            raise ValueError(f"not a file of static/: {url}")
        return URLFetcherResponse(url, path.read_bytes())


# one thread only ever uses these: shared between threads they corrupt memory
_FETCHER = _StaticOnly()
_BASE = f"{STATIC.as_uri()}/"
_DOCTYPE = "<!doctype html>"
_FONTS = FontConfiguration()


@cache
def _style(name: str) -> CSS:
    """A style sheet of static/css, read once."""
    path = STATIC / "css" / name
    return CSS(string=path.read_text("utf-8"), base_url=path.as_uri(), font_config=_FONTS, url_fetcher=_FETCHER)


def _rules(text: str) -> CSS:
    return CSS(string=text, font_config=_FONTS, url_fetcher=_FETCHER)


def make(job: Job | Workbook) -> bytes:
    """The PDF of a page, the picture of it, or a spreadsheet; the garbage is left for the pause that follows.

    Looking through the boxes of a half-made page for garbage takes a seventh of the time, and there is none.
    """
    gc.disable()
    try:
        if isinstance(job, Workbook):
            from app.sheets.ods import opendocument  # noqa: PLC0415 - few ask for a spreadsheet

            return opendocument(job)
        pdf = _pdf(job)
        return _picture(pdf, job.dots) if job.dots else pdf
    finally:
        gc.enable()


def _pdf(job: Job) -> bytes:
    document = _laid_out(job)
    attachments = [_attachment(*each) for each in job.attachments]
    pdf: bytes = document.write_pdf(attachments=attachments, finisher=_scope_headers, **_options())
    return pdf


def _scope_headers(_document: Document, pdf: PDF) -> None:
    """Say of every header cell what it heads, which WeasyPrint leaves out: those of a table's head their columns."""
    elements = {each.reference: each for each in pdf.objects if isinstance(each, Dictionary)}
    for cell in elements.values():
        if cell.get("S") == "/TH":
            above = elements[cell["P"]]
            while above["S"] not in ("/THead", "/Table"):
                above = elements[above["P"]]
            cell["A"]["Scope"] = "/Column" if above["S"] == "/THead" else "/Row"


def _options() -> dict[str, str]:
    """What makes it a tagged PDF that a screen reader can follow."""
    return {"pdf_variant": "pdf/ua-1"}


def _attachment(name: str, contents: bytes) -> Attachment:
    # without a date of today the same game makes the same bytes
    return Attachment(file_obj=io.BytesIO(contents), name=name, relationship="Source", description=name)


class _Page(HTML):  # type: ignore[misc]
    """A page whose HTML is well-formed and of few elements, as our templates write it.

    It is read and styled in a fraction of the time any HTML takes.
    """

    def __init__(self, root: Element) -> None:
        self.base_url = _BASE
        self.url_fetcher = _FETCHER
        self.media_type = "print"
        self.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:  # noqa: ARG002 - WeasyPrint's own
        return [_style("elements.css")]


def _read(html: str) -> HTML:
    """The page; one that is not well-formed is read as a browser would."""
    try:
        return _Page(fromstring(html.strip().removeprefix(_DOCTYPE)))  # noqa: S314 - our own template's
    except ParseError:
        return HTML(string=html, base_url=_BASE, url_fetcher=_FETCHER)


def _laid_out(job: Job) -> Document:
    """The document laid out by the first rules under which it needs no page too many, else by the last."""
    page = _read(job.html)
    styles = [*map(_style, job.styles), _rules(job.pages)]
    for fit in job.fits:
        rules = [*styles, _rules(fit)] if fit else styles
        document = page.render(stylesheets=rules, font_config=_FONTS, **_options())
        if len(document.pages) <= job.most_pages:
            break
    return document


def _picture(pdf: bytes, dots: float) -> bytes:
    """The pages below each other as one PNG, each as high as what is on it."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        count = min(len(document), MOST_PICTURE_PAGES)
        pages = [_cropped(document[number].render(scale=dots).to_pil()) for number in range(count)]
    finally:
        document.close()
    whole = Image.new("RGB", (max(page.width for page in pages), sum(page.height for page in pages)), "white")
    top = 0
    for page in pages:
        whole.paste(page, (0, top))
        top += page.height
    written = io.BytesIO()
    whole.quantize(64).save(written, "PNG", optimize=True)
    return written.getvalue()


def _cropped(page: Image.Image) -> Image.Image:
    """The page without the empty paper above and below, with as much of a margin as at its side."""
    left, top, _right, bottom = ImageChops.invert(page.convert("L")).getbbox() or (0, 0, page.width, page.height)
    return page.crop((0, max(0, top - left), page.width, min(page.height, bottom + left)))


def main(line: Connection) -> None:
    """Make what is asked for, job after job, until the line goes dead; None is the answer where it cannot be made."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, whose end this process follows
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    make(TRIAL)
    gc.freeze()  # what is loaded by now stays: no need to look through it again and again
    with suppress(EOFError, BrokenPipeError):  # the server has ended
        while True:
            line.send(_attempt(line.recv() or TRIAL))
            gc.collect()


def _attempt(job: Job | Workbook) -> bytes | None:
    signal.alarm(SECONDS)  # its signal ends this process, even deep inside a library
    try:
        return make(job)
    except Exception:
        logging.getLogger(__name__).exception("a sheet could not be made")
        return None
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
