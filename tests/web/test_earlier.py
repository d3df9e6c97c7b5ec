"""A database of an earlier release opens, and nothing that was in it is lost, on SQLite and on PostgreSQL."""

import pytest
import sqlalchemy as sa

from app import create_app
from app.store import copies, games, grants, opening
from app.store.database import Version, is_gone
from app.store.models import db
from tests.web.earlier import CODES, TWO_GAMES, made, row

REFUSED = {"answer": "refused", "answered_by": "Mac", "answered_at": "2026-11-21T19:10:09Z"}
SAID = (
    row("appeal", id=3, game_id=1, kind="pen", seat=2, device="iPhone", at="2026-11-21T19:10:00Z", **REFUSED),
    row("appeal", id=7, game_id=2, kind="referee", seat=3, device="iPad", at="2026-11-21T19:11:00Z"),
    row("count", game_id=1, after_seq=2, seat=2, cards="K Q", at="2026-11-21T19:12:00Z"),
    row("count", game_id=1, after_seq=2, seat=3, cards="=35", at="2026-11-21T19:13:00Z"),
    row("count", game_id=2, after_seq=1, seat=1, cards="out", at="2026-11-21T19:14:00Z"),
    row("proposal", game_id=1, seen=2, data='{"kind":"void"}', at="2026-11-21T19:15:00Z"),
    row("opinion", game_id=1, seat=2, agrees=True, words=""),
    row("opinion", game_id=1, seat=3, agrees=False, words="I had 12"),
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


def test_what_players_handed_in_is_kept(url, opened):
    with opened(made(url, "0002", TWO_GAMES, "0007", SAID)).app_context():
        one, two = CODES
        assert games.counts(one, 2, Version(2, 1)) == {2: ("K Q",), 3: ("=35",)}
        assert games.counts(two, 1, Version(1, 1)) == {1: ("out",)}
        games.hand_in(one, 2, 3, "Q")
        assert games.counts(one, 2, Version(2, 1)) == {2: ("K Q",), 3: ("=35", "Q")}
        assert [*copies.check()] == []


def test_of_what_phones_said_under_0_3_only_the_last_count_of_a_seat_is_kept(url, opened):
    at = "2026-11-21T19:12:00Z"
    messages = (
        row("message", game_id=1, kind="count", seat=2, about=2, contents="K", at=at),
        row("message", game_id=1, kind="count", seat=2, about=2, contents="K Q", at=at),
        row("message", game_id=1, kind="proposal", about=2, contents='{"kind":"void"}', at=at),
        row("message", game_id=2, kind="pen", seat=3, at=at),
    )
    with opened(made(url, "0002", TWO_GAMES, "0011", messages)).app_context():
        assert games.counts(CODES[0], 2, Version(2, 1)) == {2: ("K Q",)}
        assert games.counts(CODES[1], 2, Version(2, 1)) == {}
        assert [*copies.check()] == []


def test_a_game_of_an_earlier_release_is_deleted_with_what_was_said(url, opened):
    with opened(made(url, "0002", TWO_GAMES, "0007", SAID)).app_context():
        games.delete(CODES[0])
        assert games.codes() == CODES[1:]
        assert (is_gone(CODES[0]), is_gone(CODES[1])) == (True, False)
        fresh = grants.reset_links(CODES[1], None)
        assert (is_gone(CODES[1]), is_gone(fresh), games.codes()) == (True, False, (fresh,))
        with db.engine.connect() as connection:
            assert connection.execute(sa.text('SELECT count(*) FROM "count" WHERE game_id = 1')).scalar() == 0


def test_in_games_begun_before_1_0_only_the_starting_device_records(url, opened):
    with opened(made(url, "0002", TWO_GAMES)).app_context():
        for code in CODES:
            assert grants.is_only_starter_recording(code)
            secrets = grants.mint(code, "scorer"), grants.mint(code, "player", 2)
            assert [grants.grant_for(code, secret).may_record for secret in secrets] == [True, False]


@pytest.mark.parametrize("revision", ["0002", "0007", "0011"])
def test_tables_without_games_are_brought_up_to_date(url, opened, revision):
    with opened(made(url, revision)).app_context():
        assert games.new_game({"kind": "start"}, "started", "Ann").repeated is False


def test_before_and_after_no_entry_is_deleted_alone_and_now_a_game_goes_whole(url, opened):
    made(url, "0002", TWO_GAMES)
    with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"):
        made(url, (sa.text("DELETE FROM entry"),))
    with opened(url).app_context():
        with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"), db.engine.begin() as connection:
            connection.execute(sa.text("DELETE FROM entry"))
        games.delete(CODES[0])
        assert games.codes() == CODES[1:]


def test_logs_of_an_earlier_release_go_on(url, opened):
    with opened(made(url, "0002", TWO_GAMES)).app_context():
        assert [*copies.check()] == []
        assert [entry.event["kind"] for entry in games.load(CODES[0]).entries] == ["start", "void"]
        with pytest.raises(sa.exc.DBAPIError), db.engine.begin() as connection:
            connection.execute(sa.text("UPDATE entry SET actor = 'x'"))
        assert games.append(CODES[0], 2, {"kind": "void"}, "new", "Ann").seq == 3
        assert [*copies.check()] == []
