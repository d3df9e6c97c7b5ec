"""Addresses that other phones can open, and their QR codes."""

from __future__ import annotations

import re
from io import BytesIO
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import current_app, request, url_for
from markupsafe import Markup

from app.i18n import _
from app.serve import lan_address

OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]")
_PORT = re.compile(r":[0-9]+$", re.ASCII)
_LOCAL_NAMES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")

_WITH_UNDERSCORES = re.compile(r"[a-z0-9._-]{1,253}(:[1-9][0-9]{0,4})?", re.ASCII | re.IGNORECASE)


def address(endpoint: str, **values: Any) -> str:
    """The full address of a page, for another device."""
    return f"{base_address()}{url_for(endpoint, **values)}"


def base_address() -> str:
    """Where another device reaches this app: BASE_URL, else the address of this request.

    Other phones cannot reach a name that only this machine knows, and many Android phones none that ends in `.local`:
    there it is this machine's number. A certificate, though, is for the name.
    """
    if base := current_app.config["BASE_URL"]:
        return str(base)
    port = _PORT.search(host())
    name = _PORT.sub("", host())
    is_only_known_here = name in OWN_MACHINE or (name.endswith(".local") and not request.is_secure)
    reached = f"{lan_address()}{port[0] if port else ''}" if is_only_known_here else host()
    return f"{request.scheme}://{reached}"


def spelled_out(address: str) -> str:
    """An address as paper shows it; of one that no other network knows it says so."""
    name = urlsplit(address).hostname or ""
    return _("{address} (works on this Wi-Fi only)").format(address=address) if _is_local(name) else address


def _is_local(name: str) -> bool:
    try:
        return not ip_address(name).is_global
    except ValueError:
        return "." not in name or name.endswith(_LOCAL_NAMES)


def host() -> str:
    """The machine and port of this request; empty if its Host header names none.

    Some proxies and home networks give machines names with an underscore, which no domain may have.
    """
    told = request.headers.get("Host", "")
    return request.host or (told if _WITH_UNDERSCORES.fullmatch(told) else "")


def code_file(text: str) -> bytes:
    """A QR code as an SVG file, dark on light in either theme."""
    drawn = BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", border=3, scale=8, light="#fff")
    return drawn.getvalue()


def code_inline(text: str, title: str) -> Markup:
    """A QR code as an element of a page, so that its secret address needs no address of its own.

    It names its namespace, because the press reads a sheet as XML.
    """
    drawn = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, nl=False, border=3, light="#fff", omitsize=True, title=title)
    return Markup(drawn.getvalue().decode())  # noqa: S704 - drawn by segno, the text is in its squares only
