"""Servers forked from a process that has imported the product: otherwise a thousand starts take an hour of imports.

Such a server is like one started by itself: the nursery has no thread, no connection and no database.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from app.bootstrap import ROOT
from tests.server import Server


class Born:
    """A process of the nursery, with the parts of Popen's interface that tests use."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it lives."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout: float) -> None:
        until = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.005)

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)


class Nursery:
    """The process that forks; started when first asked for a server, ended with this one."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def born(self, **wanted: Any) -> Born:
        with self._one_at_a_time:
            process = self._process = self._process or _started()
            assert process.stdin
            assert process.stdout
            print(json.dumps(wanted), file=process.stdin, flush=True)
            return Born(int(process.stdout.readline()))


NURSERY = Nursery()


class QuickServer(Server):
    """A server whose imports are done when it is started."""

    def launch(self) -> None:
        own = {name: self.environment[name] for name in ("DATABASE_URL", "SECRET_KEY", "BASE_URL")}
        self.process = NURSERY.born(application=self.application, port=self.port, environment=own)


def _started() -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from bench._nursery import tend; tend()"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def tend() -> None:
    """Import the product, then fork a server for each line on standard input, and print its process id."""
    views = import_module("app.views")
    for found in walk_packages(views.__path__, "app.views."):
        import_module(found.name)
    for name in ("app.cli", "app.server", "alembic.command", "sqlalchemy.dialects.sqlite.pysqlite"):
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            _live(**json.loads(line))
        with suppress(ProcessLookupError, PermissionError):  # it has done so itself, or is gone
            os.setpgid(pid, pid)
        print(pid, flush=True)


def _live(application: str, port: int, environment: dict[str, str]) -> None:
    """Be a server, in a group of one's own, until the end."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.update(environment)
    sys.stdin.close()
    module, _, factory = application.partition(":")
    made = getattr(import_module(module), factory.removesuffix("()"))()
    import_module("app.server").serve(made, "127.0.0.1", port)
    os._exit(0)
