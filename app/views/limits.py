"""Limits on what one address may ask for: far more than a club of eighty phones needs, far less than a flood.

Heavy responses are made one at a time, which bounds the memory they take and how long they keep others waiting. A
response is heavy if its request has a long body, if it tells every entry of a long game (a history, a sheet, an
evening), or if it searches for the best lay-down. Each client gets one a round. What a table does for itself, to record
and to follow its game, never waits here, however long the game is.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock
from typing import Any, NamedTuple, NoReturn

from flask import Flask, Response, current_app, g, request
from flask_limiter import Limiter, RequestLimit
from limits.storage import MemoryStorage
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable, TooManyRequests

from app.config import PLACE, PUT_OFF
from app.games.recording import size
from app.lanes import Place
from app.queues import FairLock, TooMany

A_NEIGHBOURHOOD = 64
"""The bits of an IPv6 address that identify a household, which chooses the others itself."""
A_SOLUTION = 20
"""The number of checks that one best lay-down counts as."""


class InTurn(MemoryStorage):
    """The library's memory, asked by one thread at a time: two that start its timer at once make it raise."""

    STORAGE_SCHEME = ["memory-in-turn"]  # noqa: RUF012 - as the library has it

    _turn = Lock()

    def acquire_entry(self, *args: Any, **kwargs: Any) -> bool:
        """Count a request, unless there were too many."""
        with self._turn:
            return super().acquire_entry(*args, **kwargs)


def _only_changes_a_form() -> bool:
    """Whether the button pressed makes no game, on a form that has some for other things."""
    pages = ("start.start_game", "copying.judge", "copying.bring_back")
    return request.endpoint in pages and request.form.get("do", "start") not in ("start", "save")


class Limited(NamedTuple):
    """Routes that share a limit: how much, the message beyond it, which count, for how much, and which always pass."""

    most: str
    routes: tuple[str, ...]
    said: str
    counts: Callable[[Response], bool] | None = None
    cost: Callable[[], int] = lambda: 1
    passes: Callable[[], bool] = _only_changes_a_form


LIMITS = {
    "starts": Limited(
        "200 per hour",
        (
            *("start.start_game", "example.start", "api.new_game", "api.import_game"),
            *("copying.judge", "copying.bring_back"),
        ),
        "So many games were started from here within an hour that no more can be started now.",
        # not a form that comes back with questions, nor a repeated start
        counts=lambda made: made.status_code == 201 or (made.location or "").startswith(f"{request.script_root}/g/"),
    ),
    "codes": Limited(
        "100 per 10 minutes",
        ("start.open_typed",),
        "So many wrong codes came from here that no more can be tried now.",
        counts=lambda answer: answer.status_code == 422,
    ),
    "papers": Limited(
        "300 per 10 minutes",
        (
            *("sheets.pdf", "sheets.png", "sheets.payments"),
            *("sheets.blank", "sheets.rules_card", "sheets.table_card"),
        ),
        "So many sheets were printed from here that no more can be printed now.",
        counts=lambda _answer: bool(g.get("was_printed")),  # cached files cost nothing
    ),
    "checks": Limited(
        "6000 per minute",
        ("api.judge", "api.count", "api.deck", "api.solve", "api.find", "referee.check", "quarrels.disputes"),
        "So many checks came from here that no more can be made now.",
        cost=lambda: A_SOLUTION if request.endpoint == "api.solve" or request.args.get("check") == "solve" else 1,
    ),
}
"""The limits by name. Entries have none: it must always be possible to save a hand."""


def init(app: Flask) -> None:
    """Put the limits on the routes of `app`, unless they are turned off; they are counted in memory."""
    if not app.config["RATELIMIT_ENABLED"]:
        return
    limiter = Limiter(neighbourhood, app=app, strategy="moving-window", storage_uri="memory-in-turn://")
    for name, limited in LIMITS.items():
        limit = limiter.shared_limit(
            limited.most,
            scope=name,
            on_breach=_refusal(limited),
            deduct_when=limited.counts,
            cost=limited.cost,
            exempt_when=limited.passes,
        )
        for route in limited.routes:
            view: Any = app.view_functions[route]
            app.view_functions[route] = limit(view)


def _refusal(limited: Limited) -> Callable[[RequestLimit], None]:
    def refuse(broken: RequestLimit) -> NoReturn:
        seconds = max(math.ceil(broken.reset_at - time.time()), 1)
        raise TooManyRequests(f"{limited.said} {_wait(seconds)}", retry_after=seconds)

    return refuse


def _wait(seconds: int) -> str:
    if seconds <= 90:
        return f"Try again in {seconds} seconds."
    return f"Try again in {round(seconds / 60)} minutes."


def neighbourhood() -> str:
    """Whose requests are counted together: those of one address or, with IPv6, of one network."""
    named = request.remote_addr or ""
    try:
        address = ip_address(named)
    except ValueError:  # a Unix socket
        return named or "here"
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, A_NEIGHBOURHOOD), strict=False))


MOST_QUEUED = 12
"""The most threads that wait here; as many more may wait for the press, and the others carry on."""
LONG_GAME = 10_000
"""As `log.size_of` counts: some fifty hands of four players. A longer one waits to be told whole."""
NO_EVENING = 10 * LONG_GAME
"""So long is no game that a table plays: everything about it is slow, before it has shown that."""
LONG_BODY = 16 * 1024
SHARE = 0.0005
"""Seconds that a thread computes before another may: a save hands over some twenty times, and each time waits so long
for whatever else is computed."""
_QUEUE = FairLock(MOST_QUEUED)


def init_queue(app: Flask) -> None:
    """Read long bodies one at a time, before anything else looks at them; let no thread keep others waiting."""
    sys.setswitchinterval(SHARE)
    app.before_request(_give_way)
    app.before_request(_read_queued)
    app.teardown_request(_release)


def _give_way() -> str | None:
    """Put off what is about a game longer than any evening: the server asks for it again, among what is slow."""
    place: Place[object] | None = request.environ.get(PLACE)
    code = (request.view_args or {}).get("code", "")
    if not place or place.is_slow or not code or size(code) <= NO_EVENING:
        return None
    request.environ[PUT_OFF] = True
    return ""


def _read_queued() -> None:
    if request.endpoint == "copying.bring_back":  # a whole game may come as one field, as long as in the interface
        request.max_form_memory_size = current_app.config["MAX_CONTENT_LENGTH"]
    length = request.content_length
    if length is None and request.environ.get("wsgi.input_terminated"):
        _read_whole()
    elif (length or 0) > LONG_BODY:
        queue_up()


def _read_whole() -> None:
    """Read a body of unknown length; aborts with 413 if it is too long."""
    most = current_app.config["MAX_CONTENT_LENGTH"]
    if request.method not in ("GET", "HEAD") and len(request.get_data(parse_form_data=False)) >= most:
        raise RequestEntityTooLarge


def queue_up() -> None:
    """Make the rest of this response with no other heavy one under way; aborts with 503 if too many already wait."""
    if "alone" in g:
        return
    place = _leave_the_place()
    try:
        _QUEUE.acquire(neighbourhood())
    except TooMany as cause:
        raise ServiceUnavailable("Too many long requests at once. Try again soon.", retry_after=5) from cause
    g.alone = True
    if place:
        place.go_on_slowly()


@contextmanager
def at_the_press() -> Iterator[None]:
    """Leave the queue while this response uses the press, which has a queue of its own: holding both could deadlock."""
    _release()
    _leave_the_place()
    g.alone = False
    try:
        yield
    finally:
        g.pop("alone")


def _leave_the_place() -> Place[object] | None:
    """Let the server compute another request while this one waits; its place, if it keeps places."""
    place: Place[object] | None = request.environ.get(PLACE)
    if place:
        place.leave()
    return place


def _release(_raised: BaseException | None = None) -> None:
    if g.pop("alone", False):
        _QUEUE.release()
