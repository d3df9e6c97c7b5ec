"""Serving: what a page takes beside bad readers and writers, and five hundred tables on PostgreSQL with two workers.

How soon things happen depends on what else the machine does, which is told at the head. What requests and streams cost
by themselves is measured by `earlier`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.views.responses import static_path
from tests import connections
from tests.bench._phones import API, Game, as_log, at_a_table
from tests.bench._tables import FORM, PACE, PHONES, Generator, Told
from tests.bench.fold import a_record
from tests.postgresql import Cluster, programs
from tests.server import Server

NANOSECONDS = 1e9
Row = dict[str, float]


class Size(NamedTuple):
    """Half bodies and readers; tables on PostgreSQL, measured for so many seconds; rounds."""

    halves: int
    readers: int
    club: int
    seconds: float
    rounds: int


FULL, TINY = Size(40, 60, 500, 60.0, 5), Size(4, 4, 2, 4.0, 1)


class Measured(Server):
    """A server whose processor time and memory are told."""

    def __init__(self, url: str, folder: str) -> None:
        super().__init__(url)
        self.environment |= {"DATA": folder, "MALLOC_ARENA_MAX": "2", "BASE_URL": ""}

    def launch(self) -> None:
        config = {"DATABASE_URL": self.environment["DATABASE_URL"], "RATELIMIT_ENABLED": False}
        start = (
            "import app, socket; from app.server import serve; from app.views.sheets import start_renderer_early;"
            f" application = app.create_app({config!r}); start_renderer_early(application);"
            f" serve(application, socket.create_server(('127.0.0.1', {self.port}), backlog=2048))"
        )
        self.run(sys.executable, "-c", start)

    def processor(self, *, children: bool = False) -> float:
        """Seconds of all threads, and of those of its children."""
        own = Path(f"/proc/{self.process.pid}/task")
        born = " ".join(each.read_text() for each in own.glob("*/children")).split() if children else []
        threads = [
            *own.glob("*/schedstat"),
            *(each for pid in born for each in Path("/proc", pid).glob("task/*/schedstat")),
        ]
        return sum(int(thread.read_text().split()[0]) for thread in threads) / NANOSECONDS

    def memory(self) -> float:
        """MB."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6


@contextmanager
def running() -> Iterator[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        server = Measured(f"sqlite:///{folder}/bench.db", folder)
        server.start()
        try:
            yield server
        finally:
            server.kill()


def games_of(server: Server, records: list[dict[str, Any]]) -> list[Game]:
    async def together() -> list[Game]:
        return [await at_a_table(server.port, "127.0.2.1", record) for record in records]

    return asyncio.run(together())


# ---- What requests cost


class Phone:
    """The scorer of a game, over one connection."""

    def __init__(self, server: Measured, game: Game) -> None:
        self.server, self.game, self.seen, self.cookie = server, game, game.seen, game.cookie
        self.own = HTTPConnection("127.0.0.1", server.port)
        self.form: dict[str, str] = {}

    def ask(self, path: str, body: str | None = None, **headers: str) -> bytes:
        told = {"Cookie": self.cookie} | {name.replace("_", "-"): value for name, value in headers.items()}
        self.own.request("GET" if body is None else "POST", path, body, told)
        answer = self.own.getresponse()
        self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        text = answer.read()
        assert answer.status in (200, 201, 303), (path, answer.status)
        return text

    def page(self) -> None:
        self.ask(f"/g/{self.game.code}")

    def home(self) -> None:
        self.ask("/")

    def state(self) -> None:
        self.ask(f"{API}/{self.game.code}")

    def version(self) -> None:
        self.ask(f"/g/{self.game.code}/version")

    def check(self) -> None:
        self.ask(f"/g/{self.game.code}/check?check=meld&cards=7H+8H+9H")

    def rule(self) -> None:
        claim = json.dumps({"variant": "kalooki-51", "cards": "7H 8H 9H"})
        self.ask("/api/v1/check/meld", claim, Content_Type="application/json")

    def save(self) -> None:
        left = {str(seat): {"points": 5 + self.seen % 9} for seat in (2, 3, 4)}
        event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
        sent = {"event": event, "seen": self.seen, "submission": f"json-{self.seen}"}
        headers = {"Content_Type": "application/json", "Authorization": f"Bearer {self.game.secret}"}
        self.seen = json.loads(self.ask(f"{API}/{self.game.code}/entries", json.dumps(sent), **headers))["entry"]

    def type(self) -> None:
        """Open the form: it is no part of what a save costs."""
        page = self.ask(f"/g/{self.game.code}/hand").decode()
        left = "left" if 'name="left-2"' in page else "points"  # until 0.3
        typed = {f"{left}-{seat}": "7" for seat in (2, 3, 4)} | {"winner": "1", "ending": "going_out", "do": "save"}
        self.form = dict(FORM.findall(page)) | typed

    def send(self) -> None:
        self.ask(f"/g/{self.game.code}/hand", urlencode(self.form), Content_Type="application/x-www-form-urlencoded")
        self.seen += 1


# ---- Bad readers and writers


def beside_bad_ones(server: Measured, size: Size) -> Row:
    """How long a page takes beside half-sent bodies and readers that read nothing."""
    (game,) = games_of(server, [as_log(a_record(3, Random(5)))])
    phone, took = Phone(server, game), []
    halves = [connections.half_body(server.port) for _ in range(size.halves)]
    readers = [
        connections.slow_reader(server.port, f"{static_path()}/fonts/DejaVuSans.ttf") for _ in range(size.readers)
    ]
    phone.page()  # the first page after a start compiles its template
    with connections.crowd(*halves, *readers):
        time.sleep(size.seconds / 20)  # all they asked for is answered, as far as they take it
        for _ in range(20):
            began = time.monotonic()
            phone.page()
            took.append(time.monotonic() - began)
    name = f"page beside {size.halves} half bodies and {size.readers} readers of nothing"
    return {f"{name}, median, ms": median(took) * 1000, f"{name}, slowest of 20, ms": max(took) * 1000}


def slowest(times: list[float], share: float) -> float:
    """The longest of all but `1 - share` of the times."""
    return sorted(times)[ceil(share * len(times)) - 1]


# ---- Five hundred tables


class Workers(Server):
    """uvicorn with two processes, as docs/running.md has it."""

    def launch(self) -> None:
        uvicorn = [sys.executable, "-m", "uvicorn", "--factory", "app:application", "--workers", "2"]
        self.run(*uvicorn, "--timeout-graceful-shutdown", "3", "--port", str(self.port))


def club(size: Size) -> str:
    """What many tables are answered by two workers on PostgreSQL."""
    where = programs()
    if where is None:
        return "PostgreSQL is not installed"
    cluster = Cluster(where)
    cluster.start(is_safe=True)
    server = Workers(cluster.create_database())
    tables = None
    try:
        server.start()
        tables = Generator(server.port, PACE if size.club > 10 else 1.0)
        opened, refused = tables.ask("fill", size.club, 900)
        time.sleep(size.seconds / 12)
        told: Told = tables.ask("measure", size.seconds, size.seconds + 60)
    finally:
        if tables:
            tables.end()
        with suppress(ProcessLookupError):
            server.kill()
        cluster.stop()
    saves, heard = ([slowest(each, share) * 1000 for share in (0.5, 0.99)] for each in (told.saves, told.heard))
    return (
        f"{size.club} tables on PostgreSQL, two workers: {len(told.saves)} saves, median {saves[0]:.0f} ms, 99 of 100"
        f" within {saves[1]:.0f} ms; heard after {heard[0]:.0f} and {heard[1]:.0f} ms; {told.deaf} deaf;"
        f" {size.club * PHONES - opened} streams missing; refused {refused | told.refused or 'nothing'}"
    )


def main(rounds: int | None = None, *, tiny: bool = False) -> int:
    size = TINY if tiny else FULL
    found, load = [], [os.getloadavg()[0]]
    for turn in range(rounds or size.rounds):
        with running() as server:
            found.append(beside_bad_ones(server, size))
        load.append(os.getloadavg()[0])
        print(f"round {turn + 1} done", file=sys.stderr, flush=True)
    print(f"load {min(load):.1f} to {max(load):.1f}, on {os.cpu_count()} processors; median of {len(found)}")
    for name in found[0]:
        print(f"{name}: {median(row[name] for row in found):.2f}", flush=True)
    print(club(size))
    return 0
