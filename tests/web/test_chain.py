"""Whatever is changed behind the product's back is found, wherever it is, and named; a sound log is not accused."""

import sqlite3
from contextlib import closing

import pytest

from app import create_app, log
from app.kalooki.game.events import from_json
from app.table import recording
from tests.matrix import some
from tests.server import flask

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "stakes": None}
HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 20}}}
LET_IN = {
    "sqlite": ("DROP TRIGGER entry_no_update", "DROP TRIGGER entry_no_delete", "PRAGMA foreign_keys = OFF"),
    "postgresql": ("ALTER TABLE entry DISABLE TRIGGER USER",),
}


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request, database):
    url = f"sqlite:///{database}" if request.param == "sqlite" else request.getfixturevalue("migrated_postgresql")()
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        yield app
    log.close_database(app)


def a_game(submission):
    code = recording.start(from_json(START), submission, "Ann").code
    for seen in range(1, 5):
        assert recording.save(code, from_json(HAND), seen, f"{submission}-{seen}", "Ann").entry == seen + 1
    return code


@pytest.fixture
def codes(app):
    """Two games of five entries, whose rows are numbered 1 and 2."""
    return a_game("first"), a_game("second")


def tamper(*statements):
    with log.db.engine.connect() as connection:
        driver = connection.connection.driver_connection
        for statement in (*LET_IN[connection.dialect.name], *statements):
            driver.execute(statement)
        driver.commit()
        if connection.dialect.name == "sqlite":
            driver.execute("PRAGMA foreign_keys = ON")
    log.db.engine.dispose()


def damage():
    return {each.code: each.damage for each in log.check() if each.damage}


def test_a_sound_log_is_not_accused(app, codes):
    log.import_log(
        [log.StoredEntry(1, START, "Ann", "2024-05-01T19:00:00Z"), log.StoredEntry(2, HAND, "", "")], "brought", "Cat"
    )
    log.renew_code(codes[0])
    assert damage() == {}
    assert [each.damage for each in log.check()] == [(), (), ()]


# what was changed is found on PostgreSQL by the tests around this one; every way to change it there is the long run’s
@pytest.mark.parametrize("app", some(["sqlite", "postgresql"], "sqlite"), indirect=True)
@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["UPDATE entry SET data = replace(data, '20', '21') WHERE game_id = 1 AND seq = 3"], ["entry 3 is not"]),
        (["UPDATE entry SET actor = 'Ben' WHERE game_id = 1 AND seq = 1"], ["entry 1 is not"]),
        (["UPDATE entry SET at = 'yesterday' WHERE game_id = 1 AND seq = 5"], ["entry 5 is not"]),
        (["UPDATE entry SET submission = 'x' WHERE game_id = 1 AND seq = 2"], ["entry 2 is not"]),
        (["DELETE FROM entry WHERE game_id = 1 AND seq = 3"], ["missing before entry 4"]),
        (["DELETE FROM entry WHERE game_id = 1 AND seq < 3"], ["missing before entry 3"]),
        (["DELETE FROM entry WHERE game_id = 1 AND seq = 5"], ["missing after entry 4"]),
        (["DELETE FROM entry WHERE game_id = 1"], ["no entries"]),
        (
            [
                "UPDATE entry SET seq = 90 WHERE game_id = 1 AND seq = 2",
                "UPDATE entry SET seq = 2 WHERE game_id = 1 AND seq = 3",
                "UPDATE entry SET seq = 3 WHERE game_id = 1 AND seq = 90",
            ],
            ["entry 2 is not", "entry 3 is not", "entry 4 is not"],
        ),
        (["UPDATE game SET head = 'x' WHERE id = 1"], ["missing after entry 5, or it is another"]),
    ],
    ids=[
        "points", "actor", "time", "submission", "missing", "missing at the start", "newest missing", "all missing",
        "swapped", "head",
    ],
)  # fmt: skip
def test_what_was_changed_is_named_in_its_own_game_only(app, codes, statements, found):
    tamper(*statements)
    told = damage()
    assert list(told) == [codes[0]]
    assert len(told[codes[0]]) == len(found)
    assert all(line.startswith(begin) for line, begin in zip(told[codes[0]], found, strict=True))


def test_an_entry_moved_to_another_game_is_missed_here_and_a_stranger_there(app, codes):
    tamper("UPDATE entry SET game_id = 2, seq = 6 WHERE game_id = 1 AND seq = 5")
    first, second = codes
    told = damage()
    assert told[first][0].startswith("missing after entry 4")
    assert told[second][0] == "entry 6 is not what was recorded here"


def test_two_games_whose_entries_were_swapped_are_both_named(app, codes):
    if app.extensions["log_file"] is None:
        pytest.skip("PostgreSQL keeps entries from belonging to no game, even for a moment")
    tamper(
        "UPDATE entry SET game_id = 3 WHERE game_id = 1",
        "UPDATE entry SET game_id = 1 WHERE game_id = 2",
        "UPDATE entry SET game_id = 2 WHERE game_id = 3",
    )
    assert set(damage()) == set(codes)


def test_entries_of_no_game_are_told(app, codes):
    if app.extensions["log_file"] is None:
        pytest.skip("PostgreSQL keeps entries from belonging to no game")
    tamper("DELETE FROM game WHERE id = 1")
    assert damage() == {"": ("5 of table entry belong to no game", "1 of table grant belong to no game")}


@pytest.fixture
def on_sqlite(database):
    app = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    yield app
    if log.is_open(app):
        log.close_database(app)


def page_of(database, name):
    """Where a table or index begins: its place in the file, and the size of a page."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [name]).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return (page - 1) * size, size


@pytest.mark.parametrize(("name", "said"), [("entry", "its entries cannot be read"), ("game", "cannot be read")])
def test_the_check_goes_on_past_damaged_pages(on_sqlite, database, name, said):
    with on_sqlite.app_context():
        a_game("first")
        a_game("second")
    log.close_database(on_sqlite)
    place, size = page_of(database, name)
    with database.open("r+b") as file:
        file.seek(place)
        file.write(bytes(size))
    before = database.read_bytes()
    damaged = flask("check-logs", settings={"DATABASE_URL": f"sqlite:///{database}"})
    assert damaged.returncode == 1
    assert "Traceback" not in damaged.stderr
    assert said in damaged.stdout
    assert damaged.stdout.splitlines()[-1].startswith("2 checked" if name == "entry" else "0 checked")
    assert database.read_bytes() == before


def test_the_command_says_how_many_are_damaged(on_sqlite):
    with on_sqlite.app_context():
        code = a_game("first")
        tamper("UPDATE entry SET data = replace(data, '20', '21') WHERE seq = 3")
    done = on_sqlite.test_cli_runner().invoke(args=["check-logs"])
    assert done.exit_code == 1
    assert done.output == (f"{code}: entry 3 is not what was recorded here\n1 checked, 0 cannot be played, 1 damaged\n")
