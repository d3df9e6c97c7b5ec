"""The pages of one game, whose addresses all begin with the game's."""

from __future__ import annotations

from flask import Blueprint, render_template

from app.games.recording import RecordedGame
from app.views import access

pages = Blueprint("game_pages", __name__, url_prefix="/g/<code>")
"""The pages without a blueprint of their own."""
access.load_game(pages)
managing = Blueprint("managing", __name__, url_prefix="/g/<code>")
"""What only the phone that started the game may do."""
access.load_game(managing, to_look=access.get_game_to_manage, to_change=access.get_game_to_manage)

SEEN = "Kalooki-Seen"
"""The header of pages that a phone keeps, with the newest entry on them; the service worker keeps the newest one."""


def page_of(record: RecordedGame, template: str, **context: object) -> str:
    """Render a page of a game with the context that all of them need, and `context` of its own."""
    usual = {
        "table": record,
        "game": record.game,
        "code": record.code,
        "may_write": access.may_write(record.code),
    }
    return render_template(template, **(usual | context))
