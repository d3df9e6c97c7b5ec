"""The best lay-down on the pages: a tab of Check, and beside the losers' cards of a hand that was recorded."""

import pytest

from tests.json_scorer import Scorer
from tests.pages import hand

pytestmark = pytest.mark.one_app


LEFT = {
    "s2": "QH 7H 8H 9H 7S 7D *",
    "s3": "KH KS KD 4C 5C 6C QH 2D 9S 8S 3H 3C *",
    "s4": "2C 5H 9S KC 7C 7D 3S 4S JD QS 10C 8H 6D",
    "s5": "K K 4H",
    "s6": 20,
}


@pytest.fixture
def recorded(client):
    """A game with one hand, most of whose losers were counted by cards."""
    game = {"variant": "european", "players": ["Ann", "Ben", "Cat", "Dora", "Eve", "Fay"], "stakes": None}
    scorer = Scorer(client, game)
    scorer.record(hand(1, **LEFT))
    return f"/g/{scorer.code}"


def of(page, name):
    """What is said of one loser."""
    return next(part for part in page.split("<section")[1:] if f"{name}: " in part)


def test_beside_each_losers_cards_stands_what_could_have_been(client, recorded):
    page = " ".join(client.get(f"{recorded}/hands/2/best").text.split())

    assert "10 points could not be avoided." in of(page, "Ben")
    assert "They could have opened with:" in of(page, "Cat")
    assert "They could not have opened: none of the 91 points could be avoided." in of(page, "Dora")
    assert "The suits were not recorded" in of(page, "Eve")
    assert "avoided" not in of(page, "Fay")  # her cards are not known


def test_in_hindsight_a_short_opening_and_the_few_cards_warning_are_named(client):
    game = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
    scorer = Scorer(client, game)
    # the kings are 30 of 40; the sevens are all that was left, so they had to be announced
    scorer.record(hand(1, s2="KS KH KD 2C 5H 9S 7C 4S JD 8C 8H 6D 2H", s3="7S 7H 7D"))
    page = " ".join(client.get(f"/g/{scorer.code}/hands/2/best").text.split())
    assert "They could not have opened with 30 of 40: none of the" in of(page, "Ben")
    assert "All of it could have been laid, if they gave the few-cards warning." in of(page, "Cat")


def test_a_losers_cards_lead_to_the_question_with_the_table(client, recorded):
    page = client.get(f"{recorded}/hands/2/best").text
    assert "check=solve&amp;cards=QH+7H+8H+9H+7S+7D+*&amp;goal=least_points&amp;opened=yes" in of(page, "Ben")


def test_the_game_and_its_history_lead_there(client, recorded):
    link = f"{recorded}/hands/2/best"
    assert link in client.get(recorded).text
    assert link in client.get(f"{recorded}/history").text


def test_a_hand_without_cards_has_nothing_to_look_at(client, recorded):
    assert client.get(f"{recorded}/hands/1/best").status_code == 404
    assert client.get(f"{recorded}/hands/9/best").status_code == 404


def test_no_ruling_is_kept_of_a_question(client, recorded):
    assert client.post(f"{recorded}/check?check=solve&cards=7H").status_code in (403, 404)
