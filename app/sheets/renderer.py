"""The renderer: one child process that makes PDFs and pictures, so that no other request waits for them.

The child starts when it is first needed. It is replaced when it dies, whether from a fault in
a system library or because it took too much time or memory. It exits when this process does, because its pipe then
closes. Importing this module does not import WeasyPrint.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import NamedTuple

from app.kalooki.cards import BadInput
from app.settings import ROOT, child_environment, unwritable

SECONDS = 30
"""CPU seconds the worker may spend on one page."""
ANSWER_TIMEOUT = 2 * SECONDS
"""Seconds after which the worker is killed."""
QUEUE_TIMEOUT = 10
"""Seconds to wait while another page is made."""


class Layout(NamedTuple):
    """The CSS of some pages besides static/css/paper.css, and lists of more to choose from, the most generous first."""

    css: str
    sizes: tuple[tuple[str, ...], ...] = ()


class Job(NamedTuple):
    """A page to make: its HTML, and its layouts, of which the first that loses nothing is taken.

    From each list of sizes it has the first that needs no more pages than the last would. Whatever has an id is looked
    for on the paper: each row, note, rule and payment, and where the longer of them end. `attachments` are the names
    and contents of files to embed in the PDF. With `dots` (per point) the result is a PNG of all pages, one below the
    other.
    """

    html: str
    layouts: tuple[Layout, ...]
    attachments: tuple[tuple[str, bytes], ...] = ()
    dots: float = 0


class Occupied(Exception):
    """Another page has been in the making for too long."""


class Exhausted(ChildProcessError):
    """A page took too much time or memory, as it would again."""


class _Child(NamedTuple):
    process: subprocess.Popen[bytes]
    pipe: Connection


class _Renderer:
    """Keeps at most one child process, which makes one page at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def make(self, job: Job) -> bytes:
        """Return the child's result; a child that died since the last page is replaced."""
        if not self._lock.acquire(timeout=QUEUE_TIMEOUT):
            raise Occupied
        try:
            if self._child and not _is_ready(self._child, QUEUE_TIMEOUT):
                self.end()
            self._child = self._child or _start()
            result = _ask(self._child, job)
        except (EOFError, ConnectionError) as cause:
            self.end()
            raise Exhausted from cause
        except OSError as cause:
            self.end()
            raise ChildProcessError from cause
        finally:
            self._lock.release()
        if isinstance(result, Exception):
            raise result
        return result

    def end(self) -> None:
        if self._child:
            self._child.pipe.close()
            self._child.process.kill()
            self._child.process.wait()
            self._child = None


def _start() -> _Child:
    ours, theirs = Pipe()
    number = theirs.fileno()
    unwritable()  # creates the folder for its temporary files
    command = [sys.executable, "-m", "app.sheets.render_worker", str(number)]
    process = subprocess.Popen(  # noqa: S603 - ours
        command, cwd=ROOT, env=child_environment(), pass_fds=(number,), stdin=subprocess.DEVNULL
    )
    theirs.close()
    child = _Child(process, ours)
    if not _is_ready(child, ANSWER_TIMEOUT):
        process.kill()
        process.wait()
        raise ChildProcessError
    return child


def _is_ready(child: _Child, seconds: float) -> bool:
    """Return whether the child answers in time, as it does once it has started and whenever it waits for a job."""
    with suppress(EOFError, OSError):
        child.pipe.send(None)
        return child.pipe.poll(seconds) and child.pipe.recv() is None
    return False


def _ask(child: _Child, job: Job) -> bytes | BadInput | ChildProcessError:
    """Return the child's answer, or why it has none; raises EOFError if it dies of the job or hangs."""
    child.pipe.send(job)
    if not child.pipe.poll(ANSWER_TIMEOUT):
        raise EOFError
    answer: bytes | BadInput | ChildProcessError = child.pipe.recv()
    return answer


_RENDERER = _Renderer()


def make(job: Job) -> bytes:
    """Return the PDF or picture of a page.

    Raises BadInput if some of it would be missing on that paper, however plainly it is laid out, Exhausted if it took
    too much time or memory, Occupied if others are waiting for theirs, and ChildProcessError if there is no child.
    """
    return _RENDERER.make(job)
