"""Limits on requests from one address and on heavy work done at once. docs/running.md lists them.

One address may send far more requests than a club with eighty phones needs, and far fewer than a flood. Recording has
no limit and never waits for heavy work, because it must always be possible to save a hand.
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
HOUSEHOLD_BITS = 64
"""The bits of an IPv6 address that identify a household; it chooses the other bits itself."""
SOLUTION_COST = 20
"""How many checks one best lay-down counts as."""
AT_ONCE, WAITING, PATIENCE = 2, 4, 10
"""Heavy work: how many requests do it at once, how many more may wait, and for how many seconds."""
LONG_IMPORT = 200
"""Importing a game with more entries than this counts as heavy work."""


def refuse_long_bodies() -> None:
    """Abort with 413 if a body without a stated length is too long, instead of truncating it silently."""
    if request.content_length is None and request.environ.get("wsgi.input_terminated"):
        most = current_app.config["MAX_CONTENT_LENGTH"]
        if request.method == "POST" and len(request.get_data(parse_form_data=False)) >= most:
            raise RequestEntityTooLarge


def neighbourhood() -> str:
    """Return the key for counting requests: the address or, with IPv6, the network."""
    named = request.remote_addr or ""
    try:
        address = ip_address(named)
    except ValueError:  # a Unix socket
        return named or "here"
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, HOUSEHOLD_BITS), strict=False))


def _has_started(response: Response) -> bool:
    """Return whether a response started a game, instead of returning the form or repeating a start."""
    return response.status_code == 201 or (response.location or "").startswith(f"{request.script_root}/g/")


def _only_changes_a_form() -> bool:
    """Return whether the button pressed on a form for starting games only changes the form."""
    pages = ("start.start_game", "copying.judge", "copying.bring_back")
    return request.endpoint in pages and request.form.get("do", "start") not in ("start", "save")


def _checks() -> int:
    """Return the number of checks that a request counts as."""
    return SOLUTION_COST if request.endpoint == "api.solve" or request.args.get("check") == "solve" else 1


# two threads that start the library's timer at once make its storage raise: not counting is better than refusing
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
    """Return the error for too many requests, with the time to wait."""
    until = limiter.current_limit.reset_at if limiter.current_limit else 0
    seconds = max(math.ceil(until - time.time()), 1)
    again = f"{seconds} seconds" if seconds <= 90 else f"{round(seconds / 60)} minutes"
    return TooManyRequests(f"{exceeded.description} Try again in {again}.", retry_after=seconds)


class Busy(ServiceUnavailable):
    """The server has too much heavy work."""

    SECONDS = 5
    description = "Others are having sheets made or hands solved just now, and this has to wait for them."

    def __init__(self) -> None:
        super().__init__(retry_after=self.SECONDS)


_CAPACITY, _TURNS = BoundedSemaphore(AT_ONCE + WAITING), BoundedSemaphore(AT_ONCE)


@contextmanager
def heavy() -> Iterator[None]:
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
