"""Earlier: what requests and sheets take, beside an earlier release that is asked in turns, request by request.

EARLIER=/a/checkout names it; it runs in the environment of that checkout. Without one, this release is compared with
itself. Processor time is that of the server and its renderer.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from threading import Thread
from typing import Any, NamedTuple

from app.settings import ROOT
from tests import connections
from tests.bench._phones import Game, as_log
from tests.bench.fold import a_record
from tests.bench.serving import Measured, Phone, games_of

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")
TWELVE = {"variant": "north-american", "house": {"players_most": 12, "packs": 3, "limit": None}}
FOREVER = {"variant": "kalooki-51", "house": {"limit": None}}
STAKES = {"currency": "GBP", "initial": 200}


class Size(NamedTuple):
    """How often each request is made, and each sheet; how often servers are started for a first sheet; streams, and for
    how many seconds they are left alone."""

    requests: int
    sheets: int
    starts: int
    streams: int
    seconds: float


FULL, TINY = Size(200, 7, 3, 450, 120.0), Size(2, 1, 1, 5, 1.0)


class Release(Measured):
    """The server of a checkout."""

    def __init__(self, root: Path, folder: str) -> None:
        super().__init__(f"sqlite:///{folder}/bench.db", folder)
        self.root = root
        self.number = count(1)

    def launch(self) -> None:
        if self.root == ROOT:
            super().launch()
            return
        made = f"app.create_app({{'DATABASE_URL': {self.environment['DATABASE_URL']!r}, 'RATELIMIT_ENABLED': False}})"
        starts = f"from app.serving.server import serve; serve({made}, '127.0.0.1', {self.port})"
        self.run(str(self.root / ".venv/bin/python"), "-c", f"import app; {starts}", cwd=self.root)

    def listen_in(self) -> None:
        """Look for nothing in what an earlier release says, which is in other words."""
        if self.root == ROOT:
            super().listen_in()

    def new_game(self, players: int, hands: int, **start: Any) -> Game:
        """A game nobody has printed; its first player has a new name, which rules cards and blank sheets have too."""
        chance = random.Random(51)
        names = [f"Ann {next(self.number)}", *NAMES[1:players]]
        events: list[dict[str, Any]] = [{"kind": "start", "players": names} | FOREVER | start]
        for _ in range(hands):
            winner = chance.randrange(1, players + 1)
            left = {str(seat): {"points": chance.randrange(2, 9)} for seat in range(1, players + 1) if seat != winner}
            events.append({"kind": "hand", "winner": winner, "ending": "going_out", "left": left})
        if "stakes" in start:
            events.append({"kind": "end"})
        return games_of(self, [as_log(events)])[0]


class Took(NamedTuple):
    """Milliseconds of the processor, and by the clock."""

    processor: float
    clock: float


def took(server: Release, ask: Callable[[], object], *, children: bool = True) -> Took:
    before, began = server.processor(children=children), time.monotonic()
    ask()
    waited = time.monotonic() - began
    return Took(1000 * (server.processor(children=children) - before), 1000 * waited)


def in_turns(servers: list[Release], times: int, measure: Callable[[Release], Took]) -> list[Took]:
    """The medians of each; a machine's speed changes within seconds, for all alike."""
    found: dict[Release, list[Took]] = {server: [] for server in servers}
    for turn in range(times + 1):
        for server in servers[:: -1 if turn % 2 else 1]:
            found[server].append(measure(server))
    return [Took(*map(median, zip(*each[1:], strict=True))) for each in found.values()]  # the first loads what is used


# ---- Requests


REQUESTS: dict[str, tuple[Callable[[Phone], None], ...]] = {
    "page": (Phone.page,),
    "state": (Phone.state,),
    "version": (Phone.version,),
    "check": (Phone.rule,),
    "page of a check": (Phone.check,),
    "Home": (Phone.home,),
    "save by JSON": (Phone.save,),
    "save by form": (Phone.send, Phone.type),
}
"""What is asked, and what before it is not measured."""


def requests(servers: list[Release], size: Size) -> Iterator[tuple[str, list[Took]]]:
    start, *hands = a_record(21, Random(7))
    log = as_log([dict(start) | {"house": {"limit": None}}, *hands])
    phones = {server: Phone(server, games_of(server, [log])[0]) for server in servers}
    for name, (ask, *before) in REQUESTS.items():

        def measure(server: Release, ask: Any = ask, before: Any = before) -> Took:
            for each in before:
                each(phones[server])
            return took(server, lambda: ask(phones[server]), children=False)

        yield name, in_turns(servers, size.requests, measure)


# ---- Sheets


def of_new_game(path: str, server: Release, *, players: int = 6, hands: int = 20, **start: Any) -> Took:
    game = server.new_game(players, hands, **start)
    return took(server, lambda: Phone(server, game).ask(path.format(game.code)))


SHEET = "/api/v1/games/{}/sheet.pdf?paper=a4"
PRINTED: dict[str, Callable[[Release], Took]] = {
    "sheet of 6 × 20": partial(of_new_game, SHEET),
    "sheet of 6 × 20 with money": partial(of_new_game, SHEET, stakes=STAKES),
    "sheet of 12 × 60": partial(of_new_game, SHEET, players=12, hands=60, **TWELVE),
    "sheet of 4 × 100": partial(of_new_game, SHEET, players=4, hands=100),
    "sheet of 4 × 120": partial(of_new_game, SHEET, players=4, hands=120),
    "sheet of 6 × 120": partial(of_new_game, SHEET, hands=120),
    "blank sheet": partial(of_new_game, "/api/v1/sheets/blank.pdf?game={}"),
    "rules card": partial(of_new_game, "/api/v1/games/{}/rules.pdf"),
    "picture": partial(of_new_game, "/g/{}/result.png", stakes=STAKES),
}


def firsts(servers: list[Release], size: Size) -> list[Took]:
    """The first sheet after a start and a page, with so much time between them as somebody needs to press Print."""
    found: list[list[Took]] = [[] for _ in servers]
    for _ in range(size.starts):
        for server, each in zip(servers, found, strict=True):
            server.kill()
            server.start()
            game = server.new_game(6, 20)
            Phone(server, game).page()
            time.sleep(min(5, size.seconds))
            each.append(took(server, lambda server=server, game=game: Phone(server, game).ask(SHEET.format(game.code))))
    return [Took(*map(median, zip(*each, strict=True))) for each in found]


# ---- Streams


def streams(server: Measured, size: Size) -> dict[str, float]:
    """How soon the last of many phones hears of a hand, what they cost at rest, and the memory of all of it."""
    (game,) = games_of(server, [as_log(a_record(3, Random(3)))])
    phone = Phone(server, game)
    opened = [connections.stream(server.port, game.code, f"127.0.1.{1 + number % 8}") for number in range(size.streams)]
    with connections.crowd(*opened):
        assert len(connections.heard(opened, b"data: ", 60)) == size.streams
        after = []
        for _ in range(5):
            saving, sent = Thread(target=phone.save), time.monotonic()
            saving.start()
            heard = connections.heard(opened, f"data: {phone.seen + 1}.0".encode(), 20)
            assert len(heard) == size.streams
            after.append(max(heard) - sent)
            saving.join()
        time.sleep(1)
        before, began = server.processor(), time.monotonic()
        time.sleep(size.seconds)
        idle = (server.processor() - before) / (time.monotonic() - began)
        return {
            f"last of {size.streams} phones, ms": median(after) * 1000,
            f"idle with {size.streams} streams, % of a core": idle * 100,
            f"memory with {size.streams} streams, MB": server.memory(),
        }


def show_times(name: str, medians: list[Took]) -> None:
    show(name, [each.processor for each in medians], "ms of processor")
    show(f"  {name}, from socket to socket", [each.clock for each in medians], "ms")


def show(name: str, these: list[float], unit: str) -> None:
    own, other = these
    print(f"{name}: {own:.2f} {unit}, earlier {other:.2f}: {own / other:.2f} times", flush=True)


def main(*, tiny: bool = False) -> None:
    size = TINY if tiny else FULL
    earlier = Path(os.environ.get("EARLIER", ROOT)).resolve()
    with ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]
        servers = [Release(root, folder) for root, folder in zip((ROOT, earlier), folders, strict=True)]
        for server in servers:
            server.start()
            stack.callback(server.kill)
        for name, medians in requests(servers, size):
            show_times(name, medians)
        for name, measure in PRINTED.items():
            show_times(name, in_turns(servers, size.sheets, measure))
        show_times("first sheet of 6 × 20", firsts(servers, size))
        both = [streams(server, size) for server in servers]
        for name in both[0]:
            show(name, [each[name] for each in both], "")
    print(f"load {os.getloadavg()[0]:.1f} at the end", file=sys.stderr)
