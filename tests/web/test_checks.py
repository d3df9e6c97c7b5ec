"""Points and checks through JSON, with nothing stored and open to everyone."""

import pytest

from tests.kalooki.rule_talk import steps_of
from tests.web.json_checks import API, ask

pytestmark = pytest.mark.one_app


@pytest.mark.parametrize(
    ("variant", "points"), [("european", 15), ("north-american", 25), ("jamaican", 50), ("kalooki-51", 25)]
)
def test_a_joker_left_counts_as_the_variant_says(client, variant, points):
    assert ask(client, "count", variant=variant, cards="*")["points"] == points


def test_a_ruling_follows_the_house_rules(client):
    assert ask(client, "count", cards="* * *")["ok"] is False
    assert ask(client, "count", cards="* * *", house={"jokers": 3})["ok"] is True


def test_a_house_rule_without_use_is_told_with_the_reason(client):
    warnings = ask(client, "count", variant="jamaican", cards="", house={"opening_points": 30})["warnings"]

    assert warnings == ["“Opening” means nothing in this game. A contract opens the hand here, not points."]


def test_a_games_rules_can_be_asked_instead_of_a_variants(client):
    game = {"variant": "european", "house": {"jokers": 3}, "players": ["Ann", "Ben"], "stakes": None, "dealer": 1}
    code = client.post(f"{API}/games", json=game).json["code"]

    answer = client.post(f"{API}/count", json={"game": code, "cards": "* * *"})
    assert answer.json["ok"] is True


@pytest.mark.parametrize(
    ("path", "claim", "name"),
    [
        ("count", {"cards": "", "bendign": True}, "bendign"),
        ("check/meld", {"cards": "7H 8H 9H", "kind": "run"}, "kind"),
        ("check/build", {"on": "4S 5S 6S", "cards": "7S", "built_this_turn": {"top": 1}}, "top"),
        ("check/opening", {"melds": ["KH KD KS"], "builds": [{"on": "4S 5S 6S", "cards": "7S", "end": "low"}]}, "end"),
        (
            "check/turn",
            {"hand": "2C", "steps": [{"do": "draw", "from": "stock", "card": "3C", "cards": "4C"}]},
            "cards",
        ),
    ],
)
def test_a_name_nobody_knows_is_left_out_with_a_warning(client, path, claim, name):
    assert f"“{name}” means nothing in this claim and was left out." in ask(client, path, **claim)["warnings"]


@pytest.mark.parametrize(("path", "claim"), [("count", {"cards": "* *"}), ("deck", {"holdings": ["* *"]})])
def test_a_games_own_rules_count_whatever_is_named_beside_it_and_it_says_so(client, path, claim):
    code = client.post(f"{API}/games", json={"variant": "european", "players": ["Ann", "Ben"]}).json["code"]

    told = client.post(f"{API}/{path}", json=claim | {"game": code, "house": {"jokers": 0}, "variant": "whist"}).json
    assert told["ok"] is True
    assert told["warnings"] == [
        "“house” means nothing in this claim and was left out.",
        "“variant” means nothing in this claim and was left out.",
    ]
    assert client.post(f"{API}/{path}", json=claim | {"game": code}).json["warnings"] == []


def test_a_house_rule_that_decided_is_named(client):
    ruling = ask(client, "check/meld", variant="kalooki-51", house={"ace": "high"}, cards="AH 2H 3H")

    assert ruling["ok"] is False
    assert ruling["faults"][0]["house_rule"] == "Ace in a run: high only"
    assert ask(client, "check/meld", house={"ace": "both"}, cards="AH 2H 3H")["ok"] is True


def test_a_turn_is_played_through_to_its_ending(client):
    turn = {"hand": "5H 6H 7H", "opened": True, "warned": True, "table": [{"cards": "9S 9D 9H", "owner": 2}]}
    turn["steps"] = steps_of("draw stock KC", "meld 5H 6H 7H", "discard KC")

    ruling = ask(client, "check/turn", **turn)
    assert (ruling["ok"], ruling["ending"], ruling["hand"]) == (True, "going_out", "")
    assert ruling["table"] == [{"cards": "9S 9D 9H", "owner": 2}, {"cards": "5H 6H 7H", "owner": 1}]
    assert ruling["why"]

    ruling = ask(client, "check/turn", **turn | {"warned": False})
    assert (ruling["ok"], ruling["ending"]) == (False, None)
    assert [(fault["rule"], fault["step"]) for fault in ruling["faults"]] == [("few-cards-warning", 2)]


def test_every_fault_of_a_turn_names_its_step(client):
    steps = [{"do": "meld", "cards": "5H 6H 8H"}, {"do": "build", "on": 0, "cards": "KC"}]

    faults = ask(client, "check/turn", hand="5H 6H 8H 2C", opened=True, steps=steps)["faults"]
    assert {fault["step"] for fault in faults} == {0, 1}


def test_all_hands_of_a_deal_are_counted_against_the_packs(client):
    assert ask(client, "deck", holdings=["KH KH", "7S *", "*"])["ok"] is True

    ruling = ask(client, "deck", holdings=["KH KH", "7S *", "KH"])
    assert [(fault["rule"], fault["cards"]) for fault in ruling["faults"]] == [("more-than-the-pack", "KH")]
    # eight kings are in two packs
    assert ask(client, "deck", holdings=["K K K K", "K K K K K"])["ok"] is False


def test_every_ruling_tells_what_decided_it(client):
    def decided(path, **claim):
        return {each["rule"]: each["standing"] for each in ask(client, path, **claim)["decided_by"]}

    opening = decided("check/opening", variant="north-american", melds=["KS KH KD", "AC 2C 3C 4C"])
    assert opening["low-ace"] == "both"
    assert decided("check/meld", cards="AS 2S 3S") == {"ace-high": "source"}
    assert decided("check/meld", cards="2S 3S 4S") == {}
    assert decided("count", variant="kalooki-40", cards="* * *") == {"more-than-the-pack": "usual"}


def test_a_fault_tells_the_document_and_the_place(client):
    fault = ask(client, "check/meld", cards="AS 2S 3S")["faults"][0]

    assert fault["standing"] == "source"
    title = "Kalooki in Europe, North America and South Africa"
    assert fault["sources"] == [{"id": "S0", "title": title, "where": "Turn by turn play, (2) Melding"}]
