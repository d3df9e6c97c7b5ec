"""Variants, read from files, and house rules, which are checked values."""

from dataclasses import replace

import pytest

from app.kalooki import readers, variants
from app.kalooki.cards import BadInput
from app.kalooki.game.events import from_json
from app.kalooki.game.play import recorded_variant
from app.kalooki.rules.rulebook import rules_of
from app.kalooki.variants import (
    Variant,
    all_variants,
    as_house_rules,
    has_use,
    house_range,
    load,
    meanings,
    texts_to_store,
    with_house_rules,
)
from tests.kalooki.rows import rows

SEVEN = ["european", "north-american", "south-african", "jamaican", "kalooki-51", "kalooki-40", "classic"]


def test_the_seven_variants_are_in_menu_order():
    assert [variant.id for variant in all_variants()] == SEVEN, "give a new variant its place in SEVEN"


def test_every_value_of_the_record_has_a_meaning_and_a_range_or_a_reason():
    record = set(Variant.__dataclass_fields__)
    about = {"id", "name", "summary", "source", "published", "order", "stated", "house", "unused", "base"}

    assert set(meanings()) == record - about
    fixed = {key: meaning.fixed for key, meaning in meanings().items() if meaning.house is None}
    assert fixed.keys() == {"kalooki_ending"}
    assert all(fixed.values())
    assert not [key for key, meaning in meanings().items() if meaning.house and meaning.fixed]


def test_every_value_has_what_forms_need():
    groups = ["deal", "opening", "melds", "jokers", "drawing", "going_out", "counting", "ending", "money"]
    assert {meaning.group for meaning in meanings().values()} == set(groups)
    assert 8 <= sum(meaning.first for meaning in meanings().values()) <= 12
    assert {key for meaning in meanings().values() for key in meaning.depends} <= meanings().keys()


@pytest.mark.parametrize(
    ("variant", "left"),
    [
        ("european", (15, 11, 11, 10)),
        ("north-american", (25, 15, 15, 10)),
        ("south-african", (25, 11, 11, 10)),
        ("jamaican", (50, 15, 1, 10)),
        ("kalooki-51", (25, 11, 11, 10)),
        ("kalooki-40", (15, 11, 11, 10)),
        ("classic", (15, 11, 11, 10)),
    ],
)
def test_joker_ace_and_court_cards_left_count_as_the_rulebook_says(variant, left):
    record = load(variant)

    assert (record.joker_left, record.black_ace_left, record.red_ace_left, record.court_left) == left


@pytest.mark.parametrize(
    ("variant", "most"),
    [("european", 8), ("north-american", 9), ("south-african", 8), ("jamaican", 6), ("kalooki-51", 8)],
)
def test_the_largest_deal_limits_the_number_of_players(variant, most):
    assert load(variant).most_players == most


def test_a_short_jamaican_game_seats_more_players():
    # three hands deal at most 11 cards: 108 cards reach for nine players
    short, _ = with_house_rules(load("jamaican"), {"game_hands": 3})

    assert short.most_players == 9


@pytest.mark.parametrize(("players", "cards"), [(2, 15), (4, 15), (5, 13), (6, 11), (9, 11)])
def test_north_americans_deal_by_the_number_of_players(players, cards):
    assert load("north-american").cards_dealt(players, hand_number=7) == cards


@pytest.mark.parametrize(("hand", "cards", "contract"), [(1, 9, (3, 0)), (5, 12, (4, 0)), (9, 16, (0, 4))])
def test_jamaicans_deal_by_the_contract(hand, cards, contract):
    jamaican = load("jamaican")

    assert jamaican.cards_dealt(4, hand) == cards == 3 * contract[0] + 4 * contract[1]
    assert jamaican.contract(hand) == contract
    assert jamaican.contract(10) is None


def test_only_card_values_are_stated_for_south_africa():
    assert load("south-african").stated == {"joker_left", "black_ace_left", "red_ace_left", "court_left"}


@pytest.mark.parametrize(
    ("house", "field"),
    rows("variants", "a_house_rule_out_of_range_is_refused_and_named"),
)
def test_a_house_rule_out_of_range_is_refused_and_named(house, field):
    with pytest.raises(BadInput) as refused:
        with_house_rules(load("european"), house)

    assert refused.value.field == field


def test_jamaicans_have_contracts_for_nine_hands_only():
    with pytest.raises(BadInput, match="9 hands"):
        with_house_rules(load("jamaican"), {"game_hands": 10})


@pytest.mark.parametrize("told", [11, [11], (11,)])
def test_one_number_of_cards_needs_no_list(told):
    assert with_house_rules(load("european"), {"dealt": told})[0].dealt == (11,)


def test_an_error_in_a_list_names_its_place():
    with pytest.raises(BadInput, match="2: “31” is out of range; choose a whole number from 3 to 30"):
        with_house_rules(load("european"), {"dealt": [13, 31]})


@pytest.mark.parametrize(("variant", "hands"), [("jamaican", 9), ("european", None)])
def test_without_a_number_of_hands_the_variants_number_applies(variant, hands):
    table, _ = with_house_rules(load(variant), {"game_hands": None})

    assert table.game_hands == hands


@pytest.mark.parametrize(
    ("variant", "house", "ignored"),
    [
        ("jamaican", {"opening_points": 40, "kalooki_points": 25, "joker_from_set": "one"}, ("opening_points",)),
        ("jamaican", {"joker_points": 15, "court_points": 5, "ace": "high"}, ("court_points", "joker_points")),
        ("european", {"limit": None, "buy_ins": 1}, ("buy_ins",)),
        ("european", {"scoring": "winner_collects", "buy_ins": 1}, ("buy_ins",)),
        ("european", {"limit": 101}, ()),
    ],
)  # fmt: skip
def test_a_useless_house_rule_is_ignored_and_named(variant, house, ignored):
    assert with_house_rules(load(variant), house)[1] == ignored


def test_only_values_that_differ_are_house_rules():
    table, _ = with_house_rules(load("european"), {"limit": 150, "jokers": 4})

    assert table.house == {"jokers"}


def test_one_missing_suit_frees_a_joker_from_every_set():
    table, _ = with_house_rules(load("european"), {"joker_from_set": "one"})

    assert (table.joker_from_full_set, table.joker_from_two_joker_set) == ("one", "one")


@pytest.mark.parametrize(
    ("out_at", "total", "out"),
    [("limit", 149, False), ("limit", 150, True), ("over_limit", 150, False), ("over_limit", 151, True)],
)
def test_exactly_150_is_out_at_the_limit_and_in_over_it(out_at, total, out):
    table, _ = with_house_rules(load("european"), {"out_at": out_at})

    assert table.is_out(total) is out


def test_nobody_is_out_without_a_limit_or_if_the_winner_collects():
    unlimited, _ = with_house_rules(load("european"), {"limit": None})
    target, _ = with_house_rules(load("european"), {"scoring": "winner_collects"})

    assert not unlimited.is_out(9999)
    assert (target.is_out(150), target.reaches(150)) == (False, True)


def test_an_unknown_variant_is_refused_and_named():
    with pytest.raises(BadInput, match="Timbuktu"):
        load("Timbuktu")


@pytest.mark.parametrize(
    "values",
    rows("variants", "a_recorded_variant_with_a_wrong_value_is_refused"),
)
def test_a_recorded_variant_with_a_wrong_value_is_refused(values):
    with pytest.raises(BadInput):
        variants.thaw(values)


def test_a_record_read_back_from_json_is_the_same():
    jamaican = load("jamaican")
    as_json = {"contracts": [[3, 0]], "dealt": [9], "limit": None, "ace": "both"}

    assert variants.thaw(as_json) == {"contracts": ((3, 0),), "dealt": (9,), "limit": None, "ace": "both"}
    assert jamaican.has_stakes is False
    assert load("kalooki-51").has_stakes is True


def test_a_variant_can_narrow_the_range_of_a_house_rule():
    assert house_range(load("jamaican"), "game_hands")["most"] == 9  # there are contracts for nine hands
    assert house_range(load("european"), "limit") == {"least": 1, "most": 10_000, "none": True}
    assert house_range(load("european"), "kalooki_ending") is None  # no table changes it
    assert house_range(load("european"), "dealt") == {"each": {"least": 3, "most": 30}, "most": 16}
    assert house_range(load("jamaican"), "opening_points") == {"least": 0, "most": 200}
    assert not has_use(load("jamaican"), "opening_points")  # a contract opens, not points


@pytest.mark.parametrize(
    ("house", "hands", "last"), [({}, 9, (0, 4)), ({"game_hands": 6}, 6, (3, 1)), ({"game_hands": 1}, 1, (3, 0))]
)
def test_a_shorter_contract_game_plays_the_first_contracts_only(house, hands, last):
    """Of nine Jamaican contracts the first is three threes, the sixth three threes and a four, the ninth four fours."""
    played = with_house_rules(load("jamaican"), house)[0].contracts_played
    assert (len(played), tuple(played[-1])) == (hands, last)
    assert load("european").contracts_played == ()


VILLAGE = replace(load("european"), id="village", name="Village", source="village.toml", stated={"limit"}, limit=200)
"""A variant as a server's own file made it before release 1.0."""


def test_a_game_continues_with_its_stored_variant():
    kept = {"book": texts_to_store(VILLAGE), "rules": VILLAGE.plain}
    start = from_json({"kind": "start", "variant": "village", "players": ["Ann", "Ben"]} | kept)
    played = recorded_variant(start)

    assert {key: getattr(played, key) for key in ("id", "name", "source", "stated", "is_own")} == {
        "id": "village",
        "name": "Village",
        "source": "village.toml",
        "stated": {"limit"},
        "is_own": True,
    }
    assert played.values == VILLAGE.values
    assert texts_to_store(load("european")) == {}


def test_a_variants_file_is_the_source_of_the_rules_whose_values_it_states():
    rules = {rule.rule: rule for chapter in rules_of(VILLAGE) for rule in chapter.rules}
    assert (rules["limit"].standing, rules["opening-points"].standing) == ("source", "usual")
    assert [(source.id, source.title) for source in rules["limit"].sources] == [("village.toml", "Village")]


def test_a_table_is_described_by_the_fewest_house_rules():
    table = with_house_rules(load("jamaican"), {"contracts": [[3, 0], [6, 4]], "joker_from_set": "one"})[0]
    assert table.dealt == (9, 34), "3 a set and 4 a run"
    assert as_house_rules(table) == (
        load("jamaican"),
        {"contracts": ((3, 0), (6, 4)), "joker_from_set": "one"},
    )
    stays = with_house_rules(load("european"), {"joker_from_set": "one", "joker_from_full_set": "never"})[0]
    assert with_house_rules(*as_house_rules(stays))[0] == stays
    assert as_house_rules(VILLAGE) == (load("european"), {"limit": 200})


def test_what_follows_from_values_that_others_take_back_is_described_too():
    own = {"contracts": [[0, 1]], "run_least": 3, "dealt": [3], "dealt_by": "players"}
    table = with_house_rules(load("european"), own)[0]
    assert with_house_rules(*as_house_rules(table))[0] == table, (
        "no longer dealt by contract, so 3 follows from nothing"
    )


@pytest.mark.parametrize("name", ["Our Rules", "nobodys", 7])
def test_an_invalid_variant_id_is_refused_in_words(name):
    with pytest.raises(BadInput, match=f"There is no variant “{name}”"):
        readers.variant_id.read(name, "variant")
    assert readers.variant_id.read("european", "variant") == "european"
