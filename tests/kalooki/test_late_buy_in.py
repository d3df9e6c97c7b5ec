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
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

FOUR = ("Ann", "Ben", "Cat", "Dan")
BEN = 2


def correct(points, **others):
    """Return the correction of hand 2 in which Ben has this many points."""
    return {"kind": "amend", "target": 3, "event": hand(1, **{f"s{BEN}": points}, **others)}


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


@pytest.fixture
def ending():
    """Hand 1: Ben 140, Cat 120. Hand 2: Ben 144, Cat 125. Hand 3: Ben 154 and Cat 155 are out, and Ann has won."""
    log = record(begin(), hand(1, s2=140, s3=120), hand(1, s2=4, s3=5), hand(1, s2=10, s3=30))
    assert play(log).winners == (1,)
    return log


def faults_of(game):
    """Return each impossible entry with the rule it breaks."""
    return [(noted.entry, noted.fault.rule) for noted in game.faults]


def test_each_hand_that_no_longer_counts_keeps_its_number_and_lists_missing_buy_ins(four):
    game = play(record(four, correct(14, s3=10, s4=5)))

    assert faults_of(game) == [(4, "score-for-who-is-out"), (5, "score-for-who-is-out")]
    assert game.lapsed_hands == {4: (3, False, {BEN: 4}), 5: (4, False, {BEN: 5})}
    assert game.late_buy_ins == {BEN: (4, 4)}


def test_a_hand_dropped_for_another_reason_lists_no_missing_buy_in(four):
    # the game was stopped after hand 1; a void hand takes no number from the next
    stop = {"kind": "amend", "target": 3, "event": {"kind": "stop", "pool": "refund"}}
    game = play(record(four, {"kind": "void"}, hand(1, s2=1, s3=1, s4=1), stop))

    assert game.lapsed_hands == {4: (2, False, {}), 5: (3, False, {}), 6: (4, True, {}), 7: (4, False, {})}
    assert game.late_buy_ins == {}


def test_a_buy_in_before_one_later_hand_lets_it_count_again(four):
    log = record(four[:-1], correct(14, s3=10, s4=5), bought_in(4))
    game = play(log)

    assert game.faults == []
    # the highest total still in was Cat's 96; then hand 3
    assert totals(log) == [20, 96 + 3, 96, 87]
    assert [played.number for played in game.hands] == [1, 2, 3]
    assert [(change.why, change.total, change.hands) for change in game.changes] == [("buy-in", 96, 2)]
    # stakes 4 * 50, and 50 for the buy-in; Ann won two hands of three losers, Cat one
    assert game.pool == 250
    assert game.balances == {1: -50 + 60 - 10, 2: -50 - 30 - 50, 3: -50 - 20 + 30, 4: -50 - 30}
    assert game.players[BEN].buy_ins == 1


def test_a_buy_in_before_two_later_hands_lets_both_count_again(four):
    log = record(four, correct(14, s3=10, s4=5), bought_in(4))
    game = play(log)

    assert (game.faults, game.lapsed_hands) == ([], {})
    assert totals(log) == [20 + 7, 96 + 3 + 2, 96 + 1, 87]
    assert game.pool == 250
    assert game.balances == {1: -10, 2: -130 - 10, 3: -40 - 10, 4: -80 + 30}


def test_with_one_more_than_the_highest_total_a_late_buy_in_costs_that_one_too():
    log = record(begin(players=FOUR, house={"buy_in_score": "highest_plus_one"}))
    log = record(log, hand(1, s2=140, s3=86, s4=80), hand(1, s2=4, s3=10, s4=5), hand(3, s1=20, s2=3, s4=2))

    assert totals(record(log, correct(14, s3=10, s4=5), bought_in(4))) == [20, 97 + 3, 96, 87]


def test_a_hand_that_ended_the_game_counts_again_and_the_game_goes_on(ending):
    corrected = record(ending, correct(14, s3=5))
    assert (play(corrected).finish, play(corrected).lapsed_hands) == (None, {4: (3, False, {BEN: 4})})

    game = play(record(corrected, bought_in(4)))
    # Ben comes back at Cat's 125 and is still in at 135; Cat's 155 is out, and 135 is the level for Cat now
    assert [player.total for player in game.players.values()] == [0, 135, 155]
    assert (game.faults, game.status, game.offers) == ([], "buy_ins", {3: 135})
    assert game.pool == 3 * 50 + 50
    assert game.balances == {1: -50 + 60, 2: -50 - 30 - 50, 3: -50 - 30}


def test_a_hand_that_still_ends_the_game_counts_again_and_shares_the_larger_pool(ending):
    log = record(ending, {"kind": "amend", "target": 4, "event": hand(1, s2=30, s3=30)}, correct(14, s3=5))
    game = play(record(log, bought_in(4)))

    # 125 + 30 and 125 + 30 are both out, so Ann takes the pool of 200
    assert [player.total for player in game.players.values()] == [0, 155, 155]
    assert (game.faults, game.winners, game.shares, game.pool) == ([], (1,), {1: 200}, 0)
    assert game.balances == {1: -50 + 60 + 200, 2: -130, 3: -80}


def test_a_buy_in_recorded_at_the_end_is_moved_to_where_it_belongs(four):
    late = record(four, correct(14, s3=10, s4=5), {"kind": "buy_in", "seat": BEN})
    assert totals(late) == [0, 96, 96, 85]
    assert play(late).late_buy_ins == {BEN: (4, 4)}

    moved = record(late, {"kind": "amend", "target": 7, "event": bought_in(4)})
    assert play(moved).faults == []
    assert (totals(moved), play(moved).pool) == ([27, 101, 97, 87], 250)


def test_two_players_who_are_out_each_buy_in_before_the_hand(four):
    # hand 2 leaves Ben at 154 and Cat at 186; Dan's 85 is the highest total of the two still in
    log = record(four[:-1], correct(14, s3=100, s4=5))
    assert play(log).late_buy_ins == {2: (4, 4), 3: (4, 4)}

    log = record(log, bought_in(4), bought_in(4, seat=3))
    assert (play(log).faults, totals(log)) == ([], [20, 85 + 3, 85, 87])


def test_the_buy_in_belongs_before_a_void_hand_that_let_the_offer_lapse(four):
    """Hand 3 was dealt twice: the void deal lets the offer of hand 2 lapse, so Ben has to come in before it."""
    log = record(four[:-2], {"kind": "void"}, hand(3, s1=20, s2=3, s4=2), correct(14, s3=10, s4=5))
    assert play(log).late_buy_ins == {BEN: (5, 4)}
    assert refusal(log, bought_in(5)) == ["no-offer"]

    log = record(log, bought_in(4))
    assert (play(log).faults, totals(log), play(log).pool) == ([], [20, 99, 96, 87], 250)


def test_a_player_not_in_a_hand_has_no_missing_buy_in_before_it(four):
    # hand 3 corrected as well, without Ben: his offer lapsed, and hand 4 misses him for good
    log = record(four, correct(14, s3=10, s4=5), {"kind": "amend", "target": 4, "event": hand(3, s1=20, s4=2)})
    assert (faults_of(play(log)), play(log).late_buy_ins) == ([(5, "score-for-who-is-out")], {})


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
    assert (play(lapsed).late_offers, play(lapsed).not_naming(BEN)) == ({BEN: 4}, [])
    late = play(record(lapsed, bought_in(4)))
    assert (late.late_offers, late.not_naming(BEN)) == ({}, [4])

    assert play(record(lapsed, {"kind": "leave", "seat": BEN})).late_offers == {}
    assert play(record(lapsed, {"kind": "stop", "pool": "refund"})).late_offers == {}


def test_undoing_a_late_buy_in_restores_the_game(four):
    corrected = record(four, correct(14, s3=10, s4=5))
    undone = play(record(corrected, bought_in(4), {"kind": "undo", "target": 7}))

    assert (undone.balances, undone.lapsed_hands) == (play(corrected).balances, play(corrected).lapsed_hands)


def test_a_forgotten_hand_before_a_late_buy_in_counts_before_it(four):
    log = record(four[:-1], correct(14, s3=10, s4=5), bought_in(4))
    log = record(log, {"kind": "insert", "before": 6, "event": {"kind": "void"}})

    assert [played.entry for played in play(log).hands] == [2, 3, 7]
    assert faults_of(play(log)) == [(6, "no-offer"), (4, "score-for-who-is-out")]


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        (bought_in(99), ["no-such-entry"]),
        (bought_in(3), ["no-offer"]),  # hand 2 knocked Ben out, not hand 1
        (bought_in(4, seat=3), ["no-offer"]),
        ({"kind": "amend", "target": 4, "event": bought_in(4)}, ["no-such-entry"]),
    ],
)
def test_a_late_buy_in_needs_an_offer_open_at_its_place(four, event, rules):
    assert refusal(record(four, correct(14, s3=10, s4=5)), event) == rules


def test_a_buy_in_cannot_belong_before_the_start_or_a_later_entry():
    with pytest.raises(BadInput, match="before"):
        from_json(bought_in(1))
    with pytest.raises(BadInput, match="Entry 2"):
        from_record([to_json(begin()[0].event), bought_in(9)])
    assert to_json(from_json(bought_in(4))) == bought_in(4)
    assert "before" not in to_json(from_json({"kind": "buy_in", "seat": 2}))
