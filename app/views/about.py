"""About the app: help, privacy, the page for being offline, health checks."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

from app.store.database import ping
from app.store.trouble import Unavailable
from app.views import access
from app.views.errors import RETRY_AFTER
from app.views.links import ALIVE
from app.views.new_game import leave as leave_example
from app.views.responses import asset, release

helping = Blueprint("help", __name__)

WORDS = (
    ("hand", "Hand", "One deal, from dealing until somebody goes out. Also the cards a player holds."),
    ("meld", "Meld", "Cards laid on the table: a run in one suit, or a set of one rank."),
    ("opening", "Opening", "The first melds a player lays in a hand: enough points, or the contract."),
    ("build", "Build", "To add cards to a meld on the table."),
    ("free-a-joker", "Free a joker", "To give a meld the card its joker stands for, and take the joker."),
    ("go-out", "Go out", "To get rid of the last card: that player wins the hand."),
    ("kalooki", "Kalooki", "Going out all at once, with nothing laid before. It often costs the others more."),
    ("limit", "Limit", "The total at which a player is out of the game."),
    ("stake", "Stake", "Money played for: for each hand won, at the start of the game, and to buy in again."),
    ("call-up", "Call-up", "What each loser pays the winner of a hand."),
    ("pool", "Pool", "Where stakes and buy-ins are kept until somebody wins the game."),
    ("buy-in", "Buy-in", "A player who is out pays again and plays on, with about the highest total still in."),
    ("void", "Redeal", "The hand doesn’t count: nothing is scored, and the same player deals again."),
)  # fmt: skip
"""The words that help explains: the name in the address, the word, and its meaning."""


@helping.get("/help")
def show() -> str:
    """Show how to score a hand, settle a dispute, fix a mistake and print."""
    return render_template("help.html", words=WORDS)


privacy = Blueprint("privacy", __name__)


@privacy.get("/privacy", endpoint="show")
@privacy.get("/device", endpoint="ask_forget")
def privacy_page() -> str:
    """Show what is stored where, for how long, and who can see it; and what forgetting everything here would delete."""
    records = access.get_games_here(None)
    return render_template(
        "privacy.html",
        writes=[record for record in records if access.may_write(record.code)],
        started=[record for record in records if access.is_starter(record.code)],
        is_asked=request.endpoint == "privacy.ask_forget",
    )


@privacy.post("/device")
def forget() -> ResponseReturnValue:
    """Delete the cookie; a script on the page in the response deletes everything else that the browser stores.

    That page has no address of its own, because a link to it would delete hands not yet sent.
    """
    leave_example()
    session.clear()
    return render_template("forgotten.html"), {"Cache-Control": "no-store", "Clear-Site-Data": '"cache"'}


pwa = Blueprint("pwa", __name__)


@pwa.get("/sw.js")
def worker() -> ResponseReturnValue:
    """Return the service worker; it is at the root because it controls only addresses below its own."""
    return current_app.send_static_file("js/worker.js")


@pwa.get("/static/<path:filename>")
@pwa.get("/static/<string(length=10):another>/<path:filename>")
def find_file(filename: str, another: str = "") -> ResponseReturnValue:  # noqa: ARG001 - the hash of another release
    """Redirect to this release's file; pages of another release may still request scripts of theirs."""
    return redirect(asset(filename))


@pwa.get("/robots.txt")
def robots() -> Response:
    """Return what search engines need not fetch: checks and paper.

    Pages of games are not listed here, because they have a header that keeps them out.
    """
    excluded = "/api/v1/check/", "/api/v1/sheets/", "/check?"
    return Response("\n".join(["User-agent: *", *map("Disallow: {}".format, excluded), ""]), mimetype="text/plain")


@pwa.get("/offline")
def offline() -> str:
    """Show what appears instead of a page that was never opened online."""
    return render_template("offline.html")


health = Blueprint("health", __name__)


@health.get(ALIVE)
def alive() -> ResponseReturnValue:
    """Return 200 while the process answers, without using the database or writing anything."""
    return {"status": "ok", **release()}


@health.get("/readyz")
@health.get("/healthz")
def ready() -> ResponseReturnValue:
    """Return 200 after a write to the database, or 503 with the reason if it cannot be used."""
    try:
        ping()
    except Unavailable as trouble:
        status = {"status": "database_unavailable", "reason": trouble.reason, "message": str(trouble)}
        return status | release(), 503, {"Retry-After": RETRY_AFTER}
    return {"status": "ok", **release()}
