"""Recording a hand: entered, looked at, saved; and the same page for a hand corrected or forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for

from app import log, recording
from app.consequences import Consequences, consequences
from app.forms.counting import counting
from app.forms.hand import HandForm, as_typed, hand_form, swapped
from app.forms.own_count import as_fields
from app.kalooki.cards import Card, Malformed, parse_left
from app.kalooki.events import Amend, Event, Hand, Void, from_json
from app.kalooki.game import Entry, Game, before
from app.kalooki.standing import standing
from app.log import AlreadySaved, Stale
from app.meanwhile import Meanwhile, meanwhile
from app.recording import Refused, Table
from app.views import access, looking
from app.views.buttons import say_saved
from app.words import _

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")

_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


@blueprint.app_template_filter("held")
def held(text: str | None) -> tuple[Card, ...]:
    """The cards left that were typed so; none where they cannot be read."""
    try:
        return parse_left(text or "")
    except Malformed:
        return ()


@dataclass(frozen=True)
class Task:
    """What the form is for: `dealt` is the table the hand was dealt at, `wrap` makes the entry of the hand.

    `shown` fills the form at first; `entry` is the hand corrected, or the one before which another is put in.
    """

    kind: str
    entry: int
    dealt: Game
    wrap: Callable[[dict[str, Any]], dict[str, Any]]
    shown: dict[str, Any]


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(code: str, kind: str, entry: int) -> str:
    """The form for a hand: the next one, a recorded one, or one forgotten before an entry.

    An open offer to buy in is asked before the next hand, unless the table lets it lapse.
    """
    table = access.scorers_table(code)
    task = _TASKS[kind](table, entry)
    if kind == "record" and table.game.offers and "lapse" not in request.args:
        return render_template("offers.html", submission=uuid4(), **_shown(table))
    return _form_page(table, task, hand_form(task.dealt, None, seen=str(table.seen), **task.shown), typed=False)


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Does what the pressed button asks: show, change, swap or save; what was typed is never lost."""
    table = access.scorers_table(code)
    task = _TASKS[kind](table, entry)
    do, last = looking.verb(request.form.get("do", "preview"))
    contents = _agreed(request.form, last)
    if do in ("save", "another"):
        return _save(table, task, contents)
    if do == "swap":
        contents = swapped(contents, request.form.get("swap-one", ""), request.form.get("swap-other", ""))
    shown = _LOOKS.get(do, "change")
    address = looking.address_of(url_for("hands.look", code=code, kind=kind, entry=entry), contents, shown)
    return redirect(address, HTTPStatus.SEE_OTHER) if address else _look(table, task, contents, shown)


_LOOKS = {"preview": "preview", "mine": "preview", "compare": "compare"}
"""How what a button sends is looked at; anything else leads back to the form."""


def _agreed(contents: MultiDict[str, str], last: str) -> MultiDict[str, str]:
    """What was sent; where the button says up to which entry the scorer has compared, the page has seen those."""
    if not last:
        return contents
    agreed = contents.copy()
    agreed["seen"] = last
    return agreed


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def look(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """The hand that the address holds: as saving would have it, or in the form again."""
    table = access.scorers_table(code)
    return _look(table, _TASKS[kind](table, entry), request.args, request.args.get("do", "preview"))


def _look(table: Table, task: Task, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    form = hand_form(task.dealt, contents)
    if do == "change":
        return _form_page(table, task, form)
    event = _event(task, form)
    if event and looking.is_recorded(table, str(form.submission.data), event):
        return looking.onwards(url_for("games.show", code=table.code))
    return _asked(table, task, form, event) if do == "compare" else _preview(table, task, form, event)


@blueprint.post("/hand/kept", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/kept")
def take_up(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What became of a hand that a phone kept while others went on, as a fragment; nothing where it is saved."""
    table = access.scorers_table(code)
    task = _TASKS[kind](table, entry)
    form = hand_form(task.dealt, request.form)
    event = _event(task, form)
    saved = _saved_as(table, form)
    if saved and (saved.event == event or (kind != "correct" and isinstance(saved.event, Amend))):
        return "", HTTPStatus.NO_CONTENT
    since = _beside(table, task, form, event)
    return render_template("fragments/kept.html", **_compared(table, task, form, event, since))


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What saving would do, as a fragment of the page."""
    table = access.scorers_table(code)
    task = _TASKS[kind](table, entry)
    form = hand_form(task.dealt, request.form)
    outlook = _outlook(table, task, form, _event(task, form))
    page = render_template("fragments/preview.html", outlook=outlook, **_form_shown(table, task, form))
    return page, HTTPStatus.OK if outlook else HTTPStatus.UNPROCESSABLE_ENTITY


def _next_hand(table: Table, entry: int) -> Task:
    counted = as_fields(log.counts(table.code, table.dealt_after))
    return Task("record", entry, table.game, lambda hand: hand, counted)


def _correction(table: Table, entry: int) -> Task:
    """The hand recorded as `entry`, at the table of that time; 404 for an entry that is no hand or does not stand.

    Taken back while it was being corrected, it keeps its form, so that what was typed comes back with the reason.
    """
    recorded = dict(standing(table.entries)).get(entry)
    taken_back = recorded is None and request.endpoint != "hands.enter" and 1 < entry <= table.seen
    if not taken_back and not isinstance(recorded, (Hand, Void)):
        abort(404)
    dealt = table.game if taken_back else _dealt_before(table, entry)
    shown = as_typed(recorded) if isinstance(recorded, Hand) else {}
    return Task("correct", entry, dealt, lambda hand: {"kind": "amend", "target": entry, "event": hand}, shown)


def _insertion(table: Table, entry: int) -> Task:
    dealt = _dealt_before(table, entry)
    return Task("insert", entry, dealt, lambda hand: {"kind": "insert", "before": entry, "event": hand}, {})


_TASKS: dict[str, Callable[[Table, int], Task]] = {
    "record": _next_hand,
    "correct": _correction,
    "insert": _insertion,
}


def _dealt_before(table: Table, entry: int) -> Game:
    game = before(table.entries, entry)
    if game is None:
        abort(404)
    return game


def _event(task: Task, form: HandForm) -> Event | None:
    """The entry the form describes; None where something cannot be read, which the form then says."""
    try:
        return from_json(task.wrap(form.event()))
    except Malformed as error:
        form.blame(error, task.dealt.variant)
    return None


def _outlook(table: Table, task: Task, form: HandForm, event: Event | None) -> Consequences | None:
    """What saving would do; None where it cannot be saved, which the form then says."""
    try:
        return consequences(table, event) if event else None
    except Refused as no:
        _blame(form, task, no)
    return None


def _blame(form: HandForm, task: Task, no: Refused) -> None:
    for fault in no.faults:
        form.blame(fault, task.dealt.variant)


def _preview(table: Table, task: Task, form: HandForm, event: Event | None) -> ResponseReturnValue:
    """The page that stands between entering and saving where there is no script."""
    if question := _question(table, task, form, event):
        return question
    outlook = _outlook(table, task, form, event)
    if outlook is None:
        return _form_page(table, task, form), HTTPStatus.UNPROCESSABLE_ENTITY
    return render_template("hand_preview.html", outlook=outlook, **_form_shown(table, task, form))


def _save(table: Table, task: Task, contents: MultiDict[str, str]) -> ResponseReturnValue:
    form = hand_form(task.dealt, contents)
    event = _event(task, form)
    if event is None:
        return _form_page(table, task, form), HTTPStatus.UNPROCESSABLE_ENTITY
    try:
        saved = recording.save(table.code, event, form.seen_entry, str(form.submission.data), access.author(table.code))
    except Refused as no:
        _blame(form, task, no)
        return _form_page(table, task, form), HTTPStatus.UNPROCESSABLE_ENTITY
    except (Stale, AlreadySaved):
        return _again(table.code, task, contents)
    say_saved(saved, event, _("Saved already.") if saved.repeated else _("Saved."))
    return redirect(url_for("games.show", code=table.code), HTTPStatus.SEE_OTHER)


def _again(code: str, task: Task, contents: MultiDict[str, str]) -> ResponseReturnValue:
    """What was typed, on the table as it is by now."""
    table = access.table_or_404(code)
    task = _TASKS[task.kind](table, task.entry)
    form = hand_form(task.dealt, contents)
    return _asked(table, task, form, _event(task, form)), HTTPStatus.CONFLICT


def _asked(table: Table, task: Task, form: HandForm, event: Event | None) -> str:
    """What could not be saved: a question where it may be saved already, else the form."""
    if question := _question(table, task, form, event):
        return question
    if _saved_as(table, form):
        form.start_afresh()
        flash(_("This page has saved something already. Save again only if you mean something else."), "warn")
    return _form_page(table, task, form)


def _question(table: Table, task: Task, form: HandForm, event: Event | None) -> str | None:
    """Whether this is one of the hands recorded since the page was opened, asked of people; None where no hand was."""
    since = _beside(table, task, form, event)
    return render_template("hand_twice.html", **_compared(table, task, form, event, since)) if since.hands else None


def _beside(table: Table, task: Task, form: HandForm, event: Event | None) -> Meanwhile:
    """What was recorded since, the entry included that this very page has saved with other contents."""
    saved = _saved_as(table, form)
    return _since(table, task, form, event, saved.number if saved else 0)


def _compared(table: Table, task: Task, form: HandForm, event: Event | None, since: Meanwhile) -> dict[str, Any]:
    """What the question shows: the hand typed beside those recorded since, and whether it could be one more."""
    if since.hands and _saved_as(table, form):
        form.start_afresh()
    return _form_shown(table, task, form) | {"since": since, "may_add": _may_add(table, event)}


def _may_add(table: Table, event: Event | None) -> bool:
    """Whether it could be recorded as it is, as one hand more."""
    try:
        return event is not None and bool(recording.preview(table, event))
    except Refused:
        return False


def _since(table: Table, task: Task, form: HandForm, event: Event | None = None, saved: int = 0) -> Meanwhile:
    """What the page did not know; a correction adds no hand, so it is compared with none."""
    since = meanwhile(table, form.seen_entry, event, saved)
    return replace(since, hands=()) if task.kind == "correct" else since


def _saved_as(table: Table, form: HandForm) -> Entry | None:
    """The entry this very page has saved, if it has."""
    number = log.saved_as(table.code, str(form.submission.data))
    return table.entries[number - 1] if number is not None and number <= table.seen else None


def _form_page(table: Table, task: Task, form: HandForm, typed: bool = True) -> str:
    return render_template("hand.html", typed=typed, **_form_shown(table, task, form))


def _form_shown(table: Table, task: Task, form: HandForm) -> dict[str, Any]:
    """What the form's templates show.

    From here on the page has seen what is recorded by now; not so where a hand is among it, before the scorer has
    said that theirs is another.
    """
    since = _since(table, task, form)
    if not since.hands:
        form.seen.data = str(table.seen)
    return {
        **_shown(table),
        "form": form,
        "task": task,
        "dealt": task.dealt,
        "entry": counting(task.dealt),
        "since": since,
    }


def _shown(table: Table) -> dict[str, Any]:
    return {"table": table, "game": table.game, "code": table.code}
