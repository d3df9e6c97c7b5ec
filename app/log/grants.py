"""Grants: what the bearer of a secret link may do in one game."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from app.log.database import game, grant, letters, now, reading, shown, write

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

SECRET_LETTERS = 20
_SHOWN = (
    grant.c.id,
    grant.c.role,
    grant.c.seat,
    grant.c.device,
    grant.c.created_at,
    grant.c.revoked_at,
)


@dataclass(frozen=True)
class Grant:
    """A right given away: one is minted each time a link or QR code is shown."""

    id: int
    role: str
    seat: int | None
    device: str
    created_at: str
    revoked_at: str | None


def mint(code: str, role: str, seat: int | None = None, device: str = "") -> str:
    """Give a right away and return its secret, which is shown once and stored as a hash only.

    `role` is scorer, watch, player (of `seat`) or recovery; a game that is not there raises
    `LookupError`.
    """

    def insert(connection: Connection) -> str:
        game_id = connection.execute(sa.select(game.c.id).where(game.c.code == code)).scalar()
        if game_id is None:
            raise LookupError(code)
        return insert_grant(connection, game_id, role, seat, device)

    return write(insert)


def insert_grant(connection: Connection, game_id: int, role: str, seat: int | None = None, device: str = "") -> str:
    """Mint inside the caller's transaction; returns the secret."""
    secret = letters(SECRET_LETTERS)
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
    found = _select(code).where(grant.c.secret_hash == _hashed(secret), grant.c.revoked_at.is_(None))
    with reading() as connection:
        row = connection.execute(found).first()
    return Grant(*row) if row else None


def grants(code: str) -> tuple[Grant, ...]:
    """Every grant of a game, oldest first, the revoked ones too."""
    with reading() as connection:
        return tuple(Grant(*row) for row in connection.execute(_select(code).order_by(grant.c.id)))


def revoke(code: str, grant_id: int) -> bool:
    """Take a right back; False when this game has no such grant or it was revoked before."""
    of_game = sa.select(game.c.id).where(game.c.code == code).scalar_subquery()
    statement = (
        sa.update(grant)
        .where(grant.c.id == grant_id, grant.c.game_id == of_game, grant.c.revoked_at.is_(None))
        .values(revoked_at=now())
    )
    return write(lambda connection: connection.execute(statement).rowcount == 1)


def _select(code: str) -> sa.Select[Any]:
    return sa.select(*_SHOWN).join(game).where(game.c.code == code)


def _hashed(secret: str) -> str:
    plain = "".join(letter for letter in secret.upper() if letter.isalnum())
    return sha256(plain.encode("utf-8", "replace")).hexdigest()
