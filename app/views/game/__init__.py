"""The pages of one game, all below the game's address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template

if TYPE_CHECKING:
    from app.table.recording import Table

pages = Blueprint("game_pages", __name__, url_prefix="/g/<code>")
"""The pages without a blueprint of their own."""


def page_of(table: Table, template: str, **shown: object) -> str:
    """A page of a game: every template is told the table, the game and its code, and this one what else it shows."""
    return render_template(template, table=table, game=table.game, code=table.code, **shown)
