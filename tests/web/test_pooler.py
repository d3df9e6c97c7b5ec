"""Behind a pooler that lends a connection for one transaction, all is as without; so is a line around it."""

import time

import pytest
import sqlalchemy as sa

from app import create_app, log, retention
from app.log import db
from app.log.database import IN_USE_LOCK
from tests.clock import Clock
from tests.matrix import some
from tests.pages import Alice, hand
from tests.postgresql import Pooler, pooler_program
from tests.server import Server, eventually, flask
from tests.web.test_live import phones, record, start


@pytest.fixture(scope="module")
def pooler(cluster):
    if not pooler_program():
        pytest.skip("PgBouncer is not installed")
    pooler = Pooler(cluster)
    pooler.start()
    yield pooler
    pooler.stop()


@pytest.fixture(params=some(["no line", "a line"], "no line"))
def settings(request, pooler, migrated_postgresql):
    """What names a database behind the pooler, without and with an address around it."""
    url = migrated_postgresql()
    return {"DATABASE_URL": pooler.through(url), "LISTEN_URL": url if request.param == "a line" else ""}


@pytest.fixture
def apps(settings):
    """A function that makes another application on that database."""
    made = []

    def another(**more):
        app = create_app({**settings, "SECRET_KEY": "test", "TESTING": True, "WTF_CSRF_ENABLED": False, **more})
        made.append(app)
        return app

    yield another
    for app in made:
        log.close_database(app)


def test_an_evening_is_saved_read_and_sound(apps, settings):
    alice = Alice(apps())
    for _ in range(8):  # the driver would prepare what it has sent five times
        alice.record(hand(1, s2=15, s3=5))
    assert "120" in alice.get().text
    checked = flask("check-logs", settings=settings)
    assert (checked.returncode, checked.stdout) == (0, "1 checked, 0 cannot be played\n")


def test_no_connection_that_others_are_lent_keeps_anything(apps, settings):
    app = apps()
    Alice(app).record(hand(1, s2=35, s3=5))
    with app.app_context(), db.engine.connect() as connection:
        kept = "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
        held = connection.execute(sa.text(f"{kept} AND datname = current_database()")).all()
        assert len(held) == bool(settings["LISTEN_URL"])
        assert connection.execute(sa.text("SHOW lock_timeout")).scalar() == "0"
        assert connection.execute(sa.text("SELECT count(*) FROM pg_prepared_statements")).scalar() == 0
        assert connection.execute(sa.text("SELECT count(*) FROM pg_listening_channels()")).scalar() == 0


def test_a_hand_saved_by_one_worker_reaches_the_phones_of_another(settings):
    url = settings["DATABASE_URL"]
    here, there = pair = [Server(url, LISTEN_URL=settings["LISTEN_URL"]) for _ in range(2)]
    for each in pair:
        each.start()
    try:
        code, secret = start(here.url)
        with phones(there.url, code, 3) as three:
            assert [phone.next()[1] for phone in three] == ["1.0"] * 3
            sent = time.monotonic()
            for seen in range(1, 4):
                record(here.url, code, secret, seen)
            for phone in three:
                while phone.next()[1] != "4.0":
                    pass
            assert time.monotonic() - sent < 5
    finally:
        for each in pair:
            each.stop()


def test_one_process_at_a_time_deletes_what_is_unused(apps):
    clock = Clock()
    first, second = (apps(KEEP_DAYS="30", CLOCK=clock) for _ in range(2))
    alice = Alice(first)
    clock.move(days=31)
    with first.app_context(), log.deleting() as may_delete:
        assert may_delete
        with second.app_context():
            assert retention.delete_unused(30) == []
    with second.app_context():
        assert retention.delete_unused(30) == [alice.code]


def test_nothing_moves_while_a_server_runs(apps, settings, tmp_path):
    app = apps()
    Alice(app)
    url, target = settings["DATABASE_URL"], f"sqlite:///{tmp_path}/moved.db"
    done = flask("move", url, target, settings={"DATABASE_URL": "sqlite://"})
    assert (done.returncode, "in use: stop the server first" in done.stderr) == (1, True), done.stderr
    log.close_database(app)
    with sa.create_engine(app.config["SQLALCHEMY_DATABASE_URI"]).begin() as connection:
        connection.execute(sa.text("UPDATE pulse SET served_at = now() - interval '31 seconds'"))
    done = flask("move", url, target, settings={"DATABASE_URL": "sqlite://"})
    assert (done.returncode, "1 game, 1 entry" in done.stdout) == (0, True), done.stderr


def test_nobody_records_what_is_being_moved(apps, settings):
    app = apps()
    alice = Alice(app)
    with sa.create_engine(app.config["SQLALCHEMY_DATABASE_URI"]).begin() as mover:
        alone = sa.select(sa.func.pg_try_advisory_xact_lock(IN_USE_LOCK))
        if settings["LISTEN_URL"]:
            assert not mover.scalar(alone)
            return
        assert eventually(lambda: mover.scalar(alone))
        assert alice.scorer.send(hand(1, s2=35, s3=5)).status_code == 503
        with pytest.raises(log.CannotStart, match="held by another program"):
            apps()
    assert alice.scorer.send(hand(1, s2=35, s3=5)).status_code == 201
