"""What makes the pages an app on a phone: a service worker, and the page to show without a network."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, render_template

blueprint = Blueprint("shell", __name__)


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, at the root because it may look after what lies below its own address only."""
    return current_app.send_static_file("js/worker.js")


@blueprint.get("/offline")
def offline() -> str:
    """Shown in place of a page that was never opened while there was a network."""
    return render_template("offline.html")
