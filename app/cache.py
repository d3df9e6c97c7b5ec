"""A cache with bounded room."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@dataclass
class _Kept(Generic[Thing]):
    thing: Thing
    size: int
    used: int
    """The number of its last use, of all uses."""


class Shelf(Generic[Thing]):
    """A cache whose values together have at most the size `most`.

    Room is made by what is large and long unused, size times uses of others since: a few of the longest games, each
    opened now and then, must not push out those that tables play.
    """

    def __init__(self, most: int, size: Callable[[Thing], int]) -> None:
        self._most = most
        self._size = size
        self._kept: dict[str, _Kept[Thing]] = {}
        self._uses = count()
        self._being_made: dict[str, Future[Thing]] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> Thing | None:
        """The value stored under a name, if it is still there."""
        with self._lock:
            return self._found(name)

    def _found(self, name: str) -> Thing | None:
        kept = self._kept.get(name)
        if kept is None:
            return None
        kept.used = next(self._uses)
        return kept.thing

    def once(self, name: str, make: Callable[[], Thing]) -> Thing:
        """The value stored under a name, else made now: whoever asks for it meanwhile waits and shares it."""
        with self._lock:
            if (kept := self._found(name)) is not None:
                return kept
            others = self._being_made.get(name)
            own: Future[Thing] = others or self._being_made.setdefault(name, Future())
        return others.result() if others else self._made(name, make, own)

    def _made(self, name: str, make: Callable[[], Thing], awaited: Future[Thing]) -> Thing:
        try:
            thing = make()
            self.put(name, thing)
            awaited.set_result(thing)
        except BaseException as failed:
            awaited.set_exception(failed)
            raise
        finally:
            with self._lock:
                del self._being_made[name]
        return thing

    def drop(self, name: str) -> None:
        """Drop the value stored under a name, if there is one."""
        with self._lock:
            self._kept.pop(name, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()

    def put(self, name: str, thing: Thing) -> None:
        """Store a value, unless it is larger than a quarter of the room."""
        size = self._size(thing)
        with self._lock:
            self._kept.pop(name, None)
            if size * 4 <= self._most:
                self._kept[name] = _Kept(thing, size, next(self._uses))
                self._make_room()

    def _make_room(self) -> None:
        held, now = sum(kept.size for kept in self._kept.values()), next(self._uses)
        while held > self._most:
            _, name = max((kept.size * (now - kept.used), name) for name, kept in self._kept.items())
            held -= self._kept.pop(name).size
