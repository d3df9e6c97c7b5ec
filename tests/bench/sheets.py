"""Sheets: what a page of 6 players × 20 hands takes, and recording hands while eight readers ask for sheets."""

from __future__ import annotations

import gc
import json
import random
import tempfile
import threading
import time
from typing import Any, NamedTuple
from urllib.request import Request, urlopen
from uuid import uuid4

from app import create_app
from app.games.recording import RecordedGame, open_game
from app.sheets import renderer
from app.sheets.paper import A4
from tests.server import Server

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
HANDS = 20
AT_ONCE = 8
PAUSE = 0.03


class Size(NamedTuple):
    """How many times each thing is measured."""

    rounds: int
    recorded: int


FULL, TINY = Size(rounds=25, recorded=150), Size(rounds=2, recorded=3)


def main(*, tiny: bool = False) -> None:
    size = TINY if tiny else FULL
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE_URL": f"sqlite:///{folder}/games.db", "SECRET_KEY": "bench", "TESTING": True})
        with app.test_request_context("/"):
            table = evening(app.test_client())
            job = job_of(table)
        a_page(job, size.rounds)
        recording_while_printing(folder, size.recorded)


def evening(client: Any) -> RecordedGame:
    """A game of 6 players and 20 hands with random but fixed points."""
    chance = random.Random(51)
    made = client.post("/api/v1/games", json={"variant": "kalooki-51", "players": NAMES}).json
    for number in range(HANDS):
        winner = chance.randrange(1, 7)
        left = {str(seat): {"points": chance.randrange(2, 60)} for seat in range(1, 7) if seat != winner}
        event = {"kind": "hand", "winner": winner, "ending": "going_out", "left": left}
        sent = {"event": event, "seen": number + 1, "submission": str(uuid4())}
        headers = {"Authorization": f"Bearer {made['scorer']}"}
        assert client.post(f"/api/v1/games/{made['code']}/entries", json=sent, headers=headers).status_code == 201
    table = open_game(made["code"])
    assert table
    return table


def job_of(table: RecordedGame) -> renderer.Job:
    """The job the view gives the renderer for this game."""
    from app.views import sheets

    jobs: list[renderer.Job] = []
    made, renderer.make = renderer.make, lambda job: jobs.append(job) or b""  # type: ignore[func-returns-value]
    sheets._print_sheet(table, A4)
    renderer.make = made
    return jobs[0]


def a_page(job: renderer.Job, rounds: int) -> None:
    """The CPU seconds of the fastest of some rounds, warm: what the machine does besides does not count."""
    from app.sheets import render_worker

    gc.freeze()  # as the renderer does before its first page
    times = []
    for _ in range(rounds):
        gc.collect()
        started = time.process_time()
        render_worker.make(job)
        times.append(time.process_time() - started)
    print(f"a page of {len(NAMES)} players × {HANDS} hands: {min(times) * 1000:.0f} ms")


def recording_while_printing(folder: str, hands: int) -> None:
    """A scorer records hand after hand, first alone, then while eight readers ask for the sheet again and again."""
    server = Server(f"sqlite:///{folder}/served.db")
    server.start()
    try:
        urlopen(f"{server.url}/api/v1/variants/european/rules.pdf").read()  # the renderer is warm when it answers
        quiet = recorded(server.url, hands, readers=0)
        busy = recorded(server.url, hands, readers=AT_ONCE)
    finally:
        server.stop()
    for share in (50, 99):
        one, other = at(quiet, share), at(busy, share)
        print(f"recording a hand, p{share}: {one * 1000:.1f} ms alone, {other * 1000:.1f} ms while printing")
    print(f"  p99 {at(busy, 99) / at(quiet, 99):.2f} times the quiet one (aim: at most 2)")


def recorded(base: str, hands: int, readers: int) -> list[float]:
    """The seconds each hand took to record, with so many readers asking for the sheet meanwhile."""
    made = asked(f"{base}/api/v1/games", {"variant": "kalooki-51", "players": NAMES})
    stop, printed = threading.Event(), [0]

    def read(paper: str) -> None:
        while not stop.is_set():
            try:
                urlopen(f"{base}/api/v1/games/{made['code']}/sheet.pdf?paper={paper}", timeout=120).read()
                printed[0] += 1
            except OSError:
                time.sleep(0.1)

    threads = [threading.Thread(target=read, args=(("a4", "letter", "a5")[n % 3],)) for n in range(readers)]
    for thread in threads:
        thread.start()
    times = []
    left = {str(seat): {"points": 7} for seat in range(2, 7)}
    for seen in range(1, hands + 1):
        event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
        sent = {"event": event, "seen": seen, "submission": str(uuid4())}
        started = time.perf_counter()
        asked(f"{base}/api/v1/games/{made['code']}/entries", sent, made["scorer"])
        times.append(time.perf_counter() - started)
        time.sleep(PAUSE)
    stop.set()
    for thread in threads:
        thread.join()
    if readers:
        print(f"{printed[0]} sheets were sent to {readers} readers meanwhile")
    return times


def asked(address: str, body: dict[str, Any], secret: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    with urlopen(Request(address, json.dumps(body).encode(), headers), timeout=60) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def at(times: list[float], share: int) -> float:
    """The time within which `share` percent were done."""
    return sorted(times)[min(len(times) - 1, len(times) * share // 100)]
