"""Points and checks through JSON, with nothing stored and open to everyone."""

import pytest

from tests.kalooki.rule_talk import steps_of
from tests.web.json_checks import ask

pytestmark = pytest.mark.one_app


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
