"""Inside a game a ruling says what the game knows: the contract, who deals, the totals, who bought in, who is out."""

import pytest

from app.history.phrases import HERE
from app.kalooki.rules.disputes import of_kind
from app.kalooki.rules.rulebook import rules
from tests.pages import EURO, Alice, hand

pytestmark = pytest.mark.one_app


def shown(alice, slug):
    """The ruling as large as the screen, asked for in the game."""
    return alice.see(f"/shown/dispute/{slug}")


def test_what_a_dispute_wants_to_know_of_its_game_can_be_told():
    wanted = {dispute.here for dispute in of_kind("dispute").values() if dispute.here}
    assert wanted == set(HERE) - {"stakes"}  # these are told beside the rule of that name
    assert "stakes" in rules()


def test_the_contract_of_the_hand_in_play_stands_under_the_ruling(app):
    alice = Alice(app, variant="jamaican")
    assert "Hand 1 here: 3 threes." in shown(alice, "that-is-not-the-contract")


def test_who_deals_and_plays_first_is_said(alice):
    assert "Ann deals hand 1 here. Ben plays first." in shown(alice, "whose-turn")


def test_a_hand_asked_for_by_its_number_is_told_with_its_deal(app):
    """Hand 5 is four threes, so twelve cards; by a table's own deal as many as it says."""
    asked = "/disputes?q=how many cards are dealt in hand 5"
    alice = Alice(app, variant="jamaican")
    assert "Hand 5: 4 threes (12 cards)" in alice.see(asked)
    ours = Alice(app, variant="jamaican", house={"dealt": 16, "dealt_by": "players"})
    assert "Hand 5: 4 threes (16 cards)" in ours.see(asked)
    assert "Hand 52" not in alice.see(f"{asked}2")
    assert "Hand 5" not in Alice(app).see(asked)


def test_totals_are_said_beside_the_limit(alice):
    alice.record(hand(1, s2=35, s3=12))
    assert "Here: Ann 0, Ben 35 and Cat 12." in shown(alice, "exactly-at-the-limit")


def test_who_bought_in_and_who_is_out_is_said(alice):
    alice.record(hand(1, s2=151, s3=12))
    assert "Bought in here so far: nobody." in shown(alice, "how-often-to-buy-in")
    assert "Out of this game: Ben." in shown(alice, "coming-back")


@pytest.mark.parametrize("question", ["how much is the buy-in", "how much does a buy-in cost"])
def test_a_game_for_money_tells_what_a_buy_in_costs(app, question):
    asked = f"/disputes?q={question}"
    assert "A buy-in costs €0.50 here." in Alice(app, stakes=EURO).see(asked)
    assert "A buy-in costs" not in Alice(app, stakes=EURO, house={"buy_ins": 0}).see(asked)
    assert "A buy-in costs" not in Alice(app, stakes=None).see(asked)


def test_a_game_for_money_tells_its_stakes(app):
    asked, told = "/disputes?q=the stakes", "Here: call-up €0.10, Kalooki €0.20, stake €0.50, buy-in €0.50."
    assert told in Alice(app, stakes=EURO).see(asked)
    assert "Here: call-up" not in Alice(app, stakes=None).see(asked)


def test_a_rule_found_in_a_game_for_money_names_amounts_and_not_units(app):
    """The table's own pool in a game that has none by its book."""
    alice = Alice(app, variant="jamaican", house={"stake_initial": 5}, stakes={"currency": "JMD", "initial": 2000})
    told = "Everybody pays J$20.00 into the pool at the start."
    assert told in alice.see("/disputes?q=the stakes")
    asked = alice.client.get("/api/v1/find", query_string={"game": alice.code, "q": "the stakes"})
    assert told in [answer["ruling"] for answer in asked.json["results"]]


def test_an_answer_found_says_it_too_and_without_a_game_nothing_does(alice):
    asked = {"q": "whose turn is it", "variant": "european"}
    assert "Ann deals hand 1 here." in alice.client.get(f"/g/{alice.code}/disputes", query_string=asked).text
    assert "Ann deals" not in alice.client.get("/disputes", query_string=asked).text
