"""``python3 -m tests.bench._engines FOLDER [rounds]``: this server against the one of another checkout, in turns.

Both are started the same way, with the same packages. Each row is the median of all rounds. Not a benchmark to repeat:
it says whether an exchange of the server is one for the better.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from urllib.request import urlopen

from app.bootstrap import ROOT
from tests import crowd
from tests.bench._served import NANOSECONDS
from tests.bench.attacks import ATTACKS, START, Game, Size, a_game, under_attack
from tests.phone import ask
from tests.server import Server

WORSE = 1.2
PHONES = [f"127.0.1.{number}" for number in range(1, 9)]
"""Streams come from several addresses, as one may hold a quarter of all connections only."""
STREAMS = (500, 1_000, 1_950)
SAVES, PAGES, HANDS = 60, 100, 5
IDLE = 2_100
ATTACK = Size(4, 1, 0, 0)
Row = dict[str, float]


class Engine(Server):
    """The server of one checkout."""

    def __init__(self, url: str, root: Path) -> None:
        super().__init__(url, LIVE_STREAMS=2_000)
        self.root = root

    def launch(self) -> None:
        server = "app.serving.server" if (self.root / "app/serving").exists() else "app.server"
        start = f"import app; from {server} import serve; serve({self.application}, '127.0.0.1', {self.port})"
        start = start.replace("app:create_app", "app.create_app")
        self.process = subprocess.Popen(
            [sys.executable, "-c", start], cwd=self.root, env=self.environment, start_new_session=True
        )

    def cpu(self) -> float:
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / NANOSECONDS

    def memory(self) -> float:
        """MB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * 4096 / 1e6


@contextmanager
def running(root: Path) -> Iterator[Engine]:
    with tempfile.TemporaryDirectory() as folder:
        server = Engine(f"sqlite:///{folder}/bench.db", root)
        server.start()
        try:
            yield server
        finally:
            with suppress(ProcessLookupError):
                server.kill()


def saves(game: Game) -> list[float]:
    """Milliseconds."""
    took = []
    for _ in range(SAVES):
        began = time.monotonic()
        assert game.save(60)
        took.append((time.monotonic() - began) * 1000)
    return took


def page_cost(server: Engine, game: Game) -> float:
    """Milliseconds of processor."""
    connection = HTTPConnection("127.0.0.1", server.port)
    before = server.cpu()
    for _ in range(PAGES):
        connection.request("GET", f"/g/{game.code}")
        connection.getresponse().read()
    connection.close()
    return (server.cpu() - before) / PAGES * 1000


def at_rest(root: Path) -> Row:
    with running(root) as server:
        game = a_game(server)
        took = saves(game)
        page = page_cost(server, game)
        return {
            "page, ms of processor": page,
            "save, p50 ms": median(took),
            "save, p99 ms": quantiles(took, n=100)[98],
            "MB at rest": server.memory(),
        }


def beside_streams(root: Path, many: int) -> Row:
    with running(root) as server:
        game = a_game(server)
        page_cost(server, game)
        before = server.memory()
        opened = [crowd.stream(server.port, game.code, address) for address in islice(cycle(PHONES), many)]
        with crowd.crowd(*opened):
            kept = len(crowd.heard(opened, b"data: 1.0", 120))
            size = (server.memory() - before) * 1000 / many
            last = [hears(game, opened) for _ in range(HANDS)]
            took = saves(game)
            page = page_cost(server, game)
    name = f"{many} streams"
    return {
        f"{name}: not opened": many - kept,
        f"{name}: kB each": size,
        f"{name}: last hears after, ms": median(last),
        f"{name}: save, p99 ms": quantiles(took, n=100)[98],
        f"{name}: page, ms of processor": page,
    }


def hears(game: Game, opened: list[crowd.socket.socket]) -> float:
    """Milliseconds until the last one has."""
    saving = Thread(target=game.save, args=(60,))
    began = time.monotonic()
    saving.start()
    heard = crowd.heard(opened, f"data: {game.seen + 1}.0".encode(), 60)
    saving.join()
    return (max(heard) - began) * 1000 if len(heard) == len(opened) else float("inf")


def stops(root: Path) -> Row:
    """With 100 streams, and a sheet on the press."""
    with running(root) as server:
        game = a_game(server)
        prints(game, [])  # the press has started up when it answers
        saves(game)
        opened = [crowd.stream(server.port, game.code) for _ in range(100)]
        with crowd.crowd(*opened):
            crowd.heard(opened, b"data: ", 60)
            printed: list[int] = []
            printing = Thread(target=prints, args=(game, printed))
            printing.start()
            time.sleep(0.2)
            began = time.monotonic()
            server.process.terminate()
            server.process.wait(30)
            took = time.monotonic() - began
            printing.join()
    return {"stop with 100 streams and a sheet, s": took, "sheets lost by a stop": 1 - len(printed)}


def prints(game: Game, printed: list[int]) -> None:
    with suppress(OSError, HTTPException), urlopen(f"{game.server.url}/api/v1/games/{game.code}/sheet.pdf") as answer:
        printed.append(len(answer.read()))


def attacked(root: Path) -> Row:
    """The longest a phone waits for its page and a save together, in milliseconds."""
    told = {}
    for attack in ATTACKS:
        with running(root) as server:
            told[f"{attack.many} {attack.name}: longest wait, ms"] = 1000 * max(under_attack(server, attack, ATTACK))
    return told


def idle(root: Path) -> Row:
    """How long a new phone waits beside the kept-alive connections of one client."""
    with running(root) as server:
        game = a_game(server)
        held = [crowd.said(server.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(IDLE)]
        with crowd.crowd(*held):
            time.sleep(5)
            began = time.monotonic()
            with suppress(OSError, HTTPException):
                if ask(f"{server.url}/api/v1/games", START, patience=10)[0] == 201 and game.save(10):
                    return {f"{IDLE} idle connections: a phone waits, ms": (time.monotonic() - began) * 1000}
    return {f"{IDLE} idle connections: a phone waits, ms": float("inf")}


def measured(root: Path) -> Row:
    told = at_rest(root)
    for many in STREAMS:
        told |= beside_streams(root, many)
    return told | stops(root) | attacked(root) | idle(root)


def main(folder: str, rounds: int = 5) -> int:
    """Both in turns; 1 where a row is much worse here, except memory."""
    there, here = [], []
    for number in range(rounds):
        there.append(measured(Path(folder)))
        here.append(measured(ROOT))
        print(f"round {number + 1}: {there[-1]} {here[-1]}", file=sys.stderr, flush=True)
    print(f"{'':52}{'there':>10}{'here':>10}{'ratio':>8}")
    worse = 0
    for name in here[0]:
        old, new = median(row[name] for row in there), median(row[name] for row in here)
        ratio = new / old if old else 1 + new
        worse += ratio > WORSE and "kB" not in name
        print(f"{name:52}{old:10.1f}{new:10.1f}{ratio:8.2f}")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3])))
