"""Live updates: how far a game has come, pushed or polled, and the part of the page that changed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, current_app, render_template, request

from app import log
from app.config import KEEP_OPEN, LIVE_THREADS
from app.i18n import language
from app.views import access
from app.views.etags import tag_of, unless_known
from app.views.game.agreement import asked_here, identified
from app.views.game.appeals import appeals_shown, right_told
from app.views.game.board import board, looks_on_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.views.game.appeals import Shown

blueprint = Blueprint("live", __name__, url_prefix="/g/<code>")

_FIRST_WORD = "retry: 1000\n\n"
PART = "fragments/bare.html"
"""The layout for the changing part of a page, which a phone that already shows the page gets with `?part`."""


@blueprint.get("/version")
def version(code: str) -> Response:
    """How far the game has come, such as `5.2`: one statement, and 304 if the phone already knows."""
    now = log.edition(code)
    if now is None:
        abort(404)
    return unless_known(now.__str__, lambda: Response(str(now), mimetype="text/plain"))


@blueprint.get("/live")
def stream(code: str) -> Response:
    """Server-sent events: the version at once and at each change, else a `beat`; 204 if all streams are taken.

    A server with one thread has none to give: a stream would keep everybody else waiting.
    """
    keep_open = request.environ.get(KEEP_OPEN) if request.method == "GET" else None
    most = int(current_app.config["LIVE_STREAMS"])
    places = most if keep_open else min(most, LIVE_THREADS)
    try:
        listener = log.listen(code, places) if keep_open or request.is_multithread else None
    except log.NoSuchGame:
        abort(404)
    if listener is None and log.edition(code) is None:
        abort(404)
    if listener is None:
        return Response(status=HTTPStatus.NO_CONTENT)
    beat = float(current_app.config["LIVE_BEAT"])
    if keep_open:
        keep_open(_News(listener, beat))
        return _streamed(iter([_FIRST_WORD]))
    answer = _streamed(_waited_for(listener, beat))
    answer.call_on_close(listener.close)
    return answer


def _streamed(events: Iterator[str]) -> Response:
    answer = Response(events, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"  # makes proxies pass each line on
    return answer


class _News:
    """A stream the server keeps open without a thread of its own."""

    def __init__(self, listener: log.Listener, every: float) -> None:
        self._listener = listener
        self.every = every

    def start(self, send: Callable[[bytes | None], object]) -> None:
        self._listener.hear(lambda now: send(now and f"data: {now}\n\n".encode()))

    def beat(self) -> bytes:
        return f"event: beat\ndata: {self._listener.known}\n\n".encode()

    def close(self) -> None:
        self._listener.close()


def _waited_for(listener: log.Listener, beat: float) -> Iterator[str]:
    yield _FIRST_WORD
    while not listener.is_over:
        is_new = listener.wait(beat)
        kind = "" if is_new else "event: beat\n"
        yield f"{kind}data: {listener.known}\n\n"


@blueprint.get("/board")
def show_board(code: str) -> Response:
    """The content of the game page, without the frame around it."""
    now = log.edition(code)
    if now is None:
        abort(404)
    appeals = appeals_shown(code, now)
    shown = "".join(f"{each.appeal.id}{each.state}" for each in appeals)
    kept = asked_here(code, now)
    shown += identified(kept)
    return unless_known(lambda: tag_of(code, now, shown, right_told(code)), lambda: _board(code, appeals, kept))


def _board(code: str, appeals: Sequence[Shown], kept: log.Proposal | None) -> str:
    table = access.table_or_404(code)

    def draw() -> str:
        return render_template("game.html", layout=PART, **board(table, appeals, kept))

    if not looks_on_only(table, appeals):
        return draw()
    return table.drawn(("board", table.edition, language(), request.script_root), draw)


@blueprint.get("/table")
def show_table(code: str) -> str:
    """Large figures for a phone in the middle of the table: whose deal, the contract, totals, the pool.

    With `sides` the totals stand four times, once for each side of the table.
    """
    sides = "sides" in request.args
    return render_template("table_view.html", sides=sides, **board(access.table_or_404(code), appeals_shown(code)))
