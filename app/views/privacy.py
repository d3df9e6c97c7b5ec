"""What is kept and who can see it, in plain words; and what a device keeps, deleted on request."""

from __future__ import annotations

from flask import Blueprint, current_app, make_response, render_template, session
from flask.typing import ResponseReturnValue

from app import log
from app.retention import A_DAY
from app.views import access, example

blueprint = Blueprint("privacy", __name__)


@blueprint.get("/privacy")
def kept() -> str:
    """What is stored, where, for how long, and who can see it."""
    days = current_app.config["KEEP_DAYS"]
    waiting = log.hours_to_wait(days) if days else 0
    return render_template("privacy/kept.html", days=days, waiting=-(-waiting // A_DAY))


@blueprint.get("/privacy/threats")
def threats() -> str:
    """Who could cheat or pry, what stops them, and what does not."""
    return render_template("privacy/threats.html")


@blueprint.get("/device")
def ask_forget() -> str:
    """What forgetting everything on this device deletes, and what stays."""
    tables = access.tables_here(None)
    return render_template(
        "privacy/device.html",
        writes=[table for table in tables if access.may_write(table.code)],
        started=[table for table in tables if access.may_delete(table.code)],
    )


@blueprint.post("/device")
def forget() -> ResponseReturnValue:
    """Drop the cookie; a script on the page that answers drops everything else the browser keeps.

    That page has no address of its own: a link to it would delete hands not yet sent.
    """
    example.leave()
    session.clear()
    answer = make_response(render_template("privacy/forgotten.html"))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer
