"""What a server counts of itself while it runs: numbers in memory that its other processes can read.

The names are those that Prometheus reads, with their labels: `kalooki_saves_total{outcome="saved"}`. A number whose
name ends in `_total` only grows, also when a process is replaced by another one; any other says how much there is now.
"""

from __future__ import annotations

from collections.abc import Iterator
from mmap import mmap
from threading import Lock

ROOM = 256 * 1024
"""Bytes for all numbers of a process: twice what every endpoint with every kind of answer takes."""
_WIDTH = 128
_NUMBER = 8
"""Bytes of a number, which stands before its name."""


class Tally:
    """The numbers of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.keep_in(memoryview(bytearray(ROOM)))

    def keep_in(self, room: memoryview) -> None:
        """Count there from now on; what another process has counted there goes on growing."""
        self.room = room
        self._numbers = room.cast("d")
        self._places = {name: begins // _NUMBER for begins, name in _names(room)}
        for name, place in self._places.items():
            if not grows(name):
                self._numbers[place] = 0.0  # what there was has gone with that process

    def add(self, name: str, amount: float = 1.0) -> None:
        """Add to a number; what finds no more room is not counted."""
        with self._lock:
            place = self._places.get(name)
            if place is None:
                place = self._begin(name)
            if place is not None:
                self._numbers[place] += amount

    def _begin(self, name: str) -> int | None:
        begins, spelled = len(self._places) * _WIDTH, name.encode()
        if begins >= len(self.room) or len(spelled) > _WIDTH - _NUMBER:
            return None
        first = begins + _NUMBER
        self.room[first + 1 : first + len(spelled)] = spelled[1:]
        self.room[first] = spelled[0]  # last: whoever reads meanwhile finds whole names only
        return self._places.setdefault(name, begins // _NUMBER)


def read(room: memoryview) -> dict[str, float]:
    """The numbers in a room, whichever process counts there."""
    numbers = room.cast("d")
    return {name: numbers[begins // _NUMBER] for begins, name in _names(room)}


def shared_rooms(descriptor: int, many: int) -> list[memoryview]:
    """Rooms for so many processes, in a file that all of them have open."""
    whole = memoryview(mmap(descriptor, many * ROOM))
    return [whole[begins : begins + ROOM] for begins in range(0, many * ROOM, ROOM)]


def grows(name: str) -> bool:
    """Whether a number only grows.

    >>> grows('kalooki_saves_total{outcome="saved"}'), grows("kalooki_streams")
    (True, False)
    """
    return name.partition("{")[0].endswith("_total")


def _names(room: memoryview) -> Iterator[tuple[int, str]]:
    """Where each number begins, and its name."""
    for begins in range(0, len(room), _WIDTH):
        name = bytes(room[begins + _NUMBER : begins + _WIDTH]).rstrip(b"\0")
        if not name:
            return
        yield begins, name.decode()


OWN = Tally()
"""What this process counts."""
add = OWN.add
