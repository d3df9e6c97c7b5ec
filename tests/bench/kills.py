"""`kills [N [SEED]]`: phones record while the server is killed N times; what was answered with "saved" must be there.

The server is the product's own, on an SQLite file, without its renderer. SIGKILL hits it mostly while it answers, and
sometimes while it starts. The phones repeat what was not answered, unchanged, until it is. At the end, the files are
read as the last kill left them. This does not test a power cut: data handed to the system outlives the process.
"""

from __future__ import annotations

import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from threading import Event
from typing import Any

from tests.bench._audit import Played, audit
from tests.bench._phones import PRODUCT
from tests.bench.fold import a_hand
from tests.phone import Phone, insist
from tests.server import Server, wait_until_up

KILLS, TINY = 1_000, 20
TABLES = 2
PHONES = 3
RECORDED = 40
"""Entries of one phone in one game: the next game begins before saving has to read long ones."""
LONGEST_LIFE = 1.0
"""Seconds after the server is up; while it starts they count from its beginning."""
WHILE_STARTING = 0.1
TROUBLE = 503
NEWS = 30
SHOWN = 20
START = {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat", "Dot"]}


@dataclass
class Table:
    """A database and its servers, ended again and again while game after game is recorded on it.

    With several processes each phone has one of them, and one at a time is ended.
    """

    url: str
    wanted: int
    seed: str
    ends: Callable[[Server], None] = Server.kill
    processes: int = 1
    restarts_it: bool = True
    patient: bool = False
    crowd: int = PHONES
    wrong: list[tuple[str, str]] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    kills: int = 0
    restarts: list[float] = field(default_factory=list)
    phones: list[Phone] = field(default_factory=list)
    games: dict[str, Played] = field(default_factory=dict)

    def run(self) -> None:
        self.servers: list[Server] = [Server(self.url) for _ in range(self.processes)]
        try:
            for server in self.servers:
                server.application = PRODUCT
                server.start()
            with ThreadPoolExecutor(self.crowd + 1) as pool:
                killing = pool.submit(self.kill_again_and_again)
                try:
                    while not killing.done():
                        self.play(pool)
                finally:
                    self.over.set()
            killing.result()
        finally:
            for server in self.servers:
                if server.process:
                    server.kill()

    def kill_again_and_again(self) -> None:
        chance = Random(self.seed)
        while self.kills < self.wanted and not self.over.is_set():
            server = chance.choice(self.servers)
            time.sleep(chance.uniform(0, LONGEST_LIFE))
            self.ends(server)
            self.kills += 1
            if not self.restarts_it:
                continue
            began = time.monotonic()
            server.launch()
            if chance.random() >= WHILE_STARTING:
                wait_until_up(server.process, server.url)
                self.restarts.append(time.monotonic() - began)
        self.over.set()

    def play(self, pool: ThreadPoolExecutor) -> None:
        """One game, recorded by all phones at once until each has had its answers."""
        submission = f"game-{len(self.games) + 1}"
        game = self.begun(submission)
        phones = [
            Phone(
                f"phone-{place}",
                f"{self.games_of(place)}/{game['code']}",
                game["scorer"],
                self.scorer(f"{submission} {place}"),
                patient=self.patient,
            )
            for place in range(self.crowd)
        ]
        self.phones += phones
        for recording in [pool.submit(phone.run) for phone in phones]:
            recording.result()
        newest = max((phone.state for phone in phones), key=lambda state: state.get("seen", 0))
        kept = {key: newest[key] for key in ("players", "faults") if newest}  # the log in it is long
        self.games[game["code"]] = Played(submission, phones, kept)
        for phone in phones:
            phone.state = {}

    def begun(self, submission: str) -> dict[str, Any]:
        """A new game."""
        while True:
            status, game, _ = insist(self.games_of(0), START | {"submission": submission})
            if not (self.patient and status == TROUBLE):
                assert status in (200, 201), game
                return game

    def games_of(self, place: int) -> str:
        """The address of the games, for a phone."""
        return f"{self.servers[place % self.processes].url}/api/v1/games"

    def scorer(self, name: str) -> Callable[[Phone], dict[str, Any] | None]:
        """What a phone records next, until it is over or the game long enough."""
        chance = Random(f"{self.seed} {name}")
        return lambda phone: None if self.over.is_set() or len(phone.sent) == RECORDED else an_event(phone, chance)


def an_event(phone: Phone, chance: Random) -> dict[str, Any]:
    """A hand, or a correction of something the phone recorded itself."""
    own = {number: phone.sent[submission] for submission, number in phone.answered.items()}
    undone = {event.get("target") for event in own.values() if event["kind"] == "undo"}
    standing = [number for number in own if number not in undone]
    hands = [number for number in standing if own[number]["kind"] == "hand"]
    kind = chance.choices(("hand", "amend", "undo"), (6, 2, 2))[0]
    if kind == "amend" and hands:
        return {"kind": kind, "target": chance.choice(hands), "event": a_hand(chance)}
    if kind == "undo" and standing:
        return {"kind": kind, "target": chance.choice(standing)}
    return a_hand(chance)


def main(kills: int = KILLS, seed: int | None = None, *, tiny: bool = False) -> int:
    """The soak; 1 when anything is not as it was answered."""
    kills = TINY if tiny else kills
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    print(f"{kills:,} kills, {TABLES} servers, {PHONES} phones each, seed {seed}", flush=True)
    shares = [kills // TABLES + (place < kills % TABLES) for place in range(TABLES)]
    with tempfile.TemporaryDirectory() as folder:
        urls = [f"sqlite:///{Path(folder, f'{n}.db')}" for n in range(TABLES)]
        return soak([Table(url, share, f"{seed} {url[-4]}") for url, share in zip(urls, shares, strict=True)])


def soak(tables: list[Table]) -> int:
    """Let all of them play side by side; 1 if anything differs from what was answered."""
    with ThreadPoolExecutor(len(tables)) as pool:
        watch(tables, [pool.submit(table.run) for table in tables])
    return report(tables)


def watch(tables: list[Table], running: list[Future[None]]) -> None:
    """Progress now and then, until all have ended; interrupted, what was done until then counts."""
    began = time.monotonic()
    try:
        while wait(running, NEWS).not_done:
            print(f"  {time.monotonic() - began:.0f} s: {done(tables)}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        for table in tables:
            table.over.set()
    for each in running:
        each.result()


def done(tables: list[Table]) -> str:
    kills = sum(table.kills for table in tables)
    answered = sum(len(phone.answered) for table in tables for phone in table.phones)
    return f"{kills:,} times, {answered:,} entries answered"


def report(tables: list[Table]) -> int:
    """Print the figures and everything that is wrong; 1 if anything is."""
    wrong = [line for table in tables for line in (*audit(table.url, table.games), *table.wrong)]
    kinds = Counter(kind for kind, _ in wrong)
    phones = [phone for table in tables for phone in table.phones]
    found = sum(len(phone.answered) for phone in phones) - kinds["lost"]
    print(f"{done(tables)} in {sum(len(table.games) for table in tables):,} games, {found:,} found")
    others = len(wrong) - kinds["lost"] - kinds["doubled"]
    print(f"lost {kinds['lost']}, doubled {kinds['doubled']}, otherwise wrong {others}")
    troubled = sum(phone.troubled for phone in phones)
    if troubled:
        print(f"{troubled:,} times a phone was told that nothing can be saved now, and sent it again")
    repeated, unanswered = sum(phone.repeated for phone in phones), sum(phone.lost for phone in phones)
    print(f"{unanswered:,} requests without an answer; {repeated:,} had been saved, which the next one was told")
    restarts = [seconds for table in tables for seconds in table.restarts]
    if restarts:
        print(f"a restart takes {median(restarts) * 1000:.0f} ms (median of {len(restarts):,})")
    for kind, what in sorted(wrong, key=lambda line: line[0] not in ("lost", "doubled"))[:SHOWN]:
        print(f"  {kind}: {what}")
    return 1 if wrong else 0
