"""The pages of one game, all below the game's address."""

from __future__ import annotations

from flask import Blueprint, render_template

from app.games.recording import RecordedGame
from app.views import access

pages = Blueprint("game_pages", __name__, url_prefix="/g/<code>")
"""The pages without a blueprint of their own."""


def page_of(record: RecordedGame, template: str, **context: object) -> str:
    """Return a page of a game: what every template is told, and what else this one shows."""
    usual = {
        "table": record,
        "game": record.game,
        "code": record.code,
        "may_write": access.may_write(record.code),
    }
    return render_template(template, **(usual | context))
