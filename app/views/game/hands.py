"""Recording a hand: entered, previewed, saved; the same page for a corrected or a forgotten hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app import log
from app.forms.entry import seen_typed
from app.forms.hand import HandForm, as_fields, as_typed, counting, swapped
from app.kalooki.game.corrections import effective_entries, new_hands
from app.kalooki.game.events import Amend, Event, Hand, Join, Leave, Penalty, Ruling, Void, to_json
from app.kalooki.game.play import Game, before
from app.table import recording
from app.table.agreement import bare, propose, proposed, withdraw
from app.table.meanwhile import Meanwhile, meanwhile
from app.table.preview import Consequences
from app.table.recording import Refused, Table
from app.views import access
from app.views.game import page_of, workflow
from app.views.game.messages import handed_in, writer
from app.views.game.workflow import Task, Way

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")

PROPOSAL = "Kalooki-Proposal"
"""The header that names what seated phones are asked about; empty if they are asked nothing."""
_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


def _form(task: Task, typed: MultiDict[str, str] | None) -> HandForm:
    first = {} if typed is not None else {"seen": str(task.table.seen), **task.filled}
    return HandForm(task.game, typed, **first)


def _event(task: Task, form: HandForm) -> dict[str, Any]:
    wraps = {"correct": {"kind": "amend", "target": task.entry}, "insert": {"kind": "insert", "before": task.entry}}
    hand = form.event()
    return wraps[task.kind] | {"event": hand} if task.kind in wraps else hand


def _hand_shown(task: Task, form: HandForm) -> dict[str, Any]:
    """The context of the form's templates.

    From now on the page has seen everything recorded so far, unless that includes a hand and the scorer has not yet
    said that theirs is another.
    """
    since = _since(task, form)
    if not since.hands:
        form.seen.data = str(task.table.seen)
    return {"dealt": task.game, "entry": counting(task.game), "since": since}


def _previewed(task: Task, event: Event, _outlook: Consequences) -> dict[str, Any]:
    """The opinions of those who are asked about this very hand."""
    asked = proposed(task.table, log.messages_of(task.table.code, task.table.edition))
    is_asked = asked is not None and asked.name == log.name_of(task.table.seen, to_json(bare(event)))
    return {"proposed": asked if is_asked else None}


def _question(task: Task, form: HandForm, event: Event | None) -> str | None:
    """Whether this is one of the hands recorded since the page was opened, as a question to the scorer."""
    since = _beside(task, form, event)
    return _compared("hand_twice.html", task, form, event, since) if since.hands else None


def _since(task: Task, form: HandForm, event: Event | None = None, saved: int = 0) -> Meanwhile:
    """What the page had not seen; a correction adds no hand, so it is compared with none."""
    since = meanwhile(task.table, form.seen_entry, event, saved)
    return since._replace(hands=()) if task.amends else since


def _beside(task: Task, form: HandForm, event: Event | None) -> Meanwhile:
    """What was recorded since, including an entry that this very page saved with other contents."""
    saved = task.saved(form)
    return _since(task, form, event, saved.number if saved else 0)


def _compared(template: str, task: Task, form: HandForm, event: Event | None, since: Meanwhile) -> str:
    """The hand typed next to those recorded since, and whether it could be one more."""
    if since.hands and task.saved(form):
        form.start_afresh()
    may_add = event is not None and not isinstance(recording.preview(task.table, event), Refused)
    return task.page(template, form, since=since, may_add=may_add)


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(code: str, kind: str, entry: int) -> str:
    """The form for a hand: the next one, a recorded one, or one forgotten before an entry.

    An open offer to buy in comes before the next hand, unless the table lets it lapse.
    """
    table = access.scorers_table(code)
    task = task_of(table, kind, entry)
    if kind == "record" and table.game.offers and "lapse" not in request.args:
        return page_of(table, "offers.html")
    return task.form_page(task.form(None), typed=False)


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change, swap or save; never lose what was typed."""
    task = task_of(access.scorers_table(code), kind, entry)
    do, _dash, last = request.form.get("do", "preview").partition("-")
    contents = request.form.copy()
    if last:  # the entry up to which the scorer compared: the page has seen those
        contents["seen"] = last
    task = _as_dealt(task, contents)
    if do == "change":
        withdraw(code, request.form.get("of", ""))
    if do == "swap":
        contents = swapped(contents, request.form.get("swap-one", ""), request.form.get("swap-other", ""))
    wanted = _WANTED.get(do, "change")
    if wanted == "preview":
        _ask_players(task, contents)
    return workflow.send(task, contents, wanted)


_WANTED = {"preview": "preview", "mine": "preview", "compare": "compare", "save": "save", "another": "save"}
"""What each button wants; any other leads back to the form."""


def _ask_players(task: Task, contents: MultiDict[str, str]) -> None:
    """Show the hand to seated players; only for a button pressed here: anybody can make a link to a preview."""
    form = task.form(contents)
    event = task.event(form)
    if event and not task.question(form, event) and task.outlook(form, event):
        propose(task.table, event)


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def show_preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """The hand in the address: its preview, or the form again."""
    task = _as_dealt(task_of(access.scorers_table(code), kind, entry), request.args)
    return workflow.show(task, request.args, request.args.get("do", "preview"))


@blueprint.post("/hand/kept", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/kept")
def take_up(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What became of a hand a phone kept while others went on, as a fragment; empty if it is saved."""
    task = _as_dealt(task_of(access.scorers_table(code), kind, entry), request.form)
    form = task.form(request.form)
    event = task.event(form)
    saved = task.saved(form)
    if saved and (bare(saved.event) == event or (kind != "correct" and isinstance(saved.event, Amend))):
        return "", 204
    return _compared("fragments/kept.html", task, form, event, _beside(task, form, event))


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What saving would do, as a fragment of the page."""
    task = _as_dealt(task_of(access.scorers_table(code), kind, entry), request.form)
    form = task.form(request.form)
    event = task.event(form)
    outlook = task.outlook(form, event)
    is_next = form.seen_entry == task.table.seen  # else it cannot be saved as it stands
    renews = "again" in request.form
    name = propose(task.table, event, renews=renews) if event and outlook and is_next else ""
    page = task.page("fragments/preview.html", form, outlook=outlook)
    return page, 200 if outlook else 422, {PROPOSAL: name}


def task_of(table: Table, kind: str, entry: int) -> Task:
    """What the form of that kind is for; 404 if the table has no such entry."""
    dealt, filled = _TASKS[kind](table, entry)
    preview_at = url_for("hands.show_preview", code=table.code, kind=kind, entry=entry)
    onwards = url_for("games.show", code=table.code)
    mends = entry in table.game.fallen
    return Task(_WAY, table, kind, entry, dealt, onwards, preview_at, filled, mends=mends)


def _as_dealt(task: Task, contents: MultiDict[str, str]) -> Task:
    """The same hand before somebody left, joined or was charged since its page was opened, if others were in then."""
    table, seen = task.table, seen_typed(contents.get("seen"))
    if task.kind == "insert":
        return replace(task, is_as_dealt=0 < seen < task.entry)
    if task.kind != "record" or not 0 < seen < table.seen or new_hands(table.entries, seen):
        return task
    since = (each for each in effective_entries(table.entries) if each.number > seen and not each.event.is_mid_hand)
    first = next((each.number for each in since if isinstance(each.event, _CHANGES_WHO_IS_IN)), 0)
    dealt = before(table.entries, first) if first else None
    if dealt is None or _seats(dealt) == _seats(table.game):
        return task
    return replace(task_of(table, "insert", first), is_as_dealt=True)


_CHANGES_WHO_IS_IN = (Leave, Join, Penalty, Ruling)


def _seats(game: Game) -> list[int]:
    return [player.seat for player in game.playing]


def _correction(table: Table, entry: int) -> tuple[Game, dict[str, Any]]:
    """The hand recorded as `entry`, at the table of that time; 404 if the entry is not a hand or does not stand.

    If somebody undid it during the correction, it keeps its form, so that what was typed comes back with the reason.
    """
    recorded = dict(effective_entries(table.entries)).get(entry)
    taken_back = recorded is None and request.endpoint != "hands.enter" and 1 < entry <= table.seen
    if not taken_back and not isinstance(recorded, (Hand, Void)):
        abort(404)
    dealt = table.game if taken_back else _dealt_before(table, entry)
    return dealt, as_typed(recorded) if isinstance(recorded, Hand) else {}


def _dealt_before(table: Table, entry: int) -> Game:
    return before(table.entries, entry) or abort(404)


_TASKS: dict[str, Callable[[Table, int], tuple[Game, dict[str, Any]]]] = {
    "record": lambda table, _: (table.game, as_fields(handed_in(table, log.messages_of(table.code, table.edition)))),
    "correct": _correction,
    "insert": lambda table, entry: (_dealt_before(table, entry), {}),
}
"""The table each kind of hand is dealt at, and what fills its form at first."""

_WAY = Way(
    form=_form,
    event=_event,
    again=lambda task, table: replace(task_of(table, task.kind, task.entry), is_as_dealt=task.is_as_dealt),
    pages=("hand.html", "hand_preview.html"),
    shown=_hand_shown,
    previewed=_previewed,
    question=_question,
)


def barred() -> ResponseReturnValue | None:
    """The answer to a request that only the pen allows: who has it, one tap to ask for it, the hand as typed.

    None if a page for everybody says enough.
    """
    code = str((request.view_args or {}).get("code", ""))
    if not code or access.may_write(code):
        return None
    table, lost, begun = access.table_or_404(code), access.lost_pen(code), workflow.hand_begun()
    may_ask = lost is not None or access.seat(code) is not None
    facts = {"lost": lost, "to": (lost.to if lost else None) or writer(code), "may_ask": may_ask, "begun": begun}
    if request.endpoint == "hands.preview":
        return page_of(table, "fragments/barred.html", **facts), 403, {PROPOSAL: ""}
    if not may_ask:
        return None
    form = None
    if "submission" in begun:
        task = task_of(table, begun["kind"], int(begun["entry"]))
        form = task.form(MultiDict(begun))
        if task.is_recorded(form, task.event(form)):  # before the pen passed: answered as it was
            return workflow.saved_already(task)
    return page_of(table, "barred.html", form=form, **facts), 403
