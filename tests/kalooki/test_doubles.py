"""The same hand written down by two people: what makes two hands one, and which hands are new."""

import pytest

from app.kalooki.game.apply import is_same_hand
from app.kalooki.game.corrections import new_hands
from app.kalooki.game.events import from_json
from app.kalooki.variants import load
from tests.kalooki.table_talk import begin, hand, record

EUROPEAN = hand(1, s2=28, s3=35)


def same(one, other, variant="european"):
    return is_same_hand(from_json(one), from_json(other), load(variant))


def test_the_same_winner_and_points_are_the_same_hand():
    assert same(EUROPEAN, hand(1, s3=35, s2=28))


def test_cards_and_their_points_are_the_same_hand():
    """A king and a queen count 10 each, a five 5: 25 together."""
    assert same(hand(1, s2="KH QD 5C", s3=35), hand(1, s2=25, s3=35))
    assert not same(hand(1, s2="KH QD 6C", s3=35), hand(1, s2=25, s3=35))


@pytest.mark.parametrize(
    "other",
    [hand(1, s2=29, s3=35), hand(1, s2=35, s3=28), hand(2, s1=28, s3=35), hand(1, "kalooki", s2=28, s3=35)],
    ids=["other points", "points the other way round", "another winner", "another ending"],
)
def test_anything_else_is_another_hand_or_a_correction(other):
    assert not same(EUROPEAN, other)


def test_calls_are_compared_only_where_players_call():
    one = hand(1, calls={"2": 1}, s2=28, s3=35)
    assert not same(one, EUROPEAN, "jamaican")
    assert same(hand(1, calls={"2": 0}, s2=28, s3=35), EUROPEAN, "jamaican")
    assert same(one, EUROPEAN, "european")


def test_only_hands_recorded_since_are_new():
    log = record(begin(), EUROPEAN)
    log = record(log, {"kind": "rename", "seat": 2, "name": "Bert"}, {"kind": "void"}, hand(2, s1=5, s3=6))
    assert new_hands(log, 1) == [2, 5]
    assert new_hands(log, 2) == [5]
    assert new_hands(log, 5) == []


def test_an_undone_hand_is_not_new_and_a_restored_one_is():
    log = record(begin(), EUROPEAN, {"kind": "undo", "target": 2})
    assert new_hands(log, 1) == []
    brought_back = record(log, {"kind": "undo", "target": 3})
    assert new_hands(brought_back, 3) == [2]
    assert new_hands(brought_back, 2) == []


def test_a_corrected_hand_is_not_new_but_a_void_hand_amended_to_a_won_one_is():
    log = record(begin(), EUROPEAN, {"kind": "amend", "target": 2, "event": hand(1, s2=29, s3=35)})
    assert new_hands(log, 2) == []
    log = record(begin(), {"kind": "void"}, {"kind": "amend", "target": 2, "event": EUROPEAN})
    assert new_hands(log, 2) == [2]


def test_an_inserted_hand_is_new_under_its_own_entry():
    log = record(begin(), EUROPEAN, {"kind": "insert", "before": 2, "event": hand(2, s1=5, s3=6)})
    assert new_hands(log, 2) == [3]
