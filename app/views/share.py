"""Sharing: who may watch, who may write, and the codes other phones open the game with."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, abort, flash, make_response, redirect, render_template, request, url_for

from app import log
from app.forms.fields import folded
from app.kalooki.reading import MOST_NAME
from app.views import access, device
from app.views.links import address, code_file, code_inline
from app.words import _

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as Answer

_REVOKE = re.compile(r"revoke-(\d{1,9})", re.ASCII)


def show(code: str) -> str:
    """The link to watch, and for the scorer who may write."""
    access.table_or_404(code)
    return _page(code)


def watch_code(code: str) -> Answer:
    """The link to watch as a code for a phone's camera."""
    access.table_or_404(code)
    return Response(code_file(address("games.show", code=code)), mimetype="image/svg+xml")


def change(code: str) -> Answer:
    """Gives the right to write away, or takes it back: the button says which, such as `revoke-3`."""
    access.table_or_404(code)
    access.require_scorer(code)
    do = request.form.get("do", "")
    if do == "mint":
        return _minted(code)
    found = _REVOKE.fullmatch(do)
    if found is None:
        abort(400)
    return _revoked(code, int(found[1]))


def _minted(code: str) -> Answer:
    """A new link to write with, shown this once: only its hash is kept."""
    whom = folded(request.form.get("whom"))[:MOST_NAME]
    secret = log.mint(code, "scorer", device=whom or _("Link given by %(device)s") % {"device": device.name()})
    link = address("games.enter", code=code, secret=secret)
    drawn = code_inline(link, _("Code that lets a phone write"))
    answer = make_response(_page(code, link=link, drawn=drawn, whom=whom))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _revoked(code: str, grant_id: int) -> Answer:
    """Takes one right back; never the one this device writes with, or nobody might be left to write."""
    own = access.grant(code)
    if own is not None and own.id == grant_id:
        flash(_("This is the right this device writes with. Take it back from another device."), "warn")
    elif log.revoke(code, grant_id):
        flash(_("Taken back: that link writes no more."), "ok")
    else:
        flash(_("That right was taken back already."), "warn")
    return redirect(url_for("table.share", code=code), HTTPStatus.SEE_OTHER)


def _page(code: str, **shown: object) -> str:
    may_write = access.may_write(code)
    writers = [grant for grant in log.grants(code) if grant.role in access.WRITERS] if may_write else []
    return render_template(
        "table/share.html",
        code=code,
        may_write=may_write,
        watch=address("games.show", code=code),
        writers=[grant for grant in writers if not grant.revoked_at],
        former=[grant for grant in writers if grant.revoked_at],
        own=access.grant(code),
        **shown,
    )
