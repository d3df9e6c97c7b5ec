"""The renderer: one child process that makes PDFs and pictures, so that no other request waits for them.

The child starts when it is first needed, or warmed up. It is replaced when it dies, whether from a fault in
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
from app.settings import ROOT, child_environment, make_temporary_folder

SECONDS = 30
"""CPU seconds the worker may spend on one page."""
ANSWER_TIMEOUT = 2 * SECONDS
"""Seconds after which the worker is killed."""
QUEUE_TIMEOUT = 10
"""Seconds to wait while another page is made."""


CLOSE = 0.5
"""Millimetres by which what seems too high may still have room."""


class Size(NamedTuple):
    """One of the sizes of a score sheet: its CSS; and in points its type, rows, feet and texts."""

    css: str
    type: float
    row: float
    foot: float
    text: float
    has_chart: bool = True


class Heights(NamedTuple):
    """The heights of a score sheet's parts at some size, in millimetres; at others they are in proportion.

    A page has `room` for so many. `head` and `signs` are the same at any size, `names` stand on every page, the feet
    and signs on that of the last row. `below` stands on one page, `bare` is the height of it without the chart; `texts`
    go on anywhere.
    """

    size: Size
    room: float
    head: float
    names: float
    rows: tuple[float, ...]
    feet: float
    signs: float
    below: float
    bare: float
    texts: float

    def pages_at(self, size: Size) -> int:
        """Return about how many pages the sheet takes at another size."""
        row, foot, text = size.row / self.size.row, size.foot / self.size.foot, size.text / self.size.text
        names, rows = self.names * row, [row * each for each in self.rows]
        last = sum(rows[-1:]) + foot * self.feet + self.signs
        below = self.below if size.has_chart else self.bare * text
        pages, at = 1, self.head + names
        for height, top in (*((each, names) for each in (*rows[:-1], last)), (below, 0)):
            if at + height > self.room + CLOSE:
                pages, at = pages + 1, top
            at += height
        return pages + int((at + self.texts * text**2) / (self.room + CLOSE))


class Layout(NamedTuple):
    """The CSS of some pages besides static/css/paper.css, and more to choose from, the most generous first.

    `choices` are lists of CSS; a score sheet has `sizes` instead, and what its `heights` are about at one of them.
    """

    css: str
    choices: tuple[tuple[str, ...], ...] = ()
    sizes: tuple[Size, ...] = ()
    heights: Heights | None = None


class Job(NamedTuple):
    """A page to make: its HTML, and its layouts, of which the first that loses nothing is taken.

    From each list of choices it has the first that needs no more pages than the last would, as of sizes. Whatever has
    an id is looked for on the paper: each row, note, rule and payment, and where the longer of them end. `attachments`
    are the names and contents of files to embed in the PDF. With `dots` (per point) the result is a PNG of all pages,
    one below the other.
    """

    html: str
    layouts: tuple[Layout, ...]
    attachments: tuple[tuple[str, bytes], ...] = ()
    dots: float = 0


class Occupied(Exception):
    """The machine is too busy: another page, the start of the child or this page has taken too long by the clock."""


class Exhausted(ChildProcessError):
    """A page took too much of the processor or memory, as it would again."""


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
        except Occupied:
            self.end()
            raise
        finally:
            self._lock.release()
        if isinstance(result, Exception):
            raise result
        return result

    def start(self) -> None:
        """Start the child; if that fails, the first page that is made says so."""
        with self._lock, suppress(OSError, Occupied):
            self._child = self._child or _start()

    def end(self) -> None:
        if self._child:
            self._child.pipe.close()
            self._child.process.kill()
            self._child.process.wait()
            self._child = None


def _start() -> _Child:
    ours, theirs = Pipe()
    number = theirs.fileno()
    make_temporary_folder()
    command = [sys.executable, "-m", "app.sheets.render_worker", str(number)]
    process = subprocess.Popen(  # noqa: S603 - ours
        command, cwd=ROOT, env=child_environment(), pass_fds=(number,), stdin=subprocess.DEVNULL
    )
    theirs.close()
    child = _Child(process, ours)
    if not _is_ready(child, ANSWER_TIMEOUT):
        is_slow = process.poll() is None
        process.kill()
        process.wait()
        raise Occupied if is_slow else ChildProcessError
    return child


def _is_ready(child: _Child, seconds: float) -> bool:
    """Return whether the child answers in time, as it does once it has started and whenever it waits for a job."""
    with suppress(EOFError, OSError):
        child.pipe.send(None)
        return child.pipe.poll(seconds) and child.pipe.recv() is None
    return False


def _ask(child: _Child, job: Job) -> bytes | BadInput | ChildProcessError:
    """Return the child's answer, or why it has none; raises EOFError if it dies of the job."""
    child.pipe.send(job)
    if not child.pipe.poll(ANSWER_TIMEOUT):
        raise Occupied
    answer: bytes | BadInput | ChildProcessError = child.pipe.recv()
    return answer


_RENDERER = _Renderer()


def make(job: Job) -> bytes:
    """Return the PDF or picture of a page.

    Raises BadInput if some of it would be missing on that paper, however plainly it is laid out, Exhausted if it took
    too much time or memory, Occupied if the machine is too busy, and ChildProcessError if there is no child.
    """
    return _RENDERER.make(job)


def start() -> None:
    """Start the child in the background, so that the first page it makes takes no longer than others."""
    threading.Thread(target=_RENDERER.start, name="renderer", daemon=True).start()
