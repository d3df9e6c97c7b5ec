"""Sharing: the links by which other phones record, sit and watch, and new ones in their place."""

import re

import pytest

from app.store import grants as stored_grants
from tests.conftest import application
from tests.pages import Alice, Player, hand

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

SITE = "http://cards.lan"


def carol(app, link):
    """Somebody who opens a link on a device of her own."""
    client = app.test_client()
    assert client.get(link).status_code == 303
    return client


def may_write(client, alice):
    return client.get(f"/g/{alice.code}/hand").status_code == 200


def test_whoever_watches_may_show_the_link_to_watch_and_no_other(app, alice):
    page = app.test_client().get(f"/g/{alice.code}/share", base_url=SITE).text
    assert set(re.findall(rf'href="({SITE}[^"]*)"', page)) == {f"{SITE}/g/{alice.code}"}
    assert page.count('class="camera-code"') == 1
    assert not re.search(r"/[sp]/\w", page)


def test_whoever_joined_shows_two_links_each_with_its_code(alice):
    link = rf'<a id="\w+-link" href="[^"]*/g/{alice.code}([^"]*)">'
    phones = alice, Player(alice, seat=2), Player(alice, seat=0)
    pages = [phone.get("/share").text for phone in phones]
    for page in pages:
        assert re.findall(r'<h2 id="(\w+)">', page)[:2] == ["join", "watch"]
        assert [re.sub(r"\w{20}", "…", found) for found in re.findall(link, page)] == ["/p/…", ""]
        assert page.count('class="camera-code"') == 2
    assert len({tuple(re.findall(link, page)) for page in pages}) == 1
    assert ["Reset all links" in page for page in pages] == [True, False, False]


def test_a_game_that_begins_asks_for_other_phones(alice):
    """It asks for three hands, after the first by a link only."""
    told = "Let the others join"
    for button in (True, False, False):
        assert told in alice.see()
        assert (f'<a class="button" href="/g/{alice.code}/share">{told}' in alice.get().text) is button
        alice.record(hand(1, s2=5, s3=6))
    assert told not in alice.see()


def test_a_game_whose_seats_all_have_a_phone_asks_for_no_other(alice):
    """Three sit; whoever started needs no seat."""
    told = "Let the others join"
    for seat, asks in ((2, True), (3, False)):
        phone = Player(alice, seat=seat)
        assert [told in each.see() for each in (alice, phone)] == [asks, asks]


def test_the_base_url_rules_every_link(database):
    alice = Alice(application(f"sqlite:///{database}", BASE_URL="https://kalooki.example/"))
    page = alice.get("/share").text
    assert f"https://kalooki.example/g/{alice.code}" in page
    assert f"https://kalooki.example/g/{alice.code}/p/" in page
    assert "stay connected to this Wi-Fi" not in page


def test_other_phones_are_not_sent_to_this_machines_own_name(alice, monkeypatch):
    monkeypatch.setattr("app.views.links.own_addresses", lambda: ("192.0.2.7",))
    for name, reached in (
        ("http://localhost:8000", "http://192.0.2.7:8000"),
        ("http://[::1]:8000", "http://192.0.2.7:8000"),
        ("http://cards.local", "http://192.0.2.7"),  # many Android phones cannot find it
        ("https://cards.local", "https://cards.local"),  # its certificate is for the name
        ("http://192.0.2.9:8000", "http://192.0.2.9:8000"),
    ):
        page = alice.client.get(f"/g/{alice.code}/share", base_url=name).text
        assert f">{reached}/g/{alice.code}<" in page


@pytest.mark.parametrize(
    ("site", "is_at_home"),
    [
        ("http://192.168.4.1:8000", True),
        ("https://cards.local", True),
        ("http://1.1.1.1:8000", False),
    ],
)
def test_beside_the_code_of_a_home_address_stands_what_to_do_if_a_phone_gets_no_page(alice, site, is_at_home):
    page = alice.client.get(f"/g/{alice.code}/share", base_url=site).text
    told = "No page? Switch mobile data off and stay connected to this Wi-Fi."
    assert [told in beside for beside in page.split('class="camera-code"')[1:]] == [is_at_home]


def test_sharing_stores_nothing(app, alice):
    alice.record(hand(1, s2=5, s3=6))
    before = len(grants(alice))
    alice.get("/share")
    assert (alice.table.seen, len(grants(alice))) == (2, before)


def grants(alice):
    with alice.app.app_context():
        return stored_grants.list_grants(alice.code)


# ---- New links in place of the old ones


def test_who_started_the_game_still_deletes_it_after_a_reset(alice):
    alice.reset_links()
    assert "Delete this game" in alice.see("/more")
