"""FairLock at what is heavy: a client who asks much waits for those who ask little, and keeps nobody out."""

import threading
import time

import pytest

from app.queues import FairLock, TooMany


class Line:
    """Threads that want a turn, each started once those before it wait; they note who had it, and who was sent away."""

    def __init__(self, lock):
        self.lock = lock
        self.served, self.sent_away = [], []
        self.threads = []

    def join(self, whose):
        before = self.arrived()
        thread = threading.Thread(target=self._take, args=(whose,))
        thread.start()
        self.threads.append(thread)
        until = time.monotonic() + 10
        while self.arrived() == before:
            assert time.monotonic() < until, "neither waits nor is sent away"
            time.sleep(0.001)

    def waiting(self):
        with self.lock._lock:  # nobody sees the moment between the one who gives way and the one who takes their place
            return sum(map(len, self.lock._waiting.values()))

    def arrived(self):
        return self.waiting() + len(self.sent_away)

    def _take(self, whose):
        try:
            with self.lock.held(whose):
                self.served.append(whose)
        except TooMany:
            self.sent_away.append(whose)

    def end(self):
        for thread in self.threads:
            thread.join(10)


def test_each_client_has_one_turn_a_round():
    line = Line(FairLock(12))
    with line.lock.held("Ann"):
        for whose in ("Ann", "Ann", "Ann", "Ben", "Ben", "Cat"):
            line.join(whose)
        assert line.served == []
    line.end()
    assert line.served == ["Ann", "Ben", "Cat", "Ann", "Ben", "Ann"]
    with line.lock.held("Dan"):
        assert line.waiting() == 0


def test_whoever_has_most_waiting_gives_way_where_there_is_no_room():
    line = Line(FairLock(4))
    with line.lock.held("Ann"):
        for whose in ("Ann", "Ann", "Ann"):
            line.join(whose)
        with pytest.raises(TooMany):
            line.lock.acquire("Ann")
        line.join("Ben")
        assert line.sent_away == ["Ann"], "the newest of three"
        with pytest.raises(TooMany):
            line.lock.acquire("Ben")  # two of Ann's and one of Ben's: nobody has so many more that they gave way
    line.end()
    assert line.served == ["Ann", "Ben", "Ann"]


def test_a_turn_is_passed_on_when_the_work_fails():
    lock = FairLock(2)
    with pytest.raises(ZeroDivisionError), lock.held():
        1 / 0  # noqa: B018
    with lock.held():
        pass
