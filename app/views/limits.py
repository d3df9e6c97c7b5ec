"""Limits: how much one address may ask for, and how much heavy work is done at once. docs/running.md lists them.

What one address may ask for is far more than a club of eighty phones needs, and far less than a flood. Entries have no
limit, and wait for nothing heavy: it must always be possible to save a hand.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from threading import BoundedSemaphore

from flask import Response, current_app, g, request
from flask_limiter import Limiter, RateLimitExceeded
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable, TooManyRequests

MOST = {"starts": "200 per hour", "codes": "100 per 10 minutes", "papers": "300 per 10 minutes"}
MOST |= {"checks": "6000 per minute"}
A_NEIGHBOURHOOD = 64
"""The bits of an IPv6 address that identify a household, which chooses the others itself."""
A_SOLUTION = 20
"""The number of checks that one best lay-down counts as."""
AT_ONCE, WAITING, PATIENCE = 2, 4, 10
"""Heavy work: how many requests do it at once, how many more wait, and for how many seconds."""
LONG_IMPORT = 200
"""Entries from which taking a game in is heavy."""


def refuse_long_bodies() -> None:
    """Abort with 413 where a body that does not tell its length is too long: nothing is cut silently."""
    if request.content_length is None and request.environ.get("wsgi.input_terminated"):
        most = current_app.config["MAX_CONTENT_LENGTH"]
        if request.method == "POST" and len(request.get_data(parse_form_data=False)) >= most:
            raise RequestEntityTooLarge


def neighbourhood() -> str:
    """Return whose requests are counted together: those of one address or, with IPv6, of one network."""
    named = request.remote_addr or ""
    try:
        address = ip_address(named)
    except ValueError:  # a Unix socket
        return named or "here"
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, A_NEIGHBOURHOOD), strict=False))


def _has_started(response: Response) -> bool:
    """Whether there is a new game: not a form that comes back with questions, nor a repeated start."""
    return response.status_code == 201 or (response.location or "").startswith(f"{request.script_root}/g/")


def _only_changes_a_form() -> bool:
    """Whether the button pressed makes no game, on a form that has some for other things."""
    pages = ("start.start_game", "copying.judge", "copying.bring_back")
    return request.endpoint in pages and request.form.get("do", "start") not in ("start", "save")


def _checks() -> int:
    """Return how many checks a request counts as."""
    return A_SOLUTION if request.endpoint == "api.solve" or request.args.get("check") == "solve" else 1


# two threads that start its timer at once make the library's memory raise: better not to count than to refuse
limiter = Limiter(neighbourhood, strategy="moving-window", storage_uri="memory://", swallow_errors=True)
starts = limiter.shared_limit(
    lambda: MOST["starts"],
    scope="starts",
    error_message="Too many games were started from here within an hour: no more can be started now.",
    deduct_when=_has_started,
    exempt_when=_only_changes_a_form,
)
codes = limiter.shared_limit(
    lambda: MOST["codes"],
    scope="codes",
    error_message="Too many wrong codes came from here: no more can be tried now.",
    deduct_when=lambda answer: answer.status_code == 422,
)
papers = limiter.shared_limit(
    lambda: MOST["papers"],
    scope="papers",
    error_message="Too many sheets were printed from here: no more can be printed now.",
    deduct_when=lambda _answer: bool(g.get("was_printed")),  # cached files cost nothing
)
checks = limiter.shared_limit(
    lambda: MOST["checks"],
    scope="checks",
    error_message="Too many checks came from here: no more can be made now.",
    cost=_checks,
)


def with_its_wait(exceeded: RateLimitExceeded) -> TooManyRequests:
    """Return the refusal of one who asked too much, with when to try again."""
    until = limiter.current_limit.reset_at if limiter.current_limit else 0
    seconds = max(math.ceil(until - time.time()), 1)
    again = f"{seconds} seconds" if seconds <= 90 else f"{round(seconds / 60)} minutes"
    return TooManyRequests(f"{exceeded.description} Try again in {again}.", retry_after=seconds)


class Busy(ServiceUnavailable):
    """Too much heavy work at once."""

    SECONDS = 5
    description = "Others are having sheets made or hands solved just now, and this has to wait for them."

    def __init__(self) -> None:
        super().__init__(retry_after=self.SECONDS)


_ROOM, _TURNS = BoundedSemaphore(AT_ONCE + WAITING), BoundedSemaphore(AT_ONCE)


@contextmanager
def heavy() -> Iterator[None]:
    """Do something heavy, in turn; raises Busy if as many as may already wait, or if it waited in vain."""
    if not _ROOM.acquire(blocking=False):
        raise Busy
    try:
        if not _TURNS.acquire(timeout=PATIENCE):
            raise Busy
        try:
            yield
        finally:
            _TURNS.release()
    finally:
        _ROOM.release()
