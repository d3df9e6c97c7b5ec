"""A look before saving, at an address that holds what was typed: gone back to or loaded again it sends nothing."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from flask import flash, redirect, request

from app.words import _

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

    from app.kalooki.events import Event
    from app.recording import Table

LONGEST = 3500
"""What every server and browser takes as an address, with room for the host."""

UNCARRIED = ("csrf_token", "do")


def typed() -> MultiDict[str, str]:
    """What was typed: sent with a button, or held by the address."""
    return request.form if request.method == "POST" else request.args


def address_of(look: str, contents: MultiDict[str, str], do: str) -> str | None:
    """Where `contents` are shown as the button `do` asks; None for more than an address holds.

    >>> from werkzeug.datastructures import MultiDict
    >>> address_of("/g/x/hand/look", MultiDict({"points-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?points-2=28&do=preview'
    """
    fields = [(name, value) for name, value in contents.items(multi=True) if name not in UNCARRIED]
    address = f"{look}?{urlencode([*fields, ('do', do)])}"
    return address if len(address) <= LONGEST else None


def is_recorded(table: Table, seen: int, event: Event) -> bool:
    """Whether what a page looks at is what was recorded first since: it was saved from this very page."""
    return 0 < seen < table.seen and table.entries[seen].event == event


def onwards(address: str) -> ResponseReturnValue:
    """From a look at what is saved by now to where saving led."""
    flash(_("Saved already."), "ok")
    return redirect(address, HTTPStatus.SEE_OTHER)
