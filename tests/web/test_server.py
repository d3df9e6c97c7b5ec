"""However many are slow, silent or half done, everybody else is served, and what is half done comes to an end."""

import fcntl
import http.client
import json
import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest

from app.serving.asgi import THREADS
from tests.crowd import connect, crowd, half_body, half_headers, heard, is_closed, said, slow_reader, stream
from tests.phone import ask
from tests.server import Server, eventually

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
VOID = {"kind": "void", "reason": "misdeal"}


FAST = ("uvloop", "httptools")
"""What a machine without builds of these goes without."""
BOTH = pytest.mark.parametrize("shared", [(), FAST], indirect=True, ids=["fast", "plain"])


def made(folder, without=(), tells_its_end=False, **config):
    """A server that gives half a request one second, and has room for 300 streams; nothing is printed there."""
    server = Server(f"sqlite:///{folder}/games.db", **{"PATIENCE": 1.0, "LIVE_STREAMS": 300} | config)
    server.application = server.application.replace("app:create_app", "tests.bench._served:recording")
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


def a_game(server):
    _, game = ask(f"{server.url}/api/v1/games", START)
    return game["code"], game["scorer"]


def record(server, code, secret, seen):
    body = {"seen": seen, "submission": f"hand-{seen}", "event": VOID}
    return ask(f"{server.url}/api/v1/games/{code}/entries", body, secret)[0]


ONLY_HAND = {"seen": 1, "submission": "only", "event": VOID}


def sent_hand(port, code, secret):
    """A connection that sends a hand, and then reads nothing."""
    body = json.dumps(ONLY_HAND).encode()
    head = f"POST /api/v1/games/{code}/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret}\r\n"
    typed = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return said(port, (head + typed).encode() + body)


@BOTH
def test_one_crowd_leaves_every_other_phone_served_and_ends_by_time(shared):
    code, secret = a_game(shared)
    port = shared.port
    halves = [make(port) for _ in range(50) for make in (half_headers, half_body)]
    silent = [connect(port) for _ in range(60)]
    streams = [stream(port, code) for _ in range(60)]
    readers = [slow_reader(port, "/static/css/base.css") for _ in range(10)]
    with crowd(*halves, *silent, *streams, *readers):
        began = time.monotonic()
        assert ask(f"{shared.url}/healthz")[0] == 200
        assert record(shared, code, secret, 1) == 201
        assert time.monotonic() - began < 5
        assert len(heard(streams, b"data: 2.0", 5)) == 60
        assert all(is_closed(each, 6) for each in halves + silent)
        assert record(shared, code, secret, 2) == 201
        assert len(heard(streams, b"data: 3.0", 5)) == 60  # these are left open


def test_it_says_that_it_lives_while_everything_else_waits(shared):
    """Another program holds the database, and more ask whether that is ready than there are threads."""
    database = Path(shared.environment["DATABASE_URL"].removeprefix("sqlite:///"))
    with database.with_name(database.name + ".lock").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        asking = [said(shared.port, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(THREADS + 8)]
        with crowd(*asking):
            assert ask(f"{shared.url}/livez")[0] == 200
            assert heard(asking, b" 200 OK", 0.1) == []
    assert ask(f"{shared.url}/readyz", patience=20)[0] == 200


def test_what_was_not_begun_when_its_phone_hung_up_is_left_and_saved_once_when_it_comes_again(shared):
    """All of them wait for their turn, because another program holds the database."""
    games = [a_game(shared) for _ in range(THREADS + 8)]
    database = Path(shared.environment["DATABASE_URL"].removeprefix("sqlite:///"))
    with database.with_name(database.name + ".lock").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        before = shared.said.read_text()
        asking = [said(shared.port, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n") for _ in games]
        sending = [sent_hand(shared.port, code, secret) for code, secret in games]
        with crowd(*asking, *sending):
            assert heard(asking + sending, b" 20", 0.3) == []

        def lines(words):
            return shared.said.read_text().removeprefix(before).count(words)

        eventually(lambda: lines(" - - ") >= len(games) + len(games) - THREADS)
    eventually(lambda: lines(" - - ") + lines(" GET health.ready ") + lines(" POST api.add_entry ") == 2 * len(games))

    def saved():
        return sum(ask(f"{shared.url}/api/v1/games/{code}")[1]["seen"] == 2 for code, _ in games)

    assert saved() == lines(" POST api.add_entry 201 ") < len(games)
    entries = f"{shared.url}/api/v1/games/{{}}/entries"
    assert {ask(entries.format(code), ONLY_HAND, secret)[0] for code, secret in games} <= {200, 201}
    assert saved() == len(games)


def test_a_game_longer_than_any_evening_is_recorded_and_shown_like_others(shared):
    start = {"kind": "start", "house": {"limit": None}} | START
    hand = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 12}, "3": {"points": 7}}}
    log = [{"event": event, "at": "2025-12-31T20:15:00Z", "by": "Ann"} for event in (start, *[hand] * 700)]
    _, made = ask(f"{shared.url}/api/v1/games/import", {"log": log})
    for seen in range(made["seen"], made["seen"] + 3):
        assert record(shared, made["code"], made["scorer"], seen) == 201
    totals = [player["total"] for player in ask(f"{shared.url}/api/v1/games/{made['code']}")[1]["players"]]
    assert totals == [0, 8400, 4900]


def test_many_streams_hear_a_saved_hand_at_once(shared):
    code, secret = a_game(shared)
    streams = [stream(shared.port, code) for _ in range(250)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 1.0", 20)) == 250
        sent = time.monotonic()
        saving = threading.Thread(target=record, args=(shared, code, secret, 1))
        saving.start()
        times = heard(streams, b"data: 2.0", 10)
        saving.join()
    assert len(times) == 250
    assert median(times) - sent < 1  # of a machine that does much else besides


def test_a_stream_that_is_closed_gives_its_place_back(tmp_path):
    with made(tmp_path, LIVE_STREAMS=2) as server:
        code, _ = a_game(server)
        first, second = stream(server.port, code), stream(server.port, code)
        assert len(heard([first, second], b"data: 1.0", 10)) == 2
        third = stream(server.port, code)
        assert len(heard([third], b"204", 5)) == 1
        first.close()
        until = time.monotonic() + 5
        while time.monotonic() < until:
            fourth = stream(server.port, code)
            if heard([fourth], b"data: 1.0", 0.5):
                break
            fourth.close()
        else:
            pytest.fail("no place was given back")
        with crowd(second, third, fourth):
            pass


@BOTH
def test_a_stream_ends_when_the_game_is_given_another_code(shared):
    from app import create_app, store

    code, _ = a_game(shared)
    with crowd(stream(shared.port, code)) as [own]:
        assert heard([own], b"data: 1.0", 5)
        app = create_app({"DATABASE_URL": shared.environment["DATABASE_URL"], "SECRET_KEY": "test"})
        with app.app_context():
            store.reset_links(code, None)
        store.close_database(app)
        assert is_closed(own, 10)


def test_a_silent_stream_beats(tmp_path):
    with made(tmp_path, LIVE_BEAT=0.5) as server, crowd(stream(server.port, a_game(server)[0])) as [own]:
        assert heard([own], b"event: beat\ndata: 1.0\n\n", 5)


def test_what_is_said_behind_the_request_for_a_stream_is_not_listened_to(shared):
    code, _ = a_game(shared)
    with crowd(stream(shared.port, code)) as [own]:
        assert heard([own], b"data: 1.0", 5)
        own.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert not heard([own], b"status", 1)


def test_who_takes_nothing_of_an_answer_is_given_up(shared):
    """However much it had asked for ahead."""
    readers = [slow_reader(shared.port, "/static/fonts/DejaVuSans.ttf") for _ in range(40)]
    with crowd(*readers):
        time.sleep(1)
        assert ask(f"{shared.url}/healthz")[0] == 200
        time.sleep(4)
        taken = 0
        with suppress(OSError):
            while more := readers[0].recv(65536):
                taken += len(more)
        assert taken < 1_000_000  # of what it had asked for 2.3 MB were answered


def all_said(own):
    said = b""
    with suppress(ConnectionResetError):
        while more := own.recv(65536):
            said += more
    return said


@BOTH
def test_what_was_asked_ahead_is_answered_in_turn(shared):
    ahead = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 40
    with crowd(said(shared.port, ahead + b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) as [own]:
        told = all_said(own)
    assert told.count(b"200 OK") == 40
    assert told.rindex(b"200 OK") < told.index(b"404 Not Found")


@BOTH
def test_what_was_asked_too_far_ahead_is_not_kept_in_mind(shared):
    with crowd(said(shared.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 4_000)) as [own]:
        told = all_said(own)
    assert 0 < told.count(b"200 OK") < 1_000


@BOTH
@pytest.mark.parametrize("headers", [
    b"X-a: " + b"a" * 20_000,
    b"\r\n".join(b"X-%d: %s" % (number, b"a" * 30) for number in range(140)),
    b"Content-Length: 3\r\nTransfer-Encoding: chunked",
    b"no header at all",
])  # fmt: skip
def test_what_no_browser_sends_is_no_request(shared, headers):
    with crowd(said(shared.port, b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n\r\n")) as [own]:
        assert all_said(own).startswith(b"HTTP/1.1 400 ")
    assert ask(f"{shared.url}/healthz")[0] == 200


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
    head = f"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
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


def test_what_is_being_answered_at_the_end_is_answered(impatient):
    code, secret = a_game(impatient)
    statuses = []

    def save():
        seen = 1
        while True:
            try:
                statuses.append(record(impatient, code, secret, seen))
            except (OSError, http.client.HTTPException):
                return
            seen += 1

    saving = threading.Thread(target=save)
    saving.start()
    eventually(lambda: len(statuses) > 5)
    began = time.monotonic()
    os.kill(impatient.process.pid, signal.SIGTERM)
    impatient.process.wait(timeout=10)
    saving.join()
    assert time.monotonic() - began < 6
    assert set(statuses) == {201}
    impatient.start()
    assert ask(f"{impatient.url}/api/v1/games/{code}")[1]["seen"] == 1 + len(statuses)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_while_streams_are_open(impatient, number):
    code, _ = a_game(impatient)
    streams = [stream(impatient.port, code) for _ in range(20)]
    with crowd(*streams):
        assert len(heard(streams, b"data: 1.0", 10)) == 20
        impatient.process.send_signal(number)
        assert impatient.process.wait(timeout=5) == 0


def test_only_a_proxy_of_this_machine_may_say_https(shared):
    """And nothing else: a path of its own it may not set."""
    asked = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\n"
        b"Script-Name: /evil\r\nSCRIPT_NAME: /evil\r\nConnection: close\r\n\r\n"
    )
    with crowd(said(shared.port, asked)) as [own]:
        assert b"200 OK" in own.recv(65536)


class Plain(Server):
    """uvicorn itself, as anybody would type it."""

    def launch(self):
        uvicorn = [sys.executable, "-m", "uvicorn", "--factory", "app.serving.asgi:application"]
        self.run(*uvicorn, "--port", str(self.port))


def test_another_server_may_run_it(database):
    with Plain(f"sqlite:///{database}") as server:
        code, secret = a_game(server)
        with crowd(stream(server.port, code)) as [own]:
            assert heard([own], b"data: 1.0", 10)
            assert record(server, code, secret, 1) == 201
            assert heard([own], b"data: 2.0", 10)


@BOTH
def test_who_asks_for_another_protocol_is_answered_in_this_one(shared):
    wish = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n"
    with crowd(said(shared.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + wish)) as [own]:
        assert heard([own], b'"status"', 10)
        own.setblocking(True)
        own.sendall(b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"404 Not Found" in all_said(own)


def kept_alive(port, many, address="127.0.0.1"):
    """Connections that stay open after one answer each, the oldest first."""
    held = []
    for _ in range(many):
        held.append(connect(port, address))
        held[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert held[-1].recv(4096).startswith(b"HTTP/1.1 200")
    return held


def open_ones(held):
    return [not is_closed(each, 0.01) for each in held]


@pytest.fixture
def room():
    """So many open files as the test needs."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def patient(request, tmp_path):
    """One that waits a minute for a request."""
    with made(tmp_path, PATIENCE=60.0, CONNECTIONS=2_000, **getattr(request, "param", {})) as server:
        yield server


def test_idle_connections_give_way_the_longest_idle_first(patient, room):
    """2,200 connections, of which 2,000 are kept, and of one address 500: here a stream and 499 others."""
    code, secret = a_game(patient)
    own = stream(patient.port, code)
    assert heard([own], b"data: 1.0", 10)
    greedy = kept_alive(patient.port, 600)
    with crowd(own, *greedy):
        assert open_ones(greedy) == [False] * 101 + [True] * 499
        silent = [connect(patient.port, f"127.0.1.{1 + number % 4}") for number in range(1_600)]
        with crowd(*silent):
            assert record(patient, code, secret, 1) == 201
            assert heard([own], b"data: 2.0", 5)
            assert all(open_ones(silent[-400:]))
            assert sum(open_ones(greedy)) <= 400


@pytest.mark.parametrize("patient", [{"PROXY_HOPS": 1}], indirect=True)
def test_a_proxy_may_hold_all_connections(patient, room):
    held = kept_alive(patient.port, 600)
    with crowd(*held):
        assert all(open_ones(held))
