"""Enter, preview, save: the one workflow of everything a scorer records with a form.

A task says what is recorded: it supplies the form, the event, the pages and where to go next. Each request makes a new
one from the current table, so that after a conflict the entry is judged on what others have recorded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Generic, TypeVar, assert_never

from flask import flash, redirect

from app.forms.entry import EntryForm
from app.i18n import _
from app.kalooki.cards import Malformed
from app.kalooki.game.events import from_json
from app.table import recording
from app.table.agreement import bare, with_opinions
from app.table.preview import Consequences, consequences
from app.table.recording import Refused, Saved, SavedOtherwise, Stale, Table
from app.views import access
from app.views.game import page_of, previews
from app.views.game.one_tap import say_saved

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

    from app.kalooki.game.events import Event
    from app.kalooki.game.play import Game
    from app.table.recording import Outcome

Asked = TypeVar("Asked", bound=EntryForm)


@dataclass(frozen=True)
class Task(ABC, Generic[Asked]):
    """What a form is for: a `kind` of entry, new (`entry` is 0), or about entry `entry` of the log.

    `game` is the table the entry is recorded at; for a correction, an earlier one than the current.
    """

    table: Table
    kind: str
    entry: int
    game: Game

    @property
    def done(self) -> str:
        """The confirmation after saving."""
        return _("Saved.")

    @property
    @abstractmethod
    def look_address(self) -> str:
        """The address of the preview."""

    @property
    @abstractmethod
    def onwards(self) -> str:
        """Where saving leads, and where to go without it."""

    def then(self, table: Table) -> str:  # noqa: ARG002 - most lead to the same page, whatever the table has become
        """Where saving leads, now that the table is this one."""
        return self.onwards

    @abstractmethod
    def again(self, table: Table) -> Task[Asked]:
        """The same task at the current table."""

    @abstractmethod
    def form(self, typed: MultiDict[str, str] | None) -> Asked:
        """The form as typed; if nothing was typed, as recorded or with the usual values."""

    @abstractmethod
    def told(self, form: Asked) -> dict[str, Any]:
        """What saving the form records, in JSON; raises Malformed."""

    @abstractmethod
    def shown(self, form: Asked) -> dict[str, Any]:
        """The context of the task's pages."""

    @abstractmethod
    def form_page(self, form: Asked, *, typed: bool = True) -> str:
        """The form; `typed` says that somebody has filled it in."""

    @abstractmethod
    def preview_page(self, form: Asked, event: Event, outlook: Consequences) -> str:
        """What saving would do, with the button that saves."""

    @abstractmethod
    def question(self, form: Asked, event: Event | None) -> str | None:
        """What to ask before this is saved; None if nothing."""

    @abstractmethod
    def after_conflict(self, form: Asked, event: Event | None) -> str:
        """What was typed, next to what others recorded meanwhile."""

    def event(self, form: Asked) -> Event | None:
        """The entry the form describes; None if something cannot be read, which the form then says."""
        try:
            return from_json(self.told(form))
        except Malformed as error:
            form.blame(error, self.game.variant)
        return None

    def outlook(self, form: Asked, event: Event | None) -> Consequences | None:
        """What saving would do; None if it cannot be saved, and then the form says why."""
        outlook = consequences(self.table, event) if event else None
        if isinstance(outlook, Refused):
            self.blame(form, outlook)
            return None
        return outlook

    def blame(self, form: Asked, refused: Refused) -> None:
        """Show in the form why the entry is refused."""
        for fault in refused.faults:
            form.blame(fault, self.game.variant)


def look_at(task: Task[Any], contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    """Redirect to the preview's address; show the page at once if that address would be too long."""
    address = previews.address_of(task.look_address, contents, do)
    return redirect(address, HTTPStatus.SEE_OTHER) if address else look(task, contents, do)


def look(task: Task[Any], contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    """What was typed: previewed, compared with what is saved, or in the form again."""
    form = task.form(contents)
    if do == "change":
        return task.form_page(form)
    event = task.event(form)
    if event and previews.is_recorded(task.table, str(form.submission.data), event):
        return previews.onwards(task.onwards)
    return compare(task, form, event) if do == "compare" else preview(task, form, event)


def preview(task: Task[Any], form: EntryForm, event: Event | None) -> ResponseReturnValue:
    """What saving would do, with the button that saves; the form again if it cannot be saved."""
    if question := task.question(form, event):
        return question
    outlook = task.outlook(form, event)
    if event is None or outlook is None:
        return task.form_page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    return task.preview_page(form, event, outlook)


def save(task: Task[Any], contents: MultiDict[str, str]) -> ResponseReturnValue:
    """Save what was typed exactly once, and redirect; any problem is shown together with what was typed."""
    form = task.form(contents)
    event = task.event(form)
    if event is None:
        return task.form_page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    outcome = _saved(task.table, with_opinions(task.table, event), form)
    match outcome:
        case Saved():
            say_saved(outcome, event, _("Saved already.") if outcome.repeated else task.done)
            return redirect(task.then(outcome.table), HTTPStatus.SEE_OTHER)
        case Refused():
            task.blame(form, outcome)
            return task.form_page(form), HTTPStatus.UNPROCESSABLE_ENTITY
        case Stale() | SavedOtherwise():
            return _after(outcome, task, contents), HTTPStatus.CONFLICT
        case _:
            assert_never(outcome)


def _saved(table: Table, event: Event, form: EntryForm) -> Outcome:
    """The outcome of saving; if the same page is sent twice, the opinions given before the first time count."""
    name = str(form.submission.data)
    outcome = recording.save(table.code, event, form.seen_entry, name, access.author(table.code))
    if isinstance(outcome, SavedOtherwise) and bare(outcome.table.entries[outcome.entry - 1].event) == bare(event):
        return Saved(outcome.table, outcome.entry, repeated=True)
    return outcome


def _after(conflict: Stale | SavedOtherwise, task: Task[Any], contents: MultiDict[str, str]) -> str:
    task = task.again(conflict.table)
    form = task.form(contents)
    return compare(task, form, task.event(form), saved_before=isinstance(conflict, SavedOtherwise))


def compare(task: Task[Any], form: EntryForm, event: Event | None, *, saved_before: bool | None = None) -> str:
    """The page for what could not be saved: a question if it may already be saved, otherwise what was typed.

    `saved_before` says whether this very page has saved something else; with None, this looks it up.
    """
    if question := task.question(form, event):
        return question
    if saved_before is None:
        saved_before = previews.saved_entry(task.table, str(form.submission.data)) is not None
    if not saved_before:
        return task.after_conflict(form, event)
    form.start_afresh()
    flash(_("This page has already saved something. Save again only if you mean something else."), "warn")
    return task.form_page(form)


def render(template: str, task: Task[Any], form: EntryForm, **more: Any) -> str:
    """A page of a task."""
    return page_of(task.table, template, task=task, form=form, **task.shown(form), **more)
