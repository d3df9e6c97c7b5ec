"""Limits on requests from one address and on heavy work done at once. docs/running.md lists them.

One address may send far more requests than a club with eighty phones needs, and far fewer than a flood. Recording has
no limit and never waits for heavy work, because it must always be possible to save a hand.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from threading import BoundedSemaphore
from typing import ParamSpec

from flask import current_app, make_response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable, TooManyRequests

from app.addresses import client_network

MOST = {
    "starts": "200 per hour",
    "codes": "100 per 10 minutes",
    "papers": "30 at once, 120 per hour",
    "imports": "60 at once, 360 per hour",
    "questions": "30 at once, 1800 per hour",
    "checks": "600 at once, 3000 per minute",
}
"""What one address may do: so often at once, and again as time passes."""
_TOO_MANY = {
    "starts": "Too many games were started from here: no more can be started now.",
    "codes": "Too many wrong codes came from here: no more can be tried now.",
    "papers": "Too many sheets were printed from here: no more can be printed now.",
    "imports": "Too many saved games came from here: no more can be read now.",
    "questions": "Too many questions came from here: no more can be answered now.",
    "checks": "Too many checks came from here: no more can be made now.",
}
_MOST = re.compile(r"(?:(\d+) at once, )?(\d+) per (?:(\d+) )?(minute|hour)s?")
_SECONDS = {"minute": 60, "hour": 3600}
MOST_COUNTS = 10_000
"""Above this number of counts, those that are full again are dropped."""
SOLUTION_COST = 20
"""How many checks one best lay-down counts as."""
FAILURE_COST = 10
"""How many sheets one counts as, besides itself, that took too much time or memory."""
AT_ONCE, WAITING, PATIENCE = 2, 4, 10
"""Heavy work: how many requests do it at once, how many more may wait, and for how many seconds."""
MOST_FIELDS = 10_000
"""The most fields of a form; a paper score sheet has the most, some hundreds."""
LONG_IMPORT = 200
"""Importing a game with more entries than this counts as heavy work."""
P = ParamSpec("P")
View = Callable[P, ResponseReturnValue]


class TooOften(TooManyRequests):
    """This address has done something too often; the description says what, and when it may again."""

    title = "Too many requests from your network"


def refuse_long_bodies() -> None:
    """Abort with 413 if a body has no stated length and is too long, or is a form of more than MOST_FIELDS fields."""
    if request.content_length is None and request.environ.get("wsgi.input_terminated"):
        most = current_app.config["MAX_CONTENT_LENGTH"]
        if request.method == "POST" and len(request.get_data(parse_form_data=False)) >= most:
            raise RequestEntityTooLarge
    is_form = request.mimetype == "application/x-www-form-urlencoded"
    if is_form and request.get_data(parse_form_data=False).count(b"&") >= MOST_FIELDS:
        raise RequestEntityTooLarge


@cache
def _read(most: str) -> tuple[float, float]:
    """Return in how many seconds one more may be done, and in how many all that may be done at once."""
    match = _MOST.fullmatch(most)
    assert match  # noqa: S101 - written above
    at_once, often, times, unit = match.groups()
    seconds = int(times or 1) * _SECONDS[unit] / int(often)
    return seconds, seconds * int(at_once or often)


def require(name: str, cost: int = 1) -> None:
    """Raise TooOften if this address has done it too often, without counting."""
    each, whole = _read(MOST[name])
    seconds = round(_full_at(name) - time.monotonic() + cost * each - whole, 3)
    if seconds > 0 and current_app.config["RATELIMIT_ENABLED"]:
        wait = math.ceil(seconds)
        again = f"{wait} seconds" if wait <= 90 else f"{round(wait / 60)} minutes"
        raise TooOften(f"{_TOO_MANY[name]} Try again in {again}.", retry_after=wait)


def take(name: str, cost: int = 1) -> None:
    """Count what this address does, and raise TooOften if that is too often."""
    require(name, cost)
    count(name, cost)


def count(name: str, cost: int = 1) -> None:
    """Count what this address does, however often it has done it."""
    counts, now = _counts(), time.monotonic()
    counts[name, client_network(request.remote_addr or "")] = _full_at(name) + cost * _read(MOST[name])[0]
    if len(counts) > MOST_COUNTS:
        for key in [key for key, full_at in [*counts.items()] if full_at < now]:
            counts.pop(key, None)


def _full_at(name: str) -> float:
    """Return when this address may again do as much at once as ever, by the steady clock."""
    now = time.monotonic()
    return max(now, _counts().get((name, client_network(request.remote_addr or "")), now))


def _counts() -> dict[tuple[str, str], float]:
    counts: dict[tuple[str, str], float] = current_app.extensions.setdefault("counts of limits", {})
    return counts


def starts(view: View[P]) -> View[P]:
    """Limit the games that a view starts; a button that only changes the form, and what starts none, costs nothing."""
    forms = ("start.start_game", "copying.judge", "copying.import_saved")

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if request.endpoint not in forms or request.form.get("do", "start") in ("start", "save"):
            require("starts")
        response = make_response(view(*args, **kwargs))
        places = tuple(f"{request.script_root}/{kind}/" for kind in "gc")
        if response.status_code == 201 or (response.location or "").startswith(places):
            count("starts")
        return response

    return limited


class Busy(ServiceUnavailable):
    """The server has too much heavy work."""

    SECONDS = 5
    title = "This has to wait its turn"
    description = "Others are having sheets made or hands solved just now, and this has to wait for them."

    def __init__(self) -> None:
        super().__init__(retry_after=self.SECONDS)


_CAPACITY, _TURNS = BoundedSemaphore(AT_ONCE + WAITING), BoundedSemaphore(AT_ONCE)


@contextmanager
def heavy_slot() -> Iterator[None]:
    """Wait for a turn to do heavy work; raises Busy if too many are waiting, or if waiting takes too long."""
    if not _CAPACITY.acquire(blocking=False):
        raise Busy
    try:
        if not _TURNS.acquire(timeout=PATIENCE):
            raise Busy
        try:
            yield
        finally:
            _TURNS.release()
    finally:
        _CAPACITY.release()
