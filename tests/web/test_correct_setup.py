"""The setup of a game, corrected from its start."""

import re

import pytest

from tests.pages import EURO, Alice, words
from tests.web.form_entries import save

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, stakes=EURO)


AS_SET = {
    "dealer": "1", "money": "y", "currency": "EUR", "call_up": "0.10", "kalooki": "0.20",
    "initial": "0.50", "buy_in": "0.50", "settle": "account",
}  # fmt: skip


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


def test_a_variant_without_stakes_asks_for_none(app):
    alice = Alice(app, "jamaican")
    assert re.search(r'<section class="[^"]*money"[^>]* hidden>', alice.get("/enter/setup").text)
    event = save(alice, "setup", dealer="2", settle="account", **{"house-warning_at": "2"})
    assert event["dealer"] == 2
