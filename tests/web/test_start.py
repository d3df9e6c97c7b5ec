"""What cannot be started on is refused in one sentence that says what to do, and is left as it was."""

import sqlite3
from contextlib import closing

import pytest

from app import create_app, settings
from app.store import games, opening
from tests.server import flask, python

COMMANDS = (["run", "--port", "1"], ["backup", "copy.db"])


def foreign(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("CREATE TABLE recipes (name)")


def foreign_with_releases(path):
    foreign(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")


def ours(path, empty_database):
    path.write_bytes(empty_database.read_bytes())


def newer(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def with_a_page_of_zeros(path):
    content = bytearray(path.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    content[size * 2 : size * 3] = bytes(size)
    path.write_bytes(content)


def cut_off(path):
    path.write_bytes(path.read_bytes()[:9000])


def with_a_flipped_bit_in_its_schema(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE ") + len("CREATE TABLE ") + 1] ^= 0x80  # no letter in UTF-8 any more
    path.write_bytes(content)


REFUSED = {
    "a text": (lambda path: path.write_text("Ann 20, Ben 35\n" * 500), "is not a database of Kalooki Referee"),
    "foreign": (foreign, "is not a database of Kalooki Referee"),
    "foreign, with releases": (foreign_with_releases, "is not a database of Kalooki Referee"),
    "newer": (newer, "newer release"),
    "a page of zeros": (with_a_page_of_zeros, "are damaged"),
    "cut off": (cut_off, "are damaged"),
    "a bit of its schema": (with_a_flipped_bit_in_its_schema, "are damaged"),
}
OURS_SPOILT = {"newer", "a bit of its schema", "a page of zeros", "cut off"}


@pytest.fixture(params=REFUSED)
def spoilt(request, tmp_path, empty_database):
    """A file nobody can start on, and what is said of it."""
    path = tmp_path / "spoilt" / "games.db"
    path.parent.mkdir()
    if request.param in OURS_SPOILT:
        ours(path, empty_database)
    spoil, said = REFUSED[request.param]
    spoil(path)
    return path, said


def test_an_unfit_file_is_refused_in_one_sentence_and_left_as_it_was(spoilt):
    path, said = spoilt
    before, changed = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(SystemExit) as refused:
        create_app({"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"})
    assert said in str(refused.value)
    assert str(path) in str(refused.value)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, changed)
    assert [each.name for each in path.parent.iterdir() if not each.name.endswith(("-shm", "-wal"))] == ["games.db"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_ends_with_that_sentence(command, tmp_path):
    path = tmp_path / "games.db"
    foreign(path)
    done = flask(*command, settings={"DATABASE_URL": f"sqlite:///{path}"})
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"{path}: This is empty, or is not a database of Kalooki Referee: name another one, or restore a backup."
        " Nothing was changed."
    )


def test_the_server_itself_ends_with_that_sentence(tmp_path):
    path = tmp_path / "games.db"
    foreign(path)
    done = python("-m", "app", DATABASE_URL=f"sqlite:///{path}", CI="true")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "is not a database of Kalooki Referee" in done.stderr


def test_commands_that_read_make_no_database(tmp_path):
    path = tmp_path / "mistyped.db"
    done = flask("backup", tmp_path / "copy.db", settings={"DATABASE_URL": f"sqlite:///{path}"})
    assert done.returncode == 1
    assert f"{path}: The database’s file is gone: see DATABASE_URL, or restore a backup" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_needs_no_database_needs_none(tmp_path):
    path = tmp_path / "games.db"
    foreign(path)
    assert flask("config", settings={"DATABASE_URL": f"sqlite:///{path}"}).returncode == 0


def test_migrations_by_hand_are_those_of_the_server(database):
    done = flask("db", "current", settings={"DATABASE_URL": f"sqlite:///{database}"})
    assert (done.returncode, "(head)" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "not a valid address of a database"),
        ("postgresql://ann@/games?host=/nowhere", "does not answer"),
        ("sqlite:////proc/nowhere/games.db", "is gone"),
    ],
)
def test_a_database_nobody_reaches_is_told(url, said):
    with pytest.raises(SystemExit, match=said):
        create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})


def test_a_password_is_not_told():
    with pytest.raises(SystemExit) as refused:
        create_app({"DATABASE_URL": "postgresql://ann:hush@/games?host=/nowhere", "SECRET_KEY": "test"})
    assert "hush" not in str(refused.value)


def test_a_database_another_program_changes_is_waited_for_and_then_told(database):
    with closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SystemExit, match="Another program has the database open"):
            create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})


def test_a_disk_without_room_is_told_and_the_next_start_goes_on(tmp_path):
    """No file may grow beyond 8 kB; then beyond nothing any more."""
    start = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY));"
        " from app import create_app; create_app({'DATABASE_URL': sys.argv[1], 'SECRET_KEY': 'x'})"
    )
    url = f"sqlite:///{tmp_path / 'games.db'}"
    done = python("-c", start, url)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "games.db: " in done.stderr
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        assert games.codes() == ()


@pytest.mark.parametrize("kind", ["a folder", "bytes", "nothing"])
def test_a_key_that_cannot_be_read_is_told(tmp_path, kind):
    path = tmp_path / "secret_key"
    make = {"a folder": path.mkdir, "bytes": lambda: path.write_bytes(b"\xff"), "nothing": path.touch}
    make[kind]()
    with pytest.raises(SystemExit, match="The key that signs cookies cannot be read"):
        settings.secret_key(path)


def test_a_missing_key_is_said_before_a_new_one_is_made_if_there_are_games(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    app = create_app()
    assert caplog.text == ""
    with app.app_context():
        games.new_game({"kind": "start"}, "started", "Ann")
    opening.close_database(app)
    opening.close_database(create_app())
    assert caplog.text == ""
    (tmp_path / "secret_key").unlink()
    opening.close_database(create_app())
    assert f"{tmp_path / 'secret_key'} is missing, although there are games" in caplog.text
    assert (tmp_path / "secret_key").exists()


def test_a_new_database_is_for_this_user_only(tmp_path):
    path = tmp_path / "games.db"
    create_app({"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"})
    assert path.stat().st_mode & 0o777 == 0o600
