"""The best lay-down through JSON, as scripts ask for it."""

import pytest

from app.kalooki.solver.solve import GOALS
from tests.pages import start
from tests.web.json_checks import API, ask, refused

pytestmark = pytest.mark.one_app


def solved(client, cards, goal, **claim):
    return ask(client, "solve", cards=cards, goal=goal, **claim)


def test_going_out_names_the_card_to_throw_and_the_turn_can_be_checked(client):
    table = ["4H *=5H 6H"]
    told = solved(client, "5H 9S 9D KC", "go_out", table=table, opened=True)

    assert (told["possible"], told["discard"], told["left"], told["points_left"]) == (True, "KC", "", 0)
    assert told["released"] == [{"on": 0, "give": "5H"}]
    draw = {"do": "draw", "from": "stock", "card": "5H"}
    turn = {"hand": "9S 9D KC", "opened": True, "table": [{"cards": table[0]}], "steps": [draw, *told["steps"]]}
    assert ask(client, "check/turn", **turn)["ending"] == "going_out"


def test_a_jamaican_contract_is_that_of_the_hand_asked_for(client):
    held = "3H 3S 3D 9C 9C 9H 5S 6S 7S 8S 7D KD"
    assert solved(client, held, "open", variant="jamaican", hand_number=2)["left"] == "7D"
    assert solved(client, held, "open", variant="jamaican", hand_number=3)["possible"] is False


def test_a_meld_on_the_table_that_is_none_is_named(client):
    told = solved(client, "7H", "least_points", table=["4H 5H 6H", "4S 9D 2C"], opened=True)
    assert {fault["on"] for fault in told["faults"]} == {1}


def test_the_card_taken_has_to_be_laid_where_the_rules_say_so(client):
    held = "10H 10S 10D 10C 2D"
    assert solved(client, held, "open", taken="10C")["possible"] is True
    assert solved(client, held, "open", taken="2D")["possible"] is False
    assert solved(client, held, "open", taken="2D", variant="jamaican", hand_number=1)["possible"] is False
    assert solved(client, held + " KC KD KH KS", "open", taken="2D", variant="kalooki-51")["possible"] is True
    never = solved(client, held, "go_out", taken="2D", variant="jamaican", opened=True)
    assert [fault["rule"] for fault in never["faults"]] == ["discard-after-opening"]
    meld = {"discard_after_opening": "meld"}
    assert solved(client, "7H 8H 9H KS", "go_out", taken="KS", opened=True, house=meld)["possible"] is False


def test_limits_are_told_in_words(client):
    many = {"variant": "european", "goal": "open", "cards": " ".join(["7H 8H 9H 10H JH"] * 5)}
    error = refused(client, "solve", many)
    assert (error["field"], "25" in error["message"], "22" in error["message"]) == ("cards", True, True)
    few = {"variant": "european", "goal": "open", "cards": "7H"}
    assert refused(client, "solve", few | {"table": ["7H 8H 9H"] * 13})["field"] == "table"
    assert refused(client, "solve", few | {"goal": "win"})["field"] == "goal"
    assert refused(client, "solve", few | {"taken": "8H"})["field"] == "taken"
    assert refused(client, "solve", {"variant": "european", "cards": "7H"})["field"] == "goal"
    assert refused(client, "solve", few | {"variant": "jamaican", "hand_number": 10})["field"] == "hand_number"


def test_the_largest_question_is_answered_or_undecided(client):
    held = "3S 2H JS 5H 9D 10C 10S 3C 7D 5S 2S 7H JD 5H 2D AC 4C 6C 6H 4D * *"
    table = ["8D * 8S", "3D 4D 5D *", "5D 6D 7D 8D", "* 8H 9H 10H", "* 6S 7S", "10D JD QD", "6S * 8S 9S"]
    table += ["4C 4S *", "QC QH QD", "JS JH JC", "KS KH KC", "AS AH AD"]
    for goal in GOALS:
        told = solved(client, held, goal, table=table, opened=True, house={"jokers": 8}, variant="kalooki-51")
        assert told["possible"] in (True, False, None)
        assert told["ok"] is True


def test_a_game_lends_its_rules_and_its_hand(client):
    game = start(client, "jamaican").code
    told = client.post(f"{API}/solve", json={"game": game, "goal": "open", "cards": "3H 3S 3D 9C 9C 9H 5S 5H 5D KD"})
    assert told.json["possible"] is True
