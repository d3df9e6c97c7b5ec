"""The server says where it is: its port, and addresses for this machine and for phones."""

import errno
import os
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest
import segno

from app.server import start
from app.settings import SETTINGS, VERSION
from tests.conftest import ROOT
from tests.server import free_port, python

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what people write


def test_the_version_needs_no_installed_package():
    said = python("-S", "-m", "app", "--version")
    assert (said.returncode, said.stdout) == (0, f"Kalooki Referee {VERSION}\n")


@pytest.fixture
def busy():
    """A port that another program listens on."""
    with socket.create_server(("", 0)) as other:
        yield other.getsockname()[1]


def test_a_busy_port_is_said_and_the_next_free_one_taken(capsys, busy):
    with start.listen(busy) as listening:
        chosen = listening.getsockname()[1]
    assert chosen > busy
    assert f"Port {busy} is busy; port {chosen} is free." in capsys.readouterr().out


def starts(tmp_path, **settings):
    """How the server's start ends, with nobody at a terminal, and what it says; it is stopped once it serves."""
    command = [
        sys.executable,
        "-c",
        "from app import create_app; from app.server import start; start.main(create_app())",
    ]
    own = {"SECRET_KEY": "test", "DATA": str(tmp_path)} | {name: str(value) for name, value in settings.items()}
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=kept | own, text=True, **streams) as process:
        told = process.stdout.readline() + process.stdout.readline() + process.stdout.readline()
        process.terminate()
        return process.wait(timeout=20), told, process.stderr.read()


@pytest.mark.parametrize("more", [{}, {"BASE_URL": "https://cards.example"}])
def test_a_busy_port_that_was_asked_for_ends_the_start(tmp_path, busy, more):
    ended, told, complaint = starts(tmp_path, PORT=busy, **more)
    assert (ended, told) == (1, "")
    assert complaint == (
        f"Port {busy} is busy: end what listens there, which may be this server, or set another PORT.\n"
    )


def test_a_port_this_user_may_not_have_is_not_called_busy(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(start.socket, "create_server", refuse)
    with pytest.raises(SystemExit, match="cannot listen on port 80: Permission denied"):
        start.listen(80)


def test_it_listens_at_one_address_only(tmp_path):
    with start.listen(free_port(), "127.0.0.1") as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
    with pytest.raises(SystemExit, match=r"cannot listen on port \d+ of 192\.0\.2\.7: "):
        start.listen(free_port(), "192.0.2.7")


def test_what_it_prints_is_answered_where_it_listens():
    assert start.phone_addresses(8000, "", "127.0.0.1") == []
    assert start.phone_addresses(8000, "", "192.0.2.7") == ["http://192.0.2.7:8000"]
    assert start.phone_addresses(8000, "", "2001:db8::7") == ["http://[2001:db8::7]:8000"]
    assert start.phone_addresses(8000, "https://cards.example", "127.0.0.1") == ["https://cards.example"]
    text = start.banner(8000, [], "127.0.0.1", draws=False)
    assert "http://127.0.0.1:8000\n" in text.replace("localhost", "127.0.0.1")
    assert "only programs on this machine reach the server" in text
    assert "on this machine  http://192.0.2.7:8000\n" in start.banner(
        8000, ["http://192.0.2.7:8000"], "192.0.2.7", draws=False
    )


@pytest.mark.parametrize(
    ("settings", "is_warned"),
    [
        ({"PROXY_HOPS": 1}, True),
        ({"PROXY_HOPS": 1, "LISTEN": "127.0.0.1"}, False),
        ({"PROXY_HOPS": 1, "LISTEN": EVERYWHERE}, False),
        ({"PROXY_HOPS": 1, "container": "oci"}, False),  # whose ports are published from outside
        ({}, False),
    ],
)
def test_a_server_that_is_reached_past_its_proxy_says_so(tmp_path, settings, is_warned):
    _, told, complaint = starts(tmp_path, PORT=(port := free_port()), **settings)
    assert told.startswith("Kalooki Referee\n")
    assert (f"reaches port {port} past the proxy" in complaint) is is_warned


def test_a_free_port_is_taken_without_a_word(capsys):
    port = free_port()
    with start.listen(port) as chosen:
        assert chosen.getsockname()[1] == port
    assert capsys.readouterr().out == ""


def test_the_addresses_are_for_this_machine_and_for_phones():
    text = start.banner(8000, ["http://192.0.2.7:8000", "http://pi.local:8000"], draws=False)
    assert "http://localhost:8000\n" in text
    assert "http://192.0.2.7:8000\n" in text
    assert "http://pi.local:8000\n" in text


def test_a_public_address_replaces_the_local_networks():
    assert start.phone_addresses(8000, "https://cards.example") == ["https://cards.example"]


@pytest.mark.parametrize(
    "base", ["http://localhost:8000", "http://127.0.0.5", "http://[::1]:8000", "http://0.0.0.0:8000"]
)
def test_no_code_leads_a_phone_to_itself(base):
    text = start.banner(8000, [base], draws=True)
    assert base in text
    assert not set("\x1b▀▄█") & set(text)


def test_the_terminals_code_is_the_address_as_qr():
    text = start.banner(8000, ["https://cards.example"], draws=True)
    on, off = "\x1b[30;107m", "\x1b[0m"
    drawn = [line[len(on) : -len(off)] for line in text.splitlines() if line.startswith(on)]
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows = [[halves[letter][half] for letter in line] for line in drawn for half in (0, 1)]
    code = segno.make("https://cards.example", error="l")
    assert rows[: code.symbol_size(border=2)[1]] == [list(row) for row in code.matrix_iter(border=2)]


def test_whoever_opens_what_the_server_prints_is_answered(tmp_path):
    port = free_port()
    command = [
        sys.executable,
        "-c",
        "from app import create_app; from app.server import start; start.main(create_app())",
    ]
    own = {"PORT": str(port), "SECRET_KEY": "test", "BASE_URL": ""}
    own["DATABASE_URL"] = f"sqlite:///{tmp_path / 'new' / 'games.db'}"
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | own, text=True, **streams)
    try:
        first = process.stdout.readline() + process.stdout.readline()
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
            assert answer.status == 200
    finally:
        process.terminate()
        process.wait(timeout=20)
    assert f"http://localhost:{port}" in first
    assert (tmp_path / "new" / "games.db").exists()


def test_a_port_is_busy_too_if_somebody_listens_there_over_ipv6_alone(capsys):
    try:
        other = socket.create_server(("::", 0), family=socket.AF_INET6)
    except OSError as reason:
        pytest.skip(f"this machine has no IPv6: {reason}")
    with other, start.listen(busy := other.getsockname()[1]) as listening:
        assert listening.getsockname()[1] > busy
