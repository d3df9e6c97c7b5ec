"""Hands into which somebody still in was not dealt. Every number is worked out by hand.

Stakes as suggested: call-up 10, initial stake 50, buy-in 50.
"""

import pytest

from app.kalooki.game.apply import is_same_hand
from app.kalooki.game.events import Hand, from_json, to_json
from app.kalooki.game.play import Entry, play, warnings
from tests.kalooki.table_talk import begin, hand, record, totals

FOUR = ("Ann", "Ben", "Cat", "Dan")


def without(absent, *args, **left):
    """Return the event of a hand into which these seats were not dealt."""
    return hand(*args, **left) | {"absent": absent}


def told(game, entry):
    return [fault.rule for fault in warnings(game, entry)]


def test_contracts_count_the_hand_for_everybody():
    log = record(begin("jamaican", FOUR), without([2], 1, s3=12, s4=9), without([1, 2], 4, calls={"3": 4}, s3=8))
    game = play(log)

    assert [(played.number, played.dealt) for played in game.hands] == [(1, 9), (2, 10)]
    assert (game.number, game.variant.contract(game.number), game.dealt) == (3, (1, 2), 11)
    assert totals(log) == [0, 0, 12 + 8 + 50, 9]


def test_a_player_drawn_to_play_first_who_is_absent_is_told():
    log = record(begin("kalooki-51"), {"kind": "first", "seat": 2})
    sat_out = play(record(log, without([2], 1, s3=30)))
    assert told(sat_out, 3) == ["first-absent"]
    assert sat_out.first is None
    assert told(play(record(log, without([3], 1, s2=30))), 3) == []


@pytest.fixture
def sat_out():
    """Hand 1: Ben 100, Cat 50, Dan 60. Hand 2: Ben 152, out and declines, Cat 60, Dan 70. Hand 3: Cat 80, Dan 90."""
    log = record(begin(players=FOUR), hand(1, s2=100, s3=50, s4=60), hand(1, s2=52, s3=10, s4=10))
    log = record(log, {"kind": "decline", "seat": 2}, hand(1, s3=20, s4=20))
    assert totals(log) == [0, 152, 80, 90]
    return log


def test_a_correction_that_brings_somebody_back_counts_the_hand_they_sat_out(sat_out):
    log = record(sat_out, {"kind": "amend", "target": 3, "event": hand(1, s2=42, s3=10, s4=10)})
    game = play(log)

    assert totals(log) == [0, 142, 80, 90]
    assert (game.hands[2].absent, told(game, 5), game.unnamed) == ((2,), ["counted-absent"], {5: (2,)})
    # three losers twice, then two: Ben did not pay for hand 3
    assert game.balances == {1: -50 + 80, 2: -50 - 20, 3: -50 - 30, 4: -50 - 30}
    assert [noted.entry for noted in game.faults] == [4], "only the answer to an offer nobody made"

    named = record(log, {"kind": "amend", "target": 5, "event": without([2], 1, s3=20, s4=20)})
    assert (told(play(named), 5), play(named).unnamed) == ([], {})
    held = record(log, {"kind": "amend", "target": 5, "event": hand(1, s2=5, s3=20, s4=20)})
    assert totals(held) == [0, 147, 80, 90]


def test_a_late_buy_in_leaves_the_hands_since_as_they_were_played():
    log = record(begin(players=FOUR), hand(1, s2=154, s3=96, s4=85), hand(3, s1=20, s4=2))
    log = record(log, {"kind": "buy_in", "seat": 2, "before": 3})
    game = play(log)
    # Ben comes in at Cat's 96 and held no cards in hand 2
    assert (totals(log), game.unnamed, game.faults) == ([20, 96, 96, 87], {3: (2,)}, [])


def test_a_hand_of_an_earlier_release_that_lacked_somebody_counts():
    log = [*begin(players=FOUR), Entry(2, from_json(hand(1, s2=30, s4=12)))]
    game = play(log)
    assert (totals(log), game.hands[0].absent, game.faults) == ([0, 30, 0, 12], (3,), [])
    assert told(game, 2) == ["counted-absent"]


def test_a_hand_that_names_no_loser_never_counts():
    log = [*begin(), Entry(2, from_json(hand(1)))]
    assert [noted.fault.rule for noted in play(log).faults] == ["loser-missing", "loser-missing"]
    assert play(log).hands == []


def test_absence_is_written_only_where_somebody_is_absent():
    assert "absent" not in to_json(from_json(hand(1, s2=30)))
    assert to_json(from_json(without([3], 1, s2=30)))["absent"] == [3]


def test_the_same_hand_told_with_and_without_the_absent_is_one():
    variant = play(begin()).variant
    named, unnamed = from_json(without([3], 1, s2=30)), from_json(hand(1, s2=30))
    held = from_json(hand(1, s2=30, s3=5))
    assert isinstance(named, Hand)
    assert isinstance(unnamed, Hand)
    assert isinstance(held, Hand)
    assert is_same_hand(named, unnamed, variant)
    assert not is_same_hand(named, held, variant)
