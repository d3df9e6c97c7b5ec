"""A file is served as it is, made whole, and never taken for a new one if it is empty; no other user reads it."""

import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from app import create_app
from app.store import games, opening
from app.store.database import version
from tests.server import flask

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}
VOID = {"kind": "void", "reason": "misdeal"}
MADE = zipfile.ZipFile(Path(__file__).with_name("made_by_0_1.zip"))


class Table:
    """A database that is opened, written to and closed again."""

    def __init__(self, path):
        self.path = path
        self.settings = {"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"}
        self.started = 0

    def during(self, work):
        app = create_app(self.settings)
        with app.app_context():
            done = work()
        opening.close_database(app)
        return done

    def start(self):
        self.started += 1
        return self.during(lambda: games.new_game(START, f"{self.path.parent.name}-{self.started}", "Ann").code)

    def record(self, code, *submissions):
        def write():
            for each in submissions:
                games.append(code, version(code).seen, VOID, each, "Ann")

        self.during(write)

    def held(self):
        return self.during(lambda: {code: games.load(code).last for code in games.codes()})

    def refusal(self):
        with pytest.raises(SystemExit) as refused:
            create_app(self.settings)
        return str(refused.value)


@pytest.fixture
def table(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    return Table(folder / "games.db")


@pytest.fixture
def played(table):
    """A database with one game of three entries, a copy of it as it was after two, and the game's code."""
    code = table.start()
    table.record(code, "a")
    older = shutil.copy(table.path, table.path.with_name("stick.db"))
    table.record(code, "b")
    return table, older, code


@pytest.mark.parametrize("left", ["no bytes", "no tables"])
def test_a_file_without_our_tables_is_never_taken_for_a_new_one(table, left):
    table.path.touch()
    if left == "no tables":
        with closing(sqlite3.connect(table.path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    before = table.path.read_bytes()
    assert "is empty" in table.refusal()
    assert table.path.read_bytes() == before
    assert "is empty" in flask("restore", table.path, settings={"DATABASE_URL": "sqlite:////nowhere/x.db"}).stderr


def test_an_empty_file_beside_its_journal_costs_nobody_the_journal(table):
    """SQLite itself deletes the journal of a file without bytes as soon as it reads."""
    code = table.start()

    def cut():
        games.append(code, 1, VOID, "a", "Ann")
        shutil.copy(f"{table.path}-wal", table.path.with_name("cut.db-wal"))

    table.during(cut)
    there = Table(table.path.with_name("cut.db"))
    there.path.touch()
    journal = there.path.with_name("cut.db-wal").read_bytes()
    assert "is empty" in there.refusal()
    assert there.path.with_name("cut.db-wal").read_bytes() == journal


def test_a_start_that_was_killed_while_it_made_the_tables_is_made_good(table):
    draft = table.path.with_name(f".{table.path.name}.draft")
    draft.mkdir()
    for ending in ("", "-wal"):
        (draft / f"{table.path.name}{ending}").write_bytes(b"cut off")
    assert table.held() == {}
    assert list(table.path.parent.glob(".*")) == []


def test_a_database_that_went_on_elsewhere_or_is_a_copy_of_before_is_served_as_it_is(played):
    table, older, code = played
    elsewhere = Table(older)
    elsewhere.record(code, "there 1", "there 2")
    shutil.copy(older, table.path)
    assert table.held() == {code: 4}


def test_a_backup_and_a_copied_folder_start_elsewhere(played, tmp_path):
    table, older, code = played
    copied = Table(Path(shutil.copytree(table.path.parent, tmp_path / "there")) / "games.db")
    assert copied.held() == {code: 3}
    assert Table(older).held() == {code: 2}
    assert Table(Path(shutil.copy(table.path, tmp_path / "alone.db"))).held() == {code: 3}


def test_a_backup_brought_back_is_what_was_saved_last(played, tmp_path):
    table, _older, code = played
    copy = tmp_path / "copy.db"
    table.during(lambda: opening.backup(copy))
    table.record(code, "c")

    app = create_app({"DATABASE_URL": f"sqlite:///{tmp_path}/other.db", "SECRET_KEY": "test"})
    app.config["SQLALCHEMY_DATABASE_URI"] = table.settings["DATABASE_URL"]
    with app.app_context():
        opening.restore(copy)
    opening.close_database(app)
    assert table.held() == {code: 3}
    assert [path.name for path in table.path.parent.glob("*restoring*")] == []


# ---- For this user only


def test_what_an_older_release_left_open_to_all_is_closed(table):
    code = table.start()
    endings = ("", "-wal", "-shm", ".in-use")
    for ending in endings:
        path = Path(f"{table.path}{ending}")
        path.touch()
        path.chmod(0o644)

    def modes():
        games.append(code, 1, VOID, "a", "Ann")
        return {ending: oct(Path(f"{table.path}{ending}").stat().st_mode & 0o777) for ending in endings}

    assert table.during(modes) == dict.fromkeys(endings, "0o600")
