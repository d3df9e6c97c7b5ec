"""A buy-in told late: after the player had declined, or before a hand already played.

A correction may have made that hand impossible, because its player is now out there; or it was played without them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import TYPE_CHECKING, Any

from flask import abort, request, url_for

from app.forms.entry import EntryForm
from app.i18n import _, gettext
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Amend, BuyIn, Decline, Event, to_json
from app.kalooki.game.play import before
from app.kalooki.rules.rulebook import explain
from app.views import access
from app.views.game import previews, record
from app.views.game.corrections import CorrectionTask, blueprint, lacking_page
from app.views.game.record import render

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

    from app.table.preview import Consequences
    from app.table.recording import Table


@dataclass(frozen=True)
class LateBuyInTask(CorrectionTask):
    """A buy-in before the hand, played or void, at `entry`, or in place of the no there; `game` is the table before."""

    seat: int

    @property
    def look_address(self) -> str:
        return url_for("corrections.ask_buy_in", code=self.table.code, entry=self.entry, seat=self.seat)

    @property
    def done(self) -> str:
        return _("Bought in.")

    def then(self, table: Table) -> str:
        return lacking_page(table) or self.onwards

    def again(self, table: Table) -> LateBuyInTask:
        return replace(self, table=table)

    def form(self, typed: MultiDict[str, str] | None) -> EntryForm:
        return EntryForm(self.game, typed)

    def told(self, form: EntryForm) -> dict[str, Any]:  # noqa: ARG002 - nothing is asked
        return to_json(_buy_in(self.table, self.entry, self.seat))

    def preview_page(self, form: EntryForm, event: Event, outlook: Consequences) -> str:  # noqa: ARG002 - the same for all
        then, late = outlook.game, self.table.game.late_buy_ins.get(self.seat)
        unmended = [noted.fault for noted in then.faults if late and noted.entry == late.hand]
        wrong = [explain(fault, then.variant, gettext).text for fault in unmended]
        lacking = [entry for entry in then.lacking(self.seat) if entry not in self.table.game.lacking(self.seat)]
        told = {"late": self.game.players[self.seat], "wrong": wrong, "lacking": lacking, "lapsed": self.lapsed}
        return render("confirm.html", self, form, outlook=outlook, **told)

    @property
    def lapsed(self) -> int | None:
        """The entry of the hand that was dealt without the player; None if they may still say that they buy in."""
        if self.seat not in self.table.game.late_offers:
            return None
        hands = (hand.entry for hand in self.table.game.hands if hand.number >= self.game.number)
        return next(hands, None)


@blueprint.get("/bought-in/<int:entry>/<int:seat>")
def ask_buy_in(code: str, entry: int, seat: int) -> ResponseReturnValue:
    """What a buy-in before an earlier hand changes."""
    task = _task(code, entry, seat)
    form = task.form(None)
    return record.preview(task, form, task.event(form))


@blueprint.post("/bought-in/<int:entry>/<int:seat>")
def buy_in(code: str, entry: int, seat: int) -> ResponseReturnValue:
    """Record a buy-in before an earlier hand; sent twice, it is recorded once."""
    task = _task(code, entry, seat)
    if previews.saved_entry(task.table, request.form.get("submission", "")):
        return previews.onwards(task.onwards)
    return record.save(task, request.form)


def _task(code: str, entry: int, seat: int) -> LateBuyInTask:
    """Aborts with 404 for an entry that does not stand, and for a seat nobody had by then."""
    table = access.scorers_table(code)
    game = before(table.entries, entry)
    if game is None or seat not in game.players:
        abort(404)
    return LateBuyInTask(table, BuyIn.kind, entry, game, seat)


def _buy_in(table: Table, entry: int, seat: int) -> Event:
    """The buy-in before a hand; what the player answered to the same offer after that hand is moved there."""
    skipped = {noted.entry for noted in table.game.faults}
    since = dropwhile(lambda each: each.number != entry, standing(table.entries))
    answers = (each.number for each in since if isinstance(each.event, (BuyIn, Decline)) and each.event.seat == seat)
    answer = next((number for number in answers if number not in skipped), None)
    if answer is None:
        return BuyIn(seat, entry)
    return Amend(answer, BuyIn(seat, entry if entry != answer else None))
