"""Recording a hand: entered, previewed, saved; the same page for a corrected or a forgotten hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import Blueprint, abort, render_template, request, url_for

from app import log
from app.forms.hand import HandForm, as_typed, swapped
from app.forms.keypad import counting
from app.forms.own_count import as_fields
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Amend, Event, Hand, Void, to_json
from app.kalooki.game.play import Entry, Game, before
from app.table import recording
from app.table.agreement import bare, propose, proposed, withdraw
from app.table.meanwhile import Meanwhile, meanwhile
from app.table.preview import Consequences
from app.table.recording import Refused, Table
from app.views import access
from app.views.game import page_of, previews, record
from app.views.game.corrections import lacking_page
from app.views.game.messages import handed_in
from app.views.game.record import Task, render

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")

PROPOSAL = "Kalooki-Proposal"
"""The header that names what seated phones are asked about; empty if they are asked nothing."""
_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


@dataclass(frozen=True)
class HandTask(Task[HandForm]):
    """The next hand, a recorded one to correct, or one forgotten before an entry; `filled` fills the form at first."""

    filled: dict[str, Any]

    @property
    def look_address(self) -> str:
        return url_for("hands.look", code=self.table.code, kind=self.kind, entry=self.entry)

    @property
    def onwards(self) -> str:
        return url_for("games.show", code=self.table.code)

    def then(self, table: Table) -> str:
        mends = self.entry in self.table.game.fallen
        return (lacking_page(table) if mends else "") or self.onwards

    def again(self, table: Table) -> HandTask:
        return task_of(table, self.kind, self.entry)

    def form(self, typed: MultiDict[str, str] | None) -> HandForm:
        first = {} if typed is not None else {"seen": str(self.table.seen), **self.filled}
        return HandForm(self.game, typed, **first)

    def told(self, form: HandForm) -> dict[str, Any]:
        return _WRAPS[self.kind](form.event(), self.entry)

    def form_page(self, form: HandForm, *, typed: bool = True) -> str:
        return render("hand.html", self, form, typed=typed)

    def preview_page(self, form: HandForm, event: Event, outlook: Consequences) -> str:
        shown = proposed(self.table, log.messages_of(self.table.code, self.table.edition))
        is_asked = shown is not None and shown.name == log.name_of(self.table.seen, to_json(bare(event)))
        return render("hand_preview.html", self, form, outlook=outlook, proposed=shown if is_asked else None)

    def ask_players(self, contents: MultiDict[str, str]) -> None:
        """Show the hand to seated players; only for a button pressed here: anybody can make a link to a preview."""
        form = self.form(contents)
        event = self.event(form)
        if event and not self.question(form, event) and self.outlook(form, event):
            propose(self.table, event)

    def shown(self, form: HandForm) -> dict[str, Any]:
        """The context of the form's templates.

        From now on the page has seen everything recorded so far, unless that includes a hand and the scorer has not
        yet said that theirs is another.
        """
        since = self._since(form)
        if not since.hands:
            form.seen.data = str(self.table.seen)
        return {"dealt": self.game, "entry": counting(self.game), "since": since}

    def question(self, form: HandForm, event: Event | None) -> str | None:
        """Whether this is one of the hands recorded since the page was opened, as a question to the scorer."""
        since = self.beside(form, event)
        return render_template("hand_twice.html", **self.compared(form, event, since)) if since.hands else None

    def after_conflict(self, form: HandForm, event: Event | None) -> str:  # noqa: ARG002 - the page shows what is typed
        return self.form_page(form)

    def beside(self, form: HandForm, event: Event | None) -> Meanwhile:
        """What was recorded since, including an entry that this very page saved with other contents."""
        saved = self.saved(form)
        return self._since(form, event, saved.number if saved else 0)

    def compared(self, form: HandForm, event: Event | None, since: Meanwhile) -> dict[str, Any]:
        """The question's context: the hand typed next to those recorded since, and whether it could be one more."""
        if since.hands and self.saved(form):
            form.start_afresh()
        may_add = event is not None and not isinstance(recording.preview(self.table, event), Refused)
        told = {"table": self.table, "game": self.table.game, "code": self.table.code, "task": self, "form": form}
        return told | self.shown(form) | {"since": since, "may_add": may_add}

    def saved(self, form: HandForm) -> Entry | None:
        """The entry this very page has saved, if it has."""
        return previews.saved_entry(self.table, str(form.submission.data))

    def _since(self, form: HandForm, event: Event | None = None, saved: int = 0) -> Meanwhile:
        """What the page had not seen; a correction adds no hand, so it is compared with none."""
        since = meanwhile(self.table, form.seen_entry, event, saved)
        return replace(since, hands=()) if self.kind == "correct" else since


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(code: str, kind: str, entry: int) -> str:
    """The form for a hand: the next one, a recorded one, or one forgotten before an entry.

    An open offer to buy in comes before the next hand, unless the table lets it lapse.
    """
    table = access.scorers_table(code)
    task = task_of(table, kind, entry)
    if kind == "record" and table.game.offers and "lapse" not in request.args:
        return page_of(table, "offers.html", submission=uuid4())
    return task.form_page(task.form(None), typed=False)


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change, swap or save; never lose what was typed."""
    task = task_of(access.scorers_table(code), kind, entry)
    do, last = previews.verb(request.form.get("do", "preview"))
    contents = _agreed(request.form, last)
    if do == "change":
        withdraw(code, request.form.get("of", ""))
    if do in ("save", "another"):
        return record.save(task, contents)
    if do == "swap":
        contents = swapped(contents, request.form.get("swap-one", ""), request.form.get("swap-other", ""))
    look = _LOOKS.get(do, "change")
    if look == "preview":
        task.ask_players(contents)
    return record.look_at(task, contents, look)


_LOOKS = {"preview": "preview", "mine": "preview", "compare": "compare"}
"""The page for each button; any other leads back to the form."""


def _agreed(contents: MultiDict[str, str], last: str) -> MultiDict[str, str]:
    """The form's contents; if the button names the entry up to which the scorer compared, the page has seen those."""
    if not last:
        return contents
    agreed = contents.copy()
    agreed["seen"] = last
    return agreed


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def look(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """The hand in the address: its preview, or the form again."""
    task = task_of(access.scorers_table(code), kind, entry)
    return record.look(task, request.args, request.args.get("do", "preview"))


@blueprint.post("/hand/kept", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/kept")
def take_up(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What became of a hand a phone kept while others went on, as a fragment; empty if it is saved."""
    task = task_of(access.scorers_table(code), kind, entry)
    form = task.form(request.form)
    event = task.event(form)
    saved = task.saved(form)
    if saved and (bare(saved.event) == event or (kind != "correct" and isinstance(saved.event, Amend))):
        return "", HTTPStatus.NO_CONTENT
    since = task.beside(form, event)
    return render_template("fragments/kept.html", **task.compared(form, event, since))


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """What saving would do, as a fragment of the page."""
    task = task_of(access.scorers_table(code), kind, entry)
    form = task.form(request.form)
    event = task.event(form)
    outlook = task.outlook(form, event)
    is_next = form.seen_entry == task.table.seen  # else it cannot be saved as it stands
    renews = "again" in request.form
    name = propose(task.table, event, renews=renews) if event and outlook and is_next else ""
    page = render("fragments/preview.html", task, form, outlook=outlook)
    return page, HTTPStatus.OK if outlook else HTTPStatus.UNPROCESSABLE_ENTITY, {PROPOSAL: name}


def _next_hand(table: Table, entry: int) -> HandTask:
    counted = as_fields(handed_in(table, log.messages_of(table.code, table.edition)))
    return HandTask(table, "record", entry, table.game, counted)


def _correction(table: Table, entry: int) -> HandTask:
    """The hand recorded as `entry`, at the table of that time; 404 if the entry is not a hand or does not stand.

    If somebody undid it during the correction, it keeps its form, so that what was typed comes back with the reason.
    """
    recorded = dict(standing(table.entries)).get(entry)
    taken_back = recorded is None and request.endpoint != "hands.enter" and 1 < entry <= table.seen
    if not taken_back and not isinstance(recorded, (Hand, Void)):
        abort(404)
    dealt = table.game if taken_back else _dealt_before(table, entry)
    return HandTask(table, "correct", entry, dealt, as_typed(recorded) if isinstance(recorded, Hand) else {})


def _insertion(table: Table, entry: int) -> HandTask:
    return HandTask(table, "insert", entry, _dealt_before(table, entry), {})


def task_of(table: Table, kind: str, entry: int) -> HandTask:
    """What the form of that kind is for; 404 if the table has no such entry."""
    return _TASKS[kind](table, entry)


_TASKS: dict[str, Callable[[Table, int], HandTask]] = {
    "record": _next_hand,
    "correct": _correction,
    "insert": _insertion,
}
_WRAPS: dict[str, Callable[[dict[str, Any], int], dict[str, Any]]] = {
    "record": lambda hand, _entry: hand,
    "correct": lambda hand, entry: {"kind": "amend", "target": entry, "event": hand},
    "insert": lambda hand, entry: {"kind": "insert", "before": entry, "event": hand},
}
"""The entry a hand makes, in JSON."""


def _dealt_before(table: Table, entry: int) -> Game:
    game = before(table.entries, entry)
    if game is None:
        abort(404)
    return game
