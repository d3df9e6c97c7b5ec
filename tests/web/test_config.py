"""Settings come from the environment, and the secret key is made once for its owner only."""

import stat
from concurrent.futures import ThreadPoolExecutor

from app import settings
from app.settings import data_folder


def test_the_secret_key_is_made_once_for_this_user_only(tmp_path):
    path = tmp_path / "instance" / "secret_key"
    key = settings.secret_key(path)
    assert len(key) == 64
    assert settings.secret_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]


def test_starters_at_once_agree_on_one_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: settings.secret_key(tmp_path / "secret_key"), range(8)))
    assert len(keys) == 1


def test_two_places_have_two_secret_keys(tmp_path):
    assert settings.secret_key(tmp_path / "a") != settings.secret_key(tmp_path / "b")


def test_the_environment_names_database_key_and_address(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "sqlite:////srv/games.db")
    monkeypatch.setenv("SECRET_KEY", "from outside")
    monkeypatch.setenv("BASE_URL", "https://cards.example/")
    found = settings.configuration({})
    assert found["SQLALCHEMY_DATABASE_URI"] == "sqlite:////srv/games.db"
    assert found["SECRET_KEY"] == "from outside"
    assert found["BASE_URL"] == "https://cards.example"
    assert found["SESSION_COOKIE_SECURE"] is True


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
