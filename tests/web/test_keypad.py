"""What a phone needs to count a hand by itself."""

import json
import random
from itertools import chain

import pytest

from app.forms.hand import counting
from app.kalooki.variants import all_variants
from tests.javascript import node
from tests.keypad import is_whole, random_keys, written
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


# ---- The one reading of digits, Next and ⌫


@pytest.fixture
def told(app):
    """What the page of each variant is told about its first hand, and whether calls are counted."""
    games = {each.id: Alice(app, each.id, players=FOUR).table.game for each in all_variants()}
    return {variant: (counting(game)["dearest"], game.variant.has_calls) for variant, game in games.items()}


def test_two_digits_wait_for_a_third_up_to_the_dearest_hand_of_the_variant(told):
    # 16 cards in the last contract, 6 more for three calls: 4 jokers 200, 4 black aces 60, 14 tens and pictures 140
    assert told["jamaican"] == (400, True)
    assert {told[each] for each in ("european", "kalooki-40", "classic")} == {(148, False)}
    # North America: 15 cards: 4 jokers 100, 8 aces 120, 3 tens 30
    assert told["north-american"] == (250, False)


@pytest.fixture
def saved(tmp_path):
    """A function that types keys and returns what each hand is saved with: a sum for each loser, or nothing."""

    def saved(hands):
        file = tmp_path / "hands.json"
        file.write_text(json.dumps(hands), encoding="utf-8")
        return json.loads(node("tests/javascript/type_keys.js", str(file)).stdout)

    return saved


def test_what_is_saved_is_what_was_typed_in_order_or_nothing(told, saved):
    hands = [
        {"keys": random_keys(chance), "players": players, "dearest": dearest, "hasCalls": calls}
        for variant, (dearest, calls) in told.items()
        for players in range(2, 9)
        for chance in [random.Random(f"{variant} {players}")]
        for _ in range(300)
    ]
    results = saved(hands)
    wrong = [
        (hand, sums)
        for hand, sums in zip(hands, results, strict=True)
        if sums != written(hand["keys"], hand["players"] - 1, hand["dearest"])
    ]
    assert wrong == []
    assert sum(map(bool, results)) > len(hands) / 20


def test_next_forgotten_or_doubled_never_saves_other_sums_of_two_digits_and_more(told, saved):
    chance = random.Random(1)
    hands, meant = [], []
    for dearest, calls in told.values():
        for _ in range(1000):
            sums = [chance.randint(10, chance.choice((15, 60, dearest))) for _ in range(chance.randint(1, 7))]
            keys = [[*str(each), *["next"] * chance.choice((0, 1, 1, 2))] for each in sums]
            hands.append({"keys": list(chain(*keys)), "players": len(sums) + 1, "dearest": dearest, "hasCalls": calls})
            meant.append([str(each) for each in sums])
    results = saved(hands)
    assert [(sums, typed) for sums, typed in zip(results, meant, strict=True) if sums not in ([], typed)] == []
    assert sum(map(bool, results)) > len(hands) / 4


def test_every_hand_typed_with_next_where_it_is_asked_for_is_saved_as_meant(told, saved):
    chance = random.Random(2)
    hands, meant = [], []
    for dearest, calls in told.values():
        for _ in range(300):
            sums = [chance.randint(1, chance.choice((15, 60, dearest))) for _ in range(chance.randint(1, 7))]
            keys = [[*str(each), *([] if is_whole(str(each), dearest) else ["next"])] for each in sums]
            hands.append({"keys": list(chain(*keys)), "players": len(sums) + 1, "dearest": dearest, "hasCalls": calls})
            meant.append([str(each) for each in sums])
    assert saved(hands) == meant
