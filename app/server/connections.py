"""Connections that do not wait for ever: a limit for the size of a request's head, and for the time it takes.

`Application` limits bodies in the same way. A stream, which is a response, may stay open.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from app.addresses import client_network

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Protocol
else:
    Protocol = AutoHTTPProtocol  # by h11 where httptools is missing

PATIENCE = 10.0
"""Seconds for a complete head."""
MOST_HEAD = 64 * 1024
"""The most bytes of a head, or of what stands between and after the chunks of a body."""
MOST_WAITING, GRACE = 64, 0.5
"""How many connections of one client network may take longer than so many seconds for a head."""
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Connection(Protocol):
    """A connection that is closed if a head is too large, or is not complete after `patience` seconds."""

    _waiting: ClassVar[Counter[str]] = Counter()
    """The number of connections without a complete head, by client network."""

    def __init__(self, *arguments: Any, patience: float = PATIENCE, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._patience = patience
        self._unread = 0
        self._network = ""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._network = client_network(self.client[0] if self.client else "")
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        while data and not self.transport.is_closing():
            part, data = data[: MOST_HEAD - self._unread], data[MOST_HEAD - self._unread :]
            self._unread += len(part)
            super().data_received(part)
            if self._unread >= MOST_HEAD:
                self._refuse()
        if self._is_answering():
            self._stop_waiting()
        elif not self._timer:
            self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._unread and not self._is_answering():  # of a head that was asked ahead
            self._wait()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self) -> None:
        if not self._is_answering():
            self.transport.write(_TOO_LARGE)
        self.transport.close()

    def _wait(self) -> None:
        """Begin to wait for a complete head."""
        self._waiting[self._network] += 1
        self._timer = self.loop.call_later(min(GRACE, self._patience), self._require_room)

    def _require_room(self) -> None:
        if self._waiting[self._network] > MOST_WAITING:
            self._stop_waiting()
            self.transport.close()
        else:
            self._timer = self.loop.call_later(max(0, self._patience - GRACE), self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
            self._waiting[self._network] -= 1
            if not self._waiting[self._network]:
                del self._waiting[self._network]

    # httptools calls the first four, h11 the last

    def on_message_begin(self) -> None:
        self._unread = self._unread or 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()

    def handle_events(self) -> None:
        super().handle_events()  # type: ignore[misc]
        self._unread = len(self.conn.trailing_data[0])  # type: ignore[attr-defined]
