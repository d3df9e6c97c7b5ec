"""A hand entered at the wrong table is saved at the right one first, and then undone where it was."""

import re
from contextlib import contextmanager
from uuid import uuid4

import pytest
import sqlalchemy as sa

from app.store.models import db
from tests.pages import Alice, hand, words

pytestmark = pytest.mark.one_app

FIVE = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH QD", "3": {"points": 7}}}


class Moving:
    """Alice's phone, which records at two tables; the second hand of the first belongs to the other."""

    def __init__(self, app, there=("Cat", "Ann", "Ben"), **more):
        self.here = Alice(app, place="Church hall", zone="UTC")
        self.here.record(hand(2, s1=10, s3=30), FIVE)
        self.there = Alice(app, players=there, place="Kitchen", zone="UTC", **more)
        self.phone = self.here.client
        self.phone.get(f"/g/{self.there.code}/s/{self.there.scorer.secret}")
        self.at = f"/g/{self.here.code}/move/3"

    def look(self, path=""):
        return words(self.phone.get(self.at + path).text)

    def fields(self, **more):
        """What the page would send, from the newest state of both."""
        seen = {"seen": self.here.table.seen, "seen-there": self.there.table.seen}
        return {"to": self.there.code, "submission": str(uuid4())} | seen | more

    def move(self, client=None, **fields):
        return (client or self.phone).post(self.at, data=fields or self.fields())

    @staticmethod
    def record(at, *events):
        """Record at one of the tables from another phone."""
        at.scorer.seen = at.table.seen
        at.record(*events)

    @property
    def totals(self):
        return self.here.totals, self.there.totals


BEFORE = [10, 20, 37], [0, 0, 0]
"""Ann 10, Ben 0, Cat 30; then Ann wins, Ben holds a king and a queen, Cat 7."""
MOVED = [10, 0, 30], [7, 0, 20]
"""There Cat sits first, Ann second, Ben third."""


@pytest.fixture
def moving(app):
    return Moving(app)


def test_a_hand_is_moved_to_the_table_where_the_same_people_sit(moving):
    assert moving.totals == BEFORE
    page = moving.look()
    assert re.search(r"There: Kitchen, [^()]+ Cat, Ann, Ben Ann wins hand 1", page)
    assert re.search(r"Here: Church hall, [^()]+ Ann, Ben, Cat ", page)
    # both previews: 0 and 7 for Cat there; Ben goes back from 20 to 0 here
    assert "Cat 0 + 7 = 7" in page
    assert "Ben 20 → 0" in page
    answer = moving.move()
    assert answer.location.endswith(f"/g/{moving.there.code}")
    assert moving.totals == MOVED
    assert moving.there.events() == [FIVE | {"winner": 2, "left": {"1": {"points": 7}, "3": "KH QD"}}]
    assert moving.here.events()[-1] == {"kind": "undo", "target": 3}


def test_history_offers_it_where_this_phone_records_at_another_table(moving, app):
    assert "Move to another table" in words(moving.here.see("/history"))
    alone = Alice(app).record(hand(1, s2=5, s3=6))
    assert "Move to another table" not in alone.see("/history")
    assert "isn’t recording in any other game" in alone.see("/move/2")
    moving.record(moving.there, {"kind": "stop", "pool": "refund"})
    assert "Move to another table" not in moving.here.see("/history")


def test_of_several_tables_one_is_chosen(moving, app):
    third = Alice(app, players=("Dan", "Eve"))
    moving.phone.get(f"/g/{third.code}/s/{third.scorer.secret}")
    assert "Which table played it?" in moving.look()
    assert f"to={moving.there.code}" in moving.phone.get(moving.at).text
    assert "There: Kitchen, " in moving.look(f"?to={moving.there.code}")


def test_who_is_who_is_asked_where_names_do_not_say(app):
    moving = Moving(app, there=("Carla", "Anna", "Ben"))
    page = moving.look()
    assert "Who is who at the other table?" in page
    assert "Move it" not in page
    assert moving.move().status_code == 422
    people = {"seat-1": 2, "seat-2": 3, "seat-3": 1}
    assert "Carla 0 + 7 = 7" in moving.look("?" + "&".join(f"{name}={seat}" for name, seat in people.items()))
    assert moving.move(**moving.fields(**people | {"seat-3": 2})).status_code == 422
    assert moving.totals == BEFORE
    assert moving.move(**moving.fields(**people)).status_code == 303
    assert moving.totals == MOVED


def test_what_the_other_table_cannot_have_stays_here(app):
    moving = Moving(app, there=("Ann", "Ben", "Cat", "Dan"))
    page = moving.look()
    assert "It cannot be moved as it stands" in page
    assert "Dan" in re.search("as it stands(.*?)Enter it there by hand", page)[1]
    assert moving.move().status_code == 422
    assert moving.totals == ([10, 20, 37], [0, 0, 0, 0])


@contextmanager
def stopped(app, code):
    """The database takes nothing more from one game, as if the server had ended before it did."""

    def run(statement):
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(sa.text(statement))

    with app.app_context(), db.engine.connect() as connection:
        game = connection.execute(sa.text("SELECT id FROM game WHERE code = :code"), {"code": code}).scalar()
    run(
        f"CREATE TRIGGER stopped BEFORE INSERT ON entry WHEN NEW.game_id = {game}"
        " BEGIN SELECT RAISE(ABORT, 'stopped'); END"
    )
    app.config["PROPAGATE_EXCEPTIONS"] = False
    yield
    run("DROP TRIGGER stopped")


def test_a_server_that_stops_in_between_leaves_both_and_says_so(moving, app):
    fields = moving.fields()
    with stopped(app, moving.here.code):
        assert moving.move(**fields).status_code >= 500
    assert moving.totals == (BEFORE[0], MOVED[1])
    page = moving.look()
    assert "This hand is also recorded at Cat, Ann, Ben (Kitchen, " in page
    assert "as hand 1" in page
    assert "Undo it here" in page
    for _ in range(2):  # sent again as it was, and once more
        assert moving.move(**fields).status_code == 303
        assert moving.totals == MOVED
    assert len(moving.there.events()) == 1
    assert moving.here.events()[2:] == [{"kind": "undo", "target": 3}]


def test_after_such_a_stop_the_rest_is_done_although_others_recorded(moving, app):
    with stopped(app, moving.here.code):
        moving.move()
    moving.record(moving.there, hand(2, s1=1, s3=1))
    moving.record(moving.here, hand(2, s1=1, s3=1))
    assert moving.move().status_code == 303
    assert moving.totals == ([11, 0, 31], [8, 0, 21])


def test_two_phones_that_move_the_same_hand_move_it_once(moving, app):
    other = app.test_client()
    for game in (moving.here, moving.there):
        other.get(f"/g/{game.code}/s/{game.scorer.secret}")
    first, second = moving.fields(), moving.fields()
    assert moving.move(**first).status_code == 303
    assert moving.move(other, **second).status_code == 303
    assert moving.totals == MOVED
    assert len(moving.there.events()) == 1


@pytest.mark.parametrize("where", ["here", "there"])
def test_nothing_is_moved_if_somebody_recorded_meanwhile(moving, where):
    fields = moving.fields()
    moving.record(getattr(moving, where), hand(2, s1=1, s3=1))
    before = moving.totals
    answer = moving.move(**fields)
    assert answer.status_code == 409
    assert "somebody else recorded something first" in words(answer.text)
    assert moving.totals == before
    assert moving.move().status_code == 303


def test_only_who_records_at_both_tables_may_move(moving, app):
    one = app.test_client()
    one.get(f"/g/{moving.here.code}/s/{moving.here.scorer.secret}")
    for client in (one, app.test_client(), moving.there.client):
        assert client.get(f"{moving.at}?to={moving.there.code}").status_code == 403
        assert moving.move(client, **moving.fields()).status_code == 403
    assert moving.totals == BEFORE


def test_a_hand_put_back_at_both_tables_is_moved_again(moving):
    moving.move()
    moving.record(moving.here, {"kind": "undo", "target": 4})
    moving.record(moving.there, {"kind": "undo", "target": 2})
    assert moving.totals == BEFORE
    assert moving.move().status_code == 303
    assert moving.totals == MOVED
    # gone back in the browser
    assert moving.phone.get(moving.at).status_code == 303


@pytest.mark.parametrize("entry", [1, 9])
def test_only_a_hand_is_moved(moving, entry):
    assert moving.phone.get(f"/g/{moving.here.code}/move/{entry}").status_code == 404


@pytest.mark.parametrize("page", ["/correct/3", "/undo/3", "/hands/3"])
def test_a_hand_is_moved_from_where_one_looks_for_it(app, moving, page):
    link = f'href="{moving.at}"'
    assert link in moving.phone.get(f"/g/{moving.here.code}{page}").text
    alone = Alice(app).record(hand(2, s1=10, s3=30), FIVE)
    assert "/move/3" not in alone.get(page).text  # there is no other table to move it to
