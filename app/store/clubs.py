"""Clubs: which games count in them. A club itself is stored like a game (`kind`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import aliased

from app.store.database import ClubGame, Entry, Game, NoSuchGame, db, fetch, fetch_of

_CLUB = aliased(Game)
_OTHER = aliased(Entry)
# built once, because every page of a club asks
_COUNTED = (
    sa.select(Game.id, Game.code, Game.length, ClubGame.records)
    .join_from(ClubGame, Game, ClubGame.game_id == Game.id)
    .join(_CLUB, ClubGame.club_id == _CLUB.id)
    .where(_CLUB.code == sa.bindparam("code"))
)
_CLUBS_OF = (
    sa.select(_CLUB.code)
    .join_from(ClubGame, Game, ClubGame.game_id == Game.id)
    .join(_CLUB, ClubGame.club_id == _CLUB.id)
    .where(Game.code == sa.bindparam("code"))
    .order_by(_CLUB.id)
)
_BEFORE = sa.select(Game.rematch_of.label("id")).where(Game.code == sa.bindparam("code")).cte(recursive=True)
_BEFORE = _BEFORE.union(sa.select(Game.rematch_of).join(_BEFORE, Game.id == _BEFORE.c.id))
_FOLLOWS_A_CLUB = sa.select(ClubGame.game_id).where(ClubGame.game_id.in_(sa.select(_BEFORE.c.id))).limit(1)
_BEGINS_ALIKE = (
    sa.select(_OTHER.game_id)
    .join_from(Entry, _OTHER, sa.and_(_OTHER.seq == Entry.seq, _OTHER.data == Entry.data, _OTHER.at == Entry.at))
    .where(Entry.game_id == sa.bindparam("id"), Entry.seq <= 2)
    .where(_OTHER.game_id.in_(sa.bindparam("among", expanding=True)), _OTHER.game_id != Entry.game_id)
    .group_by(_OTHER.game_id)
    .having(sa.func.count() == 2)
)
_COPIES: sa.CompoundSelect[tuple[int]] = sa.union(
    _BEGINS_ALIKE,
    sa.select(Game.id).where(Game.continues == sa.bindparam("id"), Game.id.in_(sa.bindparam("among", expanding=True))),
    sa.select(Game.continues).where(
        Game.id == sa.bindparam("id"), Game.continues.in_(sa.bindparam("among", expanding=True))
    ),
)


class CountedGame(NamedTuple):
    """A game that counts in a club: its id, its code now, how many entries it has, whether keepers may record in it."""

    id: int
    code: str
    length: int
    records: bool


def counted_games(code: str) -> dict[int, CountedGame]:
    """Return the games that count in the club with this code, by id, without those that were deleted."""
    return {row.id: CountedGame(*row) for row in fetch_of(code, _COUNTED)}


def clubs_of(code: str) -> tuple[str, ...]:
    """Return the codes of the clubs in which the game with this code counts."""
    return tuple(row.code for row in fetch_of(code, _CLUBS_OF))


def follows_a_club(code: str) -> bool:
    """Return whether that game is a rematch of a game that counts in a club, or a rematch of such a rematch."""
    return bool(fetch_of(code, _FOLLOWS_A_CLUB))


def find_game(code: str) -> int | None:
    """Return the id of the game with this code."""
    rows = fetch_of(code, sa.select(Game.id).where(Game.code == sa.bindparam("code"), Game.kind == "game"))
    return rows[0].id if rows else None


def copies(game_id: int, among: Collection[int]) -> tuple[int, ...]:
    """Return those games `among` some that are copies of a game, or of which it is one.

    A copy continues the other, or begins with the same two entries at the same times.
    """
    return tuple(row.game_id for row in fetch(_COPIES, id=game_id, among=list(among)))


def count(club_id: int, games: Mapping[int, tuple[str, bool]]) -> None:
    """Store which games count in a club, within the caller's transaction, which has locked the club's row.

    `games` has, by the game's id, the code with which it was added and whether it came with a right to record, which
    holds as long as the game has that code. Raises `NoSuchGame` if one was deleted meanwhile. Notifies the phones that
    show a game which counts from now on, or no longer: it is settled elsewhere.
    """
    here = db.session.execute(_known(club_id, games)).all()
    dropped = sa.and_(ClubGame.club_id == club_id, ClubGame.game_id.not_in(games))
    moved = [*db.session.scalars(sa.select(ClubGame.game_id).where(dropped))]
    moved += [row.id for row in here if row.records is None]
    db.session.execute(sa.update(Game).where(Game.id.in_(moved)).values(signals=Game.signals + 1))
    db.session.execute(sa.delete(ClubGame).where(dropped))
    changed = {}
    for row in here:
        code, records = games[row.id]
        if row.records is not (records and row.code == code):
            changed[row.id] = records and row.code == code
            values = {"club_id": club_id, "game_id": row.id, "records": changed[row.id]}
            if row.records is None:
                _insert(values)
            else:
                db.session.execute(_mine(club_id, row.id).values(records=changed[row.id]))
    # a reset that was stored meanwhile has not seen these rows
    for row in db.session.execute(_known(club_id, [each for each, records in changed.items() if records])).all():
        if row.code != games[row.id][0]:
            db.session.execute(_mine(club_id, row.id).values(records=False))


def _insert(values: Mapping[str, object]) -> None:
    try:
        db.session.execute(sa.insert(ClubGame), values)
    except sa.exc.IntegrityError as gone:  # deleted meanwhile
        raise NoSuchGame from gone


def _known(club_id: int, games: Collection[int]) -> sa.Select[int, str, bool | None]:
    joined = sa.and_(ClubGame.game_id == Game.id, ClubGame.club_id == club_id)
    return sa.select(Game.id, Game.code, ClubGame.records).outerjoin(ClubGame, joined).where(Game.id.in_(games))


def _mine(club_id: int, game_id: int) -> sa.Update:
    return sa.update(ClubGame).where(ClubGame.club_id == club_id, ClubGame.game_id == game_id)
