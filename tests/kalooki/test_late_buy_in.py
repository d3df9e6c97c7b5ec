"""A corrected hand knocks a player out who played on: the buy-in belongs before the hand that counts no longer.

Stakes as suggested: call-up 10, initial stake 50, buy-in 50. Every number is worked out by hand (rules `limit`,
`buy-in`, `call-up`, `pool`).
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kalooki.cards import BadInput
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import from_record, play
from tests.kalooki.table_talk import begin, hand, record, totals

FOUR = ("Ann", "Ben", "Cat", "Dan")
BEN = 2


def bought_in(before, seat=BEN):
    return {"kind": "buy_in", "seat": seat, "before": before}


@pytest.fixture
def four():
    """Hand 1: Ben 140, Cat 86, Dan 80. Hand 2: Ben 144, Cat 96, Dan 85. Hand 3: Ann 20, Ben 147, Dan 87.

    Hand 4: Ann 27, Ben 149, Cat 97. Corrected, hand 2 leaves Ben at 154.
    """
    played = [hand(1, s2=140, s3=86, s4=80), hand(1, s2=4, s3=10, s4=5)]
    played += [hand(3, s1=20, s2=3, s4=2), hand(4, s1=7, s2=2, s3=1)]
    log = record(begin(players=FOUR), *played)
    assert totals(log) == [27, 149, 97, 87]
    return log


@given(st.lists(st.tuples(*[st.integers(2, 13)] * 3), min_size=1, max_size=4))
def test_a_late_buy_in_equals_one_recorded_in_its_place(later):
    """Ben stands at 80, then by mistake at 82, and stays in; corrected, hand 2 leaves Ben at 155 and out."""
    hands = [hand(1, s2=ben, s3=cat, s4=dan) for ben, cat, dan in later]
    first, right = hand(1, s2=80, s3=20, s4=20), hand(1, s2=75, s3=9, s4=9)
    in_time = play(record(begin(players=FOUR), first, right, {"kind": "buy_in", "seat": BEN}, *hands))

    log = record(begin(players=FOUR), first, hand(1, s2=2, s3=9, s4=9), *hands)
    told_late = play(record(log, {"kind": "amend", "target": 3, "event": right}, bought_in(4)))

    assert (told_late.players, told_late.balances) == (in_time.players, in_time.balances)
    assert [each.scores for each in told_late.hands] == [each.scores for each in in_time.hands]
    assert [each.dealer for each in told_late.hands] == [each.dealer for each in in_time.hands]
    assert (told_late.next_dealer, told_late.pool, told_late.faults) == (in_time.next_dealer, in_time.pool, [])


def test_an_unused_offer_can_be_accepted_late_until_the_game_ends(four):
    """Declined at entry 4, or lapsed with hand 3 at entry 4, it can be accepted there; after that it is gone."""
    out = [*four[:2], *record(four[:2], hand(1, s2=14, s3=10, s4=5))[2:]]
    assert (totals(out), play(out).late_offers) == ([0, 154, 96, 85], {})
    assert play(record(out, {"kind": "decline", "seat": BEN})).late_offers == {BEN: 4}

    lapsed = record(out, hand(3, s1=20, s4=2))
    assert (play(lapsed).late_offers, play(lapsed).unnamed) == ({BEN: 4}, {})
    late = play(record(lapsed, bought_in(4)))
    assert (late.late_offers, late.unnamed) == ({}, {4: (BEN,)})

    assert play(record(lapsed, {"kind": "leave", "seat": BEN})).late_offers == {}
    assert play(record(lapsed, {"kind": "stop", "pool": "refund"})).late_offers == {}


def test_a_buy_in_cannot_belong_before_the_start_or_a_later_entry():
    with pytest.raises(BadInput, match="before"):
        from_json(bought_in(1))
    with pytest.raises(BadInput, match="Entry 2"):
        from_record([to_json(begin()[0].event), bought_in(9)])
    assert to_json(from_json(bought_in(4))) == bought_in(4)
    assert "before" not in to_json(from_json({"kind": "buy_in", "seat": 2}))
