"""A backup is made while the server runs, and brought back while it does not; neither ever loses what was there."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from app import create_app
from app.settings import database_url
from app.store import games as stored_games
from app.store import opening
from tests.phone import Phone, ask, start, void_hands
from tests.web.kill_points import NEVER, some_of, struck
from tests.web.old_databases import dump
from tests.web.test_club_api import Keeper

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
COUNT = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM entry)"


@pytest.fixture
def run(database, tmp_path, monkeypatch):
    """Runs a command of the product on a database: this test's own unless another file or address is named."""
    monkeypatch.setenv("DATA", str(tmp_path / "own"))

    def invoke(*arguments, on=database, typed=""):
        url = on if isinstance(on, str) else f"sqlite:///{on}"
        app = create_app({"DATABASE_URL": f"sqlite:///{tmp_path}/other/games.db", "SECRET_KEY": "test"})
        opening.close_database(app)
        if arguments[0] != "restore":
            app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
        app.config["SQLALCHEMY_DATABASE_URI"] = database_url(url)
        done = app.test_cli_runner().invoke(args=[*map(str, arguments)], input=typed)
        if opening.is_open(app):
            opening.close_database(app)
        return done

    return invoke


def held_by(database):
    """How many games and entries there are, and what SQLite says of the file; nothing is left beside it."""
    with closing(sqlite3.connect(database)) as connection:
        return (*connection.execute(COUNT).fetchone(), connection.execute("PRAGMA integrity_check").fetchone()[0])


def moved_aside(database):
    return [path for path in database.parent.glob("games.db.2*") if not path.name.endswith(("-wal", "-shm"))]


def a_game(server):
    code, secret = start(server.url)
    return f"{server.url}/api/v1/games/{code}", secret


def record(game, secret, count):
    """Void hands, one after the other."""
    left = iter([{"kind": "void", "reason": "x"}] * count)
    phone = Phone("phone", game, secret, lambda _: next(left, None))
    phone.seen = ask(game)[1]["seen"]
    phone.sent = {f"phone-{number}": {} for number in range(phone.seen)}
    phone.run()
    return phone


def test_a_backup_under_load_is_whole_and_holds_all_answered_before_it(own_server, tmp_path, run):
    game, secret = a_game(own_server)
    over = Event()
    phones = [Phone(f"phone{number}", game, secret, void_hands(over)) for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        recording = [pool.submit(phone.run) for phone in phones]
        try:
            for number in range(3):
                answered = {name for phone in phones for name in list(phone.answered)}
                copy = tmp_path / f"copy{number}.db"
                done = run("backup", copy, on=own_server.environment["DATABASE_URL"])
                assert done.exit_code == 0, done.output
                games, entries, said = held_by(copy)
                assert (games, said) == (1, "ok")
                assert done.output == f"Copied to {copy}: games and clubs: 1, entries: {entries}\n"
                with closing(sqlite3.connect(copy)) as connection:
                    kept = {name for (name,) in connection.execute("SELECT submission FROM entry")}
                assert answered <= kept
                assert copy.stat().st_mode & 0o777 == 0o600
                assert run("check", on=copy).exit_code == 0
        finally:
            over.set()
    assert [each.exception() for each in recording] == [None] * 3


def test_a_backup_that_is_killed_leaves_nothing_that_looks_like_one(own_server, tmp_path, run):
    a_game(own_server)
    url = own_server.environment["DATABASE_URL"]
    for at in some_of(struck(NEVER, tmp_path, "backup", tmp_path / "first.db", on=url)):
        copy = tmp_path / f"copy{at}.db"
        assert struck(at, tmp_path, "backup", copy, on=url) is None
        assert not copy.exists() or held_by(copy) == (1, 1, "ok")
    assert held_by(tmp_path / "first.db") == (1, 1, "ok")


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
    assert "Restored: games and clubs: 1, entries: 3" in done.output
    (aside,) = moved_aside(database)
    assert str(aside) in done.output
    own_server.start()
    assert ask(game)[1]["seen"] == 3
    assert ask(f"{own_server.url}/healthz")[0] == 200
    assert held_by(aside) == (1, 7, "ok")  # what was recorded after the backup is kept beside it


def test_anything_but_yes_leaves_all_as_it_was(run, database, tmp_path):
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    before = database.read_bytes()
    for typed in ("", "\n", "n\n", "No\n", "yy\n", "yesterday"):
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


def test_a_club_of_a_backup_is_brought_back_with_its_games_and_rights(database, tmp_path, run):
    def of(app, act):
        try:
            return act(Keeper(app.test_client(), zone="Europe/London"))
        finally:
            opening.close_database(app)

    def play(keeper):
        code, right = keeper.game("Ann", "Ben")
        keeper.say("game", code=code, right=right)
        return keeper.code, keeper.secret, keeper.state(), code

    url = f"sqlite:///{database}"
    club, secret, before, game = of(create_app({"DATABASE_URL": url, "SECRET_KEY": "test"}), play)
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    assert run("delete", game, typed="y\n").exit_code == 0
    assert run("restore", copy, typed="y\n").exit_code == 0

    def look(keeper):
        keeper.code, keeper.secret = club, secret
        assert keeper.state() == before
        keeper.say("name", name="Friday")
        return keeper.client.get(f"/api/v1/games/{game}").status_code

    assert of(create_app({"DATABASE_URL": url, "SECRET_KEY": "test"}), look) == 200
    assert run("check").exit_code == 0


def test_what_is_no_whole_backup_is_not_brought_back(database, tmp_path, run):
    half, text = tmp_path / "half.db", tmp_path / "text.db"
    half.write_bytes(database.read_bytes()[:20_000])
    text.write_text("Ann 20, Ben 35")
    assert "does not exist" in run("restore", tmp_path / "none.db").output
    for file, said in ((half, "damaged"), (text, "not a database")):
        before = database.read_bytes()
        done = run("restore", file, typed="y\n")
        assert (done.exit_code, said in done.output) == (1, True), done.output
        assert database.read_bytes() == before


def with_games(url, *submissions):
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        for each in submissions:
            stored_games.new_game(
                {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}, each, "Ann's phone"
            )
    opening.close_database(app)
    return url


@pytest.fixture
def two_games(database):
    return with_games(f"sqlite:///{database}", "one", "two")


@pytest.fixture
def on_postgresql(migrated_postgresql):
    return with_games(migrated_postgresql(), "another")


@pytest.mark.parametrize("to", ["postgresql", "sqlite"])
def test_everything_is_copied_into_an_empty_database_of_the_other_engine(
    two_games, on_postgresql, postgresql, to, tmp_path, run
):
    there = tmp_path / "there" / "games.db"
    there.parent.mkdir()
    source, target = (two_games, postgresql()) if to == "postgresql" else (on_postgresql, f"sqlite:///{there}")
    done = run("copy-to", target, on=source)
    assert done.exit_code == 0, done.output
    assert dump(target) == dump(source)
    games = len(dump(source)["game"])
    assert done.output.startswith(f"Copied {games} game")
    again = run("copy-to", target, on=source)
    assert (again.exit_code, "name a" in again.output) == (1, True)
    with_games(target, "one more")  # numbered after those that came
    assert len(dump(target)["game"]) == games + 1


def test_a_database_with_games_is_never_copied_into(two_games, on_postgresql, run):
    before = dump(on_postgresql)
    done = run("copy-to", on_postgresql, on=two_games)
    assert (done.exit_code, "is not empty: name another database" in done.output) == (1, True)
    assert dump(on_postgresql) == before


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_postgresql_is_backed_up_by_its_own_programs(on_postgresql, database, tmp_path, run, command):
    done = run(command, database if command == "restore" else tmp_path / "copy.db", on=on_postgresql)
    assert (done.exit_code, "pg_dump and pg_restore" in done.output) == (1, True)


def test_a_restore_that_is_killed_leaves_the_old_the_new_or_no_database(two_games, tmp_path, run):
    """Where there is none, a start says so, and restoring once more brings the backup back."""
    copy = tmp_path / "copy.db"
    assert run("backup", copy).exit_code == 0
    old = dump(with_games(f"sqlite:///{tmp_path}/old.db", "another"))

    def another(number):
        folder = tmp_path / f"old{number}"
        folder.mkdir()
        path = shutil.copy(tmp_path / "old.db", folder / "games.db")
        return path, f"sqlite:///{path}"

    for at in some_of(struck(NEVER, tmp_path, "restore", copy, on=another(0)[1])):
        path, target = another(at)
        assert struck(at, tmp_path, "restore", copy, on=target) is None
        if path.exists():
            assert dump(target) in (old, dump(two_games))
        else:
            with pytest.raises(SystemExit, match="file is gone"):
                create_app({"DATABASE_URL": target, "SECRET_KEY": "test"})
            assert any(dump(f"sqlite:///{aside}") == old for aside in moved_aside(path))
        done = run("restore", copy, on=path, typed="y\n")
        assert done.exit_code == 0, done.output
        assert dump(target) == dump(two_games)


def test_a_copy_to_another_engine_that_is_killed_leaves_nothing(two_games, postgresql, tmp_path):
    for at in some_of(struck(NEVER, tmp_path, "copy-to", f"sqlite:///{tmp_path}/first.db", on=two_games)):
        assert struck(at, tmp_path, "copy-to", f"sqlite:///{tmp_path}/to{at}.db", on=two_games) is None
        assert not (tmp_path / f"to{at}.db").exists() or dump(f"sqlite:///{tmp_path}/to{at}.db") == dump(two_games)
    assert dump(f"sqlite:///{tmp_path}/first.db") == dump(two_games)
