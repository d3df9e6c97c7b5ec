"""Several processes behind one port are one server to everybody who asks."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.bootstrap import ROOT
from tests.crowd import crowd, heard, stream
from tests.phone import ask
from tests.scraped import metric
from tests.server import Server, free_port, wait_until_up

START = {"variant": "european", "players": ["Ann", "Ben"]}


class Workers(Server):
    """Two processes, started as an operator does."""

    metrics = free_port()

    def start(self):
        """A busy machine starts three interpreters slowly."""
        self.launch()
        wait_until_up(self.process, self.url, patience=120)

    def launch(self):
        self.environment |= {"WORKERS": "2", "PORT": str(self.port), "METRICS": str(self.metrics)}
        self.run(sys.executable, "-c", "from app.serving import serve; serve.main()")

    def workers(self):
        """The processes that answer."""
        parent = f"PPid:\t{self.process.pid}\n".encode()
        return {
            pid
            for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
            if b"app.serving.workers" in told(pid, "cmdline") and parent in told(pid, "status")
        }


def told(pid, name):
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def wait_for(condition):
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def server(request, database):
    server = Workers(f"sqlite:///{database}")
    server.environment |= getattr(request, "param", {})
    server.start()
    wait_for(lambda: len(server.workers()) == 2)
    yield server
    if server.process.poll() is None:
        server.stop()
    server.listen_in()


def test_two_processes_share_the_news_and_one_that_dies_is_replaced(server):
    def number(name, **labels):
        return metric(server.metrics, name, **labels)

    _, game = ask(f"{server.url}/api/v1/games", START)
    entries = f"{server.url}/api/v1/games/{game['code']}/entries"
    streams = [stream(server.port, game["code"]) for _ in range(30)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 1.0", 20)) == 30
        body = {"seen": 1, "submission": "one", "event": {"kind": "void", "reason": "misdeal"}}
        assert ask(entries, body, game["scorer"])[0] == 201
        assert len(heard(streams, b"data: 2.0", 20)) == 30
        assert number("kalooki_streams") == 30

    wait_for(lambda: number("kalooki_requests_total", endpoint="live.stream") == 30)  # a stream counts when it ends
    assert number("kalooki_streams") == 0
    before = server.workers()
    os.kill(min(before), signal.SIGKILL)
    wait_for(lambda: len(server.workers() - {min(before)}) == 2)
    assert ask(f"{server.url}/api/v1/games/{game['code']}", patience=30)[1]["seen"] == 2
    assert number("kalooki_worker_starts_total") == 3
    assert number("kalooki_saves_total") == number("kalooki_saves_total", outcome="Saved") == 1
    assert number("kalooki_requests_total", endpoint="live.stream", status="2xx") == 30
    wait_for(lambda: number("kalooki_requests_total", endpoint="api.show_game") == 1)

    streams = [stream(server.port, game["code"]) for _ in range(30)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 2.0", 20)) == 30
        left = server.workers()
        server.process.terminate()
        assert server.process.wait(timeout=10) == 0
    assert not any(told(pid, "cmdline") for pid in left)


@pytest.mark.long
def test_nobody_goes_on_when_the_first_process_is_killed(server):
    left = server.workers()
    server.process.kill()
    server.process.wait()
    wait_for(lambda: not any(told(pid, "cmdline") for pid in left))
    with pytest.raises(OSError, match="refused"):
        ask(f"{server.url}/healthz")


@pytest.mark.long
def test_workers_that_do_not_end_are_ended_all_at_one_time(server):
    """Two that hear nothing: each alone would be waited for 4.5 seconds."""
    left = server.workers()
    for pid in left:
        os.kill(pid, signal.SIGSTOP)
    server.process.terminate()
    assert server.process.wait(timeout=8) == 0
    assert not any(told(pid, "cmdline") for pid in left)


@pytest.mark.long
def test_a_worker_that_dies_at_once_is_started_less_and_less_often():
    """At once, a second later, two seconds after that."""
    start = (
        "import os; from app.serving.workers import keep_working;"
        " os.environ['PYTHONHOME'] = '/nowhere'; keep_working(1, [])"  # no interpreter starts with that
    )
    with subprocess.Popen([sys.executable, "-c", start], cwd=ROOT, stderr=subprocess.PIPE, text=True) as parent:
        deaths = (time.monotonic() for line in parent.stderr if line.startswith("Fatal Python error"))
        first, *_, fourth = (next(deaths) for _ in range(4))
        parent.terminate()
    assert parent.returncode == 0
    assert fourth - first > 2.5


@pytest.mark.parametrize("server", [{"RATELIMIT_ENABLED": "1"}], indirect=True)
def test_two_processes_allow_no_more_than_one_does(server):
    """200 starts an hour; of one address that meets one process only, 100."""
    statuses = [ask(f"{server.url}/api/v1/games", START, patience=30)[0] for _ in range(230)]
    assert 100 <= statuses.count(201) <= 200
    assert statuses.count(429) == 230 - statuses.count(201)
