"""Turns: one thread at a time does what takes much time or memory, and only a few may wait."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class TooMany(Exception):
    """Too many are already waiting for their turn."""


class Turns:
    """A lock with a limit on how many threads may hold it or wait for it."""

    def __init__(self, most: int) -> None:
        self._room = threading.BoundedSemaphore(most)
        self._turn = threading.Lock()

    def take(self) -> None:
        """Wait for the turn; raises TooMany at once if too many already wait."""
        if not self._room.acquire(blocking=False):
            raise TooMany
        self._turn.acquire()

    def give_back(self) -> None:
        """Pass the turn to the next thread."""
        self._turn.release()
        self._room.release()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn inside a `with` block."""
        self.take()
        try:
            yield
        finally:
            self.give_back()
