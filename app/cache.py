"""A cache with bounded room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Thing = TypeVar("Thing")


class Shelf(Generic[Thing]):
    """A cache whose values together have at most the size `most`; those longest unused make room for new ones."""

    def __init__(self, most: int, size: Callable[[Thing], int]) -> None:
        self._most = most
        self._size = size
        self._held = 0
        self._kept: OrderedDict[str, Thing] = OrderedDict()
        self._being_made: dict[str, Future[Thing]] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> Thing | None:
        """The value stored under a name, if it is still there."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def once(self, name: str, make: Callable[[], Thing]) -> Thing:
        """The value stored under a name, else made now: whoever asks for it meanwhile waits and shares it."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
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
            dropped = self._kept.pop(name, None)
            self._held -= self._size(dropped) if dropped is not None else 0

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self._held = 0

    def put(self, name: str, thing: Thing) -> None:
        """Store a value, unless it is larger than a quarter of the room."""
        with self._lock:
            before = self._kept.pop(name, None)
            self._held -= self._size(before) if before is not None else 0
            if self._size(thing) * 4 > self._most:
                return
            self._held += self._size(thing)
            self._kept[name] = thing
            while self._held > self._most:
                self._held -= self._size(self._kept.popitem(last=False)[1])
