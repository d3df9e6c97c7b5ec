"""Somebody at the table wants to write without the pen: who has it, one tap to ask for it, the hand as typed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import render_template, request
from werkzeug.datastructures import MultiDict

from app.views import access
from app.views.game import previews
from app.views.game.hands import PROPOSAL, task_of
from app.views.game.messages import writer

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.forms.hand import HandForm
    from app.table.recording import Table
    from app.views.game.hands import HandTask


def barred() -> ResponseReturnValue | None:
    """The answer to a request that only the pen allows; None if a page for everybody says enough."""
    code = str((request.view_args or {}).get("code", ""))
    if not code or access.may_write(code):
        return None
    told = _told(access.table_or_404(code))
    if request.endpoint == "hands.preview":
        return render_template("fragments/barred.html", **told), HTTPStatus.FORBIDDEN, {PROPOSAL: ""}
    if not told["may_ask"]:
        return None
    task = _hand_of(told["table"], told["begun"])
    form = task.form(MultiDict(told["begun"])) if task else None
    if task and form and _is_saved(task, form):
        return previews.onwards(task.onwards)
    return render_template("barred.html", task=task, form=form, **told), HTTPStatus.FORBIDDEN


def _hand_of(table: Table, begun: dict[str, str]) -> HandTask | None:
    """The form a hand was typed into; None if none was."""
    return task_of(table, begun["kind"], int(begun["entry"])) if "submission" in begun else None


def _is_saved(task: HandTask, form: HandForm) -> bool:
    """Whether this very page saved the hand before the pen passed: sent again, it is answered as it was."""
    event = task.event(form)
    return event is not None and previews.is_recorded(task.table, str(form.submission.data), event)


def _told(table: Table) -> dict[str, Any]:
    """What the page and the fragment say of the pen."""
    code = table.code
    lost = access.lost_pen(code)
    return {
        "table": table,
        "game": table.game,
        "code": code,
        "lost": lost,
        "to": (lost.to if lost else None) or writer(code),
        "may_ask": lost is not None or access.seat(code) is not None,
        "begun": previews.hand_begun(),
    }
