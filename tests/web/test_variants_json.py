"""The variants through JSON, and what sets them apart."""

import pytest

from app.kalooki.variants import all_variants, meanings
from tests.web.checking import API

pytestmark = pytest.mark.one_app

VARIANTS = [variant.id for variant in all_variants()]


def test_the_menu_lists_all_variants_in_order(client):
    menu = client.get(f"{API}/variants").json

    assert [each["id"] for each in menu] == VARIANTS
    assert len(menu) >= 7
    assert menu[0].keys() == {"id", "name", "summary", "source"}


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_variant_tells_every_value_and_every_rule(client, variant_id):
    told = client.get(f"{API}/variants/{variant_id}").json

    assert told["values"].keys() == meanings().keys()
    for value in told["values"].values():
        assert value.keys() >= {"label", "unit", "rule", "value", "stated", "house"}
    for rule in told["rules"]:
        assert rule.keys() == {"rule", "title", "text", "standing", "sources"}
        assert rule["text"]


def test_a_value_says_whether_its_source_states_it_and_what_a_table_may_choose(client):
    values = client.get(f"{API}/variants/kalooki-40").json["values"]

    assert values["opening_points"]["value"] == 40
    assert values["opening_points"]["stated"] is True
    assert values["opening_points"]["house"] == {"least": 0, "most": 200}
    assert values["jokers"]["stated"] is False
    assert values["packs"]["house"] == {"least": 1, "most": 4}
    assert values["packs"]["depends"] == ["jokers", "dealt"]
    assert values["kalooki_ending"]["house"] is None
    assert values["dealt"]["house"] == {"each": {"least": 3, "most": 30}, "most": 16}


@pytest.mark.parametrize(("variant", "most"), [("jamaican", 9), ("kalooki-51", 99)])
def test_a_game_has_no_more_hands_than_there_are_contracts(client, variant, most):
    values = client.get(f"{API}/variants/{variant}").json["values"]

    assert values["game_hands"]["house"] == {"least": 1, "most": most, "none": True}


def test_in_south_africa_only_the_cards_left_in_hand_are_stated(client):
    values = client.get(f"{API}/variants/south-african").json["values"]

    stated = {key for key, value in values.items() if value["stated"]}
    assert stated == {"joker_left", "black_ace_left", "red_ace_left", "court_left"}


def test_comparing_tells_only_what_differs(client):
    differ = client.get(f"{API}/compare?a=european&b=jamaican").json["values"]

    assert differ["jokers"]["a"]["value"] == 2
    assert differ["jokers"]["b"]["value"] == 4
    assert "packs" not in differ
