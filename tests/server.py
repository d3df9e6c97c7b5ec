"""The app's own server in its own process, which a test may kill and restart."""

import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import weakref
from contextlib import suppress
from pathlib import Path

from app.settings import ROOT
from tests.process_pool import PROCESSES
from tests.stderr_capture import REQUEST, told_of_people

PATIENCE = 60
"""Seconds that a busy machine may take for what is sure to come."""


def free_port():
    """A port nobody uses, of those that no system gives to clients: none takes it before the server starts."""
    while True:
        port = 15_000 + secrets.randbelow(15_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port


def eventually(found):
    """Wait until there is something, and return it."""
    until = time.monotonic() + PATIENCE
    while not (what := found()):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)
    return what


def wait_until_up(process, url, patience=PATIENCE):
    """Return when the server at `url` answers; fail if it stops or never does."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        assert process.poll() is None, "the server stopped"
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
                answer.read()
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server never answered")


def flask(*arguments, settings):
    """What a command of ``flask --app app`` prints and returns, in a process of its own."""
    return PROCESSES.run(
        ["flask", "--app", "app", *map(str, arguments)], os.environ | {"SECRET_KEY": "test"} | settings
    )


def python(*arguments, typed="", **settings):
    """What a process of Python in the project's folder prints, and how it ends."""
    command = [sys.executable, *map(str, arguments)]
    own = os.environ | {"SECRET_KEY": "test"} | settings
    return subprocess.run(
        command, cwd=ROOT, env=own, check=False, input=typed, capture_output=True, text=True, timeout=120
    )


class Server:
    """The server as `app.start` starts it, on a port of its own."""

    def __init__(self, database_url, **config):
        config = {"RATELIMIT_ENABLED": False} | config  # all tests come from one address
        self.application = f"app:create_app({config!r})"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DATABASE_URL": database_url,
            "SECRET_KEY": "test",
            "BASE_URL": self.url,
        }
        self.without = ()  # modules this server does not find
        self.tells_its_end = False  # to this process, of which it is then a child
        self.process = None
        folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.said = Path(folder) / "stderr"
        self.said.touch()

    def start(self):
        """Start it, and return when it answers."""
        self.launch()
        wait_until_up(self.process, self.url)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.listen_in()

    def launch(self):
        """Start it, and return at once: a test may kill it before it answers."""
        module, _, factory = self.application.partition(":")
        start = (
            f"import socket, sys; sys.modules.update(dict.fromkeys({self.without!r})); import {module};"
            f" from app.server import serve;"
            f" serve({module}.{factory}, socket.create_server(('127.0.0.1', {self.port}), backlog=2048))"
        )
        if not (self.without or self.tells_its_end):
            self.process = PROCESSES.fork(start, self.environment, [str(self.said)] * 2)
            return
        self.run(sys.executable, "-c", start)

    def run(self, *command, cwd=ROOT):
        """Start it as a child of this process."""
        with self.said.open("a") as said:
            self.process = subprocess.Popen(
                command,
                cwd=cwd,
                env=self.environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )

    def limit(self, what, most):
        """Limit a resource it may use from now on, named as in the module `resource`."""
        resource.prlimit(self.process.pid, what, (most, resource.RLIM_INFINITY))

    def stop(self, how=signal.SIGTERM):
        """Stop it in an orderly way."""
        self.process.send_signal(how)
        self.process.wait(timeout=PATIENCE)
        self.listen_in()

    def kill(self):
        """Pull the plug: server and renderer at once, without a chance to tidy up."""
        os.killpg(self.process.pid, 9)
        self.process.wait(timeout=PATIENCE)
        self.listen_in()

    def listen_in(self):
        """Pass on what it complained about, and fail if it told anything of anybody; then forget it."""
        said = self.said.read_text(errors="replace")
        os.truncate(self.said, 0)
        print(*(line for line in said.splitlines() if not REQUEST.fullmatch(line)), sep="\n", file=sys.stderr)
        assert told_of_people(said, self.environment["DATABASE_URL"]) == []
