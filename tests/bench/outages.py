"""`outages [PERCENT [SEED]]`: the database goes and comes back; what was answered with "saved" must still be there.

PostgreSQL is stopped, is killed, or cuts all connections; or of two hosts in the address the first stops, and the
second, its copy, is promoted. Two servers run on all the time. As in `faults`, the phones repeat what was not answered
or could not be saved, and at the end the database is audited. At each server a phone watches, which opens its stream
again when that ends, as pages do: it must hear of the last entry of every game.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

from tests.bench.kills import Table, soak
from tests.phone import Phone
from tests.postgresql import Cluster, programs
from tests.server import Server, eventually

PROCESSES, PHONES = 2, 4
PAUSE = 0.05
"""Seconds between two hands of a phone."""
NEWS_AFTER = 20.0
"""Seconds in which a watching phone must have heard of the last entry of a game."""
SOON = 0.2
Strike = Callable[[], object]


class Watcher(Thread):
    """A phone that follows a game by a server's streams."""

    def __init__(self, url: str, code: str) -> None:
        super().__init__(daemon=True)
        self._address = f"{url}/g/{code}/live"
        self.seen = 0
        self.over = Event()
        self.start()

    def run(self) -> None:
        while not self.over.wait(SOON):
            with suppress(OSError, HTTPException), urlopen(self._address, timeout=60) as stream:
                self.hear(stream)

    def hear(self, stream: Any) -> None:
        for line in stream:
            if line.startswith(b"data: "):
                self.seen = int(line[6:].partition(b".")[0])
            if self.over.is_set():
                return

    def has_heard(self, seen: int) -> bool:
        until = time.monotonic() + NEWS_AFTER
        while self.seen < seen and time.monotonic() < until:
            time.sleep(0.01)
        self.over.set()
        return self.seen >= seen


@dataclass
class Watched(Table):
    """Two servers on one database, and a phone at each that watches."""

    watchers: list[Watcher] = field(default_factory=list)
    struck: int = 0
    """Saves that were under way when it happened."""

    def scorer(self, name: str) -> Callable[[Phone], dict[str, Any] | None]:
        next_event = super().scorer(name)

        def in_a_while(phone: Phone) -> dict[str, Any] | None:
            time.sleep(PAUSE)
            return next_event(phone)

        return in_a_while

    def under_way(self) -> int:
        """How many phones wait for an answer, as soon as one does."""
        return int(eventually(lambda: sum(phone.is_waiting for phone in self.phones[-self.crowd :])))

    def begun(self, submission: str) -> dict[str, Any]:
        game = super().begun(submission)
        self.watchers = [Watcher(server.url, game["code"]) for server in self.servers]
        return game

    def play(self, pool: Any) -> None:
        super().play(pool)
        seen = max(phone.seen for phone in self.phones[-self.crowd :])
        late = [watcher for watcher in self.watchers if not watcher.has_heard(seen)]
        self.wrong += [("news", f"heard of entry {each.seen} of {seen}") for each in late]


def main(percent: int = 100, seed: int | None = None, *, tiny: bool = False) -> int:
    """All of it; 1 when anything is not as it was answered."""
    percent = 1 if tiny else percent
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    if programs() is None:
        print("  PostgreSQL is not installed here: skipped; lost 0, doubled 0, otherwise wrong 0 of none")
        return 0
    print(f"{percent} % of everything, seed {seed}", flush=True)
    return max(one(name, many * percent // 100, f"{seed} {name}") for name, many in WHOLE.items())


def one(name: str, times: int, seed: str) -> int:
    """One kind of trouble."""
    times = max(times, 1)
    print(f"\n{name}, {times} times", flush=True)
    with KINDS[name]() as (url, strike):

        def ends(_server: Server) -> None:
            table.struck += table.under_way()
            strike()

        table = Watched(url, times, seed, ends, PROCESSES, restarts_it=False, patient=True, crowd=PHONES)
        wrong = soak([table])
        print(f"{table.struck:,} saves were under way when it happened")
        return wrong


@contextmanager
def a_cluster() -> Iterator[Cluster]:
    cluster = Cluster(programs())
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def stopped() -> Iterator[tuple[str, Strike]]:
    with a_cluster() as cluster:
        yield cluster.create_database(), lambda: (cluster.halt(), cluster.launch())


@contextmanager
def killed() -> Iterator[tuple[str, Strike]]:
    with a_cluster() as cluster:
        yield cluster.create_database(), lambda: (cluster.kill(), cluster.launch())


@contextmanager
def cut() -> Iterator[tuple[str, Strike]]:
    everybody = "select pg_terminate_backend(pid) from pg_stat_activity where datname like 'games%'"
    with a_cluster() as cluster:
        yield cluster.create_database(), lambda: cluster.ask(everybody)


@contextmanager
def promoted() -> Iterator[tuple[str, Strike]]:
    with a_cluster() as one, a_copy(one) as two:
        url = f"{one.create_database()}:5432&host={two.folder}:5432&target_session_attrs=read-write"
        pair = [one, two]

        def strike() -> None:
            first, second = pair
            first.halt()
            second.ask("select pg_promote()")
            first.follow(second)
            pair.reverse()

        yield url, strike


@contextmanager
def a_copy(of: Cluster) -> Iterator[Cluster]:
    cluster = Cluster(programs())
    try:
        cluster.follow(of)
        yield cluster
    finally:
        cluster.stop()


WHOLE = {
    "PostgreSQL stops": 200,
    "PostgreSQL is killed": 200,
    "PostgreSQL cuts all connections": 350,
    "the second host is promoted": 50,
}
KINDS: dict[str, Any] = dict(zip(WHOLE, (stopped, killed, cut, promoted), strict=True))
