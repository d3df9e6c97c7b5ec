"""However many are slow, silent or half done, everybody else is served, and what is half done comes to an end."""

import asyncio
import http.client
import json
import signal
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Response

from app.server import THREADS, Application
from app.store import grants, opening
from app.views.responses import static_path
from tests.connections import SOON, connect, crowd, half_body, half_headers, heard, is_closed, said, slow_reader, stream
from tests.phone import ask, start
from tests.server import Server, eventually

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
VOID = {"kind": "void", "reason": "misdeal"}
GAME = json.dumps(START).encode()
NEVER = 1_000.0
"""Seconds that no test waits for: what ends or is heard before has another cause."""

FAST = ("uvloop", "httptools")
"""What a machine without builds of these goes without."""
BOTH = pytest.mark.parametrize("shared", [(), FAST], indirect=True, ids=["fast", "plain"])


def made(folder, without=(), tells_its_end=False, **config):
    """A server that waits one second for more of a request, and whose streams tell what is saved, but do not beat."""
    server = Server(f"sqlite:///{folder}/games.db", **{"PATIENCE": 1.0, "LIVE_BEAT": NEVER} | config)
    server.without, server.tells_its_end = without, tells_its_end
    return server


@pytest.fixture(scope="module")
def shared(request, tmp_path_factory):
    """One for several tests, which leave it running."""
    with made(tmp_path_factory.mktemp("shared"), getattr(request, "param", ())) as server:
        yield server


@pytest.fixture
def impatient(tmp_path):
    """One that a test may stop."""
    with made(tmp_path, tells_its_end=True) as server:
        yield server


def record(server, code, secret, seen):
    body = {"seen": seen, "submission": f"hand-{seen}", "event": VOID}
    return ask(f"{server.url}/api/v1/games/{code}/entries", body, secret)[0]


@pytest.mark.parametrize("without", [(), FAST], ids=["fast", "plain"])
def test_one_crowd_leaves_every_other_phone_served(tmp_path, without):
    """More half-sent requests, silent connections and readers that take nothing than there are threads."""
    with made(tmp_path, without, PATIENCE=NEVER) as server:
        code, secret = start(server.url)
        bodies = [half_body(server.port) for _ in range(40)]
        halves = [half_headers(server.port) for _ in range(40)]
        silent = [connect(server.port) for _ in range(60)]
        streams = [stream(server.port, code) for _ in range(60)]
        readers = [slow_reader(server.port, f"{static_path()}/fonts/DejaVuSans.ttf") for _ in range(2 * THREADS)]
        with crowd(*bodies, *halves, *silent, *streams, *readers):
            assert ask(f"{server.url}/healthz", patience=SOON)[0] == 200
            assert record(server, code, secret, 1) == 201
            assert len(heard(streams, b"data: 2.0")) == 60


# ---- Heads


@BOTH
def test_a_head_of_64_kilobytes_is_refused_and_the_connection_closed(shared):
    start = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
    for line in (b"X: " + b"y" * 70_000, b"X: y\r\n" * 12_000, b"X: " + b"y" * 65_536):
        with crowd(said(shared.port, start + line)) as [own]:
            assert all_said(own).startswith(b"HTTP/1.1 4")
    with crowd(said(shared.port, b"GET /" + b"y" * 70_000)) as [own]:
        assert all_said(own).startswith(b"HTTP/1.1 4")
    with crowd(said(shared.port, start + b"X: " + b"y" * 60_000 + b"\r\nConnection: close\r\n\r\n")) as [own]:
        assert all_said(own).startswith(b"HTTP/1.1 200 ")


def test_what_is_too_large_is_the_head(shared):
    """It says so; and a head is counted anew after each request, so that a page of pictures needs one connection."""
    with crowd(said(shared.port, b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 66_000)) as [own]:
        assert all_said(own).startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    one = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 40_000 + b"\r\n"
    with crowd(said(shared.port, 3 * (one + b"\r\n") + one + b"Connection: close\r\n\r\n")) as [own]:
        assert all_said(own).count(b"200 OK") == 4


@BOTH
@pytest.mark.parametrize("words", [b"5;x=" + b"y" * 140_000, b"0\r\nX: " + b"y" * 140_000], ids=["chunk", "trailer"])
def test_what_stands_between_and_after_chunks_is_bounded_too(shared, words):
    head = b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with crowd(connect(shared.port)) as [own]:
        with suppress(ConnectionResetError, BrokenPipeError):
            own.sendall(head + words)
        assert b" 408 " not in all_said(own), "only when the patience for a body had ended"


@BOTH
def test_who_sends_no_complete_head_in_time_is_disconnected(shared):
    port = shared.port
    asked = said(port, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    slow = said(port, b"GET /livez")
    with crowd(slow, connect(port), half_headers(port), asked) as each:
        assert heard([asked], b'"status"')
        asked.setblocking(True)
        asked.sendall(b"GET /li")  # a second request, after the first
        for _ in range(3):
            time.sleep(0.2)
            slow.sendall(b"z")  # a letter now and then is no head
        assert all(is_closed(own) for own in each)


def test_every_answer_is_dated_once(shared):
    for path in ("/", f"{static_path()}/css/app.css", "/api/v1/variants"):
        with urllib.request.urlopen(f"{shared.url}{path}") as answer:
            assert len(answer.headers.get_all("Date")) == 1, path


def test_who_was_answered_may_wait_longer_and_a_stream_for_ever(shared):
    code, _ = start(shared.url)
    asked = said(shared.port, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with crowd(asked, stream(shared.port, code)) as each:
        assert heard([asked], b'"status"')
        assert not any(is_closed(own, 1.2) for own in each)


def test_an_answer_made_in_parts_is_handed_over_in_one_piece(app):
    """Its headers, then all of its body: no thread waits while a slow reader takes part after part."""
    app.add_url_rule("/in-parts", view_func=lambda: Response(iter(["one, ", "two"])), endpoint="in_parts")
    scope = {"type": "http", "method": "GET", "path": "/in-parts", "query_string": b"", "http_version": "1.1"}
    handed_over = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        handed_over.append(message)

    scope |= {"scheme": "http", "headers": [(b"host", b"localhost")]}
    with ThreadPoolExecutor(1) as own:  # Playwright's loop runs in the thread of the tests
        own.submit(asyncio.run, Application(app)(scope, receive, send)).result()
    start, body = handed_over
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    assert body == {"type": "http.response.body", "body": b"one, two"}


def test_one_address_has_64_half_heads_at_most_and_others_theirs(tmp_path):
    with made(tmp_path, PATIENCE=NEVER) as server:
        many = [half_headers(server.port) for _ in range(150)]
        others = [said(server.port, b"GET / HTTP/1.1\r\n", "127.0.0.2") for _ in range(10)]
        with crowd(*many, *others):
            assert ask(f"{server.url}/livez")[0] == 200
            eventually(lambda: sum(is_closed(own, 0.001) for own in many) >= 150 - 64)
            time.sleep(1)
            assert sum(is_closed(own, 0.001) for own in many) == 150 - 64
            assert not any(is_closed(own, 0.001) for own in others)


@pytest.mark.long
def test_the_real_patience_is_ten_seconds_and_65_between_requests(tmp_path):
    server = made(tmp_path)
    server.application = "app:create_app()"
    with server:
        silent, half = connect(server.port), half_headers(server.port)
        asked = said(server.port, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        body = half_body(server.port)
        with crowd(silent, half, asked, body):
            assert heard([asked], b'"status"')
            time.sleep(8)
            assert not any(is_closed(own, 0.1) for own in (silent, half, asked, body))
            assert all(is_closed(own, 6) for own in (silent, half, body))
            assert not is_closed(asked, 45)
            assert is_closed(asked, 15)


def test_a_body_of_which_no_more_comes_is_refused_in_time(shared):
    with crowd(half_body(shared.port)) as [own]:
        assert all_said(own).startswith(b"HTTP/1.1 408 ")


def test_a_header_that_pretends_to_be_another_is_dropped(tmp_path):
    """`_` stands for `-` in WSGI; a proxy replaces the real name, and leaves the other one as it came."""
    server = made(tmp_path, PROXY_HOPS=1)
    server.environment["BASE_URL"] = ""
    with server:
        for name, status in ((b"X-Forwarded-Proto", b"https"), (b"X_Forwarded_Proto", b"http")):
            asked = b"POST /api/v1/games HTTP/1.1\r\nHost: 192.0.2.7\r\n%s: https\r\nContent-Length: %d\r\n\r\n%s"
            with crowd(said(server.port, asked % (name, len(GAME), GAME))) as [own]:
                assert heard([own], b'"state":"%s://192.0.2.7/' % status)


def test_many_streams_hear_a_saved_hand(shared):
    code, secret = start(shared.url)
    streams = [stream(shared.port, code) for _ in range(250)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 1.0")) == 250
        assert record(shared, code, secret, 1) == 201
        assert len(heard(streams, b"data: 2.0")) == 250


@BOTH
def test_a_stream_ends_when_the_game_is_given_another_code(shared):
    from app import create_app

    code, _ = start(shared.url)
    with crowd(stream(shared.port, code)) as [own]:
        assert heard([own], b"data: 1.0")
        app = create_app({"DATABASE_URL": shared.environment["DATABASE_URL"], "SECRET_KEY": "test"})
        with app.app_context():
            grants.reset_links(code, None)
        opening.close_database(app)
        assert is_closed(own)


def test_a_silent_stream_beats(tmp_path):
    with made(tmp_path, LIVE_BEAT=0.5) as server, crowd(stream(server.port, start(server.url)[0])) as [own]:
        assert heard([own], b"event: beat\ndata: 1.0\n\n")


def all_said(own):
    said = b""
    with suppress(ConnectionResetError):
        while more := own.recv(65536):
            said += more
    return said


@BOTH
def test_what_was_asked_ahead_is_answered_in_turn(shared):
    ahead = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40
    with crowd(said(shared.port, ahead + b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) as [
        own
    ]:
        told = all_said(own)
    assert told.count(b"200 OK") == 40
    assert told.rindex(b"200 OK") < told.index(b"404 Not Found")


@BOTH
def test_a_request_is_what_it_says(shared):
    """Its length where it comes in chunks, letters outside ASCII, cookies apart, a head without a body."""
    body = json.dumps(START | {"players": ["Zoë", "Ben"]}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=20)
    kind = {"Content-Type": "application/json", "Expect": "100-continue"}
    connection.request("POST", "/api/v1/games", iter([body[:20], body[20:]]), kind, encode_chunked=True)
    answer = connection.getresponse()
    made = json.load(answer)
    assert answer.status == 201
    connection.request("HEAD", f"/g/{made['code']}")
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    connection.request("GET", f"/g/{made['code']}?name=%C3%AB&x=1")
    answer = connection.getresponse()
    assert "Zoë" in answer.read().decode()
    assert "Server" not in answer.headers
    connection.request("GET", "/g/%C3%AB%FF")
    assert connection.getresponse().read()
    connection.close()


@BOTH
def test_a_request_that_comes_in_pieces_is_answered(shared):
    body = json.dumps(START | {"submission": "pieces"}).encode()
    own = connect(shared.port)
    head = f"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with crowd(own):
        for place in range(0, len(head + body), 40):
            own.sendall((head + body)[place : place + 40])
            time.sleep(0.01)
        assert b"201 Created" in own.recv(65536)


@BOTH
def test_a_body_too_long_is_refused_in_words_whole_or_in_chunks(shared):
    long = b"x" * (4 * 1024 * 1024 + 1)
    for chunked in (False, True):
        connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=20)
        pieces = iter([long[:-10], long[-10:]]) if chunked else long
        with suppress(BrokenPipeError, ConnectionResetError):  # refused before all of it was sent
            connection.request("POST", "/api/v1/games", pieces, encode_chunked=chunked)
        answer = connection.getresponse()
        assert answer.status == 413
        assert json.load(answer)["error"]["code"] == "request_entity_too_large"
        connection.close()


def test_what_is_being_answered_at_the_end_is_answered(own_server):
    code, secret = start(own_server.url)
    statuses = []

    def save():
        seen = 1
        while True:
            try:
                statuses.append(record(own_server, code, secret, seen))
            except (OSError, http.client.HTTPException):
                return
            seen += 1

    saving = threading.Thread(target=save)
    saving.start()
    eventually(lambda: len(statuses) > 5)
    own_server.process.terminate()
    own_server.process.wait(timeout=SOON)
    saving.join()
    assert set(statuses) == {201}
    own_server.start()
    assert ask(f"{own_server.url}/api/v1/games/{code}")[1]["seen"] == 1 + len(statuses)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_while_streams_are_open(impatient, number):
    code, _ = start(impatient.url)
    streams = [stream(impatient.port, code) for _ in range(20)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 1.0")) == 20
        impatient.process.send_signal(number)
        assert impatient.process.wait(timeout=SOON) == 0


@BOTH
def test_who_asks_for_another_protocol_is_answered_in_this_one(shared):
    wish = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n"
    with crowd(said(shared.port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + wish)) as [own]:
        assert heard([own], b'"status"')
        own.setblocking(True)
        own.sendall(b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert b"404 Not Found" in all_said(own)


class Workers(Server):
    """uvicorn with two processes, as anybody would type it."""

    def launch(self):
        uvicorn = [sys.executable, "-m", "uvicorn", "--factory", "app:application", "--workers", "2"]
        uvicorn += ["--http", "app.server.connections:Connection"]
        self.run(*uvicorn, "--timeout-graceful-shutdown", "3", "--port", str(self.port))


def process_of(own, port):
    """The process that has the other end of a connection, as /proc tells."""
    mine = f":{own.getsockname()[1]:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (inode,) = [each[9] for each in lines if each[1].endswith(f":{port:04X}") and each[2].endswith(mine)]
    for file in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if str(file.readlink()) == f"socket:[{inode}]":
                return file.parts[2]
    return None


@pytest.fixture
def workers(database_url):
    with Workers(database_url) as server:
        yield server


@pytest.mark.both_engines
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs /proc to tell processes apart")
def test_a_hand_saved_by_one_worker_reaches_a_phone_on_the_other(workers):
    code, secret = start(workers.url)
    watching = stream(workers.port, code)
    with crowd(watching):
        assert heard([watching], b"data: 1.0")
        other = eventually(lambda: a_line_to_another(workers.port, process_of(watching, workers.port)))
        body = json.dumps({"seen": 1, "submission": "only", "event": VOID})
        told = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        other.request("POST", f"/api/v1/games/{code}/entries", body, told)
        assert other.getresponse().status == 201
        assert heard([watching], b"data: 2.0", 10)  # a beat would tell it after 15 seconds
        other.close()


def a_line_to_another(port, process):
    """A connection to another process than that one; None if this one came to the same."""
    own = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    own.request("GET", "/livez")
    own.getresponse().read()
    if process_of(own.sock, port) not in (None, process):
        return own
    own.close()
    return None
