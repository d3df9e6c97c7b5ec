"""What all printed files share: made by the child process, cached, tagged, named."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple, NoReturn

from flask import Blueprint, Response, abort, g, make_response, render_template, request, send_file
from werkzeug.exceptions import ServiceUnavailable, UnprocessableEntity

from app.bootstrap import ROOT
from app.cache import Shelf
from app.history.phrases import clock_of
from app.history.record import History
from app.interface.openapi import FORMATS
from app.kalooki.cards import Malformed
from app.plurals import plural
from app.queues import TooMany, WaitingList
from app.sheets import pdf_press
from app.sheets.paper import A4, Paper, paper_called
from app.views import limits
from app.views.links import base_address
from app.views.responses import is_in_browser

sheets = Blueprint("sheets", __name__)

MOST_BYTES = 24 * 1024 * 1024


class NotWhole(UnprocessableEntity):
    """A sheet on which something would be missing."""

    description = (
        "A line would be missing on this paper, so nothing was printed. Choose other paper, or the usual print; the "
        "page of the score sheet has every line, and your browser can print it."
    )


class Made(NamedTuple):
    """A file ready to send, and the name to save it under."""

    contents: bytes
    name: str


_SHELF: Shelf[Made] = Shelf(MOST_BYTES, lambda made: len(made.contents))
_TICKS = {"0": False, "false": False, "1": True, "true": True}
_SAVED = {"csv", "json"}
"""Types that are downloaded; browsers show the others."""
_WAITING = WaitingList(most=500, pace=0.5)
_MOST_NAME = 80
_NOT_IN_NAMES = str.maketrans("", "", '\\/:*?"<>|')


def serve(tag: str, make: Callable[[], tuple[str, Made]], *, printed: bool = True) -> Response:
    """A file from the browser's cache, from ours, or made now; `make` also returns the tag of what it made.

    Printed files are made one at a time, so that several requests for the same one share it.
    """
    made = _SHELF.get(tag)
    if made is None and not request.if_none_match.contains(tag):
        with _queued(tag) if printed else nullcontext():
            made = _SHELF.get(tag)
            if made is None:
                g.was_printed = printed
                tag, made = make()
                _SHELF.put(tag, made)
    return _answer(made, tag)


@contextmanager
def _queued(tag: str) -> Iterator[None]:
    """The press for this request alone; 503 if it has to come back for it, or if the press fails."""
    try:
        with limits.at_the_press(), pdf_press.queued(limits.neighbourhood()):
            began = time.monotonic()
            yield
            _WAITING.leave(tag, time.monotonic() - began)
    except TooMany:
        _ask_to_come_back(*_WAITING.place(tag, pdf_press.MOST_WAITING))
    except pdf_press.Incomplete as cause:
        raise NotWhole from cause
    except pdf_press.Unprinted as cause:
        message = "This could not be printed just now: it took too long, or it is too large. Try again soon."
        raise ServiceUnavailable(message, retry_after=10) from cause


def _ask_to_come_back(before: int, seconds: int) -> NoReturn:
    """Say how many sheets come first; a browser is shown a page that asks again by itself."""
    first = plural("{n} sheet is made before this one.", "{n} sheets are made before this one.", before)
    queued = first.format(n=before)
    if not is_in_browser():
        again = f"Ask again in {seconds} seconds."
        raise ServiceUnavailable(f"{queued} {again}", retry_after=seconds)
    again = f"This page asks again by itself, in {seconds} seconds."
    page = render_template("error.html", title="Your sheet waits its turn", text=f"{queued} {again}", typed=None)
    abort(make_response(page, 503, {"Retry-After": str(seconds), "Refresh": str(seconds)}))


@cache
def release() -> str:
    """A hash of the code, templates and styles that make sheets: another release makes other sheets."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]


def throw_away() -> None:
    """Drop all cached files: one may be about a deleted game, and the others are soon made again."""
    _SHELF.clear()


def tag_of(*asked: object) -> str:
    """The tag of one state of a file: all it depends on, the release, and the address in its QR code."""
    depends = (request.endpoint, asked, base_address())
    return f"{sha256(repr(depends).encode()).hexdigest()[:16]}-{release()}"


def _answer(made: Made | None, tag: str) -> Response:
    """The file with its name and tag; without contents, 304."""
    if made is None:
        answer = Response(status=304)
        answer.set_etag(tag)
    else:
        suffix = made.name.rsplit(".", 1)[-1]
        answer = send_file(
            BytesIO(made.contents),
            mimetype=FORMATS[suffix][1],
            as_attachment=suffix in _SAVED,
            download_name=made.name,
            conditional=True,
            etag=tag,
        )
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def is_ticked(name: str) -> bool:
    """Whether an option in the address is on; raises Malformed for a value that is neither on nor off."""
    value = request.args.get(name, "0")
    if value not in _TICKS:
        raise Malformed("{field}: “{word}” is neither 1 nor 0.", name, value)
    return _TICKS[value]


def file_name(history: History, what: str, suffix: str) -> str:
    """Return a file name that people recognise in a folder: what it is, the day, where and when, the players.

    Leaves out characters that file systems or HTTP headers do not accept.
    """
    players = " ".join(history.game.name(seat) for seat in history.game.order)
    clock = clock_of(history).replace(":", ".")
    return plain_name(f"{what} {history.day} {history.game.place} {clock} {players}", suffix)


def plain_name(words: str, suffix: str) -> str:
    """Any text as a file name.

    >>> plain_name('Kalooki  A/B: "x"', "pdf")
    'Kalooki AB x.pdf'
    """
    kept = (sign if sign == " " or unicodedata.category(sign)[0] not in "CZ" else "" for sign in words)
    spaced = " ".join("".join(kept).translate(_NOT_IN_NAMES).split())
    return f"{spaced[:_MOST_NAME].strip(' .')}.{suffix}"


def paper_asked(papers: tuple[Paper, ...]) -> Paper:
    """The paper the address asks for, by default A4; raises Malformed for any other."""
    return paper_called(request.args.get("paper") or A4.id, papers)
