"""Grants: what the bearer of a secret link may do in one game."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa
from flask import current_app

from app.store.changes import changing, signal
from app.store.database import ALPHABET, CODE_LETTERS, is_code, letters, now, reading, seconds_since, shown
from app.store.gone import mark_gone
from app.store.tables import SCORERS, game, grant, may_record

SECRET_LETTERS = 20


class Grant(NamedTuple):
    """A right to use one game, which one phone has.

    A phone that joined has the role `player`: of a `seat`, or of none, and then it only watches. Links of 0.1 to 0.3
    are rights too, which name no device: many phones may use one, and a player's without a seat gives each its own.
    """

    id: int
    role: str
    seat: int | None
    device: str
    created_at: str
    revoked_at: str | None
    may_record: bool

    @property
    def has_joined(self) -> bool:
        """Whether it came by joining, so that its phone may choose a seat."""
        return self.role == "player"

    @property
    def is_scorers(self) -> bool:
        """Whether it is to record whatever the switch "Only this phone records" says."""
        return self.role in SCORERS


_SHOWN = [*(grant.c[name] for name in Grant._fields[:-1]), may_record]
# built once, because every request asks
_OF_GAME = sa.select(*_SHOWN).join_from(grant, game).where(game.c.code == sa.bindparam("code"))
_OPENED_BY = _OF_GAME.where(
    grant.c.secret_hash.in_(sa.bindparam("hashes", expanding=True)), grant.c.revoked_at.is_(None)
)


def mint(code: str, role: str, seat: int | None = None, device: str = "") -> str:
    """Grant a right and return its secret, which is stored only as a hash.

    `role` is scorer, watch or player (of `seat`). Raises `LookupError` if the game does not exist.
    """
    with changing(code) as (connection, locked):
        return insert_grant(connection, locked.id, role, seat, device)


def join(code: str, seat: int | None, device: str, own: Grant | None = None) -> str:
    """Give a phone a player's right to a seat, or to none yet, and return its secret.

    If the phone has joined before, its `own` right moves to that seat, and the secret is empty: the phone keeps the one
    it has. Raises `LookupError` if the game does not exist.
    """
    with changing(code) as (connection, locked):
        signal(connection, locked.id)
        if own is None or not own.has_joined or not own.device:
            return insert_grant(connection, locked.id, "player", seat, device)
        connection.execute(sa.update(grant).where(grant.c.id == own.id).values(seat=seat))
    return ""


def let_only_starter_record(code: str, *, only: bool) -> None:
    """Say whether phones that joined hand in their own cards only. Raises `LookupError` if the game does not exist."""
    with changing(code) as (connection, locked):
        connection.execute(sa.update(game).where(game.c.id == locked.id).values(only_starter_records=only))
        signal(connection, locked.id)


def is_only_starter_recording(code: str) -> bool:
    """Return whether phones that joined this game hand in their own cards only."""
    with reading() as connection:
        return bool(connection.execute(sa.select(game.c.only_starter_records).where(game.c.code == code)).scalar())


def insert_grant(
    connection: sa.Connection, game_id: int, role: str, seat: int | None = None, device: str = "", secret: str = ""
) -> str:
    """Mint inside the caller's transaction, with `secret` if given; returns the secret."""
    secret = secret or letters(SECRET_LETTERS)
    row = {"game_id": game_id, "role": role, "seat": seat, "secret_hash": _hashed(secret)}
    connection.execute(sa.insert(grant).values(row | {"device": shown(device), "created_at": now()}))
    return secret


def grant_for(code: str, secret: str) -> Grant | None:
    """The unrevoked grant of this game that `secret` opens.

    Ignores case, spaces and hyphens: people type a code of 0.3 from paper.
    """
    if not is_code(code):
        return None
    with reading() as connection:
        row = connection.execute(_OPENED_BY, {"code": code, "hashes": _hashes(secret)}).first()
    return Grant(*row) if row else None


def join_secret(code: str) -> str:
    """Return the secret of the link by which any phone joins: it follows from the code, and nothing stores it.

    So it is the same each time it is shown; a reset gives the game another code, and with it another link.
    """
    return first_secret(code, "\njoin")  # no submission has a line break


def is_join_secret(code: str, secret: str) -> bool:
    """Whether that is the secret of the link by which phones join a game that exists."""
    return hmac.compare_digest(_hashed(secret), _hashed(join_secret(code))) and bool(grants(code))


def reset_links(code: str, own: Grant | None) -> str:
    """Give a game a new code and return it: no earlier link opens anything any more, and only the `own` right stays."""
    fresh = letters(CODE_LETTERS)
    with changing(code) as (connection, locked):
        values = {"code": fresh, "sealed_at": now()}
        _take_back(connection, locked.id, grant.c.id != (own.id if own else 0))
        connection.execute(sa.update(game).where(game.c.id == locked.id).values(values))
        mark_gone(connection, code)
    return fresh


def code_for(secret: str) -> str | None:
    """The code of the game in which `secret` still gives a right, even if it was given under another code."""
    statement = (
        sa.select(game.c.code).join(grant).where(grant.c.secret_hash.in_(_hashes(secret)), grant.c.revoked_at.is_(None))
    )
    with reading() as connection:
        found: str | None = connection.execute(statement).scalar()
    return found


def former_codes(code: str, secrets: Mapping[str, str]) -> tuple[str, ...]:
    """Return under which other codes of this game a phone was given its secrets, before the links were reset."""
    hashes = {_hashed(secret): former for former, secret in secrets.items() if former != code}
    found = sa.select(grant.c.secret_hash).join(game).where(game.c.code == code, grant.c.secret_hash.in_(hashes))
    with reading() as connection:
        return tuple(hashes[each] for each in connection.execute(found).scalars())


def was_reset(secret: str) -> bool:
    """Return whether a secret gave a right in a game that is still there: only its links were reset, or the right."""
    with reading() as connection:
        found = connection.execute(sa.select(grant.c.id).where(grant.c.secret_hash.in_(_hashes(secret))))
        return found.first() is not None


def grants(code: str) -> tuple[Grant, ...]:
    """Every grant of a game, oldest first, including revoked ones."""
    with reading() as connection:
        return tuple(Grant(*row) for row in connection.execute(_OF_GAME.order_by(grant.c.id), {"code": code}))


def _take_back(connection: sa.Connection, game_id: int, *which: sa.ColumnElement[bool]) -> None:
    """Revoke inside the caller's transaction."""
    connection.execute(sa.update(grant).where(_standing(game_id, *which)).values(revoked_at=now()))
    signal(connection, game_id)


def _standing(game_id: int, *which: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.and_(grant.c.game_id == game_id, grant.c.revoked_at.is_(None), *which)


def starters_secret(connection: sa.Connection, game_id: int, submission: str) -> str | None:
    """The secret that starting a game with `submission` gave, for a repeated start; None after ten minutes.

    Only its hash is stored. While the right stands and nothing has sealed it, deriving the secret again gives the same.
    """
    found = connection.execute(sa.select(game.c.code, game.c.created_at, game.c.sealed_at).where(game.c.id == game_id))
    code, started, sealed = found.one()
    if sealed or seconds_since(started) >= 600:
        return None
    secret = first_secret(code, submission)
    own = _standing(game_id, grant.c.secret_hash == _hashed(secret))
    return secret if connection.execute(sa.select(grant.c.id).where(own)).first() else None


def first_secret(code: str, submission: str) -> str:
    """The secret of the device that starts the game `code`: it takes this server's key to derive it."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    digest = hmac.digest(key, f"{code} {submission}".encode(), "sha256")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:SECRET_LETTERS])


def _plain(secret: str) -> str:
    """A secret as minted: people type an old code from paper with spaces and in small letters."""
    return "".join(letter for letter in secret.upper() if letter.isalnum())


def _hashed(secret: str) -> str:
    return sha256(_plain(secret).encode("utf-8", "replace")).hexdigest()


def _hashes(secret: str) -> list[str]:
    """What a secret opens: its own right, and the seat that 0.3 kept for a phone which no longer records."""
    own = _hashed(secret)
    return [own, sha256(f"seat {own}".encode()).hexdigest()]
