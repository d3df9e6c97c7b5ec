"""Taking entries back and hands that do not count: what changes is shown before it is saved."""

import re

import pytest

from tests.pages import FOUR, Alice, hand

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR)


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
    assert "Not saved yet: somebody else recorded something first." in answer.text
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
    assert "Undo hand 1? Hand 1 won by Ann Ben +10 · Cat +20 · Dan +30 Recorded: " in page
    assert "Ben 10 → 0 −€0.10 → €0.00" in page
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
    assert "This has already been undone." in answer.text


PENALTY = {"kind": "penalty", "seat": 2, "points": 5, "amount": 30, "reason": "talking"}


def test_removed_and_restored_entries_state_amount_reason_and_time(alice):
    told = r"5 points · €0\.40 into the pool · talking Recorded: \w+ \d+ \w+ \d\d:\d\d, script What changes"
    alice.record(PENALTY, {"kind": "amend", "target": 2, "event": PENALTY | {"amount": 40}})
    page = alice.see("/undo/2")
    assert re.search(rf"Penalty for Ben {told}", page)
    # four stakes of 50, with and without the penalty
    assert "In the pool: €2.40 → €2.00" in page
    alice.record({"kind": "undo", "target": 3}, {"kind": "undo", "target": 2})
    page = alice.see("/undo/5")
    assert re.search(rf"“Penalty for Ben” undone {told.replace('40', '30')}", page)
    assert "In the pool: €2.00 → €2.30" in page


def test_a_payment_noted_again_is_not_put_back_beside_it(alice):
    paid, undone = {"kind": "paid", "from": 2, "to": 1, "amount": 60}, [3, 5, 7]
    for entry in undone:
        alice.record(paid, {"kind": "undo", "target": entry - 1})
    offered = [entry for entry in undone if f'/undo/{entry}"' in alice.get("/history").text]
    assert offered == [7]
    twice = "The same has been recorded again since: if you redo this, it counts twice."
    assert [twice in alice.see(f"/undo/{entry}") for entry in undone] == [True, True, False]
    alice.record({"kind": "undo", "target": 7})
    page = alice.get("/history").text
    assert [f'/undo/{entry}"' in page for entry in (3, 5, 6)] == [False, False, True]
    assert alice.table.game.balances == {1: -110, 2: 10, 3: -50, 4: -50}


def test_several_confirmations_that_nobody_saw_are_shown_as_the_newest(alice):
    """As when hands that waited on a phone are sent one after the other: no page comes between them."""
    sent = {"winner": "1", "ending": "going_out", "points-3": "6", "points-4": "7", "do": "save"}
    for points in ("5", "8"):
        assert alice.sent("/hand", sent | {"points-2": points}).status_code == 303
    for _ in range(2):
        alice.send("/settle", do="paid-2-1-10", seen=1)
    assert re.findall(r'data-message class="notice notice-(\w+)"', alice.get().text) == ["ok", "warn"]
