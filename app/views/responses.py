"""What every response has: security headers, caching of static files, compression, a mark for what scripts sent.

Style sheets are stored in several files and sent as one, so that a page needs one request for all it imports. Scripts
name each other by addresses that can be cached for good, so that a page a phone has seen needs no request for them.
"""

from __future__ import annotations

import gzip
import os
import re
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from http import HTTPMethod
from mimetypes import guess_type
from pathlib import Path
from time import monotonic
from typing import Any

from flask import Flask, Response, current_app, g, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from werkzeug.security import safe_join

from app.stderr import REQUESTS
from app.store import schema
from app.version import VERSION

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
_COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_FILES = ("static", "pwa.worker")
GZIP = "gzip"
_WORTH_IT = 600  # bytes: less fits into the first packet anyway
LETTER = "Kalooki-Letter"
"""The header by which a script tells our answer to what it sent from a proxy's page (static/js/again.js)."""
_NEVER = datetime(2100, 1, 1, tzinfo=UTC)
_FOREVER = "public, max-age=31536000, immutable"

_IMPORT = re.compile(rb'^@import url\("([\w./-]+)"\) layer\((\w+)\);\n', re.MULTILINE)
"""A file, and the cascade layer for its rules."""

_COMMENT = re.compile(rb"/\*.*?\*/\n*", re.DOTALL)

_TYPES = re.compile(rb"^ */\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)
"""What a script says of itself, on lines of its own."""

_MODULE = re.compile(rb'(?<=")(\./[\w-]+\.js)(?=")')
"""The name of a script in another."""

Stamps = tuple[tuple[str, int], ...]
"""Files, and when each was changed: nanoseconds since 1970."""


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
        """The path below which browsers send the cookie: other apps on this host neither get it nor replace it."""
        return request.script_root or "/"

    def get_expiration_time(self, _app: Flask, session: SessionMixin) -> datetime | None:
        """When browsers may drop the cookie: a day that no wrong clock of ours makes past; browsers drop it sooner."""
        return _NEVER if session.permanent else None

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        super().save_session(app, session, response)
        if request.method == "POST":
            response.vary.discard("cookie")  # lower case, because Werkzeug does not find "Cookie" among other names


def init(app: Flask) -> None:
    """Hook sessions, headers, caching and compression into every request."""
    app.session_interface = _Sessions(app)
    app.view_functions["static"] = _static
    app.before_request(_begin)
    app.after_request(_log)  # the first to be put here, so it is the last to be called
    app.after_request(_compress)
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
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers.extend(_OVER_HTTPS)
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
    """Keep a static file for good under its hash; let only the browser itself store a page.

    Nobody stores a page that shows a secret or has it in its address. Responses to forms are left alone: they are not
    cached anyway, and going back must show them again.
    """
    if request.endpoint == "static":
        if "v" in request.args and response.status_code == 200:
            response.headers["Cache-Control"] = _FOREVER
    elif (request.view_args or {}).get("secret") or request.endpoint in _SHOWS_SECRETS:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"  # proxies write referrers into their logs
    elif request.method in ("GET", "HEAD"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def is_in_browser() -> bool:
    """Whether a browser asks, which shows people a page, and not a program; who says nothing about it is a program."""
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


def asset(filename: str) -> str:
    """The address of a static file with its contents' hash, under which it can be cached for good.

    Unlike `url_for` it needs no routing: a request with an invalid Host header has none.
    """
    files = _stamps(filename)
    version = f"?v={_version(files)}" if files else ""
    return f"{request.script_root}{current_app.static_url_path}/{filename}{version}"


def release() -> dict[str, str]:
    """What this server runs: the version of the product, and the tables it expects in the database."""
    return {"version": VERSION, "schema": schema()}


@lru_cache(maxsize=256)
def _version(files: Stamps) -> str:
    """A hash of the contents of files, in whatever order."""
    return sha256(b"".join(Path(path).read_bytes() for path, _changed in sorted({*files}))).hexdigest()[:10]


def _stamps(filename: str) -> Stamps:
    """A static file and what else decides what is sent for it; none if one is missing.

    That is for a style sheet the files it imports, for a script all scripts of its folder: they have one version.
    """
    path = safe_join(str(current_app.static_folder), filename) or ""
    try:
        own = os.stat(path).st_mtime_ns  # noqa: PTH116 - asked for every file of every page
        if path.endswith(".js"):
            return ((path, own), *_scripts(str(Path(path).parent), int(monotonic())))
        imported = _imported(path, own) if path.endswith(".css") else ()
        return ((path, own), *((part, os.stat(part).st_mtime_ns) for part in imported))  # noqa: PTH116
    except OSError:
        return ()


@lru_cache(maxsize=8)
def _scripts(folder: str, _second: int) -> Stamps:
    """The scripts of a folder, looked at once a second."""
    return tuple((str(script), script.stat().st_mtime_ns) for script in Path(folder).glob("*.js"))


@lru_cache(maxsize=256)
def _contents(files: Stamps) -> bytes:
    """What is sent for a static file.

    A style sheet has a layer in place of each import, a script names others with their version; both lose comments.
    """
    path, *parts = (Path(name) for name, _changed in files)
    if path.suffix == ".js":
        return _MODULE.sub(rb"\1?v=" + _version(files).encode(), _TYPES.sub(b"", path.read_bytes()))
    if not parts:
        return path.read_bytes()
    texts = iter(parts)
    joined = _IMPORT.sub(lambda found: b"@layer %s {\n%s}\n" % (found[2], next(texts).read_bytes()), path.read_bytes())
    return _COMMENT.sub(b"", joined)


@lru_cache(maxsize=256)
def _imported(path: str, _changed: int) -> tuple[str, ...]:
    folder = Path(path).parent
    return tuple(str(folder / name.decode("ascii")) for name, _layer in _IMPORT.findall(Path(path).read_bytes()))


def _static(filename: str) -> Response:
    """A style sheet or script made of several files; any other static file, and one that lacks a part, as it is."""
    files = _stamps(filename)
    if len(files) < 2:
        return current_app.send_static_file(filename)
    response = Response(_contents(files), mimetype=guess_type(filename)[0])
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def _compress(response: Response) -> Response:
    """Send text as gzip to clients that accept it; leaves streams and ready-made bytes alone."""
    kind = response.mimetype or ""
    if not kind.startswith(_COMPRESSED) or kind == "text/event-stream":
        return response
    response.vary.add("Accept-Encoding")
    is_file = request.endpoint in _FILES
    if response.content_encoding == GZIP:
        _weaken(response)
    elif _may_compress(response, is_file=is_file):
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) >= _WORTH_IT:
            # a page is sent only once: packing it tighter is not worth the time
            response.set_data(_kept_packed(body) if is_file else gzip.compress(body, compresslevel=3, mtime=0))
            response.content_encoding = GZIP
            _weaken(response)
    return response


def _may_compress(response: Response, *, is_file: bool) -> bool:
    is_sent_whole = response.status_code == 200 and (is_file or not response.is_streamed)
    return is_sent_whole and _accepts_gzip()


def _accepts_gzip() -> bool:
    return request.accept_encodings[GZIP] > 0


def _weaken(response: Response) -> None:
    """Say by the tag that the contents are the same, and the bytes are not."""
    tag, is_weak = response.get_etag()
    if tag is not None and not is_weak:
        response.set_etag(tag, weak=True)


def pack(text: str) -> bytes:
    """A text as it is kept to be sent to many."""
    return gzip.compress(text.encode(), mtime=0)


def sent_packed(contents: bytes, mimetype: str = "text/html") -> Response:
    """A response with a text that was packed."""
    if not _accepts_gzip():
        return Response(gzip.decompress(contents), mimetype=mimetype)
    response = Response(contents, mimetype=mimetype)
    response.content_encoding = GZIP
    return response


@lru_cache(maxsize=64)
def _kept_packed(body: bytes) -> bytes:
    """A static file, compressed once as tightly as possible."""
    return gzip.compress(body, compresslevel=9, mtime=0)
