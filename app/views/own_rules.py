"""Own rules as pages: a set with what it changes, as a link, a code and a file; those kept on a device."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import days, log
from app.kalooki.cards import Malformed
from app.kalooki.rules.wording import differing
from app.kalooki.variants import load
from app.kalooki.variants.own import LONGEST_TITLE, OwnRules, as_file, is_title, own_rules, read_file
from app.table.recording import Table
from app.telling.formats import region_of
from app.telling.phrases import stakes_agreed, stakes_words
from app.views import access
from app.views.links import address, code_of_rules, why_no_code
from app.views.print.files import plain_name
from app.views.rules import asked_own

blueprint = Blueprint("own", __name__)


@blueprint.get("/own")
def show() -> ResponseReturnValue:
    """What a set of own rules changes, before anything is taken over; without one, the sets kept on this device.

    `name` gives the set another name.
    """
    own = asked_own()
    if own is None:
        return _kept_page("")
    named = " ".join(request.args.get("name", own.name).split())
    if not is_title(named):
        raise Malformed("The name of own rules has at most {most} letters.", "name", most=LONGEST_TITLE)
    if named != own.name:
        return redirect(url_for("own.show", own=replace(own, name=named).text))
    return _set_page(own)


def _set_page(own: OwnRules, table: Table | None = None) -> str:
    link = address("own.show", own=own.text)
    return render_template(
        "rules/own.html",
        own=own,
        variant=own.variant,
        differences=differing(own.variant, load(own.variant_id)),
        table=table,
        stakes=stakes_words(table.game.stakes, region_of(table.game)) if table and table.game.stakes else "",
        agreed=stakes_agreed(own.variant, None),
        link=link,
        drawn=code_of_rules(link, own.text.rpartition("~")[2], "Code that opens these rules on another phone"),
        no_code=why_no_code(link),
        longest=LONGEST_TITLE,
    )


@blueprint.get("/g/<code>/own")
def of_game(code: str) -> str:
    """The rules of a game as a set of their own."""
    table = access.table_or_404(code)
    return _set_page(own_rules(table.game.variant, "", table.when(log.now())[:10]), table)


@blueprint.get("/own.toml")
def file() -> Response:
    """The set as a file of a variant."""
    own = asked_own()
    if own is None:
        raise Malformed("{field} is missing.", "own")
    answer = Response(as_file(own), mimetype="application/toml")
    name = plain_name(own.name or own.variant.name, "toml")
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


@blueprint.post("/own")
def read() -> ResponseReturnValue:
    """Show the set in a file; what is wrong with it is said with line and key."""
    sent = request.files.get("file")
    day = days.on_the_wall(log.now(), days.known_zone(request.form.get("zone", "")))[:10]
    try:
        return redirect(url_for("own.show", own=read_file(sent.read() if sent else b"", day).text), 303)
    except Malformed as cause:
        return _kept_page(cause.say()), 422


def _kept_page(fault: str) -> str:
    return render_template("rules/own_kept.html", fault=fault, tables=access.tables_here())
