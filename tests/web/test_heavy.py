"""A game holds what an evening needs; long answers are made one at a time; nothing grows with what strangers send."""

import fcntl
import gc
import threading
from contextlib import contextmanager
from time import thread_time

import pytest
from flask import request
from werkzeug.test import create_environ

from app import create_app
from app.config import PLACE, PUT_OFF
from app.games import recording
from app.games.recording import LONGEST_LOG
from app.kalooki.game.play import MOST_ENTRIES
from app.lanes import Lanes, Place
from app.queues import FairLock, TooMany
from app.serving.asgi import Application, _own_time
from app.store import as_kept, size_of
from app.views import limits
from tests.crowd import crowd, said
from tests.json_scorer import Scorer, send
from tests.pages import all_hold, hand
from tests.server import eventually

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
VOID = {"kind": "void", "reason": "misdeal"}
LONG_RULING = {"kind": "ruling", "check": "meld", "verdict": {"text": "x" * 15_000}, "claim": {"text": "y" * 15_000}}
API = "/api/v1"


def bring(client, *events, **more):
    log = [{"event": event, "at": "2025-12-31T20:15:00Z", "by": "Ann"} for event in (START, *events)]
    return client.post(f"{API}/games/import", json={"log": log, **more})


@pytest.fixture
def long_game(client):
    """A game too long to be told whole while another such one is."""
    return bring(client, *[VOID] * 300).json["code"]


HARD = {"variant": "north-american", "cards": "7H 8H 9H 7S 7D *", "goal": "most_points"}


def test_a_game_that_is_full_takes_no_more_in_words_and_stays(client):
    made = bring(client, *[VOID] * (MOST_ENTRIES - 2)).json
    own = client, made["code"], made["scorer"], VOID
    last = {"seen": MOST_ENTRIES - 1, "submission": "last"}
    assert send(*own, **last).status_code == 201
    assert send(*own, **last).status_code == 200, "the same again is the same"
    for preview in (False, True):
        answer = send(*own, seen=MOST_ENTRIES, preview=preview)
        assert (answer.status_code, answer.json["error"]["code"]) == (422, "game-full")
        assert "1000 entries at most" in answer.json["error"]["message"]
        assert answer.json["state"]["seen"] == MOST_ENTRIES
    client.get(f"/g/{made['code']}/s/{made['scorer']}")
    form = {"reason": "", "seen": MOST_ENTRIES, "submission": "page", "do": "save"}
    assert "1000 entries at most" in client.post(f"/g/{made['code']}/void", data=form).text
    assert client.get(f"{API}/games/{made['code']}").json["seen"] == MOST_ENTRIES


def test_a_log_of_more_entries_than_a_game_holds_is_not_brought_in(client):
    answer = bring(client, *[VOID] * MOST_ENTRIES)
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "log")
    assert "1000 entries at most; this log has 1001" in answer.json["error"]["message"]


def test_long_rulings_fill_a_game_too(client):
    fitting = LONGEST_LOG // 31_000
    answer = bring(client, *[LONG_RULING] * (fitting + 1))
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "log")
    alice = Scorer(client, {name: value for name, value in START.items() if name != "kind"})
    statuses = []
    while statuses[-1:] in ([], [201]):
        answer = alice.send(LONG_RULING)
        statuses.append(answer.status_code)
        alice.seen = answer.json["state"]["seen"]
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "game-full")
    assert statuses.count(201) in (fitting - 1, fitting)
    alice.record(VOID)  # what is short still fits


def test_the_document_says_how_many_entries_there_may_be(client):
    told = client.get(f"{API}/openapi.json").json["paths"]
    body = told["/games/import"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["log"]["maxItems"] == MOST_ENTRIES
    assert str(MOST_ENTRIES) in told["/games/{code}/entries"]["post"]["description"]


def test_an_evening_of_a_hundred_hands_is_not_a_tenth_of_what_a_game_holds():
    assert 100 * size_of(as_kept(all_hold("KH 7S 2C", 8))) < LONGEST_LOG / 10


@pytest.fixture
def lock(monkeypatch):
    """The turn of what is heavy, for which nobody waits yet and one may."""
    lock = FairLock(1)
    monkeypatch.setattr(limits, "_QUEUE", lock)
    return lock


@contextmanager
def taken(lock):
    """Somebody else has the turn meanwhile."""
    has, over = threading.Event(), threading.Event()

    def hold():
        with lock.held():
            has.set()
            over.wait(10)

    holding = threading.Thread(target=hold)
    holding.start()
    has.wait(10)
    try:
        yield
    finally:
        over.set()
        holding.join()


PLACES = ("/g/{}/history", "/g/{}/sheet", "/evening?game={}", "/api/v1/games/{}/sheet.csv",
          "/g/{}/check?check=solve&cards=7H+8H+9H+7S+7D+*")  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_what_is_heavy_waits_for_its_turn_and_is_told_when_too_many_do(client, lock, long_game, place):
    with taken(lock):
        answer = client.get(place.format(long_game))
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        if place.startswith(API):
            assert answer.json["error"]["code"] == "service_unavailable"
        else:
            assert "Wait a moment" in answer.text
    assert [client.get(place.format(long_game)).status_code for _ in range(3)] == [200] * 3


def test_what_tables_ask_for_waits_for_nobody(client, lock, long_game):
    alice = Scorer(client, {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat"]})
    with taken(lock):
        alice.record(*[hand(1, s2="KH QD 7S", s3="* 2C")] * 40)
        assert {client.get(f"/g/{alice.code}{page}").status_code for page in ("", "/history", "/settle")} == {200}
        assert {client.get(f"/g/{long_game}{page}").status_code for page in FOLLOWED} == {200}


FOLLOWED = ("", "/board", "/table", "/settle", "/version", "/check?cards=7H+8H+9H", "/share")


def test_a_long_game_is_recorded_while_too_many_wait(client, lock):
    """However long it is: its saves, its form, its previews, its state, and the board of every phone."""
    made = bring(client, *[VOID] * 300).json
    client.get(f"/g/{made['code']}/s/{made['scorer']}")
    own = client, made["code"], made["scorer"]
    with taken(lock):
        assert client.get(f"/g/{made['code']}/history").status_code == 503, "the test is about such a game"
        assert client.get(f"/g/{made['code']}/hand").status_code == 200
        typed = {"winner": "1", "ending": "going_out", "points-2": "10", "points-3": "5", "seen": "301"}
        form = typed | {"submission": "typed"}
        assert client.post(f"/g/{made['code']}/hand/preview", data=form).status_code == 200
        assert client.post(f"/g/{made['code']}/hand", data=form | {"do": "save"}).status_code == 303
        sent = hand(1, s2="KH", s3="5D")
        assert send(*own, sent, seen=302, preview=True).status_code == 200
        assert send(*own, sent, seen=302).status_code == 201
        assert send(*own, {"kind": "undo", "target": 303}, seen=303).status_code == 201
        assert client.get(f"{API}/games/{made['code']}").json["seen"] == 304
        assert client.get(f"/g/{made['code']}/board").status_code == 200


EIGHT = all_hold(12, 8)
OF_EIGHT = START | {"players": [f"P{seat}" for seat in range(1, 9)], "variant": "kalooki-51", "house": {"limit": None}}


@pytest.mark.parametrize(("hands", "is_put_off"), [(150, False), (400, True)])
def test_only_what_is_about_a_game_longer_than_any_evening_is_put_off_until_it_is_slow(app, client, hands, is_put_off):
    log = [{"event": event, "at": "2025-12-31T20:15:00Z", "by": "Ann"} for event in (OF_EIGHT, *[EIGHT] * hands)]
    code = client.post(f"{API}/games/import", json={"log": log}).json["code"]
    for path in (f"/g/{code}", f"{API}/games/{code}"):
        for is_slow in (False, True):
            place = Place(None, path, Lanes(), is_slow=is_slow)
            with app.test_request_context(path, environ_overrides={PLACE: place}):
                answer = app.preprocess_request()
                assert (answer is not None) is (PUT_OFF in request.environ) is (is_put_off and not is_slow)


def test_a_game_nobody_has_open_is_added_up_before_its_save_keeps_others_from_writing(client, app, database):
    made = bring(client, *[VOID] * 300).json
    own = client, made["code"], made["scorer"]
    with app.app_context():
        known = recording._kept()
    known.clear()
    answers = []
    saving = threading.Thread(target=lambda: answers.append(send(*own, VOID, seen=301)))
    with database.with_name(f"{database.name}.lock").open("a") as others:
        fcntl.flock(others, fcntl.LOCK_EX)
        saving.start()
        assert eventually(lambda: known.get(made["code"])).seen == 301
        assert answers == []
    saving.join()
    assert answers[0].status_code == 201


def test_hands_are_solved_one_at_a_time(client, lock, long_game):
    with taken(lock):
        answer = client.post(f"{API}/solve", json=HARD)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert client.post(f"{API}/check/meld", json=HARD).status_code == 200
    assert client.post(f"{API}/solve", json=HARD).status_code == 200


def test_long_bodies_are_read_one_at_a_time(client, lock):
    body = b"[" + b"[]," * 20_000 + b"[]]"
    with taken(lock):
        assert client.post(f"{API}/check/meld", data=body).status_code == 503
        assert client.post("/copy", data={"names": "x" * 40_000}).status_code == 503
        assert client.post(f"{API}/check/meld", data=b"[]").status_code == 422
    assert client.post(f"{API}/check/meld", data=body).status_code == 422


def test_one_who_waits_has_the_next_turn(client, monkeypatch, long_game):
    lock = FairLock(2)
    monkeypatch.setattr(limits, "_QUEUE", lock)
    statuses = []
    with taken(lock):
        waiting = threading.Thread(target=lambda: statuses.append(client.get(f"/g/{long_game}/history").status_code))
        waiting.start()
        eventually(lambda: lock._waiting)
        assert statuses == []
        with pytest.raises(TooMany):
            lock.acquire()
    waiting.join(10)
    assert statuses == [200]


def test_sheets_of_long_games_are_made_while_another_long_answer_waits(client, lock, long_game):
    """The press has a queue of its own: who has one of each could wait for ever."""
    with taken(lock):
        assert client.get(f"{API}/games/{long_game}/sheet.pdf").status_code == 200


def test_games_too_long_to_stand_on_one_page_are_told(client, monkeypatch, long_game):
    monkeypatch.setattr("app.views.access.LONGEST_TOGETHER", 20_000)
    other = bring(client, *[VOID] * 300, submission="other").json["code"]
    for place in ("/evening", "/evening/payments.pdf"):
        assert client.get(f"{place}?game={long_game}").status_code == 200
        answer = client.get(f"{place}?game={long_game}&game={other}")
        assert (answer.status_code, "Choose fewer" in answer.text) == (422, True)


@pytest.fixture
def rubbish():
    """What is no longer used and knows itself, by the name of its kind, after something was done twice."""

    def left_by(done):
        done()
        gc.collect()
        gc.set_debug(gc.DEBUG_SAVEALL)
        done()
        gc.collect()
        return {type(each).__name__ for each in gc.garbage}

    yield left_by
    gc.set_debug(0)
    gc.garbage.clear()


@pytest.mark.parametrize("place", ["/history", "/settle", "/table", "/disputes", "/rules"])
def test_a_page_is_gone_once_it_is_sent(client, long_game, rubbish, place):
    """What Python must look for to be rid of it, with all threads stopped, holds whole games until then."""
    assert "Context" not in rubbish(lambda: client.get(f"/g/{long_game}{place}"))


def test_the_place_of_a_request_is_out_before_it_may_come_again(database_url):
    """What is put off gets its next place at once, perhaps while the thread of the first one still ends."""
    served = Application(create_app({"DATABASE_URL": database_url, "SECRET_KEY": "test"}))
    environ = create_environ("/livez") | {PLACE: Place("job", "GET /livez", Lanes())}
    assert served._said(environ).status == 200
    assert PLACE not in environ


def test_looking_for_rubbish_makes_no_request_dear():
    """It falls into whichever is computed just then; a save that was slow for that would wait behind what is slow."""
    kept = [[number] for number in range(300_000)]
    all_time, own_time = thread_time(), _own_time()
    gc.collect()
    spent, counted = thread_time() - all_time, _own_time() - own_time
    assert counted < spent / 4, kept[0]


def test_more_headers_than_any_browser_sends_are_refused(own_server):
    names = b"".join(b"X-%d: 1\r\n" % number for number in range(2_000))
    for headers, answered in ((names[:600], b"200 OK"), (names[:15_000], b"400 Bad Request")):
        whole = headers[: headers.rindex(b"\r\n") + 2]
        own = said(own_server.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + whole + b"\r\n")
        with crowd(own):
            assert own.recv(4096).split(b"\r\n")[0].endswith(answered)
