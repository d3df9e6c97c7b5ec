"""The games opened on this device: reopen, add up, settle together, play again, forget."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.forms.new_game import as_before, by_rules_of
from app.games import recording
from app.games.recording import Table
from app.kalooki.game.evening import bills
from app.kalooki.game.events import Paid, to_json
from app.kalooki.game.rematch import rematch as once_more
from app.kalooki.readers import usable_submission
from app.views import access, device
from app.views.game.continuing import copies_among
from app.views.new_game import new_game_form
from app.views.rules import warn_of_lost_variant

blueprint = Blueprint("evenings", __name__)

KNOWN = "Kalooki-Games"
"""The header that tells the phone's service worker which games' pages it may keep."""


@blueprint.get("/games")
def games() -> ResponseReturnValue:
    """Every game opened on this device, with its result."""
    tables = access.tables_here(None)
    countable = recording.without_continued(tables, access.follows)
    page = render_template(
        "evenings/games.html", tables=tables, countable=countable, copies=copies_among(tables), follows=access.follows
    )
    return page, {KNOWN: " ".join(table.code for table in tables)}


@blueprint.post("/games")
def forget() -> ResponseReturnValue:
    """Take a game off this device's list."""
    device.forget(request.form.get("forget", ""))
    flash("Removed from this device. The game itself stays.", "ok")
    return redirect(url_for("evenings.games"), 303)


@blueprint.get("/evening")
def settle() -> str:
    """One settlement over the chosen games; by default those of the last evening."""
    tables = _chosen() if "game" in request.args else _last_evening()
    known = recording.without_continued(access.tables_here(), access.follows)
    chosen = [table for table in tables if table.game.can_be_settled]
    listed = [*known, *(table for table in tables if table.code not in {each.code for each in known})]
    return render_template(
        "evenings/settle.html",
        tables=listed,
        chosen=chosen,
        copies=copies_among(listed),
        codes=tuple(table.code for table in chosen),
        bills=bills([table.game for table in chosen]),
        may_write=bool(chosen) and all(access.may_write(table.code) for table in chosen),
    )


@blueprint.post("/evening")
def note_all_paid() -> ResponseReturnValue:
    """Note in each of the games that all open payments are made."""
    codes = request.form.getlist("game")
    submission = request.form.get("submission", "")
    if not codes or not usable_submission(submission):
        abort(400)
    for code in codes:
        table = access.scorers_table(code)
        if not _note_paid(table, submission):
            names = ", ".join(table.game.name(seat) for seat in table.game.order)
            said = "Somebody recorded meanwhile in the game of {names}: look at it again."
            flash(said.format(names=f"{names} ({table.whereabouts})"), "warn")
    return redirect(url_for("evenings.settle", game=codes), 303)


@blueprint.get("/g/<code>/rematch")
def rematch(code: str) -> str:
    """Return the new-game form, filled in for the same players and rules with the next dealer."""
    table = access.table_or_404(code)
    start = to_json(once_more(table.entries, table.game))
    asked = {"dealer": str(start.get("dealer", 1) - 1), "rematch_of": code}
    if table.game.variant.is_own:
        warn_of_lost_variant(table.game.variant)
        data = by_rules_of(table.game.variant) | {"players": [{"name": name} for name in start["players"]]}
    else:
        data = as_before(start)
    form = new_game_form(data | asked)
    return render_template("new_game.html", form=form, setup=None, variant=form.played, table=table)


def _note_paid(table: Table, submission: str) -> bool:
    """Record each open payment of a game; False if somebody recorded since the page was shown.

    With nothing open there is nothing to record: a second tap is as good as the first.
    """
    due = table.game.payments
    if due and str(table.seen) != request.form.get(f"seen-{table.code}"):
        return False
    for place, payment in enumerate(due):
        paid = Paid(*payment)
        name = f"{submission[:60]}-{paid.payer}-{paid.to}"
        outcome = recording.save(table.code, paid, table.seen + place, name, access.author(table))
        if not isinstance(outcome, recording.Saved):
            return False
    return True


def _chosen() -> list[Table]:
    """Return the games the address names, oldest first."""
    return sorted(access.tables_together(access.games_asked()), key=_began)


def _last_evening() -> list[Table]:
    """Return this device's games of its latest evening, oldest first, each once."""
    tables = recording.without_copies(recording.without_continued(access.tables_here(), access.follows))[::-1]
    tables.sort(key=_began)
    latest = max((table.day for table in tables), default="")
    return [table for table in tables if table.day == latest]


def _began(table: Table) -> tuple[str, str]:
    """Return the evening of a game, and when it began: a sheet copied later says noon."""
    return table.day, table.log.entries[0].at
