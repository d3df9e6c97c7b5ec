"""The server says where it is: its port, and addresses for this machine and for phones."""

import os
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest
import segno

from app.server import start
from app.settings import VERSION
from tests.conftest import ROOT
from tests.server import free_port, python


def test_the_version_needs_no_installed_package():
    said = python("-S", "-m", "app", "--version")
    assert (said.returncode, said.stdout) == (0, f"Kalooki Referee {VERSION}\n")


def test_a_busy_port_is_said_and_the_next_free_one_taken(capsys):
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        busy = other.getsockname()[1]
        with start.listen(busy) as listening:
            chosen = listening.getsockname()[1]
    assert chosen > busy
    assert f"Port {busy} is busy; port {chosen} is free." in capsys.readouterr().out


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
