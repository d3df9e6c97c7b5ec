"""Pages and interfaces: what is reached by an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_wtf.csrf import CSRFProtect

from app.log import ask_rights_of
from app.views import (
    access,
    appeals,
    checks,
    copying,
    corrections,
    counts,
    delivery,
    errors,
    evenings,
    games,
    hands,
    health,
    joining,
    live,
    pages,
    quarrels,
    referee,
    rules,
    sheets,
    shell,
    table_pages,
)

if TYPE_CHECKING:
    from flask import Flask

BLUEPRINTS = (
    appeals.blueprint,
    checks.blueprint,
    copying.blueprint,
    corrections.blueprint,
    counts.blueprint,
    errors.blueprint,
    evenings.blueprint,
    games.blueprint,
    hands.blueprint,
    health.blueprint,
    joining.blueprint,
    live.blueprint,
    pages.blueprint,
    quarrels.blueprint,
    referee.blueprint,
    rules.blueprint,
    sheets.blueprint,
    shell.blueprint,
    table_pages.blueprint,
)

csrf = CSRFProtect()


def register(app: Flask) -> None:
    """Put every view under its address, and the common headers on every answer."""
    delivery.init(app)
    ask_rights_of(app, access.relied_on)
    csrf.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
        if blueprint.name == "api":
            csrf.exempt(blueprint)  # it is written to with a bearer's secret, never with a cookie
