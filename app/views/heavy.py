"""Heavy responses are made one at a time, which bounds the memory they take and how long they keep others waiting.

A response is heavy if its request has a long body, if it tells every entry of a long game (a history, a sheet, an
evening), or if it searches for the best lay-down. Each client gets one a round. What a table does for itself, to record
and to follow its game, never waits here, however long the game is.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import current_app, g, request
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable

from app.config import PLACE
from app.i18n import _
from app.queues import FairLock, TooMany
from app.views.limits import neighbourhood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from app.lanes import Place

MOST_QUEUED = 12
"""The most threads that wait here; as many more may wait for the press, and the others carry on."""
LONG_GAME = 10_000
"""As `log.size_of` counts: some fifty hands of four players. A longer one waits to be told whole."""
LONG_BODY = 16 * 1024
SHARE = 0.0005
"""Seconds that a thread computes before another may: a save hands over some twenty times, and each time waits so long
for whatever else is computed."""
_QUEUE = FairLock(MOST_QUEUED)


def init(app: Flask) -> None:
    """Read long bodies one at a time, before anything else looks at them; let no thread keep others waiting."""
    sys.setswitchinterval(SHARE)
    app.before_request(_read_queued)
    app.teardown_request(_release)


def _read_queued() -> None:
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
        raise ServiceUnavailable(_("Too many long requests at once. Try again soon."), retry_after=5) from cause
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
