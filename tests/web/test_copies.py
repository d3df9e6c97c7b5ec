"""A backup is made while the server runs, and brought back while it does not; neither ever loses what was there."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from app import create_app, log
from tests.conftest import ROOT
from tests.phone import Phone, ask

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
COUNT = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM entry)"


@pytest.fixture
def run(database):
    """Runs a command of the product on a database: this test's own unless another is named."""

    def invoke(*arguments, on=database, typed=""):
        app = create_app({"DATABASE_URL": "sqlite://", "SECRET_KEY": "test"})
        log.close_database(app)
        if arguments[0] != "restore":
            app = create_app({"DATABASE_URL": f"sqlite:///{on}", "SECRET_KEY": "test"})
        app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{on}"
        done = app.test_cli_runner().invoke(args=[*map(str, arguments)], input=typed)
        if log.is_open(app):
            log.close_database(app)
        return done

    return invoke


def started(*arguments, on):
    """The same in a process of its own, which a test may kill."""
    return subprocess.Popen(
        [sys.executable, "-m", "flask", "--app", "app", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"SECRET_KEY": "test", "DATABASE_URL": f"sqlite:///{on}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


def held_by(database):
    """How many games and entries there are, and what SQLite says of the file; nothing is left beside it."""
    with closing(sqlite3.connect(database)) as connection:
        return (*connection.execute(COUNT).fetchone(), connection.execute("PRAGMA integrity_check").fetchone()[0])


def void_hands(over):
    return lambda phone: None if over.is_set() else {"kind": "void", "reason": f"{phone.name}-{len(phone.sent)}"}


def a_game(server, submission="start"):
    games = f"{server.url}/api/v1/games"
    _, game = ask(games, START | {"submission": submission})
    return f"{games}/{game['code']}", game["scorer"]


def record(game, secret, count):
    """Void hands, one after the other."""
    left = iter(range(count))
    phone = Phone(
        "phone", game, secret, lambda _: {"kind": "void", "reason": "x"} if next(left, None) is not None else None
    )
    phone.seen = ask(game)[1]["seen"]
    phone.sent = {f"phone-{number}": {} for number in range(phone.seen)}
    phone.run()
    return phone


def test_a_backup_under_load_is_whole_and_holds_all_answered_before_it(own_server, database, tmp_path, run):
    game, secret = a_game(own_server)
    over = Event()
    phones = [Phone(f"phone{number}", game, secret, void_hands(over)) for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        recording = [pool.submit(phone.run) for phone in phones]
        try:
            for number in range(3):
                answered = {name for phone in phones for name in list(phone.answered)}
                copy = tmp_path / f"copy{number}.db"
                done = run("backup", copy)
                assert done.exit_code == 0, done.output
                games, entries, said = held_by(copy)
                assert (games, said) == (1, "ok")
                assert done.output == f"Copied to {copy}: 1 game, {entries} entries\n"
                with closing(sqlite3.connect(copy)) as connection:
                    kept = {name for (name,) in connection.execute("SELECT submission FROM entry")}
                assert answered <= kept
                assert copy.stat().st_mode & 0o777 == 0o600
                assert run("check-logs", on=copy).exit_code == 0
        finally:
            over.set()
    assert [each.exception() for each in recording] == [None] * 3


def test_a_backup_that_is_killed_leaves_nothing_that_looks_like_one(own_server, database, tmp_path, run):
    a_game(own_server)
    copy = tmp_path / "copy.db"
    for pause in (0.7, 1.0, 1.3):
        copying = started("backup", copy, on=database)
        time.sleep(pause)
        copying.kill()
        copying.communicate()
        if copy.exists():
            assert held_by(copy)[2] == "ok"
            copy.unlink()
    assert run("backup", copy).exit_code == 0
    assert held_by(copy) == (1, 1, "ok")


@pytest.fixture
def backed_up(own_server, database, tmp_path, run):
    """A backup of 3 entries, after which 4 more were recorded, and the server killed with its journal as it was."""
    game, secret = a_game(own_server)
    record(game, secret, 2)
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    record(game, secret, 4)
    own_server.kill()
    assert database.with_name("games.db-wal").stat().st_size > 0
    return copy, game


def test_a_backup_brought_back_after_a_crash_is_the_backup_again(own_server, database, backed_up, run):
    copy, game = backed_up
    done = run("restore", copy, typed="y\n")
    assert done.exit_code == 0, done.output
    assert "Restored: 1 game, 3 entries" in done.output
    aside = next(path for path in database.parent.glob("games.db.2*") if path.suffix != ".db-wal")
    assert str(aside) in done.output
    own_server.start()
    assert ask(game)[1]["seen"] == 3
    assert ask(f"{own_server.url}/healthz")[0] == 200
    assert held_by(aside) == (1, 7, "ok")  # what was recorded after the backup is kept beside it


def test_anything_but_y_and_enter_leaves_all_as_it_was(run, database, tmp_path):
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    before = database.read_bytes()
    for typed in ("", "\n", "n\n", "Y\n", "yes\n", "y"):
        done = run("restore", copy, typed=typed)
        assert done.exit_code == 1
        assert "nothing was changed" in done.output
        assert database.read_bytes() == before
        assert [path.name for path in database.parent.glob("*restoring*")] == []


def test_nothing_is_brought_back_while_a_server_holds_the_database(own_server, database, tmp_path, run):
    game, secret = a_game(own_server)
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    record(game, secret, 1)
    done = run("restore", copy, typed="y\n")
    assert done.exit_code == 1
    assert "is in use: stop the server first" in done.output
    assert ask(game)[1]["seen"] == 2


def test_a_program_that_only_looks_holds_it_too(database, tmp_path, run):
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    with closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM game").fetchone()
        done = run("restore", copy, typed="y\n")
    assert (done.exit_code, "is in use" in done.output) == (1, True)


def test_a_backup_is_brought_back_where_no_database_is_or_a_damaged_one(database, tmp_path, run):
    copy, place = tmp_path / "copy.db", tmp_path / "elsewhere" / "games.db"
    assert run("backup", copy).exit_code == 0
    assert run("restore", copy, on=place, typed="y\n").exit_code == 0
    assert held_by(place) == (0, 0, "ok")
    place.write_text("no database any more")
    done = run("restore", copy, on=place, typed="y\n")
    assert (done.exit_code, "cannot be read" in done.output) == (0, True)
    assert held_by(place) == (0, 0, "ok")
    assert [path.read_text() for path in place.parent.glob("games.db.2*")] == ["no database any more"]


def test_what_is_no_whole_backup_is_not_brought_back(database, tmp_path, run):
    half, text = tmp_path / "half.db", tmp_path / "text.db"
    half.write_bytes(database.read_bytes()[:20_000])
    text.write_text("Ann 20, Ben 35")
    for file, said in (
        (half, "damaged"),
        (text, "no database"),
        (tmp_path / "none.db", "not there"),
        (database, "itself"),
    ):
        before = database.read_bytes()
        done = run("restore", file, typed="y\n")
        assert (done.exit_code, said in done.output) == (1, True), done.output
        assert database.read_bytes() == before


def test_a_restore_that_is_killed_leaves_the_old_or_the_new_database(database, tmp_path, own_server, run):
    game, secret = a_game(own_server)
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    record(game, secret, 3)
    own_server.kill()
    kept = tmp_path / "kept"
    shutil.copytree(database.parent, kept, ignore=lambda *_: ["kept", "copy.db"])
    for pause in (0.9, 1.2, 1.5):
        for file in kept.iterdir():
            shutil.copy(file, database.parent)
        bringing = started("restore", copy, on=database)
        bringing.stdin.write("y\n")
        bringing.stdin.close()
        time.sleep(pause)
        bringing.send_signal(signal.SIGKILL)
        bringing.wait()
        assert held_by(database) in ((1, 4, "ok"), (1, 1, "ok"))
    assert run("restore", copy, typed="y\n").exit_code == 0
    assert held_by(database) == (1, 1, "ok")
