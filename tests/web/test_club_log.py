"""A club is a log in the same tables, beside the index of which games count in it; on both engines."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from app import create_app
from app.games import clubs, recording
from app.kalooki.club.events import read_recorded, read_sent
from app.kalooki.game.events import from_json
from app.store import clubs as stored_clubs
from app.store import games as stored_games
from app.store import grants
from app.store.database import ClubGame, Game, NoSuchGame, NotAllowed, db, version
from tests.process_pool import PROCESSES
from tests.web.in_parallel import at_once
from tests.web.kill_points import NEVER, some_of, struck

pytestmark = pytest.mark.both_engines

CLUB = {"kind": "start", "name": "Thursday", "zone": "Europe/London"}
START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "stakes": None}
VOID = {"kind": "void"}


@pytest.fixture
def inside(app):
    with app.app_context():
        yield app


@pytest.fixture
def club(inside):
    return Told(*clubs.start(read_recorded(CLUB), "c", "Ann")[:2])


class Told:
    """A club whose entries are saved one after the other."""

    def __init__(self, code, secret):
        self.code, self.secret = code, secret

    @property
    def record(self):
        return clubs.open_club(self.code)

    @property
    def index(self):
        return {each.code: each.records for each in stored_clubs.counted_games(self.code).values()}

    @property
    def version(self):
        return version(self.code, clubs.CLUB)

    def save(self, kind, seen=None, submission=None, grant=None, records=False, **fields):
        seen = self.record.seen if seen is None else seen
        event = read_sent({"kind": kind} | fields)
        return clubs.save(self.code, event, seen, submission or f"s{seen}", ("Ann", grant), records=records)

    def say(self, kind, **fields):
        result = self.save(kind, **fields)
        assert result.state == "saved", result
        return result.entry


def a_game(number=1, players=("Ann", "Ben")):
    return recording.start(from_json(START | {"players": [*players]}), f"game {number}", "Ann").code


def play(code, seen=1, event=VOID):
    assert isinstance(recording.save(code, from_json(event), seen, f"e{seen}", "Ann"), recording.Saved)


def test_a_club_is_started_and_saved_exactly_once(club):
    assert clubs.start(read_recorded(CLUB), "c", "Ann") == (club.code, club.secret, True)
    assert clubs.start(read_recorded(CLUB | {"name": "Friday"}), "c", "Ann").code == ""
    results = [
        club.save("name", seen=1, submission="n", name="Friday"),
        club.save("name", seen=1, submission="n", name="Friday"),
        club.save("name", seen=1, submission="n", name="Monday"),
        club.save("name", seen=1, submission="o", name="Monday"),
        club.save("undo", seen=2, target=9),
    ]
    assert [(each.state, each.entry) for each in results] == [
        ("saved", 2), ("repeated", 2), ("reused", 2), ("stale", 0), ("refused", 0),
    ]  # fmt: skip
    assert (club.record.seen, club.record.club.name) == (2, "Friday")


def test_a_repeat_is_recognised_by_the_event_as_sent_whatever_was_recorded_with_it(club):
    code = a_game()
    assert club.save("game", seen=1, submission="g", code=code).state == "saved"
    assert club.save("game", seen=1, submission="g", code=code).state == "repeated"
    assert club.save("game", seen=1, submission="g", code=code, people={"1": "Eve"}).state == "reused"


def test_a_code_of_the_other_kind_is_not_found(club):
    code = a_game()
    assert recording.open_game(club.code) is None
    assert clubs.open_club(code) is None
    assert (version(club.code), version(code, clubs.CLUB)) == (None, None)
    assert [each.rule for each in club.save("game", code=club.code).faults] == ["no-such-game"]
    assert stored_games.codes() == (code,)


def test_the_index_says_which_games_count_and_where_keepers_may_record(club):
    one, two = a_game(1), a_game(2)
    club.say("game", code=one, records=True)
    added = club.say("game", code=two)
    assert club.index == {one: True, two: False}
    dropped = club.say("drop", code=one)
    assert club.index == {two: False}
    club.say("undo", target=dropped)
    assert club.index == {one: True, two: False}
    club.say("undo", target=added)
    assert club.index == {one: True}


def test_a_reset_of_a_games_links_ends_the_keepers_right_and_its_results_stay(club):
    code = a_game()
    club.say("game", code=code, records=True)
    fresh = grants.reset_links(code, None)
    assert club.index == {fresh: False}
    club.say("name", name="Friday")
    assert club.index == {fresh: False}
    [meeting] = club.record.played
    assert (meeting.summary.names, club.record.code_of(meeting)) == ({1: "Ann", 2: "Ben"}, None)
    assert [each.rule for each in club.save("game", code=fresh).faults] == ["game-twice"]
    club.say("people", code=code, people={"1": "Eve"})
    club.say("drop", code=code)
    club.say("game", code=fresh, records=True)
    assert club.index == {fresh: True}


def test_a_keeper_may_record_where_the_club_records_and_only_as_long(club, inside):
    code, other = a_game(1), a_game(2)
    club.say("game", code=code, records=True)
    club.say("game", code=other)
    assert grants.keeper_for(other, [club.secret]) is None
    keeper = grants.keeper_for(code, ["wrong", club.secret])
    assert keeper.may_record
    assert stored_games.append(code, 1, VOID, "k", "Eve", keeper.id)
    with pytest.raises(NotAllowed):
        stored_games.append(other, 1, VOID, "k", "Eve", keeper.id)
    grants.let_only_starter_record(code, only=True)
    assert stored_games.append(code, 2, VOID, "l", "Eve", keeper.id)
    dropped = club.say("drop", code=code)
    with pytest.raises(NotAllowed):
        stored_games.append(code, 3, VOID, "m", "Eve", keeper.id)
    club.say("undo", target=dropped)
    assert stored_games.append(code, 3, VOID, "m", "Eve", keeper.id)
    grants.reset_links(club.code, None)
    assert grants.keeper_for(code, [club.secret]) is None
    with pytest.raises(NotAllowed):
        stored_games.append(code, 4, VOID, "n", "Eve", keeper.id)


def test_whose_right_in_the_club_was_taken_back_saves_nothing_in_it(club):
    right = grants.list_grants(club.code)[0].id
    assert club.save("name", name="Friday", grant=right).state == "saved"
    grants.reset_links(club.code, None)
    code = stored_games.codes(kind=clubs.CLUB)[0]
    with pytest.raises(NotAllowed):
        Told(code, "").save("name", name="Monday", grant=right)


def test_the_version_moves_with_every_change_in_a_game_and_never_falls(club):
    code, versions = a_game(), [club.version]

    def is_later():
        versions.append(club.version)
        return versions[-1] > versions[-2]

    club.say("game", code=code)
    assert is_later()
    play(code)
    assert is_later()
    grants.let_only_starter_record(code, only=True)
    assert is_later()
    dropped = club.say("drop", code=code)
    assert is_later()
    play(code, seen=2)
    assert club.version == versions[-1]
    club.say("undo", target=dropped)
    assert is_later()
    recording.delete(code)
    assert is_later()


def test_a_save_in_a_clubs_game_costs_no_statement_more(club):
    code, sent = a_game(), []
    club.say("game", code=code, records=True)
    own, keeper = (each.id for each in (grants.list_grants(code)[0], grants.keeper_for(code, [club.secret])))
    sa.event.listen(db.engine, "before_cursor_execute", lambda *each: sent.append(each[2].split()[0]))
    for seen, right in ((1, own), (2, keeper)):
        recording.save(code, from_json(VOID), seen, f"v{seen}", "Ann", right)
    assert sent == ["UPDATE", "SELECT", "INSERT"] * 2


def test_a_deleted_game_is_a_problem_and_goes_from_the_index(club):
    code = a_game()
    added = club.say("game", code=code)
    recording.delete(code)
    [meeting] = club.record.played
    assert (meeting.game.entry, meeting.problem.why, club.index) == (added, "gone", {})
    club.say("name", name="Friday")
    assert club.index == {}
    assert [*clubs.faults_of_index(club.record)] == []


def test_deleting_a_club_leaves_its_games(club):
    code = a_game()
    club.say("game", code=code, records=True)
    recording.delete(club.code)
    assert clubs.open_club(club.code) is None
    assert recording.open_game(code)
    assert db.session.query(ClubGame).all() == []
    with pytest.raises(NoSuchGame):
        club.save("name", seen=2, name="Friday")


@pytest.mark.parametrize("hands", [0, 1])
def test_a_copy_of_a_game_that_counts_is_refused(club, hands):
    """One made before the first hand, too, which has a first hand of its own."""
    code = a_game()
    for _ in range(hands):
        play(code)
    club.say("game", code=code)
    copy = recording.copy(recording.open_game(code), "copy", "Ben").code
    play(copy, seen=1 + hands)
    assert [each.rule for each in club.save("game", code=copy).faults] == ["game-copied"]
    dropped = club.say("drop", code=code)
    copied = club.say("game", code=copy)
    assert [each.rule for each in club.save("undo", target=dropped).faults] == ["game-copied"]
    undone = club.say("undo", target=copied)
    club.say("undo", target=dropped)
    assert [each.rule for each in club.save("undo", target=undone).faults] == ["game-copied"]
    assert [code] == [each.code for each in club.record.club.games.values()]


def test_forgetting_spares_clubs_and_their_games(club, inside):
    counted, alone = a_game(1), a_game(2)
    club.say("game", code=counted)
    inside.config["CLOCK"] = lambda: datetime(2036, 11, 26, tzinfo=UTC)
    assert stored_games.unused(30) == (alone,)
    with pytest.raises(NoSuchGame):
        stored_games.delete(counted, unused_days=30)


def test_two_keepers_and_four_tables_of_another_process_lose_and_double_nothing(inside, club, database_url):
    codes = [a_game(number) for number in range(4)]
    for code in codes:
        club.say("game", code=code, records=True)
    right, before = grants.list_grants(club.code)[0].id, club.version

    def keep(number):
        saved = 0
        while saved < 5:
            name = f"{number}-{saved}"
            result = club.save("name", seen=club.record.seen, submission=name, name=name, grant=right)
            saved += result.state == "saved"
        return saved

    with ThreadPoolExecutor(1) as apart:
        tables = apart.submit(PROCESSES.run, ["tests.web.race", database_url, " ".join(codes), "ann", "5"], os.environ)
        assert at_once(inside, 2, keep) == [5, 5]
        assert tables.result().returncode == 0
    names = [each.event["name"] for each in club.record.log.entries if each.event["kind"] == "name"]
    assert sorted(names) == [f"{number}-{saved}" for number in range(2) for saved in range(5)]
    assert [recording.open_game(code).seen for code in codes] == [6] * 4
    assert club.version == (5 + 10, before.signals + 4 * 5)


def test_a_process_killed_within_an_entry_leaves_all_of_it_or_nothing(club, database_url, tmp_path):
    games = (a_game(number) for number in range(1_000))

    def killed(at):
        return struck(at, tmp_path, "tests.web.club_entry", club.code, next(games), on=database_url)

    points = killed(NEVER)
    assert (club.record.seen, len(club.index)) == (2, 1)
    for at in some_of(points):
        assert killed(at) is None
        record = club.record
        assert (record.seen - 1, [*clubs.faults_of_index(record)]) == (len(club.index), []), at
    assert club.record.seen >= 3


def test_a_club_asked_again_reads_no_game(club):
    for number in range(8):
        club.say("game", code=a_game(number))
    club.record.played  # noqa: B018 - what it computes is kept
    sent = []
    sa.event.listen(db.engine, "before_cursor_execute", lambda *each: sent.append(each[2].split()[0]))
    assert [each.counts for each in club.record.played] == [False] * 8
    assert sent == ["SELECT"]
    code = stored_games.codes()[0]
    play(code)
    sent.clear()
    assert len(club.record.played) == 8
    assert sent == ["SELECT"] * 4  # the version, no new entry, how long the games are, and the game


def test_check_names_what_differs_between_the_index_and_the_log(club, inside):
    run = inside.test_cli_runner()
    one, two, three = (a_game(number) for number in range(3))
    club.say("game", code=one, records=True)
    club.say("game", code=two)
    assert run.invoke(args=["check"]).output == "4 checked, 0 cannot be played\n"
    club_id, ids = stored_club_id(club), {each.code: each.id for each in stored_clubs.counted_games(club.code).values()}
    for statement in (
        sa.update(ClubGame).where(ClubGame.game_id == ids[one]).values(records=False),
        sa.delete(ClubGame).where(ClubGame.game_id == ids[two]),
        sa.insert(ClubGame).values(club_id=club_id, game_id=stored_clubs.find_game(three), records=False),
    ):
        db.session.execute(statement)
    db.session.commit()
    done = run.invoke(args=["check"])
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"{club.code}: keepers may not record in game {one} by the index alone",
        f"{club.code}: game {three} counts by the index, not by the log",
        f"{club.code}: game {two} counts by the log, not by the index",
        "4 checked, 1 cannot be played",
    ]
    club.say("name", name="Friday")  # the next entry writes it anew
    assert run.invoke(args=["check"]).exit_code == 0


def stored_club_id(club):
    return db.session.scalar(sa.select(Game.id).where(Game.code == club.code))


def test_deleting_by_the_command_says_that_a_game_counts_and_knows_clubs(club, inside):
    code = a_game()
    club.say("game", code=code)
    run = inside.test_cli_runner()
    said = run.invoke(args=["delete", code], input="y\n").output
    assert said.startswith(f"It counts in the table of 1 club: {club.code}\n")
    assert f"{club.code} is deleted." in run.invoke(args=["delete", club.code], input="y\n").output
    assert stored_games.codes() == stored_games.codes(kind=clubs.CLUB) == ()


def test_a_club_is_copied_to_another_database_whole(club, inside, tmp_path):
    code = a_game()
    club.say("game", code=code, records=True)
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    assert inside.test_cli_runner().invoke(args=["copy-to", url]).exit_code == 0
    entries, index = club.record.log.entries, club.index
    other = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with other.app_context():
        assert (club.record.log.entries, club.index) == (entries, index)
        db.engine.dispose()
