"""Own counts: a seated phone hands in its player's cards, the scorer sees them, overrules and saves once."""

import re

import pytest

from tests.pages import Alice, Player, hand, words
from tests.web.plain_pages import Offered

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


def field(alice, name):
    """What a field of the scorer's form for the next hand holds."""
    tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', alice.get("/hand").text)[0]
    return re.search(r'value="([^"]*)"', tag)[1]


def incoming(alice, seen=None):
    return alice.get(f"/arriving?seen={seen or alice.table.seen}")


def test_cards_handed_in_are_told_without_a_tag_between_them(alice, ben):
    ben.count(left="KH * 7")
    told = incoming(alice).text
    assert 'data-from="K♥ ★ 7 from Ben’s phone"' in told
    assert Offered(told).torn == []


def test_aces_handed_in_are_told_as_a_player_reads_them(app):
    jamaica = Alice(app, "jamaican")
    Player(jamaica, seat=2).count(left="Ared Ablack")
    told = incoming(jamaica).text
    assert 'data-left="Ared Ablack"' in told
    assert "Ben sent A ♥♦ A ♠♣" in words(told)


def said(page):
    """What each player's row of the game page says of the hand in play."""
    rows = re.findall(r'(?s)<p class="player-name">(.*?)</p>', page)
    return [next((told for told in ("went out", "cards sent") if told in row), "") for row in rows]


def test_every_game_page_says_who_went_out_and_who_handed_in_but_not_what(alice, ben, client):
    watching = f"/g/{alice.code}"
    assert said(alice.get().text) == ["", "", ""]
    ben.count(left="K Q 7")
    cat = Player(alice, seat=3)
    cat.client.post(f"{watching}/count", data={"seen": str(alice.table.dealt_after), "do": "out"})
    for page in (alice.get().text, ben.get().text, cat.get().text, client.get(watching).text):
        assert said(page) == ["", "cards sent", "went out"]
    assert "K Q 7" not in alice.see()


def test_what_was_handed_in_is_said_until_it_is_taken_back_or_the_hand_is_saved(alice, ben):
    ben.count(left="35")
    ben.count()
    assert said(alice.get().text) == ["", "", ""]
    ben.count(left="35")
    alice.record(hand(1, s2=35, s3=5))
    assert said(alice.get().text) == ["", "", ""]


def test_a_player_who_went_home_has_handed_in_nothing_that_counts(alice, ben):
    ben.count(left="35")
    alice.record({"kind": "leave", "seat": 2})
    assert said(alice.get().text) == ["", "", ""]


def test_every_phone_is_told_that_something_came(alice, ben):
    before = alice.get("/version").text
    ben.count(left="K Q 7")
    assert alice.get("/version").text != before


def test_phones_of_one_seat_that_differ_are_told(alice, ben):
    twin = Player(alice, 2)
    for points in ("15", "9"):
        ben.count(left=points)
    twin.count(left="9")
    pages = [alice.get("/hand"), incoming(alice), ben.get(), twin.get(), ben.get("/count"), twin.get("/count")]
    assert not any("phones sent" in page.text for page in pages)
    ben.count(left="15")
    twin.count(left="9")
    pages = [alice.get("/hand"), incoming(alice), ben.get(), twin.get(), ben.get("/count"), twin.get("/count")]
    assert all("Ben’s phones sent 15 and 9; the last counts." in words(page.text) for page in pages)
    assert field(alice, "left-2") == "9"
    twin.count()
    assert "phones sent" not in ben.get().text


def test_a_count_for_a_hand_already_saved_is_not_taken_for_the_next(alice, ben):
    old = alice.table.dealt_after
    alice.record(hand(1, s2="K Q", s3=5))
    assert ben.count(left="K Q", after=old).status_code == 303
    assert "That hand is already recorded" in words(ben.get().text)
    assert field(alice, "left-2") == ""


def test_a_count_nobody_can_read_stays_as_typed(alice, ben):
    answer = ben.count(left="K 11")
    assert answer.status_code == 422
    assert 'value="K 11"' in answer.text
    assert "11" in words(answer.text)
    for typed in ("many", "12.5", "1 2", "4,5", "20000"):
        answer = ben.count(typed)
        assert answer.status_code == 422
        assert f'value="{typed}"' in answer.text


def test_an_ace_without_colour_is_refused_where_colour_counts(app):
    alice = Alice(app, "jamaican")
    ben = Player(alice, seat=2)
    assert "Ared or Ablack" in words(ben.count(left="A K").text)
    assert ben.count(left="Ared K").status_code == 303


# ---- Rights


def test_a_player_counts_for_their_own_seat_only(alice, ben):
    data = {"seen": "1", "left-3": "K K K"}
    ben.client.post(f"/g/{alice.code}/count", data=data)
    assert 'value="K K K"' not in alice.get("/hand").text
