"""Kalooki Referee: referees and scores Kalooki played with real cards.

Importing this package needs only the standard library, so that ``python3 -m app`` can start on a machine where nothing
is installed yet. Everything that needs Flask is imported inside `create_app`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from app.server import Application


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Build the application with its database in place and up to date.

    `config` overrides the settings. If the app cannot start, raises SystemExit with a message that says what to do.
    """
    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from app import api, cli, settings, views
    from app.settings import ROOT, configuration, data_folder
    from app.store import games, opening
    from app.views.responses import static_path

    app = Flask(
        "app",
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
        static_url_path=static_path(),
        instance_path=str(data_folder()),
    )
    app.config.update(configuration(config or {}))
    opening.init(app)
    if not cli.is_choosing():
        settings.set_up(app.config)
        opening.open_database(app)
        with app.app_context():
            if settings.is_key_missing(app.config) and games.codes():
                app.logger.warning(settings.KEY_IS_NEW, data_folder() / "secret_key")
        settings.set_up_key(app.config)
    api.register(app)
    views.register(app)
    if hops := app.config["PROXY_HOPS"]:
        # trust the proxy for the client's address and the scheme only; the Host header stays as received
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=0)  # type: ignore[method-assign]
    cli.init(app)
    return app


def application() -> Application:
    """Return the application as an ASGI callable, for ``uvicorn --factory``."""
    from app.server import Application, prepare_logs

    prepare_logs()
    return Application(create_app())
