"""Recording a hand: entered, previewed, saved; the same page for a corrected or a forgotten hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app import store
from app.forms.entry import seen_typed
from app.forms.hand import HandForm, as_fields, as_typed, counting, swapped
from app.games.recording import RecordedGame
from app.history.timeline import recorded_since
from app.kalooki.game.corrections import effective_entries, new_hands
from app.kalooki.game.events import Amend, Event, Hand, Insert, Join, Leave, Penalty, Ruling, Void
from app.kalooki.game.hands import same_hand
from app.kalooki.game.play import Game, before
from app.kalooki.readers import whole_typed
from app.views import access
from app.views.game import page_of, workflow
from app.views.game.continuing import continuations_of, say_copies
from app.views.game.counts import handed_in, of_phones
from app.views.game.workflow import Task, Way

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")

MOST_BESIDE = 6
"""So many entries recorded meanwhile are shown beside a hand."""
_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


def _form(task: Task, typed: MultiDict[str, str] | None) -> HandForm:
    number = {"number": str(task.game.number)} if task.is_new else {}
    known = {"seen": str(task.record.seen), "copies": str(len(continuations_of(task.record)))}
    first = {} if typed is not None else {**known, **number, **task.filled}
    return HandForm(task.game, typed, **first)


def _event(task: Task, form: HandForm) -> dict[str, Any]:
    wraps = {"correct": {"kind": "amend", "target": task.entry}, "insert": {"kind": "insert", "before": task.entry}}
    hand = form.event()
    return wraps[task.kind] | {"event": hand} if task.kind in wraps else hand


def _hand_shown(task: Task, form: HandForm) -> dict[str, Any]:
    """Return the context of the form's templates; `meanwhile` is what was recorded since the page was opened.

    A page that tells this has seen it, unless it competes with the hand.
    """
    meanwhile = recorded_since(task.record, form.seen_entry)
    as_dealt = task.is_as_dealt or (bool(meanwhile) and all(each.event.is_mid_hand for each in meanwhile))
    if form.seen_entry != task.record.seen and not _competes(task, form):
        form.seen.data = str(task.record.seen)
    counts = {"of_phones": of_phones(task.record) if task.kind == "record" else {}}
    return counts | {"dealt": task.game, "entry": counting(task.game), "meanwhile": meanwhile, "as_dealt": as_dealt}


def _competes(task: Task, form: HandForm) -> bool:
    """Whether others, or this very page, have recorded something that the hand must be compared with."""
    is_overtaken = not task.amends and new_hands(task.record.entries, form.seen_entry)
    return bool(task.saved(form) or task.is_as_dealt or is_overtaken or _unseen_copies(task, form))


def _unseen_copies(task: Task, form: HandForm) -> tuple[store.Continuation, ...]:
    """Return the copies in which the game goes on since the page was made, the newest first."""
    copies = continuations_of(task.record)
    later = copies[: max(0, len(copies) - form.known_copies)]
    return tuple(copy for copy in later if access.follows(copy.code) is not False)


def _question(task: Task, form: HandForm, event: Event | None) -> str | None:
    """Show the hand as typed beside what was recorded since, with what saving it now would do; None if nothing was.

    Once that is shown, the page has seen everything.
    """
    continuations = _unseen_copies(task, form)
    if form.seen_entry >= task.record.seen and not task.saved(form) and not continuations:
        return None
    seen = max(form.seen_entry, 1)
    shown = _hand_shown(task, form) | say_copies(continuations)
    if task.saved(form):
        form.start_afresh()
    form.seen.data, form.copies.data = str(task.record.seen), str(len(continuations_of(task.record)))
    meanwhile = recorded_since(task.record, seen)[-MOST_BESIDE:]
    shown |= {"meanwhile": meanwhile, "to_fix": _hand_to_fix(task, form, seen)}
    return task.page("hand_compare.html", form, outlook=task.outlook(form, event), **shown)


def _hand_to_fix(task: Task, form: HandForm, seen: int) -> int:
    """Return the entry of the hand recorded since that was typed under the same number, or of the first; 0 if none."""
    entries = [] if task.amends else new_hands(task.record.entries, seen)
    number = whole_typed(form.number.data)
    same_number = (entry for entry in entries if task.record.hand_number(entry) == number)
    return next(same_number, entries[0] if entries else 0)


def _find_same(task: Task, form: HandForm, event: Event | None) -> int:
    """Return the entry that has this hand already; 0 if none has.

    Others have recorded the same under its number, or another hand was corrected to it.
    """
    saved, record, number = task.saved(form), task.record, whole_typed(form.number.data)
    if saved and isinstance(saved.event, Amend) and not task.amends:
        return saved.event.target
    hand = event.inner if isinstance(event, Insert) else event
    if not isinstance(hand, Hand):
        return 0
    for entry in new_hands(record.entries, max(form.seen_entry, 1)):
        each = record.effective[entry]
        is_same = isinstance(each, Hand) and same_hand(hand, each, record.game.variant)
        if is_same and number in (None, record.hand_number(entry)):
            return entry
    return 0


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(code: str, kind: str, entry: int) -> str:
    """Return the form for a hand: the next one, a recorded one, or one forgotten before an entry.

    An open offer to buy in comes before the next hand, unless the table lets it lapse.
    """
    record = access.get_game_to_write(code)
    task = task_of(record, kind, entry)
    if kind == "record" and record.game.offers and "lapse" not in request.args:
        return page_of(record, "offers.html")
    return task.form_page(task.form(None), typed=False)


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change, swap or save; never lose what was typed."""
    task = task_of(access.get_game_to_write(code), kind, entry)
    do, contents = request.form.get("do", "preview"), request.form.copy()
    task = _as_dealt(task, contents)
    if do == "swap":
        contents = swapped(contents, request.form.get("swap-one", ""), request.form.get("swap-other", ""))
    if do == "save" and (page := _ask_where(task, contents)):
        return page, 409
    return workflow.send(task, contents, do if do in _DOES else "change")


def _ask_where(task: Task, contents: MultiDict[str, str]) -> str:
    """Return the page that asks about a hand of a game which goes on elsewhere since; empty for no question."""
    if not continuations_of(task.record):
        return ""
    form = task.form(contents)
    if not _unseen_copies(task, form):
        return ""
    event = task.event(form)
    return "" if task.find_same(form, event) else workflow.compare(task, form, event)


_DOES = ("preview", "compare", "resume", "save")
"""What buttons want, and the script for what a phone kept; any other leads back to the form."""


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def show_preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Return the hand in the address: its preview, what it competes with, or the form again."""
    task = _as_dealt(task_of(access.get_game_to_write(code), kind, entry), request.args)
    return workflow.show(task, request.args, request.args.get("do", "preview"))


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Return what saving would do, as a fragment of the page."""
    task = _as_dealt(task_of(access.get_game_to_write(code), kind, entry), request.form)
    form = task.form(request.form)
    event = task.event(form)
    outlook = task.outlook(form, event)
    return task.page("fragments/preview.html", form, outlook=outlook), 200 if outlook else 422


def task_of(record: RecordedGame, kind: str, entry: int) -> Task:
    """Return what the form of that kind is for; 404 if the table has no such entry."""
    dealt, filled = _TASKS[kind](record, entry)
    preview_at = url_for("hands.show_preview", code=record.code, kind=kind, entry=entry)
    onwards = url_for("games.show", code=record.code)
    mends = entry in record.game.fallen
    return Task(_WAY, record, kind, entry, dealt, onwards, preview_at, filled, mends=mends)


def _as_dealt(task: Task, contents: MultiDict[str, str]) -> Task:
    """Return the same hand as before somebody left, joined or was charged since its page was opened, if any did."""
    record, seen = task.record, seen_typed(contents.get("seen"))
    if task.kind == "insert":
        return replace(task, is_as_dealt=0 < seen < task.entry)
    if task.kind != "record" or not 0 < seen < record.seen or new_hands(record.entries, seen):
        return task
    since = (each for each in effective_entries(record.entries) if each.number > seen and not each.event.is_mid_hand)
    first = next((each.number for each in since if isinstance(each.event, _CHANGES_WHO_IS_IN)), 0)
    dealt = before(record.entries, first) if first else None
    if dealt is None or _seats(dealt) == _seats(record.game):
        return task
    return replace(task_of(record, "insert", first), is_as_dealt=True)


_CHANGES_WHO_IS_IN = (Leave, Join, Penalty, Ruling)


def _seats(game: Game) -> list[int]:
    return [player.seat for player in game.playing]


def _correction(record: RecordedGame, entry: int) -> tuple[Game, dict[str, Any]]:
    """Return the hand recorded as `entry`, at the table of that time; 404 if the entry is not a hand or does not stand.

    If somebody undid it during the correction, it keeps its form, so that what was typed comes back with the reason.
    """
    recorded = dict(effective_entries(record.entries)).get(entry)
    taken_back = recorded is None and request.endpoint != "hands.enter" and 1 < entry <= record.seen
    if not taken_back and not isinstance(recorded, (Hand, Void)):
        abort(404)
    dealt = record.game if taken_back else _dealt_before(record, entry)
    return dealt, as_typed(recorded) if isinstance(recorded, Hand) else {}


def _dealt_before(record: RecordedGame, entry: int) -> Game:
    return before(record.entries, entry) or abort(404)


_TASKS: dict[str, Callable[[RecordedGame, int], tuple[Game, dict[str, Any]]]] = {
    "record": lambda record, _: (record.game, as_fields(handed_in(record))),
    "correct": _correction,
    "insert": lambda record, entry: (_dealt_before(record, entry), {}),
}
"""The table each kind of hand is dealt at, and what fills its form at first."""

_WAY = Way(
    form=_form,
    event=_event,
    again=lambda task, record: replace(task_of(record, task.kind, task.entry), is_as_dealt=task.is_as_dealt),
    pages=("hand.html", "hand_preview.html"),
    shown=_hand_shown,
    question=_question,
    find_same=_find_same,
    competes=_competes,
)
