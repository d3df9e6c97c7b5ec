"""Live updates: how far a game has come, pushed or polled, and the part of the page that changed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, current_app, render_template, request

from app import log
from app.config import KEEP_OPEN
from app.i18n import language
from app.views import access
from app.views.etags import tag_of, unless_known
from app.views.game.board import board, looks_on_only
from app.views.game.messages import appeals_shown, question_shown, right_told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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

    204 also where each stream would hold a thread of the server: a few would keep everybody else waiting.
    """
    keep_open = request.environ.get(KEEP_OPEN) if request.method == "GET" else None
    try:
        listener = log.listen(code, int(current_app.config["LIVE_STREAMS"])) if keep_open else None
    except log.NoSuchGame:
        abort(404)
    if listener is None and log.edition(code) is None:
        abort(404)
    if keep_open is None or listener is None:
        return Response(status=HTTPStatus.NO_CONTENT)
    keep_open(_News(listener, float(current_app.config["LIVE_BEAT"])))
    answer = Response(iter([_FIRST_WORD]), mimetype="text/event-stream")  # no length: more follows
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


@blueprint.get("/board")
def show_board(code: str) -> Response:
    """The content of the game page, without the frame around it."""
    now = log.edition(code)
    if now is None:
        abort(404)
    said = log.messages_of(code, now)
    shown = "".join(f"{each.appeal.id}{each.state}" for each in appeals_shown(said)) + question_shown(code, said)
    return unless_known(lambda: tag_of(code, now, shown, right_told(code)), lambda: _board(code, said))


def _board(code: str, said: Sequence[log.Message]) -> str:
    table = access.table_or_404(code)

    def draw() -> str:
        return render_template("game.html", layout=PART, **board(table, said))

    if appeals_shown(said) or not looks_on_only(code):
        return draw()
    return table.drawn(("board", table.edition, language(), request.script_root), draw)


@blueprint.get("/table")
def show_table(code: str) -> str:
    """Large figures for a phone in the middle of the table: whose deal, the contract, totals, the pool.

    With `sides` the totals stand four times, once for each side of the table.
    """
    table, sides = access.table_or_404(code), "sides" in request.args
    return render_template("table_view.html", sides=sides, **board(table, log.messages_of(code, table.edition)))
