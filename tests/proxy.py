"""A small proxy before the server: it answers below one path, which it passes on or leaves out; some it swallows."""

import socket
from contextlib import suppress
from threading import Thread

END = b"\r\n\r\n"
NOT_HERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def answer(status, text="", header="X-Nothing: 1"):
    """An answer of a proxy's own."""
    body = f"<!doctype html><title>Wi-Fi</title><main><h1>{text}</h1></main>".encode()
    head = (
        f"HTTP/1.1 {status}\r\n{header}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close"
    )
    return head.encode() + END + body


class Proxy:
    """`asked` lists the paths of all requests, `astray` those that were not below `path`.

    Requests whose path ends like one of `swallowed` are accepted, and never answered. `own` may return an answer of the
    proxy's own to a path, as a guest network or a login does.
    """

    def __init__(self, path, *, leaves_out):
        self.path, self.leaves_out = path, leaves_out
        self.asked, self.astray, self.swallowed = [], [], ()
        self.own = lambda path: b""  # noqa: ARG005 - by default it has none
        self.server = None  # the port it passes on to
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}{path}"
        Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listening.close()

    def accept(self):
        with suppress(OSError):
            while True:
                Thread(target=self.serve, args=self.listening.accept()[:1], daemon=True).start()

    def serve(self, phone):
        """One request; the connection ends with its answer."""
        with phone, suppress(OSError):
            head = b""
            while END not in head:
                if not (piece := phone.recv(65536)):
                    return
                head += piece
            method, path, rest = head.decode("latin-1").split(" ", 2)
            self.asked.append(path)
            if not path.startswith(f"{self.path}/"):
                self.astray.append(path)
                phone.sendall(NOT_HERE)
                return
            if own := self.own(path):
                phone.sendall(own)
                return
            if path.endswith(self.swallowed):
                while phone.recv(65536):
                    pass
                return
            path = path.removeprefix(self.path) if self.leaves_out else path
            version, headers = rest.split("\r\n", 1)
            kept = headers.replace("Connection: keep-alive\r\n", "")
            with socket.create_connection(("127.0.0.1", self.server)) as server:
                server.sendall(f"{method} {path} {version}\r\nConnection: close\r\n{kept}".encode("latin-1"))
                Thread(target=pump, args=(phone, server), daemon=True).start()
                pump(server, phone)


def pump(source, sink):
    """Pass on what comes, as it comes."""
    with suppress(OSError):
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
