"""A rematch: the phones of the game before find the way, and everybody keeps their place at the table."""

import re

import pytest

from app.store import grants
from tests.pages import Alice, Player, hand, start_by_form, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


class Table:
    """Ann records, Ben and Cat sit at phones of their own, somebody watches; Cat has gone home since."""

    def __init__(self, app):
        self.app = app
        self.alice = Alice(app, players=["Cat", "Ben", "Ann"], house={"buy_ins": 0})
        self.cat, self.ben = Player(self.alice, 1), Player(self.alice, 2)
        self.bob = app.test_client()
        self.alice.record(hand(3, s1=12, s2=20), {"kind": "leave", "seat": 1}, hand(3, s2=150))
        self.before = f"/g/{self.alice.code}"

    def begin(self, phone=None, **changed):
        """Start the rematch from the form that is offered; returns the new game's address."""
        phone = phone or self.alice.client
        page = phone.get(f"{self.before}/rematch").text
        told = re.search(r'name="rematch_of" type="hidden" value="(\w+)"', page)[1]
        form = {"players-0-name": "Ben", "players-1-name": "Ann", "rematch_of": told} | changed
        return f"/g/{start_by_form(phone, **form).code}"

    def seats(self, address):
        """Who sits at which seat of a game by which right."""
        with self.app.app_context():
            return [
                (each.role, each.seat)
                for each in grants.list_grants(address.removeprefix("/g/"))
                if not each.revoked_at
            ]


@pytest.fixture
def table(app):
    return Table(app)


def shows(phone, address):
    return words(phone.get(address).text)


def test_nobody_is_sent_anywhere_while_there_is_no_rematch(table):
    for phone in (table.alice.client, table.ben.client, table.bob):
        assert "rematch has begun" not in shows(phone, table.before)
    assert table.ben.client.post(f"{table.before}/rematch").location == table.before


def test_every_phone_of_the_game_before_is_told_at_once(table):
    before = table.bob.get(f"{table.before}/version").text
    new = table.begin()
    assert table.bob.get(f"{table.before}/version").text != before
    assert "The rematch has begun. Your seat goes with you. Go to it" in shows(
        table.ben.client, f"{table.before}/board"
    )
    assert f'href="{new}/table">To the rematch' in table.bob.get(f"{table.before}/table").text
    watched = table.bob.get(f"{table.before}/board").text
    assert "The rematch has begun. Go to it" in words(watched)
    assert f'href="{new}"' in watched


def test_the_phone_that_starts_it_records_and_the_others_keep_their_seats(table):
    new = table.begin()
    assert table.seats(new) == [("scorer", None)]

    assert table.ben.client.post(f"{table.before}/rematch").location == new
    assert table.seats(new) == [("scorer", None), ("player", 1)]
    assert "My cards" in shows(table.ben.client, new)
    assert table.ben.client.post(f"{table.before}/rematch").location == new  # once more changes nothing
    assert table.seats(new) == [("scorer", None), ("player", 1)]


def test_another_spelling_of_a_name_keeps_its_place(table):
    new = table.begin(**{"players-0-name": "ben\u200b"})
    assert table.ben.client.post(f"{table.before}/rematch").location == new
    assert table.seats(new) == [("scorer", None), ("player", 1)]


def test_who_does_not_play_again_watches(table):
    new = table.begin()
    assert table.cat.client.post(f"{table.before}/rematch").location == new
    assert table.seats(new) == [("scorer", None), ("player", None)]
    assert "You are watching." in shows(table.cat.client, new)


def test_only_a_phone_that_records_sends_the_others_anywhere(table):
    """Whoever else starts a game of the same players starts another game."""
    table.alice.let_only_starter_record()
    new = table.begin(table.ben.client)
    assert table.ben.client.get(new).status_code == 200
    assert "rematch has begun" not in shows(table.alice.client, table.before)
    assert "rematch has begun" not in shows(table.bob, table.before)


def test_a_phone_that_joined_starts_the_rematch_for_all(table):
    """It keeps its seat, as the others do."""
    new = table.begin(table.ben.client)
    assert table.seats(new) == [("scorer", 1)]
    assert "My cards" in shows(table.ben.client, new)
    assert "You play as Ben. Choose another seat" in shows(table.ben.client, f"{new}/more")
    assert table.alice.client.post(f"{table.before}/rematch").location == new
    assert table.seats(new) == [("scorer", 1), ("scorer", None)]


def test_who_started_a_rematch_keeps_the_seat_in_one_that_another_phone_starts(table):
    first = table.begin(table.ben.client)
    table.alice.client.post(f"{table.before}/rematch")
    table.before = first
    second = table.begin(table.alice.client)
    assert "Your seat goes with you" in shows(table.ben.client, first)
    assert table.ben.client.post(f"{first}/rematch").location == second
    assert table.seats(second) == [("scorer", None), ("scorer", 1)]
    assert "My cards" in shows(table.ben.client, second)
    more = shows(table.ben.client, f"{second}/more")
    assert "You play as Ben." in more
    assert "Choose another seat" not in more, "which is refused there"
    assert table.ben.client.get(f"{second}/seat").status_code == 403


def test_a_rematch_of_no_game_starts_like_any(table, app):
    new = table.begin(app.test_client(), rematch_of="NOSUCHGAME2")
    assert table.seats(new) == [("scorer", None)]


def test_of_two_rematches_the_newest_is_shown_and_a_deleted_one_no_more(table):
    first, second = table.begin(), table.begin(submission="page-2")
    assert f'href="{second}"' in table.bob.get(table.before).text
    for gone, left in ((second, first), (first, None)):
        before = table.bob.get(f"{table.before}/version").text
        assert table.alice.client.post(f"{gone}/delete", data={"name": "Ben"}).status_code == 303
        assert table.bob.get(f"{table.before}/version").text != before
        page = table.bob.get(table.before).text
        assert (f'href="{left}"' in page) if left else ("rematch has begun" not in words(page))


def test_the_rematch_stays_when_the_game_before_is_deleted(table):
    new = table.begin()
    assert table.alice.client.post(f"{table.before}/delete", data={"name": "Cat"}).status_code == 303
    again = Alice(table.app)  # it may get the number of the game that is gone
    assert "rematch has begun" not in shows(table.bob, f"/g/{again.code}")
    assert table.alice.client.get(new).status_code == 200


def test_another_phone_that_records_records_in_the_rematch_too(table, app):
    other = app.test_client()
    other.get(table.alice.link("scorer"))
    new = table.begin()
    assert "Go to it" in shows(other, table.before)
    assert other.post(f"{table.before}/rematch").location == new
    assert "Record hand 1" in shows(other, new)
    other.post(f"{table.before}/rematch")  # once more changes nothing
    assert table.seats(new) == [("scorer", None), ("scorer", None)]


def test_a_rematch_begins_with_one_tap_and_its_form_is_one_link_away(table):
    """Cat dealt hand 1 and has left since, Ben dealt hand 2: Ann deals first."""
    page = table.alice.client.get(f"{table.before}/rematch").text
    offer, _hidden, form = page.partition('<div class="form" hidden>')
    assert "Ben and Ann. Ann deals first. Cat left early. Cat plays again European Kalooki · call-up €0.10" in words(
        offer
    )
    assert "Buy-ins for each player" in words(offer)  # the house rule
    assert 'value="start">Start the game' in form
    changes = table.alice.client.get(f"{table.before}/rematch?change=1").text
    assert f'href="{table.before}/rematch?change=1"' in page
    assert '<div class="form">' in changes


def test_who_left_early_plays_again_with_one_tap(table):
    """Seats Cat, Ben, Ann; Ben dealt last: Ann deals, the third of three."""
    page = table.alice.client.get(f"{table.before}/rematch").text
    with_cat = re.search(r'href="([^"]*)">Cat plays again<', page)[1]
    page = table.alice.client.get(with_cat).text
    assert "Cat, Ben and Ann. Ann deals first." in words(page)
    assert "left early" not in words(page)
    assert 'name="dealer" value="2" checked' in page
    assert f'href="{with_cat}&amp;change=1"' in page


def test_a_phone_that_joined_starts_the_same_as_last_time(table):
    """Of those who sat down, Cat left early; a phone that only watches has no last time."""
    assert "Same as last time" not in shows(table.bob, "/new")
    assert "Same table: Ben, Ann" in shows(table.ben.client, "/")
    assert "Same as last time" in shows(table.ben.client, "/new")
    page = table.ben.client.get("/new?again=1").text
    assert re.findall(r'name="players-\d-name" value="(\w+)"', page) == ["Ben", "Ann"]
    assert 'name="dealer" value="1" checked' in page
    assert "Cat left early last time. Playing again? Tap the name." in words(page)
    assert 'value="known-Cat"' in page
    assert 'name="rematch_of" type="hidden" value=""' in page
