"""The points of cards left in a hand."""

import pytest

from app.kalooki.cards import BadInput, parse_left, write
from app.kalooki.claims import check
from app.kalooki.game.apply import hand_points
from app.kalooki.game.events import from_json
from app.kalooki.points import can_be_left, left_items, max_points_left
from app.kalooki.variants import load
from tests.kalooki.rows import rows
from tests.kalooki.rule_talk import table
from tests.kalooki.table_talk import hand


@pytest.mark.parametrize(
    ("variant", "cards", "points"),
    rows("scoring", "cards_left_count_by_the_variants_values"),
)
def test_cards_left_count_by_the_variants_values(variant, cards, points):
    assert sum(item.points for item in left_items(parse_left(cards), load(variant))) == points


def test_each_kind_of_card_is_an_item_with_its_rule():
    items = left_items(parse_left("KH 7S QD * AS 2C"), load("european"))

    assert [(item.rule, item.points, write(item.cards)) for item in items] == [
        ("court-cards", 20, "KH QD"),
        ("number-cards", 9, "7S 2C"),
        ("joker-left", 15, "*"),
        ("ace-left", 11, "AS"),
    ]


@pytest.mark.parametrize(
    ("scoring", "points"),
    [("losers", {1: 0, 2: 35, 3: 35}), ("winner_collects", {1: 70, 2: 0, 3: 0})],
)
def test_a_hand_costs_the_losers_or_brings_the_winner_their_points(scoring, points):
    played = from_json(hand(1, s2=35, s3="KH QD *"))  # 10 + 10 + 15
    assert hand_points(table("european", scoring=scoring), played) == points


@pytest.mark.parametrize(
    ("variant", "cards", "dearest"),
    # the rulebook's "worth knowing": 2 jokers, 8 aces, 3 tens = 30 + 88 + 30 …
    [("european", 13, 148), ("kalooki-51", 13, 168), ("north-american", 15, 250), ("jamaican", 9, 270)],
)
def test_the_most_points_a_hand_can_have_are_the_rulebooks(variant, cards, dearest):
    assert max_points_left(load(variant), cards) == dearest


@pytest.mark.parametrize(
    ("points", "possible"),
    rows("scoring", "a_sum_is_possible_only_if_cards_can_make_it"),
)
def test_a_sum_is_possible_only_if_cards_can_make_it(points, possible):
    assert can_be_left(points, load("european"), 13) is possible


def test_one_point_is_a_red_ace_in_jamaica():
    assert can_be_left(1, load("jamaican"), 9)


BENT = {"cards": "KH Ared 5", "bending": True}


@pytest.mark.parametrize(
    ("variant", "raw", "points", "rules"),
    [
        ("jamaican", BENT, 32, ["court-cards", "ace-left", "number-cards", "kalooki-effect"]),
        ("european", {"cards": "K K 9"}, 29, ["court-cards", "number-cards"]),
    ],
)
def test_cards_left_are_counted_rule_by_rule(variant, raw, points, rules):
    counted = check("count", raw, load(variant))
    assert (counted.points, counted.ok) == (points, True)
    assert {item.rule for item in counted.items} == set(rules)


def test_an_ace_needs_its_colour_if_colours_score():
    with pytest.raises(BadInput, match="A"):
        check("count", {"cards": "KH A"}, load("jamaican"))
