"""How everything is recorded: with a form (enter, preview, save), or with one button.

Each request creates a new task from the game as it is, so that after a conflict the entry is judged against what others
have recorded. The address of a preview contains what was typed, so that going back or reloading never submits again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlencode

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app.forms.entry import EntryForm
from app.games import recording
from app.games.preview import Consequences, cash_words, consequences, fate_words, newly_unnamed, warnings_of
from app.games.recording import RecordedGame, Refused, Reused, Saved, Stale
from app.history.timeline import answers_dropped, name_of
from app.kalooki.cards import BadInput
from app.kalooki.game.apply import between_hands
from app.kalooki.game.events import Event, Paid, Undo, read_new
from app.kalooki.game.play import Entry, warnings
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.store import games
from app.store.clubs import clubs_of
from app.views import access
from app.views.game import page_of

LONGEST_ADDRESS = 3500
"""The longest address that every server and browser accepts, less some characters for the host."""
UNCARRIED = ("csrf_token", "do", "of")
"""The fields that are left out of a preview's address."""
_RENEWED = ("seen", "submission", *UNCARRIED)
"""The fields that every page sets anew."""


class Task(ABC):
    """Something to record with a form, new (`entry` is 0) or about an entry of the game.

    `record` is the game as it is now, and `game` the game in which the entry is judged: for a correction, an earlier
    one. Saving and cancelling lead to the address `onwards`.
    """

    template: ClassVar[str]
    """The template of the form."""
    address: str
    """The address of the form; that of its preview follows from it."""

    def __init__(self, record: RecordedGame, kind: str, entry: int) -> None:
        self.record, self.kind, self.entry = record, kind, entry
        self.game = record.game
        self.onwards = url_for("games.show", code=record.code)

    @abstractmethod
    def event_of(self, form: Any) -> Event:
        """Return what the form describes; raises BadInput."""

    @abstractmethod
    def context(self, form: Any) -> dict[str, Any]:
        """Return the template context that the form and the review share."""

    def review(self, form: Any, _event: Event, _outlook: Consequences) -> dict[str, Any]:
        """Return the template context of the review, with everything typed."""
        return {
            "title": "Is this right?",
            "action": self.address,
            "carried": [(name, value) for name, value in request.values.items(multi=True) if name not in _RENEWED],
            "can_change": bool(form.questions),
            "save": form.save,
            "splits_pool_instead": self.kind == "end" and self.record.game.pool and not self.entry,
        }

    def mark_shown(self, form: Any) -> None:
        """Mark everything recorded so far as shown by this page: sending it again is no longer stale."""
        form.seen.data = str(self.record.seen)

    @property
    def is_new(self) -> bool:
        """Whether it is not about an existing entry."""
        return not self.entry


class Draft(NamedTuple):
    """What a page wants to record: the form as sent and the event in it; without one, the form says what is wrong."""

    task: Task
    form: Any
    event: Event | None


def read_draft(task: Task, form: Any) -> Draft:
    """Return what a form describes; if it cannot be read, the form says why."""
    try:
        return Draft(task, form, task.event_of(form) if form.validate() else None)
    except BadInput as error:
        form.blame(error, task.game.variant)
        return Draft(task, form, None)


def outlook_of(draft: Draft) -> Consequences | None:
    """Return what saving would change; None if it cannot be saved, and then the form says why."""
    task, form, event = draft
    try:
        outlook = consequences(task.record, event) if event else None
    except BadInput as error:  # house rules set at different times contradict each other once one is undone
        form.blame(error, task.game.variant)
        return None
    if isinstance(outlook, Refused):
        _blame(draft, outlook)
        return None
    return outlook


def _blame(draft: Draft, refused: Refused) -> None:
    for fault in refused.faults:
        draft.form.blame(fault, draft.task.game.variant)


def find_saved(record: RecordedGame, form: EntryForm) -> Entry | None:
    """Return the entry that the page of this form has saved, if any."""
    number = games.saved_as(record.code, str(form.submission.data))
    return record.entries[number - 1] if number is not None and number <= record.seen else None


def find_same(draft: Draft) -> Entry | None:
    """Return the entry, saved by this page, that already records exactly this, if any.

    Whether it counts now or after the hand in play makes no difference.
    """
    event, entry = draft.event, find_saved(draft.task.record, draft.form) if draft.event else None
    return entry if entry and event and between_hands(entry.event) == between_hands(event) else None


def save(
    draft: Draft, answer_stale: Callable[[RecordedGame], ResponseReturnValue], done: str = "Saved."
) -> ResponseReturnValue:
    """Save a draft exactly once, flash `done` and redirect; any problem is shown together with what was typed.

    After a conflict, `answer_stale` answers with the game as it has become.
    """
    task, form, event = draft
    if event is None:
        return form_page(draft), 422
    record, submission = task.record, str(form.submission.data)
    match recording.save(record.code, event, form.seen_entry, submission, *access.author_of(record)):
        case Saved() as saved:
            flash_saved(task.record, saved, event, "Already saved." if saved.is_repeated else done)
            return redirect(task.onwards, 303)
        case Refused() as refused:
            _blame(draft, refused)
            return form_page(draft), 422
        case Reused(record) | Stale(record):
            return answer_stale(record)


def say_already_saved(task: Task, entry: int) -> ResponseReturnValue:
    """Flash that this was already saved as `entry`, and redirect as after saving."""
    flash(f"Already saved: {name_of(task.record, entry)} ({task.record.stamps[entry - 1].by}).", "ok")
    return redirect(task.onwards, 303)


def to_preview(task: Task, contents: MultiDict[str, str], do: str) -> Response | None:
    """Return a redirect to the preview of what was typed; None if its address would be too long."""
    address = address_of(f"{task.address}/look", contents, do)
    return redirect(address, 303) if address else None


def form_page(draft: Draft, *, typed: bool = True) -> str:
    """Return the page with the form; `typed` says that somebody has filled it in."""
    return draft_page(draft, draft.task.template, outlook=None, typed=typed)


def preview_page(draft: Draft, outlook: Consequences | None) -> str:
    """Return the page with what saving would change and a button that saves; without an outlook, the form again."""
    if draft.event is None or outlook is None:
        return form_page(draft)
    return draft_page(draft, "review.html", outlook=outlook, **draft.task.review(draft.form, draft.event, outlook))


def draft_page(draft: Draft, template: str, **more: Any) -> str:
    """Return a page about a draft; `more` takes precedence over the usual context."""
    task, form, _ = draft
    context = task.context(form) | more
    task.mark_shown(form)
    return page_of(task.record, template, task=task, form=form, **context)


def address_of(preview_at: str, contents: MultiDict[str, str], do: str) -> str | None:
    """Return the address that previews `contents` for the button `do`; None if it would be too long.

    >>> address_of("/g/x/hand/look", MultiDict({"left-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?left-2=28&do=preview'
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
    event, seen = read_new(raw), whole_typed(request.form.get("seen")) or 0
    match recording.save(record.code, event, seen, name, *access.author_of(record)):
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


def redos_left_to_club(record: RecordedGame) -> frozenset[int]:
    """Return the entries that undid payments of a game that counts in a club: it may have noted them again itself."""
    redos = frozenset(each.number for each in record.entries if _undoes_payment(record, each.event))
    return redos if redos and clubs_of(record.code) else frozenset()


def _undoes_payment(record: RecordedGame, event: Event) -> bool:
    return isinstance(event, Undo) and isinstance(record.event(event.target), Paid)


def refuse_payment(record: RecordedGame, page: str = "game_pages.settle") -> Response:
    """Redirect to a page of a game that has come to count in a club since a payment was shown there."""
    flash("Nothing was noted: this game counts in a club now, and is settled there.", "warn")
    return redirect(url_for(page, code=record.code), 303)


def to_the_game(code: str) -> Response:
    """Return a redirect to the game's page, which shows the result."""
    return redirect(url_for("games.show", code=code), 303)


def flash_saved(before: RecordedGame, saved: Saved, event: Event, done: str) -> None:
    """Flash that an event was recorded, who is out, the cash due, and warnings; the game page offers to undo it."""
    then = saved.record.game
    fate, cash = fate_words(before.game, then), cash_words(before, then, event, saved.entry)
    sentences = (done, fate, *answers_dropped(before, saved.record), cash)
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


_HELD_CARDS = Markup('{} <a href="{}">{} held cards</a>')
