"""Enter, preview and save everything a scorer records besides hands, and every correction.

The page that enters an entry also corrects it. Undoing an entry, voiding a hand and recording a late buy-in need no
form: they are previewed at once. A player buys in late after having declined, or before a hand that is recorded
already. Such a hand may be impossible without the buy-in, because the player is out, or was played without the player.
"""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from itertools import dropwhile
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from flask import Blueprint, abort, flash, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.entry import BUTTONS, FORMS, EntryForm, FaceForm, RenameForm, RulingForm, VoidForm
from app.forms.new_game import SetupForm
from app.games import recording
from app.games.preview import Consequences
from app.games.recording import RecordedGame, Refused
from app.history.formats import money_format
from app.history.settling import left_words, received_words
from app.history.timeline import (
    facts_of,
    is_repeated,
    late_buy_in,
    name_of,
    name_within,
    recorded_since,
    title_of,
    undoing,
)
from app.kalooki.game.corrections import effective_entries
from app.kalooki.game.events import (
    Amend,
    BuyIn,
    Decline,
    Event,
    Hand,
    Insert,
    Leave,
    Paid,
    Stop,
    Undo,
    Void,
    read_new,
    to_json,
)
from app.kalooki.game.play import corrected_start, game_before
from app.kalooki.game.state import Game
from app.kalooki.readers import whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import names
from app.views import access
from app.views.game import workflow
from app.views.game.workflow import Draft, Task
from app.views.referee import read_ruling
from app.views.rules import judged_terms

CORRECTABLE = tuple(kind for kind in FORMS if kind not in ("end", "setup"))
"""The kinds whose form can correct an entry: an end has nothing to correct, and a setup is corrected by another."""

_NEXT = {"paid": "game_pages.settle"} | {
    kind: "game_pages.more" for form in (RenameForm, FaceForm, SetupForm) for kind in form.kinds
}
_ROOMS = {"games.show": "Score", "game_pages.settle": "Money", "game_pages.more": "More"}
_NAMES = {"from": "payer"}


class EntryTask(Task):
    """An entry of any kind besides hands, or its correction.

    Aborts with 404 for a kind that is not entered here, and for an entry that does not count or has another form.
    """

    template = "table/enter.html"

    def __init__(self, record: RecordedGame, kind: str, entry: int) -> None:
        super().__init__(record, kind, entry)
        if kind not in FORMS:
            abort(404)
        self.address = url_for("entries.enter", code=record.code, kind=kind, entry=entry or None)
        self.onwards = url_for(_NEXT.get(kind, "games.show"), code=record.code)
        if entry:
            event, game = record.effective.get(entry), game_before(record.entries, entry)
            if event is None or game is None or FORMS.get(event.kind) is not FORMS[kind] or kind not in CORRECTABLE:
                abort(404)
            self.game, self.filled = game, to_json(event)
        elif kind in BUTTONS or (kind == "ruling" and not request.values.get("query")):
            abort(404)
        else:
            self.filled = {key: value for key in ("seat", "from", "to") if (value := request.args.get(key, ""))}
            if amount := whole_typed(request.args.get("amount", ""), digits=8):
                self.filled["amount"] = amount

    def form(self, contents: Any) -> EntryForm:
        if self.kind == "setup":
            start = corrected_start(self.record.entries)
            return SetupForm(self.game, start, self.record.evening, contents, request.args.get("open", ""))
        data = {_NAMES.get(key, key): value for key, value in self.filled.items()}
        form = FORMS[self.kind](self.game, formdata=contents, data=data)
        if contents is None and self.is_new:
            form.suggest()
        return form

    def event_of(self, form: EntryForm) -> Event:
        """Return the event; in a correction to the same kind, what the form does not ask stays as recorded."""
        plain = form.plain()
        if self.entry:
            unchanged = self.filled if plain["kind"] == self.filled["kind"] else {}
            return read_new({"kind": "amend", "target": self.entry, "event": unchanged | plain})
        if isinstance(form, RulingForm):
            plain |= read_ruling(MultiDict(parse_qsl(str(form.query.data), keep_blank_values=True)), self.game)
        return read_new(plain)

    def context(self, form: EntryForm) -> dict[str, Any]:
        stops = self.kind == "stop" and not self.record.game.finish
        outcomes = pool_outcomes(self.record) if stops else {}
        meanwhile = recorded_since(self.record, form.seen_entry)
        back, back_to = self._back(form)
        return {"back": back, "back_to": back_to, "meanwhile": meanwhile, "outcomes": outcomes}

    def review(self, form: EntryForm, event: Event, outlook: Consequences) -> dict[str, Any]:
        return super().review(form, event, outlook) | {
            "leads": [title_of(self.record.of(outlook.game), event.inner)],
            "facts": facts_of(event.inner, outlook.game, is_saved=False),
            "received": self._open_money(outlook.game, event.inner),
            "asks_when": self.is_new and getattr(form, "asks_when", False),
        }

    def _open_money(self, game: Game, event: Event) -> str:
        """Return what a payment settles, or what somebody who leaves still owes."""
        if isinstance(event, Paid):
            return received_words(game, event)
        return left_words(game, event.seat) if isinstance(event, Leave) else ""

    def _back(self, form: EntryForm) -> tuple[str, str]:
        """Return the address to which Cancel leads, for a new ruling its claim, and the name of that page."""
        code = self.record.code
        if isinstance(form, RulingForm) and form.query.data:
            return f"{url_for('referee.check', code=code)}?{form.query.data}", "Check"
        page = _NEXT.get(self.kind, "games.show" if self.entry else "game_pages.more")
        return url_for(page, code=code), _ROOMS[page]


entries = Blueprint("entries", __name__, url_prefix="/g/<code>")
access.load_game(entries, to_look=access.get_game_to_write)


@entries.get("/enter/<kind>")
@entries.get("/enter/<kind>/<int:entry>")
def enter(record: RecordedGame, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Show the form, filled in with the usual values, or the preview at once if the form asks nothing."""
    task = EntryTask(record, kind, entry)
    form = task.form(None)
    if not form.questions:
        return _preview(workflow.read_draft(task, form))
    return workflow.form_page(Draft(task, form, None), typed=False)


@entries.post("/enter/<kind>")
@entries.post("/enter/<kind>/<int:entry>")
def send(record: RecordedGame, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Do what the button says: preview, change or save."""
    task = EntryTask(record, kind, entry)
    do, contents = request.form.get("do", "preview"), request.form.copy()
    if do in _WHEN:
        contents["after_hand"] = _WHEN[do]
    elif do != "save":
        return workflow.to_preview(task, contents, do) or _show(task, contents, do)
    done = f"Saved: it counts after hand {task.record.game.number}." if do == "after" else "Saved."
    draft = workflow.read_draft(task, task.form(contents))
    return workflow.save(draft, lambda now: _answer_stale(EntryTask(now, kind, entry), contents), done)


_WHEN = {"after": "yes", "now": ""}
"""The buttons that say whether a hand is being played."""


@entries.post("/enter/setup/rules")
def judge_rules(record: RecordedGame) -> str:
    """Return the stakes and house rules of this game as typed, before they are previewed."""
    form = SetupForm(record.game, corrected_start(record.entries), record.evening, request.form)
    return judged_terms(form, path=url_for("entries.enter", code=record.code, kind="setup"))


@entries.get("/enter/<kind>/look")
@entries.get("/enter/<kind>/<int:entry>/look")
def show_preview(record: RecordedGame, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Show the entry in the address: its preview, or the form again."""
    task = EntryTask(record, kind, entry)
    return _show(task, request.args, request.args.get("do", "preview"))


def _show(task: EntryTask, contents: MultiDict[str, str], do: str) -> ResponseReturnValue:
    """Show what was typed: previewed, or in the form again."""
    if do == "change":
        return workflow.form_page(Draft(task, task.form(contents), None))
    draft = workflow.read_draft(task, task.form(contents))
    entry = workflow.find_same(draft)
    return workflow.say_already_saved(task, entry.number) if entry else _preview(draft)


def _preview(draft: Draft) -> ResponseReturnValue:
    """Show what saving would change, with a button that saves, or the form again if it cannot be saved."""
    outlook = workflow.outlook_of(draft)
    return workflow.preview_page(draft, outlook), 200 if outlook else 422


def _answer_stale(task: EntryTask | QuestionTask, contents: MultiDict[str, str]) -> ResponseReturnValue:
    """Confirm what was typed if it is recorded already, else show it for the game as it has become."""
    draft = workflow.read_draft(task, task.form(contents))
    if entry := workflow.find_same(draft):
        return workflow.say_already_saved(task, entry.number)
    if workflow.find_saved(task.record, draft.form):
        draft.form.start_afresh()
        flash("This page has already saved something. Save again only if you mean something else.", "warn")
        return workflow.form_page(draft), 409
    return workflow.preview_page(draft, workflow.outlook_of(draft)), 409


def pool_outcomes(record: RecordedGame) -> dict[str, str]:
    """Return who would get how much of the pool, for each way to end early; empty if the pool is empty."""
    if not record.game.pool:
        return {}
    stopped = {way: recording.preview(record, Stop(way)) for way in names("pools")}
    return {
        way: ", ".join(
            f"{then.game.name(seat)} {money_format(then.game).amount(part)}" for seat, part in then.game.shares.items()
        )
        for way, then in stopped.items()
        if not isinstance(then, Refused)
    }


def correction_address(code: str, entry: int, event: Event) -> str:
    """Return the address of the form that corrects an entry, given its effective event; empty if there is none."""
    if isinstance(event, (Hand, Void, Insert)):
        return url_for("hands.enter", code=code, kind="correct", entry=entry)
    return url_for("entries.enter", code=code, kind=event.kind, entry=entry) if event.kind in CORRECTABLE else ""


def form_that_fixes(record: RecordedGame, entry: int, event: Event) -> str:
    """Return the address of the form that can make sense of an entry again; empty where undoing it is the answer."""
    return "" if isinstance(event, (BuyIn, Decline)) else correction_address(record.code, entry, event)


blueprint = Blueprint("corrections", __name__, url_prefix="/g/<code>")
access.load_game(blueprint, to_look=access.get_game_to_write)


class QuestionTask(Task):
    """Something to record about an entry that needs no form, only a question: it is previewed at once.

    Aborts with 404 for the first entry and for one that does not exist.
    """

    template = "review.html"
    takes_no_entry: ClassVar[bool] = False
    """Whether it may also be about the hand in play, which no entry records."""

    def __init__(self, record: RecordedGame, kind: str, entry: int, seat: int = 0) -> None:
        if not (1 < entry <= record.seen or (not entry and self.takes_no_entry)):
            abort(404)
        super().__init__(record, kind, entry)
        self.seat = seat

    @abstractmethod
    def confirmation(self) -> str:
        """Return what is said once it is recorded."""

    def form(self, contents: MultiDict[str, str] | None) -> EntryForm:
        return EntryForm(self.game, contents)

    def renewed(self, record: RecordedGame) -> QuestionTask:
        """Return the same task in the game as it has become."""
        task = copy(self)
        task.record, task.game = record, record.game
        return task

    def review(self, _form: EntryForm, _event: Event, _outlook: Consequences) -> dict[str, Any]:
        return {}

    def _question_context(self, form: EntryForm, title: str, save: str, *leads: str) -> dict[str, Any]:
        """Return the context of a review that no form precedes: its question, its button, and sentences."""
        meanwhile = recorded_since(self.record, form.seen_entry)
        more = {"meanwhile": meanwhile, "back": self.onwards, "back_to": "Score"}
        return {"title": title, "save": save, "leads": leads} | more


class UndoTask(QuestionTask):
    """An entry to undo, even a correction."""

    def confirmation(self) -> str:
        undone = self.record.entries[self.entry - 1].event.kind
        return {Amend.kind: "The correction is undone.", Undo.kind: "Redone."}.get(undone, "Undone.")

    def event_of(self, _form: EntryForm) -> Event:
        return Undo(self.entry)

    def context(self, form: EntryForm) -> dict[str, Any]:
        """Return what is recorded at the entry, with the facts about what undoing it removes or brings back."""
        record, entry, doing = self.record, self.entry, undoing(self.record, self.entry)
        event = record.effective.get(entry) or record.entries[entry - 1].event
        moved = record.entries[event.target - 1].event if isinstance(event, Undo) else event
        return self._question_context(form, f"{doing}?", doing, title_of(record, event, entry)) | {
            "recorded": entry,
            "facts": facts_of(moved, record.game, record.game.hand_at(entry)),
            "stamp": record.stamp(entry),
            "is_repeated": is_repeated(record, entry),
        }


class VoidTask(QuestionTask):
    """A hand to void: the one recorded as `entry` or, if that is 0, the one in play."""

    takes_no_entry = True

    def confirmation(self) -> str:
        return "Redeal: nothing is scored."

    def form(self, contents: MultiDict[str, str] | None) -> EntryForm:
        return VoidForm(self.game, contents)

    def event_of(self, form: EntryForm) -> Event:
        void = read_new({"kind": "void", "reason": form["reason"].data or ""})
        return Amend(self.entry, void) if self.entry else void

    def context(self, form: EntryForm) -> dict[str, Any]:
        game = self.record.game
        payment = " and no payment" if game.stakes else ""
        lead = f"No score{payment}: {game.name(game.next_dealer)} deals hand {game.number} again."
        if self.entry:
            lead = f"{name_of(self.record, self.entry)} doesn’t count: no score{payment}."
        return self._question_context(form, form.title, form.save, lead) | {"reason": form["reason"]}


class BuyInTask(QuestionTask):
    """A buy-in before the hand at `entry`, or instead of the declined offer there.

    Aborts with 404 if that entry does not count or nobody has the seat.
    """

    def __init__(self, record: RecordedGame, kind: str, entry: int, seat: int = 0) -> None:
        super().__init__(record, kind, entry, seat)
        self.game = game_before(record.entries, entry) or abort(404)
        if seat not in self.game.players:
            abort(404)

    def confirmation(self) -> str:
        return "Bought in."

    def renewed(self, record: RecordedGame) -> QuestionTask:
        """Return the same task; it stays in the game before its hand, even if that hand no longer counts."""
        task = super().renewed(record)
        task.game = self.game
        return task

    def event_of(self, _form: EntryForm) -> Event:
        """Return the buy-in before a hand, or move the player's later answer to the same offer there."""
        entry, seat = self.entry, self.seat
        since = dropwhile(lambda each: each.number != entry, effective_entries(self.record.entries))
        answers = (
            each.number for each in since if isinstance(each.event, (BuyIn, Decline)) and each.event.seat == seat
        )
        answer = next((number for number in answers if number not in self.record.faults), None)
        if answer is None:
            return BuyIn(seat, entry)
        return Amend(answer, BuyIn(seat, entry if entry != answer else None))

    def context(self, form: EntryForm) -> dict[str, Any]:
        if self._is_answered_late():
            return self._question_context(form, f"{self.record.game.name(self.seat)} buys in?", "Buy in now")
        doing = late_buy_in(self.record, self.seat, self._find_lapsing_hand() or self.entry)
        return self._question_context(form, f"{doing}?", doing)

    def _is_answered_late(self) -> bool:
        """Return whether a player who declined changes their mind, as they may until the next hand is recorded."""
        return self.seat in self.record.game.late_offers and not self._find_lapsing_hand()

    def _find_lapsing_hand(self) -> int | None:
        """Return the entry of the hand dealt without the player; None if they may still buy in."""
        if self.seat not in self.record.game.late_offers:
            return None
        hands = (hand.entry for hand in self.record.game.hands if hand.number >= self.game.number)
        return next(hands, None)

    def review(self, _form: EntryForm, _event: Event, outlook: Consequences) -> dict[str, Any]:
        """Return sentences about the buy-in and whether it fixes the hand."""
        record, seat, late, before = self.record, self.seat, self.game.players[self.seat], self.game
        then, lapsed, buy_in = outlook.game, self._find_lapsing_hand(), record.game.late_buy_ins.get(self.seat)
        price = f" for {money_format(before).amount(before.stakes['buy_in'])}" if before.stakes else ""
        back = f"{before.offers[seat]}{price}."
        lead = f"{late.name} was out at {late.total} and bought in at {back}"
        if self._is_answered_late():
            undone = name_of(record, self.entry)
            lead = f"This undoes “{undone}”. {late.name} is out at {late.total} and buys in at {back}"
        wrong = [explain(each.fault, then.variant).text for each in then.faults if buy_in and each.entry == buy_in.hand]
        if buy_in and wrong:
            lead += f" That alone doesn’t fix {name_within(record, buy_in.hand)}: {' '.join(wrong)}"
        gone = "declined, and" if isinstance(record.effective.get(self.entry), Decline) else "hadn’t answered when"
        lapse = lapsed and (
            f"{late.name} {gone} {name_within(record, lapsed)} was recorded without them. "
            "Did they buy in before it? Then the buy-in is backdated."
        )
        return {"leads": [lapse, lead] if lapse else [lead]}


_TASKS: dict[str, type[QuestionTask]] = {Undo.kind: UndoTask, Void.kind: VoidTask, BuyIn.kind: BuyInTask}
_UNDO = {"kind": Undo.kind}
_VOID = {"kind": Void.kind}
_BUY_IN = {"kind": BuyIn.kind}
_VOID_NOW = _VOID | {"entry": 0}


@blueprint.get("/undo/<int:entry>", defaults=_UNDO, endpoint="ask_undo")
@blueprint.get("/void", defaults=_VOID_NOW, endpoint="ask_void")
@blueprint.get("/void/<int:entry>", defaults=_VOID, endpoint="ask_void")
@blueprint.get("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="ask_buy_in")
def ask(record: RecordedGame, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """Show what undoing an entry would change, or voiding a hand, or recording a late buy-in."""
    if entry in workflow.redos_left_to_club(record):
        return workflow.refuse_payment(record)
    task = _TASKS[kind](record, kind, entry, seat)
    return _preview(workflow.read_draft(task, task.form(None)))


@blueprint.post("/undo/<int:entry>", defaults=_UNDO, endpoint="undo")
@blueprint.post("/void", defaults=_VOID_NOW, endpoint="void")
@blueprint.post("/void/<int:entry>", defaults=_VOID, endpoint="void")
@blueprint.post("/bought-in/<int:entry>/<int:seat>", defaults=_BUY_IN, endpoint="buy_in")
def confirm(record: RecordedGame, kind: str, entry: int, seat: int = 0) -> ResponseReturnValue:
    """Record what was asked; sent twice, it is recorded once."""
    if entry in workflow.redos_left_to_club(record):
        return workflow.refuse_payment(record)
    task = _TASKS[kind](record, kind, entry, seat)
    draft = workflow.read_draft(task, task.form(request.form))
    saved = workflow.find_saved(task.record, draft.form) if kind == BuyIn.kind else None
    if saved:  # recording it now would be another entry
        return workflow.say_already_saved(task, saved.number)
    return workflow.save(draft, lambda now: _answer_stale(task.renewed(now), request.form), task.confirmation())
