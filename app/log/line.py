"""A server's own line to PostgreSQL: others see by it that a server runs, and news come by it.

A pooler that lends its connections for a transaction each keeps no lock and passes no news on. Where every way leads
through one, a row says that a server runs, and the server asks for news.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event
from time import monotonic
from typing import Any

import sqlalchemy as sa

from app.log.database import IN_USE_LOCK, SHARED
from app.log.tables import pulse
from app.log.trouble import Unavailable, noticed

BEAT = 10.0
"""Seconds between two signs of life in the row."""
_RENEWED = sa.update(pulse).values(served_at=sa.cast(sa.func.now(), sa.Text)).where(SHARED)
_SINCE = sa.func.now() - sa.cast("30 seconds", sa.Interval)
_IS_SERVED = sa.select(sa.cast(pulse.c.served_at, sa.TIMESTAMP(timezone=True)) > _SINCE)


class OwnLine:
    """The line of one process, held from now on; raises Unavailable, if somebody moves the database `locked`."""

    def __init__(self, engine: sa.Engine, way: sa.Engine, *, is_direct: bool) -> None:
        """`way` keeps no connections; that it leads around a pooler is found out, unless it is known."""
        self.is_over = Event()
        self._engine = engine
        self._way = way
        self._is_direct = is_direct
        self._due = 0.0
        self._connection: sa.Connection | None = None
        self._driver: Any = None
        self._take()

    @contextmanager
    def held(self) -> Iterator[Any]:
        """The driver's connection, taken again if it was lost; None where every way leads through a pooler."""
        if not self._driver:
            self._take()
        try:
            yield self._driver
        finally:
            self._lose()

    def renew(self) -> None:
        """Say in the row that a server runs, whenever it is time to; raises Unavailable."""
        if monotonic() < self._due:
            return
        with noticed(), self._engine.begin() as connection:
            if not connection.execute(_RENEWED).rowcount:
                raise Unavailable("locked")
        self._due = monotonic() + BEAT

    def end(self) -> None:
        """Wake whoever listens, who then gives it up for good."""
        self.is_over.set()
        driver = self._driver
        with suppress(OSError, self._way.dialect.loaded_dbapi.Error):
            if driver:
                socket.socket(fileno=os.dup(driver.fileno())).shutdown(socket.SHUT_RDWR)

    def _take(self) -> None:
        with noticed():
            connection = self._way.connect()
            driver: Any = connection.connection.driver_connection
            if (
                not self._is_direct
                and connection.scalar(sa.select(sa.func.pg_backend_pid())) != driver.info.backend_pid
            ):
                connection.close()  # a pooler tells a number of its own
                self.renew()
                return
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock_shared(IN_USE_LOCK))):
                connection.close()
                raise Unavailable("locked")
        self._connection, self._driver = connection, driver

    def _lose(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection:
            with suppress(sa.exc.SQLAlchemyError):
                connection.close()


def is_served(connection: sa.Connection) -> bool:
    """Whether a server without a line has said of late that it runs."""
    return bool(connection.scalar(_IS_SERVED))
