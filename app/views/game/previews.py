"""Previews: a GET address that carries the typed form, so that going back or reloading never submits again."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import flash, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from app import log
from app.i18n import _
from app.table.agreement import bare

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.kalooki.game.events import Event
    from app.kalooki.game.play import Entry
    from app.table.recording import Table

LONGEST = 3500
"""What every server and browser accepts as an address, with room for the host."""

UNCARRIED = ("csrf_token", "do", "of")
_OF_A_HAND = re.compile(r"winner|ending|note|seen|submission|(cards|points|calls)-\d{1,3}", re.ASCII)


def typed() -> MultiDict[str, str]:
    """What was typed: sent with a button, or in the query string."""
    return request.form if request.method == "POST" else request.args


def verb(do: str) -> tuple[str, str]:
    """What a button asks, and the newest entry of the log it was offered for, if the button names one.

    >>> verb("save"), verb("another-12")
    (('save', ''), ('another', '12'))
    """
    word, _dash, last = do.partition("-")
    return word, last


def address_of(look: str, contents: MultiDict[str, str], do: str) -> str | None:
    """The address that previews `contents` as the button `do` asks; None if it would be too long.

    >>> from werkzeug.datastructures import MultiDict
    >>> address_of("/g/x/hand/look", MultiDict({"points-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?points-2=28&do=preview'
    """
    fields = [(name, value) for name, value in contents.items(multi=True) if name not in UNCARRIED]
    address = f"{look}?{urlencode([*fields, ('do', do)])}"
    return address if len(address) <= LONGEST else None


def hand_begun() -> dict[str, Any]:
    """The hand that came with this request, until the pen is back: its fields, with the `kind` and `entry` of its form.

    Empty if none came; without the fields if there are none, or they are too long for an address.
    """
    named = {**request.values.to_dict(), **(request.view_args or {})}
    if named.get("kind") not in ("record", "correct", "insert") or not str(named.get("entry")).isdecimal():
        return {}
    its_form = {name: str(named[name]) for name in ("kind", "entry")}
    begun = its_form | {name: value for name, value in request.values.items() if _OF_A_HAND.fullmatch(name)}
    return begun if "submission" in begun and len(urlencode(begun)) <= LONGEST else its_form


def form_of(code: str, begun: dict[str, str]) -> str:
    """The address of the form of a hand begun, with what was typed in it."""
    its_form: dict[str, Any] = {"code": code, "kind": begun["kind"], "entry": int(begun["entry"])}
    fields = MultiDict({name: value for name, value in begun.items() if name not in its_form})
    filled = address_of(url_for("hands.look", **its_form), fields, "change") if fields else None
    return filled or url_for("hands.enter", **its_form)


def saved_entry(table: Table, submission: str) -> Entry | None:
    """The entry a page was saved as, if any."""
    number = log.saved_as(table.code, submission)
    return table.entries[number - 1] if number is not None and number <= table.seen else None


def is_recorded(table: Table, submission: str, event: Event) -> bool:
    """Whether this very page has saved what it previews: after going back, its submission is still the same."""
    saved = saved_entry(table, submission)
    return saved is not None and bare(saved.event) == bare(event)


def onwards(address: str) -> ResponseReturnValue:
    """Redirect from the preview of something already saved to where saving led."""
    flash(_("Saved already."), "ok")
    return redirect(address, HTTPStatus.SEE_OTHER)
