"""The address for the phones, on the networks people play on, asked from the other end of each."""

import ctypes
import json
import os
import pty
import re
import shutil
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest
import segno

from app import addresses
from tests.conftest import ROOT
from tests.process_pool import PROCESSES
from tests.server import eventually

PORT = 8000
"""In a network of its own every port is free."""
SERVES = """
import ctypes, os
from app import create_app
from app.server import start
assert ctypes.CDLL(None).setns(os.open("/proc/{laptop}/ns/net", os.O_RDONLY), 0) == 0
start.main(create_app())
"""
START = json.dumps({"variant": "european", "players": ["Ann", "Ben"]})


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=30).stdout


def why_forbidden():
    """Why this machine allows no network namespaces, joined by a pair of interfaces; empty if it allows them."""
    missing = [tool for tool in ("unshare", "nsenter", "ip") if shutil.which(tool) is None]
    if missing:
        return f"{missing[0]} is not installed"
    tried = subprocess.run(
        ["unshare", "-n", "ip", "link", "add", "name", "one", "type", "veth", "peer", "name", "two"],
        check=False,
        capture_output=True,
        text=True,
    )
    return tried.stderr.strip()


class Place:
    """A network namespace, kept open by a process that sleeps in it; `desk` is a thread that has moved into it."""

    def __init__(self):
        self.sleeper = subprocess.Popen(
            ["unshare", "-n", "sh", "-c", "echo in; exec sleep 300"], stdout=subprocess.PIPE
        )
        assert self.sleeper.stdout.readline() == b"in\n"
        self.desk = ThreadPoolExecutor(1, initializer=self.enter)
        self.ip("link", "set", "lo", "up")

    def enter(self):
        with Path(f"/proc/{self.sleeper.pid}/ns/net").open() as room:
            assert ctypes.CDLL(None).setns(room.fileno(), 0) == 0

    def ip(self, *words):
        self.desk.submit(run, "ip", *words).result()

    def ask(self, address, host="", body=""):
        """The status and the text of an answer; status 0 if nobody answers."""
        return self.desk.submit(answer_of, address, host, body).result()

    def end(self):
        self.desk.shutdown()
        self.sleeper.kill()
        self.sleeper.wait()
        self.sleeper.stdout.close()


def answer_of(address, host, body):
    headers = {"Content-Type": "application/json"} | ({"Host": host} if host else {})
    request = urllib.request.Request(address, body.encode() or None, headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.status, refused.read().decode()
    except OSError:
        return 0, ""


class Room:
    """A laptop that serves, and a phone, in namespaces of their own; `joined` puts a cable or a Wi-Fi between them."""

    def __init__(self, folder):
        self.laptop, self.phone = Place(), Place()
        self.process = None
        self.settings = {"DATABASE_URL": f"sqlite:///{folder / 'games.db'}", "SECRET_KEY": "test", "PORT": str(PORT)}

    def joined(self, name, own, other):
        """A pair of interfaces of one name, with an address at either end."""
        ends = [str(place.sleeper.pid) for place in (self.laptop, self.phone)]
        run("ip", "link", "add", name, "netns", ends[0], "type", "veth", "peer", "name", name, "netns", ends[1])
        for place, address in ((self.laptop, own), (self.phone, other)):
            place.ip("addr", "add", address, "dev", name, *(["nodad"] if ":" in address else []))
            place.ip("link", "set", name, "up")

    def serves(self, *, at_a_terminal=False, base=""):
        """What the server prints at the start, up to its last line."""
        ours, theirs = pty.openpty() if at_a_terminal else os.pipe()
        self.process = PROCESSES.fork(
            SERVES.format(laptop=self.laptop.sleeper.pid),
            os.environ | self.settings | {"BASE_URL": base},
            [f"/proc/{os.getpid()}/fd/{theirs}"],
        )
        with os.fdopen(ours, encoding="utf-8", newline="") as printed:
            lines = list(iter(printed.readline, "Stop with Ctrl+C.\r\n" if at_a_terminal else "Stop with Ctrl+C.\n"))
        os.close(theirs)
        eventually(lambda: self.laptop.ask(f"http://localhost:{PORT}/healthz")[0] == 200)
        return [line.rstrip() for line in lines]

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=20)
        self.laptop.end()
        self.phone.end()


@pytest.fixture
def room(tmp_path):
    if why := why_forbidden():
        pytest.skip(f"this machine allows no network namespaces: {why}")
    room = Room(tmp_path)
    yield room
    room.end()


def phones(banner):
    """The addresses for phones in what the server prints."""
    return re.findall(r"https?://\S+", "\n".join(line for line in banner if "localhost" not in line))


def shared(room):
    """A game's code, and the page Share as the laptop's own browser shows it."""
    status, told = room.laptop.ask(f"http://localhost:{PORT}/api/v1/games", body=START)
    assert status == 201
    code = json.loads(told)["code"]
    page = room.laptop.ask(f"http://localhost:{PORT}/g/{code}/share")[1]
    return code, unescape(page)


def squares(text):
    """The dark parts of a code, as a page draws them."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(border=3)
    return re.search(r'class="qrline"[^>]* d="([^"]+)"', drawn)[1]


def test_a_laptop_that_is_itself_the_wifi_shows_the_hotspots_address(room):
    room.joined("wlan0", "192.168.4.1/24", "192.168.4.17/24")
    banner = room.serves(at_a_terminal=True)
    assert phones(banner) == ["http://192.168.4.1:8000"]
    assert [line for line in banner if "█" in line]
    assert room.phone.ask("http://192.168.4.1:8000/")[0] == 200
    code, page = shared(room)
    assert f'href="http://192.168.4.1:8000/g/{code}"' in page
    assert squares(f"http://192.168.4.1:8000/g/{code}") in page
    assert "127.0.0.1" not in page


def test_with_a_base_url_its_own_address_still_answers(room):
    room.joined("wlan0", "192.168.4.1/24", "192.168.4.17/24")
    banner = room.serves(base="http://cards.lan:8000")
    assert phones(banner) == ["http://cards.lan:8000"]
    assert room.phone.ask("http://192.168.4.1:8000/")[0] == 200
    assert room.phone.ask("http://192.168.4.1:8000/", host="cards.lan:8000")[0] == 200
    assert room.phone.ask("http://192.168.4.1:8000/", host="192.168.4.9:8000")[0] == 400


def test_of_many_interfaces_the_wifi_comes_first_and_bridges_of_containers_last(room):
    room.joined("docker0", "172.17.0.1/16", "172.17.0.2/16")
    room.joined("br-0123456789ab", "172.18.0.1/16", "172.18.0.2/16")
    room.joined("wg0", "172.27.0.2/24", "172.27.0.1/24")
    room.joined("eth1", "169.254.9.9/16", "169.254.9.8/16")
    room.joined("eth0", "172.20.3.4/16", "172.20.3.1/16")
    room.laptop.ip("route", "add", "default", "via", "172.20.3.1")
    room.joined("wlp2s0", "192.168.7.20/24", "192.168.7.33/24")
    banner = room.serves()
    listed = phones(banner)
    assert listed[:2] == ["http://192.168.7.20:8000", "http://172.20.3.4:8000"]
    assert listed[2:4] == ["http://169.254.9.9:8000", "http://172.27.0.2:8000"]
    assert sorted(listed[4:]) == ["http://172.17.0.1:8000", "http://172.18.0.1:8000"]
    assert not re.search("[\x1b▀▄█]", "\n".join(banner))  # this is no terminal
    assert {room.phone.ask(f"{address}/")[0] for address in listed} == {200}
    code, page = shared(room)
    assert f'href="http://192.168.7.20:8000/g/{code}"' in page


def test_on_a_network_of_ipv6_alone_the_server_listens_too(room):
    room.joined("wlan0", "fd42:1::1/64", "fd42:1::17/64")
    assert phones(room.serves()) == ["http://[fd42:1::1]:8000"]
    assert room.phone.ask("http://[fd42:1::1]:8000/")[0] == 200
    assert room.laptop.ask("http://[::1]:8000/")[0] == 200
    code, page = shared(room)
    assert f'href="http://[fd42:1::1]:8000/g/{code}"' in page
    assert squares(f"http://[fd42:1::1]:8000/g/{code}") in page


def test_on_no_network_no_code_is_shown_until_there_is_one(room):
    banner = room.serves(at_a_terminal=True)
    assert phones(banner) == []
    assert "this machine is on no network" in "\n".join(banner)
    assert not re.search("[▀▄█]", "\n".join(banner))
    code, page = shared(room)
    assert ("this computer is on no network" in page, "camera-code" in page) == (True, False)
    sheet = f"http://localhost:{PORT}/g/{code}/sheet"
    shown = unescape(room.laptop.ask(sheet)[1])
    assert f"http://localhost:8000/g/{code} (works on this computer only)" in shown
    assert "sheet-qr" not in shown
    room.joined("wlan0", "192.168.7.20/24", "192.168.7.33/24")
    eventually(lambda: "camera-code" in shared(room)[1])
    assert f"http://192.168.7.20:8000/g/{code}" in unescape(room.laptop.ask(sheet)[1])
    assert "sheet-qr" in room.laptop.ask(sheet)[1]


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("+ 3 0 raspberrypi-2.local\n", "raspberrypi-2.local"),
        ("+ 3 0 PI.local\n", "pi.local"),
        ("+ 3 0 pi.example\n", ""),
        ("-15 Timeout reached\n", ""),
        ("", ""),
    ],
)
def test_the_local_name_is_the_one_avahi_gives(tmp_path, monkeypatch, answer, name):
    """Two machines may want one name; Avahi gives the second another."""
    monkeypatch.setattr(addresses, "AVAHI", str(tmp_path / "avahi"))
    monkeypatch.setattr(socket, "gethostname", lambda: "raspberrypi")
    addresses._find_name.cache_clear()
    with socket.socket(socket.AF_UNIX) as avahi:
        avahi.bind(addresses.AVAHI)
        avahi.listen()
        asked = []

        def answers():
            line, _ = avahi.accept()
            with line:
                asked.append(line.recv(512))
                line.sendall(answer.encode())

        thread = threading.Thread(target=answers)
        thread.start()
        assert addresses.local_name() == name
        thread.join()
    addresses._find_name.cache_clear()
    assert asked[0].startswith(b"RESOLVE-ADDRESS ")


def test_where_no_avahi_answers_there_is_no_local_name(tmp_path, monkeypatch):
    monkeypatch.setattr(addresses, "AVAHI", str(tmp_path / "none"))
    monkeypatch.setattr(socket, "gethostname", lambda: "raspberrypi")
    addresses._find_name.cache_clear()
    assert addresses.local_name() == ""
    addresses._find_name.cache_clear()
