"""Commands of whoever keeps the server."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime

import pytest

from app.games import recording
from app.kalooki.game.events import from_json
from app.store import games
from tests.conftest import ROOT
from tests.server import python

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "stakes": None}


@pytest.fixture
def run(app):
    return lambda *arguments: app.test_cli_runner().invoke(args=arguments)


@pytest.fixture
def code(app):
    with app.app_context():
        return recording.start(from_json(START), "started", "Ann").code


def test_a_sound_log_is_checked_without_a_word(run, code):
    done = run("check")
    assert (done.exit_code, done.output) == (0, "1 checked, 0 cannot be played\n")


def test_an_entry_that_makes_no_sense_is_named(run, app, code):
    with app.app_context():
        games.append(code, 1, {"kind": "buy_in", "seat": 2}, "a", "Ann")
    done = run("check")
    assert done.exit_code == 0
    assert done.output.startswith(f"{code}: entry 2: ")


def test_a_hand_that_lacks_somebody_still_in_is_named(run, app, code):
    with app.app_context():
        three = recording.start(from_json(START | {"players": ["Ann", "Ben", "Cat"]}), "three", "Ann").code
        hand = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 30}}}
        games.append(three, 1, hand, "a", "Ann")
    said = f"{three}: entry 2: Hand 1 has nothing for Cat, so they count as not dealt in.\n"
    assert (run("check").exit_code, said in run("check").output) == (0, True)


@pytest.mark.parametrize(
    "event", [{"kind": "levitate"}, START | {"variant": "hearts"}, {"kind": "hand", "winner": "me"}]
)
def test_a_log_that_cannot_be_played_is_named_and_the_others_checked(run, app, code, event):
    with app.app_context():
        broken = games.new_game(event, "another", "Ann").code
    done = run("check")
    assert done.exit_code == 1
    assert f"{broken}: cannot be played: " in done.output
    assert done.output.endswith("2 checked, 1 cannot be played\n")


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (2, "{", "cannot be played: "),
        (3, '{"kind": "end"}', " are not numbered from 1 without a gap"),
    ],
    ids=["no JSON", "a gap"],
)
def test_a_row_nobody_can_play_is_named(run, database, code, number, text, said):
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO entry SELECT game_id, ?, 'x', ?, '', '' FROM entry", (number, text))
    done = run("check")
    assert done.exit_code == 1
    assert said in done.output
    assert code in done.output


def test_a_backup_goes_into_a_new_file_only(run, code, tmp_path):
    target = tmp_path / "copy.db"
    assert run("backup", str(target)).exit_code == 0
    again = run("backup", str(target))
    assert again.exit_code == 1
    assert "name a new file" in again.output
    with sqlite3.connect(target) as connection:
        assert connection.execute("SELECT code FROM game").fetchall() == [(code,)]
    connection.close()


def test_of_the_backups_of_every_night_the_newest_stay(run, app, code, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "kalooki-mine.db").touch()
    for day in (7, 8, 9):
        app.config["CLOCK"] = lambda day=day: datetime(2026, 11, day, 4, 30, tzinfo=UTC)
        assert run("backup", "--keep", "2", str(folder)).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "kalooki-2026-11-08-043000.db",
        "kalooki-2026-11-09-043000.db",
        "kalooki-mine.db",
    ]
    with closing(sqlite3.connect(folder / "kalooki-2026-11-09-043000.db")) as connection:
        assert connection.execute("SELECT code FROM game").fetchall() == [(code,)]


@pytest.mark.parametrize(
    ("keep", "before", "after"),
    [
        (3, ["12-01", "12-02", "12-03"], ["11-28", "12-02", "12-03"]),
        (1, ["12-03"], ["11-28"]),
        # what was made before today by the clock is newer than what bears a day to come
        (3, ["11-26", "11-27", "12-03"], ["11-26", "11-27", "11-28"]),
    ],
)
def test_the_backup_just_made_stays_though_others_bear_later_days(run, app, tmp_path, keep, before, after):
    for day in before:
        (tmp_path / f"kalooki-2026-{day}-043000.db").touch()
    app.config["CLOCK"] = lambda: datetime(2026, 11, 28, 4, 30, tzinfo=UTC)
    folder = tmp_path / "kalooki-2025-01-01-043000.db"
    folder.mkdir()
    assert run("backup", "--keep", str(keep), str(tmp_path)).exit_code == 0
    folder.rmdir()
    kept = sorted(path.name for path in tmp_path.glob("kalooki-*.db"))
    assert kept == [f"kalooki-2026-{day}-043000.db" for day in after]


def test_what_a_killed_nightly_backup_left_goes_with_the_next(run, code, tmp_path):
    draft = tmp_path / ".kalooki-2026-11-27-043000.db.draft"
    draft.mkdir()
    (draft / "kalooki-2026-11-27-043000.db").touch()
    assert run("backup", "--keep", "3", str(tmp_path)).exit_code == 0
    assert not draft.exists()


def test_a_nightly_backup_that_cannot_be_written_deletes_none(run, app, code, tmp_path):
    (tmp_path / "file").touch()
    done = run("backup", "--keep", "1", str(tmp_path / "file"))
    assert done.exit_code == 1
    assert "cannot be written" in done.output


def test_a_backup_that_cannot_be_written_says_so(run, tmp_path):
    done = run("backup", str(tmp_path / "nowhere" / "copy.db"))
    assert done.exit_code == 1
    assert "cannot be written" in done.output


def test_the_help_lists_our_commands_alone():
    """Those of the libraries, such as `db stamp`, are for people who change the program."""
    said = python("-m", "app", "--help").stdout.partition("Commands:")[2]
    assert re.findall(r"^  ([a-z-]+)  ", said, re.MULTILINE) == [
        *("backup", "check", "config", "copy-to", "delete", "forget", "link", "restore"),
    ]
    refused = python("-m", "app", "db", "stamp", "0011")
    assert (refused.returncode, "No such command" in refused.stderr) == (2, True)


def test_a_command_runs_from_any_folder(tmp_path):
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "SECRET_KEY": "test"}
    command = [sys.executable, ROOT / "app", "delete", "ABCDEFGHJK2"]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True, timeout=120
    )
    assert done.returncode != 0
    assert f"{tmp_path}/games.db: The database’s file is gone: see DATABASE_URL" in done.stderr


@pytest.mark.parametrize(
    ("base", "begins"),
    [("https://cards.example/k", "https://cards.example/k/g/"), ("", "http://")],
    ids=["named", "no name"],
)
def test_a_new_link_to_record_is_printed(run, app, code, base, begins):
    app.config["BASE_URL"] = base
    done = run("link", code)
    address = done.output.strip()
    assert (done.exit_code, address.startswith(begins)) == (0, True)
    phone, path = app.test_client(), address[address.index("/g/") :]
    assert phone.get(path).status_code == 303
    assert phone.get(f"/g/{code}/hand").status_code == 200


def test_of_no_game_there_is_no_link(run):
    done = run("link", "ABCDEFGHJK2")
    assert (done.exit_code, "there is no game ABCDEFGHJK2" in done.output) == (1, True)
