"""The application for an ASGI server: a request is whole before a thread takes it, and a stream needs no thread.

`start` runs it, and so does ``uvicorn --factory app:application``, with several processes too. Flask's own
`create_app` is plain WSGI for any other server; phones then ask for news instead of being told.
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
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from threading import local
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask

from app.live import Live, Message, Receive, Send
from app.stderr import speak_discreetly
from app.store.database import game_changed, versions
from app.store.trouble import Unavailable

THREADS = 16
SHARE = 0.001
"""Seconds that a thread computes before another may: the loop wants its turn several times for each answer."""
MOST_FILES = 8_192
"""Files that a process may open at once, if the system allows as many: each connection is one."""


class Application:
    """`app` as a callable of ASGI."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._patience = float(app.config["PATIENCE"])
        self._longest = int(app.config["MAX_CONTENT_LENGTH"])
        self._threads = WSGIMiddleware(cast("Any", self._answer), workers=THREADS)
        self.live = Live(self._versions, _files() * 3 // 4, float(app.config["LIVE_BEAT"]))
        below = re.escape(urlsplit(str(app.config.get("BASE_URL", ""))).path)
        self._code_of = re.compile(f"(?:{below})?/g/([^/]+)/live").fullmatch
        self._own = local()
        game_changed.connect(self._note)
        gc.freeze()  # exempt everything imported so far from garbage collection
        sys.setswitchinterval(SHARE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            code = self._code_of(scope["path"]) if scope["method"] == "GET" else None
            if code and await self.live.follow(code[1], receive, send):
                return
            try:
                scope, receive = await self._whole(scope, receive)
            except TimeoutError:
                await send({"type": "http.response.start", "status": 408, "headers": [(b"connection", b"close")]})
                await send({"type": "http.response.body"})
                return
            except ConnectionResetError:
                return
        await self._threads(cast("Any", scope), cast("Any", receive), cast("Any", send))

    async def _whole(self, scope: Message, receive: Receive) -> tuple[Message, Receive]:
        """Return the request with its body whole, of which one that is too long keeps only its length.

        Raises TimeoutError if nothing more comes, and ConnectionResetError if the phone has gone.
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
        # with `_` for `-`, a header would pretend to be another
        headers = [each for each in scope["headers"] if b"_" not in each[0] and each[0] not in _FRAMING]
        headers.append((b"content-length", b"%d" % length))

        async def received() -> Message:
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        return scope | {"headers": headers}, received

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        """Return the answer in one piece, so that no thread waits for whoever reads it."""
        environ["wsgi.errors"] = sys.stderr
        saved = self._own.saved = []
        answer: Iterable[bytes] = self._app(environ, start_response)
        try:
            return [b"".join(answer)]
        finally:
            getattr(answer, "close", lambda: None)()
            for code in saved:
                self.live.look_soon(code)

    def _versions(self, codes: Collection[str]) -> Mapping[str, tuple[int, int]]:
        """Return how far games have come; nobody can say while there is no database, and all streams end."""
        with self._app.app_context(), suppress(Unavailable):
            return versions(codes)
        return {}

    def _note(self, _sender: object, code: str) -> None:
        """Have the phones of a game told once whoever saved is answered: then they all ask for its page."""
        getattr(self._own, "saved", []).append(code)


_FRAMING = (b"content-length", b"transfer-encoding")


def _files() -> int:
    """Return how many files this process may open at once, which is as many from now on as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, files), hard))
    return files


def prepare_logs() -> None:
    """Have another server log as ours does: uvicorn's own lines name paths, and with them codes of games."""
    speak_discreetly()
    accesses = logging.getLogger("uvicorn.access")
    accesses.handlers, accesses.propagate = [], False


class _Server(uvicorn.Server):
    """uvicorn, whose streams end when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cast("Application", self.config.app).live.end()
        await super().shutdown(sockets)


def serve(app: Flask, listening: socket.socket) -> None:
    """Answer on that socket until SIGTERM or Ctrl+C; answers under way are still sent."""
    speak_discreetly()
    config = uvicorn.Config(
        cast("Any", Application(app)),
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # what is not done in time is given up
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=65,  # phones ask every three seconds, and streams beat every fifteen
        timeout_graceful_shutdown=3,  # seconds for answers under way
    )
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises once more what it heard, when all is done
        signal.signal(number, lambda *_: None)
    _Server(config).run(sockets=[listening])
