"""Everything a scorer records besides hands: entered, previewed, saved; the same pages correct it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from flask import abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.entry import BUTTONS, FORMS, EntryForm, FaceForm, RenameForm, RulingForm
from app.forms.setup import SetupForm
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Event, Hand, Insert, Stop, Void, to_json
from app.kalooki.game.play import Game, before, mended_start
from app.kalooki.rules.wording import names
from app.table import recording
from app.table.preview import Consequences
from app.table.recording import Refused, Table
from app.views import access
from app.views.game import pages, previews, workflow
from app.views.game.workflow import Task, Way
from app.views.referee import judged

CORRECTABLE = tuple(kind for kind in FORMS if kind not in ("end", "setup"))
"""The kinds whose form can correct an entry; the end has nothing to correct, and a setup is simply corrected again."""

_NEXT = {"paid": "game_pages.settle"} | {
    kind: "game_pages.mend" for form in (RenameForm, FaceForm, SetupForm) for kind in form.kinds
}
_NAMES = {"from": "payer"}
_OWN = ("seen", "submission", *previews.UNCARRIED)


def _form(task: Task, typed: Any) -> EntryForm:
    if task.kind == "setup":
        return SetupForm(task.game, mended_start(task.table.entries), typed, request.args.get("open", ""))
    data = {_NAMES.get(key, key): value for key, value in task.filled.items()}
    form = FORMS[task.kind](task.game, formdata=typed, data=data)
    if typed is None and not task.entry:
        form.suggest()
    return form


def _event(task: Task, form: EntryForm) -> dict[str, Any]:
    """The event; what the form of a correction does not ask stays as recorded if the kind does."""
    event = form.event()
    if task.entry:
        kept = task.filled if event["kind"] == task.filled["kind"] else {}
        return {"kind": "amend", "target": task.entry, "event": kept | event}
    if not isinstance(form, RulingForm):
        return event
    return event | judged(MultiDict(parse_qsl(str(form.query.data), keep_blank_values=True)), task.game)


def _entry_shown(task: Task, form: EntryForm) -> dict[str, Any]:
    """The context of both templates; from now on the page has seen everything recorded so far."""
    stops = task.kind == "stop" and not task.table.game.finish
    outcomes = pool_outcomes(task.table) if stops else {}
    return {"back": _back(task, form), "meanwhile": workflow.caught_up(task, form), "outcomes": outcomes}


def _previewed(_task: Task, event: Event, _outlook: Consequences) -> dict[str, Any]:
    typed = [(name, value) for name, value in previews.typed().items(multi=True) if name not in _OWN]
    return {"event": event.inner, "typed": typed}


def _back(task: Task, form: EntryForm) -> str:
    """Where Cancel leads; for a new ruling, to its claim."""
    code = task.table.code
    if isinstance(form, RulingForm) and form.query.data:
        return f"{url_for('referee.check', code=code)}?{form.query.data}"
    return url_for(_NEXT.get(task.kind, "games.show" if task.entry else "game_pages.more"), code=code)


_WAY = Way(
    form=_form,
    event=_event,
    again=lambda task, table: _task(table, task.kind, task.entry),
    pages=("table/enter.html", "table/preview.html"),
    shown=_entry_shown,
    previewed=_previewed,
)


@pages.get("/enter/<kind>")
@pages.get("/enter/<kind>/<int:entry>")
def enter(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The form, filled in with the usual values; if it asks nothing, the preview at once."""
    task = _task(access.scorers_table(code), kind, entry)
    form = task.form(None)
    return task.form_page(form, typed=False) if form.asked else workflow.preview(task, form, task.event(form))


@pages.post("/enter/<kind>")
@pages.post("/enter/<kind>/<int:entry>")
def send(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """Do what the pressed button asks: preview, change or save."""
    task = _task(access.scorers_table(code), kind, entry)
    return workflow.send(task, request.form, request.form.get("do", "preview"))


@pages.get("/enter/<kind>/look")
@pages.get("/enter/<kind>/<int:entry>/look")
def show_preview(code: str, kind: str, entry: int = 0) -> ResponseReturnValue:
    """The entry in the address: its preview, or the form again."""
    task = _task(access.scorers_table(code), kind, entry)
    return workflow.show(task, request.args, request.args.get("do", "preview"))


def pool_outcomes(table: Table) -> dict[str, str]:
    """Who would get how much of the pool, for each way to stop; empty if the pool is empty."""
    if not table.game.pool:
        return {}
    stopped = {way: recording.preview(table, Stop(way)) for way in names("pools")}
    return {
        way: ", ".join(
            f"{then.game.name(seat)} {then.game.currency.amount(part)}" for seat, part in then.game.shares.items()
        )
        for way, then in stopped.items()
        if not isinstance(then, Refused)
    }


def correcting(code: str, entry: int, event: Event) -> str:
    """The address of the form that corrects an entry, as it stands; empty if there is none."""
    if isinstance(event, (Hand, Void, Insert)):
        return url_for("hands.enter", code=code, kind="correct", entry=entry)
    return url_for("game_pages.enter", code=code, kind=event.kind, entry=entry) if event.kind in CORRECTABLE else ""


def _task(table: Table, kind: str, entry: int) -> Task:
    """Aborts with 404 for a kind that is not entered here, and for an entry that does not stand or has another form."""
    if kind not in FORMS:
        abort(404)
    game, filled = _corrected(table, kind, entry) if entry else _new(table, kind)
    preview_at = url_for("game_pages.show_preview", code=table.code, kind=kind, entry=entry or None)
    onwards = url_for(_NEXT.get(kind, "games.show"), code=table.code)
    return Task(_WAY, table, kind, entry, game, onwards, preview_at, filled)


def _new(table: Table, kind: str) -> tuple[Game, dict[str, Any]]:
    if kind in BUTTONS or (kind == "ruling" and not previews.typed().get("query")):
        abort(404)
    seat = request.args.get("seat", "")
    return table.game, {"seat": seat} if seat else {}


def _corrected(table: Table, kind: str, entry: int) -> tuple[Game, dict[str, Any]]:
    event = dict(standing(table.entries)).get(entry)
    game = before(table.entries, entry)
    if event is None or game is None or FORMS.get(event.kind) is not FORMS[kind] or kind not in CORRECTABLE:
        abort(404)
    return game, to_json(event)
