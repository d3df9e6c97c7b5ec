"""Settings come from the environment or a file; what nobody can use, or nobody knows, is refused with its reason."""

import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app import create_app, settings
from app.days import server_zone
from app.settings import FILE, SETTINGS, configuration, data_folder
from app.store import opening
from tests.server import flask

README = Path(__file__).resolve().parents[2] / "README.md"
SAID = """\
PORT = 9000
LISTEN = "127.0.0.1"
BASE_URL = "https://cards.example/"
HOSTS = ["Games.example", " pi.example"]


DATABASE_URL = "postgresql://ann:hush@db/games"
PROXY_HOPS = 2
TZ = "America/Jamaica"
"""
TOLD = """\
# DATA = "{folder}"  # the environment
PORT = 9001  # the environment
LISTEN = "127.0.0.1"  # {file}
BASE_URL = "https://cards.example"  # {file}
HOSTS = ["games.example", "pi.example"]  # {file}
DATABASE_URL = "postgresql://ann:(hidden)@db/games"  # {file}
PROXY_HOPS = 2  # {file}
SECRET_KEY = "(hidden)"  # the environment
TZ = "America/Jamaica"  # {file}
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The file of a folder that nothing else says anything about."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA", str(tmp_path))
    return tmp_path / FILE


def test_the_file_says_what_the_environment_does_not(file, monkeypatch):
    file.write_text(SAID)
    monkeypatch.setenv("PORT", "9001")
    monkeypatch.setenv("TZ", "")
    found = configuration({"PORT": "9002"})
    assert {name: found[name] for name in ("PORT", "BASE_URL", "HOSTS", "TZ", "PROXY_HOPS")} == {
        "PORT": 9002,
        "BASE_URL": "https://cards.example",
        "HOSTS": ("games.example", "pi.example"),
        "TZ": "America/Jamaica",
        "PROXY_HOPS": 2,
    }
    assert found["SESSION_COOKIE_SECURE"] is True


def test_config_prints_what_is_in_force_and_who_said_it_but_no_secret(file):
    file.write_text(SAID)
    told = flask("config", settings={"DATA": str(file.parent), "PORT": "9001"})
    assert (told.returncode, told.stdout) == (0, TOLD.format(folder=file.parent, file=file))
    assert [each.name for each in file.parent.iterdir()] == [FILE]


NO_ADDRESS = (
    "not a valid address: it begins with http:// or https://, has no password, and its path contains only letters,"
    " digits and /._~-"
)
REFUSED = {
    "PORT = 0": "PORT=0 is not a valid port: a number from 1 to 65535",
    "\n\nPORT = true": "PORT=True is not a valid port: a number from 1 to 65535",
    "PROXY_HOPS = 1.5": "PROXY_HOPS=1.5 is not a valid number of proxies: from 0 to 9",
    'PORT = 9000\nBASE_URL = "cards.example"': f"BASE_URL=cards.example is {NO_ADDRESS}",
    'BASE_URL = "http://"': f"BASE_URL=http:// is {NO_ADDRESS}",
    'BASE_URL = "https://ann:hush@cards.example"': f"BASE_URL=https://ann:(hidden)@cards.example is {NO_ADDRESS}",
    'BASE_URL = "https://ann@cards.example"': f"BASE_URL=https://ann@cards.example is {NO_ADDRESS}",
    'BASE_URL = "https://cards.example:70000"': f"BASE_URL=https://cards.example:70000 is {NO_ADDRESS}",
    'LISTEN = "localhost"': "LISTEN=localhost is not a valid address of this machine: write one such as 127.0.0.1",
    "HOSTS = [1]": "HOSTS=[1] is not a valid list of names: write games.example,pi.example,"
    ' or ["games.example", "pi.example"] in the file',
    'DATABASE_URL = "mysql://ann:hush@db"': "DATABASE_URL=mysql://ann:(hidden)@db is not a valid address of a database:"
    " write it like sqlite:////srv/games.db or postgresql://user@host/name",
    'TZ = "Jamaica/Kingston"': "TZ=Jamaica/Kingston is not a valid time zone: write one such as America/Jamaica",
    "# mine\nport = 9000": "port is not a setting. Did you mean PORT?",
    "COLOUR = 1": "COLOUR is not a setting.",
    "[server]\nPORT = 9000": "server is not a setting.",
    'DATA = "/srv"': "DATA names the folder of this file: only the environment can say it.",
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_nobody_can_use_or_nobody_knows_is_refused_with_its_file_and_key(file, said):
    file.write_text(said)
    with pytest.raises(SystemExit) as refused:
        configuration({})
    assert str(refused.value) == f"{file}: {REFUSED[said]}"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"PORT = \n", r"Invalid value \(at line 1, column 8\)"),
        (b"PORT = 9000\nPORT = 9001\n", r"Cannot overwrite a value \(at line 2, column 12\)"),
        (b"# \xff\n", "is not text: save the file as UTF-8"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_with_the_reason(file, said, why):
    file.write_bytes(said)
    with pytest.raises(SystemExit, match=f"^{re.escape(str(file))}:? {why}"):
        configuration({})


def test_a_wrong_line_is_refused_though_the_environment_says_otherwise(file, monkeypatch):
    file.write_text("PORT = 0\n")
    monkeypatch.setenv("PORT", "9000")
    with pytest.raises(SystemExit, match="PORT=0"):
        configuration({})


def test_the_environment_is_refused_by_name(file, monkeypatch):
    monkeypatch.setenv("TZ", "Jamaica/Kingston")
    with pytest.raises(SystemExit, match=r"^the environment: TZ=Jamaica/Kingston is not a valid time zone"):
        configuration({})


def test_a_command_ends_with_the_refusal(file):
    file.write_text("prot = 1\n")
    done = flask("config", settings={"DATA": str(file.parent)})
    assert done.returncode == 1
    assert done.stderr.strip() == f"{file}: prot is not a setting. Did you mean PORT?"


def test_the_files_time_zone_holds_for_tables_that_give_none(file, monkeypatch, database):
    file.write_text('TZ = "America/Jamaica"\n')
    given = {"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"}
    for named, holds in (("", "America/Jamaica"), ("Pacific/Auckland", "Pacific/Auckland")):
        monkeypatch.setenv("TZ", named)
        opening.close_database(create_app(given))
        assert server_zone() == holds


def test_the_readme_lists_the_settings_with_values_that_can_be_used(file, monkeypatch):
    rows = re.findall(r"^\| `([A-Z_]+)=([^`]+)` \| .+ \|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name, _value in rows] == list(SETTINGS)
    for name, value in rows[1:]:
        monkeypatch.setenv(name, value)
    assert configuration({})["HOSTS"] == ("games.example", "pi.example")


def test_the_secret_key_is_made_once_for_this_user_only(tmp_path):
    path = tmp_path / "instance" / "secret_key"
    key = settings.secret_key(path)
    assert len(key) == 64
    assert settings.secret_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]
    assert settings.secret_key(tmp_path / "another") != key


def test_starters_at_once_agree_on_one_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: settings.secret_key(tmp_path / "secret_key"), range(8)))
    assert len(keys) == 1


def test_what_is_given_in_code_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "from outside")
    assert settings.configuration({"SECRET_KEY": "given"})["SECRET_KEY"] == "given"


def test_an_empty_variable_counts_as_unset(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BASE_URL", "")
    found = settings.configuration({"SECRET_KEY": "given"})
    assert found["SQLALCHEMY_DATABASE_URI"] == f"sqlite:///{data_folder() / 'kalooki.db'}"
    assert found["BASE_URL"] == ""
    assert found["SESSION_COOKIE_SECURE"] is False


def test_postgresql_is_reached_with_the_installed_driver():
    for given in ("postgres://ann@db/kalooki", "postgresql://ann@db/kalooki"):
        assert settings.database_url(given) == "postgresql+psycopg://ann@db/kalooki"
    assert settings.database_url("postgresql+psycopg://db/x") == "postgresql+psycopg://db/x"
