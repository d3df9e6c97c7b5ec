"""Rarer actions: changes between hands, corrections of the setup, and deleting a game for good."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.games import recording
from app.games.recording import RecordedGame
from app.kalooki.people import identify
from app.views import access, device, sheets
from app.views.game import page_of, pages


@pages.get("/more")
def more(code: str) -> str:
    """Show links to what happens between hands, sharing, printing, players, a rematch and the end."""
    record = access.get_game(code)
    mine = {
        "is_starter": access.is_starter(code),
        "is_tried": device.sample_game() == code,
        "seat": access.get_seat(code),
    }
    return page_of(record, "table/more.html", **mine)


@pages.get("/delete")
def ask_delete(code: str) -> str:
    """Show what would be lost, and ask for a player's name."""
    return _delete_page(access.get_game_to_manage(code))


@pages.post("/delete")
def delete(code: str) -> ResponseReturnValue:
    """Delete the game once the name of one of its players is typed."""
    record = access.get_game_to_manage(code)
    name = request.form.get("name", "")
    if (person := identify(name)) not in record.game.people.values() or not person:
        message = f"Nothing was deleted. Type one of these names: {', '.join(_names(record))}"
        return _delete_page(record, typed=name, error=message), 422
    recording.delete(code, access.grant_id(code))
    sheets.throw_away()
    device.forget(code)
    flash(f"The game of {', '.join(_names(record))} is deleted.", "ok")
    return redirect(url_for("evenings.games"), 303)


def _names(record: RecordedGame) -> list[str]:
    return [player.name for player in record.game.players.values()]


def _delete_page(record: RecordedGame, **context: object) -> str:
    return page_of(record, "table/delete.html", names=_names(record), **context)
