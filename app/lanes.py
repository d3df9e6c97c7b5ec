"""Lanes: few requests are computed at once, and what takes long gives way to what is quick.

Python computes one thread at a time: whatever is under way shares the time with all the rest. What a request will cost
is what others to the same address cost lately.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

Job = TypeVar("Job")

SENDING, ASKING, SLOW = "sending", "asking", "slow"
PLACES = {SENDING: 2, ASKING: 1, SLOW: 1}
"""How many are computed at once: quick ones that send something, quick ones that only ask, slow ones; in the order in
which they begin."""
LONG = 0.1
"""Seconds of processor from which a request is slow."""
OVERDUE = 0.2
"""Seconds after which one that was thought quick is slow."""
MOST_SLOW = 3
"""Slow ones up to which one that is overdue makes room for a quick one: beyond, all together would only take longer."""
PATIENCE = {SENDING: 0.0, ASKING: 0.2, SLOW: 2.0}
"""Seconds for which the first of a lane waits while any of the lanes before it wait, or a save is computed: what is
computed beside a save takes time from it."""
DEARER, CHEAPER = 0.4, 0.1
"""How much the last time counts in what an address costs, if it cost more and if it cost less than was thought."""
MOST_KNOWN = 4096


@dataclass(eq=False)
class Place(Generic[Job]):
    """A job that may be computed once it has begun."""

    job: Job
    address: str
    _lanes: Lanes[Job]
    since: float = 0.0
    """When it came to wait; then when it began."""
    is_slow: bool = False

    def leave(self) -> None:
        """Let others be computed: this job waits for something else, or has ended."""
        self._lanes.leave(self)

    def go_on_slowly(self) -> None:
        """Wait for a place among what is slow."""
        begun: Future[None] = Future()
        self._lanes.enter(SLOW, self, lambda _: begun.set_result(None))
        begun.result()


@dataclass
class _Lane(Generic[Job]):
    places: int
    waiting: deque[tuple[Place[Job], Callable[[Place[Job]], None]]] = field(default_factory=deque)
    computed: set[Place[Job]] = field(default_factory=set)


class Lanes(Generic[Job]):
    """Jobs that one thread puts in and others take out."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane[Job]] = {name: _Lane(places) for name, places in PLACES.items()}
        self._ready: SimpleQueue[Place[Job]] = SimpleQueue()
        self._costs: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def put(self, job: Job, address: str, *, sends: bool, is_slow: bool = False) -> None:
        """Let a job wait for a place; it is slow if that is known, or if its address was dear lately."""
        place = Place(job, address, self, is_slow=is_slow or self._costs.get(address, 0) > LONG)
        self.enter(SLOW if place.is_slow else SENDING if sends else ASKING, place, self._ready.put)

    def take(self) -> Place[Job]:
        """The next job that has a place, as soon as there is one."""
        return self._ready.get()

    def enter(self, lane: str, place: Place[Job], begin: Callable[[Place[Job]], None]) -> None:
        """Call `begin` once there is a place in a lane."""
        place.since = monotonic()
        with self._lock:
            self._lanes[lane].waiting.append((place, begin))
            self._go_on()

    def leave(self, place: Place[Job]) -> None:
        """Give up a place, if it is still held."""
        with self._lock:
            for lane in self._lanes.values():
                lane.computed.discard(place)
            self._go_on()

    def learn(self, address: str, seconds: float) -> None:
        """What an address has cost."""
        with self._lock:
            change = seconds - self._costs.pop(address, 0)
            self._costs[address] = seconds - change * (1 - (DEARER if change > 0 else CHEAPER))
            if len(self._costs) > MOST_KNOWN:
                self._costs.popitem(last=False)

    def look_again(self) -> None:
        """Let those begin that have waited long enough by now: nobody may have come or gone since."""
        with self._lock:
            self._go_on()

    def _go_on(self) -> None:
        now, is_busy = monotonic(), False
        self._make_room(now)
        for name, lane in self._lanes.items():
            if lane.waiting and not (is_busy and now < lane.waiting[0][0].since + PATIENCE[name]):
                self._begin(lane, now)
            is_busy = is_busy or bool(lane.waiting) or (name == SENDING and bool(lane.computed))

    def _make_room(self, now: float) -> None:
        """Let those that are overdue go on among the slow."""
        slow = self._lanes[SLOW].computed
        for lane in (self._lanes[SENDING], self._lanes[ASKING]):
            overdue = [place for place in lane.computed if place.since < now - OVERDUE]
            moved = overdue[: max(0, MOST_SLOW - len(slow))]
            lane.computed.difference_update(moved)
            slow.update(moved)

    def _begin(self, lane: _Lane[Job], now: float) -> None:
        while lane.waiting and len(lane.computed) < lane.places:
            place, begin = lane.waiting.popleft()
            place.since = now
            lane.computed.add(place)
            begin(place)
