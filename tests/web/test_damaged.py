"""`check` names what is damaged and what cannot be played, and goes on; a sound log is not accused."""

import sqlite3
from contextlib import closing

import pytest

from app import create_app
from app.games import recording
from app.kalooki.game.events import from_json
from app.store import games, grants, opening
from app.store.database import db
from app.store.games import StoredEntry
from tests.server import flask

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "stakes": None}
HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 20}}}
LET_IN = {
    "sqlite": ("DROP TRIGGER entry_no_update", "DROP TRIGGER entry_no_delete", "PRAGMA foreign_keys = OFF"),
    "postgresql": ("ALTER TABLE entry DISABLE TRIGGER USER",),
}

DAMAGED_PAGES = (("/g/", ""), ("/g/", "/history"), ("/api/v1/games/", ""), ("/api/v1/games/", "/sheet.json"))


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request, database):
    url = f"sqlite:///{database}" if request.param == "sqlite" else request.getfixturevalue("migrated_postgresql")()
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        yield app
    opening.close_database(app)


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
    with db.engine.connect() as connection:
        driver = connection.connection.driver_connection
        for statement in (*LET_IN[connection.dialect.name], *statements):
            driver.execute(statement)
        driver.commit()
        if connection.dialect.name == "sqlite":
            driver.execute("PRAGMA foreign_keys = ON")
    db.engine.dispose()


def test_a_sound_log_is_not_accused(app, codes):
    games.import_log(
        [StoredEntry(1, START, "Ann", "2024-05-01T19:00:00Z"), StoredEntry(2, HAND, "", "")],
        "brought",
        "Cat",
    )
    grants.reset_links(codes[0], None)
    assert [*opening.check()] == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "DELETE FROM entry WHERE game_id = (SELECT min(id) FROM game) AND seq = 3",
            "the entries of {0} are not numbered from 1 without a gap",
        ),
        ("DELETE FROM entry WHERE game_id = (SELECT min(id) FROM game)", "{0}: cannot be played: it has no entries"),
        (
            "UPDATE entry SET data = '{{}}' WHERE game_id = (SELECT min(id) FROM game) AND seq = 1",
            "{0}: cannot be played: ",
        ),
    ],
    ids=["missing", "all missing", "no event"],
)
def test_a_game_that_cannot_be_played_is_named_and_no_other(app, codes, statement, found):
    tamper(statement.format())
    done = flask("check", settings={"DATABASE_URL": app.config["DATABASE_URL"]})
    assert done.returncode == 1
    assert found.format(codes[0]) in done.stdout
    assert codes[1] not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("2 checked")


def test_entries_of_no_game_are_told(app, codes):
    if db.engine.dialect.name == "postgresql":
        pytest.skip("PostgreSQL keeps entries from belonging to no game")
    tamper("DELETE FROM game WHERE id = (SELECT min(id) FROM game)")
    assert [*opening.check()] == ["5 of table entry belong to no game", "1 of table grant belong to no game"]


@pytest.mark.parametrize(
    "data", ['{"kind":"hand"', '{"kind":"hamd","winner":1}', "[]", '{"kind":"hand","winner":"Ann"}']
)
def test_a_damaged_entry_is_called_damaged_on_its_game_s_pages_alone(app, codes, data, caplog):
    phone = app.test_client()
    tamper(f"UPDATE entry SET data = '{data}' WHERE game_id = (SELECT min(id) FROM game) AND seq = 3")  # noqa: S608 - ours
    recording._cache().clear()
    answers = [phone.get(f"{place}{codes[0]}{page}") for place, page in DAMAGED_PAGES]
    assert [answer.status_code for answer in answers] == [503] * len(DAMAGED_PAGES)
    assert all("Parts of the database are damaged" in answer.text for answer in answers)
    assert "Ann" not in caplog.text
    assert phone.get(f"/g/{codes[1]}").status_code == 200
    with phone.session_transaction() as cookie:
        cookie["games"] = [[code, ""] for code in codes]
    home = phone.get("/")
    assert (home.status_code, codes[0] in home.text, codes[1] in home.text) == (200, False, True)


@pytest.fixture
def on_sqlite(database):
    app = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    yield app
    if opening.is_open(app):
        opening.close_database(app)


def page_of(database, name):
    """Where a table or index begins: its place in the file, and the size of a page."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [name]).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return (page - 1) * size, size


@pytest.mark.parametrize(("name", "said"), [("entry", "cannot be played: "), ("game", "are damaged")])
def test_the_check_goes_on_past_damaged_pages(on_sqlite, database, name, said):
    with on_sqlite.app_context():
        a_game("first")
        a_game("second")
    opening.close_database(on_sqlite)
    place, size = page_of(database, name)
    with database.open("r+b") as file:
        file.seek(place)
        file.write(bytes(size))
    before = database.read_bytes()
    damaged = flask("check", settings={"DATABASE_URL": f"sqlite:///{database}"})
    assert damaged.returncode == 1
    assert "Traceback" not in damaged.stderr
    assert said in damaged.stdout
    assert damaged.stdout.splitlines()[-1].startswith("2 checked" if name == "entry" else "0 checked")
    assert database.read_bytes() == before


def test_letters_that_are_none_are_damage_and_no_database_that_is_away(on_sqlite, database):
    with on_sqlite.app_context():
        a_game("first")
    opening.close_database(on_sqlite)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE game SET code = CAST(x'ff4142' AS TEXT)")
    damaged = flask("check", settings={"DATABASE_URL": f"sqlite:///{database}"})
    assert (damaged.returncode, "are damaged" in damaged.stdout) == (1, True)
    assert "does not answer" not in damaged.stdout
