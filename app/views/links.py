"""Addresses that other devices can open, and their QR codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from wsgiref.types import StartResponse, WSGIEnvironment

import segno
from flask import Flask, current_app, request, url_for
from markupsafe import Markup
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.routing import RequestRedirect
from werkzeug.utils import redirect
from werkzeug.wrappers import Response

from app.addresses import is_container, is_loopback, own_addresses
from app.settings import LAST_PORT

PREFIX = "/api/v1"
"""The prefix of all addresses of the JSON interface, including files of games."""
ALIVE = "/livez"
"""The address that shows that the process answers."""
_PORT = re.compile(r":[0-9]+$", re.ASCII)
_LOCAL_NAMES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Endings of host names that are used in home networks only, and that no public name server knows."""

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
    """Serve `app`, with all its routes, below the path of BASE_URL; raises SystemExit if the path is one of its pages.

    A proxy may pass that path on or remove it, and nothing in a request says which, so both are answered alike. A page
    opened at the machine's own address without the path moves below it (static/js/page.js).
    """
    base = app.config["BASE_URL"]
    if name := urlsplit(base).hostname:  # otherwise another site could point its name here
        app.config["TRUSTED_HOSTS"] = [name, *app.config["HOSTS"], "localhost", "127.0.0.1", *own_addresses()]
    path, application = urlsplit(base).path, app.wsgi_app
    app.before_request(_stay_on_host)
    if not path:
        return
    if app.url_map.bind("").test(path) or any(f"{rule}".startswith(f"{path}/") for rule in app.url_map.iter_rules()):
        raise SystemExit(_TAKEN.format(base=base, path=path))

    def with_path(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ["SCRIPT_NAME"] = path
        return application(environ, start)

    @app.before_request
    def add_slash() -> Response | None:
        return None if request.environ["PATH_INFO"] else redirect(f"{path}/", 308)

    app.wsgi_app = DispatcherMiddleware(with_path, {path: application})  # type: ignore[method-assign]


def _stay_on_host() -> Response | None:
    """Redirect to the right spelling of a path without naming a host, which may be made up."""
    if isinstance(request.routing_exception, RequestRedirect):
        right = urlsplit(request.routing_exception.new_url)
        return redirect(urlunsplit(("", "", *right[2:])), request.routing_exception.code)
    return None


def address(endpoint: str, **values: Any) -> str:
    """Return the full address of a page, for another device.

    Other phones cannot reach a name that only this machine knows, and many Android phones cannot reach a `.local` name.
    Such names, and names not given to this server, are replaced by this machine's likeliest IP address, or by localhost
    without a network. Over HTTPS a `.local` name is kept, because the certificate is for the name.
    """
    name = _name()
    is_only_known_here = is_loopback(name) or (name.endswith(".local") and own_addresses() and not request.is_secure)
    return f"{_origin(is_usable=not is_only_known_here and _is_known(name))}{url_for(endpoint, **values)}"


def own_address(endpoint: str, **values: Any) -> str:
    """Return the full address of a page, for the device that sent the request.

    Like `address`, but names that only this machine knows are kept.
    """
    return f"{_origin(is_usable=_is_known(_name()))}{url_for(endpoint, **values)}"


def base_address() -> str:
    """Return the address at which another device reaches this app."""
    return address("start.home").rstrip("/")


def _origin(*, is_usable: bool) -> str:
    """Return scheme, host and port: of BASE_URL, or else of this request."""
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
    """Return whether a link may use a name: an IP address, a name in a home network, or one given to this server.

    Any other name in a request may be made up.
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
    """Return the host and port of this request; empty if its Host header is invalid.

    Names with an underscore are accepted: no domain may have one, but some proxies and home networks use them.
    """
    header = request.headers.get("Host", "")
    named = request.host or (header if _WITH_UNDERSCORES.fullmatch(header) else "")
    port = named.rpartition(":")[2]
    return "" if port.isdecimal() and (len(port) > len(str(LAST_PORT)) or int(port) > LAST_PORT) else named


def why_no_code(address: str) -> str:
    """Return why an address has no QR code, and what to do; empty if phones can open it."""
    if not is_loopback(urlsplit(address).hostname or ""):
        return ""
    if current_app.config["BASE_URL"]:
        return _NAMED_HERE
    return _IN_A_CONTAINER if is_container() else _ON_NO_NETWORK


def is_at_home(address: str) -> bool:
    """Return whether an address works only on the same network, which a phone may leave for its mobile data.

    >>> is_at_home("http://192.168.4.1:8000/g/A"), is_at_home("https://cards.example/g/A")
    (True, False)
    """
    name = urlsplit(address).hostname or ""
    try:
        return ip_address(name).is_private and not is_loopback(name)
    except ValueError:
        return name.endswith(".local")


def code_inline(text: str, title: str) -> Markup:
    """Return a QR code as an inline SVG element, so that a picture of a secret address needs no URL.

    It is empty for an address that leads each phone to itself. The SVG declares its namespace, because the PDF renderer
    reads sheets as XML.
    """
    if why_no_code(text):
        return Markup()
    image = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(image, kind="svg", xmldecl=False, nl=False, border=_BORDER, light="#fff", omitsize=True, title=title)
    return Markup(image.getvalue().decode())  # noqa: S704 - drawn by segno, the text is in its squares only


_BORDER = 3
"""The width of the white border around a code, in squares."""
