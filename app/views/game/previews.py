"""Previews: a GET address that carries the typed form, so that going back or reloading never submits again."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from flask import request, url_for
from werkzeug.datastructures import MultiDict

LONGEST = 3500
"""What every server and browser accepts as an address, with room for the host."""

UNCARRIED = ("csrf_token", "do", "of")
_OF_A_HAND = re.compile(r"winner|ending|note|seen|submission|(cards|points|calls)-\d{1,3}", re.ASCII)


def typed() -> MultiDict[str, str]:
    """What was typed: sent with a button, or in the query string."""
    return request.form if request.method == "POST" else request.args


def address_of(preview_at: str, contents: MultiDict[str, str], do: str) -> str | None:
    """The address that previews `contents` as the button `do` asks; None if it would be too long.

    >>> from werkzeug.datastructures import MultiDict
    >>> address_of("/g/x/hand/look", MultiDict({"points-2": "28", "csrf_token": "t"}), "preview")
    '/g/x/hand/look?points-2=28&do=preview'
    """
    fields = [(name, value) for name, value in contents.items(multi=True) if name not in UNCARRIED]
    address = f"{preview_at}?{urlencode([*fields, ('do', do)])}"
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
    filled = address_of(url_for("hands.show_preview", **its_form), fields, "change") if fields else None
    return filled or url_for("hands.enter", **its_form)
