"""`faults [PERCENT [SEED]]`: what else befalls a server; what was answered with "saved" must be there afterwards.

The server is told to stop, killed on PostgreSQL, and killed as one of two processes on one file; and its disk
fills up again and again. As in `kills`, the phones repeat what was not answered, and at the end the
database is audited.
"""

from __future__ import annotations

import resource
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.bench.kills import Table, soak
from tests.bench.outages import a_cluster
from tests.postgresql import programs
from tests.server import Server

WHOLE = {"stops": 100, "kills on PostgreSQL": 300, "two processes": 100, "a full disk": 100}
LONGEST_FULL = 0.5
"""Seconds."""
ROOM = 60_000
"""Bytes the journal may still grow while the disk is full: for some hands."""


class FullDisk:
    """No file of a server grows any more, for a moment; then there is room again."""

    def __init__(self, url: str, seed: str) -> None:
        self._journal = Path(url.removeprefix("sqlite:///") + "-wal")
        self._chance = Random(seed)

    def __call__(self, server: Server) -> None:
        with suppress(FileNotFoundError):
            size = self._journal.stat().st_size + self._chance.randrange(ROOM)
            server.limit(resource.RLIMIT_FSIZE, size)
            time.sleep(self._chance.uniform(0, LONGEST_FULL))
            server.limit(resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)


def main(percent: int = 100, seed: int | None = None, *, tiny: bool = False) -> int:
    """All of it; 1 when anything is not as it was answered."""
    percent = 1 if tiny else percent
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    print(f"{percent} % of everything, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        return max(one(name, make, percent, f"{seed} {name}", folder) for name, make in KINDS.items())


def one(name: str, make: Callable[..., Table], percent: int, seed: str, folder: str) -> int:
    """One kind of trouble."""
    times = max(WHOLE[name] * percent // 100, 1)
    print(f"\n{name}, {times} times", flush=True)
    url = f"sqlite:///{folder}/{name.replace(' ', '-')}.db"
    if name != "kills on PostgreSQL":
        return soak([make(url, times, seed)])
    if programs() is None:
        print("  PostgreSQL is not installed here: skipped")
        return 0
    with a_cluster() as cluster:
        return soak([make(cluster.create_database(), times, seed)])


def with_full_disk(url: str, times: int, seed: str) -> Table:
    return Table(url, times, seed, ends=FullDisk(url, seed), restarts_it=False, patient=True)


KINDS: dict[str, Any] = {
    "stops": lambda url, times, seed: Table(url, times, seed, ends=Server.stop),
    "kills on PostgreSQL": Table,
    "two processes": lambda url, times, seed: Table(url, times, seed, processes=2),
    "a full disk": with_full_disk,
}
