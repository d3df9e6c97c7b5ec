"""The same evening comes out the same on SQLite and on PostgreSQL."""

import os
import shutil

import pytest
import sqlalchemy as sa

from app import create_app
from app.settings import database_url
from app.store import opening
from app.store.database import db
from tests.kalooki.test_games import GAMES, play
from tests.matrix import some
from tests.pages import EURO, hand, start
from tests.postgresql import Cluster, programs
from tests.server import free_port
from tests.web.old_databases import dump

PLAYERS = ["Ann", "Ben", "Cat"]
EVENING = (
    hand(1, s2="KH QD", s3=43),
    hand(2, "kalooki", s1="10H *", s3="2C"),
    {"kind": "rename", "seat": 3, "name": "Çiğdem ♠"},
    {"kind": "undo", "target": 3},
)


def told_by(url):
    """The evening through the JSON; returns its last state without what chance and clock made."""
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    client = app.test_client()
    scorer = start(client, "european", PLAYERS, dealer=1, stakes=EURO)
    for seen, event in enumerate(EVENING, 1):
        for status in (201, 200):  # sent, and sent again
            assert scorer.send(event, seen=seen, submission=f"form-{seen}").status_code == status
    state = scorer.state()
    opening.close_database(app)
    state.pop("code")
    for entry in state["log"]:
        entry.pop("at")
    return state


@pytest.fixture
def states(database, postgresql):
    return told_by(f"sqlite:///{database}"), told_by(postgresql())


def test_both_databases_tell_the_same_evening(states):
    on_sqlite, on_postgresql = states
    assert on_sqlite == on_postgresql
    # K and Q are 20, then hand 2 with its Kalooki was undone
    assert [player["total"] for player in on_postgresql["players"]] == [0, 20, 43]
    assert on_postgresql["players"][2]["name"] == "Çiğdem ♠"
    assert on_postgresql["seen"] == 5


@pytest.fixture(scope="module")
def client(postgresql):
    app = create_app({"DATABASE_URL": postgresql(), "SECRET_KEY": "test"})
    yield app.test_client()
    opening.close_database(app)


@pytest.mark.parametrize("path", some(GAMES, *GAMES[::4]))
def test_a_game_worked_by_hand_comes_out_the_same_on_postgresql(client, path):
    assert play(client, path) > 1


def test_where_postgresql_was_installed_for_the_tests_they_ran_on_it(request):
    """Told by whoever installed it: then a cluster that cannot be made is a failure, and no skipped test."""
    if not os.environ.get("KALOOKI_POSTGRESQL"):
        pytest.skip("nobody has promised that PostgreSQL is here")
    assert request.getfixturevalue("postgresql")()


@pytest.fixture
def encrypted():
    """The address of a database on a cluster that speaks TLS, and where its certificate lies."""
    where = programs()
    if where is None or not shutil.which("openssl"):
        pytest.skip("PostgreSQL or openssl is not installed")
    cluster = Cluster(where)
    cluster.start(tls_on=free_port())
    name = sa.make_url(cluster.create_database()).database
    yield f"postgresql://{cluster.owner}@127.0.0.1:{cluster.port}/{name}", cluster.certificate
    cluster.stop()


@pytest.mark.long
def test_the_address_says_how_the_connection_is_encrypted(encrypted, tmp_path):
    address, certificate = encrypted
    known = shutil.copy(certificate, tmp_path / "known.crt")
    ways = {"require": True, f"verify-full&sslrootcert={known}": True, "disable": False}
    for way, is_encrypted in ways.items():
        app = create_app({"DATABASE_URL": f"{address}?sslmode={way}", "SECRET_KEY": "test"})
        with app.app_context(), db.engine.connect() as connection:
            said = sa.text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            assert connection.execute(said).scalar() is is_encrypted
        opening.close_database(app)
    assert told_by(f"{address}?sslmode=require")["seen"] == 5
    with pytest.raises(SystemExit, match="does not answer"):
        create_app({"DATABASE_URL": f"{address}?sslmode=verify-full&sslrootcert={tmp_path}/none.crt"})


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoils", "said"),
    [
        ("DROP TABLE alembic_version", "is not a database of Kalooki Referee"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer release"),
        ("DELETE FROM alembic_version", "is not a database of Kalooki Referee"),
    ],
)
def test_what_is_not_ours_stays_as_it_is(migrated_postgresql, spoils, said):
    url = migrated_postgresql()
    engine = sa.create_engine(database_url(url), poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.execute(sa.text(spoils))
    before = dump(url)
    with pytest.raises(SystemExit, match=said):
        create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    assert dump(url) == before


def test_a_server_whose_connections_were_cut_takes_others(migrated_postgresql):
    url = migrated_postgresql()
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    cut = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
    """
    client = app.test_client()
    assert client.get("/healthz").status_code == 200
    with sa.create_engine(database_url(url), poolclass=sa.NullPool).connect() as other:
        assert other.execute(sa.text(cut)).rowcount >= 1
    assert client.get("/healthz").status_code == 200
    opening.close_database(app)
