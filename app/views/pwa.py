"""What turns the pages into an app on a phone: a service worker, and the page to show offline."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, render_template

blueprint = Blueprint("pwa", __name__)


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, at the root because it controls only what lies below its own address."""
    return current_app.send_static_file("js/worker.js")


@blueprint.get("/offline")
def offline() -> str:
    """Shown instead of a page that was never opened online."""
    return render_template("offline.html")
