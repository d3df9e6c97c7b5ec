"""What a phone needs to count a hand by itself."""

import json

import pytest

from app.forms.hand import counting
from app.kalooki.variants import all_variants
from tests.javascript import node
from tests.matrix import some
from tests.pages import FOUR, Alice

pytestmark = pytest.mark.one_app

STAKES = {"currency": "EUR"}  # a unit of 10: call-up 0.10, Kalooki 0.20, initial stake and buy-in 0.50


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR, stakes=STAKES)


def test_the_phone_knows_what_cards_are_worth(alice):
    told = counting(alice.table.game)
    assert told["worths"] == {"A": 11, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9} | {
        "10": 10, "J": 10, "Q": 10, "K": 10, "*": 15,
    }  # fmt: skip
    assert (told["ranks"], told["jokers"]) == (8, 2)


def test_red_and_black_aces_are_told_apart_where_they_count_differently(app):
    told = counting(Alice(app, "jamaican").table.game)
    assert (told["worths"]["Ared"], told["worths"]["Ablack"], told["colours"]) == (1, 15, True)
    assert "A" not in told["worths"]


# ---- No sum is silently another


@pytest.fixture
def told(app):
    """What the page of each variant is told about its first hand."""
    games = {each.id: Alice(app, each.id, players=FOUR).table.game for each in all_variants()}
    return {variant: counting(game) | {"dealt": game.dealt} for variant, game in games.items()}


def test_two_digits_wait_for_a_third_up_to_the_dearest_hand_of_the_variant(told):
    # 16 cards in the last contract, 6 more for three calls: 4 jokers 200, 4 black aces 60, 14 tens and pictures 140
    assert told["jamaican"]["dearest"] == 400
    assert {told[each]["dearest"] for each in ("european", "kalooki-40", "classic")} == {148}
    # North America: 15 cards: 4 jokers 100, 8 aces 120, 3 tens 30
    assert told["north-american"]["dearest"] == 250


WAYS = {148: ("two", "calls", "three")} | dict.fromkeys((168, 198, 250, 400), ("two",))
"""The larger the dearest hand, the more of the same: once is enough for hands with calls, and for a third player."""


def test_pairs_are_tried_up_to_the_dearest_hand_of_every_variant(told):
    assert {entry["dearest"] for entry in told.values()} == set(WAYS)


@pytest.mark.parametrize("dearest", some(WAYS, 148))
def test_of_every_pair_of_sums_what_is_saved_is_what_was_meant_or_it_was_asked(dearest):
    found = json.loads(node("tests/javascript/every_pair.js", str(dearest), *WAYS[dearest]).stdout)
    assert [of_pairs["found"] for of_pairs in found] == [[] for _ in WAYS[dearest]]
    assert all(of_pairs["asked"] > 0 for of_pairs in found)


def test_of_ten_hands_at_most_one_is_asked_about(told):
    done = node("tests/javascript/random_hands.js", json.dumps(told))
    asked = {variant: each["invited"] for variant, each in json.loads(done.stdout).items()}
    assert set(asked) == set(told)
    assert max(asked.values()) <= 100  # of a thousand
