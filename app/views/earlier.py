"""Addresses of 0.3 that pages and scripts still open on phones may request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.views.responses import asset

earlier = Blueprint("earlier", __name__)

ADDRESSES: Mapping[str, str] = {
    "/g/<code>/appeals": "games.show",
    "/g/<code>/mend": "game_pages.more",
    "/g/<code>/opinion": "games.show",
    "/g/<code>/own": "rules.game",
    "/g/<code>/pen": "games.show",
    "/g/<code>/points/<int:entry>/<int:seat>": "game_pages.hand",
    "/g/<code>/quick": "disputes.index",
    "/g/<code>/quick/<slug>": "disputes.index",
    "/g/<code>/quick/<slug>/shown": "disputes.index",
    "/g/<code>/withdraw": "games.show",
    "/games/numbers": "evenings.games",
    "/look": "start.home",
    "/privacy/threats": "privacy.kept",
    "/quick": "disputes.index",
    "/quick/<slug>": "disputes.index",
    "/quick/<slug>/shown": "disputes.index",
}
"""The addresses of removed pages, and the endpoint that replaces each."""


def lead(**path: Any) -> ResponseReturnValue:
    """Redirect to the replacement of a removed page, with what was sent if that page accepts it."""
    now = ADDRESSES[str(request.url_rule)]
    rules = [*current_app.url_map.iter_rules(now)]
    is_accepted = any(request.method in (rule.methods or ()) for rule in rules)
    same = {name: value for name, value in path.items() if any(name in rule.arguments for rule in rules)}
    query = urlencode([*request.args.items(multi=True)])
    return redirect(f"{url_for(now, **same)}?{query}".removesuffix("?"), 307 if is_accepted else 303)


for old in ADDRESSES:
    earlier.add_url_rule(old, view_func=lead, methods=["GET", "POST"])


@earlier.get("/static/<path:filename>")
@earlier.get("/static/<string(length=10):another>/<path:filename>")
def find_file(filename: str, another: str = "") -> ResponseReturnValue:  # noqa: ARG001 - the hash of another release
    """Redirect to this release's file; pages of another release may still request scripts of theirs."""
    return redirect(asset(filename))


@earlier.after_app_request
def name_no_proposal(response: Response) -> Response:
    """Tell the script for hands of 0.3 that the response is from this app, and that no proposal was made to players."""
    if request.endpoint == "hands.preview":
        response.headers["Kalooki-Proposal"] = ""
    return response
