"""The table view: what everybody wants to see from across the table, and nothing to write."""

import pytest

from tests.pages import Alice, hand, words

pytestmark = pytest.mark.one_app


def test_it_shows_whose_deal_it_is_the_totals_and_the_pool(alice):
    alice.record(hand(1, s2=35, s3=7))
    page = alice.see("/table")
    assert "Ben deals Hand 2" in page
    assert "Cat plays first" in page
    assert "Pool €1.50" in page  # three initial stakes of 50
    assert f'href="/g/{alice.code}/settle?open=pool#pool"' in alice.get("/table").text
    assert "Ann in front 0 +€0.20 Ben D 35 −€0.10 Cat 7 −€0.10" in page


def test_it_shows_the_contract_where_there_is_one(app):
    assert "Hand 1 · 3 threes" in Alice(app, "jamaican").see("/table")


def test_who_is_out_and_who_has_won_is_shown(app):
    alice = Alice(app, players=("Ann", "Ben"))
    alice.record(hand(2, s1=150))
    page = alice.see("/table")
    assert "Ben won." in page
    assert "Ann out 150" in page


def test_its_part_is_the_page_without_its_frame(alice):
    part = alice.get("/table?part=1").text
    assert "<html" not in part
    assert words(part) in alice.see("/table")


def test_everybody_with_the_code_may_look(alice, client):
    assert "Ann deals" in words(client.get(f"/g/{alice.code}/table").text)
    assert client.get("/g/23456789ABC/table").status_code == 404
