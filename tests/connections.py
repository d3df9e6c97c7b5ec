"""Many connections to one server from one place: half-sent requests, silent ones, streams, and slow readers.

All are plain sockets, which the test that opens them must close.
"""

import selectors
import socket
import time
from contextlib import contextmanager

SOON = 30
"""The seconds that a busy machine may take for what comes at once."""


def connect(port, address="127.0.0.1"):
    """A connection from one of this machine's own addresses."""
    return socket.create_connection(("127.0.0.1", port), timeout=SOON, source_address=(address, 0))


def said(port, words, address="127.0.0.1"):
    own = connect(port, address)
    own.sendall(words)
    return own


def half_headers(port):
    return said(port, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: ")


def half_body(port):
    return said(port, b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{")


def slow_reader(port, path, times=10):
    """A connection that asks `times` times for something long, and reads almost nothing of it."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    own.settimeout(SOON)
    own.connect(("127.0.0.1", port))
    own.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times)
    return own


def stream(port, code, address="127.0.0.1"):
    return said(port, f"GET /g/{code}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), address)


@contextmanager
def crowd(*sockets):
    """Close all sockets in the end."""
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()


def is_closed(own, seconds=SOON):
    """Whether the server closes a connection in time, whatever it sends before that."""
    until = time.monotonic() + seconds
    try:
        while (left := until - time.monotonic()) > 0:
            own.settimeout(left)
            if not own.recv(65536):
                return True
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


def heard(streams, words, seconds=SOON):
    """When each of many streams sent some words (monotonic seconds), without those that did not."""
    times, said = {}, dict.fromkeys(streams, b"")
    until = time.monotonic() + seconds
    with selectors.DefaultSelector() as listening:
        for each in streams:
            each.setblocking(False)
            listening.register(each, selectors.EVENT_READ)
        while len(times) < len(streams) and time.monotonic() < until:
            for key, _ in listening.select(0.5):
                more = key.fileobj.recv(65536)
                said[key.fileobj] += more
                if words in said[key.fileobj]:
                    times[key.fileobj] = time.monotonic()
                if not more or key.fileobj in times:
                    listening.unregister(key.fileobj)
    return list(times.values())
