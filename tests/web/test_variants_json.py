"""The variants through JSON, and what sets them apart."""

import pytest

from app.kalooki.variants import all_variants, meanings
from tests.pages import start
from tests.web.json_checks import API

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


def test_in_south_africa_only_the_cards_left_in_hand_are_stated(client):
    values = client.get(f"{API}/variants/south-african").json["values"]

    stated = {key for key, value in values.items() if value["stated"]}
    assert stated == {"joker_left", "black_ace_left", "red_ace_left", "court_left"}


def test_comparing_tells_only_what_differs(client):
    differ = client.get(f"{API}/compare?a=european&b=jamaican").json["values"]

    assert differ["jokers"]["a"]["value"] == 2
    assert differ["jokers"]["b"]["value"] == 4
    assert "packs" not in differ


def judged(client, house, variant="european"):
    return client.post(f"{API}/variants/check", json={"variant": variant, "house": house})


def test_own_rules_are_judged_without_a_game(client):
    told = judged(client, {"limit": 200, "dealt": 11, "buy_ins": 0, "buy_in_score": "highest_plus_one"}).json

    assert (told["ok"], told["faults"]) == (True, [])
    assert told["differs"] == ["dealt", "limit", "buy_ins", "buy_in_score"]
    assert told["warnings"] == ["“Score after a buy-in” means nothing in this game. There are no buy-ins here."]
    assert told["values"].keys() == meanings().keys()
    assert (told["values"]["limit"]["value"], told["values"]["dealt"]["value"]) == (200, [11])


def test_every_fault_of_own_rules_names_its_keys(client):
    told = judged(client, {"run_least": 6, "run_most": 5, "jokers": 99, "colour": "red"}).json

    assert told["ok"] is False
    assert [fault["keys"] for fault in told["faults"]] == [["colour"], ["jokers"], ["run_least", "run_most"]]
    assert told["faults"][2]["message"].startswith("The shortest run is 6 cards, the longest 5")


def test_no_setup_makes_rules_contradict(client):
    game = start(client, house={"run_most": 5})
    refused = game.send({"kind": "setup", "house": {"run_least": 6}})

    assert refused.status_code == 422
    assert "The shortest run is 6 cards, the longest 5" in refused.json["error"]["message"]
    assert game.record({"kind": "setup", "house": {"run_least": 5}})["rules"]["run_least"] == 5
