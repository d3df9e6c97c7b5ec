"""The pages of one game, all below the game's address."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("table", __name__, url_prefix="/g/<code>")
"""The pages without a blueprint of their own."""
