"""Enter, preview and save a hand; the same page corrects a hand and adds a forgotten one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.hand import HandForm, as_fields, as_typed, counting
from app.games.preview import Consequences
from app.games.recording import RecordedGame
from app.history.timeline import NOT_DEALT_IN, ending_word, recorded_since, saved_first
from app.kalooki.game.apply import calls_by_seat, is_same_hand, points_held, unnamed_seats
from app.kalooki.game.corrections import effective_entries, new_hands
from app.kalooki.game.events import Amend, Event, Hand, Insert, Join, Leave, Penalty, Ruling, Void
from app.kalooki.game.play import Game, game_before
from app.kalooki.readers import whole_typed
from app.store import games
from app.views import access
from app.views.game import SEEN, page_of, workflow
from app.views.game.share import copies_to_show, handed_in, of_phones, say_copies
from app.views.game.workflow import Draft, Task

blueprint = Blueprint("hands", __name__, url_prefix="/g/<code>")
access.load_game(blueprint, to_look=access.get_game_to_write)

MOST_BESIDE = 6
"""The most entries recorded in the meantime that are shown next to a hand."""
_NEXT = {"kind": "record", "entry": 0}
_EARLIER = "/<any(correct, insert):kind>/<int:entry>"


class Do(StrEnum):
    """What a page wants done with a typed hand: the `do` of its button, its script or the address of its preview.

    A script asks with `resume` about a hand that its phone stored: first whether it is recorded, then, at the address,
    for the form to continue in, or for a comparison if others recorded something that competes with it.
    """

    PREVIEW = "preview"
    CHANGE = "change"
    COMPARE = "compare"
    SAVE = "save"
    RESUME = "resume"

    @classmethod
    def _missing_(cls, _value: object) -> Do:
        """Return what an unknown word wants: the form again."""
        return cls.CHANGE


class HandTask(Task):
    """A hand: the next one (`record`), the correction of a recorded one, or one forgotten before an entry (`insert`).

    Aborts with 404 if the game has no such entry. `counts_before_change` says that the hand was dealt before somebody
    left, joined or was charged, and so counts before that. `is_typed` says that a form was filled in: if somebody undid
    the hand to correct since then, it is still shown, with the reason.
    """

    template = "hand.html"

    def __init__(
        self, record: RecordedGame, kind: str, entry: int, *, counts_before_change: bool = False, is_typed: bool = True
    ) -> None:
        super().__init__(record, kind, entry)
        self.address = url_for("hands.enter", code=record.code, kind=kind, entry=entry)
        self.amends, self.counts_before_change = kind == "correct", counts_before_change
        recorded = record.effective.get(entry)
        is_undone = recorded is None and 1 < entry <= record.seen
        if kind == "record" or (self.amends and is_undone and is_typed):
            return
        if self.amends and not isinstance(recorded, (Hand, Void)):
            abort(404)
        self.game = game_before(record.entries, entry) or abort(404)

    def event_of(self, form: HandForm) -> Event:
        hand = form.event()
        if self.amends:
            return Amend(self.entry, hand)
        return Insert(self.entry, hand) if self.entry else hand

    def context(self, form: HandForm) -> dict[str, Any]:
        """Return the context of the form; `meanwhile` is what was recorded since the page was opened."""
        meanwhile = recorded_since(self.record, form.seen_entry)
        as_dealt = self.counts_before_change or (bool(meanwhile) and all(each.event.is_mid_hand for each in meanwhile))
        phones = {} if self.entry else of_phones(self.record)
        return {
            "of_phones": phones,
            "counted": as_fields({seat: counted[-1] for seat, counted in phones.items()}),
            "dealt": self.game,
            "entry": counting(self.game),
            "meanwhile": meanwhile,
            "as_dealt": as_dealt,
        }

    def mark_shown(self, form: HandForm) -> None:
        """Mark what was recorded as shown, unless it must be compared with the hand first."""
        if form.seen_entry != self.record.seen and not _needs_comparison(self, form):
            super().mark_shown(form)

    def review(self, form: HandForm, event: Event, outlook: Consequences) -> dict[str, Any]:
        is_later = form.typed_as and self.is_new
        return super().review(form, event, outlook) | ({"save": f"Save as hand {self.game.number}"} if is_later else {})


def _outlook(draft: Draft) -> Consequences | None:
    """Return what saving would change, with a warning about sums that may have run together."""
    outlook = workflow.outlook_of(draft)
    if outlook is None or isinstance(draft.event, Amend):
        return outlook
    return outlook._replace(warnings=(*outlook.warnings, *draft.form.run_together))


def _needs_comparison(task: HandTask, form: HandForm) -> bool:
    """Return whether what a phone stored must be compared with what others recorded before it is edited.

    It must if this page has saved a hand, if the hand counts before a change since, if others have recorded a hand
    since, or if the game continues in a copy.
    """
    return bool(
        workflow.find_saved(task.record, form)
        or task.counts_before_change
        or (not task.amends and new_hands(task.record.entries, form.seen_entry))
        or copies_to_show(task.record, form.known_copies)
    )


def _compare(draft: Draft, contents: MultiDict[str, str]) -> str | None:
    """Return a page that compares the typed hand with what was recorded since, and what saving it now would do.

    If its number is taken since, also what it would do in place of that hand. None if nothing was recorded since.
    """
    task, form, _ = draft
    record = task.record
    copies, saved = copies_to_show(record, form.known_copies), workflow.find_saved(record, form)
    if form.seen_entry >= record.seen and not saved and not copies:
        return None
    seen, missing = max(form.seen_entry, 1), _seats_without_fields(draft)
    to_fix = 0 if task.kind == "correct" else _hand_to_fix(record, form, seen)
    is_instead = to_fix and record.hand_number(to_fix) == whole_typed(form.number.data)
    instead = _read_instead(record, to_fix, contents) if is_instead else None
    context = task.context(form) | say_copies(copies)
    meanwhile = recorded_since(record, seen)[-MOST_BESIDE:]
    context |= {
        "meanwhile": meanwhile,
        "first": saved_first(meanwhile) if all(each.is_hand for each in meanwhile) else "something was recorded first",
        "to_fix": to_fix,
        "instead": instead,
        "instead_then": _outlook(instead) if instead else None,
        "saved_rows": _rows_of(record.effective[to_fix], instead.task.game) if instead else {},
        "differences": _differences(instead.event.inner, record.effective[to_fix], instead.task.game)
        if instead and instead.event
        else {},
        "offered": [task.game.name(seat) for seat in missing],
    }
    _mark_compared(record, form, is_saved=saved is not None)
    if missing:
        draft = _tick_absent(draft, missing)
    return workflow.draft_page(draft, "hand_compare.html", outlook=_outlook(draft), **context)


def _read_instead(record: RecordedGame, entry: int, contents: MultiDict[str, str]) -> Draft:
    """Return the typed hand as a correction of the hand at an entry."""
    task = HandTask(record, "correct", entry)
    return workflow.read_draft(task, HandForm(task.game, contents))


def _differences(mine: Event, saved: Event, dealt: Game) -> dict[int, str]:
    """Return what the saved hand says of each player, by seat, where mine says something else."""
    if not (isinstance(mine, Hand) and isinstance(saved, Hand)):
        return {}
    words = {player.seat: [_say_of(hand, player.seat, dealt) for hand in (mine, saved)] for player in dealt.playing}
    return {seat: there for seat, (here, there) in words.items() if here != there}


def _rows_of(saved: Event, dealt: Game) -> dict[str, str]:
    """Return what the saved hand says of each player, by name, in the order of the rows of the form."""
    if not isinstance(saved, Hand):
        return {}
    return {player.name: _say_of(saved, player.seat, dealt) for player in dealt.playing}


def _say_of(hand: Hand, seat: int, dealt: Game) -> str:
    """Return what a hand says of a player: won and how, the points left, or not dealt in, and the calls."""
    calls = calls_by_seat(dealt.variant, hand).get(seat)
    if seat == hand.winner:
        what = f"won: {ending}" if (ending := ending_word(hand.ending)) else "won"
    else:
        what = str(points_held(hand.left[seat], dealt.variant)) if seat in hand.left else NOT_DEALT_IN
    return f"{what}, calls: {calls}" if calls else what


def _mark_compared(record: RecordedGame, form: HandForm, *, is_saved: bool) -> None:
    """Mark all entries and copies as shown; sending the page again is no longer stale, and saves another hand."""
    form.seen.data, form.copies.data = str(record.seen), str(len(games.continuations(record.code, record.log)))
    if is_saved:
        form.start_afresh()


def _seats_without_fields(draft: Draft) -> list[int]:
    """Return who had no fields on the page the hand was typed on: they were out then and are in the game again."""
    task, _, event = draft
    hand = event.inner if event else None
    unnamed = unnamed_seats(task.game, hand) if isinstance(hand, Hand) and hand.left else ()
    return [row.seat for row in draft.form.rows if row.seat in unnamed and not row.left.raw_data]


def _tick_absent(draft: Draft, seats: Sequence[int]) -> Draft:
    """Tick these players as absent in the form, and return the hand without them."""
    for row in draft.form.rows:
        row.absent.data = row.absent.data or row.seat in seats
    return draft._replace(event=draft.task.event_of(draft.form))


def _hand_to_fix(record: RecordedGame, form: HandForm, seen: int) -> int:
    """Return the entry of the hand recorded since that has the same number, else of the first one, else 0."""
    entries = new_hands(record.entries, seen)
    number = whole_typed(form.number.data)
    same_number = (entry for entry in entries if record.hand_number(entry) == number)
    return next(same_number, entries[0] if entries else 0)


def _find_same_hand(draft: Draft) -> int | None:
    """Return the number of the entry that has this hand already, if any.

    Others may have recorded the same hand under its number, or corrected another hand to it.
    """
    task, form, event = draft
    if same := workflow.find_same(draft):
        return same.number
    saved, number = workflow.find_saved(task.record, form), whole_typed(form.number.data)
    if saved and isinstance(saved.event, Amend) and task.kind != "correct":
        return saved.event.target
    hand = event.inner if isinstance(event, Insert) else event
    if not isinstance(hand, Hand):
        return None
    for entry in new_hands(task.record.entries, max(form.seen_entry, 1)):
        each = task.record.effective[entry]
        is_same = isinstance(each, Hand) and is_same_hand(hand, each, task.record.game.variant)
        if is_same and number in (None, task.record.hand_number(entry)):
            return entry
    return None


def _task_of_form(record: RecordedGame, kind: str, entry: int, contents: MultiDict[str, str]) -> HandTask:
    """Return the task of a form; if somebody left, joined or was charged since then, the hand goes before that."""
    seen = whole_typed(contents.get("seen")) or 0
    task = HandTask(record, kind, entry, counts_before_change=kind == "insert" and 0 < seen < entry)
    if kind != "record" or not 0 < seen < record.seen or new_hands(record.entries, seen):
        return task
    since = (each for each in effective_entries(record.entries) if each.number > seen and not each.event.is_mid_hand)
    first = next((each.number for each in since if isinstance(each.event, _CHANGES_WHO_IS_IN)), 0)
    dealt = game_before(record.entries, first) if first else None
    if dealt is None or _seats(dealt) == _seats(record.game):
        return task
    return HandTask(record, "insert", first, counts_before_change=True)


_CHANGES_WHO_IS_IN = (Leave, Join, Penalty, Ruling)


def _seats(game: Game) -> list[int]:
    return [player.seat for player in game.playing]


@blueprint.get("/hand", defaults=_NEXT)
@blueprint.get(_EARLIER)
def enter(record: RecordedGame, kind: str, entry: int) -> ResponseReturnValue:
    """Show the form for a hand: the next one, a recorded one, or one forgotten before an entry."""
    task = HandTask(record, kind, entry, is_typed=False)
    filled = _filled(task)
    data = {"seen": str(record.seen), "copies": str(len(games.continuations(record.code, record.log)))} | filled
    draft = Draft(task, HandForm(task.game, data=data), None)
    as_saved = workflow.read_draft(task, HandForm(task.game, MultiDict(filled)))
    unchanged = workflow.outlook_of(as_saved) if task.amends else None
    return workflow.draft_page(draft, task.template, typed=False, unchanged=unchanged), {SEEN: str(record.seen)}


def _filled(task: HandTask) -> dict[str, Any]:
    """Return the fields at first: what players handed in for the next hand, or the hand as recorded.

    Everybody is absent whom a recorded hand does not name, except whoever is said to have held cards.
    """
    record, entry = task.record, task.entry
    if not entry:
        return {"number": str(task.game.number)} | as_fields(handed_in(record))
    recorded = record.effective.get(entry)
    if not task.amends or not isinstance(recorded, Hand):
        return {}
    holder = whole_typed(request.args.get("held"))
    unnamed = (seat for seat in record.game.unnamed.get(entry, ()) if seat != holder)
    return as_typed(replace(recorded, absent=(*recorded.absent, *unnamed)))


@blueprint.post("/hand", defaults=_NEXT)
@blueprint.post(_EARLIER)
def send(record: RecordedGame, kind: str, entry: int) -> ResponseReturnValue:
    """Do what the button says: preview, change or save; never lose what was typed."""
    do, contents = Do(request.form.get("do", Do.PREVIEW)), request.form.copy()
    task = _task_of_form(record, kind, entry, contents)
    if do in (Do.PREVIEW, Do.CHANGE, Do.COMPARE):
        return workflow.to_preview(task, contents, do) or _show(task, contents, do)
    draft = workflow.read_draft(task, HandForm(task.game, contents))
    if do is Do.RESUME:
        return "", 204 if _find_same_hand(draft) else 409
    if copies_to_show(record, draft.form.known_copies) and not _find_same_hand(draft):
        return _show(task, contents, Do.COMPARE, 409)

    def answer_stale(now: RecordedGame) -> ResponseReturnValue:
        renewed = HandTask(now, task.kind, task.entry, counts_before_change=task.counts_before_change)
        return _show(renewed, contents, Do.COMPARE, 409)

    return workflow.save(draft, answer_stale)


def _show(task: HandTask, contents: MultiDict[str, str], do: Do, status: int = 200) -> ResponseReturnValue:
    """Show what was typed: previewed, compared with what is recorded, or in the form again."""
    if do is Do.CHANGE:
        return workflow.form_page(Draft(task, HandForm(task.game, contents), None))
    draft = workflow.read_draft(task, HandForm(task.game, contents))
    if entry := _find_same_hand(draft):
        return workflow.say_already_saved(task, entry)
    if do is Do.RESUME and not _needs_comparison(task, draft.form):
        return workflow.form_page(draft)
    if comparison := _compare(draft, contents):
        return comparison, status
    outlook = _outlook(draft)
    return workflow.preview_page(draft, outlook), 422 if do is Do.PREVIEW and not outlook else status


@blueprint.get("/hand/look", defaults=_NEXT)
@blueprint.get(f"{_EARLIER}/look")
def show_preview(record: RecordedGame, kind: str, entry: int) -> ResponseReturnValue:
    """Show the hand in the address: its preview, a comparison with what others recorded, or the form again."""
    do = Do(request.args.get("do", Do.PREVIEW))
    return _show(_task_of_form(record, kind, entry, request.args), request.args, do)


@blueprint.post("/hand/preview", defaults=_NEXT)
@blueprint.post(f"{_EARLIER}/preview")
def preview(record: RecordedGame, kind: str, entry: int) -> ResponseReturnValue:
    """Return what saving would do, as a fragment of the page; while a hand is half typed, the totals so far."""
    task = _task_of_form(record, kind, entry, request.form)
    draft = workflow.read_draft(task, HandForm(task.game, request.form))
    if blank := [row.seat for row in draft.form.losers if not (row.left.data or "").strip()]:
        outlook = workflow.outlook_of(_tick_absent(draft, blank)) if draft.event else None
        changes = {change.seat: change for change in outlook.players if change.seat not in blank} if outlook else {}
        return workflow.draft_page(draft, "fragments/totals.html", changes=changes)
    outlook = _outlook(draft)
    page = workflow.draft_page(draft, "fragments/preview.html", outlook=outlook, names_everybody=True)
    return page, 200 if outlook else 422


@blueprint.get("/arriving")
def show_incoming(record: RecordedGame) -> str:
    """Return what others have recorded since the scorer opened the form for a hand after entry `seen`.

    For the next hand (`kind` is record), also return the counts handed in. Pages of 0.3 request the same address.
    """
    seen = request.args.get("seen", 0, type=int)
    kind = request.args.get("kind", "record")
    is_next = record.seen == seen and kind == "record"
    counts = of_phones(record) if is_next else {}
    meanwhile = recorded_since(record, seen)
    return page_of(
        record,
        "fragments/incoming.html",
        counted=as_fields({seat: counted[-1] for seat, counted in counts.items()}),
        of_phones=counts,
        meanwhile=meanwhile,
        first=saved_first(meanwhile),
        is_overtaken=kind == "record" and bool(new_hands(record.entries, max(seen, 1))),
    )
