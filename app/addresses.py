"""This machine's addresses on its local networks, the likeliest for a phone first.

They change while the server runs, for example when a laptop joins another Wi-Fi, so they are looked up again every few
seconds. The lookup sends nothing over a network.
"""

from __future__ import annotations

import os
import re
import socket
import time
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

import ifaddr

CACHE_SECONDS = 5
"""Seconds for which the addresses are cached."""
AVAHI = "/run/avahi-daemon/socket"
"""The socket of Avahi, which answers for `.local` names on Linux and knows the name of this machine."""
HOUSEHOLD_BITS = 64
"""The bits of an IPv6 address that identify a client's network; it chooses the other bits itself."""
_BEYOND = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses reserved for documentation; the route to them is the default route."""
_WIFI, _WIRED, _UNASSIGNED, _TUNNEL, _CONTAINERS = range(5)
_KINDS = {
    _CONTAINERS: re.compile(
        r"docker|br-[0-9a-f]{12}$|podman|cni|veth|virbr|vnet|lxc|lxd|incus|vbox|vmnet|flannel|cali"
    ),
    _TUNNEL: re.compile(r"tun|tap|wg|utun|ppp|tailscale|zt"),
    _WIFI: re.compile(r"wl|ath\d|ap\d|uap|bridge100$"),
}
"""Kinds of interfaces by the start of their names; phones join Wi-Fi or a hotspot, which macOS calls bridge100."""


def own_addresses() -> tuple[str, ...]:
    """Return the addresses at which phones may reach this machine, as written in a URL.

    Wi-Fi and hotspots come first, container bridges last. A public address counts only if the default route uses it,
    and a loopback address never does. The list is empty inside a container, whose own addresses no phone can reach.
    """
    return () if is_container() else _list_addresses(_period())


def is_container() -> bool:
    """Return whether this process runs in a container: Podman and our Containerfile set the variable `container`."""
    return bool(os.environ.get("container"))  # noqa: SIM112 - as Podman writes it


def local_name() -> str:
    """Return the `.local` name by which neighbours find this machine; empty if nothing answers for one."""
    return _find_name(next(iter(own_addresses()), ""), _period())


def is_loopback(name: str) -> bool:
    """Return whether a name or address in a URL leads every device to itself.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("192.168.4.1")
    (True, True, False)
    """
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def client_network(address: str) -> str:
    """Return what is counted as one sender: an address or, with IPv6, its network, within which it may be any.

    >>> client_network("192.0.2.9"), client_network("::ffff:192.0.2.9"), client_network("2001:db8::7:1")
    ('192.0.2.9', '192.0.2.9', '2001:db8::/64')
    """
    try:
        own = ip_address(address)
    except ValueError:  # a Unix socket
        return address or "here"
    if not isinstance(own, IPv6Address):
        return str(own)
    return str(own.ipv4_mapped or ip_network((own, HOUSEHOLD_BITS), strict=False))


def _period() -> int:
    return int(time.monotonic() // CACHE_SECONDS)


@lru_cache(maxsize=1)
def _list_addresses(_period: int) -> tuple[str, ...]:
    outwards = {*filter(None, (_find_source_address(family, target) for family, target in _BEYOND))}
    places: dict[str, tuple[int, bool, int]] = {}
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            own = ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            has_zone = own.version == 6 and own.is_link_local  # which no URL can carry
            is_private = not (own.is_global or own.is_loopback or has_zone)
            if str(own) in outwards or is_private:
                kind = next((kind for kind, names in _KINDS.items() if names.match(adapter.name)), _WIRED)
                kind = max(kind, _UNASSIGNED) if own.is_link_local else kind
                place = (kind, str(own) not in outwards, own.version)
                places[f"[{own}]" if own.version == 6 else str(own)] = place
    return tuple(sorted(places, key=places.__getitem__))


def _find_source_address(family: int, target: str) -> str:
    """Return the address from which this machine would reach `target`; empty without a route. Sends nothing."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target, 9))
        return str(probe.getsockname()[0])
    return ""


@lru_cache(maxsize=1)
def _find_name(own: str, _period: int) -> str:
    """Return this machine's `.local` name: on macOS its host name, elsewhere the name that Avahi gives it.

    Avahi's name differs from the host name if another machine has taken that one.
    """
    hostname = socket.gethostname().lower()
    return hostname if hostname.endswith(".local") else _ask_avahi(own.strip("[]"))


def _ask_avahi(own: str) -> str:
    with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(0.5)
        line.connect(AVAHI)
        line.sendall(f"RESOLVE-ADDRESS {own}\n".encode())
        words = line.recv(512).decode("ascii", "replace").split()
        return words[-1].lower() if words[:1] == ["+"] and words[-1].endswith(".local") else ""
    return ""
