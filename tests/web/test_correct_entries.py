"""Entries besides hands, corrected on the pages that entered them."""

import re

import pytest

from tests.pages import FOUR, Alice, hand
from tests.web.form_entries import look, save

pytestmark = pytest.mark.one_app


def test_a_penalty_in_money_is_corrected_to_points_once_there_is_no_money(alice):
    alice.record({"kind": "penalty", "seat": 2, "amount": 30}, {"kind": "setup", "stakes": None})
    assert len(alice.table.game.faults) == 1
    save(alice, "penalty/2", seat="2", points="5")
    assert alice.table.game.faults == []
    assert alice.totals == [0, 5, 0]


CLAIM = {"check": "meld", "claim": {"cards": "AH 2H 3H"}, "verdict": {"ok": False, "faults": ["ace-high"]}}


@pytest.fixture
def punished(app):
    """Cat, at 100 points, has 5 more and 9 cents for a claim; then the limit is corrected to 100."""
    return Alice(app, players=FOUR).record(
        hand(1, s2=60, s3=100, s4=30),
        {"kind": "ruling", **CLAIM, "seat": 3, "note": "twice", "points": 5, "amount": 9},
        {"kind": "setup", "house": {"limit": 100}},
    )


def test_a_ruling_is_let_go_and_upheld_again(punished):
    typed = {"seat": "3", "points": "5", "amount": "0.09"}
    assert "the table played on anyway · twice" in look(punished, "ruling/3", upheld="no", **typed)
    assert save(punished, "ruling/3", upheld="no", **typed)["event"]["upheld"] is False
    assert punished.table.game.pool == 200
    assert 'checked id="upheld-1"' in punished.get("/enter/ruling/3").text
    assert "upheld" not in save(punished, "ruling/3", upheld="yes", seat="3", points="", amount="0.09")["event"]
    assert punished.table.game.pool == 209


def test_a_ruling_stays_with_a_player_who_has_left_by_then(alice):
    alice.record({"kind": "leave", "seat": 3}, {"kind": "ruling", **CLAIM, "seat": 2, "points": 5})
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "leave", "seat": 2}})
    page = alice.get("/enter/ruling/3").text
    assert re.findall('<option value="([^"]*)">', page) == ["", "1", "3"]
    assert re.findall('<option selected value="([^"]*)">', page) == ["2"]
    assert save(alice, "ruling/3", seat="2", points="")["event"]["seat"] == 2
    assert alice.table.game.faults == []


def test_another_player_drew_the_highest_card(app):
    alice = Alice(app, "kalooki-51").record({"kind": "first", "seat": 2})
    assert re.findall(r'checked id="([^"]*)"', alice.get("/enter/first/2").text) == ["seat-1"]
    assert "Cat plays first" in look(alice, "first/2", seat="3")
    assert save(alice, "first/2", seat="3") == {"kind": "amend", "target": 2, "event": {"kind": "first", "seat": 3}}
    assert alice.table.game.first == 3


def test_who_has_left_by_then_did_not_draw_the_highest_card(app):
    alice = Alice(app, "kalooki-51").record({"kind": "leave", "seat": 3}, {"kind": "first", "seat": 2})
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "leave", "seat": 2}})
    assert f"/g/{alice.code}/enter/first/3" in alice.get().text
    assert "<span>Ben</span>" not in alice.get("/enter/first/3").text
    save(alice, "first/3", seat="3")
    assert alice.table.game.faults == []
    assert alice.table.game.first == 3
