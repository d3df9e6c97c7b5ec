"""A database of an earlier release opens, and nothing that was in it is lost, on SQLite and on PostgreSQL."""

import pytest
import sqlalchemy as sa

from app import create_app, log
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
        log.close_database(app)


def said(code):
    return {
        (each.kind, each.seat, each.about, each.contents, each.device, each.at, each.answer, each.answered_by)
        for each in log.messages_of(code)
    }


def test_what_phones_said_is_kept_whole(url, opened):
    with opened(made(url, "0002", TWO_GAMES, "0007", SAID)).app_context():
        one, two = CODES
        assert said(one) == {
            ("pen", 2, 0, "", "iPhone", "2026-11-21T19:10:00Z", "refused", "Mac"),
            ("count", 2, 2, "K Q", "", "2026-11-21T19:12:00Z", "", ""),
            ("count", 3, 2, "=35", "", "2026-11-21T19:13:00Z", "", ""),
            ("proposal", 0, 2, '{"kind":"void"}', "", "2026-11-21T19:15:00Z", "", ""),
            ("opinion", 2, 2, "", "", "2026-11-21T19:15:00Z", "right", ""),
            ("opinion", 3, 2, "I had 12", "", "2026-11-21T19:15:00Z", "stop", ""),
        }
        assert said(two) == {
            ("referee", 3, 0, "", "iPad", "2026-11-21T19:11:00Z", "", ""),
            ("count", 1, 1, "out", "", "2026-11-21T19:14:00Z", "", ""),
        }
        # a page that was open meanwhile still names the same appeal
        assert log.answer_appeal(two, 7, "settled", "iPad")
        assert [each.answered_at for each in log.messages_of(one) if each.id == 3] == ["2026-11-21T19:10:09Z"]
        log.make_appeal(one, "pen", 3, "iPad", 60)
        numbers = [each.id for code in CODES for each in log.messages_of(code)]
        assert len(set(numbers)) == len(numbers) == 9
        assert [each.damage for each in log.check()] == [(), ()]
        tables = set(sa.inspect(log.db.engine).get_table_names())
        assert tables == {"alembic_version", "game", "entry", "gone", "grant", "message", "pulse"}


def test_a_game_of_an_earlier_release_is_deleted_with_what_was_said(url, opened):
    with opened(made(url, "0002", TWO_GAMES, "0007", SAID)).app_context():
        log.delete(CODES[0])
        assert log.codes() == CODES[1:]
        assert (log.is_gone(CODES[0]), log.is_gone(CODES[1])) == (True, False)
        fresh = log.renew_code(CODES[1])
        assert (log.is_gone(CODES[1]), log.is_gone(fresh), log.codes()) == (True, False, (fresh,))
        with log.db.engine.connect() as connection:
            assert connection.execute(sa.text("SELECT count(*) FROM message WHERE game_id = 1")).scalar() == 0


@pytest.mark.parametrize("revision", ["0002", "0007", "0008", "0009", "0010", "0011"])
def test_tables_without_games_are_brought_up_to_date(url, opened, revision):
    with opened(made(url, revision)).app_context():
        assert log.new_game({"kind": "start"}, "started", "Ann").repeated is False


def test_before_and_after_no_entry_is_deleted_alone_and_now_a_game_goes_whole(url, opened):
    made(url, "0002", TWO_GAMES)
    with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"):
        made(url, (sa.text("DELETE FROM entry"),))
    with opened(url).app_context():
        with pytest.raises(sa.exc.DBAPIError, match="entries are never changed"), log.db.engine.begin() as connection:
            connection.execute(sa.text("DELETE FROM entry"))
        log.delete(CODES[0])
        assert log.codes() == CODES[1:]


def test_logs_of_an_earlier_release_go_on(url, opened):
    with opened(made(url, "0002", TWO_GAMES)).app_context():
        assert [each.damage for each in log.check()] == [(), ()]
        assert [entry.event["kind"] for entry in log.read(CODES[0]).entries] == ["start", "void"]
        with pytest.raises(sa.exc.DBAPIError), log.db.engine.begin() as connection:
            connection.execute(sa.text("UPDATE entry SET actor = 'x'"))
        with log.writing(CODES[0]) as held:
            assert held.append({"kind": "void"}, "new", "Ann").last == 3
        assert [each.damage for each in log.check()] == [(), ()]
