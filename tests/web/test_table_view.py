"""The table view: what everybody wants to see from across the table, and nothing to write."""

import re

import pytest

from tests.pages import Player, hand, words

pytestmark = pytest.mark.one_app


def test_its_part_is_the_page_without_its_frame(alice):
    part = alice.get("/table?part=1").text
    assert "<html" not in part
    assert words(part) in alice.see("/table")


def test_a_tile_tells_the_last_hands_points_and_the_way_to_the_limit(alice):
    """European, to 150: Ann has 1, Ben 60 and 15, Cat 75. Half of 150 is 75, and Ann's 1 is less than a hundredth."""
    alice.record(hand(3, s1=1, s2=60), hand(1, s2=15, s3=75))
    page = alice.get("/table").text
    assert re.findall(r'class="num big-gain"[^>]*>([^<]*)', page) == ["+15", "+75"]
    assert re.findall(r'<rect y="(\d+)" width="1" height="(\d+)"', page) == [("100", "0"), ("50", "50"), ("50", "50")]


def test_the_code_to_join_is_shown_until_all_but_the_starter_have_a_seat(alice, client):
    def shows_code(client):
        answer = client.get(f"/g/{alice.code}/table", base_url="http://cards.lan")
        return "Join with a phone’s camera" in answer.text

    with alice.client.session_transaction(base_url="http://cards.lan") as cookie:
        cookie["games"] = [[alice.code, alice.scorer.secret]]
    assert [shows_code(alice.client), shows_code(client)] == [True, False]  # who only watches may not show it
    Player(alice, seat=2)
    assert shows_code(alice.client)
    Player(alice, seat=3)
    assert not shows_code(alice.client)
