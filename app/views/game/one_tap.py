"""Buttons that record one small event, with one response to a double tap, a late tap and a refused one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, assert_never

from flask import flash, redirect, request, url_for
from werkzeug.wrappers import Response

from app.forms.entry import seen_typed
from app.i18n import _, gettext
from app.kalooki.game.events import Event, from_json
from app.kalooki.readers import usable_submission
from app.kalooki.rules.rulebook import explain
from app.table import recording
from app.table.preview import warnings_of
from app.table.recording import Refused, Saved, SavedOtherwise, Stale, Table
from app.views import access


def press(table: Table, raw: dict[str, Any], done: str) -> Saved | None:
    """Record an event and confirm it with `done`, or say why not; None if it was not recorded."""
    name = request.form.get("submission", "")
    if not usable_submission(name):
        flash(_("This page cannot be sent again as it is: reload it and press the button once more."), "fault")
        return None
    event = from_json(raw)
    seen = seen_typed(request.form.get("seen"))
    outcome = recording.save(table.code, event, seen, name, access.author(table))
    match outcome:
        case Saved():
            say_saved(outcome, event, done)
            return outcome
        case Refused():
            for fault in outcome.faults:
                flash(explain(fault, outcome.variant, gettext).text, "fault")
        case Stale():
            flash(_("Somebody recorded meanwhile. Look at the table as it is now, then press again."), "warn")
        case SavedOtherwise():
            flash(_("This page has already recorded something. Look at the table as it is now."), "warn")
        case _:
            assert_never(outcome)
    return None


def to_the_game(code: str) -> Response:
    """Redirect to the game's page, which shows what the button did."""
    return redirect(url_for("games.show", code=code), HTTPStatus.SEE_OTHER)


def say_saved(saved: Saved, event: Event, done: str) -> None:
    """Let the next page say that an event was recorded, with its warnings; the game page offers to undo it."""
    flash(done, "saved")
    for text in warnings_of(saved.table.game, {saved.entry, event.stands_at(saved.entry)}):
        flash(text, "warn")
