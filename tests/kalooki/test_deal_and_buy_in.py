"""The deal, the first player, and buy-ins."""

from app.kalooki.game.play import play
from tests.kalooki.table_talk import begin, hand, record, totals

# ---- The deal


def test_the_deal_passes_clockwise_and_skips_players_who_are_out():
    log = begin(players=["Ann", "Ben", "Cat", "Dot"], house={"buy_ins": 0})
    assert [play(log).next_dealer, play(log).first] == [1, 2]
    log = record(log, hand(1, s2=150, s3=5, s4=5))

    assert [play(log).next_dealer, play(log).first] == [3, 4]


def test_without_stakes_a_buy_in_costs_nothing():
    log = record(begin(stakes=None), hand(1, s2=150, s3=40), {"kind": "buy_in", "seat": 2})
    game = play(log)

    assert [(player.total, player.playing) for player in game.players.values()] == [(0, True), (40, True), (40, True)]
    assert (game.postings, game.pool) == ([], 0)


def test_the_deal_waits_for_the_last_offer():
    # Ann dealt; Ben, next to deal, is out and may buy in: the deal is his if he does
    log = record(begin(players=["Ann", "Ben", "Cat", "Dot"]), hand(1, s2=150, s3=5, s4=5))

    assert play(log).next_dealer == 3
    assert play(record(log, {"kind": "buy_in", "seat": 2})).next_dealer == 2
    assert play(record(log, {"kind": "decline", "seat": 2})).next_dealer == 3
    assert play(record(log, hand(1, s3=5, s4=5))).hands[-1].dealer == 3


def test_a_dealer_knocked_out_before_the_hand_loses_the_deal():
    log = record(begin(), {"kind": "penalty", "seat": 1, "points": 150})

    assert play(log).next_dealer == 2
    assert play(record(log, {"kind": "decline", "seat": 1})).next_dealer == 2
    assert play(record(log, {"kind": "buy_in", "seat": 1})).next_dealer == 1  # back before the cards are dealt


def test_a_void_hand_keeps_dealer_and_number():
    log = record(begin("jamaican"), {"kind": "void", "reason": "misdeal"})
    game = play(log)

    assert (game.number, game.next_dealer, game.hands[0].is_void) == (1, 1, True)


def test_a_joiner_plays_after_the_seat_they_chose():
    log = record(begin(), {"kind": "join", "name": "Dot", "after": 1}, {"kind": "join", "name": "Eve"})
    game = play(log)

    assert game.order == [1, 4, 5, 2, 3]
    assert game.first == 4


# ---- Buying in


def test_no_buy_in_is_offered_at_a_score_that_would_be_out():
    # at 149 + 1 a player would be out again
    four = begin(players=["Ann", "Ben", "Cat", "Dot"], house={"buy_in_score": "highest_plus_one"})
    four = record(four, hand(1, s2=149, s3=5, s4=150))
    assert (play(four).offers, play(four).status) == ({}, "playing")


def test_highest_plus_one_is_a_point_more():
    log = begin(players=["Ann", "Ben", "Cat"], house={"buy_in_score": "highest_plus_one"})
    log = record(log, hand(1, s2=90, s3=150), {"kind": "buy_in", "seat": 3})

    assert totals(log) == [0, 90, 91]


def test_the_last_player_waits_for_an_open_offer():
    # Cat may buy in; then Ben is knocked out by a penalty: Ann has not won before Cat has answered
    log = record(begin(), hand(1, s2=100, s3=150), {"kind": "penalty", "seat": 2, "points": 50})

    assert play(log).status == "buy_ins"
    assert play(record(log, {"kind": "decline", "seat": 3})).winners == (1,)
    assert play(record(log, {"kind": "buy_in", "seat": 3})).status == "playing"


def test_offers_are_made_in_the_order_of_the_seats():
    # Cat goes out in the hand, Ann by a penalty after it
    log = record(begin(players=["Ann", "Ben", "Cat", "Dot"]), hand(2, s1=100, s3=150, s4=5))
    log = record(log, {"kind": "penalty", "seat": 1, "points": 50})

    assert list(play(log).offers.items()) == [(1, 5), (3, 100)]


def test_a_player_who_buys_in_after_all_others_left_wins():
    # one player left ends a knock-out game: three stakes and the buy-in are Cat's
    log = record(begin(), hand(1, s2=10, s3=150), {"kind": "leave", "seat": 1}, {"kind": "leave", "seat": 2})
    assert play(log).status == "buy_ins"
    game = play(record(log, {"kind": "buy_in", "seat": 3}))

    assert (game.status, game.winners, game.shares) == ("over", (3,), {3: 200})


def no_offer(log):
    return [player.no_offer for player in play(log).players.values()]


def test_the_reason_for_offering_no_buy_in_is_recorded():
    few = record(begin(), hand(1, s2=150, s3=150))
    level = record(begin(house={"buy_in_score": "highest_plus_one"}), hand(1, s2=150, s3=149))
    none = record(begin(house={"buy_ins": 0}), hand(1, s2=150, s3=20))
    offered = record(begin(players=("Ann", "Ben", "Cat", "Dan"), house={"buy_ins": 1}), hand(1, s2=150, s3=60, s4=10))
    often = record(offered, {"kind": "buy_in", "seat": 2}, hand(1, s2=100, s3=20, s4=10))

    assert no_offer(few) == ["", "few", "few"]
    assert no_offer(level) == ["", "level", ""]
    assert no_offer(none) == ["", "", ""]
    assert no_offer(offered) == ["", "", "", ""]
    assert no_offer(often) == ["", "often", "", ""]
