"""The game's page is not sent again while a browser has it, and never kept back once it would be another."""

from gzip import decompress

import pytest

from app import create_app
from app.store import games, grants
from tests.json_scorer import send
from tests.pages import Player, hand


class Browser:
    """A browser that keeps the page of a game with its tag, packed as it comes."""

    def __init__(self, client, code):
        self.client, self.code, self.tag, self.page = client, code, "", ""

    def reload(self, place=""):
        """Whether the page came anew; `page` is what the browser then shows."""
        headers = {"Accept-Encoding": "gzip"} | ({"If-None-Match": self.tag} if self.tag else {})
        answer = self.client.get(f"/g/{self.code}{place}", headers=headers)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Cookie" in answer.headers["Vary"]
        assert answer.status_code in (200, 304)
        if answer.status_code == 304:
            assert (answer.data, answer.headers["ETag"].removeprefix("W/")) == (b"", self.tag.removeprefix("W/"))
            return False
        self.tag = answer.headers.get("ETag", "")
        self.page = decompress(answer.data).decode()
        return True

    def settled(self):
        """The same browser once it has been shown whatever is told only once."""
        self.reload()
        self.reload()
        assert not self.reload()
        return self


@pytest.fixture
def bob(app, alice):
    return Browser(app.test_client(), alice.code).settled()


@pytest.mark.parametrize("place", ["", "/board"])
def test_the_same_page_is_not_sent_again(app, alice, place):
    bob = Browser(app.test_client(), alice.code)
    assert bob.reload(place)
    bob.reload(place)
    assert not bob.reload(place)
    alice.record(hand(1, s2=35, s3=10))
    assert bob.reload(place)
    assert not bob.reload(place)


def test_whoever_may_write_is_shown_another_page(app, alice, bob):
    alice_sees = Browser(alice.client, alice.code).settled()
    bob.client.get(alice.link("scorer"))
    assert bob.reload()
    assert "Record hand" in bob.page
    assert alice_sees.tag != bob.tag


def test_a_seated_phone_is_shown_another_page(alice, bob):
    cat = Player(alice, 3)
    cats = Browser(cat.client, alice.code).settled()
    assert cats.tag != bob.tag
    assert "My cards" in cats.page


def test_a_new_session_is_shown_another_page(app, alice):
    cat = Player(alice, 3)
    cats = Browser(cat.client, alice.code).settled()
    with cat.client.session_transaction() as session:
        session["csrf_token"] = "another"
    assert cats.reload()


def test_what_changes_beside_the_entries_is_shown(app, alice, bob):
    with app.app_context():
        games.hand_in(alice.code, 1, 2, "KH")
    assert bob.reload()
    assert not bob.reload()


def test_what_was_done_is_told_once(alice):
    mine = Browser(alice.client, alice.code).settled()
    with alice.client.session_transaction() as session:
        session["_flashes"] = [("ok", "Noted who plays first.")]
    answer = alice.client.get(f"/g/{alice.code}", headers={"If-None-Match": mine.tag})
    assert answer.status_code == 200
    assert "Noted who plays first." in answer.text
    assert "ETag" not in answer.headers
    assert "Noted who plays first." not in mine.settled().page


def test_what_another_process_records_is_shown(app, database, alice, bob):
    other = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    with other.app_context():
        secret = grants.mint(alice.code, "scorer")
    sent = send(other.test_client(), alice.code, secret, {"kind": "void"}, seen=alice.table.seen)
    assert sent.status_code == 201
    assert bob.reload()
    assert "void" in bob.page


def test_a_new_code_leaves_nothing_under_the_old_one(app, alice, bob):
    with app.app_context():
        grants.reset_links(alice.code, None)
    answer = bob.client.get(f"/g/{alice.code}", headers={"If-None-Match": bob.tag})
    assert answer.status_code == 410
