"""Rules changed in mid-game: what would change is shown first, and nothing is saved until the scorer says so."""

import re

import pytest

from tests.pages import EURO, Alice, hand, words
from tests.web.form_entries import save
from tests.web.test_correct_setup import AS_SET

pytestmark = pytest.mark.one_app

AT_ODDS = "The shortest run is 5 cards, the longest 4: no run would be legal."


@pytest.fixture
def alice(app):
    return Alice(app, stakes=EURO).record(hand(1, s2=30, s3=120), hand(2, s1=10, s3=10))


def test_a_hand_that_makes_no_sense_leads_to_its_correction(alice):
    answer = alice.sent("/enter/setup", AS_SET | {"house-limit": "100", "do": "preview"})
    told = re.search(
        r'(?s)<li><strong>Hand 2</strong> – Cat is not in the game.*?href="([^"]+)">Correct it', answer.text
    )
    assert alice.client.get(told[1]).status_code == 200
    assert alice.table.seen == 3
    save(alice, "setup", **AS_SET | {"house-limit": "100"})
    assert alice.totals == [0, 30, 120]


def test_aces_of_no_colour_make_no_sense_where_colour_scores(app):
    alice = Alice(app).record(hand(1, s2="A K", s3=5))
    assert alice.totals[1] == 21  # 11 and 10
    answer = alice.scorer.send({"kind": "setup", "house": {"red_ace_left": 1}}, preview=True)
    [fault] = answer.json["state"]["faults"]
    assert (fault["entry"], fault["rule"]) == (2, "ace-without-colour")
    assert answer.json["state"]["differs"] == ["red_ace_left"]
    assert alice.scorer.state()["faults"] == []


def test_hands_beyond_the_last_make_no_sense(app):
    alice = Alice(app, "jamaican", house={"contracts": [[2, 0], [1, 1], [0, 2]]})
    alice.record(*(hand(1, s2=30, s3=20) for _ in range(2)))
    answer = alice.scorer.send({"kind": "setup", "house": {"contracts": [[2, 0]], "game_hands": 1}}, preview=True)
    state = answer.json["state"]
    assert (state["status"], [each["entry"] for each in state["faults"]]) == ("over", [3])
    assert [player["total"] for player in state["players"]] == [0, 30, 20]


def test_json_names_both_rules_at_odds(alice):
    answer = alice.scorer.send({"kind": "setup", "house": {"run_least": 5, "run_most": 4}})
    assert answer.status_code == 422
    [fault] = answer.json["faults"]
    assert fault["keys"] == ["run_least", "run_most"]
    assert fault["message"].startswith(AT_ODDS)


def test_taking_back_rules_is_refused_where_what_is_left_is_at_odds(app):
    alice = Alice(app)
    changes = ({"run_most": 6}, {"run_least": 5}, {"run_least": 3}, {"run_most": 4})
    alice.record(*({"kind": "setup", "house": house} for house in changes))
    # without the third change runs of at least 5 and at most 4 cards are left
    answer = alice.get("/undo/4")
    assert answer.status_code == 422
    assert AT_ODDS in words(answer.text)
    assert "Undo “Details of the game corrected”?" in words(answer.text)
    assert alice.scorer.send({"kind": "undo", "target": 4}).json["faults"][0]["keys"] == ["run_least", "run_most"]
