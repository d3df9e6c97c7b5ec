"""The application for an ASGI server: a request is whole before a thread takes it, and a stream needs no thread.

`server` runs it, and so does any other server, such as
``uvicorn --factory --timeout-graceful-shutdown 3 app.serving.asgi:application``.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from tempfile import SpooledTemporaryFile, TemporaryFile
from threading import Thread, local
from time import monotonic, thread_time
from typing import IO, Any, Protocol, TypeAlias, cast
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask
from werkzeug.test import create_environ

from app import create_app, store
from app.config import ENDPOINT, KEEP_OPEN, LIVE, PLACE, PUT_OFF
from app.lanes import OVERDUE, Lanes
from app.stderr import Lines, request_line

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
News: TypeAlias = asyncio.Queue[bytes | None]

THREADS = 32
"""Threads that answer: few of them compute, the others wait for the press or for the turn of what is heavy."""
LONGEST_IN_MEMORY = 8 * 1024
"""Bytes of a request's body, or of an answer, that stay in memory; longer ones go into a file."""
READ_ANYWAY = 8
"""Bodies this many times too long are read to the end: browsers show no answer that comes before it."""
PIECE = 64 * 1024
"""Bytes of an answer handed over at once; the next ones follow when the phone has taken these."""
MOST_NEWS = 64
"""Events a phone may be behind its stream."""
THIS_MACHINE = ("127.0.0.1", "::1")
"""A proxy here may say that a request came over https, and nothing else; further ones are named by `PROXY_HOPS`."""
ALIVE = "health.alive"


class Kept(Protocol):
    """A stream that a view hands over to the server."""

    every: float

    def start(self, send: Callable[[bytes | None], object]) -> None:
        """Begin: `send` may be called from any thread, with None at the end."""

    def beat(self) -> bytes:
        """What to send every so many seconds, as a sign of life."""

    def close(self) -> None:
        """The phone has gone."""


@dataclass
class _OneRequest:
    """What is told of a request when it is over: nothing by which anybody could be found."""

    method: str
    began: float
    endpoint: str | None = None
    status: int = 0
    length: int = 0

    def answered(self, answer: _Answer, endpoint: str | None) -> None:
        self.endpoint, self.status, self.length = endpoint, answer.status, answer.body.tell()


class _Gone(Exception):
    """The phone has gone before its request was whole, or before anybody began with it."""


_RUBBISH = local()


def _note_rubbish(phase: str, _told: dict[str, int]) -> None:
    """Add up what it takes each thread to look for rubbish; called as that begins and ends."""
    since = thread_time() * (-1 if phase == "start" else 1)
    _RUBBISH.seconds = getattr(_RUBBISH, "seconds", 0.0) + since


gc.callbacks.append(_note_rubbish)


def _own_time() -> float:
    """Seconds of processor of this thread; looking for rubbish is not the doing of the request it falls into."""
    return thread_time() - getattr(_RUBBISH, "seconds", 0.0)


class _Threads:
    """A few threads, which do not keep the process from ending."""

    def __init__(self, many: int, said: Callable[[dict[str, Any]], _Answer | None]) -> None:
        self._said = said
        self._waiting: Lanes[tuple[Future[_Answer | None], dict[str, Any]]] = Lanes()
        self._own = local()
        for _ in range(many):
            Thread(target=self._work_on, name="answers", daemon=True).start()

    async def run(self, environ: dict[str, Any], receive: Receive) -> _Answer:
        """The answer; raises _Gone if the phone has gone before its turn: it was told nothing, and sends it again."""
        gone = asyncio.ensure_future(_gone(receive))
        try:
            answer = await self._turn(environ, gone) or await self._turn(environ, gone, is_slow=True)
            return cast("_Answer", answer)  # what is slow is not put off again
        finally:
            gone.cancel()

    async def _turn(
        self, environ: dict[str, Any], gone: asyncio.Future[None], *, is_slow: bool = False
    ) -> _Answer | None:
        """The answer; None if it is to be had among what is slow."""
        future: Future[_Answer | None] = Future()
        method, answer = environ["REQUEST_METHOD"], asyncio.wrap_future(future)
        gone.add_done_callback(lambda _: future.cancel())
        self._waiting.put(
            (future, environ), f"{method} {environ['PATH_INFO']}", sends=method == "POST", is_slow=is_slow
        )
        try:
            while not (await asyncio.wait((answer,), timeout=OVERDUE))[0]:
                self._waiting.look_again()
            return answer.result()
        except asyncio.CancelledError:
            answer.cancel()
            if future.cancelled() and gone.done():
                raise _Gone from None
            raise

    def afterwards(self, tell: Callable[[], object]) -> None:
        """Call that once what this thread computes is answered; at once if it computes nothing."""
        later: list[Callable[[], object]] | None = getattr(self._own, "later", None)
        if later is None:
            tell()
        else:
            later.append(tell)

    def _work_on(self) -> None:
        while True:
            self._work()

    def _work(self) -> None:
        place = self._waiting.take()
        future, environ = place.job
        if not future.set_running_or_notify_cancel():
            place.leave()
            return
        environ[PLACE] = place
        later = self._own.later = []
        began = _own_time()
        try:
            future.set_result(self._said(environ))
        except BaseException as trouble:  # noqa: BLE001 - whoever waits is told
            future.set_exception(trouble)
        finally:
            place.leave()
            self._waiting.learn(place.address, _own_time() - began)
            with suppress(RuntimeError):  # at the end: the loop is closed, and nobody listens any more
                for tell in later:
                    tell()


class _Answer:
    """What the WSGI application answers; it may hand over a stream that goes on."""

    kept: Kept | None = None
    status = 500

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.body: IO[bytes] = BytesIO()

    def start(self, status: str, headers: list[tuple[str, str]], _trouble: object = None) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in headers]
        return self.body.write

    def keep(self, kept: Kept) -> None:
        self.kept = kept

    def read(self, said: Iterable[bytes]) -> None:
        try:
            for piece in said:
                self.body.write(piece)
        finally:
            if close := getattr(said, "close", None):
                close()
        if self.body.tell() > LONGEST_IN_MEMORY:
            with suppress(OSError):  # a full disk keeps no page from anybody: it then stays in memory
                file = TemporaryFile()  # noqa: SIM115 - closed once sent
                file.write(cast("BytesIO", self.body).getbuffer())
                file.flush()
                self.body = file


class Application:
    """`app` as a callable of ASGI."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._patience = float(app.config["PATIENCE"])
        self._longest = int(app.config["MAX_CONTENT_LENGTH"])
        self._has_proxies = bool(app.config["PROXY_HOPS"])
        self._threads = _Threads(THREADS, self._said)
        store.tell_afterwards(app, self._threads.afterwards)
        self._streams: set[News] = set()
        self._lines = None if sys.stderr.isatty() else Lines()
        self._lives_at = (LIVE, f"{urlsplit(str(app.config.get('BASE_URL', ''))).path}{LIVE}")
        self._alive = _alive(app)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(scope["type"])
        asked = _OneRequest(scope["method"], monotonic())
        try:
            await self._take(scope, receive, send, asked)
        finally:
            self._note(asked)

    async def _take(self, scope: Message, receive: Receive, send: Send, asked: _OneRequest) -> None:
        with SpooledTemporaryFile(LONGEST_IN_MEMORY) as body, suppress(_Gone):
            # with two lengths, a proxy might believe the other one
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
                asked.status = await _refuse(send, 400)
                return
            try:
                length = await self._gather(receive, body)
            except TimeoutError:
                asked.status = await _refuse(send, 408)
                return
            environ = _environ(scope, length, body, has_proxies=self._has_proxies)
            if environ["PATH_INFO"] in self._lives_at and asked.method in ("GET", "HEAD"):
                asked.answered(self._alive, ALIVE)
                await _send_whole(self._alive, send, is_head=asked.method == "HEAD")
                return
            await self._answer(environ, receive, send, asked)

    def _note(self, asked: _OneRequest) -> None:
        """Write the line of a request."""
        if self._lines:
            seconds = monotonic() - asked.began
            self._lines.put(request_line(asked.method, asked.endpoint, asked.status, seconds, asked.length))

    def end_lines(self) -> None:
        """Write the lines of all requests, because the server stops."""
        if self._lines:
            self._lines.end()

    def end_streams(self) -> None:
        """Let every stream come to its end; only in the loop."""
        for news in self._streams:
            news.put_nowait(None)

    async def _gather(self, receive: Receive, body: SpooledTemporaryFile[bytes]) -> int:
        """Put the body into a file; returns its length, of which the file holds no more than the application reads."""
        began, length, is_more = asyncio.get_running_loop().time(), 0, True
        async with asyncio.timeout(self._patience) as limit:
            while is_more and length <= READ_ANYWAY * self._longest:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _Gone
                piece, is_more = message.get("body", b""), message.get("more_body", False)
                length += len(piece)
                if length <= self._longest:
                    body.write(piece)
                limit.reschedule(began + self._patience + length / (16 * 1024))  # bytes a second, on average
        body.seek(0)
        return length

    async def _answer(self, environ: dict[str, Any], receive: Receive, send: Send, asked: _OneRequest) -> None:
        answer = await self._threads.run(environ, receive)
        asked.answered(answer, environ.get(ENDPOINT))
        if answer.kept or int(environ["CONTENT_LENGTH"]) > READ_ANYWAY * self._longest:
            answer.headers.append((b"connection", b"close"))  # a stream, or a request of which nobody reads the rest
        try:
            with answer.body:
                await _send_whole(answer, send, is_head=asked.method == "HEAD")
        except BaseException:
            if answer.kept:
                answer.kept.close()
            raise
        if answer.kept:
            await self._stream(answer.kept, receive, send)

    def _said(self, environ: dict[str, Any]) -> _Answer | None:
        answer = _Answer()
        environ["wsgi.input"].seek(0)  # it may have been read before the answer was put off
        environ[KEEP_OPEN] = answer.keep
        try:
            answer.read(self._app(environ, answer.start))
        except BaseException:
            if answer.kept:
                answer.kept.close()
            raise
        finally:
            environ.pop(PLACE, None)  # which knows the environment: a cycle, which would keep all that was sent
        return None if environ.pop(PUT_OFF, False) else answer

    async def _stream(self, kept: Kept, receive: Receive, send: Send) -> None:
        """Send what the view has to tell, until it ends or the phone goes."""
        loop, news = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()
        beats: asyncio.TimerHandle

        def beat() -> None:
            nonlocal beats
            beats = loop.call_later(kept.every, beat)
            _tell(news, kept.beat())

        beats = loop.call_later(kept.every, beat)
        listening = loop.create_task(_gone(receive))
        listening.add_done_callback(lambda _: news.put_nowait(None))
        self._streams.add(news)
        try:
            kept.start(lambda words: loop.call_soon_threadsafe(_tell, news, words))
            while (words := await news.get()) is not None:
                await send({"type": "http.response.body", "body": words, "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            self._streams.discard(news)
            beats.cancel()
            listening.cancel()
            kept.close()


def _alive(app: Flask) -> _Answer:
    """What the view says, without what else a first request begins."""
    answer, environ = _Answer(), create_environ(LIVE)
    view: Any = app.view_functions[ALIVE]
    with app.request_context(environ):
        said = app.process_response(app.make_response(view()))
        answer.read(said(environ, answer.start))
    return answer


def application() -> Application:
    """The application with the settings of the environment, for another server.

    uvicorn's own log of requests ends here: it names paths, and with them codes of games.
    """
    accesses = logging.getLogger("uvicorn.access")
    accesses.handlers, accesses.propagate = [], False
    return Application(create_app())


async def _refuse(send: Send, status: int) -> int:
    """Answer nothing but a status, and return it."""
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body"})
    return status


def _environ(scope: Message, length: int, body: SpooledTemporaryFile[bytes], *, has_proxies: bool) -> dict[str, Any]:
    """The request as WSGI describes it."""
    client, server = scope.get("client") or ("", 0), scope.get("server") or ("localhost", 80)
    root = scope.get("root_path", "").encode()
    raw = scope.get("raw_path")
    path = unquote_to_bytes(raw) if raw else scope["path"].encode()
    headers = _in_environ(scope["headers"])
    is_https = headers.get("HTTP_X_FORWARDED_PROTO") == "https" and client[0] in THIS_MACHINE and not has_proxies
    return headers | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": root.decode("latin-1"),
        "PATH_INFO": path.removeprefix(root).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "CONTENT_TYPE": headers.pop("HTTP_CONTENT_TYPE", ""),
        "CONTENT_LENGTH": str(length),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https" if is_https else scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _in_environ(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by their names in WSGI, where `_` stands for `-`: one that has it already pretends to be another."""
    environ: dict[str, str] = {}
    for name, text in headers:
        if b"_" in name:
            continue
        key = f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        joint = "; " if key == "HTTP_COOKIE" else ", "
        environ[key] = joint.join(filter(None, (environ.get(key), text.decode("latin-1"))))
    for framing in ("HTTP_TRANSFER_ENCODING", "HTTP_CONTENT_LENGTH"):
        environ.pop(framing, None)
    return environ


async def _send_whole(answer: _Answer, send: Send, *, is_head: bool) -> None:
    """Status, headers and body; with the length, unless a stream follows."""
    left, names = answer.body.tell(), {name for name, _ in answer.headers}
    if not (answer.kept or is_head or b"content-length" in names or answer.status in (204, 304)):
        answer.headers.append((b"content-length", b"%d" % left))
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    answer.body.seek(0)
    is_more = True
    while is_more:
        piece = answer.body.read(PIECE)
        left -= len(piece)
        is_more = left > 0
        await send({"type": "http.response.body", "body": piece, "more_body": is_more or answer.kept is not None})


async def _gone(receive: Receive) -> None:
    """Wait until the phone has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _tell(news: News, words: bytes | None) -> None:
    if news.qsize() <= MOST_NEWS:
        news.put_nowait(words if news.qsize() < MOST_NEWS else None)
