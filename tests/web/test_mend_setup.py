"""The setup of a game, mended from its start."""

import re

import pytest

from tests.pages import EURO, Alice, hand, words
from tests.web.form_entries import look, refused, save

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, stakes=EURO)


AS_SET = {
    "dealer": "1", "money": "y", "currency": "EUR", "call_up": "0.10", "kalooki": "0.20",
    "initial": "0.50", "buy_in": "0.50", "settle": "account",
}  # fmt: skip


def test_the_set_up_is_shown_as_it_is(app):
    alice = Alice(app, stakes=EURO, dealer=2, house={"limit": 200})
    form = alice.get("/enter/setup").text
    assert 'value="200"' in form
    assert 'name="call_up" type="text" value="0.10"' in form


def test_mended_stakes_count_from_the_start(alice):
    alice.record(hand(1, s2=30, s3=20))
    page = look(alice, "setup", **AS_SET | {"call_up": "0.25"})
    # 2 x 25 for Ann instead of 2 x 10; ended now, the stakes are paid back
    assert "Ann +€0.20 → +€0.50" in page
    assert "call-up 0.25" in page
    assert save(alice, "setup", **AS_SET | {"call_up": "0.25"}) == {"kind": "setup", "stakes": {"call_up": 25}}


def test_a_stake_the_table_did_not_have_needs_its_amount(app):
    """Two call-ups of nothing and a Kalooki stake nobody was asked for: Ben and Cat each pay 40 once it is told."""
    alice = Alice(app, "kalooki-51", stakes=EURO | {"initial": 50})
    alice.record(hand(1, "kalooki", s2=30, s3=20))
    set_up = {name: typed for name, typed in AS_SET.items() if name not in ("call_up", "buy_in")}
    page = words(refused(alice, "setup", **set_up | {"house-stake_kalooki": "4", "kalooki": "0.00"}))
    assert "The table has this stake now: write its amount." in page
    page = look(alice, "setup", **set_up | {"house-stake_kalooki": "4", "kalooki": "0.40"})
    # ended now, of the pool of 150 Ben and Cat, under 100, would get 18 each, and Ann 114: 64 more than she paid
    assert "Ann +€0.64 → +€1.44" in page


def test_a_mended_limit_says_who_would_be_out(alice):
    alice.record(hand(1, s2=30, s3=120))
    page = look(alice, "setup", **AS_SET | {"house-limit": "100"})
    assert "Cat 120 out – may buy in at 30" in page


def test_later_entries_that_lose_their_sense_are_named_before_saving(alice):
    alice.record(hand(1, s2=30, s3=120), hand(2, s1=10, s3=10))
    page = look(alice, "setup", **AS_SET | {"house-limit": "100"})
    assert "Hand 2 – Cat is not in the game" in page


def test_only_what_differs_is_recorded(alice):
    changed = AS_SET | {"dealer": "3", "house-out_at": "over_limit", "settle": "cash"}
    assert save(alice, "setup", **changed) == {
        "kind": "setup", "dealer": 3, "house": {"out_at": "over_limit"}, "settle": "cash",
    }  # fmt: skip
    assert alice.table.game.next_dealer == 3


def test_money_is_taken_away_and_brought_back(alice):
    without = {key: value for key, value in AS_SET.items() if key != "money"}
    assert save(alice, "setup", **without) == {"kind": "setup", "stakes": None}
    assert alice.table.game.stakes is None
    event = save(alice, "setup", **AS_SET | {"kalooki": ""})
    assert event == {"kind": "setup", "stakes": {"currency": "EUR", "call_up": 10, "initial": 50, "buy_in": 50}}
    assert alice.table.game.stakes == EURO


def test_the_rules_typed_are_told_before_anything_is_looked_at(app):
    alice = Alice(app, stakes=EURO, house={"limit": 200})
    typed = {"house-court_left": "5", "house-run_least": "9", "house-run_most": "5"}
    page = alice.sent("/enter/setup/rules", typed).text
    assert "Limit 200 points usually 150 points" in words(page)
    assert "10, J, Q, K left in hand 5 points usually 10 points" in words(page)
    assert "notice-fault" in page
    counts = re.findall(r'data-group="(\w+)"[^>]*>\s*<summary>[^<]*<span class="detail" data-count>([^<]+)', page)
    assert counts == [("melds", "2 changed"), ("counting", "1 changed")]
    assert alice.table.seen == 1


def test_nothing_different_is_nothing_to_save(alice):
    assert "Nothing here differs" in words(refused(alice, "setup", **AS_SET))
    as_dealt = {"house-dealt": ["13", "13"]}  # what everybody is dealt as it is
    assert "Nothing here differs" in words(refused(alice, "setup", **AS_SET | as_dealt))


def test_money_that_a_table_calls_by_its_sign_keeps_its_name(app):
    alice = Alice(app, stakes=EURO | {"currency": "£"})
    assert "Nothing here differs" in words(refused(alice, "setup", **AS_SET | {"currency": "£"}))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"house-limit": "0"}, "out of range"),
        ({"call_up": "lots"}, "Write an amount"),
        ({"currency": ""}, "1 to 8 characters"),
        ({"dealer": "9"}, "Choose one."),
    ],
)
def test_a_set_up_nobody_can_play_is_refused(alice, typed, said):
    assert said in words(refused(alice, "setup", **AS_SET | typed))


def test_a_variant_without_stakes_asks_for_none(app):
    alice = Alice(app, "jamaican")
    assert re.search(r'<section class="[^"]*money"[^>]* hidden>', alice.get("/enter/setup").text)
    event = save(alice, "setup", dealer="2", settle="account", **{"house-warning_at": "2"})
    assert event["dealer"] == 2
