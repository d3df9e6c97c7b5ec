"""A game holds what an evening needs; heavy work is done two at a time, and whoever finds no room comes back."""

import sqlite3
import threading
import tracemalloc
from contextlib import ExitStack, closing, contextmanager
from io import BytesIO

import pytest
from markupsafe import escape

from app.games import recording
from app.games.recording import LONGEST_LOG, as_json
from app.kalooki.game.play import MOST_ENTRIES
from app.store.games import serialize, size_of
from app.views import limits
from tests.json_scorer import Scorer, send
from tests.pages import all_hold, hand, start, words
from tests.server import eventually
from tests.web.paper_reader import BROWSER

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


def test_a_log_of_more_entries_than_a_game_holds_is_not_imported(client):
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


@pytest.mark.parametrize("many", [b"[],", b"{},", b"[" * 40 + b"]" * 40 + b","])
def test_what_is_nothing_but_brackets_is_refused_before_it_takes_memory(client, many):
    text = b"[" + many * (1_000_000 // len(many)) + b"0]"
    tracemalloc.start()
    with pytest.raises(ValueError, match="too many lists"):
        as_json(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < len(text) / 10, "read, it takes 25 times its length"
    answer = client.post(f"{API}/check/meld", data=text, content_type="application/json")
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "body")
    sent = client.post("/copy/saved", data={"saved": (BytesIO(text), "game.json")})
    assert sent.status_code == 422


def test_a_game_with_very_many_lists_is_read_again(client):
    claim = [[] for _ in range(3_900)]
    ruling = {"kind": "ruling", "check": "meld", "verdict": {}, "claim": {"cards": claim}}
    made = bring(client, *[ruling] * 4, *[VOID] * (MOST_ENTRIES - 5))
    assert made.status_code == 201, made.json
    export = client.get(f"{API}/games/{made.json['code']}/sheet.json").data
    assert export.count(b"[") + export.count(b"{") > 15_000
    assert client.post(f"{API}/games/import", data=export, content_type="application/json").status_code == 201


def test_the_document_says_how_many_entries_there_may_be(client):
    told = client.get(f"{API}/openapi.json").json["paths"]
    body = told["/games/import"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["log"]["maxItems"] == MOST_ENTRIES
    assert str(MOST_ENTRIES) in told["/games/{code}/entries"]["post"]["description"]


def test_an_evening_of_a_hundred_hands_is_not_a_tenth_of_what_a_game_holds():
    assert 100 * size_of(serialize(all_hold("KH 7S 2C", 8))) < LONGEST_LOG / 10


@contextmanager
def taken(places):
    """So many others do something heavy, or wait for it."""
    with ExitStack() as held:
        for _ in range(places):
            held.enter_context(limits._CAPACITY)
        for _ in range(min(places, limits.AT_ONCE)):
            held.enter_context(limits._TURNS)
        yield held


FULL = limits.AT_ONCE + limits.WAITING
SOLVE = "check?check=solve&cards=7H+8H+9H+7S+7D+*"
PLACES = ("/api/v1/games/{}/sheet.pdf", "/g/{}/result.png", "/g/{}/" + SOLVE, "/" + SOLVE, "/g/{}/hands/2/best")


@pytest.mark.parametrize("place", PLACES)
def test_what_is_heavy_and_finds_no_room_is_told_at_once_and_comes_back_by_itself(client, alice, place):
    alice.record(hand(1, s2="KH QD 7S", s3="* 2C"))
    with taken(FULL):
        answer = client.get(place.format(alice.code), headers=BROWSER)
    assert (answer.status_code, answer.headers["Retry-After"], answer.headers["Refresh"]) == (503, "5", "5")
    assert "This page tries again by itself, in 5 seconds." in words(answer.text)
    assert "Send it again" not in answer.text  # nothing was sent
    assert client.get(place.format(alice.code), headers=BROWSER).status_code == 200


def test_a_program_is_told_when_to_come_back(client, long_game):
    saved = client.get(f"{API}/games/{long_game}/sheet.json").json
    with taken(FULL):
        told = [client.post(f"{API}/solve", json=HARD), client.post(f"{API}/games/import", json=saved)]
        assert client.post(f"{API}/check/meld", json=HARD).status_code == 200
        assert bring(client, VOID).status_code == 201, "a short game is no heavy one"
    assert [(answer.status_code, answer.headers["Retry-After"]) for answer in told] == [(503, "5")] * 2
    assert {answer.json["error"]["code"] for answer in told} == {"service_unavailable"}
    assert client.post(f"{API}/solve", json=HARD).status_code == 200


@pytest.mark.parametrize("is_file", [False, True])
def test_a_long_game_sent_by_a_form_is_kept_and_sent_again_by_the_page(client, long_game, is_file):
    pasted = client.get(f"{API}/games/{long_game}/sheet.json").text
    with taken(FULL):
        sent = {"pasted": pasted} if not is_file else {"saved": (BytesIO(pasted.encode()), "game.json"), "pasted": ""}
        answer = client.post("/copy/saved", data=sent, headers=BROWSER)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert 'data-retry-after="5"' in answer.text
    assert escape(pasted) in answer.text
    assert client.post("/copy/saved", data={"pasted": pasted}, headers=BROWSER).status_code == 200


def test_what_tables_do_waits_for_nothing_heavy(client, long_game):
    alice = start(client, "kalooki-51", ["Ann", "Ben", "Cat"])
    client.get(f"/g/{alice.code}/s/{alice.secret}")
    with taken(FULL):
        alice.record(hand(1, s2="KH QD 7S", s3="* 2C"))
        typed = {"winner": "1", "ending": "going_out", "left-2": "10", "left-3": "5", "seen": "2"}
        form = typed | {"submission": "typed"}
        assert client.post(f"/g/{alice.code}/hand/preview", data=form).status_code == 200
        assert client.post(f"/g/{alice.code}/hand", data=form | {"do": "save"}).status_code == 303
        shown = [f"/g/{code}{page}" for code in (alice.code, long_game) for page in FOLLOWED]
        assert {client.get(address).status_code for address in shown} == {200}


FOLLOWED = ("", "/board", "/table", "/settle", "/version", "/check?cards=7H+8H+9H", "/share", "/history", "/sheet")


def test_one_who_waits_has_the_next_turn(client):
    statuses = []
    with taken(limits.AT_ONCE) as others:
        waiting = threading.Thread(target=lambda: statuses.append(client.post(f"{API}/solve", json=HARD).status_code))
        waiting.start()
        eventually(lambda: limits._CAPACITY._value == limits.WAITING - 1)
        assert statuses == []
        others.close()
        waiting.join(10)
    assert statuses == [200]


def test_one_who_waits_in_vain_comes_back_too(client, monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE", 0.05)
    with taken(limits.AT_ONCE):
        assert client.post(f"{API}/solve", json=HARD).status_code == 503
        assert limits._CAPACITY._value == limits.WAITING
    assert client.post(f"{API}/solve", json=HARD).status_code == 200


def test_a_game_nobody_has_open_is_added_up_before_its_save_keeps_others_from_writing(client, app, database):
    made = bring(client, *[VOID] * 300).json
    own = client, made["code"], made["scorer"]
    with app.app_context():
        known = recording._cache()
    known.clear()
    answers = []
    saving = threading.Thread(target=lambda: answers.append(send(*own, VOID, seen=301)))
    with closing(sqlite3.connect(database, isolation_level=None)) as others:
        others.execute("BEGIN IMMEDIATE")
        saving.start()
        assert eventually(lambda: known.get(made["code"])).seen == 301
        assert answers == []
    saving.join()
    assert answers[0].status_code == 201


def test_games_too_long_to_stand_on_one_page_are_told(client, monkeypatch, long_game):
    monkeypatch.setattr("app.views.access.LONGEST_TOGETHER", 20_000)
    other = bring(client, *[VOID] * 300, submission="other").json["code"]
    for place in ("/evening", "/evening/payments.pdf"):
        assert client.get(f"{place}?game={long_game}").status_code == 200
        answer = client.get(f"{place}?game={long_game}&game={other}")
        assert (answer.status_code, "Choose fewer" in answer.text) == (422, True)
