"""What a check costs through HTTP, in CPU of the server, against an empty JSON answer of a bare Flask application.

Both are served by the product's own server, one worker each, and asked in turns over one connection each.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

from flask import Flask, jsonify

from app.serve import GUNICORN

ROOT = Path(__file__).resolve().parent.parent
REQUESTS, ROUNDS = 1_000, 5
BARE = "bench.checks:bare()"
PRODUCT = "app:create_app()"
CLAIMS: Mapping[str, Mapping[str, Any]] = {
    "meld": {"cards": "7H 8H *"},
    "meld, broken": {"cards": "AH 2H 3H"},
    "opening": {"melds": ["KH KD KS", "4S 5S 6S"]},
    "build": {"on": "4S 5S 6S", "cards": "7S"},
    "joker": {"on": "4S 4H *", "give": "4D 4C"},
    "turn": {
        "hand": "5H 6H 7H 2C",
        "opened": True,
        "steps": [
            {"do": "draw", "from": "stock", "card": "KC"},
            {"do": "meld", "cards": "5H 6H 7H"},
            {"do": "discard", "card": "KC"},
        ],
    },
}


def bare() -> Flask:
    """The least Flask application that answers JSON."""
    app = Flask("bare")
    app.post("/")(lambda: jsonify({}))
    return app


class Served:
    """An application served in a process of its own; `cpu` is the CPU time its worker has used."""

    def __init__(self, application: str, folder: str) -> None:
        self.port = a_free_port()
        settings = {"DATABASE_URL": f"sqlite:///{folder}/bench.db", "SECRET_KEY": "bench", "PYTHONPATH": str(ROOT)}
        self.master = subprocess.Popen(  # noqa: S603 - our own server, arguments built here
            [sys.executable, "-m", "gunicorn", *GUNICORN, "--bind", f"127.0.0.1:{self.port}", application],
            cwd=ROOT,
            env=os.environ | settings,
        )
        self.connection = HTTPConnection("127.0.0.1", self.port)

    def wait(self) -> None:
        """Come back when the worker answers, whatever it answers."""
        while True:
            try:
                self.ask("/", {})
            except OSError:
                assert self.master.poll() is None, "the server stopped"
                self.connection.close()
                time.sleep(0.1)
            else:
                break
        self.worker = int(Path(f"/proc/{self.master.pid}/task/{self.master.pid}/children").read_text().split()[0])

    def ask(self, path: str, body: Mapping[str, Any]) -> bytes:
        self.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return self.connection.getresponse().read()

    def cpu(self) -> float:
        """Seconds; /proc counts them in ticks of a hundredth."""
        user, system = Path(f"/proc/{self.worker}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def cost(self, path: str, body: Mapping[str, Any]) -> float:
        """CPU seconds of the worker for some requests."""
        before = self.cpu()
        for _ in range(REQUESTS):
            self.ask(path, body)
        return self.cpu() - before

    def stop(self) -> None:
        self.connection.close()
        self.master.terminate()
        self.master.wait()


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        empty, product = Served(BARE, folder), Served(PRODUCT, folder)
        try:
            empty.wait()
            product.wait()
            for name, claim in CLAIMS.items():
                print(f"{name}: {ratio(empty, product, name, claim):.2f} times the CPU of an empty answer")
        finally:
            empty.stop()
            product.stop()


def ratio(empty: Served, product: Served, name: str, claim: Mapping[str, Any]) -> float:
    """The median of several rounds in which both are asked in turns."""
    path, body = f"/api/v1/check/{name.partition(',')[0]}", {"variant": "european"} | claim
    assert b'"ok"' in product.ask(path, body)
    rounds = [(product.cost(path, body), empty.cost("/", {})) for _ in range(ROUNDS)]
    return median(check / nothing for check, nothing in rounds)
