"""A file that lacks what was saved last is not served, and never taken for a new one, until somebody accepts it."""

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from app import create_app, log
from app.log.database import FILE
from app.log.head import Head, read_note, write_note
from tests.server import flask

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}
VOID = {"kind": "void", "reason": "misdeal"}
MADE = zipfile.ZipFile(Path(__file__).with_name("made_by_0_1.zip"))


class Table:
    """A database that is opened, written to and closed again."""

    def __init__(self, path):
        self.path = path
        self.note = path.with_name(f"{path.name}.head")
        self.settings = {"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"}
        self.started = 0

    def during(self, work):
        app = create_app(self.settings)
        with app.app_context():
            done = work()
        log.close_database(app)
        return done

    def start(self):
        self.started += 1
        return self.during(lambda: log.new_game(START, f"{self.path.parent.name}-{self.started}", "Ann").code)

    def record(self, code, *submissions):
        def write():
            for each in submissions:
                with log.writing(code) as held:
                    held.append(VOID, each, "Ann")

        self.during(write)

    def held(self):
        return self.during(lambda: {code: log.read(code).last for code in log.codes()})

    def refusal(self):
        with pytest.raises(log.CannotStart) as refused:
            create_app(self.settings)
        return str(refused.value)

    def accept(self):
        return flask("accept-older", settings=self.settings)


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


def test_a_note_can_be_read_whatever_stood_there_before(tmp_path):
    note = tmp_path / "games.db.head"
    write_note(note, Head(1, 1, 3, "🃏" * 20, "a" * 64))
    shorter = Head(2, 1, 4, "2026-11-23T20:15:00Z", "b" * 64)
    write_note(note, shorter)
    assert read_note(note) == shorter


def test_an_older_file_is_not_served_until_somebody_accepts_what_is_missing(played):
    table, older, code = played
    table.start()
    shutil.copy(older, table.path)
    before = table.path.read_bytes()
    assert table.refusal() == (
        f"{table.path} lacks what {table.path}.head notes as saved last; nothing was changed. Put the newer file back,"
        f" with {table.path}-wal if there is one, or a newer backup: python3 -m app restore FILE. To see"
        " what is missing, and go on with this file: python3 -m app accept-older."
    )
    assert flask("check-logs", settings=table.settings).returncode == 1
    assert table.path.read_bytes() == before
    done = table.accept()
    assert done.returncode == 0
    assert "missing since then: 1 game, 2 entries" in done.stdout
    assert table.held() == {code: 2}
    table.record(code, "c")
    assert table.held() == {code: 3}


def test_where_another_file_went_on_from_an_older_one_the_evening_here_is_not_dropped_unseen(played):
    table, older, code = played
    elsewhere = Table(older)
    elsewhere.record(code, "there 1", "there 2", "there 3")
    shutil.copy(older, table.path)
    assert "lacks what" in table.refusal()
    assert table.accept().returncode == 0
    assert table.held() == {code: 5}


def test_a_file_whose_journal_was_lost_is_not_served(table):
    code = table.start()

    def killed():
        with log.writing(code) as held:
            held.append(VOID, "a", "Ann")
        shutil.copy(table.path, table.path.with_name("killed.db"))
        shutil.copy(table.note, table.path.with_name("killed.db.head"))

    table.during(killed)
    assert "lacks what" in Table(table.path.with_name("killed.db")).refusal()


@pytest.mark.parametrize("left", ["nothing", "no bytes", "no tables"])
def test_a_database_with_games_is_never_taken_for_a_new_one(played, left):
    table, _older, _code = played
    table.path.unlink()
    if left == "no bytes":
        table.path.touch()
    if left == "no tables":
        with closing(sqlite3.connect(table.path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA user_version = 99")
    said = "notes games in it" if left == "nothing" else "is empty"
    assert said in table.refusal()
    assert table.path.exists() is (left != "nothing")
    done = table.accept()
    assert done.returncode == (0 if left == "nothing" else 1)
    if left == "nothing":
        assert table.held() == {}
    else:
        assert "is empty" in done.stderr
        assert "is empty" in table.refusal()


@pytest.mark.parametrize("left", ["no bytes", "no tables"])
def test_a_file_without_our_tables_is_refused_without_any_note_too(table, left):
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
        with log.writing(code) as held:
            held.append(VOID, "a", "Ann")
        for ending in ("-wal", ".head"):
            shutil.copy(f"{table.path}{ending}", table.path.with_name(f"cut.db{ending}"))

    table.during(cut)
    there = Table(table.path.with_name("cut.db"))
    there.path.touch()
    journal = there.path.with_name("cut.db-wal").read_bytes()
    assert "is empty" in there.refusal()
    assert there.path.with_name("cut.db-wal").read_bytes() == journal


def test_a_start_that_was_killed_while_it_made_the_tables_is_made_good(table):
    app = create_app(table.settings)
    app.extensions[FILE].path.unlink()
    table.note.unlink()
    app.extensions[FILE].make()  # and killed
    log.close_database(app)
    assert table.path.stat().st_size == 0
    assert table.held() == {}


# ---- What is no reason to refuse


def test_a_note_that_is_torn_missing_or_behind_keeps_no_good_file_from_being_served(played):
    table, _older, code = played
    now = table.note.read_bytes()
    for left in (now[:100], b"", b"\xff" * 256, now.replace(b"[", b"]"), now[:40] + bytes(216)):
        table.note.write_bytes(left)
        assert table.held() == {code: 3}
        assert table.note.read_bytes() == now
    behind = now
    table.record(code, "c")
    table.note.write_bytes(behind)  # killed after the commit
    assert table.held() == {code: 4}


def test_deleting_makes_no_file_older(played):
    table, _older, code = played
    other = table.start()
    behind = table.note.read_bytes()
    table.during(lambda: log.delete(other))
    assert table.held() == {code: 3}
    table.note.write_bytes(behind)  # killed after the commit
    assert table.held() == {code: 3}
    table.during(lambda: log.delete(code))
    assert table.held() == {}
    third = table.start()
    assert table.held() == {third: 1}


def test_after_all_games_were_deleted_a_lost_file_is_no_loss(played):
    table, _older, code = played
    table.during(lambda: log.delete(code))
    table.path.unlink()
    assert table.held() == {}


def test_a_backup_and_a_copied_folder_start_elsewhere(played, tmp_path):
    table, older, code = played
    copied = Table(Path(shutil.copytree(table.path.parent, tmp_path / "there")) / "games.db")
    assert copied.held() == {code: 3}
    assert Table(older).held() == {code: 2}
    assert Table(Path(shutil.copy(table.path, tmp_path / "alone.db"))).held() == {code: 3}


def test_a_backup_brought_back_is_what_was_saved_last(played, tmp_path):
    table, _older, code = played
    copy = tmp_path / "copy.db"
    table.during(lambda: log.backup(copy))
    table.record(code, "c")

    def bring_back():
        with log.restoring(copy) as change:
            change.put_in_place()

    app = create_app({"DATABASE_URL": "sqlite://", "SECRET_KEY": "test"})
    app.config["SQLALCHEMY_DATABASE_URI"] = table.settings["DATABASE_URL"]
    with app.app_context():
        bring_back()
    assert table.held() == {code: 3}
    assert [path.name for path in table.path.parent.glob("*restoring*")] == []


def test_a_database_of_0_1_opens_and_is_noted(table):
    def made_by_0_1():
        table.path.unlink(missing_ok=True)
        with closing(sqlite3.connect(table.path)) as connection:
            connection.executescript(MADE.read("games.sql").decode())

    made_by_0_1()
    codes = table.during(log.codes)
    assert set(codes) == set(json.loads(MADE.read("answers.json"))["games"])
    table.start()
    made_by_0_1()  # copied over the one that went on
    assert "lacks what" in table.refusal()
    assert "missing since then: 1 game, 1 entry" in table.accept().stdout
    assert table.during(log.codes) == codes


def test_nothing_is_accepted_that_lacks_nothing_or_is_in_use(played):
    table, older, _code = played
    assert "lacks nothing" in table.accept().stderr
    assert "nothing was noted" in Table(older).accept().stderr
    app = create_app(table.settings)
    assert "is in use" in table.accept().stderr
    log.close_database(app)


def test_several_processes_note_what_was_saved_last(table):
    code = table.start()
    apps = [create_app(table.settings) for _ in range(3)]
    for number in range(9):
        with apps[number % 3].app_context(), log.writing(code) as held:
            held.append(VOID, f"n{number}", "Ann")
    now = table.note.read_bytes()
    for app in apps:
        log.close_database(app)
    assert table.held() == {code: 10}
    assert table.note.read_bytes() == now


# ---- For this user only


def test_what_an_older_release_left_open_to_all_is_closed(table):
    code = table.start()
    endings = ("", "-wal", "-shm", ".lock", ".in-use", ".head")
    for ending in endings:
        path = Path(f"{table.path}{ending}")
        path.touch()
        path.chmod(0o644)

    def modes():
        with log.writing(code) as held:
            held.append(VOID, "a", "Ann")
        return {ending: oct(Path(f"{table.path}{ending}").stat().st_mode & 0o777) for ending in endings}

    assert table.during(modes) == dict.fromkeys(endings, "0o600")
