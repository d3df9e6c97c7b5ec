"""This machine's addresses on the networks around it, the likeliest for a phone first.

They change while the server runs, whenever a laptop joins another Wi-Fi, so they are looked up again after some
seconds. Nothing is sent over a network to find them.
"""

from __future__ import annotations

import os
import re
import socket
import time
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

import ifaddr

KEPT = 5
"""Seconds before the interfaces are looked at again."""
AVAHI = "/run/avahi-daemon/socket"
"""Where Avahi, which answers for `.local` names on Linux, can be asked for the name it gives this machine."""
_BEYOND = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses reserved for documentation: the way to them is the default route."""
_WIFI, _WIRED, _UNASSIGNED, _TUNNEL, _CONTAINERS = range(5)
_KINDS = {
    _CONTAINERS: re.compile(
        r"docker|br-[0-9a-f]{12}$|podman|cni|veth|virbr|vnet|lxc|lxd|incus|vbox|vmnet|flannel|cali"
    ),
    _TUNNEL: re.compile(r"tun|tap|wg|utun|ppp|tailscale|zt"),
    _WIFI: re.compile(r"wl|ath\d|ap\d|uap|bridge100$"),
}
"""Kinds of interfaces by the beginning of their name; a phone joins Wi-Fi or a hotspot, which macOS calls bridge100."""


def own_addresses() -> tuple[str, ...]:
    """Where phones may reach this machine, as written in a URL: Wi-Fi and hotspots first, bridges of containers last.

    Public addresses count only if the default route leaves by them; loopback never does. A container has none: the
    address it sees leads no phone to it.
    """
    return () if is_container() else _list_addresses(_period())


def is_container() -> bool:
    """Whether this process runs in a container: Podman says so in the environment, and so does our Containerfile."""
    return bool(os.environ.get("container"))  # noqa: SIM112 - as Podman writes it


def local_name() -> str:
    """Return the name ending in `.local` by which neighbours find this machine; empty if nothing answers for it."""
    return _find_name(next(iter(own_addresses()), ""), _period())


def is_loopback(name: str) -> bool:
    """Whether a name or address in a URL leads every device to itself.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("192.168.4.1")
    (True, True, False)
    """
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _period() -> int:
    return int(time.monotonic() // KEPT)


@lru_cache(maxsize=1)
def _list_addresses(_period: int) -> tuple[str, ...]:
    outwards = {*filter(None, (_towards(family, target) for family, target in _BEYOND))}
    places: dict[str, tuple[int, bool, int]] = {}
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            own = ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if str(own) in outwards or _is_private(own):
                place = (_kind(adapter.name, own), str(own) not in outwards, own.version)
                places[f"[{own}]" if own.version == 6 else str(own)] = place
    return tuple(sorted(places, key=places.__getitem__))


def _towards(family: int, target: str) -> str:
    """Return this machine's address towards another one; empty without a way there. Sends nothing to find out."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target, 9))
        return str(probe.getsockname()[0])
    return ""


def _is_private(own: IPv4Address | IPv6Address) -> bool:
    """Whether neighbours can use it; no URL can carry the zone that a link-local IPv6 address needs."""
    has_zone = own.version == 6 and own.is_link_local
    return not (own.is_global or own.is_loopback or has_zone)


def _kind(adapter: str, own: IPv4Address | IPv6Address) -> int:
    kind = next((kind for kind, names in _KINDS.items() if names.match(adapter)), _WIRED)
    return max(kind, _UNASSIGNED) if own.is_link_local else kind


@lru_cache(maxsize=1)
def _find_name(own: str, _period: int) -> str:
    """Return the name Avahi gives it (another machine may have taken the one it would have), or macOS."""
    called = socket.gethostname().lower()
    return called if called.endswith(".local") else _asked_of_avahi(own.strip("[]"))


def _asked_of_avahi(own: str) -> str:
    with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(0.5)
        line.connect(AVAHI)
        line.sendall(f"RESOLVE-ADDRESS {own}\n".encode())
        words = line.recv(512).decode("ascii", "replace").split()
        return words[-1].lower() if words[:1] == ["+"] and words[-1].endswith(".local") else ""
    return ""
