"""How everything is recorded: with a form (enter, preview, save), or with one button.

A task is one thing to record with a form; its way says how. Each request makes a new task from the current table, so
that after a conflict the entry is judged on what others have recorded. A preview has an address that carries the typed
form, so that going back or reloading never submits again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, assert_never
from urllib.parse import urlencode

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app import store
from app.forms.entry import EntryForm, seen_typed
from app.games import recording
from app.games.preview import Consequences, consequences, warnings_of
from app.games.recording import RecordedGame, Refused, Saved, SavedOtherwise, Stale
from app.history.timeline import HistoryItem, name_of, recorded_since
from app.kalooki.cards import BadInput
from app.kalooki.game.apply import between_hands
from app.kalooki.game.events import Event, read_new
from app.kalooki.game.play import Entry, Game
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.views import access
from app.views.game import page_of

LONGEST_ADDRESS = 3500
"""What every server and browser accepts as an address, with room for the host."""
UNCARRIED = ("csrf_token", "do", "of")
"""The fields that no preview carries."""


class Way(NamedTuple):
    """How tasks of one kind are done.

    `form` is the form as typed or, if nothing was typed, as recorded or with the usual values. `event` is what saving
    it records, in JSON, or raises BadInput. `again` is the same task at the table as it has become. `pages` are the
    templates of the form and of its preview, `shown` is what both show, `previewed` what the preview shows besides.
    `question` compares what was typed with what others recorded, and asks before it is saved; None if nothing is to be
    asked. Without it, what could not be saved is previewed again. `find_same` finds the entry that has it already, 0 if
    none; `competes` says whether something kept must be compared before it is typed further.
    """

    form: Callable[[Task, MultiDict[str, str] | None], Any]
    event: Callable[[Task, Any], dict[str, Any]]
    again: Callable[[Task, RecordedGame], Task]
    pages: tuple[str, str]
    shown: Callable[[Task, Any], dict[str, Any]]
    previewed: Callable[[Task, Event, Consequences], dict[str, Any]] = lambda *_: {}
    question: Callable[[Task, Any, Event | None], str | None] = lambda *_: None
    find_same: Callable[[Task, Any, Event | None], int] = lambda *_: 0
    competes: Callable[[Task, Any], bool] = lambda *_: False


@dataclass(frozen=True)
class Task:
    """What a form is for: a `kind` of entry, new (`entry` is 0), or about entry `entry` of the log.

    `game` is the table the entry is recorded at; for a correction, an earlier one than the current. `onwards` is
    where saving leads, and where to go without it; `preview_at` the address of the preview, if it has one of its own.
    `filled` is what the form shows at first, `done` the confirmation. `mends` says that saving leads on to what is
    missing in hands that it makes possible. `is_as_dealt` is a hand that was typed before somebody left, joined or was
    charged, and counts before that.
    """

    way: Way
    record: RecordedGame
    kind: str
    entry: int
    game: Game
    onwards: str
    preview_at: str = ""
    filled: dict[str, Any] = field(default_factory=dict)
    seat: int = 0
    done: str = ""
    mends: bool = False
    is_as_dealt: bool = False

    @property
    def is_new(self) -> bool:
        """Whether it is about no entry yet."""
        return not self.entry

    @property
    def amends(self) -> bool:
        """Whether it corrects a hand."""
        return self.kind == "correct"

    def form(self, typed: MultiDict[str, str] | None) -> Any:
        """Return the form as typed or, with None, as it is at first."""
        return self.way.form(self, typed)

    def event(self, form: EntryForm) -> Event | None:
        """Return the entry the form describes; None if something cannot be read, which the form then says."""
        try:
            return read_new(self.way.event(self, form)) if form.validate() else None
        except BadInput as error:
            form.blame(error, self.game.variant)
        return None

    def outlook(self, form: EntryForm, event: Event | None) -> Consequences | None:
        """Return what saving would do; None if it cannot be saved, and then the form says why."""
        try:
            outlook = consequences(self.record, event) if event else None
        except BadInput as error:  # between rules set at different times, one of them now taken back
            form.blame(error, self.game.variant)
            return None
        if isinstance(outlook, Refused):
            self.blame(form, outlook)
            return None
        return outlook

    def blame(self, form: EntryForm, refused: Refused) -> None:
        """Show in the form why the entry is refused."""
        for fault in refused.faults:
            form.blame(fault, self.game.variant)

    def question(self, form: EntryForm, event: Event | None) -> str | None:
        """Return what to ask before this is saved; None if nothing."""
        return self.way.question(self, form, event)

    def saved(self, form: EntryForm) -> Entry | None:
        """Return the entry this very page has saved, if it has."""
        number = store.saved_as(self.record.code, str(form.submission.data))
        return self.record.entries[number - 1] if number is not None and number <= self.record.seen else None

    def find_same(self, form: EntryForm, event: Event | None) -> int:
        """Return the entry of this very page, or of others, that has just this, whenever it counts; 0 if none."""
        saved = self.saved(form) if event else None
        if saved and event and between_hands(saved.event) == between_hands(event):
            return saved.number
        return self.way.find_same(self, form, event)

    def form_page(self, form: EntryForm, *, typed: bool = True) -> str:
        """Return the form; `typed` says that somebody has filled it in."""
        return self.page(self.way.pages[0], form, outlook=None, typed=typed)

    def page(self, template: str, form: EntryForm, **more: Any) -> str:
        """Return a page about the task; `more` comes before the usual context."""
        return page_of(self.record, template, task=self, form=form, **(self.way.shown(self, form) | more))


def send(task: Task, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    """Do what a button asks: save, or redirect to the preview's address; that page at once if it would be too long.

    Something a phone kept is only said to be recorded or not.
    """
    if do == "save":
        return save(task, contents)
    if do == "resume":
        form = task.form(contents)
        return "", 204 if task.find_same(form, task.event(form)) else 409
    address = address_of(task.preview_at, contents, do)
    return redirect(address, 303) if address else show(task, contents, do)


def show(task: Task, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    """Return what was typed: previewed, compared with what is saved, or in the form again."""
    form = task.form(contents)
    if do == "change":
        return task.form_page(form)
    event = task.event(form)
    if entry := task.find_same(form, event):
        return saved_already(task, entry)
    if do == "resume" and not task.way.competes(task, form):
        return task.form_page(form)
    return preview(task, form, event) if do == "preview" else compare(task, form, event)


def preview(task: Task, form: EntryForm, event: Event | None) -> ResponseReturnValue:
    """Return what saving would do, with the button that saves; the form again if it cannot be saved."""
    if question := task.question(form, event):
        return question
    page = _preview_page(task, form, event)
    return page or (task.form_page(form), 422)


def _preview_page(task: Task, form: EntryForm, event: Event | None) -> str:
    """Return the preview; empty if this cannot be saved, and then the form says why."""
    outlook = task.outlook(form, event)
    if event is None or outlook is None:
        return ""
    return task.page(task.way.pages[1], form, outlook=outlook, **task.way.previewed(task, event, outlook))


def save(task: Task, contents: MultiDict[str, str]) -> ResponseReturnValue:
    """Save what was typed exactly once, and redirect; any problem is shown together with what was typed."""
    form = task.form(contents)
    event = task.event(form)
    if event is None:
        return task.form_page(form), 422
    outcome = recording.save(
        task.record.code, event, form.seen_entry, str(form.submission.data), access.author(task.record)
    )
    match outcome:
        case Saved():
            say_saved(outcome, event, "Already saved." if outcome.repeated else task.done or "Saved.")
            mending = _lacking_page(outcome.record) if task.mends else ""
            return redirect(mending or task.onwards, 303)
        case Refused():
            task.blame(form, outcome)
            return task.form_page(form), 422
        case Stale() | SavedOtherwise():
            task = task.way.again(task, outcome.record)
            form = task.form(contents)
            event = task.event(form)
            if entry := task.find_same(form, event):
                return saved_already(task, entry)
            return compare(task, form, event), 409
        case _:
            assert_never(outcome)


def saved_already(task: Task, entry: int) -> ResponseReturnValue:
    """Redirect from something already saved, as `entry`, to where saving led."""
    flash(f"Already saved: {name_of(task.record, entry)} ({task.record.stamps[entry - 1].by}).", "ok")
    return redirect(task.onwards, 303)


def caught_up(task: Task, form: EntryForm) -> list[HistoryItem]:
    """Return what was recorded since the page was opened; from now on it has seen everything."""
    seen, form.seen.data = form.seen_entry, str(task.record.seen)
    return recorded_since(task.record, seen)


def _lacking_page(record: RecordedGame) -> str:
    """Where to say what somebody held in the first hand that lacks it; empty if none does."""
    entries = [entry for seat in record.game.order for entry in record.game.lacking(seat)]
    first = next((entry for entry in record.game.fallen if entry in entries), None)
    return url_for("hands.enter", code=record.code, kind="correct", entry=first) if first else ""


def compare(task: Task, form: EntryForm, event: Event | None) -> str:
    """Return the page for what could not be saved: a question if there is one, otherwise its preview or the form."""
    if question := task.question(form, event):
        return question
    if task.saved(form):
        form.start_afresh()
        flash("This page has already saved something. Save again only if you mean something else.", "warn")
        return task.form_page(form)
    return _preview_page(task, form, event) or task.form_page(form)


def address_of(preview_at: str, contents: MultiDict[str, str], do: str) -> str | None:
    """Return the address that previews `contents` as the button `do` asks; None if it would be too long.

    >>> address_of("/g/x/hand/look", MultiDict({"points-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?points-2=28&do=preview'
    """
    fields = [(name, value) for name, value in contents.items(multi=True) if name not in UNCARRIED]
    address = f"{preview_at}?{urlencode([*fields, ('do', do)])}"
    return address if len(address) <= LONGEST_ADDRESS else None


def pressed() -> tuple[str, list[int]]:
    """Return what the button of this request asks, and its numbers: `paid-2-1-60`.

    Aborts with 400 unless they are some.
    """
    what, *typed = request.form.get("do", "").split("-")
    numbers = [whole_typed(each, digits=9) for each in typed]
    return what, [abort(400) if number is None else number for number in numbers]


def press(record: RecordedGame, raw: dict[str, Any], done: str) -> Saved | None:
    """Record an event and confirm it with `done`, or say why not; None if it was not recorded."""
    name = request.form.get("submission", "")
    if not usable_submission(name):
        flash("This page cannot be sent again as it is: reload it and press the button once more.", "fault")
        return None
    event = read_new(raw)
    seen = seen_typed(request.form.get("seen"))
    outcome = recording.save(record.code, event, seen, name, access.author(record))
    match outcome:
        case Saved():
            say_saved(outcome, event, done)
            return outcome
        case Refused():
            for fault in outcome.faults:
                flash(explain(fault, outcome.variant).text, "fault")
        case Stale():
            flash("Somebody recorded meanwhile. Look at the table as it is now, then press again.", "warn")
        case SavedOtherwise():
            flash("This page has already recorded something. Look at the table as it is now.", "warn")
        case _:
            assert_never(outcome)
    return None


def to_the_game(code: str) -> Response:
    """Redirect to the game's page, which shows what the button did."""
    return redirect(url_for("games.show", code=code), 303)


def say_saved(saved: Saved, event: Event, done: str) -> None:
    """Let the next page say that an event was recorded, with its warnings; the game page offers to undo it."""
    flash(done, "saved")
    for text in warnings_of(saved.record.game, {saved.entry, event.stands_at(saved.entry)}):
        flash(text, "warn")
