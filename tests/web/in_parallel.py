"""Threads of one application that do something in the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier


def at_once(app, count, work):
    """What `work` returns for each of the numbers from 0, all told to begin together."""
    together = Barrier(count)

    def begin(number):
        with app.app_context():
            together.wait()
            return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))
