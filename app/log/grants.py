"""Grants: what the bearer of a secret link may do in one game."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa
from flask import current_app

from app.log.changes import changing, signal
from app.log.database import ALPHABET, CODE_LETTERS, is_code, letters, now, reading, seconds_since, shown
from app.log.gone import mark_gone
from app.log.tables import game, grant

SECRET_LETTERS = 20


class Grant(NamedTuple):
    """A right to use one game; every link or QR code shown mints one."""

    id: int
    role: str
    seat: int | None
    device: str
    created_at: str
    revoked_at: str | None


_SHOWN = [grant.c[name] for name in Grant._fields]
# built once, because every request asks
_OF_GAME = sa.select(*_SHOWN).join(game).where(game.c.code == sa.bindparam("code"))
_OPENED_BY = _OF_GAME.where(
    grant.c.secret_hash.in_(sa.bindparam("hashes", expanding=True)), grant.c.revoked_at.is_(None)
)


def mint(code: str, role: str, seat: int | None = None, device: str = "", instead: bool = False) -> str:
    """Grant a right and return its secret, which is shown once and stored only as a hash.

    `role` is scorer, watch, player (of `seat`) or recovery; `instead` first revokes the same right (role and seat).
    Raises `LookupError` if the game does not exist.
    """
    with changing(code) as (connection, locked):
        if instead:
            take_back(connection, locked.id, grant.c.role == role, grant.c.seat.is_not_distinct_from(seat))
        return insert_grant(connection, locked.id, role, seat, device)


def take_seat(code: str, seat: int, device: str, instead: Collection[int] = ()) -> str | Grant:
    """A player's right to a seat: its secret; or the right of another phone that sits there, and nothing is changed.

    `instead` numbers the rights that may make way; a phone that writes goes on writing, as nobody's phone. Of phones
    that choose one free seat together, one gets it.
    Raises `LookupError` if the game does not exist.
    """
    with changing(code) as (connection, locked):
        standing = _standing(locked.id, grant.c.seat == seat)
        there = [Grant(*row) for row in connection.execute(sa.select(*_SHOWN).where(standing).order_by(grant.c.id))]
        if there and not any(each.id in instead for each in there):
            return there[0]
        take_back(connection, locked.id, grant.c.role == "player", grant.c.seat == seat)
        connection.execute(sa.update(grant).where(standing, grant.c.id.in_(instead)).values(seat=None))
        signal(connection, locked.id)  # whoever shows the players' link sees who has come
        return insert_grant(connection, locked.id, "player", seat, device)


def recover(code: str, device: str, own: Grant | None = None) -> str:
    """A scorer's right in return for the recovery code, on a phone that keeps the seat it has by its `own` right.

    From then on, sending the start again gives no right.
    """
    with changing(code) as (connection, locked):
        _seal(connection, locked.id)
        give_up_seat(connection, locked.id, own.id if own else None)
        return insert_grant(connection, locked.id, "scorer", own.seat if own else None, device)


def insert_grant(
    connection: sa.Connection, game_id: int, role: str, seat: int | None = None, device: str = "", secret: str = ""
) -> str:
    """Mint inside the caller's transaction, with `secret` if given; returns the secret."""
    secret = secret or letters(SECRET_LETTERS)
    _insert(connection, game_id, role, seat, device, _hashed(secret))
    return secret


def _insert(
    connection: sa.Connection, game_id: int, role: str, seat: int | None, device: str, secret_hash: str
) -> None:
    row = {"game_id": game_id, "role": role, "seat": seat, "secret_hash": secret_hash}
    connection.execute(sa.insert(grant).values(row | {"device": shown(device), "created_at": now()}))


def keep_seats(connection: sa.Connection, game_id: int) -> None:
    """Let every phone that loses the pen, and whose owner is known, keep its seat: its secret opens that from now on.

    It never hears of another secret, so a phone that sleeps, or whose answer is lost, keeps its seat as well.
    """
    owned = _standing(game_id, grant.c.role == "scorer", grant.c.seat.is_not(None))
    writers = sa.select(grant.c.seat, grant.c.device, grant.c.secret_hash).where(owned)
    for seat, device, secret_hash in connection.execute(writers).all():
        _insert(connection, game_id, "player", seat, device, _of_kept_seat(secret_hash))


def give_up_seat(connection: sa.Connection, game_id: int, own: int | None) -> None:
    """Revoke the right by which a phone sits, since it sits by its right to write from now on."""
    if own is not None:
        take_back(connection, game_id, grant.c.id == own, grant.c.role == "player")


def grant_for(code: str, secret: str) -> Grant | None:
    """The unrevoked grant of this game that `secret` opens.

    Ignores case, spaces and hyphens: people type a recovery code from paper.
    """
    if not is_code(code):
        return None
    with reading() as connection:
        row = connection.execute(_OPENED_BY, {"code": code, "hashes": _hashes(secret)}).first()
    return Grant(*row) if row else None


def renew_code(code: str) -> str:
    """Give a game a new code, which is its watch link, and return it: the old code opens nothing any more."""
    fresh = letters(CODE_LETTERS)
    with changing(code) as (connection, locked):
        _seal(connection, locked.id)
        connection.execute(sa.update(game).where(game.c.id == locked.id).values(code=fresh))
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


def grants(code: str) -> tuple[Grant, ...]:
    """Every grant of a game, oldest first, including revoked ones."""
    with reading() as connection:
        return tuple(Grant(*row) for row in connection.execute(_OF_GAME.order_by(grant.c.id), {"code": code}))


def revoke(code: str, grant_id: int) -> bool:
    """Revoke a right; False if this game has no such grant or it is already revoked."""
    with changing(code) as (connection, locked):
        return take_back(connection, locked.id, grant.c.id == grant_id)


def sit(code: str, grant_id: int, seat: int, own: int | None = None) -> None:
    """Record whose phone has a right; it gives up its `own` right to sit, if it has one."""
    with changing(code) as (connection, locked):
        give_up_seat(connection, locked.id, own)
        connection.execute(sa.update(grant).where(_standing(locked.id, grant.c.id == grant_id)).values(seat=seat))
        signal(connection, locked.id)


def take_back(connection: sa.Connection, game_id: int, *which: sa.ColumnElement[bool], at: str = "") -> bool:
    """Revoke inside the caller's transaction; False if nothing matched."""
    revoking = sa.update(grant).where(_standing(game_id, *which)).values(revoked_at=at or now())
    taken = connection.execute(revoking).rowcount > 0
    if taken:
        signal(connection, game_id)
    return taken


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


def _seal(connection: sa.Connection, game_id: int) -> None:
    connection.execute(sa.update(game).where(game.c.id == game_id).values(sealed_at=now()))


def revoked_grant(connection: sa.Connection, code: str, secret: str, role: str) -> Grant | None:
    """The grant of this game with that role that `secret` opened until it was revoked."""
    lost = sa.and_(grant.c.secret_hash.in_(_hashes(secret)), grant.c.role == role, grant.c.revoked_at.is_not(None))
    row = connection.execute(_OF_GAME.where(lost), {"code": code}).first()
    return Grant(*row) if row else None


def _hashed(secret: str) -> str:
    plain = "".join(letter for letter in secret.upper() if letter.isalnum())
    return sha256(plain.encode("utf-8", "replace")).hexdigest()


def _of_kept_seat(secret_hash: str) -> str:
    """The hash of the seat that the bearer of a secret keeps when the pen goes."""
    return sha256(f"seat {secret_hash}".encode()).hexdigest()


def _hashes(secret: str) -> list[str]:
    """What a secret opens: its own right, and the seat kept from it."""
    own = _hashed(secret)
    return [own, _of_kept_seat(own)]
