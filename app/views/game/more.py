"""The rarer actions: what happens between hands, what was set up wrongly, and deleting a game for good."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.games import recording
from app.games.recording import Table
from app.kalooki.game.play import mended_start
from app.kalooki.people import identify
from app.views import access, device
from app.views.game import page_of, pages
from app.views.print import files


@pages.get("/more")
def more(code: str) -> str:
    """Penalties, players who leave or join, the end, the history, the setup, a rematch."""
    table = access.table_or_404(code)
    return page_of(table, "table/more.html", is_starter=access.is_starter(code), seat=access.seat(code))


@pages.get("/mend")
def mend(code: str) -> str:
    """Names, dealer, stakes and house rules as they are, each with a way to correct it."""
    table = access.scorers_table(code)
    return page_of(table, "table/mend.html", start=mended_start(table.entries))


@pages.get("/delete")
def ask_delete(code: str) -> ResponseReturnValue:
    """Return what is lost, and the name to type; whoever did not start the game reads who may."""
    page = _delete_page(access.table_or_404(code))
    return page if access.is_starter(code) else (page, 403)


@pages.post("/delete")
def delete(code: str) -> ResponseReturnValue:
    """Delete the game once the name of one of its players is typed."""
    table = access.table_or_404(code)
    access.require_starter(code)
    typed = request.form.get("name", "")
    if (person := identify(typed)) not in table.game.people.values() or not person:
        said = "Nothing was deleted. Type one of these names: {names}".format(names=", ".join(_names(table)))
        return _delete_page(table, typed=typed, error=said), 422
    recording.delete(code)
    files.throw_away()
    device.forget(code)
    flash("The game of {names} is deleted.".format(names=", ".join(_names(table))), "ok")
    return redirect(url_for("evenings.games"), 303)


def _names(table: Table) -> list[str]:
    return [player.name for player in table.game.players.values()]


def _delete_page(table: Table, **shown: object) -> str:
    is_starter = access.is_starter(table.code)
    return page_of(table, "table/delete.html", names=_names(table), is_starter=is_starter, **shown)
