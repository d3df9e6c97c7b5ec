"""A database of 0.3 opens, and nothing that was in it is lost, on SQLite and on PostgreSQL; older ones are refused."""

import pytest
import sqlalchemy as sa

from app import create_app
from app.settings import database_url
from app.store import games, grants, opening
from app.store.database import Version, db, is_gone
from tests.web.old_databases import CODES, TWO_GAMES, made, row

AT = "2026-11-21T19:12:00Z"
MESSAGES = (
    row("message", game_id=1, kind="count", seat=2, about=2, contents="K", at=AT),
    row("message", game_id=1, kind="count", seat=2, about=2, contents="K Q", at=AT),
    row("message", game_id=1, kind="count", seat=3, about=2, contents="=35", at=AT),
    row("message", game_id=2, kind="count", seat=1, about=1, contents="out", at=AT),
    row("message", game_id=1, kind="proposal", about=2, contents='{"kind":"void"}', at=AT),
    row("message", game_id=1, kind="opinion", seat=3, contents="I had 12", at=AT),
    row("message", game_id=2, kind="pen", seat=3, at=AT, answer="refused", answered_by="Mac", answered_at=AT),
)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    is_file = request.param == "sqlite"
    return f"sqlite:///{tmp_path / 'games.db'}" if is_file else request.getfixturevalue("postgresql")()


@pytest.fixture
def opened():
    """The application of today on a database."""
    apps = []

    def opened(url):
        apps.append(create_app({"DATABASE_URL": url, "SECRET_KEY": "test"}))
        return apps[-1]

    yield opened
    for app in apps:
        opening.close_database(app)


def test_of_what_phones_said_the_last_count_of_each_seat_is_kept(url, opened):
    with opened(made(url, "0011", TWO_GAMES, MESSAGES)).app_context():
        one, two = CODES
        assert games.counts(one, 2, Version(2, 1)) == {2: ("K Q",), 3: ("=35",)}
        assert games.counts(two, 1, Version(1, 1)) == {1: ("out",)}
        games.hand_in(one, 2, 3, "Q")
        assert games.counts(one, 2, Version(2, 1)) == {2: ("K Q",), 3: ("=35", "Q")}
        assert [*opening.check()] == []


def test_a_game_of_an_earlier_release_is_deleted_with_what_was_said(url, opened):
    with opened(made(url, "0011", TWO_GAMES, MESSAGES)).app_context():
        games.delete(CODES[0])
        assert games.codes() == CODES[1:]
        assert (is_gone(CODES[0]), is_gone(CODES[1])) == (True, False)
        fresh = grants.reset_links(CODES[1], None)
        assert (is_gone(CODES[1]), is_gone(fresh), games.codes()) == (True, False, (fresh,))
        with db.engine.connect() as connection:
            assert connection.execute(sa.text('SELECT count(*) FROM "count" WHERE game_id = 1')).scalar() == 0


def test_in_games_begun_before_1_0_only_the_starting_device_records(url, opened):
    with opened(made(url, "0011", TWO_GAMES)).app_context():
        for code in CODES:
            assert grants.is_only_starter_recording(code)
            secrets = grants.mint(code, "scorer"), grants.mint(code, "player", 2)
            assert [grants.grant_for(code, secret).may_record for secret in secrets] == [True, False]


def test_tables_without_games_are_brought_up_to_date(url, opened):
    with opened(made(url, "0011")).app_context():
        assert games.new_game({"kind": "start"}, "started", "Ann").repeated is False


def test_before_and_after_no_entry_is_deleted_alone_and_now_a_game_goes_whole(url, opened):
    made(url, "0011", TWO_GAMES)
    with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"):
        made(url, (sa.text("DELETE FROM entry"),))
    with opened(url).app_context():
        with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"), db.engine.begin() as connection:
            connection.execute(sa.text("DELETE FROM entry"))
        games.delete(CODES[0])
        assert games.codes() == CODES[1:]


def test_logs_of_an_earlier_release_go_on(url, opened):
    with opened(made(url, "0011", TWO_GAMES)).app_context():
        assert [*opening.check()] == []
        assert [entry.event["kind"] for entry in games.load(CODES[0]).entries] == ["start", "void"]
        with pytest.raises(sa.exc.DBAPIError), db.engine.begin() as connection:
            connection.execute(sa.text("UPDATE entry SET actor = 'x'"))
        assert games.append(CODES[0], 2, {"kind": "void"}, "new", "Ann").seq == 3
        assert [*opening.check()] == []


@pytest.mark.parametrize("schema", ["0002", "0007"])
def test_a_database_from_before_0_3_is_refused_unchanged(url, opened, schema):
    earlier = sa.update(sa.table("alembic_version", sa.column("version_num"))).values(version_num=schema)
    made(url, "0011", TWO_GAMES, (earlier,))
    with pytest.raises(SystemExit, match=r"open it with 0\.3 once"):
        opened(url)
    engine = sa.create_engine(database_url(url), poolclass=sa.NullPool)
    assert {"message", "pulse"} <= set(sa.inspect(engine).get_table_names())  # which a later schema does not have
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == schema
