"""Grants: what the bearer of a secret link may do in one game."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import sqlalchemy as sa
from flask import current_app

from app.log.changes import change, signal
from app.log.database import (
    ALPHABET,
    CODE_LETTERS,
    game,
    grant,
    is_code,
    letters,
    now,
    reading,
    seconds_since,
    shown,
)

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

SECRET_LETTERS = 20
TOLD_AGAIN_SECONDS = 600
"""How long after its start a game's first secret is told again to whoever sends the same start."""
_SHOWN = (
    grant.c.id,
    grant.c.role,
    grant.c.seat,
    grant.c.device,
    grant.c.created_at,
    grant.c.revoked_at,
)
# put together once: every request asks
_OF_GAME = sa.select(*_SHOWN).join(game).where(game.c.code == sa.bindparam("code"))
_OPENED_BY = _OF_GAME.where(grant.c.secret_hash == sa.bindparam("hash"), grant.c.revoked_at.is_(None))


@dataclass(frozen=True)
class Grant:
    """A right given away: one is minted each time a link or QR code is shown."""

    id: int
    role: str
    seat: int | None
    device: str
    created_at: str
    revoked_at: str | None


def mint(code: str, role: str, seat: int | None = None, device: str = "", instead: bool = False) -> str:
    """Give a right away and return its secret, which is shown once and stored as a hash only.

    `role` is scorer, watch, player (of `seat`) or recovery; `instead` takes the same right (role and seat) back from
    whoever held it. A game that is not there raises `LookupError`.
    """

    def insert(connection: Connection, game_id: int) -> str:
        if instead:
            take_back(connection, game_id, grant.c.role == role, grant.c.seat.is_not_distinct_from(seat))
        return insert_grant(connection, game_id, role, seat, device)

    return change(code, insert)


def recover(code: str, device: str) -> str:
    """A scorer's right for whoever has typed the recovery code; sending the start again gives none any more."""

    def insert(connection: Connection, game_id: int) -> str:
        _seal(connection, game_id)
        return insert_grant(connection, game_id, "scorer", device=device)

    return change(code, insert)


def insert_grant(
    connection: Connection, game_id: int, role: str, seat: int | None = None, device: str = "", secret: str = ""
) -> str:
    """Mint inside the caller's transaction, with `secret` if one is given; returns the secret."""
    secret = secret or letters(SECRET_LETTERS)
    row = {
        "game_id": game_id,
        "role": role,
        "seat": seat,
        "secret_hash": _hashed(secret),
        "device": shown(device),
        "created_at": now(),
    }
    connection.execute(sa.insert(grant).values(row))
    return secret


def grant_for(code: str, secret: str) -> Grant | None:
    """The grant of this game that `secret` opens and nobody has revoked.

    Small letters, spaces and hyphens do not matter: a recovery code is typed from paper.
    """
    if not is_code(code):
        return None
    with reading() as connection:
        row = connection.execute(_OPENED_BY, {"code": code, "hash": _hashed(secret)}).first()
    return Grant(*row) if row else None


def renew_code(code: str) -> str:
    """Give a game another code, which is its link to watch, and return it: the old one opens nothing any more."""
    fresh = letters(CODE_LETTERS)

    def rename(connection: Connection, game_id: int) -> None:
        _seal(connection, game_id)
        connection.execute(sa.update(game).where(game.c.id == game_id).values(code=fresh))

    change(code, rename)
    return fresh


def code_for(secret: str) -> str | None:
    """The code of the game in which `secret` still gives a right, whatever code it was given under."""
    statement = (
        sa.select(game.c.code).join(grant).where(grant.c.secret_hash == _hashed(secret), grant.c.revoked_at.is_(None))
    )
    with reading() as connection:
        found: str | None = connection.execute(statement).scalar()
    return found


def grants(code: str) -> tuple[Grant, ...]:
    """Every grant of a game, oldest first, the revoked ones too."""
    with reading() as connection:
        return tuple(Grant(*row) for row in connection.execute(_OF_GAME.order_by(grant.c.id), {"code": code}))


def revoke(code: str, grant_id: int) -> bool:
    """Take a right back; False when this game has no such grant or it was revoked before."""
    return change(code, lambda connection, game_id: take_back(connection, game_id, grant.c.id == grant_id))


def sit(code: str, grant_id: int, seat: int) -> None:
    """Note whose phone it is that holds a right."""

    def update(connection: Connection, game_id: int) -> None:
        this = sa.and_(grant.c.game_id == game_id, grant.c.id == grant_id, grant.c.revoked_at.is_(None))
        connection.execute(sa.update(grant).where(this).values(seat=seat))
        signal(connection, game_id)

    change(code, update)


def take_back(connection: Connection, game_id: int, *which: sa.ColumnElement[bool], at: str = "") -> bool:
    """Revoke inside the caller's transaction; False where there was nothing to revoke."""
    standing = sa.and_(grant.c.game_id == game_id, grant.c.revoked_at.is_(None), *which)
    taken = connection.execute(sa.update(grant).where(standing).values(revoked_at=at or now())).rowcount > 0
    if taken:
        signal(connection, game_id)
    return taken


def starters_secret(connection: Connection, game_id: int, submission: str) -> str | None:
    """The secret that starting a game with `submission` gave, told again; None once it shall not be told any more.

    Only its hash is kept: it is made anew, and is the same, as long as the right stands and nothing has sealed it.
    """
    found = connection.execute(sa.select(game.c.code, game.c.created_at, game.c.sealed_at).where(game.c.id == game_id))
    code, started, sealed = found.one()
    if sealed or seconds_since(started) >= TOLD_AGAIN_SECONDS:
        return None
    secret = first_secret(code, submission)
    own = sa.and_(grant.c.game_id == game_id, grant.c.secret_hash == _hashed(secret), grant.c.revoked_at.is_(None))
    return secret if connection.execute(sa.select(grant.c.id).where(own)).first() else None


def first_secret(code: str, submission: str) -> str:
    """The secret of whoever starts the game `code`: nobody makes it without this server's key."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    digest = hmac.digest(key, f"{code} {submission}".encode(), "sha256")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:SECRET_LETTERS])


def _seal(connection: Connection, game_id: int) -> None:
    connection.execute(sa.update(game).where(game.c.id == game_id).values(sealed_at=now()))


def revoked_grant(connection: Connection, code: str, secret: str) -> Grant | None:
    """The grant of this game that `secret` opened until it was revoked."""
    lost = sa.and_(grant.c.secret_hash == _hashed(secret), grant.c.revoked_at.is_not(None))
    row = connection.execute(_OF_GAME.where(lost), {"code": code}).first()
    return Grant(*row) if row else None


def _hashed(secret: str) -> str:
    plain = "".join(letter for letter in secret.upper() if letter.isalnum())
    return sha256(plain.encode("utf-8", "replace")).hexdigest()
