"""Games: start one, load its entries, add an entry, continue it in another game, delete it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa
from sqlalchemy.orm import aliased

from app.days import ago, now
from app.store.database import (
    CODE_LETTERS,
    ClubGame,
    Count,
    Entry,
    Game,
    Grant,
    NoSuchGame,
    Version,
    clean_label,
    db,
    fetch,
    fetch_of,
    file_in_use,
    first_value,
    letters,
    mark_gone,
    transaction,
    writing,
)
from app.store.grants import add_grant, first_secret, repeated_secret

Event: TypeAlias = dict[str, Any]

# built once, because every request asks
_HAS_CODE = Game.code == sa.bindparam("code")
_FROM_ONE_ON = (
    sa.select(Entry.seq, Entry.data, Entry.actor, Entry.at, Game.signals)
    .join(Game)
    .where(_HAS_CODE, Game.kind == sa.bindparam("kind"), Entry.seq >= sa.bindparam("first"))
    .order_by(Entry.seq)
)
_SAVED_AS = sa.select(Entry.seq).join(Game).where(_HAS_CODE, Entry.submission == sa.bindparam("submission"))
_NEXT_ENTRY = (
    sa.update(Game)
    .where(Game.code == sa.bindparam("of"), Game.length == sa.bindparam("seen"))
    .values(length=Game.length + 1)
    .returning(Game.id)
)
_ADD = sa.insert(Entry)
MOST_LETTERS = 400
"""The most characters stored of what a player hands in."""
MOST_PHONES = 4
"""The most phones of one seat whose cards are stored separately."""
_COUNTS = (
    sa.select(Count.seat, Count.cards)
    .join(Game)
    .where(_HAS_CODE, Count.dealt_after == sa.bindparam("dealt_after"))
    .order_by(Count.at, Count.seat)
)
_OLD = aliased(Game)
_IS_OLD = _OLD.code == sa.bindparam("code")
_REMATCH_OF = sa.select(Game.code).join(_OLD, Game.rematch_of == _OLD.id).where(_IS_OLD).order_by(Game.id.desc())
_COPIES = (
    sa.select(_OLD.code, Game.code, sa.func.min(Grant.device), Game.created_at)
    .join_from(Game, _OLD, Game.continues == _OLD.id)
    .join(Grant, sa.and_(Grant.game_id == Game.id, Grant.role == "scorer"))
    .group_by(Game.id, Game.code, Game.created_at, _OLD.code)
    .order_by(Game.id.desc())
)
_COPIES_OF = _COPIES.where(_IS_OLD, Game.created_at > sa.func.coalesce(_OLD.sealed_at, ""))
_COPIES_AMONG = _COPIES.where(Game.code.in_(sa.bindparam("codes", expanding=True)))


class StoredEntry(NamedTuple):
    """One recorded event: `seq` counts from 1, `at` is in UTC to the second, `actor` is as shown."""

    seq: int
    event: Event
    actor: str
    at: str


class Log(NamedTuple):
    """Everything recorded of one game, in order; never empty.

    `signals` counts the changes besides entries when the log was read; `size` is the sum of `size_of` over its events.
    """

    entries: tuple[StoredEntry, ...]
    signals: int = 0
    size: int = 0

    @property
    def last(self) -> int:
        """The number of the newest entry."""
        return self.entries[-1].seq

    def extended(self, entry: StoredEntry) -> Log:
        """Return the log with one more entry."""
        return self._replace(entries=(*self.entries, entry), size=self.size + size_of(serialize(entry.event)))


class Continuation(NamedTuple):
    """A copy in which the game `of` continues, the device that started it, and when (`at`, in UTC)."""

    of: str
    code: str
    device: str
    at: str


class NewGame(NamedTuple):
    """A game just started, or (`repeated`) the one this submission had started before.

    `secret` is empty if the submission no longer gives the right to record in the game, and `code` if it started a game
    with other contents.
    """

    code: str = ""
    secret: str = ""
    repeated: bool = False


def size_of(text: str) -> int:
    """Return how much of a log's capacity an event takes, given its JSON as stored.

    Each character counts one, and each list or object 20 more: an empty one takes as much memory as 20 characters.

    >>> size_of('{"kind":"void"}')
    35
    """
    return len(text) + 20 * (text.count("{") + text.count("["))


def new_game(first_event: Event, submission: str, actor: str, kind: str = "game") -> NewGame:
    """Start a game (or a club, by its `kind`) with its first entry and mint its scorer's secret.

    The same submission with the same contents returns the same code and secret for some minutes, unless that right is
    revoked or the links are reset.
    """
    return import_log((StoredEntry(1, first_event, actor, now()),), submission, actor, kind)


def import_log(entries: Sequence[StoredEntry], submission: str, actor: str, kind: str = "game") -> NewGame:
    """Import a whole log as a new game; repeated submissions are handled as in `new_game`.

    Entries are numbered anew in their order and keep their time and actor; `actor` is used for an entry without one.
    """
    rows = [
        _row(each._replace(seq=seq, actor=each.actor or actor), _part(submission, seq))
        for seq, each in enumerate(entries, 1)
    ]
    try:
        return _started_before(rows, submission) or _begin(rows, submission, kind)
    except sa.exc.IntegrityError:  # another process stored the same submission first: now it is found
        return _started_before(rows, submission) or _begin(rows, submission, kind)


def _started_before(rows: list[dict[str, object]], submission: str) -> NewGame | None:
    """Return the game that `submission` started before, empty if with other entries; None if there is no such game."""
    parts = [_part(submission, number) for number in range(1, len(rows) + 2)]
    start = sa.select(Game.code, Game.created_at, Game.sealed_at, Entry.data).join(Entry).order_by(Entry.seq)
    before = fetch(start.where(Game.submission == submission, Entry.submission.in_(parts)))
    if not before:
        return None
    if [each.data for each in before] != [row["data"] for row in rows]:
        return NewGame()
    return NewGame(before[0].code, repeated_secret(before[0], submission) or "", repeated=True)


def _begin(rows: list[dict[str, object]], submission: str, kind: str) -> NewGame:
    code = letters(CODE_LETTERS)
    with transaction() as connection:
        game = Game(id=_fresh_id(), code=code, kind=kind, submission=submission, created_at=now(), length=len(rows))
        db.session.add(game)
        db.session.flush()
        connection.execute(_ADD, [{"game_id": game.id, **row} for row in rows])
        secret = add_grant(game.id, "scorer", secret=first_secret(code, submission))
    return NewGame(code, secret)


def _fresh_id() -> int | None:
    """Return an id that no game ever had, because clubs know their games by id; None if the database sees to that.

    SQLite gives the id of the newest game again once it is deleted, so there ids are seconds since 2026 or higher.
    """
    if db.engine.dialect.name != "sqlite":
        return None
    newest = db.session.execute(sa.select(sa.func.max(Game.id))).scalar() or 0
    return max(newest + 1, int(time.time()) - _START_OF_2026)


_START_OF_2026 = 1_767_225_600


def _part(submission: str, seq: int) -> str:
    """Return the submission of one entry of an imported log; its line break cannot occur in a form's submission."""
    return submission if seq == 1 else f"{submission}\n{seq}"


def load(code: str, known: Log | None = None, kind: str = "game") -> Log | None:
    """Return the whole log of a game, or of a club by its `kind`, by its code, or None; one SQL statement.

    `known` is the log as read earlier. Entries never change, so only the newer ones and the last known one are fetched;
    if that one differs, somebody has replaced the database.
    """
    rows = fetch_of(code, _FROM_ONE_ON, kind=kind, first=known.last if known else 1)
    if known and (not rows or _entry(rows[0]) != known.entries[-1]):
        return load(code, kind=kind)
    if not rows:
        return None
    newer = rows[1:] if known else rows
    entries, size = (known.entries, known.size) if known else ((), 0)
    if newer:  # otherwise it stays the same tuple, by which callers see that nothing is new
        entries += tuple(map(_entry, newer))
    return Log(entries, rows[0].signals, size + sum(size_of(row.data) for row in newer))


def append(
    code: str, seen: int, event: Event, submission: str, actor: str, grant_id: int | None = None
) -> StoredEntry | None:
    """Add an event as the entry after number `seen`, and return it, or None as `append_entry` does."""
    return append_entry(code, StoredEntry(seen + 1, event, clean_label(actor), now()), submission, grant_id)


def append_entry(
    code: str,
    entry: StoredEntry,
    submission: str,
    grant_id: int | None = None,
    then: Callable[[int], None] = lambda _: None,
) -> StoredEntry | None:
    """Add an entry, call `then` with the game's id in the same transaction, and return the entry.

    Returns None and stores nothing if its number is not the next one or this submission was saved before. Raises
    `NotAllowed` if the grant may no longer record.
    """
    try:
        with writing(code, grant_id, to_record=True, advance=_NEXT_ENTRY, seen=entry.seq - 1) as game_id:
            db.session.connection().execute(_ADD, {"game_id": game_id, **_row(entry, submission)})
            then(game_id)
    except NoSuchGame:
        return None
    except sa.exc.IntegrityError:
        if saved_as(code, submission) is None:
            raise
        return None
    return entry


def saved_as(code: str, submission: str) -> int | None:
    """Return the number of the entry a submission was saved as; None if it was not."""
    number: int | None = first_value(fetch_of(code, _SAVED_AS, submission=submission))
    return number


def codes(among: Collection[str] | None = None, kind: str = "game") -> tuple[str, ...]:
    """Return the codes of all games (or clubs, by `kind`), or of those `among` them, oldest first."""
    every = sa.select(Game.code).where(Game.kind == kind).order_by(Game.id)
    return tuple(row.code for row in fetch(every if among is None else every.where(Game.code.in_(among))))


def counts(code: str, dealt_after: int, known: Version) -> dict[int, tuple[str, ...]]:
    """Return what the phones of each seat handed in for the hand dealt after that entry, the latest last.

    Without any change besides entries, nobody handed in anything, and no query is made.
    """
    if not known.signals:
        return {}
    rows = fetch_of(code, _COUNTS, dealt_after=dealt_after)
    return {row.seat: tuple(line.partition("\t")[0] for line in row.cards.split("\n")) for row in rows}


def hand_in(code: str, dealt_after: int, seat: int, cards: str, grant_id: int | None = None) -> None:
    """Store what `seat` has left in the hand dealt after that entry, and drop the counts of earlier hands.

    `cards` is the text as typed, cards or points; an empty text withdraws the count. What other phones of that seat
    handed in is kept, one line for each grant, which must still hold. Raises `NoSuchGame` and `NotAllowed`.
    """
    earlier = sa.or_(Count.dealt_after < dealt_after, Count.seat == seat)
    own, phone = (Count.dealt_after == dealt_after, Count.seat == seat), str(grant_id or 0)
    with writing(code, grant_id) as game_id:
        before = db.session.scalar(sa.select(Count.cards).where(Count.game_id == game_id, *own)) or ""
        db.session.execute(sa.delete(Count).where(Count.game_id == game_id, earlier))
        if cards:
            others = [line for line in before.split("\n") if line and line.partition("\t")[2] != phone]
            lines = [*others[1 - MOST_PHONES :], f"{cards[:MOST_LETTERS]}\t{phone}"]
            db.session.add(Count(game_id=game_id, dealt_after=dealt_after, seat=seat, cards="\n".join(lines), at=now()))


def link_rematch(code: str, rematch: str, grant_id: int | None = None) -> None:
    """Store that the players of the game `code` continue in the game `rematch`, and notify every phone showing `code`.

    Raises `NoSuchGame`, and `NotAllowed` if the grant may no longer record in `code`.
    """
    with writing(code, grant_id, to_record=True) as game_id:
        db.session.execute(sa.update(Game).where(Game.code == rematch).values(rematch_of=game_id))


def rematch_of(code: str) -> str | None:
    """Return the code of the newest rematch of the game `code`."""
    rematch: str | None = first_value(fetch_of(code, _REMATCH_OF))
    return rematch


def continue_in(code: str, copy: str, device: str) -> None:
    """Store that the game `copy`, started by that device, continues `code`, and notify every phone showing `code`.

    Raises `NoSuchGame`.
    """
    with writing(code) as game_id:
        continued = sa.update(Game).where(Game.code == copy).values(continues=game_id).returning(Game.id)
        copy_id = db.session.execute(continued).scalar()
        right = sa.update(Grant).where(Grant.game_id == copy_id, Grant.role == "scorer")
        db.session.execute(right.values(device=device))


def continuations(code: str, log: Log) -> tuple[Continuation, ...]:
    """Return the copies in which a game continues, newest first; only those made since its links were last reset.

    If its `log` tells of no change besides entries, there are none, and no query is made.
    """
    return tuple(Continuation(*row) for row in fetch_of(code, _COPIES_OF)) if log.signals else ()


def copies_among(codes: Collection[str]) -> tuple[Continuation, ...]:
    """Return those of the games that are copies in which other games continue, newest first."""
    return tuple(Continuation(*row) for row in fetch(_COPIES_AMONG, codes=list(codes)))


def delete(code: str, grant_id: int | None = None, *, unused_days: int = 0) -> None:
    """Delete a game and everything the database has about it.

    Raises `NotAllowed` if the grant was revoked, and `NoSuchGame`, also if something was recorded
    within the last `unused_days`.
    """
    with writing(code, grant_id) as game_id:
        if unused_days and not db.session.execute(_unused(unused_days).where(Game.id == game_id)).first():
            raise NoSuchGame(code)
        # a club never seems to go back: what its games lose with this one, its own changes gain
        locked = sa.select(Game.length + Game.signals + 1).where(Game.id == game_id).with_for_update()
        clubs = sa.select(ClubGame.club_id).where(ClubGame.game_id == game_id)
        lost = db.session.execute(locked).scalar_one()
        db.session.execute(sa.update(Game).where(Game.id.in_(clubs)).values(signals=Game.signals + lost))
        # notify the phones that show a game which leads to this one, or which no longer counts in this club
        before = db.session.execute(sa.select(Game.rematch_of, Game.continues).where(Game.id == game_id)).one()
        counted = db.session.scalars(sa.select(ClubGame.game_id).where(ClubGame.club_id == game_id))
        db.session.execute(sa.update(Game).where(Game.id.in_((*before, *counted))).values(signals=Game.signals + 1))
        for link in ("rematch_of", "continues"):
            db.session.execute(sa.update(Game).where(getattr(Game, link) == game_id).values({link: None}))
        for model in (Count, Grant):
            db.session.execute(sa.delete(model).where(model.game_id == game_id))
        # deletes the entries as well, which a trigger protects as long as the game exists
        db.session.execute(sa.delete(Game).where(Game.id == game_id))
        mark_gone(code)
    if file := file_in_use():
        file.empty_journal()


def unused(days: int) -> tuple[str, ...]:
    """Return the codes of games that started, and had their last entry, more than `days` days ago, oldest first.

    Games that count in a club, and clubs, are never among them.
    """
    return tuple(row.code for row in fetch(_unused(days)))


def _unused(days: int) -> sa.Select[str]:
    since = ago(days=days)
    counting = sa.exists().where(ClubGame.game_id == Game.id)
    of_each = sa.select(Game.code).join(Entry).where(Game.kind == "game", sa.not_(counting))
    of_each = of_each.group_by(Game.id, Game.code, Game.created_at)
    return of_each.having(Game.created_at < since, sa.func.max(Entry.at) < since).order_by(Game.id)


def _entry(row: sa.Row[Any]) -> StoredEntry:
    return StoredEntry(row.seq, json.loads(row.data), row.actor, row.at)


def serialize(event: Event) -> str:
    """Return the text in which an event is stored; equal events give equal texts."""
    return json.dumps(event, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _row(each: StoredEntry, submission: str) -> dict[str, object]:
    return {
        "seq": each.seq,
        "submission": submission,
        "data": serialize(each.event),
        "actor": clean_label(each.actor),
        "at": each.at,
    }
