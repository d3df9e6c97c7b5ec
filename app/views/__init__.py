"""Pages and interfaces: what is reached by an address.

Every view stands below the decorator that says its address, and every module of this package is found by itself: a new
page needs no list to be changed.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

from flask import Blueprint
from flask_wtf.csrf import CSRFProtect

from app.log import ask_rights_of
from app.views import access, heavy, responses, templating

if TYPE_CHECKING:
    from flask import Flask

csrf = CSRFProtect()


def register(app: Flask) -> None:
    """Put every view under its address, and the common headers on every answer."""
    responses.init(app)
    templating.init(app)
    heavy.init(app)
    ask_rights_of(app, access.relied_on)
    csrf.init_app(app)
    for blueprint in blueprints():
        app.register_blueprint(blueprint)
        if blueprint.name == "api":
            csrf.exempt(blueprint)  # it is written to with a bearer's secret, never with a cookie


def blueprints() -> list[Blueprint]:
    """The blueprints of all modules of this package, each once; by then all their views are on them."""
    modules = [import_module(found.name) for found in walk_packages(__path__, f"{__name__}.")]
    values = [value for module in modules for value in vars(module).values()]
    return list(dict.fromkeys(value for value in values if isinstance(value, Blueprint)))
