"""Taking entries back and hands that do not count: what changes is shown before it is saved."""

import re

import pytest

from tests.pages import FOUR, Alice

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR)


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
