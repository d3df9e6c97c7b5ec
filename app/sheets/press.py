"""The press: one child process that makes PDFs and pictures, so that no other request waits for them.

The child is started when first needed, or ahead of it by `warm_up`, and replaced when it dies: at a fault of the
system's libraries, over its time or over its memory. Importing this module does not import WeasyPrint.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

SECONDS = 30
"""A page that takes longer is given up: its child ends itself."""
MOST_WAITING = 24
MEMORY = 1024 * 1024 * 1024
"""Bytes of address space a child may use; 200 hands of nine players need about a third."""
NICENESS = 10
"""A sheet may wait; recording a hand may not."""


class Unprinted(Exception):
    """The press could not make this page: it was too busy, or the page took too long or too much memory."""


class Job(NamedTuple):
    """A page to make: its HTML, the style sheets of static/css it uses, and the rules of its pages.

    `fits` are rules tried one after another until everything stands on one page. `attachment` is the name and the
    contents of a file to put into the PDF. `as_picture` asks for a PNG of all pages, one below the other.
    """

    html: str
    styles: tuple[str, ...]
    pages: str
    fits: tuple[str, ...] = ("",)
    attachment: tuple[str, bytes] | None = None
    as_picture: bool = False


class _Press:
    """The child of this process, if it has one now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(MOST_WAITING)
        self._pool: ProcessPoolExecutor | None = None

    def make(self, job: Job | None) -> bytes:
        if not self._room.acquire(blocking=False):
            raise Unprinted
        try:
            return self._made(job)
        finally:
            self._room.release()

    def _made(self, job: Job | None) -> bytes:
        """What the child makes of the job; when it dies another one tries once more, for its fault may be passing."""
        for _ in range(2):
            pool = self._open()
            try:
                return pool.submit(_in_child, job).result(timeout=2 * SECONDS)
            except BrokenProcessPool:
                self._give_up(pool)
            except (TimeoutError, MemoryError) as cause:
                raise Unprinted from cause
        raise Unprinted

    def _open(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(["app.sheets.printer"])
                self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_start_child)
            return self._pool

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


_PRESS = _Press()


def make(job: Job) -> bytes:
    """The PDF or picture of a page; raises Unprinted."""
    return _PRESS.make(job)


def warm_up() -> None:
    """Start the child in the background, so that the first page is as fast as any other."""
    threading.Thread(target=_warm, name="press", daemon=True).start()


def _warm() -> None:
    try:
        _PRESS.make(None)
    except Unprinted:
        return  # the first page will tell


def _start_child() -> None:
    """Runs first in the child: bounds what it may use, and readies everything a page needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which then ends its child
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    _in_child(None)
    gc.freeze()  # what is loaded by now stays: no need to look through it again and again


def _end_with_parent(parent: int) -> None:
    """A child whose server was killed must not wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(2)
    os._exit(0)


def _in_child(job: Job | None) -> bytes:
    """Make a page; without a job only the readiness that comes with having made one."""
    from app.sheets import printer  # noqa: PLC0415 - in the child only: WeasyPrint costs half a second

    signal.alarm(SECONDS)  # its signal ends the child, even deep inside a library
    try:
        return printer.make(job or printer.TRIAL)
    finally:
        signal.alarm(0)
