"""The file alone holds every game after each save and after every stop."""

import os
import shutil
import signal
import sqlite3
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import pytest

from app import create_app
from app.store import games as stored_games
from app.store import opening
from tests.pages import Alice
from tests.phone import ask, start
from tests.server import Server, python

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
VOID = {"kind": "void", "reason": "misdeal"}
STREAMS = 4


def journal_of(database):
    path = database.with_name(f"{database.name}-wal")
    return path.stat().st_size if path.exists() else 0


def moved_alone(database, folder):
    """The games and entries somebody finds who takes the file, without anything beside it, to another computer."""
    folder.mkdir()
    app = create_app({"DATABASE_URL": f"sqlite:///{shutil.copy(database, folder)}", "SECRET_KEY": "other"})
    with app.app_context():
        found = {code: len(stored_games.load(code).entries) for code in stored_games.codes()}
    opening.close_database(app)
    return found


def saved(server, games, number):
    """One more void hand in each game; what all of them then hold."""
    for code, (secret, seen) in games.items():
        body = {"seen": seen, "submission": f"n{number}", "event": VOID}
        assert ask(f"{server.url}/api/v1/games/{code}/entries", body, secret)[0] == 201
        games[code] = (secret, seen + 1)
    return {code: seen for code, (_secret, seen) in games.items()}


@contextmanager
def streams(server, code):
    phones = [HTTPConnection("127.0.0.1", server.port, timeout=10) for _ in range(STREAMS)]
    for phone in phones:
        phone.request("GET", f"/g/{code}/live")
        assert phone.getresponse().read(1)
    yield
    for phone in phones:
        phone.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
@pytest.mark.parametrize("stops", [1, pytest.param(4, marks=pytest.mark.long)])
def test_a_server_stopped_right_after_a_save_leaves_a_whole_file(own_server, database, tmp_path, how, stops):
    games = {}
    for stop in range(stops):
        if stop:
            own_server.start()
        code, secret = start(own_server.url)
        games[code] = (secret, 1)
        with streams(own_server, code):
            held = saved(own_server, games, stop)
            own_server.stop(how)
        assert moved_alone(database, tmp_path / f"laptop-{stop}") == held


def test_of_two_servers_on_one_file_the_last_to_stop_leaves_it_whole(own_server, database, tmp_path):
    with Server(f"sqlite:///{database}") as other:
        code, secret = start(other.url)
        games = {code: (secret, 1)}
        saved(other, games, 1)
    held = saved(own_server, games, 2)
    own_server.stop()
    assert moved_alone(database, tmp_path / "laptop") == held == {code: 3}


def test_a_program_that_just_ends_leaves_a_whole_file_too(database, tmp_path):
    """As other servers do, which know nothing of ours."""
    start = (
        "import sys; from app import create_app; from app.store import games;"
        " create_app().app_context().push();"
        " print(games.new_game({'kind': 'start', 'variant': 'european', 'players': ['Ann', 'Ben']}, 'x', 'Ann').code);"
        " sys.exit(3)"
    )
    done = python("-c", start, DATABASE_URL=f"sqlite:///{database}")
    assert done.returncode == 3
    assert journal_of(database) == 0
    assert moved_alone(database, tmp_path / "laptop") == {done.stdout.strip(): 1}


def test_after_each_save_the_file_alone_has_everything(app, database, tmp_path):
    """As somebody copies it who knows nothing of journals, while the server runs."""
    for number in range(12):
        alice = Alice(app).record(VOID)
        found = moved_alone(database, tmp_path / f"stick-{number}")
        assert (len(found), found[alice.code]) == (number + 1, 2)


def test_what_others_still_read_is_in_the_file_with_the_next_save(app, database, tmp_path):
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM game").fetchone()
        alice = Alice(app).record(VOID)  # which waits for nobody
        other.execute("COMMIT")
    alice.record(VOID)
    assert moved_alone(database, tmp_path / "stick") == {alice.code: 3}


def test_what_comes_after_the_stop_is_not_saved_and_nobody_is_told_it_was(app, database):
    alice = Alice(app).record(VOID)
    opening.close_database(app)
    answer = alice.scorer.client.post("/api/v1/games", json=START | {"submission": "late"})
    assert answer.status_code == 503
    assert journal_of(database) == 0


# ---- Cut or overwritten while the server runs


def cut_to_nothing(path):
    os.truncate(path, 0)


def cut_in_the_middle(path):
    os.truncate(path, path.stat().st_size // 2)


def without_its_first_page(path):
    with path.open("r+b") as file:
        file.write(bytes(4096))


SPOILT = [cut_to_nothing, cut_in_the_middle, without_its_first_page]


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("folded", [False, True], ids=["journal", "folded"])
def test_a_file_spoilt_under_a_running_server_answers_no_save(own_server, database, spoil, folded):
    code, secret = start(own_server.url)
    if folded:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoil(database)
    body = {"seen": 1, "submission": "a", "event": VOID}
    status, answer = ask(f"{own_server.url}/api/v1/games/{code}/entries", body, secret)
    assert (status, answer["error"]["code"]) == (503, "database_unavailable")
    status, health = ask(f"{own_server.url}/healthz")
    assert (status, health["reason"]) == (503, "damaged")
