"""Live updates: server-sent events tell the phones that watch a game how far it has come.

All of this runs in the event loop. A save in this process triggers a query at once: the store sends `game_changed`, the
server calls `look_soon`, and the stream tells the phone (static/js/live.js), which fetches `/board`. Saves by other
processes are found by one query four times a second, as long as anybody watches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Query: TypeAlias = Callable[[Collection[str]], Mapping[str, tuple[int, int]]]
"""Returns the version of each game by its code, leaving out codes without a game; called in a thread."""

PAUSE = 0.25
"""Seconds between two queries, which are most of what phones at rest cost."""
START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),  # stops proxies from buffering
        (b"connection", b"close"),
    ],
}
FIRST = b"retry: 1000\n\n"


class _Game:
    """A game that phones watch."""

    def __init__(self) -> None:
        self.version: tuple[int, int] | None = None
        self.is_over = False
        self.phones: set[asyncio.Event] = set()

    def update(self, version: tuple[int, int] | None) -> None:
        """Wake the phones if the game has a newer version or is no longer at its address."""
        self.is_over = self.is_over or version is None
        if version and (self.version is None or version > self.version):
            self.version = version
        elif not self.is_over:
            return
        self.wake()

    def wake(self) -> None:
        """Send each phone the version, or the end of its stream."""
        for phone in self.phones:
            phone.set()


class Streams:
    """The streams of one process: at most `most` at a time, all with a heartbeat every `beat` seconds."""

    def __init__(self, query: Query, most: int, beat: float) -> None:
        self._query = query
        self._most = most
        self._beat = beat
        self._open = 0
        self._games: dict[str, _Game] = {}
        self._saved = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watching: asyncio.Task[None] | None = None

    def look_soon(self, code: str) -> None:
        """Query at once if anybody watches that game; called by the thread that saved."""
        if self._loop and code in self._games:
            with suppress(RuntimeError):  # the server has just stopped
                self._loop.call_soon_threadsafe(self._saved.set)

    def end(self) -> None:
        """End all streams."""
        for game in self._games.values():
            game.update(None)

    async def serve(self, code: str, receive: Receive, send: Send) -> bool:
        """Serve a stream and return True; return False, with nothing sent, without such a game or a free stream."""
        if self._open >= self._most:
            return False
        self._open += 1
        game, phone = self._games.setdefault(code, _Game()), asyncio.Event()
        game.phones.add(phone)  # registered before the query, so that no change is missed
        try:
            if game.version is None:
                game.update((await asyncio.to_thread(self._query, [code])).get(code))
            if game.is_over:
                return False
            if not self._watching or self._watching.done():
                self._loop = asyncio.get_running_loop()
                self._watching = asyncio.create_task(self._watch(self._loop))
            await self._send_versions(game, phone, receive, send)
            return True
        finally:
            self._open -= 1
            game.phones.discard(phone)
            if not game.phones and self._games.get(code) is game:
                del self._games[code]

    async def _send_versions(self, game: _Game, phone: asyncio.Event, receive: Receive, send: Send) -> None:
        """Send each version, with heartbeats in between, until the phone disconnects or the game is gone."""
        disconnect = asyncio.create_task(_wait_for_disconnect(receive))
        disconnect.add_done_callback(lambda _: phone.set())
        last = None
        try:
            await send(START)
            await send({"type": "http.response.body", "body": FIRST, "more_body": True})
            while not (game.is_over or disconnect.done()):
                kind, last = "event: beat\n" if game.version == last else "", game.version
                phone.clear()
                await send(
                    {"type": "http.response.body", "body": f"{kind}data: {last}\n\n".encode(), "more_body": True}
                )
                await phone.wait()
            await send({"type": "http.response.body"})
        finally:
            disconnect.cancel()

    async def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Query the versions of all watched games, and send heartbeats, until there are none."""
        beat_at = loop.time() + self._beat
        while self._games:
            pause = loop.call_later(PAUSE, self._saved.set)
            await self._saved.wait()
            pause.cancel()
            self._saved.clear()
            games = dict(self._games)
            versions = await asyncio.to_thread(self._query, [*games])
            is_due = loop.time() >= beat_at
            beat_at = loop.time() + self._beat if is_due else beat_at
            for code, game in games.items():
                game.update(versions.get(code))
                if is_due:
                    game.wake()
                if game.is_over and self._games.get(code) is game:
                    del self._games[code]


async def _wait_for_disconnect(receive: Receive) -> None:
    """Return when the phone disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass
