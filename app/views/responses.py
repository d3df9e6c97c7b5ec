"""What all responses share: security headers, caching, compression, and a mark for requests by scripts."""

from __future__ import annotations

import gzip
import hmac
import re
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from http import HTTPMethod
from io import BytesIO
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import WSGIEnvironment

from flask import Flask, Request, Response, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_compress import Compress
from flask_compress.compat import compression
from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer

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
    # links to a game are secrets that no other site may learn
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_HSTS = "max-age=31536000"
"""Browsers obey it only over HTTPS. It leaves out subdomains, which may belong to somebody else.

So may other paths and ports of the same host, so a server below a path does not send it.
"""
_OVER_HTTPS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Headers about which browsers complain on every page over plain HTTP."""
_SHOWS_SECRETS = (
    "api.new_game",
    "api.new_club",
    "api.import_game",
    "start.open_typed",
    "game_pages.share",
    "clubs.share",
)
"""Endpoints whose responses contain a secret or a typed code."""
_NOT_INDEXED = ("/g/", "/c/", "/api/v1/games/", "/api/v1/clubs/")
"""What search engines must not list, wherever they find a link: the address is enough to see the game."""
_COMPRESSION = {
    # over plain HTTP browsers accept only gzip; both take less than a fiftieth of the time to render the page
    "COMPRESS_ALGORITHM": ["zstd", "gzip"],
    "COMPRESS_ALGORITHM_STREAMING": ["zstd", "gzip"],
    "COMPRESS_LEVEL": 6,
    "COMPRESS_ZSTD_LEVEL": 8,  # at the default 3, a page is larger than with gzip
    "COMPRESS_STREAMING_ENDPOINT_CONDITIONAL": ["static", "pwa.worker"],
}
_GZIP, _ZSTD = "gzip", "zstd"
_NEEDLESS = ("Content-Disposition", "Accept-Ranges", "ETag", "Last-Modified")
"""Headers that a static file needs no more: it is shown whole, and cached for good."""
_SOURCES = (".css", ".js")
_COMMENT = re.compile(
    r"^\s*(?:/\*(?!!)(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\* @type (?:(?!\*/).)*\*/ ?|(?<=[;,{}(]) //[^\n'\"`]*$",
    re.MULTILINE | re.DOTALL,
)
"""A comment on lines of its own, unless it is a licence (`/*!`); a type annotation within a line; a comment at the end
of a line, unless a quote follows: it may be in a string."""
SCRIPT_HEADER = "Kalooki-Letter"
"""The header of requests by scripts, and the mark of every response of ours.

By it scripts and the worker tell our responses from those of a proxy or a guest network's login page.
"""
UNASKED = "Kalooki-Unasked"
"""The header of requests that nobody made: the worker's, and those of pages that update themselves.

Their responses may arrive late, beside those that a person waits for, and must not bring back an older cookie.
"""
_NEVER = datetime(2100, 1, 1, tzinfo=UTC)
_FOREVER = "public, max-age=31536000, immutable"
_NAME_UNTIL_0_3 = "session"


class _Request(Request):
    """Keeps uploads in memory: a body has a megabyte at most, and there may be no room for temporary files.

    Its Host is in small letters, because Werkzeug finds trusted names only so.
    """

    def __init__(self, environ: WSGIEnvironment, *options: Any) -> None:
        if "HTTP_HOST" in environ:
            environ["HTTP_HOST"] = environ["HTTP_HOST"].lower()
        super().__init__(environ, *options)

    def _get_file_stream(self, *_about: object, **_more: object) -> BytesIO:
        return BytesIO()


class _AgelessSigner(TimestampSigner):
    """Signs with a timestamp, but accepts signatures of any age.

    The time on a machine without a battery clock (a Raspberry Pi) jumps back and forth. A cookie from the future is not
    forged, and an old one has not expired: rights are revoked in the database, and the browser drops the cookie.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        _ = max_age
        return super().unsign(signed_value, return_timestamp=return_timestamp)  # type: ignore[call-overload]


class _Session(SecureCookieSession):
    """A session, and the earlier name of the cookie it was read from; empty if the cookie has its present name."""

    earlier_name = ""


class _Sessions(SecureCookieSessionInterface):
    """Signed cookies with a name of their own, for which responses to forms have no `Vary: Cookie`.

    With that header, a browser could not show such a response again after the cookie has changed: going back would ask
    whether to send the form again. Cookies know no port, so the name depends on the key: otherwise another app on this
    host, or another server of ours, would replace the cookie, and with it every right of the device.
    """

    session_class = _Session

    def __init__(self, app: Flask) -> None:
        self._serializer = super().get_signing_serializer(app)
        if self._serializer is not None:
            self._serializer.signer = _AgelessSigner
        key, base = str(app.config["SECRET_KEY"]), urlsplit(str(app.config["BASE_URL"]))
        plain = f"kalooki-{hmac.digest(key.encode(), b'name of the cookie', 'sha256').hex()[:8]}"
        name = f"__Host-{plain}" if base.scheme == "https" and not base.path else plain
        self._earlier_names = [each for each in (plain, _NAME_UNTIL_0_3) if each != name]
        app.config["SESSION_COOKIE_NAME"] = name

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the device's session; without a cookie of the present name, that of an earlier one which we signed."""
        session = super().open_session(app, request)
        if self._serializer is None or self.get_cookie_name(app) in request.cookies:
            return session
        for name in self._earlier_names:
            with suppress(BadSignature):
                session = _Session(self._serializer.loads(request.cookies.get(name, "")))
                session.earlier_name = name
                return session
        return session

    def get_signing_serializer(self, _app: Flask) -> URLSafeTimedSerializer | None:
        return self._serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether browsers send the cookie over HTTPS only: if this request was sent so, or BASE_URL says it."""
        return request.is_secure or super().get_cookie_secure(app)

    def get_cookie_path(self, _app: Flask) -> str:
        """Return the path below which browsers send the cookie.

        So other apps on this host neither receive nor replace it.
        """
        return request.script_root or "/"

    def get_expiration_time(self, _app: Flask, session: SessionMixin) -> datetime | None:
        """Return a date so late that it is never past by a wrong clock of ours; browsers drop the cookie sooner."""
        return _NEVER if session.permanent else None

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Store the session if it has changed, or has to move to the present name of its cookie."""
        if is_unasked():
            session.modified = False
        elif session.accessed and (earlier := getattr(session, "earlier_name", "")):
            session.modified = True
            response.delete_cookie(earlier, path=self.get_cookie_path(app))
        super().save_session(app, session, response)
        if request.method == "POST":
            response.vary.discard("cookie")  # in lower case: Werkzeug does not find "Cookie" among several names


def init(app: Flask) -> None:
    """Add sessions, headers, caching and compression to every request."""
    app.request_class = _Request
    app.session_interface = _Sessions(app)
    app.config |= _COMPRESSION
    app.before_request(_begin)
    app.after_request(_log)  # registered first, so called last
    Compress(app)
    app.after_request(_shorten)  # called before compression
    app.after_request(_cache)
    app.after_request(_secure)
    app.after_request(_mark)


def _begin() -> None:
    g.began = monotonic()
    if is_unasked():
        session.pop("_flashes", None)  # they are for the next page that somebody sees


def _log(response: Response) -> Response:
    """Log a request by its endpoint, because the path contains the game's code, which gives access to it."""
    method = request.method if request.method in HTTPMethod.__members__ else "-"
    milliseconds = 1000 * (monotonic() - g.began)
    REQUESTS.info("%s %s %d %.0f ms", method, request.endpoint or "-", response.status_code, milliseconds)
    return response


def _secure(response: Response) -> Response:
    response.headers.pop("Date", None)  # Werkzeug dates files only, and the server dates everything
    if request.endpoint == "static" and not request.path.endswith(".svg"):
        response.headers["X-Content-Type-Options"] = HEADERS["X-Content-Type-Options"]  # others are about pages
        for name in _NEEDLESS:
            response.headers.pop(name, None)
        return response
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers.extend(_OVER_HTTPS)
    if request.path.startswith(_NOT_INDEXED):
        response.headers["X-Robots-Tag"] = "noindex"
    if str(current_app.config["BASE_URL"]).startswith("https://") and not request.script_root:
        response.headers["Strict-Transport-Security"] = _HSTS
    return response


def _mark(response: Response) -> Response:
    """Mark the response as ours, and for a script replace a redirect, whose headers it cannot read, by 204."""
    response.headers[SCRIPT_HEADER] = "read"
    if SCRIPT_HEADER in request.headers and response.status_code == 303:
        response.status_code = 204
        response.set_data(b"")
    return response


def _cache(response: Response) -> Response:
    """Let anybody cache a static file for good, and only the browser a page.

    A page that contains a secret, or has one in its address, is not stored at all. Responses to forms stay as they are:
    they are not cached anyway, and going back must show them again.
    """
    if request.endpoint == "static":
        if response.status_code == 200:
            response.headers["Cache-Control"] = _FOREVER
    elif (request.view_args or {}).get("secret") or request.endpoint in _SHOWS_SECRETS:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"  # proxies log referrers
    elif request.method in ("GET", "HEAD"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def _shorten(response: Response) -> Response:
    """Remove the comments from a script or a style sheet."""
    name = "js/worker.js" if request.endpoint == "pwa.worker" else (request.view_args or {}).get("filename", "")
    is_file = request.endpoint in ("static", "pwa.worker") and response.status_code == 200
    if is_file and name.endswith(_SOURCES):
        response.direct_passthrough = False
        is_packed = request.endpoint == "static" and request.accept_encodings[_ZSTD] > 0
        response.set_data(_packed(name) if is_packed else _without_comments(name))
        if is_packed:
            response.content_encoding = _ZSTD
    return response


@cache
def _packed(name: str) -> bytes:
    """Return a file without comments, compressed as well as possible."""
    return bytes(compression.zstd.compress(_without_comments(name).encode(), 19))


@cache
def _without_comments(name: str) -> str:
    """Return a file without comments; a style sheet also without indentation, which in a script may be in a string."""
    text = _COMMENT.sub("", (ROOT / "static" / name).read_text("utf-8"))
    return re.sub(r"\n\s+", "\n", text) if name.endswith(".css") else text


def is_unasked() -> bool:
    """Return whether nobody made this request: its response sets no cookie."""
    return UNASKED in request.headers


def is_in_browser() -> bool:
    """Return whether a browser sent the request, which shows people a page; without a preference it is a program."""
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


def static_path() -> str:
    """Return the path of static files; a hash of them all makes files refer to others of the same release."""
    files = sorted(file for file in (ROOT / "static").rglob("*") if file.is_file())
    return f"/static/{sha256(b''.join(file.read_bytes() for file in files)).hexdigest()[:10]}"


def asset(filename: str) -> str:
    """Return the address of a static file.

    Unlike `url_for`, this needs no routing, which is not possible with an invalid Host header.
    """
    return f"{request.script_root}{current_app.static_url_path}/{filename}"


def release() -> dict[str, str]:
    """Return the version of this release, and the schema of the database that it expects."""
    return {"version": VERSION, "schema": schema()}


def compress(text: str) -> bytes:
    """Return a text compressed for caching and sending to many."""
    return gzip.compress(text.encode(), mtime=0)


def send_compressed(contents: bytes, mimetype: str = "text/html") -> Response:
    """Return a response with a text from `compress`, decompressed if the client does not accept gzip."""
    if not request.accept_encodings[_GZIP]:
        return Response(gzip.decompress(contents), mimetype=mimetype)
    response = Response(contents, mimetype=mimetype)
    response.content_encoding = _GZIP
    return response
