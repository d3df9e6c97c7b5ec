"""Continue a game without the phone that recorded it: as a copy, on another phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.days import on_the_wall
from app.games import recording
from app.games.recording import RecordedGame
from app.kalooki.game.play import play
from app.store import games
from app.store.games import Continuation
from app.views import access, device, limits
from app.views.game import page_of, pages
from app.views.game.workflow import to_the_game


def continuations_of(record: RecordedGame) -> tuple[Continuation, ...]:
    """Return the copies in which a game continues, newest first."""
    return games.continuations(record.code) if record.log.signals else ()


def without_ignored(copies: Sequence[Continuation]) -> tuple[Continuation, ...]:
    """Return the copies that this phone follows, or has not been asked about."""
    decided = [(copy, access.follows(copy.code)) for copy in copies]
    return tuple(
        copy for copy, follows in decided if follows or (follows is None and copy.at > device.ignored_until(copy.of))
    )


def say_copies(copies: Sequence[Continuation]) -> dict[str, Any]:
    """Return the context of the fragment about copies of a game."""
    followed = [copy for copy in copies if access.follows(copy.code)]
    others = [copy for copy in copies if copy not in followed]
    of = {"has_right": access.has_right, "made_at": made_at, "clock_of": clock_of}
    return {"continuations": copies, "followed": followed, "other_copies": others, **of}


def clock_of(copy: Continuation, record: RecordedGame) -> str:
    """Return the time of day when a copy was made, such as “18:53”."""
    return on_the_wall(copy.at, record.zone)[-5:]


def made_at(copy: Continuation, record: RecordedGame) -> str:
    """Return when a copy was made, given the game or the copy, such as “hand 9 (18:53)”."""
    until = [entry for entry in record.log.entries if entry.at <= copy.at]
    return f"hand {play(record.entries[: len(until) or 1]).number} ({clock_of(copy, record)})"


def copies_among(records: Sequence[RecordedGame]) -> dict[str, str]:
    """Return a description, by code, of those of the games that continue or repeat another one."""
    by_code = {record.code: record for record in records}
    copies = games.copies_among(by_code) if by_code else ()
    continued = {
        copy.code: "copy, continued on "
        f"{'this device' if device.has_started(copy.code) else copy.device} at {made_at(copy, by_code[copy.code])}"
        for copy in copies
    }
    return dict.fromkeys(recording.repeated(records), "copy") | continued


@pages.get("/continue/<copy>")
def follow(code: str, copy: str) -> ResponseReturnValue:
    """Redirect to a copy in which the game continues, which then counts on this phone."""
    return _answer(code, copy, follows=True)


@pages.post("/continue/<copy>")
def ignore(code: str, copy: str) -> ResponseReturnValue:
    """Ignore a copy: the game that it continues counts on this phone, which mentions none made until then any more."""
    return _answer(code, copy, follows=False)


def _answer(code: str, copy: str, *, follows: bool) -> ResponseReturnValue:
    made = next((each for each in continuations_of(access.get_game(code)) if each.code == copy), None)
    if made:
        device.follow_copy(copy, follows=follows)
        if not follows:
            device.ignore_until(code, made.at)
    return to_the_game(copy if made and follows else code)


@pages.get("/continue")
def ask_continue(code: str) -> ResponseReturnValue:
    """Explain what a copy on this phone is; redirect a phone that has one or may record here."""
    record = access.get_game(code)
    return _redirect_recorder(record) or page_of(record, "table/continue.html")


@pages.post("/continue")
@limits.starts
def continue_here(code: str) -> ResponseReturnValue:
    """Start a copy in which this phone records, and show its codes; each phone starts at most one."""
    record = access.get_game(code)
    if answer := _redirect_recorder(record):
        return answer
    access.require_room()
    seat = access.get_seat(code)
    name = f"{record.game.name(seat)}’s phone" if seat else f"another {device.name().removeprefix('another ')}"
    page = f"continue {code} {request.form.get('submission', '')}"  # a second tap starts no second copy
    copy = device.remember_beginning(recording.copy(record, device.own_submission(page), name))
    if not copy:
        return to_the_game(code)
    device.move_kept(code, copy)
    flash("The game continues here. Let the others scan this: their phones then record too.", "ok")
    return redirect(url_for("game_pages.share", code=copy), 303)


def _redirect_recorder(record: RecordedGame) -> ResponseReturnValue | None:
    """Return a redirect for a phone that records in this game or started a copy of it; None for any other."""
    own = (copy.code for copy in continuations_of(record) if device.has_started(copy.code))
    if copy := next(own, record.code if access.may_write(record.code) or record.game.finish else ""):
        return to_the_game(copy)
    return None
