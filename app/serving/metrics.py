"""What all processes of the server have counted, for Prometheus: on a port that only this machine reaches."""

from __future__ import annotations

import os
import resource
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from app import tally
from app.views.responses import release

ADDRESS = "127.0.0.1"
PATH = "/metrics"
PATIENCE = 5
"""Seconds for a request to arrive."""
SAYS = {
    "kalooki_requests_total": "Requests answered, by endpoint and kind of answer",
    "kalooki_request_seconds_total": "Seconds until these were sent, by endpoint; without streams",
    "kalooki_saves_total": "Attempts to record something in a game, by outcome",
    "kalooki_streams": "Phones that keep a stream of news open",
    "kalooki_press_queue": "Sheets that are being made or wait for it",
    "kalooki_press_pages_total": "Sheets made",
    "kalooki_press_seconds_total": "Seconds the press took to make them",
    "kalooki_refusals_total": "Requests refused by a limit, or because too many wait",
    "kalooki_database_seconds_total": "Seconds that connections to the database were in use",
    "kalooki_database_wait_seconds_total": "Seconds that writers waited for their turn at the SQLite file",
    "kalooki_database_unavailable_total": "Requests that the database could not serve, by reason",
    "kalooki_worker_starts_total": "Processes started to answer, with those that replaced others",
    "kalooki_memory_bytes": "Memory that the server and all its processes hold",
    "kalooki_info": "The release that runs, and the tables it expects",
}
"""What each number is, in the order they are told."""


def show(port: int, rooms: Sequence[memoryview]) -> None:
    """Tell on a port of this machine what is counted in these rooms, until this process ends."""
    try:
        server = _Port((ADDRESS, port), _Scrape)
    except OSError as cause:
        sys.exit(f"METRICS={port} cannot be used ({cause.strerror}): choose another port.")
    server.rooms = rooms
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()


class _Port(ThreadingHTTPServer):
    rooms: Sequence[memoryview]


class _Scrape(BaseHTTPRequestHandler):
    server: _Port
    timeout = PATIENCE

    def do_GET(self) -> None:
        if self.path != PATH:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = text(counted(self.server.rooms)).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_said: object) -> None:
        """Say nothing: whoever asks does so every few seconds."""


def counted(rooms: Sequence[memoryview]) -> dict[str, float]:
    """What all processes have counted, and what is known of the server besides."""
    summed = Counter[str]()
    for room in rooms:
        summed.update(tally.read(room))
    known = ",".join(f'{name}="{said}"' for name, said in release().items())
    return {f"kalooki_info{{{known}}}": 1, "kalooki_memory_bytes": sum(map(_resident, _family(os.getpid()))), **summed}


def text(numbers: Mapping[str, float]) -> str:
    """Numbers as Prometheus reads them.

    >>> print(text({"kalooki_streams": 2.0}), end="")
    # HELP kalooki_streams Phones that keep a stream of news open
    # TYPE kalooki_streams gauge
    kalooki_streams 2
    """
    lines = []
    for name, says in SAYS.items():
        samples = [
            f"{each} {number:.15g}" for each, number in sorted(numbers.items()) if each.partition("{")[0] == name
        ]
        kind = "counter" if tally.grows(name) else "gauge"
        lines += [f"# HELP {name} {says}", f"# TYPE {name} {kind}", *samples] * bool(samples)
    return "".join(f"{line}\n" for line in lines)


def _family(process: int) -> Iterator[int]:
    """A process and all that it and they have started."""
    yield process
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has just ended
            for child in thread.read_text().split():
                yield from _family(int(child))


def _resident(process: int) -> int:
    """The bytes of memory that a process holds."""
    with suppress(OSError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    return 0
