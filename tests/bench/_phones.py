"""Phones of a benchmark: kept-alive connections from addresses of this machine, and the games they bring."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

API = "/api/v1/games"
PRODUCT = "app:create_app({'RATELIMIT_ENABLED': False})"
WHEN = {"at": "2025-12-31T20:15:00Z", "by": "bench"}
SLOWEST = 60.0
"""Seconds after which a phone gives up, which counts as refused."""
COOKIE = re.compile(r"^set-cookie: ([^;]*)", re.IGNORECASE | re.MULTILINE)


class Game(NamedTuple):
    code: str
    secret: str
    cookie: str
    seen: int


class Line:
    """One kept-alive connection from an address of this machine."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.address = address
        self.patience: float = SLOWEST
        self.cookie = ""
        """What it was given last."""
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, sent: object = None, **headers: str) -> tuple[int, bytes]:
        """The status and body of an answer; 0 if there was none."""
        try:
            return await asyncio.wait_for(self._asked(path, sent, headers), self.patience)
        except (OSError, EOFError, TimeoutError):
            self.close()
            return 0, b""

    async def _asked(self, path: str, sent: object, headers: dict[str, str]) -> tuple[int, bytes]:
        reader, _writer = await self.said(path, sent, headers)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for given in COOKIE.findall(head):
            self.cookie = given
        _, _, length = head.lower().partition("content-length:")
        body = await reader.readexactly(int(length.split()[0])) if length else b""
        if "connection: close" in head.lower():
            self.close()
        return int(head.split()[1]), body

    async def said(
        self, path: str, sent: object, headers: dict[str, str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request, over a new connection if the last was closed."""
        if self._open is None or self._open[0].at_eof():
            self._open = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**22
            )
        body = b"" if sent is None else sent if isinstance(sent, bytes) else json.dumps(sent).encode()
        told = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip", "Content-Length": str(len(body))}
        told |= ({"Cookie": self.cookie} if self.cookie else {}) | headers
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items())
        method = "GET" if sent is None else "POST"
        kind = "x-www-form-urlencoded" if isinstance(sent, bytes) else "json"
        typed = "" if sent is None else f"Content-Type: application/{kind}\r\n"
        self._open[1].write(f"{method} {path} HTTP/1.1\r\n{lines}{typed}\r\n".encode() + body)
        return self._open

    def close(self) -> None:
        if self._open:
            self._open[1].close()
            self._open = None


@asynccontextmanager
async def line(port: int, address: str) -> AsyncIterator[Line]:
    own = Line(port, address)
    try:
        yield own
    finally:
        own.close()


def as_log(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Events as a game to import."""
    return {"log": [{"entry": number, "event": event} | WHEN for number, event in enumerate(events, 1)]}


async def brought(own: Line, record: dict[str, Any]) -> Game:
    status, body = await own.ask(f"{API}/import", record, Accept_Encoding="identity")
    while status in (0, 503):  # many wait to bring theirs
        await asyncio.sleep(0.1)
        status, body = await own.ask(f"{API}/import", record, Accept_Encoding="identity")
    assert status == 201, body
    made = json.loads(body)
    return Game(made["code"], made["scorer"], "", made["seen"])


async def at_a_table(port: int, address: str, record: dict[str, Any]) -> Game:
    """A game brought there, and the cookie of its scorer's phone."""
    async with line(port, address) as own:
        game = await brought(own, record)
        await own.ask(f"/g/{game.code}/s/{game.secret}")
        return game._replace(cookie=own.cookie)
