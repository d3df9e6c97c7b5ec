"""An update keeps the database as it was beside it, and an older release is told the way back."""

import sqlite3
from contextlib import closing

import pytest

from app import create_app
from app.store import games, opening
from tests.server import flask, python
from tests.web.old_databases import CODES, TWO_GAMES, made

SETTINGS = {"SECRET_KEY": "test"}


def updated(url):
    """Open a database as a start of this release does, and close it again."""
    app = create_app(SETTINGS | {"DATABASE_URL": url})
    with app.app_context():
        codes = games.codes()
    opening.close_database(app)
    return set(codes)


def copies(path):
    return sorted(each.name for each in path.parent.glob("games.db.schema-*"))


def asked(path, question):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def url(path):
    return f"sqlite:///{path}"


def test_an_update_keeps_the_database_as_the_release_before_left_it(path, url):
    made(url, "0011", TWO_GAMES)
    assert updated(url) == set(CODES)
    (name,) = copies(path)
    kept = path.with_name(name)
    assert name.startswith("games.db.schema-0011.")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert asked(kept, "PRAGMA integrity_check") == [("ok",)]
    assert asked(kept, "SELECT version_num FROM alembic_version") == [("0011",)]
    assert asked(kept, "SELECT count(*) FROM entry") == [(4,)]
    assert sorted(each.name for each in path.parent.iterdir() if each.name.startswith(".")) == []
    assert updated(url) == set(CODES)
    assert copies(path) == [name]  # nothing to update, nothing to keep


def test_a_wrong_number_of_the_schema_is_told_and_leaves_no_copies(path, url):
    """As after `flask db stamp 0011`: the tables are there already."""
    updated(url)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0011'")
    for _ in range(2):
        with pytest.raises(SystemExit, match="are damaged"):
            updated(url)
    assert copies(path) == []


def test_what_a_killed_update_left_goes_at_the_next_start(path, url):
    made(url, "0011", TWO_GAMES)
    others = path.with_name(".games.db.bak.draft")  # a backup may be at work there
    drafts = [path.with_name(f".{path.name}{each}.draft") for each in ("", ".schema-0011.20261128-170000-000000")]
    for draft in (*drafts, others):
        draft.mkdir()
        (draft / path.name).write_bytes(path.read_bytes())
    updated(url)
    assert [draft.exists() for draft in (*drafts, others)] == [False, False, True]


def test_no_copy_is_written_over_or_deleted(path, url):
    made(url, "0011", TWO_GAMES)
    for day in (1, 2, 3):
        path.with_name(f"games.db.schema-000{9 - day}.2026010{day}-120000").write_text(f"of day {day}")
    updated(url)
    *earlier, newest = sorted(copies(path), key=lambda name: name.rpartition(".")[2])
    assert [path.with_name(name).read_text() for name in earlier] == ["of day 1", "of day 2", "of day 3"]
    assert asked(path.with_name(newest), "SELECT count(*) FROM game") == [(2,)]


def test_a_new_database_is_no_update(path, url):
    assert updated(url) == set()
    assert copies(path) == []


@pytest.mark.long
def test_no_table_is_changed_if_there_is_no_room_for_the_copy(path, url):
    made(url, "0011", TWO_GAMES)
    script = (
        "import resource, sys; from app import create_app\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({path.stat().st_size // 2},) * 2)\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"create_app({SETTINGS | {'DATABASE_URL': url}!r})\n"
    )
    done = python("-c", script)
    assert done.returncode == 1, done.stderr
    assert asked(path, "SELECT version_num FROM alembic_version") == [("0011",)]
    assert [each.name for each in path.parent.iterdir() if "schema" in each.name] == []


def test_the_copy_is_the_way_back(path, url):
    made(url, "0011", TWO_GAMES)
    updated(url)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    (name,) = copies(path)
    settings = {"DATABASE_URL": url}
    before = path.read_bytes()
    refused = flask("check", settings=settings)
    assert refused.returncode == 1
    assert refused.stderr.strip().splitlines()[-1] == (
        f"{path}: A newer release of Kalooki Referee has used this database: install it, or restore the copy made"
        " before. Nothing was changed."
    )
    assert name.startswith("games.db.schema-0011.2")
    assert path.read_bytes() == before


@pytest.mark.long
def test_a_copy_is_restored_and_brought_up_to_date_again(path, url):
    made(url, "0011", TWO_GAMES)
    updated(url)
    (name,) = copies(path)
    kept = path.with_name(name)
    as_kept = kept.read_bytes()
    path.unlink()
    done = python("-m", "app", "restore", kept, typed="y\n", DATABASE_URL=url)
    assert "games and clubs: 2, entries: 4" in done.stdout, done.stderr
    assert updated(url) == set(CODES)
    assert (len(copies(path)), kept.read_bytes()) == (2, as_kept)


@pytest.mark.long
def test_postgresql_is_said_not_to_be_copied(postgresql, caplog):
    url = postgresql()
    made(url, "0011", TWO_GAMES)
    assert updated(url) == set(CODES)
    assert f"from schema 0011 to {opening.schema()}; only a file is copied first" in caplog.text
