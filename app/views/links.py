"""Addresses that other phones can open, and their QR codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIEnvironment

import segno
from flask import Flask, current_app, request, url_for
from markupsafe import Markup
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.utils import redirect
from werkzeug.wrappers import Response

from app.addresses import is_container, is_loopback, own_addresses
from app.settings import LAST_PORT

PREFIX = "/api/v1"
"""Below it live the addresses of the JSON interface, the files of games among them."""
LIVE = "/livez"
"""The address that says the process answers."""
_PORT = re.compile(r":[0-9]+$", re.ASCII)
_LOCAL_NAMES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Endings of names that only home networks use: no public name server knows them."""

_WITH_UNDERSCORES = re.compile(r"[a-z0-9._-]{1,253}(:[1-9][0-9]{0,4})?", re.ASCII | re.IGNORECASE)

_ON_NO_NETWORK = (
    "No phone can open this link yet: this computer is on no network. Join the phones’ Wi-Fi with it, or make it"
    " their hotspot, and reload this page."
)
_IN_A_CONTAINER = (
    "No phone can open this link: this server runs in a container, which does not know the address of its machine. Open"
    " this page by that address, or let whoever runs the server name it in BASE_URL."
)
_NAMED_HERE = (
    "No phone can open this link: the setting BASE_URL names the computer itself. Whoever runs this server can leave it"
    " out, or give an address that phones can open."
)
_TAKEN = "BASE_URL={base} cannot be told from pages that the app has under {path}: give it another path"


def init(app: Flask) -> None:
    """Let `app`, with all its routes, live below the path of BASE_URL; raises SystemExit for one that its pages have.

    A proxy may pass that path on or leave it out. Both are answered alike, because nothing in a request says which of
    them came; a page opened without the path at the machine's own address moves below it (static/js/page.js).
    """
    base = app.config["BASE_URL"]
    if name := urlsplit(base).hostname:  # lest another site points its name here
        app.config["TRUSTED_HOSTS"] = [name, *app.config["HOSTS"], "localhost", "127.0.0.1", *own_addresses()]
    path, application = urlsplit(base).path, app.wsgi_app
    if not path:
        return
    if app.url_map.bind("").test(path) or any(f"{rule}".startswith(f"{path}/") for rule in app.url_map.iter_rules()):
        raise SystemExit(_TAKEN.format(base=base, path=path))

    def left_out(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ["SCRIPT_NAME"] = path
        return application(environ, start)

    @app.before_request
    def add_slash() -> Response | None:
        return None if request.environ["PATH_INFO"] else redirect(f"{path}/", 308)

    app.wsgi_app = DispatcherMiddleware(left_out, {path: application})  # type: ignore[method-assign]


def address(endpoint: str, **values: Any) -> str:
    """Return the full address of a page, for another device.

    Other phones cannot reach a name that only this machine knows, and many Android phones cannot reach one that ends
    in `.local`. In place of these, and of a name nobody gave this server, it is this machine's likeliest IP address.
    Over HTTPS a `.local` name stays, because the certificate is for the name. Without any network it is localhost.
    """
    name = _name()
    is_only_known_here = is_loopback(name) or (name.endswith(".local") and own_addresses() and not request.is_secure)
    return f"{_origin(is_usable=not is_only_known_here and _is_known(name))}{url_for(endpoint, **values)}"


def own_address(endpoint: str, **values: Any) -> str:
    """Return the full address of a page, for the device that asks.

    Like `address`, but names of this machine may stay.
    """
    return f"{_origin(is_usable=_is_known(_name()))}{url_for(endpoint, **values)}"


def base_address() -> str:
    """Return where another device reaches this app."""
    return address("start.home").rstrip("/")


def _origin(*, is_usable: bool) -> str:
    """BASE_URL, otherwise the address of this request, without a path."""
    if base := str(current_app.config["BASE_URL"]):
        return base.removesuffix(urlsplit(base).path)
    if is_usable:
        return f"{request.scheme}://{host()}"
    port = _PORT.search(host())
    return f"{request.scheme}://{next(iter(own_addresses()), 'localhost')}{port[0] if port else ''}"


def _name() -> str:
    """Return the name in the request's Host header, without the port."""
    return _PORT.sub("", host()).lower()


def _is_known(name: str) -> bool:
    """Whether a link may use a name: an IP address, a name from a home network, or one given to this server.

    Any other name is only a claim by the request.
    """
    return _is_local(name.strip("[]")) or _is_number(name.strip("[]")) or name in current_app.config["HOSTS"]


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def spelled_out(address: str) -> str:
    """Return an address as printed on paper, with a note if it works only on this network."""
    name = urlsplit(address).hostname or ""
    if is_loopback(name):
        return f"{address} (works on this computer only)"
    return f"{address} (works on this Wi-Fi only)" if _is_local(name) else address


def _is_local(name: str) -> bool:
    if _is_number(name):
        return not ip_address(name).is_global
    return "." not in name or name.endswith(_LOCAL_NAMES)


def host() -> str:
    """Return the machine and port of this request; empty if its Host header names none.

    Some proxies and home networks give machines names with an underscore, which no domain may have.
    """
    header = request.headers.get("Host", "")
    named = request.host or (header if _WITH_UNDERSCORES.fullmatch(header) else "")
    port = named.rpartition(":")[2]
    return "" if port.isdecimal() and (len(port) > len(str(LAST_PORT)) or int(port) > LAST_PORT) else named


def why_no_code(address: str) -> str:
    """Return why there is no QR code of an address, and what to do; empty if phones may open it."""
    if not is_loopback(urlsplit(address).hostname or ""):
        return ""
    if current_app.config["BASE_URL"]:
        return _NAMED_HERE
    return _IN_A_CONTAINER if is_container() else _ON_NO_NETWORK


def is_at_home(address: str) -> bool:
    """Whether an address leads only where the phone is on the same network: a phone may prefer its mobile data.

    >>> is_at_home("http://192.168.4.1:8000/g/A"), is_at_home("https://cards.example/g/A")
    (True, False)
    """
    name = urlsplit(address).hostname or ""
    try:
        return ip_address(name).is_private and not is_loopback(name)
    except ValueError:
        return name.endswith(".local")


def code_inline(text: str, title: str) -> Markup:
    """Return a QR code as an element of a page, so that no URL is needed for a picture of a secret address.

    It is empty for an address that leads each phone to itself. It declares its namespace, because the press reads
    sheets as XML.
    """
    if why_no_code(text):
        return Markup()
    drawn = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, nl=False, border=_BORDER, light="#fff", omitsize=True, title=title)
    return Markup(drawn.getvalue().decode())  # noqa: S704 - drawn by segno, the text is in its squares only


_BORDER = 3
"""Squares of white around a code."""
