"""Taking entries back and hands that do not count: what changes is shown before it is saved."""

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes={"currency": "EUR"})


def test_a_void_hand_is_recorded_with_its_reason(alice):
    assert "Ann deals hand 1 again." in alice.see("/void")
    assert alice.send("/void", reason="a card lay open").status_code == 303
    assert alice.events() == [{"kind": "void", "reason": "a card lay open"}]


def test_a_void_hand_lets_offers_lapse_and_says_so(alice):
    alice.record(hand(1, s2=150, s3=60, s4=70))
    assert "Ben 150 the offer to buy in lapses" in alice.see("/void")


def test_a_reason_too_long_is_kept_as_typed(alice):
    answer = alice.send("/void", reason="x" * 201)
    assert answer.status_code == 422
    assert "Write at most 200 characters." in answer.text
    assert "x" * 201 in answer.text
    assert alice.table.seen == 1


def test_a_late_void_keeps_its_reason(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    answer = alice.send("/void", reason="a card lay open", seen=1)
    assert answer.status_code == 409
    assert "Not saved yet: something else was recorded meanwhile." in answer.text
    assert "a card lay open" in answer.text
    assert alice.table.seen == 2


def test_a_recorded_hand_can_be_made_void(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    page = alice.see("/void/2")
    assert "Ben 10 → 0" in page
    alice.send("/void/2", reason="misdeal")
    assert alice.totals == [0, 0, 0, 0]


def test_taking_back_shows_what_changes_first(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    page = alice.see("/undo/2")
    assert "Remove hand 1? Hand 1: won by Ann Recorded by script" in page
    assert "Ben 10 → 0 −0.60 → −0.50 EUR" in page
    assert alice.send("/undo/2").status_code == 303
    assert alice.totals == [0, 0, 0, 0]


def test_taking_back_can_be_taken_back(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    alice.send("/undo/2")
    alice.send("/undo/3")
    assert alice.totals == [0, 10, 20, 30]


def test_what_was_taken_back_already_says_so(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30), {"kind": "undo", "target": 2})
    answer = alice.get("/undo/2")
    assert answer.status_code == 422
    assert "This has been taken back already." in answer.text
