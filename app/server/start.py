"""Serve on the local network with a production server, and print its addresses."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import segno
from flask import Flask

from app.addresses import is_container, is_loopback, local_name, own_addresses
from app.bootstrap import is_attended, says_yes
from app.kalooki.rules.answers import warm_up
from app.server import serve
from app.settings import LAST_PORT
from app.store import opening

IN_A_CONTAINER = (
    "the address of the machine that runs this container, with the port it publishes. BASE_URL makes it known here."
)
ON_NO_NETWORK = (
    "no address yet: this machine is on no network. Join the Wi-Fi of the phones, or let it be their hotspot;"
    " the page Share of a game then shows the address."
)
BACKLOG = 2_048


def main(app: Flask) -> None:
    """Choose a port, print the addresses and serve."""
    listening = listen(app.config["PORT"])  # first, so that early visitors wait
    port = listening.getsockname()[1]
    print(banner(port, phone_addresses(port, app.config["BASE_URL"]), draws=sys.stdout.isatty()), flush=True)
    try:
        warm_up()
        serve(app, listening)
    finally:
        opening.close_database(app)


def listen(wanted: int) -> socket.socket:
    """Return a socket on the port `wanted` or, after asking a person at the terminal, on the next free one."""
    for port in range(wanted, min(wanted + 20, LAST_PORT) + 1):
        with suppress(OSError):
            listening = _listen_everywhere(port)
            if port != wanted:
                print(f"Port {wanted} is busy; port {port} is free.", flush=True)
                if is_attended() and not says_yes("Take that one?"):
                    sys.exit(f"Choose another: PORT={port + 1} python3 -m app")
            return listening
    sys.exit(f"Port {wanted} is busy and so are the next ones; choose another: PORT=9000")


def _listen_everywhere(port: int) -> socket.socket:
    """Return a socket that listens on every interface, with IPv6 too if the machine has it."""
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True)
    return socket.create_server(("", port), backlog=BACKLOG)


def phone_addresses(port: int, shared: str) -> list[str]:
    """Return the addresses at which phones open the app, the likeliest first; only `shared` if that is set."""
    if shared:
        return [shared]
    own = own_addresses()
    names = [*own[:1], local_name(), *own[1:]]
    return [f"http://{name}:{port}" for name in names if name]


def banner(port: int, phones: Sequence[str], *, draws: bool) -> str:
    """Return the text printed at the start: the addresses for this machine and for phones.

    With `draws`, the first address for phones is also a QR code.
    """
    addresses = phones or [IN_A_CONTAINER if is_container() else ON_NO_NETWORK]
    codes = [_qr(phone) for phone in phones[:1] if draws and not is_loopback(urlsplit(phone).hostname or "")]
    lines = (
        "Kalooki Referee",
        f"  on this machine  http://localhost:{port}{urlsplit(''.join(phones[:1])).path}",
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
