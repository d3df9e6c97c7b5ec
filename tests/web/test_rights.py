"""Rights: checked once more when a request's turn to write has come, and never lost for less."""

import random
import sqlite3
import threading
import time
from contextlib import closing, contextmanager
from uuid import uuid4

import pytest
import sqlalchemy as sa

from app import settings
from app.kalooki.variants import meanings
from app.store import database as transactions
from app.store import games, grants
from app.store.database import db, transaction
from app.views import access
from tests.pages import START_FORM, Alice, start_by_form, take_back, words

pytestmark = pytest.mark.both_engines

TAKE_BACK = "UPDATE \"grant\" SET revoked_at = 'now' WHERE revoked_at IS NULL AND role = :role"
SWITCH = "UPDATE game SET only_starter_records = true"


@pytest.fixture
def meanwhile(database_url, monkeypatch):
    """Let somebody else do something between a request's own look at its right and its transaction."""

    def do(statement, **given):
        todo = [statement]

        @contextmanager
        def first():
            if todo:
                with sa.create_engine(settings.database_url(database_url)).begin() as other:
                    assert other.execute(sa.text(todo.pop()), given).rowcount == 1
            with transaction() as connection:
                yield connection

        monkeypatch.setattr(transactions, "transaction", first)

    return do


def kept(app):
    """Everything stored, but for when rights were taken back."""
    with app.app_context(), db.engine.connect() as connection:
        tables = (table for name, table in db.metadata.tables.items() if name != "alembic_version")
        columns = ([column for column in table.c if column.name != "revoked_at"] for table in tables)
        return [sorted(connection.execute(sa.select(*each)), key=str) for each in columns]


SAVES = {
    "an entry": lambda alice: alice.send("/void", reason="wrong deal"),
    "an entry by a script": lambda alice: alice.scorer.send({"kind": "void"}),
    "a form": lambda alice: alice.send("/enter/leave", seat="2", do="save"),
    "an entry taken back": lambda alice: alice.send("/undo/2"),
    "new links": lambda alice: alice.client.post(f"/g/{alice.code}/share"),
    "a deletion": lambda alice: alice.client.post(f"/g/{alice.code}/delete", data={"name": "Ann"}),
}


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_save_that_waited_is_refused_if_its_right_was_taken_back(app, alice, meanwhile, save):
    alice.record({"kind": "void"})
    before = kept(app)
    meanwhile(TAKE_BACK, role="scorer")
    assert save(alice).status_code == 403
    assert kept(app) == before


def test_a_count_is_refused_if_the_seat_was_taken_meanwhile(app, alice, ben, meanwhile):
    before = kept(app)
    meanwhile(TAKE_BACK, role="player")
    assert ben.count(left="K Q").status_code == 403
    assert kept(app) == before


VOID = {"reason": "wrong deal", "seen": "1", "submission": "void"}


def test_a_save_that_waited_is_refused_if_only_the_starting_phone_records_by_now(app, alice, ben, meanwhile):
    meanwhile(SWITCH)
    assert ben.client.post(f"/g/{ben.code}/void", data=VOID).status_code == 403
    assert alice.table.seen == 1
    assert ben.count(left="K Q").status_code == 303


def test_a_count_that_waited_is_saved_though_only_the_starting_phone_records_by_now(ben, meanwhile):
    meanwhile(SWITCH)
    assert ben.count(left="K Q").status_code == 303


def test_a_right_taken_back_in_the_queue_refuses_the_save(alice, database):
    """The real wait: the save stands in the queue for the file."""
    answers = []
    with closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        save = threading.Thread(target=lambda: answers.append(alice.scorer.send({"kind": "void"})))
        save.start()
        time.sleep(0.3)
        assert other.execute(TAKE_BACK, {"role": "scorer"}).rowcount == 1
        other.commit()
    save.join()
    assert [(answer.status_code, answer.json["error"]["code"]) for answer in answers] == [(403, "forbidden")]
    assert alice.table.seen == 1


def test_a_link_of_0_3_taken_back_meanwhile_seats_nobody(app, alice, client, meanwhile):
    with app.app_context():
        secret = grants.mint(alice.code, "player")
    before = kept(app)
    meanwhile(TAKE_BACK, role="player")
    assert client.post(f"/g/{alice.code}/p/{secret}", data={"seat": "2"}).status_code == 403
    assert kept(app) == before


# ---- What a device keeps


def may_write(client, code):
    return client.get(f"/g/{code}/hand").status_code == 200


def test_a_scorers_right_is_not_forgotten_for_games_only_watched(app, alice):
    others = [Alice(app).code for _ in range(access.MOST_GAMES + 2)]
    for code in others:
        assert alice.client.get(f"/g/{code}").status_code == 200
    assert may_write(alice.client, alice.code)
    page = alice.client.get("/games").text
    assert [code in page for code in others[:4]] == [False, False, False, True]
    assert alice.code in page


def test_of_many_rights_none_is_forgotten_and_the_last_game_watched_is_known(app, alice):
    own = [Alice(app) for _ in range(access.MOST_GAMES + 5)]
    for other in own:
        alice.client.get(f"/g/{other.code}/s/{other.scorer.secret}")
    bobs = Alice(app).code
    alice.client.get(f"/g/{bobs}")
    assert all(may_write(alice.client, game.code) for game in (*own, alice))
    assert bobs in alice.client.get("/games").text


@pytest.fixture
def full(app, alice):
    """Alice's device with as many rights as it can keep; the games are there, of one kind."""
    with app.app_context():
        start = alice.table.log.entries[0].event
        made = [games.new_game(start, str(uuid4()), "script") for _ in range(access.MOST_RIGHTS - 1)]
    with alice.client.session_transaction() as cookie:
        cookie["games"] += [[new.code, new.secret, True] for new in made]
    alice.others = [new.code for new in made]
    return alice


FORM = START_FORM | {"players-0-name": "Bartholomew Fitzgera", "players-1-name": "Wilhelmina Fitzgeral"}


def largest_kept(full, start, keys):
    """The setup with most house rules that a device remembers; one with all of them is not kept in half."""
    kept = []
    for count in range(len(keys) + 1):
        with full.client.application.test_request_context():
            access.store_setup(start | {"house": dict.fromkeys(keys[:count], 10_000)})
            kept.append(access.session.get("setup"))
    assert kept[-1] is None
    assert kept[30]["house"].keys() == {*keys[:30]}
    return [each for each in kept if each][-1]


def test_the_cookie_of_a_full_device_is_kept_by_browsers(full):
    """The worst there can be: a table of thirteen with names in emoji, every house rule, words for the next page."""
    chance = random.Random(13)
    names = ["".join(chr(chance.randint(0x1F300, 0x1F9FF)) for _ in range(20)) for _ in range(13)]
    keys = [key for key, meaning in meanings().items() if meaning.house]
    start = {"kind": "start", "variant": "north-american", "players": names, "dealer": 13}
    with full.client.session_transaction() as cookie:
        cookie["look"] = ["largest", "light"]
        cookie["copies"] = [[code[::-1], False] for code in full.others[:4]]
        cookie["setup"] = largest_kept(full, start, keys)
    answer = full.client.get(f"/g/{full.others[-1]}")
    assert 3000 < len(answer.headers["Set-Cookie"]) < 4096
    assert may_write(full.client, full.others[-1])


def test_a_full_device_is_told_before_a_right_is_given(app, full):
    before = kept(app)
    other = Alice(app)
    scorers = other.link("scorer")
    made = kept(app)
    for address, data in (("/new", FORM), (other.link("player"), {"seat": "2"})):
        answer = full.client.post(address, data=data)
        assert (answer.status_code, answer.location) == (303, "/games"), address
        assert "Remove one from this device first" in words(full.client.get("/games").text)
    for link in (scorers, f"/g/{other.code}/s/{other.scorer.secret}"):
        assert full.client.get(link).location == "/games"
    assert kept(app) == made != before
    assert all(may_write(full.client, code) for code in (full.code, full.others[-1]))


def test_one_game_forgotten_makes_room(full):
    full.client.post("/games", data={"forget": full.others[0]})
    assert may_write(full.client, start_by_form(full.client, FORM).code)


def test_rights_taken_back_make_room(app, full):
    with app.app_context():
        right = grants.list_grants(full.others[0])[0].id
    take_back(app, right)
    assert may_write(full.client, start_by_form(full.client, FORM).code)


def test_the_finished_game_that_was_joined_and_opened_longest_ago_makes_room(app, alice, full):
    """Neither a game still played, nor one of a scorer's right, nor a finished one opened later."""
    joined = [Alice(app) for _ in range(3)]
    for game in joined:
        full.client.post("/games", data={"forget": full.others.pop()})
        full.client.post(game.link("player"), data={"seat": "2"})
    for game in (joined[1], joined[2], alice):
        game.record({"kind": "stop", "pool": "refund"})
    fresh = start_by_form(full.client, FORM).code
    assert may_write(full.client, fresh)
    seats = ["You play as Ben" in words(full.client.get(f"/g/{game.code}/more").text) for game in joined]
    assert seats == [True, False, True]
    assert all(may_write(full.client, code) for code in (alice.code, full.others[0]))


def test_a_players_link_takes_no_greater_right(app, alice, ben):
    with app.app_context():
        seat, invitation = grants.mint(alice.code, "player", seat=3), grants.mint(alice.code, "player")
    for secret in (seat, invitation):
        assert alice.client.get(f"/g/{alice.code}/s/{secret}").status_code in (302, 303)
        assert may_write(alice.client, alice.code)
    assert "My cards" in words(ben.get().text)


def test_a_players_phone_takes_the_greater_right(app, alice, ben):
    assert ben.client.get(alice.link("scorer")).status_code == 303
    assert may_write(ben.client, alice.code)
