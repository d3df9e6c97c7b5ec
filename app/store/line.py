"""A server's own line to PostgreSQL: others see by it that a server runs, and news come by it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

import sqlalchemy as sa

from app.store.database import IN_USE_LOCK
from app.store.trouble import Unavailable, noticed


class OwnLine:
    """The line of one process, held from now on; raises Unavailable, if somebody replaces the database (`locked`)."""

    def __init__(self, way: sa.Engine) -> None:
        """`way` keeps no connections."""
        self.is_over = Event()
        self._way = way
        self._connection: sa.Connection | None = None
        self._driver: Any = None
        self._take()

    @contextmanager
    def held(self) -> Iterator[Any]:
        """The driver's connection, taken again if it was lost."""
        if not self._driver:
            self._take()
        try:
            yield self._driver
        finally:
            self._lose()

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
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock_shared(IN_USE_LOCK))):
                connection.close()
                raise Unavailable("locked")
        self._connection, self._driver = connection, connection.connection.driver_connection

    def _lose(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection:
            with suppress(sa.exc.SQLAlchemyError):
                connection.close()
