"""The server: one loop for all connections, a few threads that answer, and no thread for anyone slow or silent.

Waitress reads whole requests and sends whole answers in its loop, so half a request never holds a thread. This module
adds what Waitress lacks: a request must arrive, and its answer must be taken, within bounded time; and the loop itself
keeps streams open, for as long as the phone likes. No address is ever refused.
"""

from __future__ import annotations

import ctypes
import logging
import resource
import select
import signal
import socket
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import RequestEntityTooLarge

from app.config import KEEP_OPEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

THREADS = 32
"""Threads that answer; requests waiting for the press hold less than half of them."""
CONNECTIONS = 2_000
FILES_EACH = 3
"""The connection itself, a file for a long request, and one for a long answer."""
SPARE_FILES = 256
MOST_HEADERS = 100
LONGEST_HEADERS = 16 * 1024
LONGEST_IN_MEMORY = 8 * 1024
"""Bytes of a request's body, or of an answer nobody takes, that stay in memory; longer ones go into a file."""
SLOWEST_SENDER = 16 * 1024
SLOWEST_READER = 4 * 1024
"""Bytes a second at which a longer request or answer must move, on average."""
MOST_AHEAD = 3
"""Requests accepted ahead on one connection: the answers to more could grow so long that they block a thread."""
UNDERWAY = 128 * 1024
"""Bytes of an answer that the system buffers for each connection (it doubles this number)."""
BETWEEN_REQUESTS = 65.0
"""Seconds a connection stays open without a request: phones ask every three, and streams beat every fifteen."""
LONGEST_BACKLOG = 64 * 1024
"""Bytes a phone may be behind its stream."""
MEMORY = {-1: 128 * 1024, -3: 64 * 1024, -8: 2}
"""Options of glibc's malloc (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX): without them, each thread keeps the
memory that its longest answer took."""
LAST_ANSWERS = 3.0
"""Seconds to finish answers under way when the server stops."""


class Kept(Protocol):
    """A stream that a view hands over to the server."""

    every: float

    def start(self, send: Callable[[bytes | None], None]) -> None:
        """Begin: `send` may be called from any thread, with None at the end."""

    def beat(self) -> bytes:
        """What to send after `every` seconds of silence."""

    def close(self) -> None:
        """The phone has gone."""


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request as it arrives; one that is too long goes to the application, which refuses it in words."""

    error: Any = None

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.began = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        if header_plus.count(b"\n") > MOST_HEADERS:  # each takes far more memory than its characters
            raise ParsingError("more headers than any browser sends")
        super().parse_header(header_plus)

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.headers_finished:
            self.header_plus = b""
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = None
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
            self.headers["CONNECTION"] = "close"  # nobody reads the rest of it
            self.body_rcv = None
        return consumed

    def seconds(self, now: float) -> float:
        """How long it has been arriving, minus the time its length allows for."""
        return float(now - self.began - self.body_bytes_received / SLOWEST_SENDER)


class _Task(WSGITask):  # type: ignore[misc]
    """One answer; `environ` offers to keep it open."""

    kept: Kept | None = None

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[KEEP_OPEN] = self._keep
        return environ

    def _keep(self, kept: Kept) -> None:
        self.kept = kept

    def service(self) -> None:
        try:
            super().service()
        finally:
            if self.kept and self.channel.stream is not self:
                self.kept.close()  # the phone had gone before the stream began

    def finish(self) -> None:
        if not self.kept:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.keep_open(self)


class _Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. Everything but `service` and `keep_open` runs in the loop."""

    task_class = _Task
    parser_class = _Parser
    stream: _Task | None = None
    is_new = True
    taking_since: float | None = None
    beat_at = float("inf")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.moved = time.monotonic()
        super().__init__(*arguments, **options)

    def service(self) -> None:
        self.is_new = False
        super().service()

    def handle_read(self) -> None:
        self.moved = time.monotonic()
        super().handle_read()

    def received(self, data: bytes) -> bool:
        if self.stream:
            return False
        taken = bool(super().received(data))
        with self.requests_lock:
            for surplus in self.requests[MOST_AHEAD:]:
                surplus.close()
                self.requests[MOST_AHEAD - 1].headers["CONNECTION"] = "close"
            del self.requests[MOST_AHEAD:]
        return taken

    def _flush_some(self, do_close: bool = True) -> bool:
        moved = bool(super()._flush_some(do_close=do_close))
        if moved:
            self.moved = time.monotonic()
        return moved

    def handle_close(self) -> None:
        super().handle_close()
        if self.stream and self.stream.kept:
            kept, self.stream.kept = self.stream.kept, None
            kept.close()

    def keep_open(self, task: _Task) -> None:
        """Take over the rest of an answer from the thread that began it."""
        self.stream = task
        self.server.soon(self._start)

    def _start(self) -> None:
        if not self.stream or not self.stream.kept:
            return
        self.beat_at = time.monotonic() + self.stream.kept.every
        self.stream.kept.start(lambda words: self.server.soon(lambda: self.push(words)))

    def push(self, words: bytes | None) -> None:
        """Send an event now, or end the stream."""
        task = self.stream
        if not task or not task.kept or not self.connected:
            return
        if words is None or self.total_outbufs_len > LONGEST_BACKLOG:
            self.will_close = True
            return
        self.beat_at = time.monotonic() + task.kept.every
        try:
            task.write(words)
        except ClientDisconnected:
            self.will_close = True

    def look_after(self, now: float, patience: float) -> None:
        """Send a beat if it is time; close the connection if it takes too long."""
        if self.stream and self.stream.kept and now >= self.beat_at:
            self.push(self.stream.kept.beat())
        if self._is_overdue(now, patience):
            self.will_close = True

    def _is_overdue(self, now: float, patience: float) -> bool:
        if self.total_outbufs_len:
            self.taking_since = self.taking_since or now
            beyond = now - self.taking_since - self.total_outbufs_len / SLOWEST_READER
            return bool(max(now - self.moved, beyond) > 2 * patience)
        self.taking_since = None
        if self.stream or self.requests:
            return False
        if self.request:
            return bool(self.request.seconds(now) > patience)
        return bool(now - self.moved > (patience if self.is_new else BETWEEN_REQUESTS))


class Server(TcpWSGIServer):  # type: ignore[misc]
    """The loop."""

    channel_class = _Channel

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._looks_at = 0.0
        self._ends_at: float | None = None
        self._patience = float(app.config["PATIENCE"])
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(THREADS)
        super().__init__(
            app,
            dispatcher=dispatcher,
            listen=f"{host}:{port}",
            connection_limit=_connections(),
            inbuf_overflow=LONGEST_IN_MEMORY,
            outbuf_overflow=LONGEST_IN_MEMORY,
            max_request_header_size=LONGEST_HEADERS,
            max_request_body_size=int(app.config["MAX_CONTENT_LENGTH"]) + 1,
            log_socket_errors=False,
            ident="",
            server_name="localhost",
            **_believed(int(app.config["PROXY_HOPS"])),
        )

    def set_socket_options(self, conn: socket.socket) -> None:
        super().set_socket_options(conn)
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNDERWAY)

    def soon(self, work: Callable[[], None]) -> None:
        """Run `work` in the loop, soon; any thread may call this."""
        self._waiting.append(work)
        self.pull_trigger()

    def readable(self) -> bool:
        """Whether to accept connections; the loop calls this each time round, so it also does everything due."""
        while self._waiting:
            self._waiting.popleft()()
        now = time.monotonic()
        if now >= self._looks_at:
            self._looks_at = now + 1
            for channel in tuple(self.active_channels.values()):
                channel.look_after(now, self._patience)
        return bool(self.accepting and len(self._map) < self.adj.connection_limit)

    def run(self) -> None:
        """Serve until SIGTERM or Ctrl+C; answers under way are still sent."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop())
        while not self._has_ended():
            wasyncore.poll2(1.0, self._map)
        self.task_dispatcher.set_thread_count(0)
        wasyncore.close_all(self._map)

    def _stop(self) -> None:
        if self._ends_at is None:
            self._ends_at = time.monotonic() + LAST_ANSWERS
            self.soon(self._let_nobody_in)

    def _let_nobody_in(self) -> None:
        self.accepting = False
        self.socket.close()
        self.del_channel()
        for channel in tuple(self.active_channels.values()):
            if channel.stream or not (channel.requests or channel.total_outbufs_len):
                channel.handle_close()

    def _has_ended(self) -> bool:
        if self._ends_at is None:
            return False
        channels = self.active_channels.values()
        is_busy = self.accepting or any(channel.requests or channel.total_outbufs_len for channel in channels)
        return not is_busy or time.monotonic() > self._ends_at


def _believed(hops: int) -> dict[str, Any]:
    """The headers of a proxy to believe: with a known number of proxies, the application decides.

    Without one, a proxy on this machine may say that the request came over https, and nothing else.
    """
    if hops:
        return {"clear_untrusted_proxy_headers": False}
    return {"trusted_proxy": "127.0.0.1", "trusted_proxy_headers": {"x-forwarded-proto"}}


def _connections() -> int:
    """The most connections this process may keep open; raises its limit of open files as far as needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * FILES_EACH + SPARE_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max((most - SPARE_FILES) // FILES_EACH, SPARE_FILES)


def _give_memory_back() -> None:
    with suppress(AttributeError, OSError):  # not glibc
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in MEMORY.items():
            mallopt(option, value)


def serve(app: Flask, host: str, port: int) -> None:
    """Serve `app` at an address until stopped."""
    if not hasattr(select, "poll"):
        raise SystemExit("This system has no poll(): take flask --app app run instead.")
    logging.basicConfig(format="[%(asctime)s] %(levelname)s in %(name)s: %(message)s", level=logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news
    _give_memory_back()
    Server(app, host, port).run()
