"""Why: one tap from a number of the table to its rule and who says it."""

import re

import pytest

from app.kalooki.rules.rulebook import rule_in_words
from app.kalooki.variants import load
from tests.pages import EURO, Alice, hand

pytestmark = pytest.mark.one_app


def linked(page, rule):
    """The words of every link of a page to one of the game's rules."""
    return [" ".join(re.sub("<[^>]+>", " ", found).split())
            for found in re.findall(rf'(?s)<a[^>]*href="[^"]*/rules#{rule}"[^>]*>(.*?)</a>', page)]  # fmt: skip


def test_the_points_of_a_hand_lead_to_their_lines(app):
    alice = Alice(app).record(hand(1, s2="* AS KH QD 7C", s3=30))
    entry = alice.table.game.hands[0].entry

    assert f'/g/{alice.code}/hands/{entry}"' in alice.get().text
    assert f'/g/{alice.code}/hands/{entry}#seat-2"' in alice.get("/history").text
    page = alice.see(f"/hands/{entry}")
    assert "Hand 1 Won by Ann" in page
    assert "Ben: 53 points" in page
    assert "★ +15" in page
    assert "Joker left in hand : " in page
    assert rule_in_words("joker-left", load("european")).text in page
    assert "K ♥ Q ♦ +20" in page
    assert "Total 0 + 53 = 53" in page


def test_whoever_writes_may_correct_the_hand_from_its_points(app, client):
    alice = Alice(app).record(hand(1, s2=43, s3="*"), hand(2, s1=12, s3=7))
    second = alice.table.game.hands[1].entry
    path = f"/hands/{second}"

    page = alice.get(path).text
    led = re.search(r'href="([^"]*)">Correct<', page)[1]
    assert led == f"/g/{alice.code}/correct/{second}"
    assert 'value="12"' in alice.client.get(led).text
    assert ">Correct<" not in client.get(f"/g/{alice.code}{path}").text


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


def test_the_pool_of_the_last_one_left_leads_to_its_rule(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=EURO).record(hand(1, s2=150))
    assert set(linked(alice.get("/settle").text, "pool")) == {"Share of the pool"}


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
