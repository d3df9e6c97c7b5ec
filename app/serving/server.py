"""The server: uvicorn's loop for all connections, which nobody slow, silent or greedy can fill.

`asgi` answers. This module adds what uvicorn lacks: time-outs for headers and for readers, and bounds for what one
connection and one address may hold: beyond that, connections at rest give way.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
import socket
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any, cast

import uvicorn
from flask import Flask
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from app.config import FILES_EACH, SPARE_FILES
from app.serving.asgi import Application
from app.stderr import speak_discreetly

EVERY_INTERFACE = "0.0.0.0"  # noqa: S104 - phones around the table reach it; links are secret
OF_ONE_ADDRESS, SHARE = 500, 4
"""Connections that one address holds, a quarter of all at most: for each phone of a club a stream and some requests."""
LONGEST_HEADERS = 16 * 1024
PIECE = 1024
"""Bytes read at once, so that hardly ever two requests are open on one connection, and never many."""
RUBBISH = (5_000, 4, 1_000)
"""Objects made before Python looks for cycles among them, and how often before it looks through older ones, and through
all: looking stops every thread, 300 ms through half a million. Hardly anything it could find is left by a page."""
LAST_ANSWERS = 3
"""Seconds to finish answers under way when the server stops."""
BACKLOG = 2_048


class Door:
    """Who is connected. Whoever has gone longest without a request makes room, for others of the same address first."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._inside: dict[Connection, str] = {}
        self._each: Counter[str] = Counter()
        self._idle: dict[Connection, str] = {}

    def enter(self, connection: Connection, address: str) -> None:
        self._inside[connection] = self._idle[connection] = address
        self._each[address] += 1
        if self._each[address] > self._most_each:
            self._make_room(address)
        elif len(self._inside) > self._most:
            self._make_room()

    def leave(self, connection: Connection) -> None:
        self._idle.pop(connection, None)
        if (address := self._inside.pop(connection, None)) is not None:
            self._each[address] -= 1
            if not self._each[address]:
                del self._each[address]

    def rest(self, connection: Connection) -> None:
        """Nothing is under way there."""
        if connection in self._inside:
            self._idle.setdefault(connection, self._inside[connection])

    def work(self, connection: Connection) -> None:
        """A request is under way there."""
        self._idle.pop(connection, None)

    def _make_room(self, address: str | None = None) -> None:
        longest = next(each for each, own in self._idle.items() if address in (None, own))
        self.leave(longest)
        longest.transport.close()


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """One connection; runs in the loop."""

    def __init__(self, door: Door, patience: float, **given: Any) -> None:
        super().__init__(**given)
        self.door = door
        self.patience = patience
        self.ahead = bytearray()
        self.bytes_of_head = self.lines_of_head = 0
        self.head_due: asyncio.TimerHandle | None = None
        self.taken_due: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def is_answering(self) -> bool:
        return self.is_busy and not self.cycle.more_body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)
        self.head_due = self.loop.call_later(self.patience, self.transport.abort)
        self.door.enter(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.door.leave(self)
        self.head_due = _stop(self.head_due)
        self.taken_due = _stop(self.taken_due)

    def data_received(self, data: bytes) -> None:
        self.ahead += data
        self.read_on()

    def read_on(self) -> None:
        """Read what has come; requests behind one that is being answered wait for it, in bounds."""
        while self.ahead and not self.is_answering and not self.transport.is_closing():
            before, end, _ = self.ahead[:PIECE].partition(b"\r\n\r\n")
            size = len(before) + len(end) if not self.is_busy else PIECE
            piece = bytes(self.ahead[:size])
            del self.ahead[:size]
            super().data_received(piece)
            self.look_at(piece)
        if len(self.ahead) > LONGEST_HEADERS:
            self.ahead.clear()
            self.shutdown()

    def look_at(self, piece: bytes) -> None:
        """Bound the headers, in time too, until they are whole."""
        if self.is_busy:
            self.door.work(self)
            self.head_due = _stop(self.head_due)
            self.bytes_of_head = self.lines_of_head = 0
            return
        self.bytes_of_head += len(piece)
        self.lines_of_head += piece.count(b"\n")
        if self.transport.is_closing():
            return
        if self.bytes_of_head > LONGEST_HEADERS or self.lines_of_head > 100:
            self.send_400_response("More headers than any browser sends.")
        elif not self.head_due:
            self.head_due = self.loop.call_later(self.patience, self.transport.abort)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.rest()
        if self.ahead:
            self.loop.call_soon(self.read_on)

    def rest(self) -> None:
        if not self.is_busy and not self.taken_due:
            self.door.rest(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.taken_due = self.taken_due or self.loop.call_later(2 * self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.taken_due = _stop(self.taken_due)
        self.rest()

    def shutdown(self) -> None:
        """The end of the connection, once what is being answered is."""
        if self.is_answering:
            super().shutdown()
        else:
            self.transport.close()


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Stop a timer; the rest is none."""
    if timer:
        timer.cancel()
    return None


class _Server(uvicorn.Server):
    """uvicorn, whose streams end when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is not done in time is given up
        cast("Application", self.config.app).end_streams()
        await super().shutdown(sockets)


def serve(app: Flask, host: str, port: int) -> None:
    """Serve `app` at an address until SIGTERM or Ctrl+C."""
    answer(app, listen(host, port))


def answer(app: Flask, listening: list[socket.socket]) -> None:
    """Answer on these sockets until SIGTERM or Ctrl+C; answers under way are still sent."""
    speak_discreetly()
    gc.freeze()  # what is loaded stays, so nothing need look through it
    gc.set_threshold(*RUBBISH)
    most = int(app.config["CONNECTIONS"])
    _allow_files(most * FILES_EACH + SPARE_FILES)
    door = Door(most, most if app.config["PROXY_HOPS"] else min(OF_ONE_ADDRESS, most // SHARE))
    application = Application(app)
    server = _Server(
        uvicorn.Config(
            cast("Any", application),
            http=cast("Any", partial(Connection, door, float(app.config["PATIENCE"]))),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=65,  # phones ask every three seconds, and streams beat every fifteen
            timeout_graceful_shutdown=LAST_ANSWERS,
        )
    )
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises once more what it heard, when all is done
        signal.signal(number, lambda *_: setattr(server, "should_exit", True))
    server.run(sockets=listening)
    application.end_lines()


def listen(host: str, port: int) -> list[socket.socket]:
    """The sockets that listen at an address; raises OSError if somebody else does.

    At `EVERY_INTERFACE` there is one more, for IPv6, on a machine that has it: one socket for both would show phones by
    addresses that all count as neighbours.
    """
    listening = [socket.create_server((host, port), backlog=BACKLOG)]
    if host == EVERY_INTERFACE and _has_ipv6():
        try:
            listening.append(socket.create_server(("::", port), family=socket.AF_INET6, backlog=BACKLOG))
        except OSError:
            listening[0].close()
            raise
    for each in listening:  # each connection inherits what the system buffers of an answer; it doubles this number
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 128 * 1024)
    return listening


def _has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


def _allow_files(wanted: int) -> None:
    """Raise the limit of this process's open files as far as needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
