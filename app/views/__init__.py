"""Pages: everything with an address except the JSON interface.

A decorator on each view gives its address, and `register` finds all modules of this package, so that a new page needs
no change to any list.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from flask import Blueprint, Flask
from flask_wtf.csrf import CSRFProtect

from app.views import errors, limits, links, responses, templating

csrf = CSRFProtect()


def register(app: Flask) -> None:
    """Register every view, and the headers that all responses share."""
    responses.init(app)
    templating.init(app)
    app.before_request(limits.refuse_long_bodies)  # before anything reads a form
    csrf.init_app(app)
    # importing the modules adds their views to their blueprints
    modules = [import_module(module_info.name) for module_info in walk_packages(__path__, f"{__name__}.")]
    values = (value for module in modules for value in vars(module).values())
    for blueprint in dict.fromkeys(value for value in values if isinstance(value, Blueprint)):
        app.register_blueprint(blueprint)
    links.init(app)
    app.log_exception = errors.log_broken  # type: ignore[assignment, method-assign]
