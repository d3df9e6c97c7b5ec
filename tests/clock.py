"""A clock that a test moves: `app.config["CLOCK"] = Clock()`."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Tells a quarter past eight on a Saturday evening, in UTC, until it is moved."""

    def __init__(self):
        self.time = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)

    def __call__(self):
        return self.time

    def move(self, **by):
        """Put it forward, or back: `move(minutes=10)`, `move(days=-1)`."""
        self.time += timedelta(**by)
