"""Everything is written to one folder, `DATA`; the code may be read-only and belong to another user."""

import json
import os
import shutil
import stat
import subprocess
import sys
import urllib.request

import pytest

from app import create_app, settings
from app.bootstrap import VENV
from app.settings import ROOT
from app.store import opening
from tests.process_pool import ProcessPool
from tests.product_copy import copied
from tests.server import eventually, flask, free_port, wait_until_up

NOBODY = 65534
WITHOUT_PRIVILEGES = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
"""What root may do then is what the owner of root's own files may; those of others are as theirs say."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for everything, which is not there yet."""
    for name in ("DATABASE_URL", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA", str(tmp_path / "srv" / "kalooki"))
    return tmp_path / "srv" / "kalooki"


def test_a_missing_folder_is_made_for_this_user_only(folder):
    app = create_app()
    opening.close_database(app)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {each.name for each in folder.iterdir()} >= {"kalooki.db", "secret_key"}
    assert app.config["SECRET_KEY"] == (folder / "secret_key").read_text().strip()


def test_a_relative_folder_is_found_from_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", "here")
    assert settings.data_folder() == tmp_path / "here"
    assert settings.child_environment()["DATA"] == str(tmp_path / "here")
    monkeypatch.setenv("DATA", "")
    assert settings.data_folder() == ROOT / "instance"


def test_a_folder_nobody_can_write_to_ends_the_start_with_a_sentence(monkeypatch, folder):
    monkeypatch.setenv("DATA", "/proc/kalooki")
    with pytest.raises(SystemExit, match=r"^DATA=/proc/kalooki cannot be written to by this user .* name another"):
        create_app()


def test_nothing_is_made_where_nothing_has_to_be_written(folder, database):
    opening.close_database(create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"}))
    told = flask("config", settings={"DATA": str(folder), "SECRET_KEY": ""})
    assert told.returncode == 0
    assert not folder.exists()


@pytest.fixture(scope="module")
def user_without_privileges():
    if os.geteuid() or not shutil.which("setpriv"):
        pytest.skip("needs root, which gives its privileges up, and setpriv")
    return ProcessPool(*WITHOUT_PRIVILEGES)


@pytest.fixture
def without_privileges(folder, empty_database, user_without_privileges):
    """Call a program on the folder, in which there is a database, as a user without privileges over others' files."""
    folder.mkdir(0o700, parents=True)
    shutil.copy(empty_database, folder / "kalooki.db")
    return lambda *command: user_without_privileges.run(command, os.environ)


START = ("-c", "from app import create_app; create_app()")
FOREIGN = {
    "kalooki.db": (START, 0o644),
    "kalooki.db-wal": (("flask", "--app", "app", "check"), 0o644),
    "kalooki.db-shm": (("flask", "--app", "app", "backup", "copy.db"), 0o644),
    "kalooki.db-journal": (("flask", "--app", "app", "restore", "copy.db"), 0o600),
    "kalooki.db.in-use": (START, 0o644),
    "config.toml": (("flask", "--app", "app", "config"), 0o600),
}


@pytest.mark.parametrize(("name", "command", "mode"), [(name, *how) for name, how in FOREIGN.items()])
def test_a_file_of_another_user_ends_the_start_and_a_command_with_one_sentence(
    folder, without_privileges, name, command, mode
):
    (folder / "copy.db").write_bytes((folder / "kalooki.db").read_bytes())
    foreign = folder / name
    foreign.touch()
    foreign.chmod(mode)
    os.chown(foreign, NOBODY, NOBODY)
    told = without_privileges(*(str(folder / word) if word == "copy.db" else word for word in command))
    assert told.returncode == 1
    assert told.stderr == (
        f"{foreign} belongs to nobody, and this user, number 0, cannot read and write it: let nobody run this, or give"
        " the file to this user.\n"
    )


def test_the_same_file_of_this_user_is_used(folder, without_privileges):
    (folder / "config.toml").touch(0o600)
    assert without_privileges(*START).stderr == ""


MADE_READ_ONLY = """
import os, sys
from pathlib import Path
from app import create_app
from app.store.database import db

folder, of_folder = Path(sys.argv[1]), int(sys.argv[2], 8)
app = create_app({"RATELIMIT_ENABLED": False})
phone = app.test_client()
game = phone.post("/api/v1/games", json={"variant": "european", "players": ["Ann", "Ben"]}).json
address = f"/api/v1/games/{game['code']}"

def save():
    body = {"seen": 1, "submission": "once", "event": {"kind": "void", "reason": "x"}}
    answer = phone.post(f"{address}/entries", json=body, headers={"Authorization": f"Bearer {game['scorer']}"})
    return answer.status_code, answer.headers.get("Retry-After")

def change(of_files, of_folder):
    for name in ("kalooki.db", "kalooki.db-wal", "kalooki.db-shm"):
        (folder / name).chmod(of_files)
    folder.chmod(of_folder)
    with app.app_context():
        db.engine.dispose()

change(0o400, of_folder)
print(*save(), phone.get("/healthz").json["reason"], phone.get(address).json["seen"])
change(0o600, 0o700)
print(*save(), phone.get("/healthz").json["status"], phone.get(address).json["seen"])
"""


@pytest.mark.parametrize("of_folder", ["500", "700"], ids=["with its folder", "alone"])
def test_what_turns_read_only_is_told_and_read_and_saves_again_afterwards(folder, without_privileges, of_folder):
    done = without_privileges("-c", MADE_READ_ONLY, str(folder), of_folder)
    assert done.stdout.splitlines() == ["503 5 read-only 1", "201 None ok 2"], done.stderr


def test_a_start_on_a_file_in_a_read_only_folder_is_refused_with_a_sentence(folder, without_privileges, tmp_path):
    database = folder / "kalooki.db"
    folder.chmod(0o500)
    start = f"from app import create_app; create_app({{'DATABASE_URL': 'sqlite:///{database}', 'SECRET_KEY': 'test'}})"
    refused = without_privileges("-c", start)
    folder.chmod(0o700)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"{database}: The database cannot be written: make it and its folder this user’s. Nothing was changed.\n"
    )


@pytest.fixture(scope="module")
def checkout(user_without_privileges, tmp_path_factory):
    """A copy of the product that belongs to another user than the one without privileges."""
    copy = copied(tmp_path_factory.mktemp("checkout") / "kalooki", {})
    (copy / ".venv").symlink_to(VENV.resolve())
    for each in (copy, *copy.rglob("*")):
        os.chown(each, NOBODY, NOBODY, follow_symlinks=False)
    return copy


def written_in(copy):
    return {(each, each.stat().st_mtime_ns) for each in copy.rglob("*") if not each.is_symlink()}


@pytest.mark.long
def test_a_read_only_checkout_of_another_user_serves_and_prints(checkout, tmp_path):
    touched = subprocess.run([*WITHOUT_PRIVILEGES, "touch", checkout / "x"], check=False, capture_output=True)
    assert b"Permission denied" in touched.stderr
    before = written_in(checkout)
    port, home = free_port(), tmp_path / "kalooki"
    child_environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "DATA": "kalooki", "PORT": str(port)}
    process = subprocess.Popen(
        [*WITHOUT_PRIVILEGES, sys.executable, "-m", "app"],
        cwd=tmp_path,
        env=child_environment | {"PYTHONPATH": str(checkout)},
    )
    try:
        wait_until_up(process, f"http://127.0.0.1:{port}", patience=150)  # which compiles all of it
        begun = {"variant": "european", "players": ["Ann", "Ben"], "stakes": None}
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/games", json.dumps(begun).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            code = json.load(answer)["code"]
        sheet = f"http://127.0.0.1:{port}/api/v1/games/{code}/sheet.pdf"
        with urllib.request.urlopen(sheet, timeout=60) as answer:
            assert answer.read(5) == b"%PDF-"
    finally:
        process.terminate()
        process.wait(timeout=20)
    eventually(lambda: not (home / "kalooki.db-wal").exists() or not (home / "kalooki.db-wal").stat().st_size)
    assert {each.name for each in home.iterdir()} >= {"kalooki.db", "secret_key"}
    assert [each.name for each in tmp_path.iterdir()] == ["kalooki"]
    assert written_in(checkout) == before


@pytest.mark.long
def test_a_read_only_checkout_without_its_packages_says_who_can_install_them(checkout):
    (checkout / ".venv").rename(checkout / "elsewhere")
    done = subprocess.run(
        [*WITHOUT_PRIVILEGES, sys.executable, "-m", "app"],
        cwd=checkout,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"kalooki: {checkout} lacks packages, and this user cannot write to it:"
        " let its owner run python3 -m app install there.\n"
    )
