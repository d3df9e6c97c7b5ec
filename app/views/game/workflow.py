"""How everything is recorded: with a form (enter, preview, save), or with one button.

Each request creates a new task from the game as it is, so that after a conflict the entry is judged against what others
have recorded. The address of a preview contains what was typed, so that going back or reloading never submits again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app.forms.entry import EntryForm, seen_typed
from app.games import recording
from app.games.preview import Consequences, cash_words, consequences, fate_words, newly_unnamed, warnings_of
from app.games.recording import RecordedGame, Refused, Reused, Saved, Stale
from app.history.timeline import HistoryItem, name_of, recorded_since
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game.apply import between_hands
from app.kalooki.game.events import Event, read_new
from app.kalooki.game.play import Entry, warnings
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.store import games
from app.views import access
from app.views.game import page_of

LONGEST_ADDRESS = 3500
"""The longest address that every server and browser accepts, less some characters for the host."""
UNCARRIED = ("csrf_token", "do", "of")
"""The fields that are left out of a preview's address."""
_RENEWED = ("seen", "submission", *UNCARRIED)
"""The fields that every page sets anew."""


class Task(ABC):
    """Something to record with a form, new (`entry` is 0) or about an entry of the game; each kind has a class.

    `record` is the game as it is now, and `game` the game in which the entry is judged: for a correction, an earlier
    one. `filled` is the form's initial data, and `done` the confirmation.
    """

    template: ClassVar[str]
    """The template of the form."""
    seat = 0
    done = "Saved."

    def __init__(self, record: RecordedGame, kind: str, entry: int) -> None:
        self.record, self.kind, self.entry = record, kind, entry
        self.game = record.game
        self.filled: dict[str, Any] = {}

    @abstractmethod
    def form(self, contents: MultiDict[str, str] | None) -> Any:
        """Return the form with `contents` as sent or, if None, with its initial data."""

    @abstractmethod
    def event_of(self, form: Any) -> dict[str, Any]:
        """Return the entry that the form describes, as JSON; raises BadInput."""

    @abstractmethod
    def context(self, form: Any) -> dict[str, Any]:
        """Return the template context that the form and the review share."""

    def again(self, record: RecordedGame) -> Self:
        """Return the same task for the game as it has become."""
        return type(self)(record, self.kind, self.entry)

    def review(self, form: Any, _event: Event, _outlook: Consequences) -> dict[str, Any]:
        """Return the template context of the review, with everything typed."""
        return {
            "title": "Is this right?",
            "action": self.preview_at.removesuffix("/look"),
            "carried": [(name, value) for name, value in request.values.items(multi=True) if name not in _RENEWED],
            "can_change": bool(form.questions),
            "save": form.save,
            "splits_pool_instead": self.kind == "end" and self.record.game.pool and not self.entry,
        }

    def question(self, _form: Any, _event: Event | None) -> str | None:
        """Return a page that asks something before this is saved; None if there is nothing to ask."""
        return None

    def find_same(self, form: Any, event: Event | None) -> int:
        """Return the entry, saved by this page or by others, that already records exactly this; 0 if there is none.

        Whether it counts now or after the hand in play makes no difference.
        """
        entry = self.find_saved(form) if event else None
        return entry.number if entry and event and between_hands(entry.event) == between_hands(event) else 0

    def competes(self, _form: Any) -> bool:
        """Return whether what a phone stored must be compared with what others recorded before it is edited."""
        return False

    def asks_first(self, _form: Any, _event: Event | None) -> bool:
        """Return whether its question is asked before any attempt to save."""
        return False

    @property
    def is_new(self) -> bool:
        """Whether it is not about an existing entry."""
        return not self.entry

    @property
    def onwards(self) -> str:
        """The address to which saving and cancelling lead."""
        return url_for("games.show", code=self.record.code)

    @property
    def preview_at(self) -> str:
        """The address of the preview, without a query."""
        raise NotImplementedError

    def read(self, contents: MultiDict[str, str] | None) -> tuple[Any, Event | None]:
        """Return the form and its entry; None if something cannot be read, and then the form says what."""
        form = self.form(contents)
        try:
            return form, read_new(self.event_of(form)) if form.validate() else None
        except BadInput as error:
            form.blame(error, self.game.variant)
        return form, None

    def outlook(self, form: EntryForm, event: Event | None) -> Consequences | None:
        """Return what saving would change; None if it cannot be saved, and then the form says why."""
        try:
            outlook = consequences(self.record, event) if event else None
        except BadInput as error:  # house rules set at different times contradict each other once one is undone
            form.blame(error, self.game.variant)
            return None
        if isinstance(outlook, Refused):
            self.blame(form, outlook.faults)
            return None
        return outlook

    def blame(self, form: EntryForm, faults: tuple[Fault, ...]) -> None:
        """Show in the form why an entry is refused."""
        for fault in faults:
            form.blame(fault, self.game.variant)

    def find_saved(self, form: EntryForm) -> Entry | None:
        """Return the entry that this page has saved, if any."""
        number = games.saved_as(self.record.code, str(form.submission.data))
        return self.record.entries[number - 1] if number is not None and number <= self.record.seen else None

    def catch_up(self, form: EntryForm) -> list[HistoryItem]:
        """Return what was recorded since the page was opened; the page then counts as having shown everything."""
        seen, form.seen.data = form.seen_entry, str(self.record.seen)
        return recorded_since(self.record, seen)

    def send(self, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
        """Do what a button says: save, or redirect to the preview (rendered at once if its address would be too long).

        With `resume`, only say whether what a phone stored is recorded: 204 if it is, else 409.
        """
        if do == "save":
            return self.save(contents)
        if do == "resume":
            return "", 204 if self.find_same(*self.read(contents)) else 409
        address = address_of(self.preview_at, contents, do)
        return redirect(address, 303) if address else self.show(contents, do)

    def show(self, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
        """Show what was typed: previewed, compared with what is recorded, or in the form again."""
        if do == "change":
            return self.form_page(self.form(contents))
        form, event = self.read(contents)
        if entry := self.find_same(form, event):
            return self.confirm(entry)
        if do == "resume" and not self.competes(form):
            return self.form_page(form)
        return self.preview(form, event) if do == "preview" else self.compare(form, event)

    def preview(self, form: EntryForm, event: Event | None) -> ResponseReturnValue:
        """Show what saving would change, with a button that saves, or the form again if it cannot be saved."""
        page = self.question(form, event) or self._preview_page(form, event)
        return page or (self.form_page(form), 422)

    def save(self, contents: MultiDict[str, str]) -> ResponseReturnValue:
        """Save what was typed, exactly once, and redirect; any problem is shown together with what was typed."""
        form, event = self.read(contents)
        if self.asks_first(form, event):
            return self.compare(form, event), 409
        if event is None:
            return self.form_page(form), 422
        code, submission, by = self.record.code, str(form.submission.data), access.get_author(self.record)
        match recording.save(code, event, form.seen_entry, submission, by, access.grant_id(code)):
            case Saved() as saved:
                flash_saved(self.record, saved, event, "Already saved." if saved.is_repeated else self.done)
                return redirect(self.onwards, 303)
            case Refused(faults):
                self.blame(form, faults)
                return self.form_page(form), 422
            case Reused(record) | Stale(record):
                task = self.again(record)
                form, event = task.read(contents)
                if entry := task.find_same(form, event):
                    return task.confirm(entry)
                return task.compare(form, event), 409

    def confirm(self, entry: int) -> ResponseReturnValue:
        """Flash that this was already saved as `entry`, and redirect as after saving."""
        flash(f"Already saved: {name_of(self.record, entry)} ({self.record.stamps[entry - 1].by}).", "ok")
        return redirect(self.onwards, 303)

    def compare(self, form: EntryForm, event: Event | None) -> str:
        """Return the page for what could not be saved: a question if there is one, else the preview or the form."""
        if question := self.question(form, event):
            return question
        if self.find_saved(form):
            form.start_afresh()
            flash("This page has already saved something. Save again only if you mean something else.", "warn")
            return self.form_page(form)
        return self._preview_page(form, event) or self.form_page(form)

    def form_page(self, form: EntryForm, *, typed: bool = True) -> str:
        """Return the page with the form; `typed` says that somebody has filled it in."""
        return self.page(self.template, form, outlook=None, typed=typed)

    def _preview_page(self, form: EntryForm, event: Event | None) -> str:
        """Return the page with the preview; empty if this cannot be saved, and then the form says why."""
        outlook = self.outlook(form, event)
        if event is None or outlook is None:
            return ""
        return self.page("review.html", form, outlook=outlook, **self.review(form, event, outlook))

    def page(self, template: str, form: EntryForm, **more: Any) -> str:
        """Return a page about the task; `more` takes precedence over the usual context."""
        return page_of(self.record, template, task=self, form=form, **(self.context(form) | more))


def address_of(preview_at: str, contents: MultiDict[str, str], do: str) -> str | None:
    """Return the address that previews `contents` for the button `do`; None if it would be too long.

    >>> address_of("/g/x/hand/look", MultiDict({"points-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?points-2=28&do=preview'
    """
    fields = [(name, value) for name, value in contents.items(multi=True) if name not in UNCARRIED]
    address = f"{preview_at}?{urlencode([*fields, ('do', do)])}"
    return address if len(address) <= LONGEST_ADDRESS else None


def button_value() -> tuple[str, list[int]]:
    """Return the word and the numbers in the value of the pressed button, such as `paid-2-1-60`.

    Aborts with 400 if the numbers cannot be read.
    """
    what, *parts = request.form.get("do", "").split("-")
    numbers = [whole_typed(each, digits=9) for each in parts]
    return what, [abort(400) if number is None else number for number in numbers]


def record_action(record: RecordedGame, raw: dict[str, Any], done: str) -> int:
    """Record the event of a button, flash `done` and return the entry; if refused, flash the reason and return 0."""
    name = request.form.get("submission", "")
    if not usable_submission(name):
        flash("This page cannot be sent again as it is: reload it and tap the button again.", "fault")
        return 0
    event, seen, by = read_new(raw), seen_typed(request.form.get("seen")), access.get_author(record)
    match recording.save(record.code, event, seen, name, by, access.grant_id(record.code)):
        case Saved() as saved:
            flash_saved(record, saved, event, done)
            return saved.entry
        case Refused() as refused:
            for fault in refused.faults:
                flash(explain(fault, refused.variant).text, "fault")
        case Reused():
            flash("This page has already recorded something. Look at the table as it is now.", "warn")
        case Stale():
            flash("Somebody else recorded something first. Look at the table as it is now, then tap again.", "warn")
    return 0


def to_the_game(code: str) -> Response:
    """Return a redirect to the game's page, which shows the result."""
    return redirect(url_for("games.show", code=code), 303)


def flash_saved(before: RecordedGame, saved: Saved, event: Event, done: str) -> None:
    """Flash that an event was recorded, who is out, the cash due, and warnings; the game page offers to undo it."""
    then = saved.record.game
    sentences = (done, fate_words(before.game, then), cash_words(before, then, event, saved.entry))
    flash(" ".join(filter(None, sentences)), "saved")
    place = event.position(saved.entry)
    number = saved.record.hand_number(place)
    for text in warnings_of(then, {saved.entry, place}):
        flash(f"Hand {number}: {text}" if number else text, "warn")
    is_naming = place in before.game.unnamed  # then the hands that still name nobody are said again
    for entry, seats in (then.unnamed if is_naming else newly_unnamed(before.game, then)).items():
        for fault in warnings(then, entry):
            if fault.rule == "counted-absent" and fault.facts["seat"] in seats:
                form_at = url_for(
                    "hands.enter", code=before.code, kind="correct", entry=entry, held=fault.facts["seat"]
                )
                flash(_HELD_CARDS.format(explain(fault, then.variant).text, form_at, fault.facts["name"]), "warn")


_HELD_CARDS = Markup('{} <a class="standalone-link" href="{}">{} held cards</a>')
