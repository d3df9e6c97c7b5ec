"""What one client can do to the server's memory: it asks for everything heavy, many at once, one kind after another.

The memory is that of the server's own process (the renderer is another, with its own bounds): the peak during each
attack, and what remains after it. Meanwhile a phone at another table records, and the longest it waited is measured. A
client told “too many at once” tries again for some seconds. At the end, ordinary requests follow one another, to see
how much memory they add.
"""

from __future__ import annotations

import json
import random
import re
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count, islice
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

from app.kalooki.game.play import MOST_ENTRIES
from app.views.responses import static_path
from tests import connections
from tests.bench._phones import PRODUCT
from tests.bench._phones import as_log as log_of
from tests.bench.fold import PACKS, a_record
from tests.phone import ask
from tests.server import Server

GOAL = 300
"""MB."""
AT_ONCE = 24
INSISTS = 15
"""Seconds."""
BUSY = 503
EIGHT = [f"P{seat}" for seat in range(1, 9)]
HOLLOW = 3_900
"""Empty lists: as many as a claim is kept with."""
LONGEST_BODY = 1024 * 1024
STEPS, TABLES = 5, 20

Statuses = Counter[int]


class Sizes(NamedTuple):
    """How much of everything is tried, and for how many seconds connections are held."""

    entries: int
    games: int
    answers: int
    connections: int
    streams: int
    requests: int
    held: float


FULL, TINY = Sizes(MOST_ENTRIES, 40, AT_ONCE, 1_900, 1_100, 10_000, 5), Sizes(30, 3, 1, 20, 20, 50, 0.1)


class Target:
    """A server, and the long games that were brought into it."""

    def __init__(self, server: Server, sizes: Sizes) -> None:
        self.server = server
        self.sizes = sizes
        self.codes: list[str] = []

    def memory(self) -> tuple[float, float]:
        """MB now, and the peak since the last call."""
        process = Path(f"/proc/{self.server.process.pid}")
        told = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+)", (process / "status").read_text(), re.MULTILINE))
        (process / "clear_refs").write_text("5")
        return int(told["VmRSS"]) / 1024, int(told["VmHWM"]) / 1024

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """The status and the body of a response; 0 if the connection closed without one."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=300)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"} | named)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException):
            return 0, b""
        finally:
            connection.close()

    def game(self, turn: int) -> str:
        return self.codes[turn % len(self.codes)]

    def at_once(self, times: int, work: Callable[[int], tuple[int, Any]]) -> Statuses:
        """The statuses of `times` requests, many at a time."""
        told: Statuses = Counter()

        def insist(turn: int) -> None:
            until = time.monotonic() + INSISTS
            status, _ = work(turn)
            while status == BUSY and time.monotonic() < until:
                time.sleep(0.05)
                status, _ = work(turn)
            told[status] += 1

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(insist, range(times)))
        return told

    def held(self, most: int, opened: Iterator[socket.socket]) -> Statuses:
        """Hold up to `most` connections for a while; returns how many there were."""
        kept: list[socket.socket] = []
        with suppress(OSError):
            kept.extend(islice(opened, most))
        with connections.crowd(*kept):
            time.sleep(self.sizes.held)
        return Counter({200: len(kept)})


def as_log(events: Iterable[dict[str, Any]]) -> bytes:
    """The body of an import."""
    return json.dumps(log_of(events)).encode()


def dealt_out(length: int) -> bytes:
    """A game of four who hold up to nine cards each."""
    return as_log(a_record(length, random.Random(length)))


def wide(length: int) -> bytes:
    """A game of eight who hold one card each."""
    left = {str(seat): "K" for seat in range(2, 9)}
    hand = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
    return as_log([{"kind": "start", "variant": "kalooki-51", "players": EIGHT}, *[hand] * (length - 1)])


def hollow(rulings: int) -> bytes:
    """A game of rulings whose claims are nothing but brackets."""
    claim: list[list[object]] = [[] for _ in range(HOLLOW)]
    ruling = {"kind": "ruling", "check": "meld", "verdict": claim, "claim": claim}
    return as_log([{"kind": "start", "variant": "kalooki-51", "players": EIGHT[:2]}, *[ruling] * rulings])


def imports(target: Target) -> Statuses:
    """Games as long as they may be"""
    logs = [dealt_out(target.sizes.entries), wide(target.sizes.entries), hollow(2), hollow(40)]

    def bring(turn: int) -> tuple[int, bytes]:
        status, said = target.ask("POST", "/api/v1/games/import", logs[turn % len(logs)])
        if status == 201:
            target.codes.append(json.loads(said)["code"])
        return status, said

    return target.at_once(target.sizes.games, bring)


def shows(place: str) -> Callable[[Target], Statuses]:
    """An attack that asks for one place of long games."""

    def attack(target: Target) -> Statuses:
        return target.at_once(target.sizes.answers, lambda turn: target.ask("GET", place.format(target.game(turn))))

    attack.__doc__ = place.removeprefix("/api/v1/games/{}/").removeprefix("/g/{}/").format("CODE")
    return attack


def evenings(target: Target) -> Statuses:
    """Several long games on one page"""
    asked = "&".join(f"game={code}" for code in target.codes[:3])
    places = ("/evening?", "/evening/payments.pdf?")
    return target.at_once(target.sizes.answers, lambda turn: target.ask("GET", places[turn % 2] + asked))


def brackets(target: Target) -> Statuses:
    """Bodies of nothing but brackets"""
    deep = b"[" * 40 + b"]" * 40 + b","
    bodies = [
        opening + each * ((LONGEST_BODY - 100) // len(each)) + b"0" + closing
        for opening, each, closing in ((b"[", b"[],", b"]"), (b'{"log":[', b"{},", b"]}"), (b"[", deep, b"]"))
    ]
    places = ("/api/v1/check/meld", "/api/v1/games", "/api/v1/games/import", "/api/v1/solve")
    return target.at_once(target.sizes.answers, lambda turn: target.ask("POST", places[turn % 4], bodies[turn % 3]))


def forms(target: Target) -> Statuses:
    """Forms of very many fields, files of nothing but brackets"""
    fields = b"&".join(b"winner-%d=1" % number for number in range(70_000))
    name = b'--x\r\nContent-Disposition: form-data; name="submission"\r\n\r\na\r\n'
    file = b'--x\r\nContent-Disposition: form-data; name="saved"; filename="a"\r\n\r\n[' + b"[]," * 340_000
    kinds = (
        ("/copy", fields, "application/x-www-form-urlencoded"),
        ("/new", fields, "application/x-www-form-urlencoded"),
        ("/copy/saved", name + file + b"0]\r\n--x--\r\n", "multipart/form-data; boundary=x"),
    )

    def send(turn: int) -> tuple[int, bytes]:
        path, body, kind = kinds[turn % 3]
        return target.ask("POST", path, body, Content_Type=kind)

    return target.at_once(target.sizes.answers, send)


def solver(target: Target) -> Statuses:
    """Long hands, each by the house rules of another table"""
    chance = random.Random(51)
    goals = ("most_points", "least_points", "go_out")
    table = {"opened": True, "table": ["3H 4H 5H 6H", "9S 9D 9C", "JD QD KD AD", "2C 3C 4C"]}

    def solve(turn: int) -> tuple[int, bytes]:
        cards = " ".join([*chance.sample(PACKS[:-2], 18), "*", "*"][: 20 - turn % 3])
        claim = {"variant": "european", "house": {"opening_points": 30 + turn % 40}, "cards": cards}
        asked = claim | {"goal": goals[turn % 3]} | (table if turn % 2 else {})
        return target.ask("POST", "/api/v1/solve", json.dumps(asked).encode())

    return target.at_once(target.sizes.answers * 20, solve)


def half_headers(target: Target) -> Statuses:
    """Headers without an end, as long as may be"""
    words = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: " + b"a" * 15_000
    return target.held(target.sizes.connections, (connections.said(target.server.port, words) for _ in count()))


def half_bodies(target: Target) -> Statuses:
    """Many headers, and bodies without an end"""
    headers = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 140) for number in range(90))
    words = (
        b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n" + headers + b"\r\n" + b" " * 7_500
    )
    return target.held(target.sizes.connections, (connections.said(target.server.port, words) for _ in count()))


def slow_readers(target: Target) -> Statuses:
    """Readers who take nothing of long answers"""
    places = (f"/api/v1/games/{target.game(turn)}" for turn in count())
    return target.held(
        target.sizes.connections // 10, (connections.slow_reader(target.server.port, p, 3) for p in places)
    )


def slow_readers_of_files(target: Target) -> Statuses:
    """Readers who take nothing of files"""
    readers = (connections.slow_reader(target.server.port, f"{static_path()}/css/app.css", 3) for _ in count())
    return target.held(target.sizes.connections, readers)


def streams(target: Target) -> Statuses:
    """Open streams"""
    return target.held(target.sizes.streams, (connections.stream(target.server.port, target.codes[0]) for _ in count()))


PLACES = ("/api/v1/games/{}", "/g/{}", "/g/{}/history", "/g/{}/sheet", "/g/{}/board", "/api/v1/games/{}/sheet.html",
          "/api/v1/games/{}/sheet.csv", "/api/v1/games/{}/sheet.json", "/api/v1/games/{}/sheet.pdf",
          "/api/v1/games/{}/sheet.png")  # fmt: skip
ATTACKS = (imports, *map(shows, PLACES), evenings, brackets, forms, solver, half_headers, half_bodies, slow_readers,
           slow_readers_of_files, streams)  # fmt: skip


@contextmanager
def another_phone(target: Target) -> Iterator[list[float]]:
    """A phone at another table that saves hand after hand: how long each took."""
    took: list[float] = []
    over = Event()
    games = f"{target.server.url}/api/v1/games"
    _, game = ask(games, {"variant": "european", "players": ["Ann", "Ben"]}, patience=INSISTS * 10)

    def record() -> None:
        for seen in count(1):
            began = time.monotonic()
            body = {"event": {"kind": "void"}, "seen": seen, "submission": f"n{seen}"}
            status, _ = ask(f"{games}/{game['code']}/entries", body, game["scorer"], patience=INSISTS * 10)
            took.append(time.monotonic() - began if status == 201 else float("inf"))
            if over.wait(0.2):
                return

    recording = Thread(target=record)
    recording.start()
    try:
        yield took
    finally:
        over.set()
        recording.join()


def as_usual(target: Target) -> list[float]:
    """What tables ask for, request after request: the MB after each fifth of them."""
    start, claim = b'{"variant":"european","players":["Ann","Ben"]}', b'{"variant":"european","cards":"7H 8H *"}'
    made = [json.loads(target.ask("POST", "/api/v1/games", start)[1]) for _ in range(TABLES)]
    places = ("/g/{}", "/", "/api/v1/games/{}", "/rules", "/g/{}/version", "/disputes", "/g/{}/history")
    told = []
    for turn in range(target.sizes.requests):
        hand, game = turn // (10 * TABLES), made[turn // 10 % TABLES]
        if turn % 10 == 0:
            body = json.dumps({"event": {"kind": "void"}, "seen": 1 + hand, "submission": f"n{turn}"}).encode()
            bearer = {"Authorization": f"Bearer {game['scorer']}"}
            status, _ = target.ask("POST", f"/api/v1/games/{game['code']}/entries", body, **bearer)
        elif turn % 10 == 1:
            status, _ = target.ask("POST", "/api/v1/check/meld", claim)
        else:
            status, _ = target.ask("GET", places[turn % len(places)].format(game["code"]))
        assert status in (200, 201), (turn, status)
        if (turn + 1) % (target.sizes.requests // STEPS) == 0:
            told.append(target.memory()[0])
    return told


def main(*, tiny: bool = False) -> int:
    """Runs the attacks; 1 if the server takes more memory than allowed."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/bench.db")
        server.application = PRODUCT
        server.start()
        try:
            return attacked(Target(server, TINY if tiny else FULL))
        finally:
            server.kill()


def attacked(target: Target) -> int:
    """Print what each attack comes to."""
    print(f"MB of the server at rest: {target.memory()[0]:.0f}")
    print(f"{'':60}{'most':>5}{'left':>6}{'another phone waits':>22}  answers")
    highest = 0.0
    for attack in ATTACKS:
        with another_phone(target) as took:
            statuses = attack(target)
        left, most = target.memory()
        highest = max(highest, most)
        told = ", ".join(f"{times} × {status}" for status, times in sorted(statuses.items()))
        print(f"{(attack.__doc__ or '').strip():60}{most:5.0f}{left:6.0f}{max(took):20.2f} s  {told}", flush=True)
    steps = as_usual(target)
    fifths = ", ".join(f"{step:.0f}" for step in steps)
    print(f"{target.sizes.requests:,} requests as tables send them; after each fifth: {fifths}")
    highest = max(highest, *steps)
    print(f"the most was {highest:.0f} MB (aim: under {GOAL})")
    return int(highest >= GOAL)
