"""Every phone hears of a change at once, or by asking; what it costs is bounded."""

import errno
import socket
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from app import store
from app.store.changes import LOOKS, NOTHING, changing, signal
from app.store.trouble import Unavailable
from tests.conftest import Server
from tests.matrix import some
from tests.pages import Alice, hand, words
from tests.phone import ask
from tests.streams import Stream

pytestmark = pytest.mark.both_engines


class Phone:
    """One open stream of a running server, read line by line as a browser does."""

    def __init__(self, url, code):
        port = int(url.rsplit(":", 1)[1])
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.sendall(f"GET /g/{code}/live HTTP/1.0\r\nHost: phone\r\n\r\n".encode())
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.status = int(self.lines.readline().split()[1])
        while self.lines.readline().strip():
            pass

    def next(self):
        """The next event: its kind (message or beat), its version, and when it came."""
        kind = "message"
        while True:
            line = self.lines.readline()
            assert line, "the stream ended"
            if line.startswith("event: "):
                kind = line.split()[1]
            if line.startswith("data: "):
                return kind, line.split()[1], time.monotonic()

    def close(self):
        self.lines.close()
        self.socket.close()


@contextmanager
def phones(url, code, count):
    opened = [Phone(url, code) for _ in range(count)]
    yield opened
    for phone in opened:
        phone.close()


def start(url):
    _, game = ask(f"{url}/api/v1/games", {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None})
    return game["code"], game["scorer"]


def record(url, code, secret, seen):
    body = {"seen": seen, "submission": f"hand-{seen}", "event": {"kind": "void", "reason": "misdeal"}}
    assert ask(f"{url}/api/v1/games/{code}/entries", body, secret)[0] == 201


def heard_after(url, code, secret, seen, phones):
    """Seconds until the last phone has heard of one more entry; the best of several is not another process's doing."""
    sent = time.monotonic()
    record(url, code, secret, seen)
    heard = [phone.next() for phone in phones]
    assert {version for _, version, _ in heard} == {f"{seen + 1}.0"}
    return max(at for *_, at in heard) - sent


# ---- Asking


def test_the_version_counts_entries_and_is_not_sent_twice(alice):
    first = alice.get("/version")
    assert (first.text, first.headers["ETag"]) == ("1.0", '"1.0"')
    known = {"If-None-Match": first.headers["ETag"]}
    assert alice.client.get(f"/g/{alice.code}/version", headers=known).status_code == 304
    alice.record(hand(1, s2=35, s3=5))
    again = alice.client.get(f"/g/{alice.code}/version", headers=known)
    assert (again.status_code, again.text) == (200, "2.0")


def test_asking_for_the_version_is_one_statement(alice, app):

    asked = []
    with app.app_context():
        event.listen(store.db.engine, "before_cursor_execute", lambda *each: asked.append(each[2]))
    alice.get("/version")
    assert [statement.split()[0] for statement in asked] == ["SELECT"]


@pytest.mark.parametrize("path", ["/version", "/live", "/board"])
def test_a_game_that_is_not_there_tells_nothing(client, path):
    assert client.get(f"/g/23456789ABC{path}").status_code == 404
    assert client.get(f"/g/short{path}").status_code == 404


def test_the_board_is_the_game_page_without_its_frame(alice):
    alice.record(hand(1, s2=35, s3=5))
    board = alice.get("/board")
    assert "<html" not in board.text
    assert "<h1" not in board.text
    assert "Hand won by Ann" in board.text
    assert words(board.text) in words(alice.get().text)


@pytest.mark.parametrize("page", ["/settle", "/history", "/table"])
def test_a_page_that_follows_the_game_hands_out_its_part(alice, page):
    alice.record(hand(1, s2=35, s3=5))
    whole, part = alice.get(page).text, alice.get(f"{page}?part=1").text
    assert f'data-live="/g/{alice.code}{page}?part=1"' in whole
    assert 'data-version="2.0"' in whole
    assert "<html" not in part
    assert words(part) in words(whole)


def test_a_board_that_is_known_is_not_sent_again(alice):
    first = alice.get("/board")
    known = {"If-None-Match": first.headers["ETag"]}
    assert alice.client.get(f"/g/{alice.code}/board", headers=known).status_code == 304
    alice.record(hand(1, s2=35, s3=5))
    assert alice.client.get(f"/g/{alice.code}/board", headers=known).status_code == 200


def test_a_board_kept_while_watching_is_not_shown_to_who_may_write_now(alice, client):
    watched = client.get(f"/g/{alice.code}/board")
    client.get(f"/g/{alice.code}/s/{alice.scorer.secret}")
    board = client.get(f"/g/{alice.code}/board", headers={"If-None-Match": watched.headers["ETag"]})
    assert "Record hand 1" in board.text


# ---- Being told


def test_a_stream_tells_the_version_at_once_and_at_each_change(own_server):
    code, secret = start(own_server.url)
    with phones(own_server.url, code, 1) as (phone,):
        assert phone.next()[:2] == ("message", "1.0")
        record(own_server.url, code, secret, 1)
        assert phone.next()[:2] == ("message", "2.0")


def test_six_phones_hear_of_a_saved_hand_within_a_second(own_server):
    code, secret = start(own_server.url)
    with phones(own_server.url, code, 6) as six:
        assert [phone.next()[1] for phone in six] == ["1.0"] * 6
        slowest = [heard_after(own_server.url, code, secret, seen, six) for seen in range(1, 6)]
    assert min(slowest) < 1, slowest


def test_other_games_are_not_told(own_server):
    code, secret = start(own_server.url)
    other, others = start(own_server.url)
    with phones(own_server.url, other, 1) as (phone,):
        assert phone.next()[1] == "1.0"
        record(own_server.url, code, secret, 1)
        record(own_server.url, other, others, 1)
        assert phone.next()[1] == "2.0"


def test_a_stream_holds_no_connection_to_the_database(app):
    alice = Alice(app)
    streams = [Stream(alice) for _ in range(20)]
    assert [(each.first_word, each.next()) for each in streams] == [(b"retry: 1000\n\n", b"data: 1.0\n\n")] * 20
    with app.app_context():
        until = time.monotonic() + 5  # whoever looks for changes borrows one for a moment
        while store.db.engine.pool.checkedout() and time.monotonic() < until:
            time.sleep(0.01)
        assert store.db.engine.pool.checkedout() == 0
    for stream in streams:
        stream.close()


def test_when_all_streams_are_taken_a_phone_is_sent_away_to_ask_instead(app):
    app.config["LIVE_STREAMS"] = 2
    alice = Alice(app)
    first, second, third = (Stream(alice) for _ in range(3))
    assert (first.status, second.status, third.status) == (200, 200, 204)
    first.close()
    fourth = Stream(alice)
    assert fourth.status == 200
    second.close()
    fourth.close()


def test_a_change_between_joining_and_hearing_is_not_missed(app):
    alice = Alice(app)
    with app.app_context():
        listener = store.listen(alice.code, 48)
    alice.record(hand(1, s2=35, s3=5))
    told = []
    listener.hear(told.append)
    assert [str(each) for each in told] == ["2.0"]
    listener.close()


def test_who_recorded_is_answered_before_the_phones_hear_and_ask(app):
    alice, answered, told = Alice(app), [], []
    store.tell_afterwards(app, answered.append)
    with app.app_context():
        listener = store.listen(alice.code, 48)
    listener.hear(told.append)
    alice.record(hand(1, s2=35, s3=5))
    time.sleep(4 * LOOKS)  # who looks for what other processes do keeps it back too
    assert [str(each) for each in told] == ["1.0"]
    for tell in answered:
        tell()
    assert [str(each) for each in told] == ["1.0", "2.0"]
    listener.close()


def test_what_others_do_while_a_change_is_refused_is_told_all_the_same(app):
    alice, told = Alice(app), []
    with app.app_context():
        listener, publisher = store.listen(alice.code, 48), app.extensions["publisher"]
    listener.hear(told.append)
    publisher.hold(alice.code)
    publisher.heard(alice.code, store.Version(3, 0))
    assert [str(each) for each in told] == ["1.0"]
    publisher.release(alice.code, NOTHING)
    assert [str(each) for each in told] == ["1.0", "3.0"]
    listener.close()


def no_room(_connection):
    raise OSError(errno.ENOSPC, "full")


def test_what_could_not_be_stored_is_told_to_nobody(app):
    alice, told = Alice(app), []
    with app.app_context():
        listener = store.listen(alice.code, 48)
        listener.hear(told.append)
        event.listen(store.db.engine, "commit", no_room)
        with pytest.raises(Unavailable), changing(alice.code) as (connection, locked):
            signal(connection, locked.id)
        event.remove(store.db.engine, "commit", no_room)
        assert [str(each) for each in told] == ["1.0"]
        with changing(alice.code) as (connection, locked):
            signal(connection, locked.id)
    assert [str(each) for each in told] == ["1.0", "1.1"]
    listener.close()


def test_a_phone_that_joins_meanwhile_is_told_how_far_the_game_has_come(app):
    alice, told = Alice(app), []
    store.tell_afterwards(app, [].append)
    alice.record(hand(1, s2=35, s3=5))
    with app.app_context():
        listener = store.listen(alice.code, 48)
    listener.hear(told.append)
    assert [str(each) for each in told] == ["2.0"]
    listener.close()


# ---- Several processes


@pytest.fixture(params=["sqlite", "postgresql"])
def two_servers(request, database):
    """Two processes on one database."""
    url = f"sqlite:///{database}" if request.param == "sqlite" else request.getfixturevalue("migrated_postgresql")()
    pair = [Server(url), Server(url)]
    for each in pair:
        each.start()
    yield pair
    for each in pair:
        each.stop()


def test_a_hand_saved_in_one_process_reaches_the_phones_of_another(two_servers):
    here, there = (each.url for each in two_servers)
    code, secret = start(here)
    with phones(there, code, 3) as three:
        assert [phone.next()[1] for phone in three] == ["1.0"] * 3
        slowest = [heard_after(here, code, secret, seen, three) for seen in range(1, 4)]
    assert min(slowest) < 1, slowest


class Gunicorn(Server):
    """As anybody would type it."""

    options = ()

    def launch(self):
        gunicorn = [sys.executable, "-m", "gunicorn", *self.options, "--log-level", "error", "--no-control-socket"]
        self.run(*gunicorn, "-b", f"127.0.0.1:{self.port}", "app:create_app()")


@pytest.mark.parametrize("options", some(["-w 2", "--threads 4"], "-w 2"))
def test_phones_that_watch_do_not_keep_others_waiting_under_another_server(database, options):
    """Two processes that do one thing at a time, and one that does four."""
    server = Gunicorn(f"sqlite:///{database}")
    server.options = options.split()
    server.start()
    try:
        code, secret = start(server.url)
        watching = [Phone(server.url, code) for _ in range(6)]
        assert [phone.status for phone in watching] == [204] * 6
        for _ in range(3):
            with urllib.request.urlopen(f"{server.url}/g/{code}", timeout=8) as page:
                assert page.status == 200
        record(server.url, code, secret, 1)
        with urllib.request.urlopen(f"{server.url}/g/{code}/version", timeout=8) as told:
            assert told.read() == b"2.0"
    finally:
        server.stop()
    for phone in watching:
        phone.close()


def test_what_is_rolled_back_is_told_to_nobody(app):
    alice = Alice(app)
    stream = Stream(alice)
    answer = alice.scorer.send(hand(1, s2=35))  # Cat's cards are missing: refused
    assert answer.status_code == 422
    alice.record(hand(1, s2=35, s3=5))
    assert [stream.next(), stream.next()] == [b"data: 1.0\n\n", b"data: 2.0\n\n"]
    stream.close()
