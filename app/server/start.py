"""Serve on the local network with a production server, and print its addresses."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from flask import Flask

from app.addresses import is_container, is_loopback, local_name, own_addresses
from app.bootstrap import is_attended, says_yes
from app.kalooki.rules.answers import warm_up
from app.server import serve
from app.settings import LAST_PORT, make_temporary_folder
from app.store import opening

IN_A_CONTAINER = (
    "the address of the machine that runs this container, with the port it publishes. BASE_URL makes it known here."
)
ON_NO_NETWORK = (
    "no address yet: this machine is on no network. Join the Wi-Fi of the phones, or let it be their hotspot;"
    " the page Share of a game then shows the address."
)
ON_THIS_MACHINE_ONLY = (
    "no address: with this LISTEN, only programs on this machine reach the server. Leave LISTEN out; or let a proxy"
    " pass requests on, and give its address in BASE_URL."
)
PAST_THE_PROXY = (
    "Everybody on the network reaches port %d past the proxy, whose rules and limits then mean nothing:"
    ' set LISTEN = "127.0.0.1", or LISTEN = "0.0.0.0" if the proxy is on another machine'
)
BACKLOG = 2_048


def main(app: Flask) -> None:
    """Choose a port, print the addresses and serve."""
    port, address, base = (app.config[name] for name in ("PORT", "LISTEN", "BASE_URL"))
    may_move = app.config["IN_FORCE"]["PORT"].where == "default" and not base
    listening = listen(port, address, may_move=may_move)  # first, so that early visitors wait
    if app.config["PROXY_HOPS"] and not address and not is_container():
        app.logger.warning(PAST_THE_PROXY, port)
    if trouble := make_temporary_folder():
        app.logger.warning(trouble)
    port = listening.getsockname()[1]
    print(banner(port, phone_addresses(port, base, address), address, draws=sys.stdout.isatty()), flush=True)
    try:
        warm_up()
        serve(app, listening)
    finally:
        opening.close_database(app)


def listen(wanted: int, address: str = "", *, may_move: bool = True) -> socket.socket:
    """Return a socket on the port `wanted`, or on the next free one, if a person agrees or it `may_move`."""
    for port in range(wanted, min(wanted + 20, LAST_PORT) + 1):
        try:
            listening = _listen_at(address, port)
        except OSError as cause:
            if cause.errno == errno.EADDRINUSE:
                continue
            sys.exit(f"This machine cannot listen on port {port}{address and f' of {address}'}: {cause.strerror}")
        if port == wanted:
            return listening
        if not (may_move or is_attended()):
            sys.exit(f"Port {wanted} is busy: end what listens there, which may be this server, or set another PORT.")
        print(f"Port {wanted} is busy; port {port} is free.", flush=True)
        if is_attended() and not says_yes("Take that one?"):
            sys.exit(f"Choose another: PORT={port + 1} python3 -m app")
        return listening
    sys.exit(f"Port {wanted} is busy and so are the next ones; choose another: PORT=9000")


def _listen_at(address: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; without one on every interface, with IPv6 if the machine has it."""
    if address in ("", "::") and socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family, backlog=BACKLOG)


def phone_addresses(port: int, shared: str, address: str = "") -> list[str]:
    """Return the addresses at which phones open the app, the likeliest first; only `shared` if that is set.

    There are none if the server listens at the loopback address only.
    """
    if shared:
        return [shared]
    if is_at(address):
        return [] if ip_address(address).is_loopback else [f"http://{in_url(address)}:{port}"]
    own = own_addresses()
    names = [*own[:1], local_name(), *own[1:]]
    return [f"http://{name}:{port}" for name in names if name]


def is_at(address: str) -> bool:
    """Return whether the server listens at this one address instead of every interface."""
    return bool(address) and not ip_address(address).is_unspecified


def in_url(address: str) -> str:
    """Return an IP address as written in a URL."""
    return f"[{address}]" if ":" in address else address


def banner(port: int, phones: Sequence[str], address: str = "", *, draws: bool) -> str:
    """Return the text printed at the start: the addresses for this machine and for phones.

    With `draws`, the first address for phones is also a QR code.
    """
    nowhere = ON_THIS_MACHINE_ONLY if is_at(address) else IN_A_CONTAINER if is_container() else ON_NO_NETWORK
    addresses = phones or [nowhere]
    here = in_url(address) if is_at(address) and not is_loopback(address) else "localhost"
    codes = [_qr(phone) for phone in phones[:1] if draws and not is_loopback(urlsplit(phone).hostname or "")]
    lines = (
        "Kalooki Referee",
        f"  on this machine  http://{here}:{port}{urlsplit(''.join(phones[:1])).path}",
        f"  on your phones   {addresses[0]}",
        *(f"{'':19}{other}" for other in addresses[1:]),
        *(["", *codes] if codes else []),
        "Stop with Ctrl+C.",
    )
    return "\n".join(lines)


def _qr(text: str) -> str:
    """Return a QR code drawn with half blocks, dark on light whatever the terminal's colours."""
    rows = [bytes(row) for row in segno.make(text, error="l").matrix_iter(border=2)]
    rows += [bytes(len(rows[0]))] * (len(rows) % 2)
    pairs = (zip(upper, lower, strict=True) for upper, lower in zip(rows[::2], rows[1::2], strict=True))
    lines = ("".join(" ▀▄█"[upper + 2 * lower] for upper, lower in pair) for pair in pairs)
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)
