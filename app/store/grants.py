"""Grants: what the bearer of a secret link may do in one game."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from flask import current_app

from app.days import ago, now
from app.store.database import (
    ALPHABET,
    CODE_LETTERS,
    ClubGame,
    Game,
    Grant,
    clean_label,
    db,
    fetch,
    fetch_of,
    first_value,
    keeps,
    letters,
    mark_gone,
    may_record,
    writing,
)

SECRET_LETTERS = 20
TYPED_LETTERS = 5
"""The length of the secret's part of a join code; with the game's code, people read aloud four groups of four."""


class Right(NamedTuple):
    """A right of one phone to use one game: a grant without its secret.

    A phone that joined has the role `player`, with a `seat` or, if it only watches, without one. Links of 0.1 to 0.3
    are rights that name no device: many phones may use one, and a player's without a seat gives each phone its own.
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


_RIGHT = [*(getattr(Grant, name) for name in Right._fields[:-1]), may_record]
# built once, because every request asks
_OF_GAME = sa.select(*_RIGHT).join_from(Grant, Game).where(Game.code == sa.bindparam("code")).order_by(Grant.id)
_IS_OPENED = sa.and_(Grant.secret_hash.in_(sa.bindparam("hashes", expanding=True)), Grant.revoked_at.is_(None))
_OPENED_BY = _OF_GAME.where(_IS_OPENED)
_KEEPERS = (
    sa.select(*_RIGHT[:-1], sa.true())
    .join_from(Grant, ClubGame, keeps)
    .join(Game, ClubGame.game_id == Game.id)
    .where(Game.code == sa.bindparam("code"), _IS_OPENED)
)
_CODE_OF = sa.select(Game.code).join(Grant).where(_IS_OPENED)


def mint(code: str, role: str, seat: int | None = None, device: str = "") -> str:
    """Grant a right and return its secret, which is stored only as a hash.

    `role` is scorer, watch or player (of `seat`). Raises `LookupError` if the game does not exist.
    """
    with writing(code) as game_id:
        return add_grant(game_id, role, seat, device)


def join(code: str, seat: int | None, device: str, own: Right | None = None, grant_id: int | None = None) -> str:
    """Give a phone a player's right to a seat, or to none yet, and return its secret.

    If the phone has joined before, its `own` right moves to that seat and the returned secret is empty: the phone keeps
    the one it has. Raises `LookupError` if the game does not exist, and `NotAllowed` if the grant
    by which it joins was revoked.
    """
    with writing(code, grant_id) as game_id:
        if own is None or not own.has_joined or not own.device:
            return add_grant(game_id, "player", seat, device)
        db.session.execute(sa.update(Grant).where(Grant.id == own.id).values(seat=seat))
    return ""


def sit(code: str, grant_id: int, seat: int | None) -> None:
    """Store the seat of a device that records, or that it has none.

    Raises `LookupError` without the game, and `NotAllowed` if the right was revoked.
    """
    with writing(code, grant_id):
        db.session.execute(sa.update(Grant).where(Grant.id == grant_id).values(seat=seat))


def let_only_starter_record(code: str, grant_id: int | None = None, *, only: bool) -> None:
    """Set whether phones that joined may only send their own cards.

    Raises `LookupError` without such a game, and `NotAllowed` if the grant was revoked.
    """
    with writing(code, grant_id) as game_id:
        db.session.execute(sa.update(Game).where(Game.id == game_id).values(only_starter_records=only))


def is_only_starter_recording(code: str) -> bool:
    """Return whether phones that joined this game may only send their own cards."""
    return bool(first_value(fetch(sa.select(Game.only_starter_records).where(Game.code == code))))


def add_grant(game_id: int, role: str, seat: int | None = None, device: str = "", secret: str = "") -> str:
    """Mint a right inside the caller's transaction, with `secret` if given, and return its secret."""
    secret = secret or letters(SECRET_LETTERS)
    row = {"game_id": game_id, "role": role, "seat": seat, "secret_hash": _hash(secret), "device": clean_label(device)}
    db.session.add(Grant(**row, created_at=now()))
    return secret


def grant_for(code: str, secret: str) -> Right | None:
    """Return the unrevoked right in this game that `secret` opens.

    Ignores case, spaces and hyphens: people type a code of 0.3 from paper.
    """
    rows = fetch_of(code, _OPENED_BY, hashes=_hashes(secret))
    return Right(*rows[0]) if rows else None


def keeper_for(code: str, secrets: Iterable[str]) -> Right | None:
    """Return an unrevoked right that one of `secrets` opens in a club whose keepers may record in this game."""
    rows = fetch_of(code, _KEEPERS, hashes=[each for secret in secrets for each in _hashes(secret)])
    return Right(*rows[0]) if rows else None


def join_secret(code: str) -> str:
    """Return the secret of the link by which any phone joins; it is derived from the code and not stored.

    So the link is the same each time it is shown; a reset gives the game another code, and with it another link.
    """
    return first_secret(code, "\njoin")  # no submission has a line break


def join_code(code: str) -> str:
    """Return the code that people type to join: the game's code and the start of the join link's secret."""
    return code + join_secret(code)[:TYPED_LETTERS]


def game_to_join(typed: str) -> str | None:
    """Return the code of the game that a join code, letters only, belongs to; None if it is wrong."""
    code = typed[:CODE_LETTERS]
    return code if hmac.compare_digest(typed.encode(), join_code(code).encode()) and list_grants(code) else None


def is_join_secret(code: str, secret: str) -> bool:
    """Return whether `secret` is that of the join link of an existing game."""
    return hmac.compare_digest(_hash(secret), _hash(join_secret(code))) and bool(list_grants(code))


def reset_links(code: str, own: Right | None) -> str:
    """Give a game a new code and return it; all earlier links and all rights except `own` stop working.

    Raises `NotAllowed` if `own` was revoked.
    """
    fresh = letters(CODE_LETTERS)
    with writing(code, own.id if own else None) as game_id:
        others = (Grant.game_id == game_id, Grant.revoked_at.is_(None), Grant.id != (own.id if own else 0))
        db.session.execute(sa.update(Grant).where(*others).values(revoked_at=now()))
        db.session.execute(sa.update(Game).where(Game.id == game_id).values(code=fresh, sealed_at=now()))
        # keepers of clubs lose their right in a game whose address changes
        db.session.execute(sa.update(ClubGame).where(ClubGame.game_id == game_id).values(records=False))
        mark_gone(code, by_reset=True)
    return fresh


def code_for(secret: str) -> str | None:
    """Return the code of the game in which `secret` still gives a right, even if the game had another code then."""
    code: str | None = first_value(fetch(_CODE_OF, hashes=_hashes(secret)))
    return code


def former_codes(code: str, secrets: Mapping[str, str]) -> tuple[str, ...]:
    """Return the earlier codes of this game, before its links were reset, for which a phone has `secrets`."""
    hashes = {_hash(secret): former for former, secret in secrets.items() if former != code}
    own = sa.select(Grant.secret_hash).join(Game).where(Game.code == code, Grant.secret_hash.in_(hashes))
    return tuple(hashes[row.secret_hash] for row in fetch(own))


def list_grants(code: str) -> tuple[Right, ...]:
    """Return every right in a game, oldest first, including revoked ones."""
    return tuple(Right(*row) for row in fetch_of(code, _OF_GAME))


def repeated_secret(game: sa.Row[Any], submission: str) -> str | None:
    """Return the secret that starting a game with `submission` gave, for a repeated start; None after ten minutes.

    Only its hash is stored, but it can be derived again as long as the right is valid and the links were not reset.
    """
    if game.sealed_at or game.created_at <= ago(minutes=10):
        return None
    secret = first_secret(game.code, submission)
    return secret if code_for(secret) else None


def first_secret(code: str, submission: str) -> str:
    """Return the secret of the device that starts the game `code`; deriving it takes this server's key."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    digest = hmac.digest(key, f"{code} {submission}".encode(), "sha256")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:SECRET_LETTERS])


def _hash(secret: str) -> str:
    plain = "".join(letter for letter in secret.upper() if letter.isalnum())
    return sha256(plain.encode("utf-8", "replace")).hexdigest()


def _hashes(secret: str) -> list[str]:
    """Return hashes of what a secret opens: its own right, and the seat 0.3 kept for a phone that stopped recording."""
    own = _hash(secret)
    return [own, sha256(f"seat {own}".encode()).hexdigest()]
