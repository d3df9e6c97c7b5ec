"""Move a hand entered at the wrong table: preview both games, then save it at the right one and undo it here."""

from __future__ import annotations

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.forms.entry import seen_typed
from app.games import recording
from app.games.moving import find_copy, find_hand, match_seats, reseat, seats_of
from app.games.preview import consequences
from app.games.recording import RecordedGame, Refused
from app.kalooki.game.events import Hand, Undo
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.views import access
from app.views.game import page_of, pages

_STALE = "Nothing is moved yet: somebody else recorded something first. Look at both tables as they are now."
_HALF_DONE = (
    "The hand is saved there, and still counts here: somebody recorded something here first. Look, and remove it here."
)


def other_games(code: str) -> list[RecordedGame]:
    """Return the other games in play in which this device records, newest first."""
    return [
        record
        for record in access.get_games_here()
        if record.code != code and not record.game.finish and access.may_write(record.code)
    ]


def can_move(record: RecordedGame, entry: int) -> bool:
    """Return whether a hand counts here, and this device could move it to another game."""
    return bool(access.may_write(record.code) and find_hand(record, entry) and other_games(record.code))


@pages.get("/move/<int:entry>")
def ask_move(code: str, entry: int) -> ResponseReturnValue:
    """Show what moving a hand would change at both tables; if necessary, first ask to which one, and who is who."""
    record = access.get_game_to_write(code)
    hand = find_hand(record, entry)
    if hand is None:
        return _say_gone(record, entry)
    others = other_games(code)
    if "to" not in request.args and len(others) != 1:
        return page_of(record, "table/move.html", hand=hand, entry=entry, others=others, target=None)
    target = access.get_game_to_write(request.args["to"]) if "to" in request.args else others[0]
    if target.code == code:
        abort(404)
    return _page(record, entry, hand, target)


@pages.post("/move/<int:entry>")
def move(code: str, entry: int) -> ResponseReturnValue:
    """Save the hand at the other table, then undo it here; if repeated, do what is still missing."""
    record, target = access.get_game_to_write(code), access.get_game_to_write(request.form.get("to", ""))
    submission = request.form.get("submission", "")
    if target.code == code or not usable_submission(submission):
        abort(400)
    hand, copy = find_hand(record, entry), find_copy(record, entry, target)
    if copy.entry is None:
        if hand is None:
            return _say_gone(record, entry)
        if seen_typed(request.form.get("seen")) != record.seen:
            return _page(record, entry, hand, target, _STALE), 409
        seats = _seats(hand, record, target)
        if seats is None:
            return _page(record, entry, hand, target), 422
        seen = seen_typed(request.form.get("seen-there"))
        event = reseat(hand, seats)
        outcome = recording.save(target.code, event, seen, copy.submission, access.get_author(target))
        if not outcome.entry:
            message, status = ("", 422) if outcome.faults else (_STALE, 409)
            return _page(record, entry, hand, outcome.record, message), status
    return _undo_here(record, entry, target, submission)


def _say_gone(record: RecordedGame, entry: int) -> ResponseReturnValue:
    """Flash that a hand no longer counts here, and redirect; abort with 404 if there was none."""
    if not 1 < entry <= record.seen or not isinstance(record.entries[entry - 1].event.inner, Hand):
        abort(404)
    flash("This hand no longer counts here.", "warn")
    return redirect(url_for("game_pages.history", code=record.code), 303)


def _undo_here(record: RecordedGame, entry: int, target: RecordedGame, submission: str) -> ResponseReturnValue:
    """Undo the hand here, after it was saved at the other table."""
    seen = seen_typed(request.form.get("seen"))
    outcome = recording.save(record.code, Undo(entry), seen, submission, access.get_author(record))
    hand = find_hand(outcome.record, entry)
    if not outcome.entry and hand is not None:
        return _page(outcome.record, entry, hand, recording.open_game(target.code) or target, _HALF_DONE), 409
    flash("The hand is moved: it counts here, and no longer at the other table.", "ok")
    return redirect(url_for("games.show", code=target.code), 303)


def _page(record: RecordedGame, entry: int, hand: Hand, target: RecordedGame, message: str = "") -> str:
    """Return the page with both previews, or why the hand cannot be moved, or that it is at the other table already."""
    seats = _seats(hand, record, target)
    copy = find_copy(record, entry, target)
    copied = target.game.hand_at(copy.entry) if copy.entry else None
    there = consequences(target, reseat(hand, seats)) if seats and copy.entry is None else None
    here = consequences(record, Undo(entry))
    faults = [
        explain(fault, refused.variant).text
        for refused in (there, here)
        if isinstance(refused, Refused)
        for fault in refused.faults
    ]
    return page_of(
        record,
        "table/move.html",
        hand=hand,
        entry=entry,
        others=[],
        target=target,
        copy=copied.number if copied else None,
        is_copied=copy.entry is not None,
        people=_match_players(hand, record, target),
        seats=seats or {},
        there=None if isinstance(there, Refused) else there,
        here=None if isinstance(here, Refused) else here,
        faults=faults,
        said=message,
    )


def _match_players(hand: Hand, record: RecordedGame, target: RecordedGame) -> dict[int, int | None]:
    """Return each player's seat at the other table, as chosen or by name; empty if names alone are enough."""
    by_name = match_seats(hand, record.game, target.game)
    chosen = {seat: whole_typed(request.values.get(f"seat-{seat}", ""), digits=3) for seat in seats_of(hand)}
    if by_name.keys() == chosen.keys() and not any(chosen.values()):
        return {}
    return {seat: chosen[seat] or by_name.get(seat) for seat in chosen}


def _seats(hand: Hand, record: RecordedGame, target: RecordedGame) -> dict[int, int] | None:
    """Return the seat of each player at the other table; None if one is not chosen, or two have the same seat."""
    seats = _match_players(hand, record, target) or match_seats(hand, record.game, target.game)
    seats_there = {seat: other for seat, other in seats.items() if other in target.game.players}
    return seats_there if len(set(seats_there.values())) == len(seats) else None
