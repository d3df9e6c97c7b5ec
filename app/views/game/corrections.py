"""Taking an entry back, and hands that do not count: shown first, then saved with one button."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import Blueprint, abort, render_template, request

from app.i18n import _, gettext
from app.kalooki.game.events import from_json
from app.kalooki.readers import MOST_NOTE
from app.kalooki.rules.rulebook import explain
from app.table.preview import consequences
from app.table.recording import Refused, Table
from app.views import access
from app.views.game.one_tap import press, to_the_game

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("corrections", __name__, url_prefix="/g/<code>")


@blueprint.get("/undo/<int:entry>")
def ask_undo(code: str, entry: int) -> ResponseReturnValue:
    """What taking an entry back changes."""
    table = access.scorers_table(code)
    if not 1 < entry <= table.seen:
        abort(404)
    return _confirm(table, {"kind": "undo", "target": entry}, recorded=table.log.entries[entry - 1])


@blueprint.post("/undo/<int:entry>")
def undo(code: str, entry: int) -> ResponseReturnValue:
    """Takes an entry back, also a correction."""
    access.scorers_table(code)
    press(code, {"kind": "undo", "target": entry}, _("Taken back."))
    return to_the_game(code)


@blueprint.get("/void", defaults={"entry": 0})
@blueprint.get("/void/<int:entry>")
def ask_void(code: str, entry: int) -> ResponseReturnValue:
    """A hand that does not count: the one just dealt, or one recorded as entry `entry`."""
    return _confirm(access.scorers_table(code), _void(entry), reason=True)


@blueprint.post("/void", defaults={"entry": 0})
@blueprint.post("/void/<int:entry>")
def void(code: str, entry: int) -> ResponseReturnValue:
    """Notes that a hand does not count; without room for the reason, the page stays as typed."""
    table = access.scorers_table(code)
    reason = request.form.get("reason", "")
    if len(" ".join(reason.split())) > MOST_NOTE:
        error = _("Write at most %(most)s characters.") % {"most": MOST_NOTE}
        return _confirm(table, _void(entry), reason=True, typed=reason, error=error)
    saved = press(code, _void(entry, reason), _("Void: nothing is scored."))
    return to_the_game(code) if saved else _confirm(access.table_or_404(code), _void(entry), reason=True, typed=reason)


def _void(entry: int, reason: str = "") -> dict[str, Any]:
    void = {"kind": "void", "reason": reason}
    return {"kind": "amend", "target": entry, "event": void} if entry else void


def _confirm(table: Table, raw: dict[str, Any], **shown: Any) -> ResponseReturnValue:
    """What an event changes, with one button that saves it; why not, where it cannot be saved."""
    outlook = consequences(table, from_json(raw))
    refused = outlook if isinstance(outlook, Refused) else None
    refusals = [explain(fault, refused.variant, gettext).text for fault in refused.faults] if refused else []
    page = render_template(
        "confirm.html",
        table=table,
        game=table.game,
        code=table.code,
        event=raw,
        outlook=None if refused else outlook,
        refusals=refusals,
        submission=uuid4(),
        **shown,
    )
    ok = request.method == "GET" and not refused
    return page, HTTPStatus.OK if ok else HTTPStatus.UNPROCESSABLE_ENTITY
