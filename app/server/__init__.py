"""The application for an ASGI server: a thread takes a request only once it is complete, and a stream needs no thread.

`start` runs it, and so does ``uvicorn --factory app:application``, also with several processes. Flask's own
`create_app` is plain WSGI for any other server; there, phones poll for news.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import resource
import signal
import socket
import sys
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from io import BytesIO
from threading import local
from typing import Any, cast
from urllib.parse import urlsplit
from wsgiref.types import WSGIEnvironment

import uvicorn
from a2wsgi.wsgi import build_environ
from flask import Flask

from app.live import Message, Receive, Send, Streams
from app.server.connections import Connection
from app.stderr import configure_logging
from app.store.database import OF_CLUB, game_changed, versions
from app.store.trouble import Unavailable

THREADS = 16
SHARE = 0.001
"""Seconds that a thread runs before another may: the event loop needs several turns for each response."""
MOST_FILES = 8_192
"""The most files that a process opens at once, if the system allows so many; each connection is one."""


class Application:
    """The Flask application `app` as an ASGI callable."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._patience = float(app.config["PATIENCE"])
        self._longest = int(app.config["MAX_CONTENT_LENGTH"])
        self._threads = ThreadPoolExecutor(THREADS)
        self.streams = Streams(self._versions, _raise_file_limit() * 3 // 4, float(app.config["LIVE_BEAT"]))
        below = re.escape(urlsplit(str(app.config.get("BASE_URL", ""))).path)
        self._code_of = re.compile(f"(?:{below})?/(?:g/([^/]+)|({OF_CLUB}[^/]+))/live").fullmatch
        self._own = local()
        game_changed.connect(self._note)
        gc.freeze()  # exempt everything imported so far from garbage collection
        sys.setswitchinterval(SHARE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request; raises NotImplementedError for what is none, such as a server's start."""
        if scope["type"] != "http":
            raise NotImplementedError(scope["type"])
        code = self._code_of(scope["path"]) if scope["method"] == "GET" else None
        if code and await self.streams.serve(code[1] or code[2], receive, send):
            return
        try:
            environ = await self._read_whole(scope, receive)
        except TimeoutError:
            await send({"type": "http.response.start", "status": 408, "headers": [(b"connection", b"close")]})
            await send({"type": "http.response.body"})
            return
        except ConnectionResetError:
            return
        for message in await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, environ):
            await send(message)

    async def _read_whole(self, scope: Message, receive: Receive) -> WSGIEnvironment:
        """Return the request as WSGI has it, with its complete body; a body that is too long keeps only its length.

        Raises TimeoutError if nothing more arrives, and ConnectionResetError if the phone disconnects.
        """
        body, length, is_more = bytearray(), 0, True
        while is_more and length <= self._longest:
            async with asyncio.timeout(self._patience):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionResetError
            is_more = message.get("more_body", False)
            length += len(message.get("body", b""))
            body += message.get("body", b"") if length <= self._longest else b""
        # WSGI turns `-` into `_`, so a header with `_` could pose as another
        headers = [each for each in scope["headers"] if b"_" not in each[0] and each[0] not in _FRAMING]
        headers.append((b"content-length", b"%d" % length))
        environ = build_environ(cast("Any", scope | {"headers": headers}), cast("Any", BytesIO(body)))
        return cast("WSGIEnvironment", environ)

    def _answer(self, environ: WSGIEnvironment) -> list[Message]:
        """Return the response in one piece, so that no thread waits for a slow reader."""
        environ["wsgi.errors"] = sys.stderr
        saved = self._own.saved = []
        start: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> None:
            start["status"] = int(status.split(maxsplit=1)[0])
            start["headers"] = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        answer: Iterable[bytes] = self._app(environ, cast("Any", start_response))
        try:
            return [start, {"type": "http.response.body", "body": b"".join(answer)}]
        finally:
            getattr(answer, "close", lambda: None)()
            for code in saved:
                self.streams.look_soon(code)
                self.streams.look_soon(OF_CLUB + code)

    def _versions(self, codes: Collection[str]) -> Mapping[str, tuple[int, int]]:
        """Return the versions of these games; none while the database is unavailable, which ends all streams."""
        with self._app.app_context(), suppress(Unavailable):
            return versions(codes)
        return {}

    def _note(self, _sender: object, code: str) -> None:
        """Note that a game has changed; its phones are told once the response is ready, and then ask for the page."""
        getattr(self._own, "saved", []).append(code)


_FRAMING = (b"content-length", b"transfer-encoding")


def _raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows, at most to MOST_FILES, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, files), hard))
    return files


def prepare_logs() -> None:
    """Make another server log as ours does: uvicorn's own lines contain paths, and with them codes of games."""
    configure_logging()
    accesses = logging.getLogger("uvicorn.access")
    accesses.handlers, accesses.propagate = [], False


class _Server(uvicorn.Server):
    """A uvicorn server that ends its streams when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cast("Application", self.config.app).streams.end()
        await super().shutdown(sockets)


def serve(app: Flask, listening: socket.socket) -> None:
    """Serve on that socket until SIGTERM or Ctrl+C; responses in progress are still sent."""
    configure_logging()
    config = uvicorn.Config(
        cast("Any", Application(app)),
        http=cast("Any", partial(Connection, patience=app.config["PATIENCE"])),
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # responses not done in time are given up without a report
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=65,  # phones poll every three seconds, and streams have a heartbeat every fifteen
        timeout_graceful_shutdown=3,  # seconds for responses in progress
    )
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again when it has stopped
        signal.signal(number, lambda *_: None)
    _Server(config).run(sockets=[listening])
