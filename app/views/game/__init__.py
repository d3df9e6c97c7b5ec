"""The pages of one game, each below the game's address."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("table", __name__, url_prefix="/g/<code>")
"""The pages that have no blueprint of their own."""
