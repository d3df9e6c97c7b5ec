"""Points and checks through JSON, with nothing stored and open to everyone."""

import pytest

from app.kalooki.variants import all_variants
from tests.kalooki.rule_talk import steps_of
from tests.pages import hand, start
from tests.web.json_checks import API, ask

pytestmark = pytest.mark.one_app

VARIANTS = [variant.id for variant in all_variants()]


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


def test_where_nobody_bends_the_table_nothing_is_multiplied_and_it_says_so(client):
    counted = ask(client, "count", cards="9H", bending=True)

    assert counted["points"] == 9
    assert counted["warnings"] == ["Nobody bends the table in this game: the cards count as they are."]


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


def test_a_house_rule_without_use_is_told_with_the_reason(client):
    warnings = ask(client, "count", variant="jamaican", cards="", house={"opening_points": 30})["warnings"]

    assert warnings == ["“Opening” means nothing in this game. A contract opens the hand here, not points."]


def test_a_games_rules_can_be_asked_instead_of_a_variants(client):
    game = {"variant": "european", "house": {"jokers": 3}, "players": ["Ann", "Ben"], "stakes": None, "dealer": 1}
    code = client.post(f"{API}/games", json=game).json["code"]

    answer = client.post(f"{API}/count", json={"game": code, "cards": "* * *"})
    assert answer.json["ok"] is True


def test_a_claim_at_a_table_is_about_the_hand_played_there(client):
    scorer = start(client, "jamaican", ["Ann", "Ben", "Cat"])
    scorer.record(hand(1, s2="KH", s3="KD"))
    claim = {"game": scorer.code, "melds": ["7H 7D 7S", "8H 8D 8S", "4H 5H 6H 7H"]}

    second = client.post(f"{API}/check/opening", json=claim).json
    first = client.post(f"{API}/check/opening", json=claim | {"hand_number": 1}).json
    assert (second["ok"], second["contract"]) == (True, {"sets": 2, "runs": 1})
    assert (first["ok"], first["contract"]) == (False, {"sets": 3, "runs": 0})


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


def test_an_endless_claim_is_answered_all_the_same(client):
    everything = " ".join(rank + suit for rank in "A23456789" for suit in "SHDC") + " * * * *"

    ruling = ask(client, "check/opening", melds=[everything] * 60, builds=[{"on": everything, "cards": everything}])
    assert "more-than-the-pack" in [fault["rule"] for fault in ruling["faults"]]


def test_a_meld_comes_with_every_reading_and_the_question_to_ask(client):
    # the joker is the nine (7 + 8 + 9) or the six (6 + 7 + 8)
    ruling = ask(client, "check/meld", cards="8H * 7H")

    assert ruling["ok"] is True
    assert ruling["readings"] == [
        {"kind": "run", "cards": "7H 8H *=9H", "points": 24},
        {"kind": "run", "cards": "*=6H 7H 8H", "points": 21},
    ]
    assert ruling["ask"] == {"question": "Which card is the joker?", "choices": ["6H", "9H"]}
    assert ruling["legal_in"] == [each for each in VARIANTS if each != "jamaican"]


def test_a_broken_rule_comes_with_its_text_its_source_and_where_it_would_be_legal(client):
    ruling = ask(client, "check/meld", cards="AH 2H 3H")

    assert ruling["ok"] is False
    assert ruling["readings"] == []
    assert ruling["legal_in"] == ["north-american", "kalooki-51"]
    fault = ruling["faults"][0]
    assert (fault["rule"], fault["cards"], fault["house_rule"]) == ("ace-high", "AH", None)
    assert "A 2 3" in fault["text"]
    assert fault["sources"][0]["id"] == "S0"


def test_a_house_rule_that_decided_is_named(client):
    ruling = ask(client, "check/meld", variant="kalooki-51", house={"ace": "high"}, cards="AH 2H 3H")

    assert ruling["ok"] is False
    assert ruling["faults"][0]["house_rule"] == "Ace in a run: high only"
    assert ask(client, "check/meld", house={"ace": "both"}, cards="AH 2H 3H")["ok"] is True


def test_an_opening_is_summed_against_the_minimum(client):
    # 30 + 15 = 45
    ruling = ask(client, "check/opening", melds=["KH KD KS", "4S 5S 6S"])

    assert (ruling["ok"], ruling["points"], ruling["needed"], ruling["contract"]) == (True, 45, 40, None)
    ruling = ask(client, "check/opening", variant="kalooki-51", melds=["KH KD KS", "4S 5S 6S"])
    assert (ruling["ok"], ruling["points"], ruling["needed"]) == (False, 45, 51)


def test_a_jamaican_opening_meets_the_contract_of_its_hand(client):
    claim = {"variant": "jamaican", "melds": ["5H 5D 5S", "9C 9C 9D"]}

    ruling = ask(client, "check/opening", **claim, hand_number=1)
    assert (ruling["ok"], ruling["contract"], ruling["needed"]) == (False, {"sets": 3, "runs": 0}, None)
    ruling = ask(client, "check/opening", **claim | {"melds": [*claim["melds"], "2H 3H 4H 5H"]}, hand_number=2)
    assert (ruling["ok"], ruling["contract"]) == (True, {"sets": 2, "runs": 1})


def test_who_has_not_opened_may_not_build(client):
    ruling = ask(client, "check/build", on="4S 5S 6S", cards="7S", opened=False)

    assert [fault["rule"] for fault in ruling["faults"]] == ["build-after-opening"]
    assert ruling["result"] is None


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
