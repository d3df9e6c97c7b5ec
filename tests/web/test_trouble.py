"""While the database cannot be used everybody is told so, nothing saved is lost, and afterwards all goes on."""

import itertools
import os
import re
import resource
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from urllib.request import urlopen

import pytest
import sqlalchemy as sa

from app.server import Application
from app.store import games as stored_games
from app.store.database import db, version
from app.store.trouble import Unavailable
from tests.pages import START_FORM
from tests.phone import ask, start

VOID = {"kind": "void", "reason": "misdeal"}


@contextmanager
def every_connection(app, statement):
    """Every connection opened meanwhile begins with a statement."""

    def first(connection, _record):
        connection.execute(statement)

    with app.app_context():
        engine = db.engine
    sa.event.listen(engine, "connect", first)
    engine.dispose()
    try:
        yield
    finally:
        sa.event.remove(engine, "connect", first)
        engine.dispose()


@contextmanager
def gone(app, database):
    away = database.with_name("away.db")
    database.rename(away)
    yield
    away.rename(database)


@contextmanager
def replaced(app, database):
    """As by a backup copied into its place."""
    away, other = database.with_name("away.db"), database.with_name("other.db")
    os.link(database, away)
    with closing(sqlite3.connect(database)) as here, closing(sqlite3.connect(other)) as there:
        here.backup(there)
    other.replace(database)
    yield
    away.replace(database)


@contextmanager
def without_journal(app, database):
    journal = database.with_name(database.name + "-wal")
    journal.rename(database.with_name("away"))
    yield
    database.with_name("away").rename(journal)


@contextmanager
def read_only(app, database):
    with every_connection(app, "PRAGMA query_only = ON"):
        yield


@contextmanager
def locked(app, database):
    with every_connection(app, "PRAGMA busy_timeout = 50"), closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.rollback()


@contextmanager
def damaged(app, database):
    """The root page of all entries is nothing but zeros."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        before = file.read(size)
        file.seek((page - 1) * size)
        file.write(bytes(size))
    forget_what_was_read(app)
    yield
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(before)
    forget_what_was_read(app)


def forget_what_was_read(app):
    with app.app_context():
        db.engine.dispose()


TROUBLES = {
    gone: "gone",
    replaced: "replaced",
    without_journal: "gone",
    read_only: "read-only",
    locked: "locked",
    damaged: "damaged",
}


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_trouble_is_told_and_passes(app, database, alice, trouble):
    alice.record(VOID)

    with trouble(app, database):
        refused = alice.scorer.send(VOID, submission="once")
        page = alice.client.post("/new", data=START_FORM)
        health = alice.client.get("/healthz")
    assert (refused.status_code, refused.json["error"]["code"]) == (503, "database_unavailable")
    assert page.status_code == 503
    assert "What was saved is safe" in page.text
    assert (health.status_code, health.json["status"]) == (503, "database_unavailable")
    assert health.json["reason"] == TROUBLES[trouble]
    assert {each.headers["Retry-After"] for each in (refused, page, health)} == {"5"}

    assert alice.client.get("/healthz").status_code == 200
    again = alice.scorer.send(VOID, submission="once")
    assert again.status_code == 201
    assert [entry["event"]["kind"] for entry in again.json["state"]["log"]] == ["start", "void", "void"]


@pytest.mark.parametrize("trouble", [gone, replaced, damaged], ids=lambda trouble: trouble.__name__)
def test_what_cannot_be_read_is_no_page_that_is_not_there(app, database, alice, trouble):
    with trouble(app, database):
        page = alice.get()
        assert (page.status_code, '<a class="button button-primary" href="">Try again</a>' in page.text) == (503, True)
        assert alice.scorer.client.get(f"/api/v1/games/{alice.code}").status_code == 503
        assert alice.client.get("/variants").status_code != 503  # what needs no database goes on
    assert alice.get().status_code == 200


@pytest.mark.parametrize("trouble", [locked, read_only], ids=lambda trouble: trouble.__name__)
def test_what_can_be_read_is_shown_while_nothing_can_be_saved(app, database, alice, trouble):
    with trouble(app, database):
        assert "Ann" in alice.see()


def test_a_file_that_is_gone_is_not_made_anew(app, database, alice):
    with gone(app, database):
        forget_what_was_read(app)  # so that a new connection is wanted
        assert alice.get().status_code == 503
        assert not database.exists()


def test_what_was_saved_into_a_file_lost_meanwhile_is_not_called_saved(app, database, alice):
    """The file goes between the ruling and the commit."""
    away = database.with_name("away.db")

    def lose(_connection):
        database.rename(away)

    with app.app_context():
        sa.event.listen(db.engine, "commit", lose)
        with pytest.raises(Unavailable):
            stored_games.append(alice.code, 1, VOID, "once", "Ann")
        sa.event.remove(db.engine, "commit", lose)
        away.rename(database)
        assert stored_games.saved_as(alice.code, "once") == 2  # the phone sends it again, and it is there once
        assert version(alice.code).seen == 2


def test_a_stream_ends_where_nobody_can_tell_any_more(app, database, alice):
    ask_versions = Application(app)._versions
    assert ask_versions([alice.code]) == {alice.code: (1, 0)}
    with gone(app, database):
        assert ask_versions([alice.code]) == {}
    assert ask_versions([alice.code]) == {alice.code: (1, 0)}


def test_a_writer_is_let_in_when_the_other_one_has_done(app, database, alice):
    with closing(sqlite3.connect(database, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.rollback)
        release.start()
        alice.record(VOID)
        release.join()
    assert alice.table.seen == 2


@pytest.mark.long
def test_a_lock_held_for_a_minute_is_told_and_passes(own_server, database):
    """Nobody waits longer than a writer's turn and the lock take together, and games can be read meanwhile."""
    code, secret = start(own_server.url)
    game_url = f"{own_server.url}/api/v1/games/{code}"

    def save(submission):
        body = {"seen": 1, "submission": submission, "event": VOID}
        status, answer = ask(f"{game_url}/entries", body, secret, patience=25)
        return status, answer.get("error", {}).get("code")

    with closing(sqlite3.connect(database, isolation_level=None)) as other, ThreadPoolExecutor(4) as phones:
        other.execute("BEGIN IMMEDIATE")
        until = time.monotonic() + 60
        while time.monotonic() < until:
            saving = [phones.submit(save, f"phone {number}") for number in range(4)]
            assert ask(game_url)[1]["seen"] == 1
            assert {each.result() for each in saving} == {(503, "database_unavailable")}
        other.execute("ROLLBACK")
    assert [save("phone 0"), save("phone 1"), save("phone 0")] == [(201, None), (409, "stale"), (200, None)]
    assert len(ask(game_url)[1]["log"]) == 2


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit to fill a disk for one process")
def test_a_full_disk_loses_nothing_and_is_told(own_server, database):
    """No file of the server's may grow beyond what they are now."""
    code, secret = start(own_server.url)
    game, saved = f"{own_server.url}/api/v1/games/{code}", 1

    def record():
        return ask(f"{game}/entries", {"seen": saved, "submission": f"n{saved}", "event": VOID}, secret)

    most = database.with_name("games.db-wal").stat().st_size + 40_000
    own_server.limit(resource.RLIMIT_FSIZE, most)
    for _ in range(50):
        status, answer = record()
        if status != 201:
            break
        saved += 1
    assert (status, answer["error"]["code"]) == (503, "database_unavailable")
    assert ask(f"{own_server.url}/healthz")[0] == 503
    assert len(ask(game)[1]["log"]) == saved

    own_server.limit(resource.RLIMIT_FSIZE, 4096)
    with urlopen(f"{own_server.url}/rules/european") as page:
        assert len(page.read()) > 8 * 1024  # more than an answer keeps in memory while there is room elsewhere

    own_server.limit(resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
    assert ask(f"{own_server.url}/healthz")[0] == 200
    assert record()[0] == 201
    assert len(ask(game)[1]["log"]) == saved + 1


@contextmanager
def disk_full(app, database):
    """No page more fits into the file."""
    with closing(sqlite3.connect(database)) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    with every_connection(app, f"PRAGMA max_page_count = {pages}"):
        yield


def test_what_was_typed_comes_back_from_a_full_disk_and_is_saved_once(app, database, alice):
    """Without script: the page that refuses it has the button that sends it again."""
    typed = {"winner": "1", "ending": "going_out", "left-2": "25", "left-3": "135", "do": "save"}
    with disk_full(app, database):
        for seen in itertools.count(1):
            if alice.scorer.send(VOID, seen=seen).status_code == 503:
                break
        refused = alice.sent("/hand", typed)
    assert refused.status_code == 503
    assert "What you sent is still on this page." in refused.text
    again = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', refused.text))
    assert again.items() >= typed.items()
    for _ in range(2):
        assert alice.client.post(f"/g/{alice.code}/hand", data=again).status_code == 303
    assert alice.totals == [0, 25, 135]


def test_what_is_too_long_to_be_kept_is_not_sent_back(app, database, alice):
    with locked(app, database):
        refused = alice.client.post("/new", data=START_FORM | {"more": "x" * 20_000})
    assert refused.status_code == 503
    assert "Send it again" not in refused.text
