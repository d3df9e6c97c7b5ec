"""Hands into which somebody still in was not dealt. Every number is worked out by hand.

Stakes as suggested: call-up 10, initial stake 50, buy-in 50.
"""

import pytest

from app.kalooki.game.apply import is_same_hand
from app.kalooki.game.events import Hand, from_json, to_json
from app.kalooki.game.play import Entry, play, warnings
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

FOUR = ("Ann", "Ben", "Cat", "Dan")


def without(absent, *args, **left):
    """Return the event of a hand into which these seats were not dealt."""
    return hand(*args, **left) | {"absent": absent}


def told(game, entry):
    return [fault.rule for fault in warnings(game, entry)]


def test_who_is_absent_scores_nothing_pays_nothing_and_receives_nothing():
    log = record(begin(players=FOUR), without([3], 1, s2=30, s4=12))
    game = play(log)

    assert totals(log) == [0, 30, 0, 12]
    assert game.balances == {1: -50 + 20, 2: -50 - 10, 3: -50, 4: -50 - 10}
    (played,) = game.hands
    assert (played.absent, [*played.scores]) == ((3,), [1, 2, 4])
    assert game.players[3].playing
    assert told(game, 2) == []


def test_the_deal_moves_on_as_always_even_from_a_dealer_who_was_absent():
    log = record(begin(players=FOUR), without([1, 2], 3, s4=12))
    game = play(log)
    assert (game.hands[0].dealer, game.next_dealer, game.first, game.number) == (1, 2, 3, 2)

    game = play(record(log, without([3], 4, s1=5, s2=6)))
    assert (game.hands[1].dealer, game.next_dealer, game.number) == (2, 3, 3)


def test_who_is_absent_counts_for_the_level_of_a_buy_in():
    log = record(begin(players=FOUR), hand(1, s2=140, s3=100, s4=10), without([3], 1, s2=20, s4=5))

    # Ben has 160; of Ann's 0, Cat's 100 and Dan's 15 the highest is that of Cat, who sat out
    assert play(log).offers == {2: 100}


def test_who_is_absent_is_one_of_the_two_who_keep_the_game_going():
    log = record(begin(), hand(1, s2=140, s3=100), without([3], 1, s2=20))
    game = play(log)
    assert (game.offers, game.finish) == ({2: 100}, None)

    game = play(record(log, {"kind": "decline", "seat": 2}))
    assert (game.status, [player.seat for player in game.playing]) == ("playing", [1, 3])


def test_who_is_absent_can_win_the_pool_of_a_game_that_ends_with_that_hand():
    log = begin(players=FOUR, house={"game_hands": 2})
    log = record(log, hand(1, s2=20, s3=5, s4=10), without([3], 2, s1=30, s4=10))
    game = play(log)

    # Ann 30, Ben 20, Cat 5, Dan 20: Cat sat out the last hand and has the lowest total
    assert (totals(log), game.winners) == ([30, 20, 5, 20], (3,))
    # call-ups: Ann +30 -10, Ben -10 +20, Cat -10, Dan -10 -10; Cat gets four stakes of 50
    assert game.balances == {1: -50 + 20, 2: -50 + 10, 3: -50 - 10 + 200, 4: -50 - 20}


def test_the_cards_dealt_follow_those_dealt_in():
    # North America deals 13 to five and 15 to four
    five = (*FOUR, "Eve")
    log = record(begin("north-american", five), hand(1, s2=9, s3=9, s4=9, s5=9), without([5], 1, s2=9, s3=9, s4=9))
    assert [played.dealt for played in play(log).hands] == [13, 15]

    held = "2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D 6D 7D"  # 14 cards
    assert told(play(record(log, hand(1, s2=held, s3=9, s4=9, s5=9))), 4) == ["more-cards-than-dealt"]
    assert told(play(record(log, without([5], 1, s2=held, s3=9, s4=9))), 4) == []


def test_contracts_count_the_hand_for_everybody():
    log = record(begin("jamaican", FOUR), without([2], 1, s3=12, s4=9), without([1, 2], 4, calls={"3": 4}, s3=8))
    game = play(log)

    assert [(played.number, played.dealt) for played in game.hands] == [(1, 9), (2, 10)]
    assert (game.number, game.variant.contract(game.number), game.dealt) == (3, (1, 2), 11)
    assert totals(log) == [0, 0, 12 + 8 + 50, 9]


def test_bending_doubles_only_those_dealt_in():
    log = record(begin("jamaican", FOUR), without([3], 1, "bending", s2=12, s4=9))
    assert totals(log) == [0, 24, 0, 18]


def test_where_the_winner_collects_who_is_absent_adds_nothing():
    log = record(begin(players=FOUR, house={"scoring": "winner_collects"}), without([2], 1, s3=30, s4=12))
    game = play(log)
    assert totals(log) == [42, 0, 0, 0]
    assert game.balances == {1: -50 + 20, 2: -50, 3: -60, 4: -60}


def test_a_player_drawn_to_play_first_who_is_absent_is_told():
    log = record(begin("kalooki-51"), {"kind": "first", "seat": 2})
    sat_out = play(record(log, without([2], 1, s3=30)))
    assert told(sat_out, 3) == ["first-absent"]
    assert sat_out.first is None
    assert told(play(record(log, without([3], 1, s2=30))), 3) == []


def test_a_penalty_told_during_the_hand_counts_for_who_is_absent_too():
    penalty = {"kind": "penalty", "seat": 3, "points": 10, "after_hand": True}
    log = record(begin(players=FOUR), penalty, without([3], 1, s2=30, s4=12))
    assert (totals(log), play(log).pending) == ([0, 30, 10, 12], [])


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        (without([1], 1, s2=10, s3=10), ["winner-absent"]),
        (without([2, 3], 1), ["too-few-dealt-in"]),
        (without([2], 1, s2=10, s3=10), ["absent-with-cards"]),
        (without([2], 1, calls={"2": 1}, s3=10), ["absent-with-calls"]),
        (without([4], 1, s2=10, s3=10), ["score-for-who-is-out"]),
        (without([2], 1), ["loser-missing"]),
        (hand(1, s2=10), ["loser-missing"]),
    ],
)
def test_a_new_hand_names_everybody_still_in_once(event, rules):
    assert refusal(begin(), event) == rules
    log = record(begin(), hand(1, s2=1, s3=2), hand(1, s2=1, s3=2))
    assert refusal(log, {"kind": "amend", "target": 2, "event": event}) == rules
    assert refusal(log, {"kind": "insert", "before": 2, "event": event}) == rules


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
    assert (game.hands[2].absent, told(game, 5), game.not_naming(2)) == ((2,), ["counted-absent"], [5])
    # three losers twice, then two: Ben did not pay for hand 3
    assert game.balances == {1: -50 + 80, 2: -50 - 20, 3: -50 - 30, 4: -50 - 30}
    assert [noted.entry for noted in game.faults] == [4], "only the answer to an offer nobody made"

    named = record(log, {"kind": "amend", "target": 5, "event": without([2], 1, s3=20, s4=20)})
    assert (told(play(named), 5), play(named).not_naming(2)) == ([], [])
    held = record(log, {"kind": "amend", "target": 5, "event": hand(1, s2=5, s3=20, s4=20)})
    assert totals(held) == [0, 147, 80, 90]


def test_an_undo_that_brings_somebody_back_counts_the_hand_they_sat_out(sat_out):
    log = record(sat_out, {"kind": "undo", "target": 3})
    assert (totals(log), play(log).hands[1].absent) == ([0, 100, 70, 80], (2,))


def test_who_left_by_mistake_sat_out_what_was_played_since():
    log = record(begin(), {"kind": "leave", "seat": 3}, hand(1, s2=20), {"kind": "undo", "target": 2})
    assert (totals(log), play(log).hands[0].absent, play(log).faults) == ([0, 20, 0], (3,), [])


def test_an_absence_of_somebody_a_correction_puts_out_is_ignored():
    log = record(begin(players=FOUR), hand(1, s2=100, s3=50, s4=60), without([2], 1, s3=10, s4=10))
    log = record(log, {"kind": "amend", "target": 2, "event": hand(1, s2=152, s3=50, s4=60)})
    game = play(log)
    assert (totals(log), game.hands[1].absent, game.faults) == ([0, 152, 60, 70], (), [])
    assert told(game, 3) == []


def test_a_late_buy_in_leaves_the_hands_since_as_they_were_played():
    log = record(begin(players=FOUR), hand(1, s2=154, s3=96, s4=85), hand(3, s1=20, s4=2))
    log = record(log, {"kind": "buy_in", "seat": 2, "before": 3})
    game = play(log)
    # Ben comes in at Cat's 96 and held no cards in hand 2
    assert (totals(log), game.not_naming(2), game.faults) == ([20, 96, 96, 87], [3], [])


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
