"""Sheets: how long recording a hand takes while eight readers ask for sheets; what these take, `earlier` measures."""

from __future__ import annotations

import tempfile
import threading
import time
from urllib.request import urlopen
from uuid import uuid4

from tests.bench.serving import slowest
from tests.phone import ask, start
from tests.server import Server

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
RECORDED = 150
AT_ONCE = 8
PAUSE = 0.03


def main(*, tiny: bool = False) -> None:
    """A scorer records hand after hand, first alone, then while eight readers ask for the sheet again and again."""
    hands = 3 if tiny else RECORDED
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/games.db")
        server.start()
        try:
            urlopen(f"{server.url}/api/v1/variants/european/rules.pdf").read()  # the renderer is warm when it answers
            quiet = recorded(server.url, hands, readers=0)
            busy = recorded(server.url, hands, readers=AT_ONCE)
        finally:
            server.stop()
    for share in (50, 99):
        one, other = slowest(quiet, share / 100), slowest(busy, share / 100)
        print(f"recording a hand, p{share}: {one * 1000:.1f} ms alone, {other * 1000:.1f} ms while printing")
    print(f"  p99 {other / one:.2f} times the quiet one (aim: at most 2)")


def recorded(base: str, hands: int, readers: int) -> list[float]:
    """The seconds each hand took to record, with so many readers asking for the sheet meanwhile."""
    code, secret = start(base, "kalooki-51", NAMES)
    stop, printed = threading.Event(), [0]

    def read(paper: str) -> None:
        while not stop.is_set():
            try:
                urlopen(f"{base}/api/v1/games/{code}/sheet.pdf?paper={paper}", timeout=120).read()
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
        assert ask(f"{base}/api/v1/games/{code}/entries", sent, secret)[0] == 201
        times.append(time.perf_counter() - started)
        time.sleep(PAUSE)
    stop.set()
    for thread in threads:
        thread.join()
    if readers:
        print(f"{printed[0]} sheets were sent to {readers} readers meanwhile")
    return times
