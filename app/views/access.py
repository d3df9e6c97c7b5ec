"""Who may see and who may write: a game is loaded and the right to it checked in one place.

Whoever has the code of a game may watch. Writing needs the secret of a grant: a script sends it as a bearer's
secret, a device keeps it in its signed cookie, which counts on the pages only.
"""

from __future__ import annotations

from flask import abort, g, redirect, request, url_for

from app import log
from app.openapi import PREFIX
from app.recording import Table, open_table
from app.views import device

WRITERS = ("scorer", "recovery")


def table_or_404(code: str) -> Table:
    """The game everybody with its code may see."""
    table = open_table(code)
    if table is None:
        _follow(code)
        abort(404)
    return table


def tables_here() -> list[Table]:
    """The games opened on this device that are still there, the last opened first."""
    return [table for code in device.games() if (table := open_table(code))]


def _follow(code: str) -> None:
    """Lead a device that holds a right to where the game has gone, if its link to watch was made anew.

    Pages only: who asks the interface wants JSON or a file, no page.
    """
    is_page = request.method == "GET" and not request.path.startswith(PREFIX)
    secret = device.secret_of(code) if is_page else ""
    fresh = log.code_for(secret) if secret else None
    if fresh is not None:
        device.rename(code, fresh)
        abort(redirect(url_for("games.show", code=fresh)))


def scorers_table(code: str) -> Table:
    """The game for somebody who may record in it; 404 and 403 otherwise."""
    table = table_or_404(code)
    require_scorer(code)
    return table


def may_write(code: str) -> bool:
    """Whether this request comes with the right to record in that game."""
    return grant(code) is not None and g.grant.role in WRITERS


def seat(code: str) -> int | None:
    """The seat this device holds with a player's link; None for those who only watch, and for those who write."""
    found = grant(code)
    return found.seat if found is not None and found.role == "player" else None


def require_seat(code: str) -> int:
    """The seat of this device; stops with 403 where it has none."""
    found = seat(code)
    if found is None:
        abort(403)
    return found


def grant(code: str) -> log.Grant | None:
    """The grant this request holds in that game, looked up once a request."""
    if g.get("grant_code") != code:
        # the interface takes no form's token: with the cookie any page of this site's neighbours could write
        secret = bearer() or (device.secret_of(code) if request.blueprint != "api" else "")
        g.grant_code, g.grant = code, log.grant_for(code, secret) if secret else None
    found: log.Grant | None = g.grant
    return found


def require_scorer(code: str) -> None:
    """Stops with 403 unless this request may record in that game."""
    if not may_write(code):
        abort(403)


def bearer() -> str:
    """The secret sent as `Authorization: Bearer …`, or nothing."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
