"""The rules through JSON: variants, comparison, points and checks, with nothing stored and open to everyone."""

import pytest

from app.kalooki.variants import all_variants, meanings

API = "/api/v1"
VARIANTS = [variant.id for variant in all_variants()]


def ask(client, path, **claim):
    answer = client.post(f"{API}/{path}", json={"variant": "european"} | claim)
    assert answer.status_code == 200, answer.json
    return answer.json


def refused(client, path, claim):
    """The error of a claim nobody can read."""
    answer = client.post(f"{API}/{path}", json=claim)
    assert answer.status_code == 422, answer.json
    return answer.json["error"]


def test_the_menu_lists_seven_variants_in_order(client):
    menu = client.get(f"{API}/variants").json

    assert [each["id"] for each in menu] == VARIANTS
    assert len(menu) == 7
    assert menu[0].keys() == {"id", "name", "summary", "source"}


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_variant_tells_every_value_and_every_rule(client, variant_id):
    told = client.get(f"{API}/variants/{variant_id}").json

    assert told["values"].keys() == meanings().keys()
    for value in told["values"].values():
        assert value.keys() >= {"label", "unit", "rule", "value", "stated", "house"}
    for rule in told["rules"]:
        assert rule.keys() == {"rule", "title", "text", "sources"}
        assert rule["text"]


def test_a_value_says_whether_its_source_states_it_and_what_a_table_may_choose(client):
    values = client.get(f"{API}/variants/kalooki-40").json["values"]

    assert values["opening_points"]["value"] == 40
    assert values["opening_points"]["stated"] is True
    assert values["opening_points"]["house"] == {"least": 0, "most": 200}
    assert values["jokers"]["stated"] is False
    assert values["packs"]["house"] is None


def test_in_south_africa_only_the_cards_left_in_hand_are_stated(client):
    values = client.get(f"{API}/variants/south-african").json["values"]

    stated = {key for key, value in values.items() if value["stated"]}
    assert stated == {"joker_left", "black_ace_left", "red_ace_left", "court_left"}


def test_comparing_tells_only_what_differs(client):
    differ = client.get(f"{API}/compare?a=european&b=jamaican").json["values"]

    assert differ["jokers"]["a"]["value"] == 2
    assert differ["jokers"]["b"]["value"] == 4
    assert "packs" not in differ


def test_the_points_of_cards_left_come_in_lines_with_their_rule(client):
    counted = ask(client, "count", cards="KH QD *")

    assert counted["points"] == 35
    assert counted["lines"] == [
        {"cards": "KH QD", "points": 20, "rule": "court-cards"},
        {"cards": "*", "points": 15, "rule": "joker-left"},
    ]
    assert counted["ok"] is True


@pytest.mark.parametrize(
    ("variant", "points"), [("european", 15), ("north-american", 25), ("jamaican", 50), ("kalooki-51", 25)]
)
def test_a_joker_left_counts_as_the_variant_says(client, variant, points):
    assert ask(client, "count", variant=variant, cards="*")["points"] == points


def test_bending_the_table_doubles_what_is_left(client):
    # red ace 1 + black ace 15 + 9 = 25, doubled
    counted = ask(client, "count", variant="jamaican", cards="Ared Ablack 9", bending=True)

    assert counted["points"] == 50
    assert counted["lines"][-1] == {"cards": "", "points": 25, "rule": "kalooki-effect"}


def test_where_nobody_bends_the_table_nothing_is_doubled_and_it_says_so(client):
    counted = ask(client, "count", cards="9H", bending=True)

    assert counted["points"] == 9
    assert counted["warnings"] == ["Nobody bends the table in this game: nothing was doubled."]


def test_no_cards_count_nothing(client):
    counted = ask(client, "count", cards="")

    assert (counted["points"], counted["lines"], counted["ok"]) == (0, [], True)


def test_more_cards_than_the_packs_hold_are_a_ruling(client):
    counted = ask(client, "count", cards="7S 7S 7S")

    assert counted["ok"] is False
    assert [fault["rule"] for fault in counted["faults"]] == ["more-than-the-pack"]
    assert counted["faults"][0]["cards"] == "7S"


def test_a_ruling_follows_the_house_rules(client):
    assert ask(client, "count", cards="* * *")["ok"] is False
    assert ask(client, "count", cards="* * *", house={"jokers": 3})["ok"] is True


def test_a_house_rule_without_use_is_left_out_with_a_warning(client):
    warnings = ask(client, "count", variant="jamaican", cards="", house={"kalooki_points": 30})["warnings"]

    assert warnings == ["“Points added to each loser for a Kalooki” means nothing in this game and was left out."]


def test_a_games_rules_can_be_asked_instead_of_a_variants(client):
    game = {"variant": "european", "house": {"jokers": 3}, "players": ["Ann", "Ben"], "stakes": None, "dealer": 1}
    code = client.post(f"{API}/games", json=game).json["code"]

    answer = client.post(f"{API}/count", json={"game": code, "cards": "* * *"})
    assert answer.json["ok"] is True


def test_a_name_nobody_knows_is_left_out_with_a_warning(client):
    assert ask(client, "count", cards="", bendign=True)["warnings"] == [
        "“bendign” means nothing in this claim and was left out."
    ]


@pytest.mark.parametrize(
    ("claim", "field", "word"),
    [
        ({"variant": "european", "cards": "7H 11H"}, "cards", "11H"),
        ({"variant": "european", "cards": "7H " * 200}, "cards", "7H"),
        ({"variant": "european", "cards": ["7H"]}, "cards", "['7H']"),
        ({"variant": "european"}, "cards", ""),
        ({"variant": "jamaican", "cards": "A"}, "cards", "A"),
        ({"variant": "whist", "cards": "7H"}, "variant", "whist"),
        ({"variant": 7, "cards": "7H"}, "variant", "7"),
        ({"cards": "7H"}, "variant", ""),
        ({"variant": "european", "cards": "", "bending": "yes"}, "bending", "yes"),
        ({"variant": "european", "cards": "", "house": []}, "house", "[]"),
        ({"variant": "european", "cards": "", "house": {"jokers": 9}}, "house.jokers", "9"),
        ({"variant": "european", "cards": "", "house": {"packs": 3}}, "house.packs", "packs"),
        ({"variant": "european", "cards": "", "house": {"ace": "low"}}, "house.ace", "low"),
        ({"game": 7, "cards": ""}, "game", "7"),
    ],
)
def test_what_nobody_can_read_is_named_with_its_field(client, claim, field, word):
    error = refused(client, "count", claim)

    assert error["code"] == "unreadable"
    assert (error["field"], error["word"]) == (field, word)
    assert error["message"]


def test_a_game_there_is_not_is_not_found(client):
    answer = client.post(f"{API}/count", json={"game": "NOSUCHGAME", "cards": ""})

    assert answer.status_code == 404
    assert answer.json["error"]["code"] == "not_found"


@pytest.mark.parametrize("address", ["/variants/whist", "/compare?a=whist&b=classic", "/compare?a=classic"])
def test_a_variant_there_is_not_is_named(client, address):
    answer = client.get(API + address)

    assert answer.status_code == 422
    assert answer.json["error"]["field"]


def test_what_is_no_json_is_refused_in_words(client):
    answer = client.post(f"{API}/count", data="{", content_type="application/json")

    assert answer.status_code == 422
    assert answer.json["error"]["field"] == "body"
