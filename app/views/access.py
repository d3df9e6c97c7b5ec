"""Who may see and write: the one place that loads a game and checks rights.

Anybody with a game's code may watch. Writing needs the secret of a grant: a script sends it as a bearer token; a
device keeps it in its signed cookie, which counts only on pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from flask import abort, flash, g, redirect, request, url_for

from app import store
from app.games import recording
from app.games.recording import LONGEST_LOG, RecordedGame, open_game
from app.kalooki.cards import BadInput
from app.views import device
from app.views.links import PREFIX

LONGEST_TOGETHER = 2 * LONGEST_LOG
"""The most that the logs of several games on one page may add up to; a whole year of evenings is more."""
_RANKS = {"scorer": 2, "recovery": 2, "player": 1}


def get_game(code: str) -> RecordedGame:
    """Return the game, which anybody with its code may see; aborts with 404, or 410 if it is gone."""
    record = open_game(code)
    if record is None:
        _follow(code)
        abort_missing(code)
    return record


def abort_missing(code: str) -> NoReturn:
    """Abort with 410 where that code led to a game once, which was deleted or has another address; else with 404."""
    abort(410 if store.is_gone(code) else 404)


def requested_codes() -> list[str]:
    """Return the games the address names, each once; raises BadInput for none and for too many."""
    codes = list(dict.fromkeys(request.args.getlist("game")))
    if 0 < len(codes) <= device.MOST_RIGHTS:
        return codes
    raise BadInput("{field}: choose 1 to {most} games, not {word}.", "game", len(codes), most=device.MOST_RIGHTS)


def get_games(codes: Sequence[str]) -> list[RecordedGame]:
    """Several games for one page, without any that another of them continues.

    Aborts with 404 as for one, and raises BadInput if they are too long together.
    """
    records = list(_up_to_the_longest(get_game(code) for code in codes))
    if len(records) < len(codes):
        raise BadInput("{field}: these games are too long to be put together. Choose fewer of them.", "game")
    return recording.without_continued(records, follows)


def follows(copy: str) -> bool | None:
    """Whether the table goes on in that copy for this device, which may do more than watch it or has gone there.

    False if it was told to ignore the copy, None if it has not answered.
    """
    return True if has_right(copy) else device.answer_to(copy)


def games_here(most: int | None = device.MOST_GAMES) -> list[RecordedGame]:
    """Return the games last opened on this device that still exist, newest first; `most` None for all.

    Leaves out games that make the whole longer than one page may be.
    """
    return list(_up_to_the_longest(record for code in device.games()[:most] if (record := open_game(code))))


def _up_to_the_longest(records: Iterator[RecordedGame]) -> Iterator[RecordedGame]:
    """Table by table, until their logs are too long for one page."""
    together = 0
    for record in records:
        together += record.log.size
        if together > LONGEST_TOGETHER:
            return
        yield record


def require_room(code: str = "") -> None:
    """Redirect to the device's games, to forget one, if it cannot keep a right in one more.

    Comes before a right is given. Room is made by rights that open nothing any more, then by the right that joined a
    finished game and was used longest ago; never by one to record as the scorer, which might be the game's only one.
    """
    if not device.has_room(code):
        for known, secret in device.rights().items():
            if store.code_for(secret) is None:
                device.let_go(known)
    if not device.has_room(code) and (unneeded := _joined_and_finished()):
        device.let_go(unneeded)
    if not device.has_room(code):
        said = "This device can record or sit in {most} games at most. Remove one from this device first."
        flash(said.format(most=device.MOST_RIGHTS), "warn")
        abort(redirect(url_for("evenings.games"), 303))


def _joined_and_finished() -> str | None:
    """Return the finished game this device joined that was opened here longest ago."""
    for code, secret in reversed(device.rights().items()):
        found = store.grant_for(code, secret)
        if found and found.has_joined and (record := open_game(code)) and record.game.finish:
            return code
    return None


def _follow(code: str) -> None:
    """Redirect a device that has a right to the game's new code, if its watch link was renewed.

    Pages only: clients of the interface expect JSON or a file.
    """
    is_page = request.method == "GET" and not request.path.startswith(PREFIX)
    secret = device.secret_of(code) if is_page else ""
    fresh = store.code_for(secret) if secret else None
    if fresh is not None:
        device.rename(code, fresh)
        abort(redirect(url_for("games.show", code=fresh)))


def get_game_to_write(code: str) -> RecordedGame:
    """Return the game for somebody who may record in it; aborts with 404 or 403 otherwise."""
    record = get_game(code)
    require_scorer(code)
    return record


def require_scorer_of(code: str) -> None:
    """Require the same for what opens the game itself, while nobody else may write in it."""
    if not may_write(code):
        get_game(code)
    require_scorer(code)


def may_write(code: str) -> bool:
    """Whether this request has the right to record in that game."""
    found = grant(code)
    return found is not None and found.may_record


def seat(code: str) -> int | None:
    """Return the seat this device has joined with; None for devices that only watch, or that have a scorer's right."""
    found = grant(code)
    return found.seat if found is not None and found.has_joined else None


def has_right(code: str) -> bool:
    """Whether this device has a scorer's right or has joined, with a seat or without: it does more than watch."""
    found = grant(code)
    return found is not None and found.role in _RANKS


def keep_right(code: str, secret: str, *, started: bool = False) -> None:
    """Keep a right in that game on this device; what it keeps of the game's earlier address comes along."""
    for former in store.former_codes(code, device.rights()):
        device.rename(former, code)
    device.remember(code, secret, started=started)


def was_reset(code: str) -> bool:
    """Whether that was a game's address until its links were reset; for a device with a right in a game still there."""
    secret = device.secret_of(code)
    return store.was_reset(secret) if secret else store.is_gone(code, by_reset=True)


def is_no_less(found: store.Right, code: str) -> bool:
    """Whether a right in that game is worth at least as much as what this device already has there."""
    own = grant(code)
    rank = _RANKS.get(found.role, 0)
    return rank > 0 and rank >= (_RANKS.get(own.role, 0) if own else 0)


def is_first(found: store.Right, code: str) -> bool:
    """Whether a right is the one that came with the start of that game."""
    return found.role == "scorer" and found.id == store.grants(code)[0].id


def is_starter(code: str) -> bool:
    """Whether this device started that game, and has a right in it now: it may delete it and reset its links."""
    own = grant(code)
    return own is not None and (device.has_started(code) or is_first(own, code))


def require_starter(code: str) -> None:
    """Abort with 403 unless this device started that game."""
    if not is_starter(code):
        abort(403)
    rely_on(code, grant(code))


def author(record: RecordedGame) -> str:
    """Who records in that game, as the history names them: the player in the seat of the right, else the device."""
    found = grant(record.code)
    return record.game.name(found.seat) if found and found.seat else device.name()


def require_seat(code: str) -> int:
    """Return the seat of this device; aborts with 403 if it has none."""
    found = seat(code)
    if found is None:
        abort(403)
    rely_on(code, grant(code))
    return found


def grant(code: str) -> store.Right | None:
    """Return the grant this request has in that game, looked up once a request."""
    looked_up: dict[str, store.Right | None] = g.setdefault("grants", {})
    if code not in looked_up:
        secret = own_secret(code)
        looked_up[code] = store.grant_for(code, secret) if secret else None
    return looked_up[code]


def own_secret(code: str) -> str:
    """Return the secret this request brings for that game, whether it opens anything or not.

    Empty if it brings none.
    """
    # the interface has no CSRF token: with the cookie, any page of a neighbouring site could write
    return bearer() or (device.secret_of(code) if request.blueprint != "api" else "")


def forget_rights() -> None:
    """Look every right up anew: one was revoked while the request was under way."""
    g.pop("grants", None)


def require_scorer(code: str) -> None:
    """Abort with 403 unless this request may record in that game."""
    if not may_write(code):
        abort(403)
    rely_on(code, grant(code), records=True)


def rely_on(code: str, found: store.Right | None, *, records: bool = False) -> None:
    """Make this request's write depend on that right, which may be revoked while the request waits its turn.

    With `records` it depends on the right to record, which the switch "Only this phone records" takes from who joined.
    """
    if found is not None:
        g.setdefault("relied_on", {})[code] = store.NeededRight(found.id, records)


def relied_on(code: str) -> store.NeededRight | None:
    """Return the right this request relies on in that game."""
    found: store.NeededRight | None = g.get("relied_on", {}).get(code)
    return found


def bearer() -> str:
    """Return the secret sent as `Authorization: Bearer …`, or nothing."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
