"""Pages and interfaces: what is reached by an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_wtf.csrf import CSRFProtect

from app.log import ask_rights_of
from app.views import access, errors, evenings, health, new_game, paper, pwa, quarrels, referee, responses, rules
from app.views.api import rules as api_rules
from app.views.game import appeals, board, corrections, counts, hands, joining, live, table_pages
from app.views.print import game

if TYPE_CHECKING:
    from flask import Flask

BLUEPRINTS = (
    appeals.blueprint,
    api_rules.blueprint,
    paper.blueprint,
    corrections.blueprint,
    counts.blueprint,
    errors.blueprint,
    evenings.blueprint,
    board.blueprint,
    hands.blueprint,
    health.blueprint,
    joining.blueprint,
    live.blueprint,
    new_game.blueprint,
    quarrels.blueprint,
    referee.blueprint,
    rules.blueprint,
    game.blueprint,
    pwa.blueprint,
    table_pages.blueprint,
)

csrf = CSRFProtect()


def register(app: Flask) -> None:
    """Put every view under its address, and the common headers on every answer."""
    responses.init(app)
    ask_rights_of(app, access.relied_on)
    csrf.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
        if blueprint.name == "api":
            csrf.exempt(blueprint)  # it is written to with a bearer's secret, never with a cookie
