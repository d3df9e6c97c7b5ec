"""Addresses of 0.3, which pages and scripts that are open on phones still ask for."""

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
"""The pages that are gone, and the endpoint there is instead."""


def lead(**path: Any) -> ResponseReturnValue:
    """Lead to the page that there is instead; what was sent goes along if that page takes it."""
    now = ADDRESSES[str(request.url_rule)]
    rules = [*current_app.url_map.iter_rules(now)]
    is_taken = any(request.method in (rule.methods or ()) for rule in rules)
    same = {name: value for name, value in path.items() if any(name in rule.arguments for rule in rules)}
    query = urlencode([*request.args.items(multi=True)])
    return redirect(f"{url_for(now, **same)}?{query}".removesuffix("?"), 307 if is_taken else 303)


for old in ADDRESSES:
    earlier.add_url_rule(old, view_func=lead, methods=["GET", "POST"])


@earlier.get("/static/<path:filename>")
@earlier.get("/static/<string(length=10):another>/<path:filename>")
def find_file(filename: str, another: str = "") -> ResponseReturnValue:  # noqa: ARG001 - the hash of another release
    """Lead a page of another release, whose scripts may still ask for others, to the file of this one."""
    return redirect(asset(filename))


@earlier.after_app_request
def name_no_proposal(response: Response) -> Response:
    """Say to a hand's script of 0.3 that the answer to what it asked is ours, and proposes nothing to other players."""
    if request.endpoint == "hands.preview":
        response.headers["Kalooki-Proposal"] = ""
    return response
