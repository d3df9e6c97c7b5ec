"""Rights: checked once more when a request's turn to write has come, and never lost for less."""

import fcntl
import random
import re
import sqlite3
import threading
import time
from contextlib import closing
from uuid import uuid4

import pytest
import sqlalchemy as sa

from app import config, log
from app.kalooki.variants import meanings
from app.log import db
from app.log.database import AT_ONCE, begin
from app.views import device
from tests.pages import START_FORM, Alice, Player, words

pytestmark = pytest.mark.both_engines

TAKE_BACK = "UPDATE \"grant\" SET revoked_at = 'now' WHERE revoked_at IS NULL AND role = :role"


@pytest.fixture
def alice(app):
    app.config["PEN_SECONDS"] = 0
    return Alice(app)


@pytest.fixture
def meanwhile(database_url, monkeypatch):
    """Take rights of a role back between a request's own look at them and its transaction."""

    def take_back(role):
        roles = [role]

        def first(connection, how):
            if how == AT_ONCE and roles:
                with sa.create_engine(config.database_url(database_url)).begin() as other:
                    assert other.execute(sa.text(TAKE_BACK), {"role": roles.pop()}).rowcount == 1
            begin(connection, how)

        monkeypatch.setattr("app.log.database.begin", first)

    return take_back


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
    "a link": lambda alice: alice.client.post(f"/g/{alice.code}/share", data={"do": "scorer"}),
    "a recovery code": lambda alice: alice.client.post(f"/g/{alice.code}/share", data={"do": "recovery"}),
    "the link to watch": lambda alice: alice.client.post(f"/g/{alice.code}/share", data={"do": "watch"}),
    "a right": lambda alice: alice.client.post(f"/g/{alice.code}/share", data={"do": "revoke-2"}),
    "a deletion": lambda alice: alice.client.post(f"/g/{alice.code}/delete", data={"name": "Ann"}),
    "a refusal": lambda alice: alice.appeal("refuse-1"),
    "a call settled": lambda alice: alice.appeal("settle-2"),
}


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_save_that_waited_is_refused_if_its_right_was_taken_back(app, alice, ben, meanwhile, save):
    alice.record({"kind": "void"})
    ben.appeal("pen")
    ben.appeal("referee")
    before = kept(app)
    meanwhile("scorer")
    assert save(alice).status_code == 403
    assert kept(app) == before


ASKS = {
    "a count": lambda ben: ben.count(cards="K Q"),
    "a call for the referee": lambda ben: ben.appeal("referee"),
    "a wish for the pen": lambda ben: ben.appeal("pen"),
    "a call settled": lambda ben: ben.appeal("settle-1"),
    "the pen": lambda ben: ben.appeal("take-2"),
}


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_what_a_seat_asked_for_is_refused_if_the_seat_was_taken_meanwhile(app, alice, ben, meanwhile, ask):
    cat = Player(alice, seat=3)
    cat.appeal("referee")
    ben.appeal("pen")
    with app.app_context():
        log.revoke(alice.code, log.grants(alice.code)[-1].id)  # Cat's: Ben's is the only seat left
        invitations = [grant.id for grant in log.grants(alice.code) if grant.role == "player" and grant.seat is None]
        for invitation in invitations:
            log.revoke(alice.code, invitation)
    before = kept(app)
    meanwhile("player")
    assert ask(ben).status_code == 403
    assert kept(app) == before


def test_the_pen_passed_meanwhile_refuses_the_old_scorers_save(app, alice, ben, database):
    """The real wait: the save stands in the queue for the file while the pen passes."""
    ben.appeal("pen")
    answers = []
    with (database.parent / f"{database.name}.lock").open("a") as queue:
        fcntl.flock(queue, fcntl.LOCK_EX)
        save = threading.Thread(target=lambda: answers.append(alice.scorer.send({"kind": "void"})))
        save.start()
        time.sleep(0.3)
        with closing(sqlite3.connect(database)) as other, other:
            assert other.execute(TAKE_BACK, {"role": "scorer"}).rowcount == 1
    save.join()
    assert [(answer.status_code, answer.json["error"]["code"]) for answer in answers] == [(403, "forbidden")]
    assert alice.table.seen == 1


def test_a_link_taken_back_meanwhile_seats_nobody(app, alice, client, meanwhile):
    link = alice.link("player")
    before = kept(app)
    meanwhile("player")
    assert client.post(link, data={"seat": "2"}).status_code == 403
    assert kept(app) == before


def test_a_recovery_code_replaced_meanwhile_gives_no_right(app, alice, client, meanwhile):
    with app.app_context():
        typed = log.mint(alice.code, "recovery")
    before = kept(app)
    meanwhile("recovery")
    assert client.post(f"/g/{alice.code}/recover", data={"recovery": typed}).status_code == 403
    assert kept(app) == before


# ---- What a device keeps


def may_write(client, code):
    return client.get(f"/g/{code}/hand").status_code == 200


def test_a_scorers_right_is_not_forgotten_for_games_only_watched(app, alice):
    others = [Alice(app).code for _ in range(device.MOST_GAMES + 2)]
    for code in others:
        assert alice.client.get(f"/g/{code}").status_code == 200
    assert may_write(alice.client, alice.code)
    page = alice.client.get("/games").text
    assert [code in page for code in others[:4]] == [False, False, False, True]
    assert alice.code in page


def test_of_many_rights_none_is_forgotten_and_the_last_game_watched_is_known(app, alice):
    own = [Alice(app) for _ in range(device.MOST_GAMES + 5)]
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
        made = [log.new_game(start, str(uuid4()), "script") for _ in range(device.MOST_RIGHTS - 1)]
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
            device.keep_setup(start | {"house": dict.fromkeys(keys[:count], 10_000)})
            kept.append(device.session.get("setup"))
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
        cookie["setup"] = largest_kept(full, start, keys)
    full.client.post(f"/g/{full.code}/share", data={"do": "revoke-99"})
    made = full.client.post(f"/g/{full.code}/share", data={"do": "scorer", "whom": names[0]})
    assert 3000 < len(made.headers["Set-Cookie"]) < 4096
    answer = full.client.get(f"/g/{full.others[-1]}")
    assert 3000 < len(answer.headers["Set-Cookie"]) < 4096
    assert may_write(full.client, full.others[-1])


def test_a_full_device_is_told_before_a_right_is_given(app, full):
    before = kept(app)
    other = Alice(app)
    recovery = other.client.post(f"/g/{other.code}/share", data={"do": "recovery"}, follow_redirects=True).text
    typed = re.search(r"[2-9A-Z]{5}(?:[ -][2-9A-Z]{5}){3}|[2-9A-Z]{20}", words(recovery))[0]
    link = other.link("player")
    made = kept(app)
    recover = f"/g/{other.code}/recover"
    for address, data in (("/new", FORM), (link, {"seat": "2"}), (recover, {"recovery": typed})):
        answer = full.client.post(address, data=data)
        assert (answer.status_code, answer.location) == (303, "/games"), address
        assert "Forget one of them first" in words(full.client.get("/games").text)
    assert full.client.get(f"/g/{other.code}/s/{other.scorer.secret}").location == "/games"
    assert kept(app) == made != before
    assert all(may_write(full.client, code) for code in (full.code, full.others[-1]))


def test_one_game_forgotten_makes_room(full):
    full.client.post("/games", data={"forget": full.others[0]})
    game = full.client.post("/new", data=FORM).location
    assert may_write(full.client, game[3:])


def test_rights_taken_back_make_room(app, full):
    with app.app_context():
        log.revoke(full.others[0], log.grants(full.others[0])[0].id)
    assert may_write(full.client, full.client.post("/new", data=FORM).location[3:])


def test_a_players_link_takes_no_greater_right(app, alice, ben):
    with app.app_context():
        seat = log.mint(alice.code, "player", seat=3)
    invitation = alice.link("player").rsplit("/", 1)[1]
    for secret in (seat, invitation):
        assert alice.client.get(f"/g/{alice.code}/s/{secret}").status_code in (302, 303)
        assert may_write(alice.client, alice.code)
    assert ben.client.get(f"/g/{alice.code}/s/{invitation}").location == f"/g/{alice.code}/p/{invitation}"
    assert "My cards left" in words(ben.get().text)


def test_a_players_phone_takes_the_greater_right(app, alice, ben):
    assert ben.client.get(alice.link("scorer")).status_code == 303
    assert may_write(ben.client, alice.code)
