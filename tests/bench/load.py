"""`load [SECONDS]`: more and more tables at play, until something breaks, whatever was played before.

The server is the product as `python3 -m app` starts it, on SQLite and on PostgreSQL, with
a hundred, ten thousand and a hundred thousand stored games, which `check` finds sound before. The tables are
another process (`_tables.py`), whose share of the processor stands beside the others'. At each step all tables sit
down first; then so many seconds are measured. Something has broken if one save of a hundred takes a quarter of a
second, if anything is refused, or if a phone does not hear of a hand. At the end five hundred tables play beside the
hostile clients of `evening`.

What one save costs is measured on a quiet server as well, one after the other: that must not grow with the games.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.bench import evening
from tests.bench._stored import HANDS, fill
from tests.bench._tables import PACE, PHONES, Generator, Told
from tests.bench.evening import GOAL, as_log, attacked, slowest
from tests.bench.fold import a_hand, a_record
from tests.bench.memory import children, command
from tests.postgresql import Cluster, programs
from tests.server import Server, flask, wait_until_up

TICKS = os.sysconf("SC_CLK_TCK")
SETTLING = 5.0
SLOWEST_START, SLOWEST_TABLES = 300, 900


class Size(NamedTuple):
    """Stored games, the steps of tables at play, and how many of them play beside hostile clients.

    So many games are saved to one by one; so many seconds to settle, and from one hand to the next.
    """

    stored: tuple[int, ...]
    steps: tuple[int, ...]
    beside: int
    alone: int
    settling: float = SETTLING
    pace: float = PACE


FULL = Size((100, 10_000, 100_000), (250, 500, 1_000, 1_500, 2_000, 2_500, 3_000), 500, 41)
TINY = Size((5,), (2,), 2, 2, 0.0, 1.0)


class Shares(NamedTuple):
    """Seconds of processor so far, and megabytes of the processes that answer."""

    server: float
    press: float
    database: float
    memory: float


class Running:
    """The server, and the tables at it."""

    def __init__(self, url: str, folder: str, database: int = 0) -> None:
        self.server = Server(url)
        self.server.environment |= {
            "PORT": str(self.server.port),
            "DATA": folder,
        }
        self.database = database

    def start(self) -> None:
        self.server.run(sys.executable, "-m", "app")
        wait_until_up(self.server.process, self.server.url, patience=SLOWEST_START)
        self.rest = self.shares()

    def shares(self) -> Shares:
        ours = [*family(self.server.process.pid)]
        press = [each for each in ours if b"pdf_worker" in command(each)]
        answering = [each for each in ours if each not in press]
        theirs = family(self.database) if self.database else ()
        return Shares(
            sum(map(processor, answering)), sum(map(processor, press)), sum(map(processor, theirs)), memory(answering)
        )


def family(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for child in children(pid):
        yield from family(child)


def processor(pid: int) -> float:
    """Seconds that a process and its children that have ended took."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, told[11:15])) / TICKS


def memory(pids: list[int]) -> float:
    """Megabytes; what processes share counts in each of them by its part."""
    told = 0
    for pid in pids:
        with suppress(OSError):  # it has just ended
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            told += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return told / 1024


@contextmanager
def running(url: str, database: int = 0) -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder:
        own = Running(url, folder, database)
        try:
            own.start()
            yield own
        finally:
            own.server.kill()


def alone(own: Running, games: int) -> str:
    """What a save costs on a quiet server, one after the other: so many games get their next twelve hands."""
    port, address, chance = own.server.port, "127.99.99.99", Random(33)

    async def bring() -> list[evening.Game]:
        return [await evening.at_a_table(port, address, as_log(a_record(1 + HANDS, chance))) for _ in range(games)]

    async def save(game: evening.Game) -> list[float]:
        took = []
        entries, bearer = f"{evening.API}/{game.code}/entries", {"Authorization": f"Bearer {game.secret}"}
        async with evening.line(port, address) as line:
            for seen in range(game.seen, game.seen + HANDS):
                sent = {"event": a_hand(chance), "seen": seen, "submission": f"s{seen}"}
                began = time.monotonic()
                status, _ = await line.ask(entries, sent, **bearer)
                took.append(time.monotonic() - began)
                assert status == 201, status
        return took

    first, *others = asyncio.run(bring())
    asyncio.run(save(first))  # whatever a first save loads is there from now on
    before = own.shares()
    took = [each for game in others for each in asyncio.run(save(game))]
    server, _, database, _ = ((now - then) / len(took) * 1000 for now, then in zip(own.shares(), before, strict=True))
    return (
        f"a save alone: p50 {slowest(took, 0.5) * 1000:.1f} ms; processor {server:.2f} ms, database {database:.2f} ms"
    )


HEAD = (
    " tables  saves/s   p50   p99  heard p99  board p99 | processor: server  press  database  tables | a hand: server"
    "  database |    MB"
)


def step(own: Running, tables: Generator, many: int, seconds: float, settling: float) -> tuple[str, str]:
    """Measure so many tables: a line about them, and what has broken; empty if nothing has."""
    open_streams, refused = tables.ask("fill", many, SLOWEST_TABLES)
    time.sleep(settling)
    before, began = own.shares(), time.monotonic()
    told: Told = tables.ask("measure", seconds, seconds + 60)
    took, after = time.monotonic() - began, own.shares()
    spent = Shares(*(now - then for now, then in zip(after, before, strict=True)))
    hands = max(len(told.saves), 1)
    shares = [each / took for each in (spent.server, spent.press, spent.database, told.processor)]
    line = (
        f"{many:7,}{len(told.saves) / took:9.1f}{ms(told.saves, 0.5)}{ms(told.saves, 0.99)}{ms(told.heard, 0.99):>11}"
        f"{ms(told.boards, 0.99):>11} |{shares[0]:18.0%}{shares[1]:7.0%}{shares[2]:10.0%}{shares[3]:8.0%} |"
        f"{spent.server / hands * 1000:12.1f} ms{spent.database / hands * 1000:7.1f} ms |"
        f"{after.memory:6.0f}"
    )
    return line, broken(told, refused, many * PHONES - open_streams)


def broken(told: Told, sitting_down: dict[str, int], missing: int) -> str:
    """What has broken, in words."""
    refusals = {f"{said} (sitting down)": times for said, times in sitting_down.items()} | told.refused
    reasons = [f"{times} × {said}" for said, times in refusals.items()]
    reasons += [f"{missing} streams did not open"] * (missing > 0)
    reasons += [f"{told.deaf} phones had not heard of a hand in time"] * (told.deaf > 0)
    late = bool(told.saves) and slowest(told.saves, 0.99) >= GOAL
    reasons += [f"one save of a hundred took{ms(told.saves, 0.99)} ms"] * late
    return "; ".join(reasons)


def ms(times: list[float], share: float) -> str:
    return f"{slowest(times, share) * 1000:6.0f}" if times else "     -"


def until_it_breaks(own: Running, size: Size, seconds: float) -> int:
    """Print each step; how many tables were held."""
    held, phones_memory = 0, 0.0
    tables = Generator(own.server.port, size.pace)
    try:
        print(HEAD, flush=True)
        for many in size.steps:
            line, reasons = step(own, tables, many, seconds, size.settling)
            print(line, flush=True)
            if reasons:
                print(f"        broke: {reasons}")
                break
            held, phones_memory = many, (own.shares().memory - own.rest.memory) / (many * PHONES) * 1000
    finally:
        tables.end()
    print(f"        held {held:,} tables; {phones_memory:.0f} MB per 1,000 watching phones, games included", flush=True)
    return held


def right_of_way(own: Running, size: Size, seconds: float) -> int:
    """Tables beside hostile clients; 1 if one was refused anything, or saves were slow."""
    hostile = evening.TINY if size is TINY else evening.FULL
    tables = Generator(own.server.port, size.pace)
    try:
        tables.ask("fill", size.beside, SLOWEST_TABLES)
        wrong = 0
        for patience in (evening.SLOWEST, evening.IMPATIENT):
            addresses = [f"127.254.1.{client + 1}" for client in range(hostile.clients)]
            with attacked(own.server.port, addresses, hostile._replace(patience=patience)) as clients:
                line, reasons = step(own, tables, size.beside, seconds, size.settling)
            print(f"beside {hostile.clients} hostile clients who wait {patience:g} s: {clients[0]}\n{HEAD}\n{line}")
            print(f"        broke: {reasons}" if reasons else "        nothing was refused", flush=True)
            wrong |= bool(reasons) and size is not TINY
    finally:
        tables.end()
    return wrong


@contextmanager
def engines() -> Iterator[list[tuple[str, str, int]]]:
    """Each engine: its name, an empty database, and the process whose family it is."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        found = [("SQLite", f"sqlite:///{folder}/games.db", 0)]
        if where := programs():
            cluster = Cluster(where)
            cluster.start(is_safe=True)
            stack.callback(cluster.stop)
            found.append(("PostgreSQL", cluster.create_database(), cluster.process.pid))
        yield found


def main(seconds: int = 60, *, tiny: bool = False) -> int:
    """All of it; 1 if a table is refused anything beside hostile clients."""
    size, seconds = (TINY, 4) if tiny else (FULL, seconds)
    wrong = 0
    with engines() as found:
        for name, url, database in found:
            for stored in size.stored:
                fill(url, stored)
                print(f"\n{name}, check: {flask('check', settings={'DATABASE_URL': url}).stdout.strip()}", flush=True)
                print(f"{name}, {stored:,} stored games", flush=True)
                with running(url, database) as own:
                    print(alone(own, size.alone), flush=True)
                    until_it_breaks(own, size, seconds)
            with running(url, database) as own:
                wrong |= right_of_way(own, size, seconds)
    return wrong
