"""Enter, preview and save a hand; the same page corrects a hand and adds a forgotten one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.entry import seen_typed
from app.forms.hand import HandForm, as_fields, as_typed, counting
from app.games.preview import Consequences
from app.games.recording import RecordedGame
from app.history.timeline import recorded_since
from app.kalooki.game.apply import is_same_hand, unnamed_seats
from app.kalooki.game.corrections import effective_entries, new_hands
from app.kalooki.game.events import Amend, Event, Hand, Insert, Join, Leave, Penalty, Ruling, Void, read_new
from app.kalooki.game.play import Game, before
from app.kalooki.readers import whole_typed
from app.store.games import Continuation
from app.views import access
from app.views.game.share import continuations_of, handed_in, of_phones, say_copies, without_ignored
from app.views.game.workflow import Task

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")

MOST_BESIDE = 6
"""The most entries recorded in the meantime that are shown next to a hand."""
_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


class HandTask(Task):
    """The next hand to record, and the base class of the other two."""

    template = "hand.html"
    amends = False
    is_as_dealt = False
    """Whether the hand was dealt before somebody left, joined or was charged, and so counts before that."""

    def __init__(self, record: RecordedGame, kind: str, entry: int) -> None:
        super().__init__(record, kind, entry)
        self.prepare()

    def prepare(self) -> None:
        """Set the game in which the hand is dealt and the form's initial data; abort with 404 without such an entry."""
        self.filled = as_fields(handed_in(self.record))

    def again(self, record: RecordedGame) -> Self:
        task = super().again(record)
        task.is_as_dealt = self.is_as_dealt
        return task

    @property
    def preview_at(self) -> str:
        return url_for("hands.show_preview", code=self.record.code, kind=self.kind, entry=self.entry)

    def form(self, contents: MultiDict[str, str] | None) -> HandForm:
        if contents is not None:
            return HandForm(self.game, contents)
        state = {"seen": str(self.record.seen), "copies": str(len(continuations_of(self.record)))}
        number = {"number": str(self.game.number)} if self.is_new else {}
        return HandForm(self.game, None, **state, **number, **self.filled)

    def event_of(self, form: HandForm) -> dict[str, Any]:
        return form.event()

    def context(self, form: HandForm) -> dict[str, Any]:
        """Return the context of the form; `meanwhile` is what was recorded since the page was opened.

        The page then counts as having shown that, unless it competes with the hand.
        """
        meanwhile = recorded_since(self.record, form.seen_entry)
        as_dealt = self.is_as_dealt or (bool(meanwhile) and all(each.event.is_mid_hand for each in meanwhile))
        if form.seen_entry != self.record.seen and not self.competes(form):
            form.seen.data = str(self.record.seen)
        return {
            "of_phones": of_phones(self.record) if self.kind == "record" else {},
            "dealt": self.game,
            "entry": counting(self.game),
            "meanwhile": meanwhile,
            "as_dealt": as_dealt,
        }

    def review(self, form: HandForm, event: Event, outlook: Consequences) -> dict[str, Any]:
        is_later = form.typed_as and self.is_new
        return super().review(form, event, outlook) | ({"save": f"Save as hand {self.game.number}"} if is_later else {})

    def outlook(self, form: Any, event: Event | None) -> Consequences | None:
        """Return what saving would change, with a warning about sums that may have run together."""
        outlook = super().outlook(form, event)
        if outlook is None or self.amends:
            return outlook
        return outlook._replace(warnings=(*outlook.warnings, *form.run_together))

    def competes(self, form: HandForm) -> bool:
        is_overtaken = not self.amends and new_hands(self.record.entries, form.seen_entry)
        return bool(self.find_saved(form) or self.is_as_dealt or is_overtaken or self.unseen_copies(form))

    def unseen_copies(self, form: HandForm) -> tuple[Continuation, ...]:
        """Return the copies in which the game continues that were made since the page was rendered, newest first."""
        copies = continuations_of(self.record)
        return without_ignored(copies[: max(0, len(copies) - form.known_copies)])

    def asks_first(self, form: HandForm, event: Event | None) -> bool:
        """Return whether a copy was made since the page was rendered, and this hand is not recorded yet."""
        return bool(self.unseen_copies(form)) and not self.find_same(form, event)

    def question(self, form: HandForm, event: Event | None) -> str | None:
        """Return a page that compares the typed hand with what was recorded since, and what saving it now would do.

        Returns None if nothing was recorded since. The page then counts as having shown everything.
        """
        copies, is_saved = self.unseen_copies(form), self.find_saved(form)
        if form.seen_entry >= self.record.seen and not is_saved and not copies:
            return None
        seen = max(form.seen_entry, 1)
        context = self.context(form) | say_copies(copies)
        if is_saved:
            form.start_afresh()
        form.seen.data, form.copies.data = str(self.record.seen), str(len(continuations_of(self.record)))
        meanwhile = recorded_since(self.record, seen)[-MOST_BESIDE:]
        event, offered = self._offer_absence(form, event)
        context |= {"meanwhile": meanwhile, "to_fix": self._hand_to_fix(form, seen), "offered": offered}
        return self.page("hand_compare.html", form, outlook=self.outlook(form, event), **context)

    def _offer_absence(self, form: HandForm, event: Event | None) -> tuple[Event | None, list[str]]:
        """Return the hand with those absent for whom the page it was typed on had no fields, and their names.

        They were out then and are in the game again. The form is ticked for them.
        """
        hand = event.inner if event else None
        unnamed = unnamed_seats(self.game, hand) if isinstance(hand, Hand) and hand.left else ()
        missing = [seat for seat in unnamed if f"points-{seat}" not in request.values]
        for row in form.rows:
            row.absent.data = row.absent.data or row.seat in missing
        return (read_new(self.event_of(form)) if missing else event), [self.game.name(seat) for seat in missing]

    def _hand_to_fix(self, form: HandForm, seen: int) -> int:
        """Return the entry of the hand recorded since that has the same number, else of the first one, else 0."""
        entries = [] if self.amends else new_hands(self.record.entries, seen)
        number = whole_typed(form.number.data)
        same_number = (entry for entry in entries if self.record.hand_number(entry) == number)
        return next(same_number, entries[0] if entries else 0)

    def find_same(self, form: HandForm, event: Event | None) -> int:
        """Return the entry that has this hand already; 0 if there is none.

        Others may have recorded the same hand under its number, or corrected another hand to it.
        """
        if entry := super().find_same(form, event):
            return entry
        saved, number = self.find_saved(form), whole_typed(form.number.data)
        if saved and isinstance(saved.event, Amend) and not self.amends:
            return saved.event.target
        hand = event.inner if isinstance(event, Insert) else event
        if not isinstance(hand, Hand):
            return 0
        for entry in new_hands(self.record.entries, max(form.seen_entry, 1)):
            each = self.record.effective[entry]
            is_same = isinstance(each, Hand) and is_same_hand(hand, each, self.record.game.variant)
            if is_same and number in (None, self.record.hand_number(entry)):
                return entry
        return 0


class Correction(HandTask):
    """The correction of a recorded hand, in the game as it was then.

    If somebody undid the hand in the meantime, the form is still shown, with what was typed and the reason.
    """

    amends = True

    def prepare(self) -> None:
        recorded = self.record.effective.get(self.entry)
        is_undone = recorded is None and request.endpoint != "hands.enter" and 1 < self.entry <= self.record.seen
        if not is_undone:
            if not isinstance(recorded, (Hand, Void)):
                abort(404)
            self.game = before(self.record.entries, self.entry) or abort(404)
        self.filled = as_typed(self._named(recorded)) if isinstance(recorded, Hand) else {}

    def _named(self, recorded: Hand) -> Hand:
        """Return the hand with everybody absent whom it does not name, except whoever is said to have held cards."""
        unnamed = self.record.game.unnamed.get(self.entry, ())
        holder = whole_typed(request.args.get("held"))
        return replace(recorded, absent=(*recorded.absent, *(seat for seat in unnamed if seat != holder)))

    def event_of(self, form: HandForm) -> dict[str, Any]:
        return {"kind": "amend", "target": self.entry, "event": form.event()}


class ForgottenHand(HandTask):
    """A forgotten hand, to be added before an entry."""

    def prepare(self) -> None:
        self.game = before(self.record.entries, self.entry) or abort(404)

    def event_of(self, form: HandForm) -> dict[str, Any]:
        return {"kind": "insert", "before": self.entry, "event": form.event()}


_TASKS: dict[str, type[HandTask]] = {"record": HandTask, "correct": Correction, "insert": ForgottenHand}


def task_of(record: RecordedGame, kind: str, entry: int) -> HandTask:
    """Return the task of that kind for an entry; abort with 404 if the game has no such entry."""
    return _TASKS[kind](record, kind, entry)


def _task_of_form(code: str, kind: str, entry: int, contents: MultiDict[str, str]) -> HandTask:
    """Return the task of a form; if somebody left, joined or was charged since then, the hand goes before that."""
    record, seen = access.get_game_to_write(code), seen_typed(contents.get("seen"))
    task = task_of(record, kind, entry)
    if kind == "insert":
        task.is_as_dealt = 0 < seen < entry
    if kind != "record" or not 0 < seen < record.seen or new_hands(record.entries, seen):
        return task
    since = (each for each in effective_entries(record.entries) if each.number > seen and not each.event.is_mid_hand)
    first = next((each.number for each in since if isinstance(each.event, _CHANGES_WHO_IS_IN)), 0)
    dealt = before(record.entries, first) if first else None
    if dealt is None or _seats(dealt) == _seats(record.game):
        return task
    task = task_of(record, "insert", first)
    task.is_as_dealt = True
    return task


_CHANGES_WHO_IS_IN = (Leave, Join, Penalty, Ruling)


def _seats(game: Game) -> list[int]:
    return [player.seat for player in game.playing]


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(code: str, kind: str, entry: int) -> str:
    """Show the form for a hand: the next one, a recorded one, or one forgotten before an entry."""
    task = task_of(access.get_game_to_write(code), kind, entry)
    return task.form_page(task.form(None), typed=False)


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Do what the button says: preview, change or save; never lose what was typed."""
    do, contents = request.form.get("do", "preview"), request.form.copy()
    task = _task_of_form(code, kind, entry, contents)
    return task.send(contents, do if do in _BUTTONS else "change")


_BUTTONS = ("preview", "compare", "resume", "save")
"""Values of buttons, and of the script for a hand stored on a phone; any other value leads back to the form."""


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def show_preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Show the hand in the address: its preview, a comparison with what others recorded, or the form again."""
    return _task_of_form(code, kind, entry, request.args).show(request.args, request.args.get("do", "preview"))


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(code: str, kind: str, entry: int) -> ResponseReturnValue:
    """Return what saving would do, as a fragment of the page."""
    task = _task_of_form(code, kind, entry, request.form)
    form, event = task.read(request.form)
    outlook = task.outlook(form, event)
    return task.page("fragments/preview.html", form, outlook=outlook), 200 if outlook else 422
