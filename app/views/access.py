"""Who may see and write: the only place that loads a game for a request and checks rights.

Anybody with a game's code may watch. Writing needs the secret of a grant: a script sends it as a bearer token, and a
device stores it in its signed cookie, which is valid only on pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NoReturn

from flask import abort, flash, g, redirect, request, url_for

from app.games import recording
from app.games.recording import LONGEST_LOG, DamagedGame, RecordedGame, open_game
from app.kalooki.cards import BadInput
from app.store import grants
from app.store.database import is_gone
from app.store.grants import Right
from app.views import device
from app.views.links import PREFIX

LONGEST_TOGETHER = 2 * LONGEST_LOG
"""The largest sum of the logs of several games on one page; a whole year of evenings is more."""
_RANKS = {"scorer": 2, "recovery": 2, "player": 1}


def get_game(code: str) -> RecordedGame:
    """Return the game, which anybody with its code may see; abort with 404, or 410 if it is gone."""
    record = open_game(code)
    if record is None:
        _follow(code)
        abort_missing(code)
    return record


def abort_missing(code: str) -> NoReturn:
    """Abort with 410 if that code once led to a game that was deleted or has another code now, else with 404."""
    abort(410 if is_gone(code) else 404)


def read_codes() -> list[str]:
    """Return the codes of the games in the address, each once; raises BadInput for none and for too many."""
    codes = list(dict.fromkeys(request.args.getlist("game")))
    if 0 < len(codes) <= device.MOST_RIGHTS:
        return codes
    raise BadInput("{field}: choose 1 to {most} games, not {word}.", "game", len(codes), most=device.MOST_RIGHTS)


def get_games(codes: Sequence[str]) -> list[RecordedGame]:
    """Return several games for one page, each once: without any that another of them continues or repeats.

    Aborts with 404 or 410 as `get_game` does, and raises BadInput if their logs are too long together.
    """
    records = list(_up_to_the_longest(get_game(code) for code in codes))
    if len(records) < len(codes):
        raise BadInput("{field}: these games are too long to be put together. Choose fewer of them.", "game")
    return recording.without_copies(recording.without_continued(records, follows))


def follows(copy: str) -> bool | None:
    """Return whether a copy counts as the game's continuation on this device; None if nobody has said.

    It does if the device may do more than watch the copy or has followed it there, and not if it ignores the copy.
    """
    return True if has_right(copy) else device.follows_copy(copy)


def get_games_here(most: int | None = device.MOST_GAMES) -> list[RecordedGame]:
    """Return the games last opened on this device that still exist, newest first; all of them if `most` is None.

    Leaves out games whose logs would be too long for one page together with the newer ones.
    """
    return list(_up_to_the_longest(record for code in device.games()[:most] if (record := _open_whole(code))))


def _open_whole(code: str) -> RecordedGame | None:
    """Return the game with that code; None if it is gone, or damaged, which only its own pages say."""
    with suppress(DamagedGame):
        return open_game(code)
    return None


def _up_to_the_longest(records: Iterator[RecordedGame]) -> Iterator[RecordedGame]:
    """Yield games until their logs are too long for one page."""
    together = 0
    for record in records:
        together += record.log.size
        if together > LONGEST_TOGETHER:
            return
        yield record


def require_room(code: str = "") -> None:
    """Make sure that the device can store one more right, or redirect to its games so that one can be removed.

    Call it before a right is given. If necessary, rights that open nothing any more are dropped, then the right in the
    joined and finished game opened longest ago; never a scorer's right, which might be the game's only one.
    """
    if not device.has_room(code):
        for joined, secret in device.rights().items():
            if grants.code_for(secret) is None:
                device.drop_secret(joined)
    if not device.has_room(code) and (unneeded := _find_finished_game()):
        device.drop_secret(unneeded)
    if not device.has_room(code):
        limit = f"This device can record or sit in {device.MOST_RIGHTS} games at most."
        flash(f"{limit} Remove one from this device first.", "warn")
        abort(redirect(url_for("evenings.games"), 303))


def _find_finished_game() -> str | None:
    """Return the code of the game opened here longest ago of those that this device joined and that are finished."""
    for code, secret in reversed(device.rights().items()):
        right = grants.grant_for(code, secret)
        if right and right.has_joined and (record := open_game(code)) and record.game.finish:
            return code
    return None


def _follow(code: str) -> None:
    """Redirect a device that has a right in a game to the game's new code, if its links were reset.

    This applies to pages only: clients of the JSON interface expect JSON or a file.
    """
    is_page = request.method == "GET" and not request.path.startswith(PREFIX)
    secret = device.secret_of(code) if is_page else ""
    fresh = grants.code_for(secret) if secret else None
    if fresh is not None:
        device.rename(code, fresh)
        abort(redirect(url_for("games.show", code=fresh)))


def get_game_to_write(code: str) -> RecordedGame:
    """Return the game if this request may record in it; abort with 404, 410 or 403 otherwise."""
    record = get_game(code)
    if not may_write(code):
        abort(403)
    return record


def get_game_to_manage(code: str) -> RecordedGame:
    """Return the game if this device started it; abort with 404, 410 or 403 otherwise."""
    record = get_game(code)
    if not is_starter(code):
        abort(403)
    return record


def may_write(code: str) -> bool:
    """Return whether this request has the right to record in that game."""
    right = get_right(code)
    return right is not None and right.may_record


def get_seat(code: str) -> int | None:
    """Return the seat with which this device joined; None if it only watches or has a scorer's right."""
    right = get_right(code)
    return right.seat if right is not None and right.has_joined else None


def has_right(code: str) -> bool:
    """Return whether this device has a scorer's right or has joined, with or without a seat."""
    right = get_right(code)
    return right is not None and right.role in _RANKS


def keep_right(code: str, secret: str, *, started: bool = False) -> None:
    """Store a right in that game on this device; what it stores for the game's earlier codes moves to this code."""
    for former in grants.former_codes(code, device.rights()):
        device.rename(former, code)
    device.remember(code, secret, started=started)


def accept_right(code: str, secret: str, right: Right) -> None:
    """Store a right in that game on this device, unless it has a higher one there."""
    own = get_right(code)
    if right.role in _RANKS and _RANKS[right.role] >= (_RANKS.get(own.role, 0) if own else 0):
        require_room(code)
        keep_right(code, secret, started=_is_first(right, code))


def _is_first(right: Right, code: str) -> bool:
    """Return whether a right is the one created with the game."""
    return right.role == "scorer" and right.id == grants.list_grants(code)[0].id


def is_starter(code: str) -> bool:
    """Return whether this device started that game and has a right in it: it may delete it and reset its links."""
    own = get_right(code)
    return own is not None and (device.has_started(code) or _is_first(own, code))


def get_author(record: RecordedGame) -> str:
    """Return who records, as named in the history: the player in the seat of the right, or else the device."""
    right = get_right(record.code)
    return record.game.name(right.seat) if right and right.seat else device.name()


def require_seat(code: str) -> int:
    """Return the seat of this device; abort with 403 if it has none."""
    seat = get_seat(code)
    if seat is None:
        abort(403)
    return seat


def get_right(code: str) -> Right | None:
    """Return the right that this request has in that game; it is looked up once per request."""
    rights: dict[str, Right | None] = g.setdefault("rights", {})
    if code not in rights:
        # the JSON interface has no CSRF token: with the cookie, any page of a neighbouring site could write
        secret = _read_bearer() or (device.secret_of(code) if request.blueprint != "api" else "")
        rights[code] = grants.grant_for(code, secret) if secret else None
    return rights[code]


def forget_rights() -> None:
    """Look up all rights again, after one was revoked during the request."""
    g.pop("rights", None)


def grant_id(code: str) -> int | None:
    """Return the id of the grant by which this request writes; the store asks for it again in its transaction."""
    right = get_right(code)
    return right.id if right else None


def _read_bearer() -> str:
    """Return the secret sent as `Authorization: Bearer …`; empty without one."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
