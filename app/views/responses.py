"""What every response carries: security headers, caching of static files, compression."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import current_app, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner

if TYPE_CHECKING:
    from flask import Flask, Response
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # links to a game are secrets: other sites never learn them
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_OVER_HTTPS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Browsers complain of these on every page that comes over plain HTTP."""
_COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_WORTH_IT = 600  # bytes: less fits into the first packet anyway
_NEVER = datetime(2100, 1, 1, tzinfo=UTC)
_FOREVER = "public, max-age=31536000, immutable"


class _Ageless(TimestampSigner):
    """Signs with the time, and takes what it has signed at any time for good.

    A machine without a clock of its own (a Raspberry Pi) jumps back and forth. A cookie from the future is no fraud,
    and one that seems old no lost right: rights are taken back in the log, and the browser ends the cookie.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        _ = max_age
        return super().unsign(signed_value, return_timestamp=return_timestamp)  # type: ignore[call-overload]


class _Sessions(SecureCookieSessionInterface):
    """Signed cookies, of which the answer to a form says no word.

    A browser told that it varies with them could not show it again once they have changed: on the way back it would
    ask whether to send the form again.
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = _Ageless
        return serializer

    def get_expiration_time(self, _app: Flask, session: SessionMixin) -> datetime | None:
        """When browsers may forget the cookie: a day no wrong clock of ours makes past; they choose an earlier one."""
        return _NEVER if session.permanent else None

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        super().save_session(app, session, response)
        if request.method == "POST":
            response.vary.discard("cookie")  # small letters: Werkzeug would leave "Cookie" beside other names


def init(app: Flask) -> None:
    """Hook the three concerns into every request."""
    app.session_interface = _Sessions()
    app.url_defaults(_fingerprint)
    app.after_request(_compress)
    app.after_request(_cache_static)
    app.after_request(_secure)


def _secure(response: Response) -> Response:
    headers = HEADERS | _OVER_HTTPS if request.is_secure else HEADERS
    for name, value in headers.items():
        response.headers.setdefault(name, value)
    return response


def asset(filename: str) -> str:
    """The address of a static file for pages that must not fail: it needs no routing, as `url_for` does.

    A request whose Host header is no host has none.
    """
    contents = _hash_of(filename)
    return f"{request.script_root}{current_app.static_url_path}/{filename}" + (f"?v={contents}" if contents else "")


def _fingerprint(endpoint: str, values: dict[str, Any]) -> None:
    """Add the contents' hash to a static file's address, so that it may be cached for good."""
    if endpoint != "static" or "v" in values:
        return
    if contents := _hash_of(str(values["filename"])):
        values["v"] = contents


def _hash_of(filename: str) -> str:
    """The hash of a static file's contents; empty where there is no such file."""
    path = f"{current_app.static_folder}/{filename}"
    try:
        return _contents_hash(path, os.stat(path).st_mtime_ns)  # noqa: PTH116 - asked nine times a page
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _contents_hash(path: str, _changed: int) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()[:10]


def _cache_static(response: Response) -> Response:
    if request.endpoint == "static" and "v" in request.args and response.status_code == HTTPStatus.OK:
        response.headers["Cache-Control"] = _FOREVER
    return response


def _compress(response: Response) -> Response:
    """Send text as gzip to whoever reads it; streams and ready-made bytes are left alone."""
    kind = response.mimetype or ""
    if not kind.startswith(_COMPRESSED) or kind == "text/event-stream":
        return response
    response.vary.add("Accept-Encoding")
    if not _may_compress(response):
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) >= _WORTH_IT:
        packed = _kept_packed if request.endpoint == "static" else _packed
        response.set_data(packed(body))
        response.headers["Content-Encoding"] = "gzip"
        _weaken(response)
    return response


def _may_compress(response: Response) -> bool:
    is_file = request.endpoint == "static"
    return (
        response.status_code == HTTPStatus.OK
        and (is_file or not response.is_streamed)
        and "Content-Encoding" not in response.headers
        and request.accept_encodings["gzip"] > 0
    )


def _weaken(response: Response) -> None:
    """The same contents in other bytes: the tag compares equal but no longer byte by byte."""
    tag, is_weak = response.get_etag()
    if tag is not None and not is_weak:
        response.set_etag(tag, weak=True)


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)


_kept_packed = lru_cache(maxsize=64)(_packed)
"""The same for static files, which are packed once."""
