"""The log stores each entry exactly once and never changes it, on SQLite and on PostgreSQL."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import flask_migrate
import pytest
import sqlalchemy as sa
from flask import current_app
from sqlalchemy.exc import DBAPIError

from app import create_app
from app.games import recording
from app.games.recording import Refused, Reused, Saved, Stale
from app.kalooki.game.events import from_json
from app.store import games as stored_games
from app.store import grants, opening
from app.store.database import NoSuchGame, NotAllowed, Version, db, game_changed, version, versions
from app.store.games import NewGame, StoredEntry
from tests.examples import times
from tests.matrix import some
from tests.pages import take_back
from tests.process_pool import PROCESSES
from tests.web.in_parallel import at_once

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}
HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH"}}
VOID = {"kind": "void", "reason": "misdeal"}


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, empty_database, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(empty_database, tmp_path / 'games.db')}"
    return request.getfixturevalue("migrated_postgresql")()


@pytest.fixture
def app(database_url):
    app = create_app({"DATABASE_URL": database_url, "SECRET_KEY": "test"})
    with app.app_context():
        yield app
        db.engine.dispose()


@pytest.fixture
def code(app):
    return stored_games.new_game(START, "started", "Ann's phone").code


def save(code, event, seen, submission, right=None, actor="Ann"):
    return recording.save(code, from_json(event), seen, submission, actor, right)


def as_written(outcome):
    """Where a saved event stands, and whether it had been there."""
    assert isinstance(outcome, Saved)
    return outcome.entry, outcome.is_repeated


def is_stale(outcome):
    """Whether nothing was saved for no other reason than what others recorded."""
    return isinstance(outcome, Stale)


def test_a_game_starts_with_its_first_entry(code):
    found = stored_games.load(code)
    assert [(entry.seq, entry.event, entry.actor) for entry in found.entries] == [(1, START, "Ann's phone")]
    assert found.last == version(code).seen == 1


def test_a_code_has_55_random_bits_in_letters_nobody_confuses(app):
    codes = {stored_games.new_game(START, f"game-{number}", "Ann").code for number in range(40)}
    letters = set("".join(codes))
    assert {len(code) for code in codes} == {11}
    assert len(codes) == 40
    assert not letters & set("IO01")
    assert len(letters) > 25  # of 32, in 440 drawn


def test_the_log_keeps_events_in_order_and_whole(code):
    odd = {"kind": "void", "reason": 'Ünï ♠ "quoted" \ud800 \x00 </script>', "n": [1, None, {}]}
    for event, submission, actor in ((HAND, "a", "Ann"), (odd, "b", "Ben\x00")):
        before = stored_games.load(code)
        entry = stored_games.append(code, before.last, event, submission, actor)
        assert before.extended(entry) == stored_games.load(code)
    assert [entry.event for entry in stored_games.load(code).entries] == [START, HAND, odd]
    assert [entry.actor for entry in stored_games.load(code).entries] == ["Ann's phone", "Ann", "Ben"]


def test_an_entry_carries_the_time_in_utc_to_the_second(code):
    at = stored_games.load(code).entries[0].at
    assert len(at) == len("2025-12-31T20:15:00Z")
    assert at.endswith("Z")


@pytest.mark.parametrize("unknown", ["ZZZZZZZZZZZ", "", "short", "\x00" * 11, "\ud800" * 11])
def test_an_unknown_code_finds_nothing(app, unknown):
    assert stored_games.load(unknown) is None
    assert version(unknown) is None
    assert grants.grant_for(unknown, "ABCDE") is None
    with pytest.raises(NoSuchGame):
        save(unknown, HAND, 1, "a")


def test_the_same_submission_is_saved_once(code):
    assert as_written(save(code, HAND, 1, "a")) == (2, False)
    assert as_written(save(code, dict(reversed(HAND.items())), 1, "a")) == (2, True)
    assert version(code).seen == 2


def test_a_repetition_is_recognised_after_others_recorded(code):
    save(code, HAND, 1, "a")
    save(code, VOID, 2, "b")
    assert as_written(save(code, HAND, 1, "a")) == (2, True)


def test_the_same_submission_with_other_contents_is_refused(code):
    save(code, HAND, 1, "a")
    refused = save(code, VOID, 2, "a")
    assert isinstance(refused, Reused)
    assert (refused.entry, refused.record.seen) == (2, 2)
    assert version(code).seen == 2


def test_a_submission_counts_within_its_game_only(code):
    other = stored_games.new_game(START, "another", "Ann").code
    assert as_written(save(code, HAND, 1, "a")) == as_written(save(other, HAND, 1, "a")) == (2, False)


@pytest.mark.parametrize("seen", [-1, 0, 1, 3, 2**70])
def test_a_form_that_has_not_seen_the_newest_entry_is_stale(code, seen):
    save(code, HAND, 1, "a")
    refused = save(code, VOID, seen, "b")
    assert is_stale(refused)
    assert refused.record.seen == 2
    assert version(code).seen == 2


def test_what_the_table_refuses_is_not_stored(code):
    refused = save(code, HAND | {"winner": 3}, 1, "a")
    assert isinstance(refused, Refused)
    assert [fault.rule for fault in refused.faults] == ["winner-not-in", "loser-missing"]
    assert version(code).seen == 1
    assert as_written(save(code, HAND, 1, "a")) == (2, False)


@pytest.mark.parametrize("submission", ["x", "a b", "Zoë’s 2nd hand ♠", " ", "started 2", "x" * 100])
def test_any_short_text_names_a_submission(code, submission):
    assert as_written(save(code, HAND, 1, submission)) == (2, False)
    assert as_written(save(code, HAND, 1, submission)) == (2, True)


def test_starting_twice_with_one_submission_is_one_game(code):
    again = stored_games.new_game(START, "started", "Ann's phone")
    assert (again.code, again.repeated) == (code, True)
    assert grants.grant_for(code, again.secret).role == "scorer"
    assert stored_games.codes() == (code,)


def test_a_start_is_recognised_after_hands_were_recorded(code):
    save(code, HAND, 1, "a")
    assert stored_games.new_game(START, "started", "Ann").code == code


def test_starting_with_one_submission_and_other_players_is_refused(code):
    assert stored_games.new_game(START | {"players": ["Ann", "Cat"]}, "started", "Ann") == NewGame()
    assert stored_games.codes() == (code,)


WHOLE = [
    StoredEntry(1, START, "Ann", "2024-05-01T19:00:00Z"),
    StoredEntry(2, HAND, "", "2024-05-01T19:10:00Z"),
]


def test_an_imported_log_keeps_its_numbers_times_and_actors(app):
    game = stored_games.import_log(WHOLE, "brought", "Cat")
    assert [(entry.seq, entry.event, entry.actor, entry.at) for entry in stored_games.load(game.code).entries] == [
        (1, START, "Ann", "2024-05-01T19:00:00Z"),
        (2, HAND, "Cat", "2024-05-01T19:10:00Z"),
    ]
    save(game.code, VOID, 2, "a")
    assert stored_games.import_log(WHOLE, "brought", "Cat").code == game.code


def test_a_log_imported_with_other_or_fewer_entries_is_refused(app):
    stored_games.import_log(WHOLE, "brought", "Cat")
    otherwise, longer = [WHOLE[0], StoredEntry(2, VOID, "", "")], [*WHOLE, StoredEntry(3, VOID, "", "")]
    for other in (WHOLE[:1], otherwise, longer):
        assert stored_games.import_log(other, "brought", "Cat") == NewGame()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE entry SET data = '{}'", "UPDATE entry SET seq = 7 WHERE seq = 1", "DELETE FROM entry", "DELETE FROM game"],
)
def test_the_database_refuses_to_change_an_entry(code, statement):
    before = stored_games.load(code)
    with pytest.raises(DBAPIError), db.engine.begin() as connection:
        connection.execute(sa.text(statement))
    assert stored_games.load(code) == before


def test_the_database_refuses_to_replace_an_entry(code):
    statements = {
        "sqlite": "INSERT OR REPLACE INTO entry SELECT game_id, seq, submission, '{}', actor, at FROM entry",
        "postgresql": "TRUNCATE entry",
    }
    with pytest.raises(DBAPIError), db.engine.begin() as connection:
        connection.execute(sa.text(statements[db.engine.dialect.name]))
    assert stored_games.load(code).entries[0].event == START


@pytest.mark.parametrize(("seq", "submission"), [(1, "fresh"), (2, "started")])
def test_the_database_itself_refuses_a_number_or_submission_twice(code, seq, submission):
    statement = sa.text(
        "INSERT INTO entry (game_id, seq, submission, data, actor, at) "
        "SELECT id, :seq, :submission, '{}', '', '' FROM game"
    )
    with pytest.raises(DBAPIError), db.engine.begin() as connection:
        connection.execute(statement, {"seq": seq, "submission": submission})
    assert version(code).seen == 1


def test_threads_that_send_one_submission_together_save_it_once(app, code):
    answers = at_once(app, 8, lambda _: as_written(save(code, HAND, 1, "a")))
    assert sorted(answers) == [(2, False)] + [(2, True)] * 7
    assert version(code).seen == 2


def test_threads_that_start_one_game_together_start_one(app):
    games = at_once(app, 8, lambda _: stored_games.new_game(START, "started", "Ann"))
    assert {game.code for game in games} == set(stored_games.codes())
    assert sorted(game.repeated for game in games) == [False] + [True] * 7


def test_of_eight_scorers_saving_after_the_same_entry_one_wins(app, code):
    def race(number):
        outcome = save(code, {"kind": "penalty", "seat": 1, "points": 1 + number}, 1, f"form-{number}")
        return 0 if is_stale(outcome) else outcome.entry, is_stale(outcome), outcome.record.seen

    answers = at_once(app, 8, race)
    assert answers.count((2, False, 2)) == 1
    assert answers.count((0, True, 2)) == 7


def race(database_url, *codes, count):
    """What processes print that record so many entries at once, each with a thread for each of its codes."""

    def run(of_process):
        name, codes = of_process
        return PROCESSES.run(["tests.web.race", database_url, " ".join(codes), name, str(count)], os.environ)

    with ThreadPoolExecutor() as processes:
        ran = [*processes.map(run, zip(("ann", "ben", "cat"), codes, strict=False))]
    assert [each.returncode for each in ran] == [0] * len(codes), ran
    return [line.split() for each in ran for line in each.stdout.splitlines()]


@pytest.mark.parametrize("games", some([1, 16], 1))
def test_eight_threads_of_two_processes_lose_and_double_nothing(database_url, app, games):
    codes = [stored_games.new_game(START, f"game {number}", "Ann").code for number in range(games)]
    of_process = [codes * 8] * 2 if games == 1 else [codes[:8], codes[8:]]
    count = times(20)
    lines = race(database_url, *of_process, count=count)
    assert len(lines) == 16 * count
    assert all(first == again and repeated == "True" for *_, first, again, repeated in lines)
    answered = {(code, submission): int(number) for code, submission, number, *_ in lines}
    saved = {
        (code, entry.event["reason"]): entry.seq for code in codes for entry in stored_games.load(code).entries[1:]
    }
    assert saved == answered
    for code in codes:
        each = 16 * count // games
        assert sorted(number for (of, _), number in saved.items() if of == code) == list(range(2, each + 2))
        assert [player.total for player in recording.open_game(code).game.players.values()] == [each, 0]


@pytest.mark.both_engines
def test_processes_starting_together_make_one_database(request, engine, tmp_path):
    is_file = engine == "sqlite"
    url = f"sqlite:///{tmp_path / 'new.db'}" if is_file else request.getfixturevalue("postgresql")()
    assert race(url, ["none"], ["none"], ["none"], count=0) == []
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        assert stored_games.codes() == ()
        db.engine.dispose()


def test_the_tables_are_what_the_migrations_make(app):
    flask_migrate.check()  # stops the process when they differ
    with db.engine.connect() as connection:
        tables = set(sa.inspect(connection).get_table_names())
    kept = {"game", "entry", "grant", "count", "gone", "club_game"}
    assert tables == {"alembic_version", *kept}


def test_sqlite_writes_through_to_the_disk_on_every_connection(database):
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "wal_autocheckpoint": 1,
        "foreign_keys": 1,
        "secure_delete": 1,
        "recursive_triggers": 1,
        "busy_timeout": 5000,
    }
    app = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    with app.app_context(), ExitStack() as stack:
        connections = [stack.enter_context(db.engine.connect()) for _ in range(3)]  # at the same time
        connections.append(db.session.connection())
        for connection in connections:
            assert {name: connection.execute(sa.text(f"PRAGMA {name}")).scalar() for name in expected} == expected
    opening.close_database(app)


@pytest.fixture
def heard(app):
    """The codes of the games that changed, in order."""
    codes = []

    def hear(_sender, code):
        codes.append(code)

    with game_changed.connected_to(hear):
        yield codes


def test_versions_of_games_that_are_there(code):
    other = stored_games.new_game(START, "another", "Ann").code
    save(code, HAND, 1, "a")
    stored_games.hand_in(other, 1, 2, "KH")
    assert versions([code, other, "ZZZZZZZZZZZ"]) == {code: (2, 0), other: (1, 1)}
    assert versions([]) == {}
    stored_games.delete(other)
    assert versions([code, other]) == {code: Version(2, 0)}
    assert version(code) == (2, 0)


CHANGES = {
    "an entry": lambda code: save(code, HAND, 1, "a"),
    "a count": lambda code: stored_games.hand_in(code, 1, 2, "KH"),
    "a seat": lambda code: grants.join(code, 2, "Ben's phone"),
    "who records": lambda code: grants.let_only_starter_record(code, only=True),
    "a right": lambda code: grants.mint(code, "scorer"),
    "a new address": lambda code: grants.reset_links(code, None),
    "a rematch": lambda code: stored_games.link_rematch(
        code, stored_games.new_game(START, "another", "Ann").code, None
    ),
    "the end of it": stored_games.delete,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_is_told_once(code, heard, change):
    change(code)
    assert heard == [code]


def test_what_is_not_stored_is_told_to_nobody(code, heard):
    assert is_stale(save(code, HAND, 0, "a"))
    with pytest.raises(NoSuchGame):
        recording.save("ZZZZZZZZZZZ", from_json(VOID), 1, "a", "Ann")
    assert heard == []


def test_who_hears_of_a_change_finds_it(code):
    found = []

    def look(_sender, code):
        found.append(version(code))

    with game_changed.connected_to(look):
        save(code, HAND, 1, "a")
    assert found == [(2, 0)]


def test_a_secret_opens_its_own_game_with_its_role(code):
    secret = grants.mint(code, "player", seat=2, device="Ben's phone")
    other = stored_games.new_game(START, "another", "Ann").code
    grant = grants.grant_for(code, secret)
    assert (grant.role, grant.seat, grant.device) == ("player", 2, "Ben's phone")
    assert grants.grant_for(other, secret) is None
    assert grants.grant_for(code, secret[:-1]) is None
    assert grants.grant_for(code, "\ud800") is None


def test_a_secret_is_read_as_people_type_it_from_paper(code):
    secret = grants.mint(code, "recovery")
    typed = f" {secret[:5]}-{secret[5:10]} {secret[10:]} ".lower()
    assert grants.grant_for(code, typed).role == "recovery"


def test_the_database_holds_no_secret(code):
    secret = grants.mint(code, "scorer")
    with db.engine.connect() as connection:
        rows = connection.execute(sa.text('SELECT * FROM "grant"')).all()
    assert len(rows) == 2
    assert secret not in str(rows)


def test_a_revoked_secret_opens_nothing_and_stays_listed(code):
    secret = grants.mint(code, "scorer")
    kept = grants.mint(code, "watch")
    grant = grants.grant_for(code, secret)
    take_back(current_app, grant.id)
    assert grants.grant_for(code, secret) is None
    assert grants.grant_for(code, kept).role == "watch"
    listed = grants.list_grants(code)
    assert [each.role for each in listed] == ["scorer", "scorer", "watch"]
    assert [each.revoked_at is not None for each in listed] == [False, True, False]


def test_rights_are_given_in_known_games_and_known_roles_only(code):
    with pytest.raises(LookupError):
        grants.mint("ZZZZZZZZZZZ", "scorer")
    with pytest.raises(DBAPIError):
        grants.mint(code, "owner")


def test_a_backup_is_a_whole_database(app, code, tmp_path):
    target = tmp_path / "copy.db"
    if db.engine.dialect.name == "postgresql":
        with pytest.raises(SystemExit, match="pg_dump"):
            opening.backup(target)
        return
    opening.backup(target)
    assert opening.size_of_file(target) == (1, 1)
    copy = create_app({"DATABASE_URL": f"sqlite:///{target}", "SECRET_KEY": "test"})
    before = stored_games.load(code)
    with copy.app_context():
        assert stored_games.load(code) == before
        db.engine.dispose()


@pytest.fixture
def statements(app):
    """What is sent to the database, without what begins and ends a transaction."""
    sent = []

    def note(_connection, _cursor, statement, *_):
        sent.append(statement.split()[0])

    sa.event.listen(db.engine, "before_cursor_execute", note)
    yield sent
    sa.event.remove(db.engine, "before_cursor_execute", note)


ASKED = {
    "load": (lambda code, _: stored_games.load(code), ["SELECT"]),
    "version": (lambda code, _: version(code), ["SELECT"]),
    "versions": (lambda code, _: versions([code] * 500), ["SELECT"]),
    "check a right": (grants.grant_for, ["SELECT"]),
    "append": (lambda code, _: stored_games.append(code, 1, HAND, "a", "Ann"), ["UPDATE", "INSERT"]),
    "save": (lambda code, _: save(code, HAND, 1, "a"), ["SELECT", "UPDATE", "INSERT"]),
}


@pytest.mark.parametrize(("ask", "expected"), ASKED.values(), ids=ASKED)
def test_statements_are_few_however_long_the_game(app, code, statements, ask, expected):
    secret = grants.mint(code, "scorer")
    statements.clear()
    ask(code, secret)
    assert statements == expected


def test_a_save_with_a_right_checks_that_too(app, code, statements):
    right = grants.grant_for(code, grants.mint(code, "scorer")).id
    statements.clear()
    save(code, HAND, 1, "a", right)
    assert statements == ["SELECT", "UPDATE", "SELECT", "INSERT"]
    take_back(current_app, right)
    with pytest.raises(NotAllowed):
        save(code, VOID, 2, "b", right)
    assert version(code).seen == 2
