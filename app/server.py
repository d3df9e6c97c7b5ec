"""The server: one loop for all connections, a few threads that answer, and no thread for anyone slow or silent.

Waitress reads whole requests and sends whole answers in its loop, so that half of a request never holds a thread. What
it leaves open is put in here: a request, and the taking of an answer, must come to an end within bounds of time; and a
stream is kept open by the loop itself, for as long as the phone likes. Nobody is refused for an address.
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
"""They answer; those who wait for the press hold less than half of them."""
CONNECTIONS = 2_000
FILES_EACH = 3
"""The connection itself, a request too long for the memory, and an answer too long for it."""
SPARE_FILES = 256
MOST_HEADERS = 100
LONGEST_HEADERS = 16 * 1024
LONGEST_KEPT = 8 * 1024
"""Bytes of a request's body, or of an answer nobody takes, that stay in memory; what is longer lies in a file."""
SLOWEST_SENDER = 16 * 1024
SLOWEST_READER = 4 * 1024
"""Bytes a second a longer request or answer has to move at, on average."""
MOST_AHEAD = 3
"""Requests sent ahead on one connection: the answers to more could grow so long that a thread waits with them."""
UNDERWAY = 128 * 1024
"""Bytes the system keeps of an answer for each connection, twice; what is more waits in a file."""
BETWEEN_REQUESTS = 65.0
"""Seconds a connection stays open without a request: phones ask every three, and streams beat every fifteen."""
LONGEST_BACKLOG = 64 * 1024
"""Bytes a stream may be behind."""
MEMORY = {-1: 128 * 1024, -3: 64 * 1024, -8: 2}
"""Of glibc (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX): else each thread keeps what its longest answer took."""
LAST_ANSWERS = 3.0
"""Seconds that answers under way are given at the end."""


class Kept(Protocol):
    """A stream as whoever answered it hands it over."""

    every: float

    def start(self, send: Callable[[bytes | None], None]) -> None:
        """Begin: `send` may be called from any thread, with None at the end."""

    def beat(self) -> bytes:
        """What is sent after `every` seconds of silence."""

    def close(self) -> None:
        """The phone has gone."""


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request as it comes in; one too long is left for the application to refuse, in words."""

    error: Any = None

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.began = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        if header_plus.count(b"\n") > MOST_HEADERS:  # each takes much more room than its letters
            raise ParsingError("more headers than any browser sends")
        super().parse_header(header_plus)

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.headers_finished:
            self.header_plus = b""
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = None
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
            self.headers["CONNECTION"] = "close"  # what is left of it is not looked at
            self.body_rcv = None
        return consumed

    def seconds(self, now: float) -> float:
        """How long it has been coming in, beyond what its length allows for."""
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
                self.kept.close()  # the phone went before it had the first word

    def finish(self) -> None:
        if not self.kept:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.keep_open(self)


class _Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. All but `service` and `keep_open` runs in the loop."""

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
        """Take over the rest of an answer from the thread that has begun it."""
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
        """Beat where it is time; close what takes too long."""
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
            inbuf_overflow=LONGEST_KEPT,
            outbuf_overflow=LONGEST_KEPT,
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
        """Let the loop do something; any thread may ask."""
        self._waiting.append(work)
        self.pull_trigger()

    def readable(self) -> bool:
        """Called before each look at the connections."""
        while self._waiting:
            self._waiting.popleft()()
        now = time.monotonic()
        if now >= self._looks_at:
            self._looks_at = now + 1
            for channel in tuple(self.active_channels.values()):
                channel.look_after(now, self._patience)
        return bool(self.accepting and len(self._map) < self.adj.connection_limit)

    def run(self) -> None:
        """Serve until SIGTERM or Ctrl+C; what is being answered then is sent."""
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
    """What is believed of the headers a proxy adds; where the number of proxies is stated, the application sees to it.

    Else one on this machine may say that it was asked by https, and nothing else.
    """
    if hops:
        return {"clear_untrusted_proxy_headers": False}
    return {"trusted_proxy": "127.0.0.1", "trusted_proxy_headers": {"x-forwarded-proto"}}


def _connections() -> int:
    """How many connections this process may have open, with as many files as the system lets it have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * FILES_EACH + SPARE_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max((most - SPARE_FILES) // FILES_EACH, SPARE_FILES)


def _give_memory_back() -> None:
    with suppress(AttributeError, OSError):  # another system's library
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in MEMORY.items():
            mallopt(option, value)


def serve(app: Flask, host: str, port: int) -> None:
    """Answer at an address until stopped."""
    if not hasattr(select, "poll"):
        raise SystemExit("This system has no poll(): take flask --app app run instead.")
    logging.basicConfig(format="[%(asctime)s] %(levelname)s in %(name)s: %(message)s", level=logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a queue for a moment is nothing to tell
    _give_memory_back()
    Server(app, host, port).run()
