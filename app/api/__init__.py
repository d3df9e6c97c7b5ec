"""The JSON interface: what the pages do, for scripts and other front ends."""

from __future__ import annotations

from flask import Flask

from app.api import clubs, games, rules
from app.views import csrf


def register(app: Flask) -> None:
    """Register every route, exempt from CSRF tokens: clients write with a bearer secret, never with a cookie."""
    app.register_blueprint(games.api)
    csrf.exempt(games.api)
