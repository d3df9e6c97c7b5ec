"""Sharing: who may watch, who may write, and the QR codes that open the game on other phones."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, abort, flash, make_response, redirect, request, url_for

from app import log
from app.forms.fields import folded
from app.i18n import _
from app.kalooki.readers import MOST_NAME
from app.views import access, device
from app.views.game import page_of, pages
from app.views.game.messages import pen_appeals
from app.views.links import address, code_file, code_inline, why_no_code

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as Answer

MINTED = {"scorer": "games.enter", "player": "joining.choose_seat", "recovery": "joining.ask_code"}
"""The roles that can be granted here, and the page each opens."""

_PLACES = {"scorer": "write", "player": "play", "recovery": "recovery"}
"""Where on the page each is shown."""

_REVOKE = re.compile(r"revoke-(\d{1,9})", re.ASCII)


@pages.get("/share")
def share(code: str) -> Answer:
    """The watch link and, for the scorer, who may write; a link just made is shown only once."""
    made = device.held()
    if made.get("code") != code:
        return make_response(_page(code))
    link = address(
        MINTED[made["role"]], code=code, **({} if made["role"] == "recovery" else {"secret": made["secret"]})
    )
    drawn = code_inline(link, _("Code for a phone’s camera"))
    page = _page(code, made=made["role"], secret=made["secret"], link=link, drawn=drawn, whom=made["whom"])
    answer = make_response(page)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/qr/watch.svg")
def watch_code(code: str) -> Answer:
    """The watch link as a QR code."""
    access.table_or_404(code)
    watch = address("games.show", code=code)
    if why_no_code(watch):
        abort(404)
    return Response(code_file(watch), mimetype="image/svg+xml")


@pages.post("/share")
def give_right(code: str) -> Answer:
    """Grant a right, or revoke it, as the button says: `player`, `watch` or `revoke-3`."""
    access.scorers_table(code)
    do = request.form.get("do", "")
    if do in MINTED:
        return _minted(code, do)
    if do == "watch":
        return _watched_anew(code)
    found = _REVOKE.fullmatch(do)
    if found is None:
        abort(400)
    return _revoked(code, int(found[1]))


def _minted(code: str, role: str) -> Answer:
    """A new secret, shown only on the next page: the log stores only its hash.

    A new recovery code replaces the one before.
    """
    whom = folded(request.form.get("whom"))[:MOST_NAME] if role == "scorer" else ""
    given_by = _("Link given by %(device)s") % {"device": device.name()}
    secret = log.mint(code, role, device=whom or given_by, instead=role == "recovery")
    device.hold({"code": code, "role": role, "secret": secret, "whom": whom})
    return redirect(url_for("game_pages.share", code=code, _anchor=_PLACES[role]), HTTPStatus.SEE_OTHER)


def _watched_anew(code: str) -> Answer:
    """Renew the watch link: a device that has only the old one loses the game; phones with a right are redirected."""
    fresh = log.renew_code(code)
    device.rename(code, fresh)
    flash(_("This is the new link to watch. The old one no longer works."), "ok")
    return redirect(url_for("game_pages.share", code=fresh), HTTPStatus.SEE_OTHER)


def _revoked(code: str, grant_id: int) -> Answer:
    """Revoke one right; never the one this device writes with, or nobody might be left to write."""
    own = access.grant(code)
    if own is not None and own.id == grant_id:
        flash(_("This is the right this device writes with. Take it back from another device."), "warn")
    elif log.revoke(code, grant_id):
        flash(_("Taken back: that device or link has no right any more."), "ok")
    else:
        flash(_("That right had already been taken back."), "warn")
    return redirect(url_for("game_pages.share", code=code), HTTPStatus.SEE_OTHER)


def _page(code: str, **shown: object) -> str:
    may_write = access.may_write(code)
    grants = log.grants(code) if may_write else ()
    writers = [grant for grant in grants if grant.role in access.WRITERS]
    table = access.table_or_404(code)
    watch = address("games.show", code=code)
    return page_of(
        table,
        "table/share.html",
        may_write=may_write,
        watch=watch,
        no_code=why_no_code(watch),
        writers=[grant for grant in writers if not grant.revoked_at],
        former=[grant for grant in writers if grant.revoked_at],
        players=[grant for grant in grants if grant.role == "player" and not grant.revoked_at],
        passed=pen_appeals(log.messages_of(code, table.edition)),
        own=access.grant(code),
        **shown,
    )
