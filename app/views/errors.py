"""Error pages, which say what happened and what to do now, and errors as JSON."""

from __future__ import annotations

from http import HTTPStatus
from types import TracebackType
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, generate_csrf
from werkzeug.exceptions import BadHost, HTTPException, SecurityError

from app.games.recording import DamagedGame
from app.kalooki.cards import BadInput
from app.stderr import format_trace
from app.store import database
from app.store.database import NoSuchGame, NotAllowed
from app.store.trouble import Unavailable
from app.views import access, limits, sheets
from app.views.links import ALIVE, host
from app.views.responses import SCRIPT_HEADER, is_in_browser

blueprint = Blueprint("errors", __name__)

FRESH_TOKEN = "Kalooki-Token"  # noqa: S105 - a name
"""The header with a fresh CSRF token for a script whose token is old (static/js/form.js)."""
_NOT_SENT = "This page was not sent"
_NO_COOKIE = "It came without this device’s cookie. Allow cookies, go back, reload the page and send it again."
_ONLY_BY_HTTPS = "This server remembers devices at {address} only. Open the page there and send it again."
_OLD = "Please reload this page and save again."
_NO_SUCH_PAGE = (
    "This game has no such page",
    "The address may be mistyped, or the link out of date. Go back to the game, or scan its code under Share.",
)
_OTHER_HOST = (
    "This server doesn’t go by that name. Open the game from its link or its QR code. Whoever runs this server can add"
    " the name to HOSTS.\n"
)
_UNDER_ANY_NAME = {ALIVE: "health.alive", "/readyz": "health.ready", "/healthz": "health.ready"}
"""Health checks are answered under any host name, as containers and load balancers ask; they contain no address."""
_BY_STATUS = {
    404: (
        "There is nothing here",
        "Check the address letter by letter, or open the game from the link or the QR code on another phone.",
    ),
    413: ("This file is too large", "Go back and send less."),
    503: ("Too many requests at once", "What was saved is safe. Wait a moment, then try again."),
    500: (
        "Something broke on our side",
        "What was saved is safe. Go back and try once more; if it happens again, tell whoever runs this server.",
    ),
}
_NO_DATABASE = (
    "The games can’t be read or saved just now",
    "What was saved is safe. Wait a moment, then try again. If that doesn’t help, tell whoever runs this server:",
)
RETRY_AFTER = "5"
"""Seconds, for the Retry-After header."""
_TRY_AGAIN = (429, 500, 503)
_MISSING = (404, 410)
_LONGEST_KEPT = 16 * 1024
"""The longest form, in bytes, that is returned to be sent again; a busy server refuses to read longer ones."""
_ANYTHING = ("This cannot be done here", "Go back, or start from the home page.")


class NoHost(BadHost):
    """The Host header names no machine."""

    title = "This address names no machine"
    text = "Open the game from its link or its QR code, or type the address letter by letter."


@blueprint.before_app_request
def _require_host() -> ResponseReturnValue | None:
    """Refuse a request whose Host header names no machine or another one: no address could be given in the response."""
    health: Any = current_app.view_functions.get(_UNDER_ANY_NAME.get(request.path, ""))
    if isinstance(request.routing_exception, SecurityError):
        return health() if health else Response(_OTHER_HOST, 400, mimetype="text/plain")
    if not health and (not host() or isinstance(request.routing_exception, BadHost)):
        raise NoHost("The Host header names no machine.")
    return None


def log_broken(raised: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
    """Log an unhandled exception with its endpoint; Flask would log the path, which contains the game's code."""
    trouble = format_trace(raised[1]) if raised[1] else ""
    current_app.logger.error("%s %s broke\n%s", request.method, request.endpoint or "-", trouble)


@blueprint.app_errorhandler(CSRFError)
def handle_csrf_error(raised: CSRFError) -> ResponseReturnValue:
    """Explain why a form has no valid token: the cookie is missing or newer, or the form came from elsewhere.

    A script gets a fresh token, with which it sends the form again; scripts of other sites cannot read it.
    """
    base = str(current_app.config["BASE_URL"])
    if session:
        why = _OLD
    elif base.startswith("https://") and not request.is_secure:
        why = _ONLY_BY_HTTPS.format(address=base)
    else:
        why = _NO_COOKIE
    token = {FRESH_TOKEN: generate_csrf()} if SCRIPT_HEADER in request.headers else {}
    is_hand = request.endpoint == "hands.send"
    return *_error_page((_NOT_SENT, why), raised.code or 400, form_at=request.path if is_hand else ""), token


@blueprint.app_errorhandler(HTTPException)
def handle_http_error(raised: HTTPException) -> ResponseReturnValue:
    """Return the page or JSON for any other error, including our own bugs; a complete response (a redirect) passes."""
    if raised.response is not None:
        return raised.response
    if _wants_json():
        return _with_error_headers(raised, _http_error_in_json(raised))
    if isinstance(raised, limits.Busy):
        return _waiting_page(raised)
    status = raised.code or 500
    game = _find_game() if status == HTTPStatus.NOT_FOUND else ""
    title, text = _NO_SUCH_PAGE if game else _BY_STATUS.get(status, _ANYTHING)
    text = getattr(raised, "text", "") or vars(raised).get("description") or text  # ours, not the library's
    title, reason = getattr(raised, "title", title), getattr(raised, "reason", "")
    return _with_error_headers(raised, _error_page((title, text), status, game=game, reason=reason))


def _find_game() -> str:
    """Return the code of the game to which an address without a page belongs; empty if there is no such game."""
    _, where, code, *_rest = f"{request.path}//".split("/")
    try:
        return code if where == "g" and database.version(code) else ""
    except Unavailable:
        return ""


def json_error(
    code: str, message: str, status: int, field: str | None = None, word: str | None = None, **more: object
) -> tuple[dict[str, object], int]:
    """Return an error response of the JSON interface, in the form that all errors have."""
    return {"error": {"code": code, "message": message, "field": field, "word": word}, **more}, status


def _http_error_in_json(raised: HTTPException) -> ResponseReturnValue:
    """Return an HTTP error as JSON: no such game, no right to write, too many requests."""
    sentences = {
        404: "There is no such game." if request.url_rule else "There is nothing here.",
        410: "This game was deleted, or has another address now.",
        403: "This needs the scorer's secret: send it as a bearer's secret.",
    }
    status = raised.code or 500
    message = sentences.get(status, raised.description or raised.name)
    return json_error(raised.name.lower().replace(" ", "_"), message, status)


def _with_error_headers(raised: HTTPException, response: ResponseReturnValue) -> Response:
    """Return our response with the headers of the HTTP error: which methods are allowed, when to try again."""
    answer = make_response(response)
    answer.headers.extend({name: value for name, value in raised.get_headers() if name != "Content-Type"})
    return answer


def _waiting_page(raised: limits.Busy) -> ResponseReturnValue:
    """Return a page that sends the request again by itself, with what was sent, however long that is."""
    text = f"{raised.description} This page tries again by itself, in {raised.SECONDS} seconds."
    longest = current_app.config["MAX_CONTENT_LENGTH"]
    page = _error_page((raised.title, text), 503, longest, again=raised.SECONDS)
    answer = _with_error_headers(raised, page)
    if request.method == "GET":
        answer.headers["Refresh"] = str(raised.SECONDS)
    return answer


@blueprint.app_errorhandler(NoSuchGame)
def handle_missing_game(raised: NoSuchGame) -> ResponseReturnValue:
    """Return the error for a game that got another code, or was deleted, during the request."""
    return handle_http_error(access.missing(str(raised)))


@blueprint.app_errorhandler(NotAllowed)
def handle_revoked_right(_raised: NotAllowed) -> ResponseReturnValue:
    """Return the error for a right that was revoked during the request."""
    access.forget_rights()
    return handle_http_error(access.refusal(access.code_in_address()))


@blueprint.app_errorhandler(Unavailable)
def handle_unavailable(trouble: Unavailable) -> ResponseReturnValue:
    """Return the error for a database that cannot be used now; it may work again soon."""
    cause = trouble.__cause__
    why = format_trace(trouble) if isinstance(trouble, DamagedGame) else getattr(cause, "orig", cause)
    current_app.logger.error("%s (%s)", trouble, why or "as its file shows")
    later = {"Retry-After": RETRY_AFTER}
    if _wants_json():
        return *json_error("database_unavailable", f"{_NO_DATABASE[1]} {trouble!s}", 503), later
    return *_error_page(_NO_DATABASE, 503, for_operator=str(trouble)), later


@blueprint.app_errorhandler(BadInput)
def handle_bad_input(malformed: BadInput) -> ResponseReturnValue:
    """Return the error for a value in a form or an address that cannot be read and has no field on the page."""
    if _wants_json():
        return json_error("unreadable", malformed.say(), 422, malformed.field, malformed.word)
    if back := sheets.where_asked():
        text = f"{sheets.relabel_error(malformed)} Go back and change that: what you chose is kept."
        return _error_page(("This cannot be printed", text), 422, back=back)
    title = "This cannot be printed" if request.blueprint == "sheets" else "This cannot be read"
    return _error_page((title, malformed.say()), 422)


def _wants_json() -> bool:
    """Return whether the address is in the JSON interface, even if it does not exist, except paper in a browser."""
    is_opened = request.blueprint == "sheets" and is_in_browser()
    return request.path.split("/")[1] == "api" and not is_opened


def _error_page(
    words: tuple[str, str], status: int, longest: int = _LONGEST_KEPT, game: str = "", **more: object
) -> tuple[str, int]:
    """Return the error page with a title and a text, in `game` if there is one at an address without a page.

    `reason` says why a game refuses the request, `back` leads to paper, `form_at` to the form that was sent.
    """
    title, text = words
    code = game or ("" if status in _MISSING else access.code_in_address())
    is_missing = status in _MISSING and not game and request.path.startswith("/g/")
    may_send_again = status in _TRY_AGAIN or (is_missing and status == 404)  # the server may be repaired
    context = {"code": code, "typed": _sent_fields(longest * may_send_again), "is_missing": is_missing}
    return render_template("error.html", title=title, text=text, status=status, **context, **more), status


def _sent_fields(most: int) -> list[tuple[str, str]] | None:
    """Return the fields of a refused form, to be sent again; None if nothing was sent, or more than `most` bytes."""
    length = request.content_length
    if request.method != "POST" or length is None or length > most:
        return None
    if "pasted" in g:
        return [*(request.form.to_dict() | {"pasted": g.pasted}).items()]
    return None if request.files else [*request.form.items(multi=True)]
