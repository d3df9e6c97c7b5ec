"""Queues: one thread at a time does what takes much time or memory, and only a few may wait.

Those for whom there is no room to wait are told their place, and when to come back.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

_LONGEST_AWAY = 30
"""Seconds after which everybody may come back, however many come before."""


class TooMany(Exception):
    """Too many are already waiting."""


class FairLock:
    """A lock for which a bounded number of threads wait, served round by round: one of each client a round.

    Where there is no room for one more, the newest of whoever has most waiting gives way to somebody with fewer.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: OrderedDict[str, deque[Future[None]]] = OrderedDict()

    def acquire(self, whose: str = "") -> None:
        """Wait for the lock, on behalf of a client; raises TooMany if too many already wait."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            self._make_room(whose)
            freed: Future[None] = Future()
            self._waiting.setdefault(whose, deque()).append(freed)
        freed.result()

    def _make_room(self, whose: str) -> None:
        if 1 + sum(map(len, self._waiting.values())) < self._most:
            return
        longest = max(self._waiting.values(), key=len, default=deque())
        if len(longest) <= len(self._waiting.get(whose, ())) + 1:
            raise TooMany
        longest.pop().set_exception(TooMany())

    def release(self) -> None:
        """Let the next thread have the lock."""
        with self._lock:
            if not self._waiting:
                self._is_taken = False
                return
            whose, waiting = self._waiting.popitem(last=False)
            freed = waiting.popleft()
            if waiting:
                self._waiting[whose] = waiting
        freed.set_result(None)

    @contextmanager
    def held(self, whose: str = "") -> Iterator[None]:
        """Hold the lock inside a `with` block."""
        self.acquire(whose)
        try:
            yield
        finally:
            self.release()


class WaitingList:
    """Who found no room to wait, in the order they first came.

    `pace` is how many seconds a turn takes, as lately seen. Whoever does not come back in time loses their place.
    """

    def __init__(self, most: int, pace: float) -> None:
        self._most = most
        self._pace = pace
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def place(self, name: str, others: int) -> tuple[int, int]:
        """How many come before `name`, `others` of them already waiting, and in how many seconds to come back."""
        now = time.monotonic()
        with self._lock:
            self._until = {each: until for each, until in self._until.items() if until > now}
            line = [*self._until]
            before = others + (line.index(name) if name in self._until else len(line))
            seconds = min(1 + int(before * self._pace), _LONGEST_AWAY)
            if name in self._until or len(line) < self._most:
                self._until[name] = now + 2 * seconds + _LONGEST_AWAY
        return before, seconds

    def leave(self, name: str, took: float) -> None:
        """`name` has had its turn."""
        with self._lock:
            self._until.pop(name, None)
            self._pace += (took - self._pace) / 8
