"""A game is deleted for good: by who started it and by nobody else, and nothing of it is left on the server."""

from datetime import UTC, datetime
from hashlib import sha256

import pytest
import sqlalchemy as sa

from app import create_app
from app.games import recording
from app.store import games, grants, opening
from app.store.database import NoSuchGame, db, is_gone
from app.views import sheets
from tests.json_scorer import import_game
from tests.pages import Alice, Player, hand, start_by_form, take_back, words

pytestmark = pytest.mark.both_engines

NAMES = ("Annegret", "Balthasar", "Cunigunde")


@pytest.fixture
def alice(app):
    return Alice(app, players=NAMES)


def delete(device, code, name="Annegret"):
    return device.post(f"/g/{code}/delete", data={"name": name})


def left(app):
    """How many rows each table has of games."""
    tables = [table for name, table in db.metadata.tables.items() if name not in ("alembic_version", "gone")]
    with app.app_context(), db.engine.connect() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() for table in tables
        }


def everywhere(database):
    """All bytes of the database and of what lies beside it."""
    return b"".join(path.read_bytes() for path in sorted(database.parent.glob(f"{database.name}*")))


def played(alice, ben):
    """A game that has left something in every table but that of clubs, in the caches and at the renderer."""
    alice.record(hand(1, s2=35, s3="KH QD"), {"kind": "rename", "seat": 3, "name": "Kunigunde"})
    ben.count(left="K Q")
    assert alice.get("/sheet").status_code == 200
    assert alice.client.get(f"/api/v1/games/{alice.code}/sheet.csv").status_code == 200


def test_nothing_of_a_deleted_game_is_left_in_any_table_or_file(app, alice, ben, database):
    played(alice, ben)
    assert [name for name, rows in left(app).items() if not rows] == ["club_game"]
    assert b"Balthasar" in everywhere(database)
    answer = delete(alice.client, alice.code)
    assert (answer.status_code, answer.location) == (303, "/games")
    assert not any(left(app).values())
    kept = everywhere(database)
    assert not [name for name in (*NAMES, "Kunigunde", alice.code) if name.encode() in kept]


def test_only_the_fingerprint_of_its_address_and_the_day_stay(app, alice):
    app.config["CLOCK"] = lambda: datetime(2026, 11, 26, 21, 40, tzinfo=UTC)
    delete(alice.client, alice.code)
    with app.app_context(), db.engine.connect() as connection:
        kept = connection.execute(sa.select(db.metadata.tables["gone"])).all()
    assert kept == [(sha256(alice.code.encode()).hexdigest(), "2026-11-26")]


def test_what_could_not_be_deleted_is_not_gone(app, alice):
    with app.app_context():
        with pytest.raises(NoSuchGame):
            games.delete(alice.code, unused_days=30)
        assert not is_gone(alice.code)
    assert alice.get().status_code == 200


def test_nothing_of_a_deleted_game_is_left_in_memory(app, alice, ben):
    played(alice, ben)
    with app.app_context():
        assert recording._cache().get(alice.code)
        assert sheets._CACHE
        delete(alice.client, alice.code)
        assert recording._cache().get(alice.code) is None
        assert not sheets._CACHE


def test_a_game_deleted_by_another_process_leaves_the_memory_of_this_one(app, alice):
    alice.get()
    with app.app_context():
        games.delete(alice.code)
        assert recording.open_game(alice.code) is None
        assert not recording._cache()


def test_the_address_of_a_deleted_game_is_gone_on_every_page_and_in_the_interface(alice, ben):
    delete(alice.client, alice.code)
    for path in ("", "/hand", "/share", "/history", "/version", "/board", "/sheet", "/delete", "/live", "/s/ABC"):
        assert alice.get(path).status_code == ben.get(path).status_code == 410, path
    for file in ("", "/sheet.pdf", "/sheet.csv", "/sheet.json"):
        assert alice.client.get(f"/api/v1/games/{alice.code}{file}").status_code == 410
    answer = alice.scorer.send({"kind": "void"})
    assert (answer.status_code, answer.json["error"]["code"]) == (410, "gone")
    assert delete(alice.client, alice.code).status_code == 410
    assert "It was deleted, or its links were reset." in words(ben.get().text)
    assert alice.client.get("/g/23456789ABC").status_code == 404
    assert alice.code not in alice.client.get("/games").text


def test_other_games_stay_as_they_are(app, alice):
    other = Alice(app).record(hand(1, s2=35, s3=20))
    delete(alice.client, alice.code)
    assert other.totals == [0, 35, 20]
    other.record(hand(2, s1=5, s3=1))
    with app.app_context():
        assert [*opening.check()] == []


@pytest.mark.parametrize("typed", ["annegret", " BALTHASAR ", "Cunigunde", "Ａnne\u200bgret"])
def test_the_name_of_any_player_is_read_as_people_type_it(alice, typed):
    assert delete(alice.client, alice.code, typed).status_code == 303


@pytest.mark.parametrize("typed", ["", "\u3164", "Ann", "yes", "Annegret Balthasar"])
def test_without_a_players_name_nothing_is_deleted_and_what_was_typed_stays(alice, typed):
    answer = delete(alice.client, alice.code, typed)
    assert answer.status_code == 422
    assert "Nothing was deleted" in words(answer.text)
    assert f'name="name" value="{typed}"' in answer.text
    assert alice.get().status_code == 200


def test_the_page_says_what_goes_what_stays_and_who_may(alice, ben):
    page = alice.see("/delete")
    assert "for good" in page
    assert "printed or saved" in page
    assert "/delete" in alice.get("/more").text
    refused = ben.get("/delete")
    assert refused.status_code == 403
    assert "Only the phone that started this game can do that" in words(refused.text)
    assert "<form" not in refused.text
    assert "/delete" not in ben.get("/more").text


def test_no_link_deletes(app, alice, ben):
    scorer, recovered = app.test_client(), app.test_client()
    scorer.get(alice.link("scorer"))
    with app.app_context():
        recovery = grants.mint(alice.code, "recovery")
    recovered.post("/open", data={"typed": recovery}, follow_redirects=True)
    for device in (scorer, recovered):
        assert device.get(f"/g/{alice.code}/hand").status_code == 200
    for device in (scorer, recovered, ben.client, app.test_client(), Alice(app).client):
        assert delete(device, alice.code).status_code == 403


def test_whose_right_was_taken_back_deletes_nothing(app, alice):
    with app.app_context():
        right = grants.list_grants(alice.code)[0].id
    take_back(app, right)
    assert delete(alice.client, alice.code).status_code == 403


def test_a_game_started_on_a_page_or_imported_is_deleted_there(client):
    code = start_by_form(client).code
    saved = client.get(f"/api/v1/games/{code}/sheet.json").json["log"]
    assert delete(client, code, "Ben").status_code == 303
    brought = import_game(client, saved)
    client.get(f"/g/{brought.code}/s/{brought.secret}")
    assert delete(client, brought.code, "Ben").status_code == 303


def test_an_entry_alone_is_still_never_deleted(app, alice):
    alice.record({"kind": "void"})
    with app.app_context(), pytest.raises(sa.exc.DBAPIError), db.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM entry WHERE seq = 2"))
    assert alice.table.seen == 2


def test_on_postgresql_too_it_goes_with_everything_and_alone(postgresql):
    app = create_app({"DATABASE_URL": postgresql(), "SECRET_KEY": "test", "TESTING": True, "WTF_CSRF_ENABLED": False})
    alice, other = Alice(app, players=NAMES), Alice(app)
    played(alice, Player(alice, seat=2))
    statement = sa.text("DELETE FROM entry WHERE seq = 2")
    with app.app_context(), pytest.raises(sa.exc.DBAPIError), db.engine.begin() as connection:
        connection.execute(statement)
    assert delete(alice.client, alice.code).status_code == 303
    assert left(app) == {"game": 1, "entry": 1, "grant": 1, "count": 0, "club_game": 0}
    assert other.get().status_code == 200
    opening.close_database(app)
