"""Days and times at the table: the log stores UTC, and people read the clock on their wall."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from flask import current_app

DAY_LASTS_UNTIL = timedelta(hours=6)
"""How long after midnight a day at the table lasts."""
NOON = "12:00"
"""The time given to a sheet copied from paper, which has only a day."""
_LOCAL_TIME, _NAME_OF_ZONE = Path("/etc/localtime"), Path("/etc/timezone")


def now() -> str:
    """Return the time in UTC to the second, as the log stores it: 2025-12-31T20:15:00Z."""
    return ago()


def ago(**since: float) -> str:
    """Return the time that long ago (arguments as of `timedelta`), in the format of `now`."""
    return f"{current_app.config['CLOCK']() - timedelta(**since):%Y-%m-%dT%H:%M:%SZ}"


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    """Return whether this is the IANA name of a time zone.

    >>> is_zone("America/Jamaica"), is_zone("Jamaica/Kingston"), is_zone("")
    (True, False, False)
    """
    return name in _zones()


def server_zone() -> str:
    """Return the name of this machine's own time zone; UTC if unknown."""
    return next(filter(is_zone, _candidates()), "UTC")


def known_zone(name: str) -> str:
    """Return `name` if a time zone has that name, otherwise the name of the server's own."""
    return name if is_zone(name) else server_zone()


def _candidates() -> Iterator[str]:
    """Yield possible names of this machine's time zone, the likeliest first."""
    yield os.environ.get("TZ", "").removeprefix(":")
    with suppress(OSError):
        yield os.readlink(_LOCAL_TIME).partition("zoneinfo/")[2]  # noqa: PTH115 - called for every day and time shown
    if _NAME_OF_ZONE.is_file():
        yield _NAME_OF_ZONE.read_text(encoding="utf-8").strip()


def moment(at: str) -> datetime | None:
    """Return a time of the log as a datetime; None for any other text, which an imported game may have instead."""
    with suppress(ValueError):
        read = datetime.fromisoformat(at)
        if MINYEAR < read.year < MAXYEAR:  # valid in every zone
            return read if read.tzinfo else read.replace(tzinfo=UTC)
    return None


def until_now(at: str) -> str:
    """Return a time in the format of `now`, at most now, as anything that has happened; empty for any other text."""
    read = moment(at)
    return min(f"{read.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z", now()) if read else ""


def on_the_wall(at: str, zone: str) -> str:
    """Return a time of the log on a clock in that zone; anything else stays as it is.

    >>> on_the_wall("2026-11-22T01:15:00Z", "America/Jamaica")
    '2026-11-21 20:15'
    """
    read = moment(at)
    return f"{read.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" if read else at[:16].replace("T", " ")


def day_at_table(clock: str) -> str:
    """Return the day at the table (the evening) of a local time: it lasts until six in the morning.

    >>> day_at_table("2026-11-22 05:59"), day_at_table("2026-11-22 06:00"), day_at_table("long ago")
    ('2026-11-21', '2026-11-22', 'long ago')
    """
    with suppress(ValueError, OverflowError):
        return f"{datetime.fromisoformat(clock) - DAY_LASTS_UNTIL:%Y-%m-%d}"
    return clock[:10]


def time_at_table(clock: str) -> str:
    """Return a time of day as people read it beside the day at the table.

    >>> time_at_table("20:15"), time_at_table("00:46"), time_at_table("")
    ('20:15', '00:46 after midnight', '')
    """
    return f"{clock} after midnight" if clock and day_at_table(f"2000-01-02 {clock}") == "2000-01-01" else clock


def today(zone: str) -> str:
    """Return the day it is now in that zone."""
    return on_the_wall(now(), zone)[:10]


def noon(day: str, zone: str) -> str | None:
    """Return noon of a day (2026-11-21) in that zone, as the log stores it; None if it is not a day.

    >>> noon("2026-11-21", "Pacific/Auckland")
    '2026-11-20T23:00:00Z'
    """
    with suppress(ValueError, OverflowError):
        read = datetime.strptime(day, "%Y-%m-%d").replace(hour=12, tzinfo=ZoneInfo(zone))
        return f"{read.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return None


def last_noon(zone: str) -> str:
    """Return the noon that was last in that zone, as the log stores it."""
    morning = datetime.fromisoformat(on_the_wall(now(), zone)) - timedelta(hours=12)
    return noon(f"{morning:%Y-%m-%d}", zone) or now()
