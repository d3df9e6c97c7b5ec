"""Undo an entry, or void a hand: previewed first, then saved with one button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, request, url_for

from app.forms.entry import EntryForm, VoidForm
from app.i18n import _
from app.kalooki.game.events import Amend, Undo, Void, to_json
from app.views import access
from app.views.game import record
from app.views.game.record import Task, render

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

    from app.kalooki.game.events import Event
    from app.table.preview import Consequences
    from app.table.recording import Table

blueprint = Blueprint("corrections", __name__, url_prefix="/g/<code>")


@dataclass(frozen=True)
class CorrectionTask(Task[EntryForm]):
    """An entry to undo, or a hand to void: the one just dealt, or a recorded one."""

    @property
    def look_address(self) -> str:
        return url_for(f"corrections.ask_{self.kind}", code=self.table.code, entry=self.entry)

    @property
    def onwards(self) -> str:
        return url_for("games.show", code=self.table.code)

    @property
    def done(self) -> str:
        if self.kind != Undo.kind:
            return _("Void: nothing is scored.")
        undone = self.table.entries[self.entry - 1].event.kind
        return {Amend.kind: _("The correction is undone."), Undo.kind: _("Put back.")}.get(undone, _("Removed."))

    def again(self, table: Table) -> CorrectionTask:
        return replace(self, table=table, game=table.game)

    def form(self, typed: MultiDict[str, str] | None) -> EntryForm:
        return EntryForm(self.game, typed) if self.kind == Undo.kind else VoidForm(self.game, typed)

    def event(self, form: EntryForm) -> Event | None:
        return super().event(form) if form.validate() else None

    def told(self, form: EntryForm) -> dict[str, Any]:
        if self.kind == Undo.kind:
            return to_json(Undo(self.entry))
        void = to_json(Void(form["reason"].data or ""))
        return {"kind": "amend", "target": self.entry, "event": void} if self.entry else void

    def shown(self, form: EntryForm) -> dict[str, Any]:
        """The page's context; from now on the page has seen everything recorded so far."""
        seen, form.seen.data = form.seen_entry, str(self.table.seen)
        story = self.table.story
        recorded = story.chapters[self.entry] if self.kind == Undo.kind else None
        return {"recorded": recorded, "meanwhile": story.since(seen)}

    def form_page(self, form: EntryForm, *, typed: bool = True) -> str:  # noqa: ARG002 - nothing is kept as a draft
        return render("confirm.html", self, form, outlook=None)

    def preview_page(self, form: EntryForm, event: Event, outlook: Consequences) -> str:  # noqa: ARG002 - the same for all
        return render("confirm.html", self, form, outlook=outlook)

    def question(self, form: EntryForm, event: Event | None) -> str | None:  # noqa: ARG002 - nothing to compare
        return None

    def after_conflict(self, form: EntryForm, event: Event | None) -> str:
        return render("confirm.html", self, form, outlook=self.outlook(form, event))


def lacking_page(table: Table) -> str:
    """Where to say what somebody held in the first hand that lacks it; empty if none does."""
    entries = [entry for seat in table.game.order for entry in table.game.lacking(seat)]
    first = next((entry for entry in table.game.fallen if entry in entries), None)
    return url_for("hands.enter", code=table.code, kind="correct", entry=first) if first else ""


@blueprint.get("/undo/<int:entry>")
def ask_undo(code: str, entry: int) -> ResponseReturnValue:
    """What undoing an entry changes."""
    return _look(_undo(code, entry))


@blueprint.post("/undo/<int:entry>")
def undo(code: str, entry: int) -> ResponseReturnValue:
    """Undo an entry, even a correction."""
    return record.save(_undo(code, entry), request.form)


@blueprint.get("/void", defaults={"entry": 0})
@blueprint.get("/void/<int:entry>")
def ask_void(code: str, entry: int) -> ResponseReturnValue:
    """Void a hand: the one just dealt, or the one recorded as entry `entry`."""
    return _look(_void(code, entry))


@blueprint.post("/void", defaults={"entry": 0})
@blueprint.post("/void/<int:entry>")
def void(code: str, entry: int) -> ResponseReturnValue:
    """Void a hand; if the reason is too long, the page stays as typed."""
    return record.save(_void(code, entry), request.form)


def _look(task: CorrectionTask) -> ResponseReturnValue:
    form = task.form(None)
    return record.preview(task, form, task.event(form))


def _undo(code: str, entry: int) -> CorrectionTask:
    return _task(code, Undo.kind, entry)


def _void(code: str, entry: int) -> CorrectionTask:
    return _task(code, Void.kind, entry)


def _task(code: str, kind: str, entry: int) -> CorrectionTask:
    """Aborts with 404 for an entry that does not exist, and for the first, which starts the game."""
    table = access.scorers_table(code)
    is_next_hand = kind == Void.kind and not entry
    if not is_next_hand and not 1 < entry <= table.seen:
        abort(404)
    return CorrectionTask(table, kind, entry, table.game)
