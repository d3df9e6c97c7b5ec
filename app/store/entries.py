"""Entries: start, read and extend a game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from app.kalooki.readers import usable_submission
from app.store.changes import changing, signal
from app.store.database import (
    CODE_LETTERS,
    Locked,
    NoSuchGame,
    is_code,
    letters,
    now,
    reading,
    shown,
    writing_transaction,
)
from app.store.grants import first_secret, insert_grant, starters_secret
from app.store.tables import entry, game

Event: TypeAlias = dict[str, Any]

# built once, because every request asks
_LETTERS = sa.select(sa.func.sum(sa.func.length(entry.c.data))).join(game).where(game.c.code == sa.bindparam("code"))
_FROM_ONE_ON = (
    sa.select(entry.c.seq, entry.c.data, entry.c.actor, entry.c.at, game.c.signals)
    .join(game)
    .where(game.c.code == sa.bindparam("code"), entry.c.seq >= sa.bindparam("first"))
    .order_by(entry.c.seq)
)
_SENT_AS = sa.select(entry.c.seq).where(
    entry.c.game_id == sa.bindparam("game"), entry.c.submission == sa.bindparam("submission")
)
_ADD = sa.insert(entry)
_BEFORE = game.alias("before")
_AFTER = (
    sa.select(game.c.code)
    .join(_BEFORE, game.c.rematch_of == _BEFORE.c.id)
    .where(_BEFORE.c.code == sa.bindparam("code"))
    .order_by(game.c.id.desc())
)


class StoredEntry(NamedTuple):
    """One recorded event: numbered from 1, `at` in UTC to the second, `actor` as shown."""

    seq: int
    event: Event
    actor: str
    at: str


class Log(NamedTuple):
    """Everything recorded of one game, in order; never empty.

    `signals` counts the changes besides entries, up to when the log was read. `size` adds up all events.
    """

    code: str
    entries: tuple[StoredEntry, ...]
    signals: int = 0
    size: int = 0

    @property
    def last(self) -> int:
        """The number of the newest entry."""
        return self.entries[-1].seq


class NewGame(NamedTuple):
    """A game just started, or (`repeated`) the one this submission had started before."""

    code: str
    secret: str
    repeated: bool


class StartedBefore(NamedTuple):
    """This submission already started the game `code`, but no longer gives the right to write in it."""

    code: str


@dataclass(frozen=True)
class StartedOtherwise:
    """This submission already started a game with other contents."""


Beginning: TypeAlias = NewGame | StartedBefore | StartedOtherwise


def size_of(text: str) -> int:
    """How much room an event takes, given its JSON as stored.

    Counts the characters, plus a charge for each list and object: an empty one takes as much memory as twenty of them.

    >>> size_of('{"kind":"void"}')
    35
    """
    return len(text) + 20 * (text.count("{") + text.count("["))


def new_game(first_event: Event, submission: str, actor: str) -> Beginning:
    """Start a game with its first entry and mint its scorer's secret.

    The same submission with the same contents gets the same code and secret for some minutes, while that right stands
    and until the links are reset.
    """
    return import_log((StoredEntry(1, first_event, actor, now()),), submission, actor)


def import_log(entries: Sequence[StoredEntry], submission: str, actor: str) -> Beginning:
    """Import a whole log as a new game; repeated submissions as in `new_game`.

    Entries are numbered from 1 without a gap, in order, and keep their time and actor; `actor` fills in for an entry
    without one.
    """
    if not entries or [each.seq for each in entries] != list(range(1, len(entries) + 1)):
        raise ValueError("a log's entries are numbered from 1 without a gap")
    _require_usable(submission)
    named = (each if each.actor else each._replace(actor=actor) for each in entries)
    rows = [_row(each, _part(submission, each.seq)) for each in named]
    try:
        with writing_transaction() as connection:
            return _started(connection, rows, submission)
    except sa.exc.IntegrityError:  # another process stored the same submission first: now it is found
        with writing_transaction() as connection:
            return _started(connection, rows, submission)


def _started(connection: sa.Connection, rows: list[dict[str, object]], submission: str) -> Beginning:
    """The game that `submission` started before, or the one it starts now."""
    found = connection.execute(sa.select(game.c.id, game.c.code).where(game.c.submission == submission)).first()
    if found:
        return _repeated_start(connection, found, rows, submission)
    fresh = {"code": letters(CODE_LETTERS), "submission": submission, "created_at": now()}
    insert = sa.insert(game).values(fresh).returning(game.c.id)
    game_id = connection.execute(insert).scalar_one()
    _insert(connection, game_id, rows)
    secret = first_secret(fresh["code"], submission)
    return NewGame(fresh["code"], insert_grant(connection, game_id, "scorer", secret=secret), repeated=False)


def _repeated_start(
    connection: sa.Connection, started: sa.Row[Any, Any], rows: list[dict[str, object]], submission: str
) -> Beginning:
    if not _is_same_start(connection, started.id, rows):
        return StartedOtherwise()
    secret = starters_secret(connection, started.id, submission)
    return StartedBefore(started.code) if secret is None else NewGame(started.code, secret, repeated=True)


def _is_same_start(connection: sa.Connection, game_id: int, rows: list[dict[str, object]]) -> bool:
    """Whether the game began with exactly these entries."""
    saved = connection.execute(sa.select(entry.c.submission, entry.c.data).where(entry.c.game_id == game_id))
    began = {row.submission: row.data for row in saved}
    sent = {row["submission"]: row["data"] for row in rows}
    came_with_it = {name for name in began if "\n" in name or name == rows[0]["submission"]}
    return came_with_it == set(sent) and all(began[name] == sent[name] for name in sent)


def _part(submission: str, seq: int) -> str:
    """The submission of one entry of an imported log; a line break in it tells it from any form's submission."""
    return submission if seq == 1 else f"{submission}\n{seq}"


def read(code: str, known: Log | None = None) -> Log | None:
    """The whole log of a game by its code, or None: one SQL statement.

    `known` is an earlier read of it. Entries never change, so this fetches only newer ones and the last known one: if
    that differs, somebody has replaced the database.
    """
    if not is_code(code):
        return None
    with reading() as connection:
        return _known_and_newer(connection, code, known)


def _known_and_newer(connection: sa.Connection, code: str, known: Log | None) -> Log | None:
    rows = _rows(connection, code, known.last if known else 1)
    if known and (not rows or _entry(rows[0]) != known.entries[-1]):
        known, rows = None, _rows(connection, code, 1)
    if not rows:
        return None
    newer = rows[1:] if known else rows
    before, room = (known.entries, known.size) if known else ((), 0)
    entries = before + tuple(map(_entry, newer)) if newer else before
    return Log(code, entries, rows[0].signals, room + sum(size_of(row.data) for row in newer))


def letters_in(code: str) -> int:
    """The total characters of a game's stored events; 0 if there is no such game."""
    with reading() as connection:
        found: int | None = connection.execute(_LETTERS, {"code": code}).scalar()
    return found or 0


def saved_as(code: str, submission: str) -> int | None:
    """The number of the entry a submission was saved as; None if it was not."""
    with reading() as connection:
        found: int | None = connection.execute(
            sa.select(entry.c.seq).join(game).where(game.c.code == code, entry.c.submission == submission)
        ).scalar()
    return found


def codes() -> tuple[str, ...]:
    """The codes of all games, oldest first."""
    with reading() as connection:
        return tuple(connection.execute(sa.select(game.c.code).order_by(game.c.id)).scalars())


def play_on(code: str, rematch: str) -> None:
    """Note that the table of the game `code` plays on in the game `rematch`, and tell every phone that shows `code`.

    Raises `NoSuchGame`, and `RightGone` if a right this request relies on was revoked.
    """
    with changing(code) as (connection, before):
        connection.execute(sa.update(game).where(game.c.code == rematch).values(rematch_of=before.id))
        signal(connection, before.id)


def rematch_of(code: str) -> str | None:
    """The code of the newest game in which the table of the game `code` plays on."""
    if not is_code(code):
        return None
    with reading() as connection:
        found: str | None = connection.execute(_AFTER, {"code": code}).scalar()
    return found


class Writing:
    """A game's log while nobody else may write: its entries, and a way to add one."""

    def __init__(self, connection: sa.Connection, locked: Locked, log: Log) -> None:
        self._connection = connection
        self._game_id = locked.id
        self.log = log

    def sent_before(self, submission: str) -> StoredEntry | None:
        """The entry this submission was saved as, if any."""
        _require_usable(submission)
        number = self._connection.execute(_SENT_AS, {"game": self._game_id, "submission": submission}).scalar()
        return None if number is None else self.log.entries[number - 1]

    def append(self, event: Event, submission: str, actor: str) -> Log:
        """The log with one more event; raises ValueError for an unusable submission."""
        _require_usable(submission)
        kept = StoredEntry(self.log.last + 1, event, shown(actor), now())
        row = _row(kept, submission)
        _insert(self._connection, self._game_id, [row])
        size = self.log.size + size_of(str(row["data"]))
        self.log = self.log._replace(entries=(*self.log.entries, kept), size=size)
        return self.log


@contextmanager
def writing(code: str, known: Log | None = None) -> Iterator[Writing]:
    """The log of a game, locked in one transaction until the next entry is judged and written.

    `known` as in `read`. Raises `NoSuchGame` and `RightGone`.
    """
    with changing(code) as (connection, locked):
        log = _known_and_newer(connection, code, known)
        if log is None:
            raise NoSuchGame(code)
        yield Writing(connection, locked, log)


def _insert(connection: sa.Connection, game_id: int, rows: Sequence[dict[str, object]]) -> None:
    connection.execute(_ADD, [{"game_id": game_id, **row} for row in rows])


def _require_usable(submission: str) -> None:
    if not usable_submission(submission):
        raise ValueError("a submission is 1 to 100 characters, none of them a control character")


def _rows(connection: sa.Connection, code: str, first: int) -> Sequence[sa.Row[Any, Any, Any, Any, Any]]:
    """The log from entry `first` on."""
    return connection.execute(_FROM_ONE_ON, {"code": code, "first": first}).all()


def _entry(row: sa.Row[Any, Any, Any, Any, Any]) -> StoredEntry:
    return StoredEntry(row.seq, json.loads(row.data), row.actor, row.at)


def as_kept(event: Event) -> str:
    """An event as stored; equal events give equal texts."""
    return json.dumps(event, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _row(each: StoredEntry, submission: str) -> dict[str, object]:
    return {
        "seq": each.seq,
        "submission": submission,
        "data": as_kept(each.event),
        "actor": shown(each.actor),
        "at": shown(each.at),
    }
