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
import time
from collections.abc import Sequence

from app import create_app, log, tally
from app.bootstrap import ROOT
from app.config import surroundings
from app.kalooki.rules.answers import make_ready
from app.serving.server import answer

LOOKS = 0.5
"""Seconds between two looks at who has died."""
LAST_ANSWERS = 4.5
"""Seconds the workers have to end; they give answers under way less than that."""


def keep_working(many: int, listening: Sequence[socket.socket], counting: int = 0) -> None:
    """Have so many workers answer on these sockets, until SIGTERM or Ctrl+C.

    `counting` is the descriptor of the file that has a room of `app.tally` for each, behind our own; 0 is none.
    """
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    places = [_Place(listening, counting, room) for room in range(1, many + 1)]
    while not ended.wait(LOOKS):
        for each in places:
            each.look()
    for own in listening:
        own.close()
    _end([each.worker for each in places])


class _Place:
    """One worker, and whoever replaces it."""

    def __init__(self, listening: Sequence[socket.socket], counting: int, room: int) -> None:
        self._given = listening, counting, room
        self._began, self._pause = time.monotonic(), 0.0
        self.worker = _started(*self._given)

    def look(self) -> None:
        """Replace a worker that has died; after one of less than a minute a start waits, each time twice as long."""
        lasted = time.monotonic() - self._began
        if self.worker.poll() is None or lasted < self._pause:
            return
        self._pause = min(max(2 * self._pause, 1.0), 30.0) if lasted < 60 else 0.0
        self._began = time.monotonic()
        self.worker = _started(*self._given)


def _started(listening: Sequence[socket.socket], counting: int, room: int) -> subprocess.Popen[bytes]:
    tally.add("kalooki_worker_starts_total")
    sockets = [each.fileno() for each in listening]
    command = [sys.executable, "-c", "from app.serving.workers import work; work()"]
    command += map(str, (counting, room, *sockets))
    files = [*sockets, counting] if counting else sockets
    return subprocess.Popen(command, cwd=ROOT, pass_fds=files, stdin=subprocess.PIPE, env=surroundings())  # noqa: S603 - our own


def _end(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    until = time.monotonic() + LAST_ANSWERS
    for each in workers:
        each.terminate()
    for each in workers:
        try:
            each.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            each.kill()
            each.wait()


def work() -> None:
    """Be one worker."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    counting, room, *sockets = map(int, sys.argv[1:])
    if counting:
        tally.OWN.keep_in(tally.shared_rooms(counting, room + 1)[room])
    app = create_app()
    make_ready()
    try:
        answer(app, [socket.socket(fileno=each) for each in sockets])
    finally:
        log.close_database(app)


def _end_with_parent() -> None:
    """Stop when the pipe closes that only the parent holds, however it ended."""
    os.read(0, 1)  # without a buffer, whose lock this thread would still hold when the interpreter ends
    os.kill(os.getpid(), signal.SIGTERM)
