"""Live: how far a game has come, told at once or when asked, and the page's contents to go with it."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, current_app, has_request_context, make_response, render_template, request

from app import log
from app.views import access
from app.views.appeals import appeals_shown
from app.views.games import board

if TYPE_CHECKING:
    from collections.abc import Iterator

blueprint = Blueprint("live", __name__, url_prefix="/g/<code>")

PART = "fragments/bare.html"
"""The layout of what changes on a page, asked for with `?part` by a phone that shows the page already."""

_RELEASE = secrets.token_hex(4)  # another one after each start: templates may have changed


@blueprint.app_context_processor
def _layout() -> dict[str, str | None]:
    return {"layout": PART if has_request_context() and "part" in request.args else None}


@blueprint.get("/version")
def version(code: str) -> Response:
    """How far the game has come, such as `5.2`: one statement, and 304 where the phone knows already."""
    now = log.edition(code)
    if now is None:
        abort(404)
    return _unless_known(Response(str(now), mimetype="text/plain"), str(now))


@blueprint.get("/live")
def stream(code: str) -> Response:
    """Server-sent events: the version at once and at each change, else a `beat`; 204 when all streams are taken."""
    try:
        listener = log.listen(code)
    except log.NoSuchGame:
        abort(404)
    if listener is None:
        return Response(status=HTTPStatus.NO_CONTENT)
    answer = Response(_news(listener, current_app.config["LIVE_BEAT"]), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"  # proxies pass each line on
    answer.call_on_close(listener.close)
    return answer


def _news(listener: log.Listener, beat: float) -> Iterator[str]:
    yield "retry: 1000\n\n"
    while not listener.is_over:
        is_new = listener.wait(beat)
        kind = "" if is_new else "event: beat\n"
        yield f"{kind}data: {listener.known}\n\n"


@blueprint.get("/board")
def show_board(code: str) -> Response:
    """What the game page shows, without the frame around it."""
    now = log.edition(code)
    if now is None:
        abort(404)
    grant = access.grant(code)
    shown = "".join(f"{each.appeal.id}{each.state}" for each in appeals_shown(code))
    tag = f"{now}-{grant.id if grant else 0}-{shown}-{_RELEASE}"
    if tag in request.if_none_match:
        return Response(status=HTTPStatus.NOT_MODIFIED)
    page = render_template("game.html", layout=PART, **board(access.table_or_404(code)))
    return _unless_known(make_response(page), tag)


@blueprint.get("/table")
def show_table(code: str) -> str:
    """Big figures for a phone in the middle of the table: whose deal, the contract, totals, the pool."""
    return render_template("table_view.html", **board(access.table_or_404(code)))


def _unless_known(answer: Response, tag: str) -> Response:
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.make_conditional(request)
    return answer
