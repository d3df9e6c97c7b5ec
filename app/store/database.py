"""Transactions: how to read and write, which right a change of a game needs, and who is notified of it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import sqlalchemy as sa
from blinker import Signal
from flask import current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, aliased, mapped_column

from app.days import now
from app.store.file import File, connect
from app.store.trouble import Unavailable, translating_errors

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 5 bits a letter; without I, O, 0 and 1, which people misread
CODE_LETTERS = 11


def is_code(text: str) -> bool:
    """Return whether `text` could be the code of a game."""
    return len(text) == CODE_LETTERS and set(text) <= set(ALPHABET)


def letters(count: int) -> str:
    """Return `count` random letters, 5 bits each, easy to read out and to type."""
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def clean_label(name: str) -> str:
    """Return a name that is safe to show and store: printable characters, at most 60.

    >>> clean_label("Ann's phone" + chr(0))
    "Ann's phone"
    """
    return "".join(letter for letter in name if letter.isprintable())[:60].strip()


ROLES = ("scorer", "watch", "player", "recovery")
SCORERS = ("scorer", "recovery")
Text = Annotated[str, mapped_column(sa.Text)]


class Base(DeclarativeBase):
    """The base of all tables, which determines how constraints are named."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)
if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model


class Game(Model):
    """A game: its code, how many entries it has, and how often anything besides them has changed (`signals`).

    A row of the `kind` club is a club, whose keepers have scorers' rights.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[Text] = mapped_column(server_default="game")
    code: Mapped[Text] = mapped_column(unique=True)
    submission: Mapped[Text] = mapped_column(unique=True)
    created_at: Mapped[Text]
    signals: Mapped[int] = mapped_column(server_default="0")
    sealed_at: Mapped[Text | None]
    rematch_of: Mapped[int | None] = mapped_column(index=True)
    continues: Mapped[int | None] = mapped_column(index=True)
    only_starter_records: Mapped[bool] = mapped_column(server_default=sa.false())
    length: Mapped[int] = mapped_column(server_default="0")


class Entry(Model):
    """One recorded event; triggers prevent changing it, and deleting it before its game."""

    __table_args__ = (sa.UniqueConstraint("game_id", "submission"),)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    submission: Mapped[Text]
    data: Mapped[Text]
    actor: Mapped[Text]
    at: Mapped[Text]


class Grant(Model):
    """A right of one phone to use one game; only a hash of its secret is stored."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), index=True)
    role: Mapped[Text] = mapped_column(sa.CheckConstraint(f"role IN {ROLES}", "role"))
    seat: Mapped[int | None]
    secret_hash: Mapped[Text] = mapped_column(unique=True)
    device: Mapped[Text]
    created_at: Mapped[Text]
    revoked_at: Mapped[Text | None]


class Count(Model):
    """The cards that a player's phones handed in for the hand dealt after an entry."""

    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), primary_key=True)
    dealt_after: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cards: Mapped[Text]
    at: Mapped[Text]


class ClubGame(Model):
    """A game that counts in a club now, and whether the club's keepers may record in it, as the club's log says."""

    club_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True, index=True)
    records: Mapped[bool]


class Gone(Model):
    """The hash of a code that once led to a game."""

    code_hash: Mapped[Text] = mapped_column(primary_key=True)
    day: Mapped[Text]


FILE = "store_file"
OF_CLUB = "c/"
"""Precedes a club's code where games and clubs are named together."""
WRITES: Mapping[str, Any] = {"writes": True}
game_changed = Signal("a change to what all phones show of the game `code` has been stored")

# built once, because every phone asks every few seconds
_COUNTED = aliased(Game)
_IN_ITS_GAMES = (
    sa.select(sa.func.coalesce(sa.func.sum(_COUNTED.length + _COUNTED.signals), 0))
    .join_from(ClubGame, _COUNTED, ClubGame.game_id == _COUNTED.id)
    .where(ClubGame.club_id == Game.id)
    .scalar_subquery()
)
_HOW_FAR = (Game.length, Game.signals + _IN_ITS_GAMES)
_WATCHED = sa.case((Game.kind == "game", Game.code), else_=OF_CLUB + Game.code)
_VERSIONS = sa.select(_WATCHED, *_HOW_FAR).where(Game.code.in_(sa.bindparam("codes", expanding=True)))
_VERSION = sa.select(*_HOW_FAR).where(Game.code == sa.bindparam("code"), Game.kind == sa.bindparam("kind"))
_NEXT_SIGNAL = (
    sa.update(Game).where(Game.code == sa.bindparam("of")).values(signals=Game.signals + 1).returning(Game.id)
)
may_record = sa.or_(
    Grant.role.in_(SCORERS),
    sa.and_(Grant.role == "player", Grant.seat.is_not(None), sa.not_(Game.only_starter_records)),
)
"""The condition that a right lets its phone record: a scorer's does, a seat's unless only the starter records."""
keeps = sa.and_(ClubGame.club_id == Grant.game_id, ClubGame.records, Grant.role.in_(SCORERS))
"""The condition that a right in a club lets its phone record in a game that counts there."""
_OWN = Grant.game_id == sa.bindparam("game")
_KEEPS = sa.exists().where(keeps, ClubGame.game_id == sa.bindparam("game"))
_MAY = (
    sa.select(sa.or_(sa.not_(_OWN), may_record))
    .join_from(Grant, Game)
    .where(Grant.id == sa.bindparam("id"), Grant.revoked_at.is_(None), sa.or_(_OWN, _KEEPS))
)


class NoSuchGame(LookupError):
    """No game has this code."""


def engine_of(path: Path, mode: str) -> sa.Engine:
    """Return a new engine for an existing SQLite file; `mode` is `ro` to read or `rw` to write."""
    engine = sa.create_engine("sqlite://", creator=lambda: connect(path, mode), poolclass=sa.NullPool)
    sa.event.listen(engine, "begin", begin_on_sqlite)
    return engine


def begin_on_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction, which the driver leaves to us.

    A transaction that reads first and writes later fails at once if another one has written in between, whatever the
    timeout. So writers wait for the lock before their first statement.
    """
    driver: Any = connection.connection.driver_connection
    driver.execute("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def file_in_use() -> File | None:
    """Return this application's SQLite file, None with PostgreSQL; raises Unavailable if the database is closed."""
    if FILE not in current_app.extensions:
        raise Unavailable("unreachable")
    file: File | None = current_app.extensions[FILE]
    return file


@contextmanager
def reading() -> Iterator[sa.Connection]:
    """Yield a connection for reading; it costs half as much as a session, and every request needs one."""
    with translating_errors():
        if file := file_in_use():
            file.require_same()
        with db.engine.connect() as connection:
            yield connection


@contextmanager
def transaction() -> Iterator[sa.Connection]:
    """Yield the connection of a `db.session` that may write, and commit at the end unless something raises.

    Raises Unavailable, also if the file was replaced or truncated before or during the commit, because nobody would
    find what was written to it.
    """
    file, session = file_in_use(), db.session()
    with translating_errors(), file.write_lock() if file else nullcontext():
        if file:
            file.require_same()
        with session.begin():
            yield session.connection(execution_options=WRITES)
        if file:
            file.require_same()


def fetch(statement: sa.Executable, **values: object) -> Sequence[Any]:
    """Return the rows of a statement, read on a connection of its own."""
    with reading() as connection:
        return connection.execute(statement, values).all()


def fetch_of(code: str, statement: sa.Executable, **values: object) -> Sequence[Any]:
    """Return the rows of a statement about the game with this code; none if it cannot be the code of a game."""
    return fetch(statement, code=code, **values) if is_code(code) else []


def first_value(rows: Sequence[Any]) -> Any:
    """Return the first value of the first row; None without rows."""
    return rows[0][0] if rows else None


def ping() -> None:
    """Read, write more than recording a hand does, and delete it again; raises Unavailable."""
    probe = secrets.token_hex(8)
    with transaction() as connection:
        connection.execute(sa.select(Entry.data).limit(1)).first()
        connection.execute(sa.insert(Gone), {"code_hash": probe, "day": probe * 2_000})
        # SQLite overwrites what is deleted, so the pages are written in spite of this
        connection.execute(sa.delete(Gone).where(Gone.code_hash == probe))


class Version(NamedTuple):
    """How far a game has come: the number of its newest entry, and how many other changes all phones show.

    For a club, those are its own and all changes of the games that count in it. It only grows, and is written `5.2`.
    """

    seen: int
    signals: int

    def __str__(self) -> str:
        return f"{self.seen}.{self.signals}"


class NotAllowed(Exception):
    """The right that a change relied on was revoked or reduced while the change waited; nothing was stored."""


def version(code: str, kind: str = "game") -> Version | None:
    """Return how far a game or a club has come, or None if there is no such one."""
    rows = fetch_of(code, _VERSION, kind=kind)
    return Version(*rows[0]) if rows else None


def versions(codes: Collection[str]) -> dict[str, Version]:
    """Return how far each of these games has come, leaving out codes without a game; one SQL statement.

    A club's code is preceded by `c/`.
    """
    bare = [code.removeprefix(OF_CLUB) for code in codes]
    rows = fetch(_VERSIONS, codes=[code for code in bare if is_code(code)])
    by_code = {code: Version(seen, signals) for code, seen, signals in rows}
    return {code: by_code[code] for code in codes if code in by_code}


_RESET = "\nreset"
"""Appended to a code for a second hash that says its links were reset; no code contains a line break."""


def mark_gone(code: str, *, by_reset: bool = False) -> None:
    """Store, inside the caller's transaction, that this code no longer leads to its game."""
    day = now()[:10]
    db.session.add(Gone(code_hash=_fingerprint(code), day=day))
    if by_reset:
        db.session.add(Gone(code_hash=_fingerprint(code + _RESET), day=day))


def is_gone(code: str, *, by_reset: bool = False) -> bool:
    """Return whether a code led to a game that was deleted or got another code; with `by_reset`, only the latter."""
    text = code + _RESET if by_reset else code
    return bool(fetch(sa.select(Gone.day).where(Gone.code_hash == _fingerprint(text))))


def _fingerprint(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()  # a code has 55 random bits, too many to try


@contextmanager
def writing(
    code: str,
    grant_id: int | None = None,
    *,
    to_record: bool = False,
    advance: sa.Executable = _NEXT_SIGNAL,
    **values: object,
) -> Iterator[int]:
    """Yield the id of a game inside a transaction that changes it, and notify everybody after the commit.

    `advance` is the first statement: it moves the game's version on and returns its id, and so locks the game's row.
    Raises `NoSuchGame`, and `NotAllowed` if the grant was revoked in the meantime or, where it is needed `to_record`,
    may no longer record. It may be a grant of a club whose keepers record in the game.
    """
    with transaction() as connection:
        game_id = connection.execute(advance, {"of": code, **values}).scalar()
        if game_id is None:
            raise NoSuchGame(code)
        # the game's row is locked, so the right stays valid until the commit
        if grant_id is not None:
            may = connection.execute(_MAY, {"id": grant_id, "game": game_id}).first()
            if may is None or (to_record and not may[0]):
                raise NotAllowed
        yield game_id
    game_changed.send(None, code=code)
