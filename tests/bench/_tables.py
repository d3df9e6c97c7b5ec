"""Tables at play, in a process of their own: whoever measures says how many, and asks what they were answered.

A table has an address of its own. Its four phones keep a stream open and ask for the board whenever it tells something
new; one of them opens the form of a hand, looks at its preview and saves it, every three minutes, and after each
twelfth hand it asks for the sheet. Hands of all tables are spread evenly. One loop of plain sockets holds all of it,
so that it takes as little of the machine as can be.
"""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import re
import resource
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection
from random import Random
from typing import Any, cast
from urllib.parse import urlencode

import uvloop

from tests.bench._phones import API, SLOWEST, Game, Line, as_log, at_a_table
from tests.bench.fold import a_record

HANDS, PHONES = 12, 4
PACE = 180.0
"""Seconds from one hand to the next."""
TYPING, READING = 1 / 30, 1 / 60
"""How much of them the hand takes to be typed, and its preview to be read out."""
DEAF = 5.0
"""Seconds after a save in which a phone must have heard of it."""
KEPT = 60.0
"""Seconds for which a browser keeps a connection over which it asks for nothing."""
SITTING_DOWN = 12
"""Tables that begin at one time."""
GOLDEN = 0.6180339887498949
"""Multiples of it are spread evenly however many there are."""
FORM = re.compile(r'name="(csrf_token|submission|seen)"[^>]* value="([^"]*)"')
NEWS = re.compile(rb"data: (\d+)\.(\d+)\n")
FINE = (200, 201, 303, 304)


@dataclass
class Told:
    """What the tables were answered: seconds of each save, and until each phone heard of it."""

    saves: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    deaf: int = 0

    @property
    def refused(self) -> dict[str, int]:
        return {said: times for said, times in self.statuses.items() if int(said.split()[0]) not in FINE}

    def note(self, status: int, what: str) -> None:
        self.statuses[f"{status} {what}"] += 1


class Stream(asyncio.Protocol):
    """One phone's stream."""

    def __init__(self, table: Table, own: Line) -> None:
        self.table, self.own = table, own
        self.known = (0, 0)
        self.has_begun = asyncio.Event()
        self.is_showing = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        host, path = f"127.0.0.1:{self.table.hall.port}", f"/g/{self.table.game.code}/live"
        self.transport.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        if not self.has_begun.is_set():
            self.has_begun.set()
            self.table.hall.told.note(int(data.split(b" ", 2)[1]), "stream")
        for seq, signals in NEWS.findall(data):
            self.hear((int(seq), int(signals)))

    def hear(self, news: tuple[int, int]) -> None:
        if news <= self.known:
            return
        if news[0] > self.known[0] > 0:
            self.table.hall.told.heard.append(time.monotonic() - self.table.saved_at)
        self.known = news
        if not self.is_showing:
            self.is_showing = True
            self.table.hall.begin(self.show())

    async def show(self) -> None:
        """Ask for the board until it shows what is known."""
        shown = (0, 0)
        while shown != self.known:
            shown = self.known
            status, _ = await self.own.ask(f"/g/{self.table.game.code}/board")
            self.table.hall.told.note(status, "board")
        self.is_showing = False

    def connection_lost(self, _trouble: Exception | None) -> None:
        if not self.table.hall.is_over:
            self.table.hall.told.note(0, "stream cut")


class Table:
    """Four phones and the game they play."""

    def __init__(self, hall: Hall, number: int) -> None:
        self.hall, self.number = hall, number
        self.address = f"127.{1 + number % 250}.{1 + number // 250 % 250}.{1 + number % 199}"
        self.game = Game("", "", "", 0)
        self.scorers = Line(hall.port, self.address)
        self.streams: list[Stream] = []
        self.saved_at = 0.0

    async def sit_down(self) -> None:
        """Bring a game that has begun, and let every phone follow it."""
        record = as_log(a_record(1 + self.number % HANDS, Random(self.number)))
        self.game = await at_a_table(self.hall.port, self.address, record)
        self.scorers.cookie = self.game.cookie
        for own in (Line(self.hall.port, self.address) for _ in range(PHONES)):
            stream = Stream(self, own)
            await asyncio.get_running_loop().create_connection(
                lambda stream=stream: stream, "127.0.0.1", self.hall.port, local_addr=(self.address, 0)
            )
            self.streams.append(stream)
            with suppress(TimeoutError):
                await asyncio.wait_for(stream.has_begun.wait(), SLOWEST)

    async def play(self) -> None:
        """Hand after hand, each when it is due."""
        for hand in count(self.number % HANDS + 1):
            now = time.monotonic()
            await asyncio.sleep((self.number * GOLDEN * self.hall.pace - now) % self.hall.pace)
            await self.record(Random(hand))
            if hand % HANDS == 0:
                await self.ask(self.scorers, f"{API}/{self.game.code}/sheet.pdf", "sheet")

    async def record(self, chance: Random) -> None:
        """One hand by its form, as a browser sends it."""
        own, page = self.scorers, f"/g/{self.game.code}/hand"
        status, body = await own.ask(page)
        self.hall.told.note(status, "form")
        if status != 200:
            return
        text = gzip.decompress(body).decode()
        typed = dict(FORM.findall(text)) | {"winner": "1", "ending": "going_out"}
        typed |= {f"left-{seat}": str(chance.randint(1, 60)) for seat in range(2, PHONES + 1)}
        await asyncio.sleep(TYPING * self.hall.pace)
        await self.ask(own, f"{page}/preview", "preview", urlencode(typed).encode())
        await asyncio.sleep(READING * self.hall.pace)
        self.saved_at = time.monotonic()
        took = await self.ask(own, page, "save", urlencode(typed | {"do": "save"}).encode())
        self.hall.told.saves.append(took)
        self.hall.begin(self.find_deaf(int(typed["seen"])))
        await self.ask(own, f"/g/{self.game.code}", "page")

    async def find_deaf(self, before: int) -> None:
        await asyncio.sleep(DEAF)
        self.hall.told.deaf += sum(each.known[0] <= before for each in self.streams)
        await asyncio.sleep(KEPT)
        for each in self.streams:
            if not each.is_showing:
                each.own.close()
        self.scorers.close()

    async def ask(self, own: Line, path: str, what: str, sent: object = None) -> float:
        """Seconds until it was answered."""
        began = time.monotonic()
        status, _ = await own.ask(path, sent)
        self.hall.told.note(status, what)
        return time.monotonic() - began


class Hall:
    """All tables."""

    def __init__(self, port: int, pace: float) -> None:
        self.port, self.pace = port, pace
        self.told = Told()
        self.tables: list[Table] = []
        self.is_over = False
        self._at_work: set[asyncio.Task[None]] = set()

    def begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def fill(self, many: int) -> None:
        """Let tables sit down until there are so many."""
        room = asyncio.Semaphore(SITTING_DOWN)

        async def one(table: Table) -> None:
            async with room:
                await table.sit_down()
            self.begin(table.play())

        newer = [Table(self, number) for number in range(len(self.tables), many)]
        self.tables += newer
        await asyncio.gather(*map(one, newer))

    async def measure(self, seconds: float) -> Told:
        """What the tables are answered from now on, for so long."""
        self.told = Told()
        await asyncio.sleep(seconds)
        told, self.told = self.told, Told()
        return told


def open_hall(port: int, pace: float, line: Connection) -> None:
    """The process: does what it is told on the line, and answers each time."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    async def work() -> None:
        hall, loop = Hall(port, pace), asyncio.get_running_loop()
        while asked := await loop.run_in_executor(None, line.recv):
            what, number = asked
            if what == "fill":
                await hall.fill(number)
                line.send(
                    (sum(each.has_begun.is_set() for table in hall.tables for each in table.streams), hall.told.refused)
                )
            else:
                line.send(await hall.measure(number))
        hall.is_over = True

    uvloop.run(work())


class Generator:
    """That process, as whoever measures sees it."""

    def __init__(self, port: int, pace: float) -> None:
        self._line, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=open_hall, args=(port, pace, theirs))
        self._process.start()

    def ask(self, what: str, number: float, patience: float) -> Any:
        self._line.send((what, number))
        assert self._line.poll(patience), f"the tables do not {what} in {patience} s"
        return self._line.recv()

    def end(self) -> None:
        self._process.kill()
        self._process.join(10)
