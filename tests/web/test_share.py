"""Sharing: the link to watch, the right to write given away and taken back."""

import re

import pytest

from app.views.game.share import MINTED
from tests.conftest import application
from tests.pages import Alice, hand, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

SITE = "http://cards.lan"


def share(alice, **fields):
    return alice.client.post(f"/g/{alice.code}/share", data=fields, follow_redirects=fields["do"] in MINTED)


def minted(alice, **fields):
    """The path of a new link to write with, as the page shows it."""
    page = share(alice, do="scorer", **fields)
    assert page.status_code == 200
    return re.search(rf'href="http://[\w.]+(/g/{alice.code}/s/\w+)"', page.text).group(1)


def carol(app, link):
    """Somebody who opens a link on a device of her own."""
    client = app.test_client()
    assert client.get(link).status_code == 303
    return client


def may_write(client, alice):
    return client.get(f"/g/{alice.code}/hand").status_code == 200


def test_everybody_may_show_the_link_to_watch(app, alice):
    bob = app.test_client()
    page = bob.get(f"/g/{alice.code}/share", base_url=SITE).text
    assert f"{SITE}/g/{alice.code}" in page
    assert f"/g/{alice.code}/qr/watch.svg" in page
    assert 'name="do"' not in page


def test_what_a_player_at_the_table_needs_comes_first(alice):
    page = alice.get("/share").text
    assert re.findall(r'<h2 id="(\w+)">', page)[:2] == ["play", "watch"]
    assert re.findall(r'button-primary[^>]*value="(\w+)"', page) == ["player"]
    shown = share(alice, do="player").text
    assert shown.index("<svg") < shown.index("Show this code, too") < shown.index("/qr/watch.svg")
    assert "Show this code, too" not in page
    assert "Another link takes this one off the page" in shown
    assert "button-primary" not in shown  # another link is not what anybody should reach for
    assert "One link, for every player’s phone" in words(shown)
    assert "the other phone" not in words(shown)


def test_a_link_to_write_with_is_for_one_other_phone(alice):
    assert "Open it on the other phone now, then leave this page. It is shown only once." in words(
        share(alice, do="scorer").text
    )


def test_whoever_watches_is_told_how_to_take_a_seat_while_there_is_one_to_take(app, alice):
    bob = app.test_client()
    seat = "To take a seat, scan"
    assert seat in bob.get(f"/g/{alice.code}").text
    assert seat not in alice.get().text
    alice.record({"kind": "stop", "pool": "refund"})
    assert seat not in bob.get(f"/g/{alice.code}").text


def test_the_code_for_a_camera_is_a_picture_of_its_own(alice):
    answer = alice.get("/qr/watch.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.data.startswith(b"<?xml")
    assert alice.client.get("/g/NOSUCHGAME2/qr/watch.svg").status_code == 404


def test_the_base_url_rules_every_link(database):
    alice = Alice(application(f"sqlite:///{database}", BASE_URL="https://kalooki.example/"))
    page = alice.get("/share").text
    assert f"https://kalooki.example/g/{alice.code}" in page
    assert "https://kalooki.example/g/" in share(alice, do="scorer").text


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


def test_a_minted_link_lets_another_device_write(app, alice):
    link = minted(alice, whom="Carol's phone")
    assert may_write(carol(app, link), alice)
    page = alice.see("/share")
    assert "Carol's phone" in page
    assert "The phone that started the game this device" in page


def test_a_secret_is_shown_once_and_kept_by_no_store(alice):
    sent = alice.client.post(f"/g/{alice.code}/share", data={"do": "scorer"})
    assert sent.status_code == 303  # the way back asks for no form to be sent again
    answer = alice.get("/share")
    assert answer.headers["Cache-Control"] == "no-store"
    secret = re.search(r"/s/(\w+)", answer.text).group(1)
    assert "<svg" in answer.text
    assert secret not in alice.get("/share").text


def test_each_showing_mints_another(alice):
    assert minted(alice) != minted(alice)


def test_a_right_taken_back_writes_no_more(app, alice):
    other = carol(app, minted(alice, whom="Carol"))
    number = re.search(r'value="revoke-(\d+)"', alice.get("/share").text).group(1)
    assert share(alice, do=f"revoke-{number}").status_code == 303
    assert not may_write(other, alice)
    assert may_write(alice.client, alice)
    assert "Taken back earlier Carol until" in alice.see("/share")


def test_a_right_is_taken_back_once(alice):
    minted(alice)
    number = re.search(r'value="revoke-(\d+)"', alice.get("/share").text).group(1)
    share(alice, do=f"revoke-{number}")
    share(alice, do=f"revoke-{number}")
    assert "had already been taken back" in alice.see("/share")


def test_nobody_locks_himself_out(alice):
    number = next(grant.id for grant in grants(alice))
    share(alice, do=f"revoke-{number}")
    assert "Take it back from another device" in alice.see("/share")
    assert may_write(alice.client, alice)


def grants(alice):
    from app import log

    with alice.app.app_context():
        return log.grants(alice.code)


def test_a_right_in_another_game_is_out_of_reach(app, alice):
    other = Alice(app)
    own = grants(other)[0].id
    share(alice, do=f"revoke-{own}")
    assert may_write(other.client, other)


@pytest.mark.parametrize("do", ["", "revoke-", "revoke-x", "mint-2"])
def test_an_unknown_button_does_nothing(alice, do):
    assert share(alice, do=do).status_code == 400


def test_whom_a_link_is_for_is_text_only(alice):
    assert "<b>C" not in share(alice, do="scorer", whom="<b>C").text
    assert "&lt;b&gt;C" in alice.get("/share").text


def test_sharing_records_nothing_in_the_game(alice):
    alice.record(hand(1, s2=5, s3=6))
    minted(alice)
    assert alice.table.seen == 2
