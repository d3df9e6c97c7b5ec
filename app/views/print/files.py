"""What all printed files share: rendering in the child process, cache, tag and name."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable
from contextlib import nullcontext, suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache, TTLCache
from flask import Blueprint, Response, current_app, request, send_file
from werkzeug.exceptions import ServiceUnavailable

from app.history.phrases import began_at
from app.history.record import History
from app.kalooki.cards import BadInput
from app.settings import ROOT
from app.sheets import pdf_press
from app.sheets.paper import Paper, paper_called, usual_paper
from app.views import limits
from app.views.links import base_address

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
AGAIN = 600
"""Seconds until what took too much time or memory is tried again."""
_TOO_MUCH: TTLCache[Hashable, bool] = TTLCache(1_000, AGAIN)
_TOO_LONG = (
    "This is too long to be printed: it took too much time or memory. The page of the score sheet and the CSV have"
    " every line."
)
_NO_PRINTER = "The program that prints did not start here. Whoever runs this server finds why in its log."
_TICKS = {"0": False, "false": False, "1": True, "true": True}
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
            _refuse_too_much(about or tag)
            limits.require("papers")
        with limits.heavy() if printed else nullcontext():
            file = _find_cached(tag)
            if file is None:
                if printed:
                    limits.count("papers")
                tag, file = _make_file(make, about or tag)
                _keep(tag, file)
    return _answer(file, tag)


def _make_file(make: Callable[[], tuple[str, PrintedFile]], about: Hashable) -> tuple[str, PrintedFile]:
    """Return the tag and the file; raises NotPrinted, or Busy."""
    try:
        return make()
    except pdf_press.Exhausted as cause:
        with _CACHE_LOCK:
            _TOO_MUCH[about] = True
        limits.count("papers", limits.FAILURE_COST)
        raise NotPrinted(_TOO_LONG, retry_after=AGAIN) from cause
    except pdf_press.Occupied as cause:
        raise limits.Busy from cause
    except ChildProcessError as cause:
        current_app.logger.exception("the program that prints did not start")
        raise NotPrinted(_NO_PRINTER, retry_after=60) from cause


def _refuse_too_much(about: Hashable) -> None:
    with _CACHE_LOCK:
        if about in _TOO_MUCH:
            raise NotPrinted(_TOO_LONG, retry_after=AGAIN)


def _find_cached(tag: str) -> PrintedFile | None:
    with _CACHE_LOCK:
        return _CACHE.get(tag)


def _keep(tag: str, file: PrintedFile) -> None:
    with _CACHE_LOCK, suppress(ValueError):  # larger than the cache
        _CACHE[tag] = file


@cache
def release() -> str:
    """Return a hash of the code, templates and styles that produce sheets, because another release changes them."""
    sources = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    sources += [*(ROOT / "templates" / "sheets").rglob("*.html"), *(ROOT / "static" / "css").glob("*.css")]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()[:12]


def throw_away() -> None:
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


def is_ticked(name: str) -> bool:
    """Return whether an option in the address is on; raises BadInput for an unknown value."""
    value = request.args.get(name, "0")
    if value not in _TICKS:
        raise BadInput("{field}: “{word}” is neither 1 nor 0.", name, value)
    return _TICKS[value]


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


def paper_asked(papers: tuple[Paper, ...], region: str) -> Paper:
    """Return the paper in the address, by default the region’s; raises BadInput for an unknown one."""
    return paper_called(request.args.get("paper") or usual_paper(region).id, papers)
