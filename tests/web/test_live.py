"""Every phone hears of a change at once, or by asking; what it costs is bounded."""

import asyncio
import socket
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from app.live import Streams
from app.server import Application
from app.store.database import Version, db
from tests.conftest import Server
from tests.matrix import some
from tests.pages import Alice, hand, words
from tests.phone import ask, start

pytestmark = pytest.mark.both_engines


class Phone:
    """One open stream of a running server, read line by line as a browser does."""

    def __init__(self, url, code, where="g"):
        port = int(url.rsplit(":", 1)[1])
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.sendall(f"GET /{where}/{code}/live HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
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
    assert (first.text, first.headers["ETag"]) == ("1.0", 'W/"1.0"')
    known = {"If-None-Match": first.headers["ETag"]}
    assert alice.client.get(f"/g/{alice.code}/version", headers=known).status_code == 304
    alice.record(hand(1, s2=35, s3=5))
    again = alice.client.get(f"/g/{alice.code}/version", headers=known)
    assert (again.status_code, again.text) == (200, "2.0")


def test_asking_for_the_version_is_one_statement(alice, app):

    asked = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *each: asked.append(each[2]))
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
    assert "Hand 1 won by Ann" in board.text
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


def test_who_watches_a_club_hears_of_every_save_in_its_games(own_server):
    code, secret = start(own_server.url)
    _, club = ask(f"{own_server.url}/api/v1/clubs", {"name": "Thursday"})
    entries = f"{own_server.url}/api/v1/clubs/{club['code']}/entries"
    phone = Phone(own_server.url, club["code"], "c")
    assert phone.next()[:2] == ("message", "1.0")
    body = {"event": {"kind": "game", "code": code}, "seen": 1, "submission": "a game"}
    assert ask(entries, body, club["keeper"])[0] == 201
    assert phone.next()[:2] == ("message", "2.2"), "the game has an entry, and has been told that it counts"
    record(own_server.url, code, secret, 1)
    assert phone.next()[:2] == ("message", "2.3")
    phone.close()
    for wrong in (Phone(own_server.url, code, "c"), Phone(own_server.url, club["code"], "g")):
        assert wrong.status == 404
        wrong.close()


class Listener:
    """One phone that follows a game by `Streams` in a loop of this test."""

    def __init__(self, live, code):
        self.sent, self.gone = [], asyncio.Event()
        self.task = asyncio.create_task(live.serve(code, self.receive, self.send))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message.get("body", b""))

    async def hears(self, words):
        async with asyncio.timeout(20):
            while words not in self.sent:
                await asyncio.sleep(0.001)

    async def leaves(self):
        self.gone.set()
        return await self.task


def in_a_loop(script, versions, most=100, beat=15.0):
    """What a script returns that is given streams and the versions they tell."""

    async def played():
        live = Streams(lambda codes: {code: versions[code] for code in codes if code in versions}, most, beat)
        return await script(live, versions)

    with ThreadPoolExecutor(1) as apart:  # this thread may have a loop of its own
        return apart.submit(asyncio.run, played()).result()


def test_when_all_streams_are_taken_a_phone_is_sent_away_until_one_leaves():
    async def script(live, _versions):
        first, second = Listener(live, "one"), Listener(live, "two")
        await first.hears(b"data: 1.0\n\n")
        third = Listener(live, "one")
        assert await third.task is False
        assert third.sent == []
        assert await second.leaves()
        fourth = Listener(live, "one")
        await fourth.hears(b"data: 1.0\n\n")
        return await fourth.leaves(), await first.leaves()

    assert in_a_loop(script, {"one": Version(1, 0), "two": Version(1, 0)}, most=2) == (True, True)


def test_a_game_that_is_not_there_has_no_stream():
    async def script(live, _versions):
        phone = Listener(live, "none")
        return await phone.task, phone.sent

    assert in_a_loop(script, {}) == (False, [])


def test_a_phone_hears_each_version_once_and_beats_in_between():
    async def script(live, versions):
        phone = Listener(live, "one")
        await phone.hears(b"event: beat\ndata: 1.0\n\n")
        versions["one"] = Version(2, 0)
        await phone.hears(b"event: beat\ndata: 2.0\n\n")
        await phone.leaves()
        return phone.sent

    sent = in_a_loop(script, {"one": Version(1, 0)}, beat=0.6)
    assert [words for words in sent if words.startswith(b"data")] == [b"data: 1.0\n\n", b"data: 2.0\n\n"]


def test_a_save_in_this_process_is_told_without_waiting_for_the_next_query():
    async def script(live, versions):
        phone, took = Listener(live, "one"), []
        await phone.hears(b"data: 1.0\n\n")
        for seen in range(2, 7):
            versions["one"] = Version(seen, 0)
            began = time.monotonic()
            await asyncio.to_thread(live.look_soon, "one")
            await phone.hears(f"data: {seen}.0\n\n".encode())
            took.append(time.monotonic() - began)
        await phone.leaves()
        return min(took)

    assert in_a_loop(script, {"one": Version(1, 0)}) < 0.05


def test_streams_end_when_nobody_can_say_any_more_and_begin_anew_when_somebody_can():
    async def script(live, versions):
        phone, other = Listener(live, "one"), Listener(live, "two")
        await phone.hears(b"data: 1.0\n\n")
        await other.hears(b"data: 1.0\n\n")
        del versions["one"]
        assert await asyncio.wait_for(phone.task, 20)
        assert not other.task.done()
        versions["one"] = Version(1, 1)
        again = Listener(live, "one")
        await again.hears(b"data: 1.1\n\n")
        live.end()
        return await asyncio.wait_for(asyncio.gather(other.task, again.task), 20)

    assert in_a_loop(script, {"one": Version(1, 0), "two": Version(1, 0)}) == [True, True]


def test_a_stream_holds_no_connection_to_the_database(app):
    alice, served = Alice(app), Application(app)

    async def script(_live, _versions):
        phones = [Listener(served.streams, alice.code) for _ in range(20)]
        for each in phones:
            await each.hears(b"data: 1.0\n\n")
        with app.app_context():
            until = time.monotonic() + 5  # whoever looks for changes borrows one for a moment
            while db.engine.pool.checkedout() and time.monotonic() < until:
                await asyncio.sleep(0.01)
            held = db.engine.pool.checkedout()
        await asyncio.gather(*(each.leaves() for each in phones))
        return held

    assert in_a_loop(script, {}) == 0


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
    assert min(slowest) < 0.6, slowest  # at most 250 ms, and the save itself


class OtherServer(Server):
    """As anybody would type it."""

    command = ()

    def launch(self):
        self.run(sys.executable, *(each.format(port=self.port) for each in self.command))


WSGIREF = """
from wsgiref.simple_server import WSGIRequestHandler, make_server
from app import create_app
WSGIRequestHandler.log_message = lambda *_: None
make_server("127.0.0.1", {port}, create_app()).serve_forever()
"""
GUNICORN = ("-m", "gunicorn", "-w", "2", "--log-level", "error", "--no-control-socket", "-b", "127.0.0.1:{port}")
OTHERS = {
    "gunicorn": (*GUNICORN, "app:create_app()"),
    "flask": (
        "-c",
        "import sys, logging; logging.disable(); from flask.cli import main; main()",
        "--app",
        "app",
        "run",
        "--port",
        "{port}",
    ),
    "wsgiref": ("-c", WSGIREF),
}


@pytest.mark.parametrize("name", some(OTHERS, "gunicorn"))
def test_phones_that_watch_do_not_keep_others_waiting_under_another_server(database, name):
    """However few things it does at a time: they ask for the version instead."""
    server = OtherServer(f"sqlite:///{database}")
    server.command = OTHERS[name]
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
