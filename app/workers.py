"""Several processes behind one port: this one starts them, replaces whoever dies, and ends them when it is stopped.

They are new interpreters, because the application has threads and open files that no fork may share. Live updates reach
all of them through the database; each has a press of its own, and counts its share of the limits.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from app import create_app, log
from app.bootstrap import ROOT
from app.server import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKS = 0.5
"""Seconds between two looks at who has died."""
LAST_ANSWERS = 4.5
"""Seconds a worker has to end; it gives answers under way less than that."""


def keep_working(many: int, listening: Sequence[socket.socket]) -> None:
    """Have so many workers answer on these sockets, until SIGTERM or Ctrl+C."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    workers = [_started(listening) for _ in range(many)]
    while not ended.wait(LOOKS):
        workers = [each if each.poll() is None else _started(listening) for each in workers]
    for place in listening:
        place.close()
    for each in workers:
        each.terminate()
    for each in workers:
        _wait_for(each)


def _started(listening: Sequence[socket.socket]) -> subprocess.Popen[bytes]:
    sockets = [each.fileno() for each in listening]
    command = [sys.executable, "-c", "from app.workers import work; work()", *map(str, sockets)]
    return subprocess.Popen(command, cwd=ROOT, pass_fds=sockets, stdin=subprocess.PIPE)  # noqa: S603 - our own


def _wait_for(worker: subprocess.Popen[bytes]) -> None:
    try:
        worker.wait(LAST_ANSWERS)
    except subprocess.TimeoutExpired:
        worker.kill()


def work() -> None:
    """Be one worker."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    app = create_app()
    try:
        answer(app, [socket.socket(fileno=int(each)) for each in sys.argv[1:]])
    finally:
        log.close_database(app)


def _end_with_parent() -> None:
    """Stop when the pipe closes that only the parent holds, however it ended."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
