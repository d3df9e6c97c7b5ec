"""Everything a scorer records besides hands: entered, previewed, saved; the same pages correct it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from flask import abort, request, url_for
from werkzeug.datastructures import MultiDict

from app.forms.answers import BUTTONS
from app.forms.entry import FORMS, EntryForm
from app.forms.player import FaceForm, RenameForm
from app.forms.ruling import RulingForm
from app.forms.setup import SetupForm
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Event, Stop, to_json
from app.kalooki.game.play import before, mended_start
from app.kalooki.rules.wording import names
from app.table import recording
from app.table.preview import Consequences
from app.table.recording import Refused, Table
from app.views import access
from app.views.game import pages, previews, record
from app.views.game.record import Task, render
from app.views.referee import judged

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

CORRECTABLE = tuple(kind for kind in FORMS if kind not in ("end", "setup"))
"""The kinds whose form can correct an entry; the end has nothing to correct, and a setup is simply corrected again."""

_NEXT = {"paid": "game_pages.settle"} | {
    kind: "game_pages.mend" for form in (RenameForm, FaceForm, SetupForm) for kind in form.kinds
}
_NAMES = {"from": "payer"}
_OWN = ("seen", "submission", *previews.UNCARRIED)


@dataclass(frozen=True)
class EntryTask(Task[EntryForm]):
    """An entry other than a hand, new or corrected; `recorded` is the current entry, in JSON."""

    recorded: dict[str, Any]

    @property
    def look_address(self) -> str:
        return url_for("game_pages.look", code=self.table.code, kind=self.kind, entry=self.entry or None)

    @property
    def onwards(self) -> str:
        return url_for(_NEXT.get(self.kind, "games.show"), code=self.table.code)

    def again(self, table: Table) -> EntryTask:
        return _task(table, self.kind, self.entry)

    def form(self, typed: Any) -> EntryForm:
        if self.kind == "setup":
            return SetupForm(self.game, mended_start(self.table.entries), typed)
        data = {_NAMES.get(key, key): value for key, value in self.recorded.items()}
        form = FORMS[self.kind](self.game, formdata=typed, data=data)
        if typed is None and not self.entry:
            form.suggest()
        return form

    def event(self, form: EntryForm) -> Event | None:
        return super().event(form) if not form.asked or form.validate() else None

    def told(self, form: EntryForm) -> dict[str, Any]:
        """The event; what the form of a correction does not ask stays as recorded if the kind does."""
        if not self.entry:
            return form.event() | (self._judged(form) if isinstance(form, RulingForm) else {})
        event = form.event()
        kept = self.recorded if event["kind"] == self.recorded["kind"] else {}
        return {"kind": "amend", "target": self.entry, "event": kept | event}

    def shown(self, form: EntryForm) -> dict[str, Any]:
        """The context of both templates; from now on the page has seen everything recorded so far."""
        seen, form.seen.data = form.seen_entry, str(self.table.seen)
        return {"back": self._back(form), "meanwhile": self.table.story.since(seen)}

    def form_page(self, form: EntryForm, *, typed: bool = True) -> str:
        stops = self.kind == "stop" and not self.table.game.finish
        outcomes = pool_outcomes(self.table) if stops else {}
        return render("table/enter.html", self, form, outcomes=outcomes, typed=typed)

    def preview_page(self, form: EntryForm, event: Event, outlook: Consequences) -> str:
        entered = event.inner
        typed = [(name, value) for name, value in previews.typed().items(multi=True) if name not in _OWN]
        return render("table/preview.html", self, form, event=entered, outlook=outlook, typed=typed)

    def question(self, form: EntryForm, event: Event | None) -> str | None:  # noqa: ARG002 - entries are not compared
        return None

    def after_conflict(self, form: EntryForm, event: Event | None) -> str:
        outlook = self.outlook(form, event)
        return self.preview_page(form, event, outlook) if event and outlook else self.form_page(form)

    def _judged(self, form: RulingForm) -> dict[str, Any]:
        """The claim of a new ruling with its verdict; raises Malformed if the claim cannot be read."""
        return judged(MultiDict(parse_qsl(str(form.query.data), keep_blank_values=True)), self.game)

    def _back(self, form: EntryForm) -> str:
        """Where Cancel leads; for a new ruling, to its claim."""
        code = self.table.code
        if isinstance(form, RulingForm) and form.query.data:
            return f"{url_for('referee.check', code=code)}?{form.query.data}"
        return url_for(_NEXT.get(self.kind, "games.show" if self.entry else "game_pages.more"), code=code)


@pages.get("/enter/<kind>")
@pages.get("/enter/<kind>/<int:entry>")
def enter(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The form, filled in with the usual values; if it asks nothing, the preview at once."""
    task = _task(access.scorers_table(code), kind, entry)
    form = task.form(None)
    return task.form_page(form, typed=False) if form.asked else record.preview(task, form, task.event(form))


@pages.post("/enter/<kind>")
@pages.post("/enter/<kind>/<int:entry>")
def send(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change or save."""
    task = _task(access.scorers_table(code), kind, entry)
    do = request.form.get("do", "preview")
    return record.save(task, request.form) if do == "save" else record.look_at(task, request.form, do)


@pages.get("/enter/<kind>/look")
@pages.get("/enter/<kind>/<int:entry>/look")
def look(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The entry in the address: its preview, or the form again."""
    task = _task(access.scorers_table(code), kind, entry)
    return record.look(task, request.args, request.args.get("do", "preview"))


def pool_outcomes(table: Table) -> dict[str, str]:
    """Who would get how much of the pool, for each way to stop; empty if the pool is empty."""
    if not table.game.pool:
        return {}
    stopped = {way: recording.preview(table, Stop(way)) for way in names("pools")}
    return {
        way: ", ".join(
            f"{then.game.name(seat)} {then.game.currency.written(part)}" for seat, part in then.game.shares.items()
        )
        for way, then in stopped.items()
        if not isinstance(then, Refused)
    }


def _task(table: Table, kind: str, entry: int) -> EntryTask:
    """Aborts with 404 for a kind that is not entered here, and for an entry that does not stand or has another form."""
    if kind not in FORMS:
        abort(404)
    if not entry:
        if kind in BUTTONS or (kind == "ruling" and not previews.typed().get("query")):
            abort(404)
        seat = request.args.get("seat", "")
        return EntryTask(table, kind, entry, table.game, {"seat": seat} if seat else {})
    event = dict(standing(table.entries)).get(entry)
    game = before(table.entries, entry)
    if event is None or game is None or FORMS.get(event.kind) is not FORMS[kind] or kind not in CORRECTABLE:
        abort(404)
    return EntryTask(table, kind, entry, game, to_json(event))
