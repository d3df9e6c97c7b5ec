"""Corrections: undo an entry, void a hand, or say late that a player bought in; previewed, then saved with one button.

A late buy-in comes after the player had declined, or before a hand already played. A correction may have made that
hand impossible, because its player is now out there; or it was played without them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue

from app.forms.entry import EntryForm, VoidForm
from app.i18n import _, gettext
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Amend, BuyIn, Decline, Event, Undo, Void, to_json
from app.kalooki.game.play import Game, before
from app.kalooki.rules.rulebook import explain
from app.table.preview import Consequences
from app.table.recording import Table
from app.telling.story import Story
from app.views import access
from app.views.game import workflow
from app.views.game.workflow import Task, Way

blueprint = Blueprint("corrections", __name__, url_prefix="/g/<code>")

_UNDO, _VOID, _BUY_IN = ({"kind": kind} for kind in (Undo.kind, Void.kind, BuyIn.kind))
_VOID_NOW = _VOID | {"entry": 0}


@blueprint.get("/undo/<int:entry>", defaults=_UNDO, endpoint="ask_undo")
@blueprint.get("/void", defaults=_VOID_NOW, endpoint="ask_void")
@blueprint.get("/void/<int:entry>", defaults=_VOID, endpoint="ask_void")
@blueprint.get("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="ask_buy_in")
def ask(code: str, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """What undoing an entry changes, even a correction; or voiding a hand, the one just dealt or the one at `entry`."""
    task = _task(access.scorers_table(code), kind, entry, seat)
    form = task.form(None)
    return workflow.preview(task, form, task.event(form))


@blueprint.post("/undo/<int:entry>", defaults=_UNDO, endpoint="undo")
@blueprint.post("/void", defaults=_VOID_NOW, endpoint="void")
@blueprint.post("/void/<int:entry>", defaults=_VOID, endpoint="void")
@blueprint.post("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="buy_in")
def correct(code: str, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """Record it; sent twice, it is recorded once."""
    task = _task(access.scorers_table(code), kind, entry, seat)
    if kind == BuyIn.kind and task.saved(task.form(request.form)):  # what it would record now is another entry
        return workflow.saved_already(task)
    return workflow.save(task, request.form)


def _task(table: Table, kind: str, entry: int, seat: int) -> Task:
    """Aborts with 404 for an entry that does not exist, and for the first, which starts the game."""
    is_next_hand = kind == Void.kind and not entry
    if not is_next_hand and not 1 < entry <= table.seen:
        abort(404)
    is_late = kind == BuyIn.kind
    game = _game_then(table, entry, seat) if is_late else table.game
    onwards, done = url_for("games.show", code=table.code), _done(table, kind, entry)
    return Task(_WAYS[kind], table, kind, entry, game, onwards, seat=seat, done=done, mends=is_late)


def _game_then(table: Table, entry: int, seat: int) -> Game:
    """The table before an entry; aborts with 404 if the entry does not stand, or nobody had the seat by then."""
    game = before(table.entries, entry)
    return game if game and seat in game.players else abort(404)


def _done(table: Table, kind: str, entry: int) -> str:
    if kind != Undo.kind:
        return _("Void: nothing is scored.") if kind == Void.kind else _("Bought in.")
    undone = table.entries[entry - 1].event.kind
    return {Amend.kind: _("The correction is undone."), Undo.kind: _("Put back.")}.get(undone, _("Removed."))


def _correction_shown(task: Task, form: EntryForm) -> dict[str, Any]:
    recorded = _recorded(task.table.story, task.entry) if task.kind == Undo.kind else {}
    return recorded | {"meanwhile": workflow.caught_up(task, form), "lapsed": _lapsed(task)}


def _recorded(story: Story, entry: int) -> dict[str, Any]:
    """What is recorded at an entry, and the event that undoing it removes or puts back."""
    recorded = story.chapters[entry]
    event = recorded.stands or recorded.event
    moved = story.event(event.target) if isinstance(event, Undo) else event
    return {"recorded": recorded, "event": event, "moved": moved}


def _lapsed(task: Task) -> int | None:
    """The entry of the hand that was dealt without the player; None if they may still say that they buy in."""
    if task.seat not in task.table.game.late_offers:
        return None
    hands = (hand.entry for hand in task.table.game.hands if hand.number >= task.game.number)
    return next(hands, None)


def _void(task: Task, form: EntryForm) -> dict[str, Any]:
    void = to_json(Void(form["reason"].data or ""))
    return {"kind": "amend", "target": task.entry, "event": void} if task.entry else void


def _buy_in(task: Task, _form: EntryForm) -> dict[str, Any]:
    """The buy-in before a hand; what the player answered to the same offer after that hand is moved there."""
    entry, seat = task.entry, task.seat
    skipped = {noted.entry for noted in task.table.game.faults}
    since = dropwhile(lambda each: each.number != entry, standing(task.table.entries))
    answers = (each.number for each in since if isinstance(each.event, (BuyIn, Decline)) and each.event.seat == seat)
    answer = next((number for number in answers if number not in skipped), None)
    if answer is None:
        return to_json(BuyIn(seat, entry))
    return to_json(Amend(answer, BuyIn(seat, entry if entry != answer else None)))


def _what_it_mends(task: Task, _event: Event, outlook: Consequences) -> dict[str, Any]:
    """Whether a late buy-in mends the hand, and the hands it leaves without the player's cards."""
    then, now, seat = outlook.game, task.table.game, task.seat
    late = now.late_buy_ins.get(seat)
    unmended = [noted.fault for noted in then.faults if late and noted.entry == late.hand]
    wrong = [explain(fault, then.variant, gettext).text for fault in unmended]
    lacking = [entry for entry in then.lacking(seat) if entry not in now.lacking(seat)]
    return {"late": task.game.players[seat], "wrong": wrong, "lacking": lacking}


_UNDOING = Way(
    form=lambda task, typed: EntryForm(task.game, typed),
    event=lambda task, _form: to_json(Undo(task.entry)),
    again=lambda task, table: replace(task, table=table, game=task.game if task.seat else table.game),
    pages=("confirm.html", "confirm.html"),
    shown=_correction_shown,
)
_WAYS = {
    Undo.kind: _UNDOING,
    Void.kind: _UNDOING._replace(form=lambda task, typed: VoidForm(task.game, typed), event=_void),
    BuyIn.kind: _UNDOING._replace(event=_buy_in, previewed=_what_it_mends),
}
"""An entry to undo, a hand to void, or a buy-in before the hand at `entry`, or in place of the no there."""
