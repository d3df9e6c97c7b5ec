"""Tables a process keeps: opened again they are as they are now, and nobody changes what is kept."""

import shutil
import sqlite3
from contextlib import closing
from uuid import uuid4

import pytest
from cachetools import LRUCache

from app import create_app
from app.api import games
from app.api.answers import state_json
from app.games import recording
from app.games.recording import open_game
from app.kalooki.game.events import from_json
from app.store import games as stored_games
from app.store import grants, opening
from tests.conftest import application
from tests.json_scorer import Scorer
from tests.phone import ask, start

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "dealer": 1}


def hand(**left):
    return {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH", "3": "5D"} | left}


@pytest.fixture
def alice(client):
    return Scorer(client, START)


@pytest.fixture
def opened(app):
    """Opens a game as a request would."""

    def opened(code):
        with app.test_request_context("/"):
            return open_game(code)

    return opened


def test_a_table_nobody_has_changed_is_not_played_again(alice, opened):
    alice.record(hand())
    assert opened(alice.code) is opened(alice.code)


def test_what_was_recorded_since_is_read_and_nothing_else(app, database, alice, opened, monkeypatch):
    alice.record(hand())
    before = opened(alice.code)
    other = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    alice.client = other.test_client()
    alice.record({"kind": "void", "reason": "misdeal"})
    read = []
    monkeypatch.setattr(recording, "from_json", lambda raw: read.append(raw) or from_json(raw))
    after = opened(alice.code)

    assert read == [{"kind": "void", "reason": "misdeal"}]
    assert (before.seen, after.seen) == (2, 3)
    assert after.entries[:2] == before.entries
    assert after.game.hands[-1].reason == "misdeal"


def test_a_signal_makes_another_edition_of_the_same_game(app, alice, opened):
    before = opened(alice.code)
    with app.app_context():
        stored_games.hand_in(alice.code, 1, 2, "KH")
    after = opened(alice.code)

    assert (before.version, after.version) == ((1, 0), (1, 1))
    assert after.game is before.game


def test_a_game_whose_links_were_reset_is_gone_at_once(app, alice, opened):
    opened(alice.code)
    with app.app_context():
        fresh = grants.reset_links(alice.code, None)

    assert opened(alice.code) is None
    assert opened(fresh).seen == 1


def test_what_another_process_records_shows_at_once(app, client, own_server):
    code, secret = start(own_server.url)
    own, theirs = f"/api/v1/games/{code}", f"{own_server.url}/api/v1/games/{code}"
    events = [hand(), hand(), {"kind": "undo", "target": 2}, {"kind": "amend", "target": 3, "event": {"kind": "void"}}]
    for seen, event in enumerate(events, 1):
        assert client.get(own).json["seen"] == seen
        body = {"event": event, "seen": seen, "submission": str(uuid4())}
        status, answer = ask(f"{theirs}/entries", body, secret)
        assert status == 201
        assert client.get(own).json == answer["state"]
        assert ask(theirs)[1] == answer["state"]


def test_another_database_in_place_of_this_one_is_read_anew(app, client, alice, database, tmp_path):
    """A backup put back: the same game with other entries, and as many."""
    alice.record(hand())
    with app.app_context():
        opening.backup(tmp_path / "backup.db")
    alice.record(hand(**{"2": "QH 2C"}))
    assert client.get(f"/api/v1/games/{alice.code}").json["players"][1]["total"] == 22
    put_back(tmp_path / "backup.db", database)
    assert client.get(f"/api/v1/games/{alice.code}").json["seen"] == 2
    alice.seen = 2
    alice.record(hand(**{"2": "3H"}))
    assert client.get(f"/api/v1/games/{alice.code}").json["players"][1]["total"] == 13


def put_back(backup, database):
    """As SQLite's own shell does it, into the very file that is open."""
    with closing(sqlite3.connect(backup)) as source, closing(sqlite3.connect(database)) as target:
        source.backup(target)


def test_tables_opened_long_ago_make_room(app, client):
    kept = app.extensions["recorded games"] = LRUCache(6, getsizeof=lambda table: table.seen)
    tables = [Scorer(client, START) for _ in range(3)]
    for each in tables:
        each.record(hand())
    tables[0].state()
    Scorer(client, START).state()
    assert [each.code in kept for each in tables] == [True, False, True]


PLACES = ("", "/board", "/table", "/more", "/history", "/settle", "/share", "/sheet", "/rules", "/disputes",
          "/hand", "/rematch", "/check?cards=7H+8H+9H", "/undo/3", "/void")  # fmt: skip
FILES = ("html", "csv", "json", "txt")


def test_no_page_changes_a_table_that_is_kept(client, alice, opened):
    events = [hand(), hand(**{"2": "* * AS KD"}), {"kind": "penalty", "seat": 2, "points": 5, "amount": 10}]
    events += [{"kind": "join", "name": "Dot", "stake": True}, {"kind": "rename", "seat": 4, "name": "Dora"}]
    events += [{"kind": "undo", "target": 2}, {"kind": "insert", "before": 3, "event": {"kind": "void"}}]
    for event in events:
        alice.record(event)
    client.get(f"/g/{alice.code}/s/{alice.secret}")
    table = opened(alice.code)
    before = repr(table)
    shown = {place: client.get(f"/g/{alice.code}{place}").status_code for place in PLACES}
    sheets = [client.get(f"/api/v1/games/{alice.code}/sheet.{suffix}").status_code for suffix in FILES]
    alice.send(hand(**{"4": "9C"}), preview=True)

    assert shown == dict.fromkeys(PLACES, 200)
    assert sheets == [200] * len(FILES)
    assert opened(alice.code) is table
    assert repr(table) == before


def test_a_state_is_written_once_until_something_is_recorded(alice, monkeypatch):
    written = []
    monkeypatch.setattr(games, "state_json", lambda table: written.append(table.seen) or state_json(table))
    won = alice.record(hand())
    assert [alice.state(), alice.state()] == [won, won]
    void = alice.record({"kind": "void", "reason": "misdeal"})
    assert [alice.state(), alice.state()] == [void, void]
    assert written == [2, 2, 3, 3], "once for the answer to a save, once for all who ask"


def test_two_applications_on_two_databases_keep_their_own(tmp_path, empty_database, alice):
    other = application(f"sqlite:///{shutil.copy(empty_database, tmp_path / 'other.db')}")
    assert other.test_client().get(f"/api/v1/games/{alice.code}").status_code == 404


def test_who_looks_on_has_the_rows_of_the_scorer_and_no_link_to_correct_them(app, alice):
    alice.record(hand())
    page = f"/g/{alice.code}"
    alice.client.get(f"{page}/s/{alice.secret}")
    bob = app.test_client()
    for _ in range(2):
        assert hands_of(alice.client, page) == hands_of(bob, page)
        assert "/correct/2" not in hands_of(bob, page)


def test_rows_kept_by_one_process_follow_what_another_recorded(app, database, alice):
    page = f"/g/{alice.code}"
    alice.record(hand())
    here = app.test_client()
    assert hands_of(here, page).count("<tr") == 2

    other = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    alice.client = other.test_client()
    alice.record({"kind": "void", "reason": "misdeal"})
    assert "misdeal" in hands_of(here, page)
    assert hands_of(here, page).count("<tr") == 3


def hands_of(client, page):
    """The rows of the hands on a game's page."""
    return client.get(page).text.partition('<table class="score-table')[2].partition("</table>")[0]
