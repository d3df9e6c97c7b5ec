"""What every response has: security headers, caching, compression, a mark for what scripts sent."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from http import HTTPMethod
from time import monotonic
from typing import Any

from flask import Flask, Response, current_app, g, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_compress import Compress
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from app.settings import ROOT, VERSION
from app.stderr import REQUESTS
from app.store.opening import schema

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # links to a game are secrets that other sites must never learn
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_HTTPS_FROM_NOW_ON = "max-age=31536000"
"""Browsers heed it only if it comes over HTTPS; other names of the same domain may be somebody else's.

So may other paths and ports of the same name: a server below a path does not speak for them.
"""
_OVER_HTTPS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Browsers complain about these on every page that comes over plain HTTP."""
_SHOWS_SECRETS = ("api.new_game", "api.import_game", "start.open_typed", "game_pages.share")
"""Endpoints whose answers hold a secret, or a code as typed."""
_NOT_INDEXED = ("/g/", "/api/v1/games/")
"""What search engines must not list, wherever they found a link to it: whoever has the address may see the game."""
_COMPRESSION = {
    # over plain HTTP browsers take gzip only; both cost less than a fiftieth of drawing the page
    "COMPRESS_ALGORITHM": ["zstd", "gzip"],
    "COMPRESS_ALGORITHM_STREAMING": ["zstd", "gzip"],
    "COMPRESS_LEVEL": 6,
    "COMPRESS_ZSTD_LEVEL": 6,  # of the usual 3, a style sheet is larger than gzip's
    "COMPRESS_STREAMING_ENDPOINT_CONDITIONAL": ["static", "pwa.worker"],
}
_GZIP = "gzip"
_SOURCES = (".css", ".js")
_COMMENT = re.compile(
    r"^\s*(?:/\*(?!!)(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\* @type (?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL
)
"""A comment with lines of its own, unless it begins as licences do; and the type of what follows in a line."""
LETTER = "Kalooki-Letter"
"""The header by which a script tells our answer to what it sent from a proxy's page (static/js/outbox.js)."""
_NEVER = datetime(2100, 1, 1, tzinfo=UTC)
_FOREVER = "public, max-age=31536000, immutable"


class _Ageless(TimestampSigner):
    """Signs with the time, but accepts signatures from any time.

    A machine without a battery clock (a Raspberry Pi) jumps back and forth. A cookie from the future is not a fraud,
    and one that seems old has not expired: the log revokes rights, and the browser drops the cookie.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        _ = max_age
        return super().unsign(signed_value, return_timestamp=return_timestamp)  # type: ignore[call-overload]


class _Sessions(SecureCookieSessionInterface):
    """Signed cookies that do not make responses to forms vary.

    A browser told that a response varies with the cookie could not show it again once that changes: going back would
    ask whether to send the form again.
    """

    def __init__(self, app: Flask) -> None:
        self._serializer = super().get_signing_serializer(app)
        if self._serializer is not None:
            self._serializer.signer = _Ageless

    def get_signing_serializer(self, _app: Flask) -> URLSafeTimedSerializer | None:
        return self._serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether browsers send the cookie over HTTPS only: where it came that way, or all phones are told to."""
        return request.is_secure or super().get_cookie_secure(app)

    def get_cookie_path(self, _app: Flask) -> str:
        """Return the path below which browsers send the cookie.

        Other apps on this host neither get it nor replace it.
        """
        return request.script_root or "/"

    def get_expiration_time(self, _app: Flask, session: SessionMixin) -> datetime | None:
        """When browsers may drop the cookie: a day that no wrong clock of ours makes past; browsers drop it sooner."""
        return _NEVER if session.permanent else None

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        super().save_session(app, session, response)
        if request.method == "POST":
            response.vary.discard("cookie")  # lower case, because Werkzeug does not find "Cookie" among other names


def init(app: Flask) -> None:
    """Add sessions, headers, caching and compression to every request."""
    app.session_interface = _Sessions(app)
    app.config |= _COMPRESSION
    app.before_request(_begin)
    app.after_request(_log)  # the first to be put here, so it is the last to be called
    Compress(app)
    app.after_request(_shorten)  # called before it is compressed
    app.after_request(_cache)
    app.after_request(_secure)
    app.after_request(_answer_a_letter)


def _begin() -> None:
    g.began = monotonic()


def _log(response: Response) -> Response:
    """Log a request by its endpoint: its path names the game, whose code is a key to it."""
    method = request.method if request.method in HTTPMethod.__members__ else "-"
    milliseconds = 1000 * (monotonic() - g.began)
    REQUESTS.info("%s %s %d %.0f ms", method, request.endpoint or "-", response.status_code, milliseconds)
    return response


def _secure(response: Response) -> Response:
    if request.endpoint == "static" and not request.path.endswith(".svg"):
        response.headers["X-Content-Type-Options"] = HEADERS["X-Content-Type-Options"]  # of no file the others speak of
        return response
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers.extend(_OVER_HTTPS)
    if request.path.startswith(_NOT_INDEXED):
        response.headers["X-Robots-Tag"] = "noindex"
    if str(current_app.config["BASE_URL"]).startswith("https://") and not request.script_root:
        response.headers["Strict-Transport-Security"] = _HTTPS_FROM_NOW_ON
    return response


def _answer_a_letter(response: Response) -> Response:
    """Mark the answer to what a script sent, and keep it from being a redirect, whose headers no script may read."""
    if LETTER not in request.headers:
        return response
    response.headers[LETTER] = "read"
    if response.status_code == 303:
        response.status_code = 204
        response.set_data(b"")
    return response


def _cache(response: Response) -> Response:
    """Keep a static file for good; let only the browser itself store a page.

    Nobody stores a page that shows a secret or has it in its address. Responses to forms are left alone: they are not
    cached anyway, and going back must show them again.
    """
    if request.endpoint == "static":
        if response.status_code == 200:
            response.headers["Cache-Control"] = _FOREVER
    elif (request.view_args or {}).get("secret") or request.endpoint in _SHOWS_SECRETS:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"  # proxies write referrers into their logs
    elif request.method in ("GET", "HEAD"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def _shorten(response: Response) -> Response:
    """Send a script or a style sheet without its comments."""
    name = (request.view_args or {}).get("filename", "")
    if request.endpoint == "static" and response.status_code == 200 and name.endswith(_SOURCES):
        response.direct_passthrough = False
        response.set_data(_without_comments(name))
    return response


@cache
def _without_comments(name: str) -> str:
    """Return what a browser needs of a file: a script's indentation may be part of a string."""
    text = _COMMENT.sub("", (ROOT / "static" / name).read_text("utf-8"))
    return re.sub(r"\n\s+", "\n", text) if name.endswith(".css") else text


def is_in_browser() -> bool:
    """Whether a browser asks, which shows people a page, and not a program; who says nothing about it is a program."""
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


def static_path() -> str:
    """Return the path of the static files: it has a hash of them all, so that what they name is of the same release."""
    files = sorted(file for file in (ROOT / "static").rglob("*") if file.is_file())
    return f"/static/{sha256(b''.join(file.read_bytes() for file in files)).hexdigest()[:10]}"


def asset(filename: str) -> str:
    """Return the address of a static file.

    Unlike `url_for` it needs no routing: a request with an invalid Host header has none.
    """
    return f"{request.script_root}{current_app.static_url_path}/{filename}"


def release() -> dict[str, str]:
    """Return what this server runs: the version of the product, and the tables it expects in the database."""
    return {"version": VERSION, "schema": schema()}


def compress(text: str) -> bytes:
    """Return a text as it is kept to be sent to many."""
    return gzip.compress(text.encode(), mtime=0)


def send_compressed(contents: bytes, mimetype: str = "text/html") -> Response:
    """Return a response with a text that was compressed."""
    if not request.accept_encodings[_GZIP]:
        return Response(gzip.decompress(contents), mimetype=mimetype)
    response = Response(contents, mimetype=mimetype)
    response.content_encoding = _GZIP
    return response
