"""Three tables by odd rules of their own: every surface says what was summed by hand."""

import json
import re
from html import unescape

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app

DEAR = {"joker_left": 25, "black_ace_left": 15, "red_ace_left": 15, "limit": 200, "dealt": 11, "packs": 3}
SEVEN = [[2, 0], [1, 1], [0, 2], [3, 0], [2, 1], [1, 2], [0, 3]]
CALLS = {"contracts": SEVEN, "calls": 4, "call_penalty": 30}
RED = {"joker_points": 15, "melds_a_turn": 1, "red_ace_left": 1}


def entry_of(alice):
    """What the page to record a hand tells its keypad."""
    return json.loads(unescape(re.search(r"data-entry='([^']*)'", alice.get("/hand").text)[1]))


def points(alice):
    return [{seat: score["points"] for seat, score in each["scores"].items()} for each in alice.scorer.state()["hands"]]


def test_dear_cards_three_packs_and_eleven_dealt(app):
    alice = Alice(app, house=DEAR).record(hand(1, s2="* A KH", s3="AH AD 9C"), hand(2, s1=50, s3="* * KC"))
    # 25 + 15 + 10; 15 + 15 + 9; 25 + 25 + 10
    assert points(alice) == [{"1": 0, "2": 50, "3": 39}, {"1": 50, "2": 0, "3": 60}]
    assert "out at 200" in alice.see("/sheet")
    assert "11 cards each" in alice.see("/more")
    entry = entry_of(alice)
    assert (entry["ranks"], entry["worths"]["*"], entry["worths"]["A"]) == (12, 25, 15)
    # two jokers and nine aces
    assert entry["dearest"] == 2 * 25 + 9 * 15


def test_seven_contracts_and_four_calls(app):
    alice = Alice(app, "jamaican", house=CALLS)
    alice.record(hand(1, s2="AH KS 5D", s3="AS *", calls={"2": 6, "3": 4}), hand(2, "bending", s1="K Q", s3=12))
    # 1 + 10 + 5 and two calls beyond four at 30; 15 + 50; bending doubles 20 and 12
    assert points(alice) == [{"1": 0, "2": 76, "3": 65}, {"1": 40, "2": 0, "3": 24}]
    # 6 cards for two threes, 7 for a three and a four, then 8 for two fours
    assert [alice.scorer.state()["hands"][place]["cards"] for place in (0, 1)] == [6, 7]
    assert alice.scorer.state()["hand"]["cards"] == 8
    assert "More than 4 calls: 30 points each" in alice.see("/hand")
    alice.record(*(hand(1, s2=5, s3=5) for _ in range(5)))
    assert alice.scorer.state()["status"] == "over"


def test_a_kalooki_with_red_aces_of_one_point(app):
    alice = Alice(app, "kalooki-40", house=RED)
    alice.record(hand(1, s2="AH AS *", s3=30), hand(2, "kalooki", s1="Ared Ablack", s3="KH"))
    # 1 + 11 + 15; 1 + 11 and 25 for the Kalooki; 10 and 25
    assert points(alice) == [{"1": 0, "2": 27, "3": 30}, {"1": 37, "2": 0, "3": 35}]
    assert {"Ared": 1, "Ablack": 11}.items() <= entry_of(alice)["worths"].items()


def test_calls_that_only_cost_are_asked_for(app):
    alice = Alice(app, "jamaican", house={"calls": 0, "call_penalty": 30}).record(hand(1, s2=5, s3=5, calls={"2": 1}))
    assert points(alice) == [{"1": 0, "2": 35, "3": 5}]
    assert "Each call: 30 points" in alice.see("/hand")
