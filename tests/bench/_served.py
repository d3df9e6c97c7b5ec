"""An application served by the product's own server, and what its requests cost against an empty answer.

The CPU time is the worker's own, so that whoever asks costs nothing. Product and empty application are asked in
turns over one connection each; the ratio is the median of several rounds.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from flask import Flask, jsonify

from app import create_app
from tests.server import Server

BARE = "tests.bench._served:bare()"
PRODUCT = "app:create_app({'RATELIMIT_ENABLED': False})"
RECORDING = "tests.bench._served:recording()"
NANOSECONDS = 1e9


def bare() -> Flask:
    """The least Flask application that answers JSON, and says that it is there."""
    app = Flask("bare")
    app.config |= {"MAX_CONTENT_LENGTH": 1024 * 1024, "PATIENCE": 10.0, "LIVE_BEAT": 15.0}
    for path, endpoint in (("/", "/"), ("/healthz", "/healthz"), ("/livez", "health.alive")):
        app.add_url_rule(path, endpoint, lambda: jsonify({}), methods=["GET", "POST"])
    return app


def recording(config: Mapping[str, Any] | None = None) -> Flask:
    """The product, with the journal folded in at every pause."""
    return create_app({"QUIET": 0.02, "RATELIMIT_ENABLED": False, **(config or {})})


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Served:
    """An application in a process of its own, which answers once this is made."""

    def __init__(self, application: str, folder: str) -> None:
        self.server = Server(f"sqlite:///{folder}/bench.db")
        self.server.application = application
        self.server.start()
        self.connection = HTTPConnection("127.0.0.1", self.server.port)

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, body: Mapping[str, Any], **headers: str) -> Answer:
        return self._ask("POST", path, json.dumps(body), {"Content-Type": "application/json"} | headers)

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(method, path, body, named)
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())

    def cpu(self) -> float:
        """Seconds of all threads of the worker."""
        threads = Path(f"/proc/{self.server.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / NANOSECONDS

    def stop(self) -> None:
        self.connection.close()
        self.server.stop()


@contextmanager
def served(application: str, folder: str) -> Iterator[Served]:
    running = Served(application, folder)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def side_by_side() -> Iterator[tuple[Served, Served]]:
    """The empty application and the product, on a new database."""
    with tempfile.TemporaryDirectory() as folder, served(BARE, folder) as empty, served(PRODUCT, folder) as product:
        product.get("/api/v1/variants/european/rules.pdf")  # the press has started up when it answers
        yield empty, product


def times_empty(
    empty: Served, product: Served, asked: Callable[[int], object], requests: int, rounds: int, *, posts: bool = False
) -> float:
    """How many times the CPU of an empty answer one request costs; `asked` sends the one with a number from 0."""
    nothing = (lambda: empty.post("/", {})) if posts else (lambda: empty.get("/"))
    ratios = []
    for turn in range(rounds):
        started = product.cpu(), empty.cpu()
        for number in range(requests):
            asked(turn * requests + number)
            nothing()
        ratios.append((product.cpu() - started[0]) / (empty.cpu() - started[1]))
    return median(ratios)
