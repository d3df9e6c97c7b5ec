"""What the server says on standard error: what was asked and where it broke, never whose game it was.

A game's code is a key to it, and a player's name or a phone's address is nobody's business. So a request is called by
its endpoint, and of an error there is where and what kind, but its words only if they are about the program.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from contextlib import suppress
from http import HTTPMethod
from queue import SimpleQueue
from threading import Event, Thread
from traceback import format_tb

MOST_UNREAD = 10_000
"""Lines that wait for a reader of standard error; further ones are left out."""
GATHERED = 0.1
"""Seconds for which lines wait for others: to wake the writer for each takes more time than to answer `/livez`."""
_ABOUT_THE_PROGRAM = (AttributeError, ImportError, NameError, TypeError)
"""Errors whose words name parts of the program; others may repeat what somebody typed, or what is stored."""


class Lines:
    """Lines that a thread of its own writes: whoever reads them slowly keeps no phone waiting."""

    def __init__(self) -> None:
        self._unread: SimpleQueue[str] = SimpleQueue()
        self._is_over = Event()
        self._writer = Thread(target=self._write, name="lines", daemon=True)
        self._writer.start()

    def put(self, line: str) -> None:
        if self._unread.qsize() < MOST_UNREAD:
            self._unread.put(line)

    def end(self) -> None:
        """Write what is left, if anybody reads it; an empty line is the last."""
        self._is_over.set()
        self._unread.put("")
        self._writer.join(1)

    def _write(self) -> None:
        lines = ["from here on"]
        while all(lines):
            lines = [self._unread.get()]
            self._is_over.wait(GATHERED)
            lines += [self._unread.get() for _ in range(self._unread.qsize())]
            with suppress(OSError, ValueError):  # nobody reads, or no room is left on the disk
                sys.stderr.write("".join(f"{line}\n" for line in lines if line))
                sys.stderr.flush()


def request_line(method: str, endpoint: str | None, status: int, seconds: float, length: int) -> str:
    """A request as one line; `-` for an address, a method or an answer that there is none of."""
    known = method if method in HTTPMethod.__members__ else "-"
    at = time.strftime("%Y-%m-%d %H:%M:%S")
    return f"[{at}] {known} {endpoint or '-'} {status or '-'} {1000 * seconds:.0f} ms {length} B"


def traced(trouble: BaseException) -> str:
    """Where in the program an error was raised, and of what kind it and those behind it are."""
    behind = trouble.__cause__ or (None if trouble.__suppress_context__ else trouble.__context__)
    words = f": {trouble}" if isinstance(trouble, _ABOUT_THE_PROGRAM) else ""
    kind = type(trouble)
    own = f"{''.join(format_tb(trouble.__traceback__))}{kind.__module__}.{kind.__qualname__}{words}"
    return f"{traced(behind)}\nand then\n{own}" if behind else own


class _Discreet(logging.Formatter):
    def formatException(self, ei: object) -> str:  # noqa: N802 - as the library has it
        return traced(ei[1]) if isinstance(ei, tuple) and ei[1] else ""


def speak_discreetly() -> None:
    """Have everything that is logged, and whatever ends a thread, said so."""
    said = logging.StreamHandler()
    said.setFormatter(_Discreet("[%(asctime)s] %(levelname)s in %(name)s: %(message)s"))
    logging.basicConfig(handlers=[said], level=logging.WARNING)
    threading.excepthook = _say_of_thread


def _say_of_thread(ended: threading.ExceptHookArgs) -> None:
    name = ended.thread.name if ended.thread else "a thread"
    logging.getLogger(__name__).error("%s ended", name, exc_info=ended.exc_value)
