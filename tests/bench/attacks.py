"""What one client does to everybody else: half-sent requests, silent connections, streams, readers that take nothing.

Each attack holds a number of connections and opens those that the server closes again at once. Meanwhile a phone at a
table asks for its page and saves a hand, again and again: the result is the longest it waited. The peer is gunicorn
with 64 threads (gthread), which used to serve the same application.

Then hundreds of streams are opened on one process, and all learn of a saved hand: the median and the last delay.
"""

from __future__ import annotations

import itertools
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from statistics import median
from threading import Event, Thread
from typing import NamedTuple
from urllib.request import urlopen

from app.bootstrap import ROOT
from app.views.responses import static_path
from tests import crowd
from tests.bench._served import PRODUCT
from tests.phone import ask
from tests.server import Server

THREADS = 64
PAUSE = 0.1
FONT = f"{static_path()}/fonts/DejaVuSans.ttf"
START = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
VOID = {"kind": "void", "reason": "misdeal"}


class Size(NamedTuple):
    """How long an attack lasts, how many connections it has of how many, and how many streams hear how many hands."""

    seconds: float
    share: float
    streams: int
    hands: int


FULL, TINY = Size(30, 1, 500, 30), Size(0.6, 0.05, 20, 2)


class Gthread(Server):
    """The same application under gunicorn with threads."""

    def launch(self) -> None:
        options = ["--worker-class", "gthread", "--threads", str(THREADS), "--bind", f"127.0.0.1:{self.port}"]
        command = [sys.executable, "-m", "gunicorn", *options, "--log-level", "error", self.application]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, start_new_session=True)


@dataclass
class Game:
    """A game on a server, and the phone that saves in it."""

    server: Server
    code: str
    secret: str
    seen: int = 1

    def save(self, patience: float) -> bool:
        """Whether a void hand was saved; after a wait in vain it may have been nevertheless."""
        address = f"{self.server.url}/api/v1/games/{self.code}/entries"
        body = {"event": VOID, "seen": self.seen, "submission": f"n{self.seen}"}
        status, _ = ask(address, body, self.secret, patience)
        self.seen += status in (200, 201)
        return status in (200, 201)


def a_game(server: Server) -> Game:
    _, made = ask(f"{server.url}/api/v1/games", START)
    return Game(server, made["code"], made["scorer"])


class Attack(NamedTuple):
    """How many connections, each made by `make` on a port; whether the client takes what it is sent."""

    name: str
    many: int
    make: Callable[[int, str], socket.socket]
    reads: bool = True


_TURNS = itertools.cycle((True, False))


def stream_or_half(port: int, code: str) -> socket.socket:
    """In turns."""
    return crowd.stream(port, code) if next(_TURNS) else crowd.half_headers(port)


ATTACKS = (
    Attack("half-sent headers", 150, lambda port, _: crowd.half_headers(port)),
    Attack("half-sent bodies", 150, lambda port, _: crowd.half_body(port)),
    Attack("silent connections", 300, lambda port, _: crowd.connect(port)),
    Attack("streams", 300, crowd.stream),
    Attack("slow readers", 100, lambda port, _: crowd.slow_reader(port, FONT), reads=False),
    Attack("streams and half-sent headers", 300, stream_or_half),
)


@contextmanager
def going_on(attack: Attack, many: int, game: Game) -> Iterator[None]:
    """So many connections, as long as this lasts: what is closed is opened again."""
    over = Event()

    def keep_up() -> None:
        held: list[socket.socket] = []
        while not over.wait(0.05):
            held = [own for own in held if still_open(own, reads=attack.reads)]
            with suppress(OSError):
                while len(held) < many and not over.is_set():
                    held.append(attack.make(game.server.port, game.code))
        for own in held:
            own.close()

    keeping = Thread(target=keep_up)
    keeping.start()
    try:
        yield
    finally:
        over.set()
        keeping.join()


def still_open(own: socket.socket, *, reads: bool) -> bool:
    """Whether the server has not closed a connection; one that has is closed here too."""
    own.setblocking(False)
    try:
        if own.recv(65536 if reads else 1, 0 if reads else socket.MSG_PEEK):
            return True
    except BlockingIOError:
        return True
    except OSError:
        pass
    own.close()
    return False


def waits(game: Game, seconds: float) -> list[float]:
    """How long the phone waited each time, for its page and for its hand to be saved; infinite without an answer."""
    told, until = [], time.monotonic() + seconds
    while (began := time.monotonic()) < until:
        try:
            with urlopen(f"{game.server.url}/g/{game.code}/table", timeout=seconds) as page:
                page.read()
            done = game.save(seconds)
        except (OSError, HTTPException):
            done = False
        told.append(time.monotonic() - began if done else float("inf"))
        time.sleep(PAUSE)
    return told


def under_attack(server: Server, attack: Attack, size: Size) -> list[float]:
    game = a_game(server)
    with going_on(attack, max(int(attack.many * size.share), 1), game):
        time.sleep(min(1, size.seconds / 3))
        return waits(game, size.seconds)


def attacked(kind: type[Server], size: Size) -> list[list[float]]:
    """The waits under each attack, each on a server just started."""
    told = []
    for attack in ATTACKS:
        with running(kind) as server:
            told.append(under_attack(server, attack, size))
    return told


@contextmanager
def running(kind: type[Server]) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = kind(f"sqlite:///{folder}/bench.db")
        server.application = PRODUCT
        server.start()
        try:
            yield server
        finally:
            server.kill()


def shown(told: list[float], seconds: float) -> str:
    """The longest wait, and how many answers there were."""
    answered = [wait for wait in told if wait < float("inf")]
    if len(answered) < len(told):
        return f"over {seconds:.0f} s, {len(answered)} answers"
    return f"{max(told):.2f} s, {len(answered)} answers"


def heard_by_all(size: Size) -> int:
    """How soon streams hear a saved hand; how many did not."""
    with running(Server) as server:
        game = a_game(server)
        streams = [crowd.stream(server.port, game.code) for _ in range(size.streams)]
        with crowd.crowd(*streams):
            kept = len(crowd.heard(streams, b"data: 1.0", 60))
            after: list[float] = []
            for _ in range(size.hands):
                saving = Thread(target=game.save, args=(60,))
                sent = time.monotonic()
                saving.start()
                after += [moment - sent for moment in crowd.heard(streams, f"data: {game.seen + 1}.0".encode(), 20)]
                saving.join()
    missed = size.streams * size.hands - len(after)
    print(
        f"{kept} streams on one process, {size.hands} hands saved: heard after {median(after) * 1000:.0f} ms (median)"
    )
    print(f"and {max(after) * 1000:.0f} ms (the last of all), counted from the sending of the hand; {missed} missed")
    return missed


def main(*, tiny: bool = False) -> int:
    """The attacks on both servers, then the streams; 1 where somebody waited too long or missed a hand."""
    size = TINY if tiny else FULL
    print(f"the longest a phone waits for its page and its saved hand together, of {size.seconds:.0f} s of attack")
    here, there = attacked(Server, size), attacked(Gthread, size)
    print(f"{'':42}{'here':>22}{'gunicorn gthread':>28}")
    for attack, own, theirs in zip(ATTACKS, here, there, strict=True):
        name = f"{max(int(attack.many * size.share), 1)} {attack.name}"
        print(f"{name:42}{shown(own, size.seconds):>22}{shown(theirs, size.seconds):>28}")
    missed = heard_by_all(size)
    return int(missed > 0 or max(map(max, here)) > 10)
