"""Everything a scorer records besides hands, and every correction: entered, previewed, saved.

The pages that enter an entry also correct it. Undoing an entry, voiding a hand, or saying late that a player bought in
asks no form: it is previewed at once. A late buy-in comes after the player had declined, or before a hand already
played, which may be impossible without it, because its player is out there; or it was played without them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile
from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.entry import BUTTONS, FORMS, EntryForm, FaceForm, RenameForm, RulingForm, VoidForm
from app.forms.setup import SetupForm
from app.games import recording
from app.games.preview import Consequences
from app.games.recording import RecordedGame, Refused
from app.history.facts import facts_of
from app.history.formats import money_format
from app.history.record import History
from app.history.timeline import is_repeated, title_of
from app.kalooki.game.corrections import effective_entries
from app.kalooki.game.events import Amend, BuyIn, Decline, Event, Hand, Insert, Stop, Undo, Void, to_json
from app.kalooki.game.play import Game, before, mended_start
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import names
from app.views import access
from app.views.game import pages, workflow
from app.views.game.workflow import Task, Way
from app.views.referee import judged
from app.views.rules import come_to

CORRECTABLE = tuple(kind for kind in FORMS if kind not in ("end", "setup"))
"""The kinds whose form can correct an entry; the end has nothing to correct, and a setup is simply corrected again."""

_NEXT = {"paid": "game_pages.settle"} | {
    kind: "game_pages.mend" for form in (RenameForm, FaceForm, SetupForm) for kind in form.kinds
}
_NAMES = {"from": "payer"}
_OWN = ("seen", "submission", *workflow.UNCARRIED)


def _form(task: Task, typed: Any) -> EntryForm:
    if task.kind == "setup":
        return SetupForm(task.game, mended_start(task.record.entries), typed, request.args.get("open", ""))
    data = {_NAMES.get(key, key): value for key, value in task.filled.items()}
    form = FORMS[task.kind](task.game, formdata=typed, data=data)
    if typed is None and not task.entry:
        form.suggest()
    return form


def _event(task: Task, form: EntryForm) -> dict[str, Any]:
    """Return the event; what the form of a correction does not ask stays as recorded if the kind does."""
    event = form.event()
    if task.entry:
        kept = task.filled if event["kind"] == task.filled["kind"] else {}
        return {"kind": "amend", "target": task.entry, "event": kept | event}
    if not isinstance(form, RulingForm):
        return event
    return event | judged(MultiDict(parse_qsl(str(form.query.data), keep_blank_values=True)), task.game)


def _entry_shown(task: Task, form: EntryForm) -> dict[str, Any]:
    """Return the context of both templates; from now on the page has seen everything recorded so far."""
    stops = task.kind == "stop" and not task.record.game.finish
    outcomes = pool_outcomes(task.record) if stops else {}
    return {"back": _back(task, form), "meanwhile": workflow.caught_up(task, form), "outcomes": outcomes}


def _previewed(_task: Task, event: Event, _outlook: Consequences) -> dict[str, Any]:
    typed = [(name, value) for name, value in request.values.items(multi=True) if name not in _OWN]
    return {"event": event.inner, "typed": typed}


def _back(task: Task, form: EntryForm) -> str:
    """Where Cancel leads; for a new ruling, to its claim."""
    code = task.record.code
    if isinstance(form, RulingForm) and form.query.data:
        return f"{url_for('referee.check', code=code)}?{form.query.data}"
    return url_for(_NEXT.get(task.kind, "games.show" if task.entry else "game_pages.more"), code=code)


_WAY = Way(
    form=_form,
    event=_event,
    again=lambda task, record: _task(record, task.kind, task.entry),
    pages=("table/enter.html", "table/preview.html"),
    shown=_entry_shown,
    previewed=_previewed,
)


@pages.get("/enter/<kind>")
@pages.get("/enter/<kind>/<int:entry>")
def enter(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Return the form, filled in with the usual values; if it asks nothing, the preview at once."""
    task = _task(access.get_game_to_write(code), kind, entry)
    form = task.form(None)
    return task.form_page(form, typed=False) if form.asked else workflow.preview(task, form, task.event(form))


@pages.post("/enter/<kind>")
@pages.post("/enter/<kind>/<int:entry>")
def send(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change or save."""
    task = _task(access.get_game_to_write(code), kind, entry)
    do, contents = request.form.get("do", "preview"), request.form.copy()
    if do in _WHEN:
        contents["after_hand"] = _WHEN[do]
        after = f"Saved: it counts after hand {task.record.game.number}."
        task, do = replace(task, done=after if _WHEN[do] else ""), "save"
    return workflow.send(task, contents, do)


_WHEN = {"after": "yes", "now": ""}
"""The buttons that answer whether a hand is being played."""


@pages.post("/enter/setup/rules")
def judge_rules(code: str) -> str:
    """Return what the rules typed for this game come to, before anything is looked at."""
    record = access.get_game_to_write(code)
    return come_to(SetupForm(record.game, mended_start(record.entries), request.form).house.form)


@pages.get("/enter/<kind>/look")
@pages.get("/enter/<kind>/<int:entry>/look")
def show_preview(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Return the entry in the address: its preview, or the form again."""
    task = _task(access.get_game_to_write(code), kind, entry)
    return workflow.show(task, request.args, request.args.get("do", "preview"))


def pool_outcomes(record: RecordedGame) -> dict[str, str]:
    """Who would get how much of the pool, for each way to stop; empty if the pool is empty."""
    if not record.game.pool:
        return {}
    stopped = {way: recording.preview(record, Stop(way)) for way in names("pools")}
    return {
        way: ", ".join(
            f"{then.game.name(seat)} {money_format(then.game).amount(part)}" for seat, part in then.game.shares.items()
        )
        for way, then in stopped.items()
        if not isinstance(then, Refused)
    }


def correcting(code: str, entry: int, event: Event) -> str:
    """Return the address of the form that corrects an entry, as it stands; empty if there is none."""
    if isinstance(event, (Hand, Void, Insert)):
        return url_for("hands.enter", code=code, kind="correct", entry=entry)
    return url_for("game_pages.enter", code=code, kind=event.kind, entry=entry) if event.kind in CORRECTABLE else ""


def _task(record: RecordedGame, kind: str, entry: int) -> Task:
    """Aborts with 404 for a kind that is not entered here, and for an entry that does not stand or has another form."""
    if kind not in FORMS:
        abort(404)
    game, filled = _corrected(record, kind, entry) if entry else _for_a_new_one(record, kind)
    preview_at = url_for("game_pages.show_preview", code=record.code, kind=kind, entry=entry or None)
    onwards = url_for(_NEXT.get(kind, "games.show"), code=record.code)
    return Task(_WAY, record, kind, entry, game, onwards, preview_at, filled)


def _for_a_new_one(record: RecordedGame, kind: str) -> tuple[Game, dict[str, Any]]:
    if kind in BUTTONS or (kind == "ruling" and not request.values.get("query")):
        abort(404)
    seat = request.args.get("seat", "")
    return record.game, {"seat": seat} if seat else {}


def _corrected(record: RecordedGame, kind: str, entry: int) -> tuple[Game, dict[str, Any]]:
    event = dict(effective_entries(record.entries)).get(entry)
    game = before(record.entries, entry)
    if event is None or game is None or FORMS.get(event.kind) is not FORMS[kind] or kind not in CORRECTABLE:
        abort(404)
    return game, to_json(event)


blueprint = Blueprint("corrections", __name__, url_prefix="/g/<code>")

_UNDO, _VOID, _BUY_IN = ({"kind": kind} for kind in (Undo.kind, Void.kind, BuyIn.kind))
_VOID_NOW = _VOID | {"entry": 0}


@blueprint.get("/undo/<int:entry>", defaults=_UNDO, endpoint="ask_undo")
@blueprint.get("/void", defaults=_VOID_NOW, endpoint="ask_void")
@blueprint.get("/void/<int:entry>", defaults=_VOID, endpoint="ask_void")
@blueprint.get("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="ask_buy_in")
def ask(code: str, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """Return what undoing an entry changes, even a correction.

    Or voiding a hand, the one just dealt or the one at `entry`.
    """
    task = _correction(access.get_game_to_write(code), kind, entry, seat)
    form = task.form(None)
    return workflow.preview(task, form, task.event(form))


@blueprint.post("/undo/<int:entry>", defaults=_UNDO, endpoint="undo")
@blueprint.post("/void", defaults=_VOID_NOW, endpoint="void")
@blueprint.post("/void/<int:entry>", defaults=_VOID, endpoint="void")
@blueprint.post("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="buy_in")
def correct(code: str, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """Record it; sent twice, it is recorded once."""
    task = _correction(access.get_game_to_write(code), kind, entry, seat)
    saved = task.saved(task.form(request.form)) if kind == BuyIn.kind else None
    if saved:  # what it would record now is another entry
        return workflow.saved_already(task, saved.number)
    return workflow.save(task, request.form)


def _correction(record: RecordedGame, kind: str, entry: int, seat: int) -> Task:
    """Aborts with 404 for an entry that does not exist, and for the first, which starts the game.

    Before a late buy-in, the hand must stand and the seat be somebody's.
    """
    is_next_hand = kind == Void.kind and not entry
    if not is_next_hand and not 1 < entry <= record.seen:
        abort(404)
    is_late = kind == BuyIn.kind
    game = before(record.entries, entry) if is_late else record.game
    if game is None or (is_late and seat not in game.players):
        abort(404)
    onwards, done = url_for("games.show", code=record.code), _done(record, kind, entry)
    return Task(_WAYS[kind], record, kind, entry, game, onwards, seat=seat, done=done, mends=is_late)


def _done(record: RecordedGame, kind: str, entry: int) -> str:
    if kind != Undo.kind:
        return "Void: nothing is scored." if kind == Void.kind else "Bought in."
    undone = record.entries[entry - 1].event.kind
    return {Amend.kind: "The correction is undone.", Undo.kind: "Put back."}.get(undone, "Removed.")


def _correction_shown(task: Task, form: EntryForm) -> dict[str, Any]:
    recorded = _recorded(task.record, task.entry) if task.kind == Undo.kind else {}
    return recorded | {"meanwhile": workflow.caught_up(task, form), "lapsed": _lapsed(task)}


def _recorded(history: History, entry: int) -> dict[str, Any]:
    """Return what is recorded at an entry, with the facts of what undoing it removes or puts back."""
    event = history.effective.get(entry) or history.entries[entry - 1].event
    moved = history.entries[event.target - 1].event if isinstance(event, Undo) else event
    hand = next((hand for hand in history.game.hands if hand.entry == entry), None)
    return {
        "recorded": entry,
        "title": title_of(history, event, entry),
        "facts": facts_of(moved, history.game, hand),
        "stamp": history.stamps[entry - 1],
        "is_repeated": is_repeated(history, entry),
    }


def _lapsed(task: Task) -> int | None:
    """Return the entry of the hand that was dealt without the player; None if they may still say that they buy in."""
    if task.seat not in task.record.game.late_offers:
        return None
    hands = (hand.entry for hand in task.record.game.hands if hand.number >= task.game.number)
    return next(hands, None)


def _void(task: Task, form: EntryForm) -> dict[str, Any]:
    void = to_json(Void(form["reason"].data or ""))
    return {"kind": "amend", "target": task.entry, "event": void} if task.entry else void


def _buy_in(task: Task, _form: EntryForm) -> dict[str, Any]:
    """Return the buy-in before a hand; what the player answered to the same offer after that hand is moved there."""
    entry, seat = task.entry, task.seat
    skipped = {noted.entry for noted in task.record.game.faults}
    since = dropwhile(lambda each: each.number != entry, effective_entries(task.record.entries))
    answers = (each.number for each in since if isinstance(each.event, (BuyIn, Decline)) and each.event.seat == seat)
    answer = next((number for number in answers if number not in skipped), None)
    if answer is None:
        return to_json(BuyIn(seat, entry))
    return to_json(Amend(answer, BuyIn(seat, entry if entry != answer else None)))


def _what_it_mends(task: Task, _event: Event, outlook: Consequences) -> dict[str, Any]:
    """Whether a late buy-in mends the hand, and the hands it leaves without the player's cards."""
    then, now, seat = outlook.game, task.record.game, task.seat
    late = now.late_buy_ins.get(seat)
    unmended = [noted.fault for noted in then.faults if late and noted.entry == late.hand]
    wrong = [explain(fault, then.variant).text for fault in unmended]
    lacking = [entry for entry in then.lacking(seat) if entry not in now.lacking(seat)]
    return {"late": task.game.players[seat], "wrong": wrong, "lacking": lacking}


_UNDOING = Way(
    form=lambda task, typed: EntryForm(task.game, typed),
    event=lambda task, _form: to_json(Undo(task.entry)),
    again=lambda task, record: replace(task, record=record, game=task.game if task.seat else record.game),
    pages=("confirm.html", "confirm.html"),
    shown=_correction_shown,
)
_WAYS = {
    Undo.kind: _UNDOING,
    Void.kind: _UNDOING._replace(form=lambda task, typed: VoidForm(task.game, typed), event=_void),
    BuyIn.kind: _UNDOING._replace(event=_buy_in, previewed=_what_it_mends),
}
"""An entry to undo, a hand to void, or a buy-in before the hand at `entry`, or in place of the no there."""
