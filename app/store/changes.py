"""Changes of a game: each needs its right to the end, and tells everybody who waits how far the game has come.

A change is told in its own process once its request is answered: whoever waits for the answer comes first, and dozens
of phones ask as soon as they hear. Other processes learn of it by their line to PostgreSQL; while somebody waits, they
look at SQLite's file several times a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from blinker import Signal
from flask import Flask, current_app

from app.store.database import Locked, NoSuchGame, file_in_use, is_code, locked_game, reading, writing_transaction
from app.store.file import File
from app.store.line import OwnLine
from app.store.tables import db, entry, game, grant, may_record
from app.store.trouble import Unavailable

# built once, because every phone asks every few seconds
_EDITIONS = (
    sa.select(game.c.code, sa.func.max(entry.c.seq), game.c.signals).join(entry).group_by(game.c.code, game.c.signals)
)
_OF_ONE = _EDITIONS.where(game.c.code == sa.bindparam("code"))
_OF_SEVERAL = _EDITIONS.where(game.c.code.in_(sa.bindparam("codes", expanding=True)))
CHANNEL = "kalooki"
LOOKS = 0.25  # seconds between two checks of SQLite's file: one pragma, about ten microseconds
LULL = 5.0  # seconds after which the listener checks whether anybody still waits
AFTER_TROUBLE = 1.0
_PUBLISHER = "publisher"
_RELIED_ON = "grants_relied_on"
_AFTERWARDS = "told_afterwards"
_STANDS = (
    sa.select(may_record)
    .join_from(grant, game)
    .where(grant.c.id == sa.bindparam("grant"), grant.c.revoked_at.is_(None))
)


class Version(NamedTuple):
    """The number of a game's newest entry, and how often anything else that all phones show has changed.

    It only grows, and is written `5.2`.
    """

    seen: int
    signals: int

    def __str__(self) -> str:
        return f"{self.seen}.{self.signals}"


NOTHING = Version(0, 0)
game_changed = Signal("what all phones show of the game `code` has changed, and is stored")


def version(code: str) -> Version | None:
    """How far a game has come, or None if there is no such game: one SQL statement."""
    if not is_code(code):
        return None
    with reading() as connection:
        return _version(connection, code)


def versions(codes: Collection[str]) -> dict[str, Version]:
    """How far each of these games has come; a code without a game is left out: one SQL statement."""
    with reading() as connection:
        rows = connection.execute(_OF_SEVERAL, {"codes": tuple(codes)})
        return {code: Version(seen, signals) for code, seen, signals in rows}


class RightGone(Exception):
    """The right a change relied on was revoked or reduced while it waited for its turn: nothing was stored."""


class NeededRight(NamedTuple):
    """The grant that a change relies on, and whether it must be one to record."""

    grant_id: int
    records: bool


def ask_rights_of(app: Flask, relied_on: Callable[[str], NeededRight | None]) -> None:
    """Before each change of a game, ask `relied_on` for the right that must stand; None for none."""
    app.extensions[_RELIED_ON] = relied_on


def tell_afterwards(app: Flask, when: Callable[[Callable[[], object]], object]) -> None:
    """Give `when` what tells of a change, to be called when the request that made it is answered."""
    app.extensions[_AFTERWARDS] = when


@contextmanager
def changing(code: str) -> Iterator[tuple[sa.Connection, Locked]]:
    """One transaction on that game; tells everybody who waits once it commits.

    Raises `NoSuchGame`, and `RightGone` if a right this request relies on was revoked or reduced in the meantime.
    """
    publisher = _publisher()
    reached: Version | None = NOTHING
    publisher.hold(code)  # before others can hear that this has committed
    try:
        with writing_transaction() as connection:
            locked = locked_game(connection, code)
            _require_right(connection, code)
            yield connection, locked
            now = _version(connection, code)
            if now and connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{code} {now.seen} {now.signals}")))
        reached = now  # not before it is stored
        game_changed.send(None, code=code)
    finally:
        afterwards = current_app.extensions.get(_AFTERWARDS, lambda tell: tell())
        afterwards(partial(publisher.release, code, reached))


def _require_right(connection: sa.Connection, code: str) -> None:
    """Raise `RightGone` unless the right relied on still stands; the game is locked, so it stays until the end."""
    needed: NeededRight | None = current_app.extensions[_RELIED_ON](code)
    if needed is None:
        return
    standing = connection.execute(_STANDS, {"grant": needed.grant_id}).first()
    if standing is None or (needed.records and not standing[0]):
        raise RightGone


def signal(connection: sa.Connection, game_id: int) -> None:
    """Record that something besides the entries has changed; only inside `changing`."""
    connection.execute(sa.update(game).where(game.c.id == game_id).values(signals=game.c.signals + 1))


def _version(connection: sa.Connection, code: str) -> Version | None:
    found = connection.execute(_OF_ONE, {"code": code}).first()
    return Version(*found[1:]) if found else None


class Listener:
    """One waiter for a game; `close` frees its place."""

    def __init__(self, publisher: Publisher, code: str) -> None:
        self._publisher = publisher
        self._tell: Callable[[Version | None], object] | None = None
        self.code = code
        self.known = NOTHING

    def hear(self, tell: Callable[[Version | None], object]) -> None:
        """Call `tell` now, at each change, and with None at the end.

        The end comes when the game no longer has that code, or nobody can say. The thread that makes a change calls.
        """
        self._tell = tell
        self.inform(self._publisher.newest(self.code))

    def inform(self, now: Version | None) -> None:
        """Somebody says how far the game has come."""
        if self._tell:
            self.known = now or self.known
            self._tell(now)

    def close(self) -> None:
        self._publisher.leave(self)


def listen(code: str, most: int) -> Listener | None:
    """A place to wait for a game, or None if all `most` places of this process are taken.

    The first it hears is the current edition. Raises `NoSuchGame`.
    """
    publisher = _publisher()
    listener = publisher.join(code, most)
    if listener is None:
        return None
    now = version(code)  # read after joining, so that no change slips between
    if now is None:
        listener.close()
        raise NoSuchGame(code)
    publisher.tell(code, now)
    return listener


def _publisher() -> Publisher:
    publisher: Publisher = current_app.extensions.setdefault(_PUBLISHER, Publisher(db.engine, file_in_use()))
    return publisher


def open_publisher(line: OwnLine) -> None:
    """Follow changes by this application's line to PostgreSQL, and keep that, until the database is closed."""
    current_app.extensions[_PUBLISHER] = Publisher(db.engine, None, line)


def close_publisher() -> None:
    """Give up the line, if there is one."""
    publisher: Publisher | None = current_app.extensions.pop(_PUBLISHER, None)
    if publisher:
        publisher.close()


class Publisher:
    """What one process knows of the games somebody waits for."""

    def __init__(self, engine: sa.Engine, file: File | None, line: OwnLine | None = None) -> None:
        self._engine = engine
        self._file = file
        self._line = line
        self._troubles = (sa.exc.SQLAlchemyError, engine.dialect.loaded_dbapi.Error, Unavailable)
        self._lock = threading.Lock()
        self._newest: dict[str, Version] = {}
        self._held: dict[str, Version] = {}
        """What was heard of games that are being changed here."""
        self._listeners: dict[str, set[Listener]] = {}
        self._follower: threading.Thread | None = None
        self._hear = partial(self._hear_postgresql, line) if line else self._hear_sqlite
        if line:
            self._begin()

    def close(self) -> None:
        """Give up the line, if there is one."""
        follower = self._follower
        if self._line and follower:
            self._line.end()
            follower.join(LULL)

    def join(self, code: str, most: int) -> Listener | None:
        with self._lock:
            if sum(map(len, self._listeners.values())) >= most:
                return None
            listener = Listener(self, code)
            self._listeners.setdefault(code, set()).add(listener)
            self._newest.setdefault(code, NOTHING)
            if not self._follower:
                self._begin()
        return listener

    def newest(self, code: str) -> Version:
        with self._lock:
            return self._newest[code]

    def leave(self, listener: Listener) -> None:
        with self._lock:
            others = self._listeners.get(listener.code, set()) - {listener}
            if others:
                self._listeners[listener.code] = others
            elif self._listeners.pop(listener.code, None):
                del self._newest[listener.code]

    def hold(self, code: str) -> None:
        """Keep what is heard of that game to ourselves, until it is released."""
        with self._lock:
            self._held.setdefault(code, NOTHING)

    def heard(self, code: str, now: Version) -> None:
        """Tell what was heard of that game, unless it is held."""
        with self._lock:
            if code in self._held:
                self._held[code] = max(self._held[code], now)
                return
        self.tell(code, now)

    def release(self, code: str, now: Version | None) -> None:
        """Tell how far that game has come, by what was heard meanwhile too; None if nobody can say any more."""
        with self._lock:
            heard = self._held.pop(code, NOTHING)
        if now:
            self.tell(code, max(heard, now))
        else:
            self.end([code])

    def tell(self, code: str, now: Version) -> None:
        """Tell everybody who waits for that game, unless they already know more."""
        with self._lock:
            if code not in self._newest or now <= self._newest[code]:
                return
            self._newest[code] = now
            listeners = tuple(self._listeners[code])
        for each in listeners:
            each.inform(now)

    def end(self, codes: Collection[str]) -> None:
        """Nobody can say any more how far these games have come."""
        with self._lock:
            listeners = [each for code in codes for each in self._listeners.get(code, ())]
        for each in listeners:
            each.inform(None)

    def _begin(self) -> None:
        self._follower = threading.Thread(target=self._follow, name="news", daemon=True)
        self._follower.start()

    def _follow(self) -> None:
        """Hear of changes by other processes: by a line as long as it is held, otherwise while anybody waits here."""
        while self._is_wanted():
            try:
                self._hear()
            except self._troubles:
                self.end(tuple(self._newest))
                time.sleep(AFTER_TROUBLE)

    def _is_wanted(self) -> bool:
        with self._lock:
            is_wanted = not self._line.is_over.is_set() if self._line else bool(self._listeners)
            if not is_wanted:
                self._follower = None
            return is_wanted

    def _catch_up(self) -> None:
        with self._lock:
            codes = tuple(self._newest)
        if not codes:
            return
        with self._engine.connect() as connection:
            rows = connection.execute(_OF_SEVERAL, {"codes": codes})
            found = {code: Version(seq, signals) for code, seq, signals in rows}
        for code, now in found.items():
            self.heard(code, now)
        self.end([code for code in codes if code not in found])

    def _hear_sqlite(self) -> None:
        connection = self._engine.raw_connection()
        driver: Any = connection.driver_connection
        connection.detach()  # out of the pool for good
        try:
            seen = None
            until = time.monotonic() + LULL
            while time.monotonic() < until:
                if self._file:
                    self._file.require_same()
                (now,) = driver.execute("PRAGMA data_version").fetchone()
                if now != seen:
                    self._catch_up()
                seen = now
                time.sleep(LOOKS)
        finally:
            driver.close()

    def _hear_postgresql(self, line: OwnLine) -> None:
        try:
            with line.held() as driver:
                self._be_told(line, driver)
        except self._troubles:
            self._catch_up()  # as long as the database answers, no phone need know
            line.is_over.wait(AFTER_TROUBLE)

    def _be_told(self, line: OwnLine, driver: Any) -> None:
        driver.execute(f"LISTEN {CHANNEL}")
        self._catch_up()  # changes made while nobody listened
        while not line.is_over.is_set():
            for heard in driver.notifies(timeout=LULL):
                code, seq, signals = heard.payload.split()
                self.heard(code, Version(int(seq), int(signals)))
            self._catch_up()  # a game may have a new code
