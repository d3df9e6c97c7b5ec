"""An ordinary evening of five long games, while thirty clients ask for everything that is slow.

Each table has played sixty hands of eight. Its forty phones listen to its stream and ask for the board as soon as they
hear of a hand; its scorer opens the form, previews, and saves, at a pace no table keeps. The clients, a process of
their own beside the server's, come from thirty other addresses, then from the address of a table. They ask as fast as
they are answered, and then, worse, hang up after half a second and ask for the next thing. They read and extend games
of a thousand entries, read histories full of faults, import such games, and have the hardest hands solved. Limits are
on. No request of a table may be refused, and hardly a save may be felt.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import count, product
from math import ceil
from typing import Any, NamedTuple

from app.kalooki.game.play import MOST_ENTRIES
from tests.server import Server

GOAL = 0.25
"""Seconds in which 99 of 100 saves are answered."""
SEATS = [f"P{seat}" for seat in range(1, 9)]
HARD = "7H 9H 7S 9S 6H 9S 6S 9D 9C 7D 9H 9D 9C 8H 8S 8H 7S 8C * * * *"
API = "/api/v1/games"
WHEN = {"at": "2025-12-31T20:15:00Z", "by": "bench"}
SLOWEST = 60.0
"""Seconds after which a phone gives up, which counts as refused."""
COOKIE = re.compile(r"^set-cookie: ([^;]*)", re.IGNORECASE | re.MULTILINE)
IMPATIENT = 0.5
"""Seconds after which a client hangs up, whatever it asked for."""


class Size(NamedTuple):
    """How many tables of how many phones save how many hands each, how often; how long games and histories are; after
    how many seconds a client hangs up."""

    tables: int
    phones: int
    hands: int
    saves: int
    seconds_a_hand: float
    clients: int
    entries: int
    faulty: int
    patience: float = SLOWEST


FULL = Size(5, 40, 60, 60, 3.0, 30, MOST_ENTRIES - 200, 400)
TINY = Size(2, 3, 4, 2, 0.2, 3, 30, 10)


class Game(NamedTuple):
    code: str
    secret: str
    cookie: str
    seen: int


class Line:
    """One kept-alive connection from an address of this machine."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.address = address
        self.patience: float = SLOWEST
        self.cookie = ""
        """What it was given last."""
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, sent: object = None, **headers: str) -> tuple[int, bytes]:
        """The status and body of an answer; 0 if there was none."""
        try:
            return await asyncio.wait_for(self._asked(path, sent, headers), self.patience)
        except (OSError, EOFError, TimeoutError):
            self.close()
            return 0, b""

    async def _asked(self, path: str, sent: object, headers: dict[str, str]) -> tuple[int, bytes]:
        reader, _writer = await self.said(path, sent, headers)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for given in COOKIE.findall(head):
            self.cookie = given
        _, _, length = head.lower().partition("content-length:")
        body = await reader.readexactly(int(length.split()[0])) if length else b""
        if "connection: close" in head.lower():
            self.close()
        return int(head.split()[1]), body

    async def said(
        self, path: str, sent: object, headers: dict[str, str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request, over a new connection if the last was closed."""
        if self._open is None or self._open[0].at_eof():
            self._open = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**22
            )
        body = b"" if sent is None else sent if isinstance(sent, bytes) else json.dumps(sent).encode()
        told = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip", "Content-Length": str(len(body))}
        told |= ({"Cookie": self.cookie} if self.cookie else {}) | headers
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items())
        method = "GET" if sent is None else "POST"
        kind = "x-www-form-urlencoded" if isinstance(sent, bytes) else "json"
        typed = "" if sent is None else f"Content-Type: application/{kind}\r\n"
        self._open[1].write(f"{method} {path} HTTP/1.1\r\n{lines}{typed}\r\n".encode() + body)
        return self._open

    def close(self) -> None:
        if self._open:
            self._open[1].close()
            self._open = None


@asynccontextmanager
async def line(port: int, address: str) -> AsyncIterator[Line]:
    own = Line(port, address)
    try:
        yield own
    finally:
        own.close()


def hand(points: int) -> dict[str, Any]:
    """A hand of eight, every loser's points typed."""
    left = {str(seat): {"points": points} for seat in range(2, 9)}
    return {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}


def record_of(hands: int, faulty: int = 0) -> dict[str, Any]:
    """A game to import; of its hands the last ones are impossible: a player who has left won them."""
    start = {"kind": "start", "variant": "kalooki-51", "players": SEATS, "house": {"limit": None}}
    gone = [{"kind": "leave", "seat": 1}] if faulty else []
    return as_log([start, *(hand(1 + number % 60) for number in range(hands)), *gone, *[hand(7)] * faulty])


def as_log(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Events as a game to import."""
    return {"log": [{"entry": number, "event": event} | WHEN for number, event in enumerate(events, 1)]}


async def brought(own: Line, record: dict[str, Any]) -> Game:
    status, body = await own.ask(f"{API}/import", record, Accept_Encoding="identity")
    while status in (0, 503):  # many wait to bring theirs
        await asyncio.sleep(0.1)
        status, body = await own.ask(f"{API}/import", record, Accept_Encoding="identity")
    assert status == 201, body
    made = json.loads(body)
    return Game(made["code"], made["scorer"], "", made["seen"])


class Told:
    """What the tables were answered: the seconds of each save, and every status."""

    def __init__(self) -> None:
        self.saves: list[float] = []
        self.boards: list[float] = []
        self.statuses: Counter[int] = Counter()

    @property
    def refused(self) -> int:
        return sum(times for status, times in self.statuses.items() if status not in (200, 201, 304))


async def follow(port: int, address: str, game: Game, told: Told) -> None:
    """One phone: it asks for the board whenever its stream tells something new."""
    async with line(port, address) as stream, line(port, address) as own:
        reader, _ = await stream.said(f"/g/{game.code}/live", None, {})
        async for words in reader:
            if words.startswith(b"data:"):
                began = time.monotonic()
                status, _ = await own.ask(f"/g/{game.code}/board")
                told.boards.append(time.monotonic() - began)
                told.statuses[status] += 1


async def score(port: int, address: str, game: Game, size: Size, told: Told) -> None:
    """The scorer: form, preview, save, and the state, hand after hand."""
    entries, seen = f"{API}/{game.code}/entries", game.seen
    bearer = {"Authorization": f"Bearer {game.secret}"}
    async with line(port, address) as own:
        for number in range(size.saves):
            began = time.monotonic()
            sent = {"event": hand(5 + number % 9), "seen": seen, "submission": f"s{seen}"}
            answers = [await own.ask(entries, sent | {"preview": True}, **bearer)]
            saving = time.monotonic()
            answers.append(await own.ask(entries, sent, **bearer))
            told.saves.append(time.monotonic() - saving)
            seen += answers[-1][0] == 201
            answers.append(await own.ask(f"/g/{game.code}/hand", Cookie=game.cookie))
            answers.append(await own.ask(f"{API}/{game.code}"))
            told.statuses.update(status for status, _ in answers)
            await asyncio.sleep(max(0.0, size.seconds_a_hand - (time.monotonic() - began)))


async def evening(port: int, addresses: list[str], games: list[Game], size: Size) -> Told:
    """All tables, each from its own address, until every hand is saved; no two of them save at one time."""
    told = Told()
    phones = [
        asyncio.create_task(follow(port, address, game, told))
        for address, game in zip(addresses, games, strict=True)
        for _ in range(size.phones)
    ]
    while len(told.boards) < len(phones):  # each has opened its stream and shown the board once
        await asyncio.sleep(0.05)
    told.boards.clear()
    scorers = []
    for address, game in zip(addresses, games, strict=True):
        scorers.append(asyncio.create_task(score(port, address, game, size, told)))
        await asyncio.sleep(size.seconds_a_hand / size.tables)
    await asyncio.gather(*scorers)
    await asyncio.sleep(size.seconds_a_hand)
    for phone in phones:
        phone.cancel()
    await asyncio.gather(*phones, return_exceptions=True)
    return told


def sat_down(port: int, addresses: list[str], size: Size) -> list[Game]:
    """Tables that have played for hours."""

    async def together() -> list[Game]:
        return [await at_a_table(port, address, record_of(size.hands)) for address in addresses]

    return asyncio.run(together())


async def at_a_table(port: int, address: str, record: dict[str, Any]) -> Game:
    """A game brought there, and the cookie of its scorer's phone."""
    async with line(port, address) as own:
        game = await brought(own, record)
        await own.ask(f"/g/{game.code}/s/{game.secret}")
        return game._replace(cookie=own.cookie)


Attack = Callable[[Line, Game, Game, int], Awaitable[tuple[int, bytes]]]


def shows(place: str, *, faulty: bool = False) -> Attack:
    return lambda own, long, wrong, _: own.ask(place.format((wrong if faulty else long).code))


async def solves(own: Line, _long: Game, _wrong: Game, turn: int) -> tuple[int, bytes]:
    claim = {"variant": "north-american", "goal": "most_points", "cards": HARD, "house": {"opening_points": 20 + turn}}
    return await own.ask("/api/v1/solve", claim)


async def extends(own: Line, long: Game, _wrong: Game, turn: int) -> tuple[int, bytes]:
    bearer = {"Authorization": f"Bearer {long.secret}"}
    sent = {"event": hand(3), "seen": long.seen, "submission": f"x{turn}"}
    status, body = await own.ask(f"{API}/{long.code}/entries", sent, Accept_Encoding="identity", **bearer)
    return status, body


async def imports(own: Line, _long: Game, _wrong: Game, _turn: int) -> tuple[int, bytes]:
    return await own.ask(f"{API}/import", record_of(1, 400))


ATTACKS: tuple[Attack, ...] = (
    solves,
    shows("/g/{}/history", faulty=True),
    shows("/g/{}/board"),
    extends,
    shows("/g/{}/history"),
    solves,
    shows(API + "/{}"),
    shows("/g/{}"),
    imports,
    shows("/g/{}/board", faulty=True),
)


async def attacks(own: Line, long: Game, wrong: Game, first: int, until: Any) -> Counter[int]:
    """One client, which asks for one slow thing after another."""
    statuses: Counter[int] = Counter()
    for turn in count(first):
        if until.is_set():
            break
        attack = ATTACKS[turn % len(ATTACKS)]
        status, body = await attack(own, long, wrong, turn)
        statuses[status] += 1
        if attack is extends and status == 201:
            long = long._replace(seen=json.loads(body)["entry"])
    return statuses


def all_attack(port: int, addresses: list[str], size: Size, ready: Any, until: Any, told: Any) -> None:
    """The clients' process: when all have brought their games, all begin."""

    async def together() -> tuple[Counter[int], float]:
        async with AsyncExitStack() as lines:
            own = [await lines.enter_async_context(line(port, address)) for address in addresses]
            games = [
                (await brought(each, record_of(size.entries)), await brought(each, record_of(1, size.faulty)))
                for each in own
            ]
            for each in own:
                each.patience = size.patience
            ready.set()
            began = time.monotonic()
            attacking = (attacks(each, *games[place], 3 * place, until) for place, each in enumerate(own))
            return sum(await asyncio.gather(*attacking), Counter[int]()), time.monotonic() - began

    told.send(asyncio.run(together()))


@contextmanager
def attacked(port: int, addresses: list[str], size: Size) -> Iterator[list[str]]:
    """Clients at work; afterwards the list holds how many requests they made, with which answers."""
    said: list[str] = []
    ours, theirs = multiprocessing.Pipe()
    ready, until = multiprocessing.Event(), multiprocessing.Event()
    clients = multiprocessing.Process(target=all_attack, args=(port, addresses, size, ready, until, theirs))
    clients.start()
    try:
        assert ready.wait(SLOWEST * 10), "the clients' games are not there"
        yield said
    finally:
        until.set()
        statuses, seconds = ours.recv() if ours.poll(SLOWEST * 2) else (Counter(), 1)
        told = ", ".join(f"{times} × {status}" for status, times in sorted(statuses.items()))
        said.append(f"{statuses.total() / seconds:.0f} requests a second ({told})")
        clients.join(10)
        clients.kill()


def slowest(times: list[float], share: float) -> float:
    """The longest of all but `1 - share` of the times."""
    return sorted(times)[ceil(share * len(times)) - 1]


def shown(told: Told) -> str:
    half, most = ([slowest(times, share) * 1000 for times in (told.saves, told.boards)] for share in (0.5, 0.99))
    return (
        f"{told.refused} of {told.statuses.total()} requests refused; {len(told.saves)} saves: "
        f"median {half[0]:.0f} ms, 99 % within {most[0]:.0f} ms; boards {half[1]:.0f} and {most[1]:.0f} ms"
    )


def history_takes(server: Server, size: Size) -> float:
    """Seconds to answer a history full of faults."""

    async def once() -> float:
        async with line(server.port, "127.0.3.1") as own:
            wrong = await brought(own, record_of(1, size.faulty))
            began = time.monotonic()
            status, _ = await own.ask(f"/g/{wrong.code}/history")
            assert status == 200, status
            return time.monotonic() - began

    return asyncio.run(once())


def main(*, tiny: bool = False) -> int:
    """The evening alone and beside the clients; 1 if a table was refused anything, or a save was slow."""
    size = TINY if tiny else FULL
    tables = [f"127.0.2.{table + 1}" for table in range(size.tables)]
    elsewhere = [f"127.0.1.{client + 1}" for client in range(size.clients)]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/bench.db")
        server.application = "app:create_app()"
        server.start()
        try:
            print(f"a history of {size.faulty} impossible hands: {history_takes(server, size):.2f} s")
            told = asyncio.run(evening(server.port, tables, sat_down(server.port, tables, size), size))
            print(f"the tables alone: {shown(told)}", flush=True)
            rounds = product(
                (("elsewhere", elsewhere), ("at a table", tables[:1] * size.clients)), (SLOWEST, IMPATIENT)
            )
            for (where, addresses), patience in rounds:
                games = sat_down(server.port, tables, size)
                with attacked(server.port, addresses, size._replace(patience=patience)) as said:
                    told = asyncio.run(evening(server.port, tables, games, size))
                print(f"beside {size.clients} clients {where} who wait {patience} s: {shown(told)}")
                print(f"    the clients: {said[0]}", flush=True)
                wrong += told.refused or (not tiny and slowest(told.saves, 0.99) > GOAL)
        finally:
            server.kill()
    return int(wrong > 0)
