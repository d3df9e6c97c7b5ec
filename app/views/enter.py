"""What happens besides hands: entered, looked at, saved; the same pages correct what was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import abort, flash, redirect, render_template, request, url_for

from app import recording
from app.consequences import Consequences, consequences
from app.forms.answers import DeciderForm, FirstForm, OfferForm
from app.forms.entry import (
    EndForm,
    EntryForm,
    JoinForm,
    LeaveForm,
    PaidForm,
    PenaltyForm,
    RenameForm,
    StopForm,
)
from app.forms.ruling import RulingForm
from app.forms.setup import SetupForm
from app.kalooki.cards import Malformed
from app.kalooki.events import Event, Stop, from_json, to_json
from app.kalooki.game import Game, before, mended_start
from app.kalooki.money import written
from app.kalooki.standing import standing
from app.kalooki.wording import names
from app.log import AlreadySaved, Stale
from app.recording import Refused, Table
from app.views import access, looking
from app.views.buttons import say_saved
from app.words import _

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

FORMS: dict[str, type[EntryForm]] = {
    "penalty": PenaltyForm,
    "leave": LeaveForm,
    "join": JoinForm,
    "end": EndForm,
    "stop": StopForm,
    "paid": PaidForm,
    "rename": RenameForm,
    "setup": SetupForm,
    "ruling": RulingForm,
    "buy_in": OfferForm,
    "decline": OfferForm,
    "first": FirstForm,
    "decider": DeciderForm,
}
CORRECTABLE = tuple(kind for kind in FORMS if kind not in ("end", "setup"))
"""What can be entered anew in its place; the end has nothing to correct, and the set-up is simply mended again."""

_BUTTONS = ("buy_in", "decline", "first", "decider")
"""What the game's page records with a button; here it is only corrected."""

_NEXT = {"paid": "table.settle", "rename": "table.mend", "setup": "table.mend"}
_NAMES = {"from": "payer"}
_OWN = ("seen", "submission", *looking.UNCARRIED)


@dataclass(frozen=True)
class Task:
    """What the form is for: a new entry, or the correction of entry `entry`; `game` is the table it was recorded at."""

    kind: str
    entry: int
    game: Game
    recorded: dict[str, Any]

    def form(self, table: Table, typed: Any) -> EntryForm:
        """The form as typed; without anything typed as recorded, or with what is usual."""
        if self.kind == "setup":
            return SetupForm(self.game, mended_start(table.entries), typed)
        data = {_NAMES.get(key, key): value for key, value in self.recorded.items()}
        form = FORMS[self.kind](self.game, formdata=typed, data=data)
        if typed is None and not self.entry:
            form.suggest()
        return form

    def event(self, form: EntryForm) -> Event:
        """What saving the form records; raises Malformed."""
        told = self.told(form)
        return from_json({"kind": "amend", "target": self.entry, "event": told} if self.entry else told)

    def told(self, form: EntryForm) -> dict[str, Any]:
        """The entry as the form has it, in JSON; what the form of a correction does not ask stays as recorded."""
        return (self.recorded if self.entry else {}) | form.event()


def enter(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The form, filled in with what is usual; where there is nothing to ask, at once what saving would do."""
    table = access.scorers_table(code)
    task = _task(table, kind, entry)
    form = task.form(table, None)
    return _form_page(table, task, form) if form.asked else _preview(table, task, form)


def send(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Does what the pressed button asks: look, change or save."""
    table = access.scorers_table(code)
    task = _task(table, kind, entry)
    do = request.form.get("do", "preview")
    if do == "save":
        return _save(table, task, task.form(table, request.form))
    where = url_for("table.look", code=code, kind=kind, entry=entry or None)
    address = looking.address_of(where, request.form, do)
    return redirect(address, HTTPStatus.SEE_OTHER) if address else _look(table, task)


def look(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The entry that the address holds: what saving would do, or the form again."""
    table = access.scorers_table(code)
    return _look(table, _task(table, kind, entry))


def _look(table: Table, task: Task) -> ResponseReturnValue:
    contents = looking.typed()
    form = task.form(table, contents)
    return _form_page(table, task, form) if contents.get("do") == "change" else _preview(table, task, form)


def pool_outcomes(table: Table) -> dict[str, str]:
    """Who would get how much of the pool, for each way to stop; empty where the pool holds nothing."""
    if not table.game.pool:
        return {}
    games = {way: recording.preview(table, Stop(way)).game for way in names("pools")}
    return {
        way: ", ".join(f"{game.name(seat)} {written(part)}" for seat, part in game.shares.items())
        for way, game in games.items()
    }


def _task(table: Table, kind: str, entry: int) -> Task:
    """404 for a kind nobody enters here, and for an entry that the kind's form is not for or that does not stand."""
    if kind not in FORMS:
        abort(404)
    if not entry:
        if kind in _BUTTONS or (kind == "ruling" and not looking.typed().get("query")):
            abort(404)
        seat = request.args.get("seat", "")
        return Task(kind, entry, table.game, {"seat": seat} if seat else {})
    event = dict(standing(table.entries)).get(entry)
    game = before(table.entries, entry)
    if event is None or game is None or FORMS.get(event.kind) is not FORMS[kind] or kind not in CORRECTABLE:
        abort(404)
    return Task(kind, entry, game, to_json(event))


def _event(task: Task, form: EntryForm) -> Event | None:
    """The entry the form describes; None where something cannot be read, which the form then says."""
    if form.asked and not form.validate():
        return None
    try:
        return task.event(form)
    except Malformed as error:
        form.blame(error, task.game.variant)
    return None


def _outlook(table: Table, form: EntryForm, event: Event | None) -> Consequences | None:
    """What saving would do; None where it cannot be saved, which the form then says."""
    try:
        return consequences(table, event) if event else None
    except Refused as no:
        _blame(form, no)
    return None


def _blame(form: EntryForm, no: Refused) -> None:
    for fault in no.faults:
        form.blame(fault, no.variant)


def _preview(table: Table, task: Task, form: EntryForm, status: HTTPStatus = HTTPStatus.OK) -> ResponseReturnValue:
    """What saving would do, with the button that saves; the form again where it cannot be saved."""
    event = _event(task, form)
    if event and looking.is_recorded(table, str(form.submission.data), event):
        return looking.onwards(_onwards(task, table.code))
    outlook = _outlook(table, form, event)
    if outlook is None:
        return _form_page(table, task, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    typed = [(name, value) for name, value in looking.typed().items(multi=True) if name not in _OWN]
    page = render_template("table/preview.html", outlook=outlook, typed=typed, **_shown(table, task, form))
    return page, status


def _save(table: Table, task: Task, form: EntryForm) -> ResponseReturnValue:
    event = _event(task, form)
    if event is None:
        return _form_page(table, task, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        saved = recording.save(table.code, event, form.seen_entry, str(form.submission.data), access.author(table.code))
    except Refused as no:
        _blame(form, no)
        return _form_page(table, task, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    except Stale:
        return _look_again(table.code, task)
    except AlreadySaved:
        form.start_afresh()
        flash(_("This page has saved something already. Save again only if another entry is meant."), "warn")
        return _form_page(table, task, form, HTTPStatus.CONFLICT)
    say_saved(saved, event, _("Saved already.") if saved.repeated else _("Saved."))
    return redirect(_onwards(task, table.code), HTTPStatus.SEE_OTHER)


def _onwards(task: Task, code: str) -> str:
    return url_for(_NEXT.get(task.kind, "games.show"), code=code)


def _back(task: Task, form: EntryForm, code: str) -> str:
    """Where the form is left to without saving; that of a new ruling to the claim it is about."""
    if isinstance(form, RulingForm) and form.query.data:
        return f"{url_for('referee.check', code=code)}?{form.query.data}"
    return url_for(_NEXT.get(task.kind, "games.show" if task.entry else "table.more"), code=code)


def _look_again(code: str, task: Task) -> ResponseReturnValue:
    """What was typed, on the table as it is by now."""
    table = access.table_or_404(code)
    task = _task(table, task.kind, task.entry)
    return _preview(table, task, task.form(table, request.form), HTTPStatus.CONFLICT)


def _form_page(table: Table, task: Task, form: EntryForm, status: HTTPStatus = HTTPStatus.OK) -> ResponseReturnValue:
    outcomes = pool_outcomes(table) if task.kind == "stop" and not table.game.finish else {}
    typed = request.endpoint != "table.enter"
    return render_template("table/enter.html", outcomes=outcomes, typed=typed, **_shown(table, task, form)), status


def _shown(table: Table, task: Task, form: EntryForm) -> dict[str, Any]:
    """What both templates show; from here on the page has seen what is recorded by now."""
    seen, form.seen.data = form.seen_entry, str(table.seen)
    return {
        "table": table,
        "game": table.game,
        "code": table.code,
        "form": form,
        "task": task,
        "back": _back(task, form, table.code),
        "meanwhile": table.log.entries[seen:] if 0 < seen < table.seen else (),
    }
