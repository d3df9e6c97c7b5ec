"""Why: one tap from a number of the table to its rule and who says it."""

import re

import pytest

from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.variants import load
from tests.pages import EURO, Alice, hand, words

pytestmark = pytest.mark.one_app


def linked(page, rule):
    """The words of every link of a page to one of the game's rules."""
    return [" ".join(re.sub("<[^>]+>", " ", found).split())
            for found in re.findall(rf'(?s)<a[^>]*href="[^"]*/rules#{rule}"[^>]*>(.*?)</a>', page)]  # fmt: skip


def test_the_points_of_a_hand_lead_to_their_lines(app):
    alice = Alice(app).record(hand(1, s2="* AS KH QD 7C", s3=30))
    entry = alice.table.game.hands[0].entry

    assert f'/g/{alice.code}/hands/{entry}#seat-2"' in alice.get().text
    assert f'/g/{alice.code}/hands/{entry}#seat-1"' not in alice.get().text  # who went out has nothing to add up
    assert f'/g/{alice.code}/hands/{entry}#seat-2"' in alice.get("/history").text
    page = alice.see(f"/hands/{entry}")
    assert "Hand 1 Won by Ann" in page
    assert "Ben: 53 points" in page
    assert "★ +15" in page
    assert "Joker left in hand : " in page
    assert rule_in_words("joker-left", load("european")).text in page
    assert "K ♥ Q ♦ +20" in page
    assert "Total 0 + 53 = 53" in page


def test_a_sum_that_was_typed_says_so(app):
    alice = Alice(app).record(hand(1, s2=43, s3="*"))
    entry = alice.table.game.hands[0].entry

    assert "Only the points were recorded, not the cards. +43" in alice.see(f"/hands/{entry}")
    assert "Ann: 0 points No cards left, so nothing is scored." in alice.see(f"/hands/{entry}")


def test_whoever_writes_may_correct_the_hand_from_its_points(app, client):
    alice = Alice(app).record(hand(1, s2=43, s3="*"), hand(2, s1=12, s3=7))
    second = alice.table.game.hands[1].entry
    path = f"/hands/{second}"

    page = alice.get(path).text
    led = re.search(r'href="([^"]*)">Correct this hand<', page)[1]
    assert led == f"/g/{alice.code}/correct/{second}"
    assert 'value="12"' in alice.client.get(led).text
    assert "Correct this hand" not in client.get(f"/g/{alice.code}{path}").text


@pytest.mark.parametrize("entry", [1, 3, 99])
def test_only_a_hand_that_was_scored_has_points(app, entry):
    assert Alice(app).record(hand(1, s2=43, s3="*"), {"kind": "void"}).get(f"/hands/{entry}").status_code == 404


def test_a_doubled_hand_names_the_rule_that_doubles(app):
    alice = Alice(app, "jamaican").record(hand(1, "bending", s2="KH 7C", s3="2C"))
    page = alice.see(f"/hands/{alice.table.game.hands[0].entry}")
    assert "Hand 1 Won by Ann (bending)" in page
    doubled = "loser’s cards are doubled, unless the player who bent the table made more than 3 calls."
    assert "Bending +17" in page
    assert f"What bending the table is worth : The points of each {doubled}" in page


def test_out_leads_to_the_limit_and_the_offer_to_its_level(app):
    alice = Alice(app, stakes=EURO).record(hand(1, s2=150, s3=60))
    page = alice.get().text
    assert linked(page, "limit") == ["out at 150", "out at 150"]  # the rule, and Ben
    assert linked(page, "buy-in") == ["60 is the highest total still in."]
    points = alice.see(f"/hands/{alice.table.game.hands[0].entry}")
    assert "Out of the game : A player whose total reaches 150 points is out" in points
    assert "Ben may buy in at 60." in points
    assert "Buying in costs €0.50, paid into the pool." in points


def test_a_level_of_one_more_says_so(app):
    alice = Alice(app, stakes=EURO, house={"buy_in_score": "highest_plus_one"}).record(hand(1, s2=150, s3=60))
    assert linked(alice.get().text, "buy-in") == ["61 is one more than the highest total still in."]


def test_not_out_at_exactly_the_limit_leads_to_the_limit(app):
    alice = Alice(app, house={"out_at": "over_limit"}).record(hand(1, s2=150, s3=60))
    assert linked(alice.get().text, "limit") == ["out over 150", "still in at 150"]
    assert "exactly 150 is still in" in alice.see(f"/hands/{alice.table.game.hands[0].entry}")


def test_no_offer_with_fewer_than_two_under_the_limit(app):
    alice = Alice(app).record(hand(1, s2=150, s3=160))
    assert linked(alice.get().text, "buy-in") == ["No buy-in: fewer than two players are still in."] * 2
    assert "fewer than two players are still in" in alice.see(f"/hands/{alice.table.game.hands[0].entry}")


def test_no_offer_after_the_last_buy_in(app):
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), house={"buy_ins": 1})
    alice.record(hand(1, s2=150, s3=60, s4=10), {"kind": "buy_in", "seat": 2}, hand(1, s2=100, s3=20, s4=10))
    # and the row of the first
    assert linked(alice.get().text, "buy-in") == ["No buy-in: bought in once already.", "60"]


def test_no_offer_at_a_score_that_would_be_out(app):
    house = {"buy_in_score": "highest_plus_one"}
    alice = Alice(app, house=house).record(hand(1, s2=150, s3=149))
    assert linked(alice.get().text, "buy-in") == ["No buy-in: they’d be out again at once."]


def test_a_variant_without_buy_ins_gives_no_reason(app):
    assert linked(Alice(app, "north-american").record(hand(1, s2=150, s3=60)).get().text, "buy-in") == []


def test_the_words_of_the_money_lead_to_their_rules(app):
    alice = Alice(app, stakes=EURO).record(hand(1, s2=20, s3=60), hand(1, "kalooki", s2=20, s3=60))
    page = alice.get("/settle").text
    # one hand each for three players, and the stake each paid
    assert linked(page, "call-up") == ["Call-up"] * 3
    assert linked(page, "kalooki-effect") == ["Kalooki"] * 3
    assert linked(page, "pool-stake") == ["Stake"] * 3


def test_calls_beyond_the_limit_lead_to_their_rule_for_the_winner_too(app):
    alice = Alice(app, "jamaican").record(hand(1, calls={"1": 4}, s2="KH", s3="2C"))
    entry = alice.table.game.hands[0].entry
    assert f'/g/{alice.code}/hands/{entry}#seat-1"' in alice.get().text
    page = alice.get(f"/hands/{entry}").text
    assert "4 calls, 3 free +50" in words(page)
    assert linked(page, "calls") == ["Calls in a hand"]


def test_calls_that_cost_nothing_lead_to_their_rule_too(app):
    alice = Alice(app, "jamaican").record(hand(1, calls={"1": 2, "2": 3}, s2="KH", s3="2C"))
    entry = alice.table.game.hands[0].entry
    assert f'/g/{alice.code}/hands/{entry}#seat-1"' in alice.get().text
    page = alice.get(f"/hands/{entry}").text
    for calls in ("2 calls, free +0", "3 calls, free +0"):
        assert calls in words(page)
    assert linked(page, "calls") == ["Calls in a hand"]


def test_a_share_of_the_pool_and_the_odd_cent_lead_to_their_rules(app):
    # 4 x €1.01: a quarter is 1.01, a third of it 0.33, and two cents more stay with the winner
    stakes = {"currency": "EUR", "initial": 101}
    alice = Alice(app, "kalooki-51", ("Ann", "Ben", "Cat", "Dan"), stakes=stakes)
    alice.record(hand(1, s2=10, s3=20, s4=30), {"kind": "end"})
    page = alice.get("/settle").text
    assert linked(page, "pool")[-1] == "25% of it"
    assert set(linked(page, "pool")[:-1]) == {"Share of the pool"}
    assert linked(page, "pool-equal-shares") == ["in equal parts:"]
    assert linked(page, "odd-coins") == ["Rounded down; the rest stays with the winner."]


def test_the_whole_pool_for_the_winner_leads_to_its_rule(app):
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 100})
    alice.record(hand(1, s2=150, s3=150), {"kind": "end"})
    assert linked(alice.get("/settle").text, "pool-nobody-shares") == ["All of it:"]


def test_a_share_for_who_is_out_leads_to_the_rule_that_gives_it(app):
    stakes = {"currency": "EUR", "initial": 100}
    alice = Alice(app, "kalooki-51", stakes=stakes, house={"limit": 80}).record(hand(1, s2=80, s3=30), {"kind": "end"})
    page = alice.get("/settle").text
    assert "Ben is out of the game but shares too: by common practice, only points count." in words(page)
    assert linked(page, "score-when-out") == ["by common practice, only points count."]
    assert "under 100 points, knocked out or not." in alice.get("/result.txt").text


def test_the_pool_of_the_last_one_left_leads_to_its_rule(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=EURO).record(hand(1, s2=150))
    assert set(linked(alice.get("/settle").text, "pool")) == {"Share of the pool", "All of it:"}


def test_the_level_of_a_buy_in_leads_to_its_rule_when_it_is_taken(app):
    alice = Alice(app, stakes=EURO).record(hand(1, s2=150, s3=60), {"kind": "buy_in", "seat": 2})
    assert linked(alice.get().text, "buy-in") == ["60"]


def test_a_penalty_and_a_late_start_lead_to_their_rules(app):
    alice = Alice(app, stakes=EURO).record(
        hand(1, s2=20, s3=60),
        {"kind": "penalty", "seat": 2, "points": 10, "reason": "late"},
        {"kind": "join", "name": "Dan", "points": 60, "stake": True},
    )
    page = alice.get().text
    assert linked(page, "penalty") == ["30 +10"]
    assert linked(page, "joining-late") == ["60"]


@pytest.mark.parametrize(
    ("pool", "posting"),
    [("refund", "Back from the pool"), ("equal", "Share of the pool"), ("leader", "Share of the pool")],
)
def test_the_pool_of_a_game_that_is_stopped_leads_to_its_rule(app, pool, posting):
    alice = Alice(app, stakes=EURO).record(hand(1, s2=20, s3=60), {"kind": "stop", "pool": pool})
    page = alice.get("/settle").text

    reasons = linked(page, "breaking-off")
    assert posting in reasons
    assert any(reason.startswith("The table ended the game early") for reason in reasons)
    assert linked(page, "pool") == []
    assert "It then decides what happens to the pool" in alice.see("/rules")


def test_a_look_before_saving_adds_the_cards_up(app):
    alice = Alice(app).record(hand(1, s2=100, s3=20))
    look = alice.sent("/hand", {"do": "preview", "winner": "1", "ending": "going_out",
                                "cards-2": "* AS KH QD 7C", "points-3": "5"}).text  # fmt: skip
    assert "★ 15 + A ♠ 11 + K ♥ Q ♦ 20 + 7 ♣ 7 = 53" in words(look)
    assert linked(look, "limit") == ["out"]
    assert linked(look, "buy-in") == ["may buy in at 25"]
