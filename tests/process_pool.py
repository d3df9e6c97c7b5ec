"""Servers forked from a process that has imported the product: imports take three quarters of a start.

Such a server is like one started by itself: the pool has no thread, no connection and no database.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from app.settings import ROOT
from tests import shared_caches


class Born:
    """A process of the pool, with the parts of Popen's interface that tests use."""

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        """None while it lives."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout):
        until = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.005)

    def send_signal(self, number):
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class ProcessPool:
    """The process that forks; started, by a program such as `setpriv`, when first asked, ended with this one."""

    def __init__(self, *program):
        self._program = program
        self._one_at_a_time = threading.Lock()
        self._process = None

    def fork(self, code, environment, told=None):
        """A process that runs some code, in a group of its own; `told` are files for what it prints and complains."""
        with self._one_at_a_time:
            process = self._process = self._process or self._started()
            print(json.dumps([code, dict(environment), told]), file=process.stdin, flush=True)
            return Born(int(process.stdout.readline()))

    def run(self, command, environment):
        """What ``["flask", "--app", "app", "check"]``, a module, or ``["-c", code]`` printed and returned."""
        with tempfile.TemporaryDirectory() as folder:
            told = [f"{folder}/{name}" for name in ("returned", "printed", "complained")]
            self.fork(COMMAND.format(command=[*command], returned=told[0]), environment, told[1:]).wait(60)
            returned, printed, complained = (Path(each).read_text() for each in told)
        return subprocess.CompletedProcess(command, int(returned), printed, complained)

    def _started(self):
        command = [*self._program, sys.executable, "-c", "from tests.process_pool import tend; tend()"]
        return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


COMMAND = """
import runpy, sys
sys.argv = {command!r}
try:
    if sys.argv[0] == "-c":
        exec(sys.argv.pop(1), {{}})
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    code = 0
except SystemExit as end:
    code = end.code
    if isinstance(code, str):
        print(code, file=sys.stderr)
    code = {{None: 0}}.get(code, code if isinstance(code, int) else 1)
except BaseException:
    sys.excepthook(*sys.exc_info())
    code = 1
with open({returned!r}, "w") as told:
    told.write(str(code))
"""
PROCESSES = ProcessPool()
MORE = (
    "app.cli",
    "app.server",
    "alembic.command",
    "sqlalchemy.dialects.sqlite.pysqlite",
)
"""What servers and commands import besides, when they need it."""


def tend():
    """Import the product, then fork a process for each line on standard input, and print its number."""
    atexit.register(_leave)  # the first of all: it is called after all others
    views = import_module("app.views")
    for found in walk_packages(views.__path__, "app.views."):
        import_module(found.name)
    for name in MORE:
        import_module(name)
    if shared_caches.WHERE in os.environ:
        shared_caches.share(os.environ[shared_caches.WHERE])
    gc.freeze()
    signal.signal(signal.SIGCHLD, _bury)
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            _live(*json.loads(line))
        with suppress(ProcessLookupError, PermissionError):  # it has done so itself, or is gone
            os.setpgid(pid, pid)
        print(pid, flush=True)


def _leave():
    """End without taking the whole product apart in memory, which takes longer than a start."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _bury(*_heard):
    """Let those that have ended go."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _live(code, environment, told):
    """Be a server, or a command, until the end."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    if told:
        for number, file in enumerate(told, 1):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    else:
        os.dup2(2, 1)
    exec(code, {})  # noqa: S102 - a test's own
    sys.exit()
