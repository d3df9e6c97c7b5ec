"""A game is what its log adds up to: refusals, the deal, endings and the laws of corrections."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.kalooki.cards import Malformed
from app.kalooki.game.events import Start, Undo, Void, from_json, to_json
from app.kalooki.game.hands import calls_told, hand_points, score_lines
from app.kalooki.game.play import MOST_ENTRIES, Entry, from_record, judge, opening_entry, play, warnings
from app.kalooki.variants import load, with_house_rules
from tests.kalooki.table_talk import begin, hand, record, refusal, totals


def faults_of(log):
    return [(noted.entry, noted.fault.rule) for noted in play(log).faults]


def warnings_of(log):
    return [fault.rule for fault in warnings(play(log), len(log))]


# ---- Starting


@pytest.mark.parametrize(
    ("start", "rules"),
    [
        ({"players": ["Ann"]}, ["fewer-than-two"]),
        ({"players": list("ABCDEFGHI")}, ["too-many-players"]),
        ({"players": ["Ann", "ann", "Ben"]}, ["name-taken"]),
        ({"players": ["Ann", "Ben"], "dealer": 3}, ["no-such-seat"]),
    ],
)
def test_a_game_nobody_could_play_is_refused(start, rules):
    _, _, faults = opening_entry(from_json({"kind": "start", "variant": "european"} | start))

    assert [fault.rule for fault in faults] == rules


@pytest.mark.parametrize(
    ("start", "warned"),
    [
        ({"variant": "european", "players": list("ABCDEF")}, ["unusual-number-of-players"]),
        ({"variant": "jamaican", "players": ["Ann", "Ben"], "house": {"opening_points": 40}},
         ["unusual-number-of-players", "house-rule-ignored"]),
        ({"variant": "classic", "players": ["Ann", "Ben"], "stakes": {"initial": 50}}, ["stakes-ignored"]),
        ({"variant": "kalooki-51", "players": ["Ann", "Ben"], "stakes": {"call_up": 10, "initial": 5}},
         ["stakes-ignored"]),
        ({"variant": "european", "players": ["Ann", "Ben"]}, []),
    ],
)  # fmt: skip
def test_what_is_odd_about_a_start_is_only_warned_about(start, warned):
    _, game, faults = opening_entry(from_json({"kind": "start"} | start))

    assert not faults
    assert [noted.fault.rule for noted in game.warnings] == warned


def test_stakes_left_out_take_the_suggestion_with_a_unit_of_ten():
    (_, start), *_ = begin(stakes={"call_up": 25})

    assert start.stakes == {"currency": "EUR", "call_up": 25, "kalooki": 20, "initial": 50, "buy_in": 50}


def test_a_game_without_money_tells_its_rules_as_if_the_variant_had_no_stakes():
    without, by_unit = play(begin(stakes=None)), play(begin(stakes={}))

    assert (without.played_for.has_stakes, without.variant.has_stakes) == (False, True)
    assert without.played_for.limit == without.variant.limit
    assert by_unit.played_for == by_unit.variant


def test_the_start_keeps_the_variants_values_of_its_day():
    (_, start), *_ = begin()
    older = Start(**(vars(start) | {"rules": dict(start.rules) | {"joker_left": 99}}))

    game = play(record([Entry(1, older)], hand(1, s2="*", s3=10)))
    assert game.players[2].total == 99
    assert load("european").joker_left == 15


def test_a_hand_knows_each_total_after_it():
    first, second = play(record(begin(), hand(1, s2=5, s3=20), hand(2, s1=7, s3=1))).hands

    assert first.totals == {1: 0, 2: 5, 3: 20}
    assert second.totals == {1: 7, 2: 5, 3: 21}


def test_a_new_game_takes_the_variants_values_whatever_it_is_told():
    told = from_json({"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "rules": {"joker_left": 99}})

    recorded, game, faults = opening_entry(told)
    assert (recorded.rules["joker_left"], game.variant.joker_left, faults) == (15, 15, [])


def test_a_log_begins_with_its_start_and_has_no_other():
    with pytest.raises(Malformed, match="begins with its start"):
        play([Entry(1, from_json({"kind": "end"}))])
    with pytest.raises(Malformed, match="Entry 2"):
        from_record([to_json(begin()[0].event)] * 2)


def test_a_game_holds_so_many_entries_and_no_more():
    log = [*begin(), *(Entry(number, Void()) for number in range(2, MOST_ENTRIES))]
    last, faults = judge(log, Void())
    assert (len(last.hands), faults) == (MOST_ENTRIES - 1, [])
    log.append(Entry(MOST_ENTRIES, Void()))
    for event in (Void(), Undo(2)):
        full, faults = judge(log, event)
        assert (len(full.hands), [each.rule for each in faults]) == (MOST_ENTRIES - 1, ["game-full"])
    record = [to_json(event) for _, event in log]
    assert from_record(record) == log
    with pytest.raises(Malformed, match="holds 1000 entries at most; this log has 1001"):
        from_record([*record, to_json(Void())])


# ---- What makes a hand impossible, or odd


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        (hand(1, s2="KH KH", s3="KH"), ["more-than-the-pack"]),
        (hand(1, s2="* *", s3="*"), ["more-than-the-pack"]),
        (hand(1, s2=10), ["loser-missing"]),
        (hand(1, s1=5, s2=10, s3=3), ["winner-holds-cards"]),
        (hand(1, s2="", s3=0), ["loser-without-cards", "loser-without-cards"]),
        (hand(4, s1=10, s2=10, s3=10), ["winner-not-in"]),
        (hand(1, s2=10, s3=10, s4=10), ["score-for-who-is-out"]),
        (hand(1, "bending", s2=10, s3=10), ["no-such-ending"]),
        (hand(1, calls={"4": 1}, s2=10, s3=10), ["score-for-who-is-out"]),
        (hand(1, "bending", s1="K", s2="KH KH KH"),
         ["no-such-ending", "winner-holds-cards", "loser-missing", "more-than-the-pack"]),
    ],
)  # fmt: skip
def test_an_impossible_hand_lists_everything_that_is_wrong(event, rules):
    assert refusal(begin(), event) == rules


def test_an_ace_needs_its_colour_where_colours_score():
    assert refusal(begin("jamaican"), hand(1, s2="A", s3="AH")) == ["ace-without-colour"]


@pytest.mark.parametrize(
    ("event", "warned"),
    [
        (hand(1, s2="2 2 2 2 3 3 3 3 4 4 4 4 5 5", s3=10), ["more-cards-than-dealt"]),
        (hand(1, s2=1, s3=10), ["sum-no-cards-make"]),
        (hand(1, s2=149, s3=10), ["sum-no-cards-make"]),
        (hand(1, calls={"2": 1}, s2=10, s3=10), ["calls-ignored"]),
        (hand(1, s2="KH", s3=148), []),
    ],
)
def test_an_odd_hand_is_recorded_with_a_warning(event, warned):
    assert warnings_of(record(begin(), event)) == warned


def test_cards_win_over_a_sum_that_differs():
    event = hand(1, s3=10) | {"left": {"2": {"cards": "K Q", "points": 21}, "3": {"cards": "9", "points": 9}}}
    log = record(begin(), event)

    assert totals(log) == [0, 20, 9]
    assert warnings_of(log) == ["cards-and-sum-differ"]


def test_a_jamaican_with_two_calls_may_hold_four_cards_more():
    # nine cards dealt and two calls: thirteen twos and threes are no surprise, fourteen are
    log = begin("jamaican")
    thirteen = "2 2 2 2 2 2 2 2 3 3 3 3 3"

    assert warnings_of(record(log, hand(1, calls={"2": 2}, s2=thirteen, s3="4S"))) == []
    assert warnings_of(record(log, hand(1, calls={"2": 2}, s2=thirteen + " 3", s3="4S"))) == ["more-cards-than-dealt"]


# ---- Refusals of other events


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        ({"kind": "buy_in", "seat": 2}, ["no-offer"]),
        ({"kind": "decline", "seat": 2}, ["no-offer"]),
        ({"kind": "buy_in", "seat": 9}, ["no-such-seat"]),
        ({"kind": "penalty", "seat": 1}, ["empty-penalty"]),
        ({"kind": "ruling", "claim": {}, "verdict": True, "points": 5}, ["ruling-without-seat"]),
        ({"kind": "join", "name": "BEN"}, ["name-taken"]),
        ({"kind": "join", "name": "Dot", "points": 150}, ["joins-over-the-limit"]),
        ({"kind": "join", "name": "Dot", "after": 7}, ["no-such-seat"]),
        ({"kind": "rename", "seat": 1, "name": "cat"}, ["name-taken"]),
        ({"kind": "paid", "from": 1, "to": 1, "amount": 5}, ["pays-himself"]),
        ({"kind": "paid", "from": 9, "to": 1, "amount": 5}, ["no-such-seat"]),
        ({"kind": "first", "seat": 1}, ["first-not-drawn"]),
        ({"kind": "end"}, ["ends-by-itself"]),
        ({"kind": "decider", "winner": 1}, ["no-tie"]),
        ({"kind": "setup", "dealer": 4}, ["no-such-seat"]),
        ({"kind": "undo", "target": 1}, ["start-stays"]),
        ({"kind": "undo", "target": 2}, ["no-such-entry"]),
        ({"kind": "amend", "target": 1, "event": {"kind": "void"}}, ["start-stays"]),
        ({"kind": "insert", "before": 2, "event": {"kind": "void"}}, ["no-such-entry"]),
    ],
)  # fmt: skip
def test_an_event_that_makes_no_sense_is_refused(event, rules):
    assert refusal(begin(), event) == rules


def test_money_events_are_refused_in_a_game_without_money():
    log = begin(stakes=None)

    assert refusal(log, {"kind": "paid", "from": 1, "to": 2, "amount": 5}) == ["nothing-to-settle"]
    assert refusal(log, {"kind": "penalty", "seat": 1, "amount": 5}) == ["no-money"]


def test_money_thrown_on_the_table_is_not_settled_again():
    assert refusal(begin(settle="cash"), {"kind": "paid", "from": 1, "to": 2, "amount": 5}) == ["nothing-to-settle"]


def test_a_player_who_left_is_out_of_everything():
    log = record(begin(), {"kind": "leave", "seat": 2})

    assert refusal(log, {"kind": "leave", "seat": 2}) == ["has-left"]
    assert refusal(log, {"kind": "penalty", "seat": 2, "amount": 5}) == ["score-for-who-is-out"]
    assert refusal(log, hand(1, s2=5, s3=5)) == ["score-for-who-is-out"]


def test_only_a_seat_the_packs_can_deal_to_may_join():
    log = begin(players="ABCDEFGH")

    assert refusal(log, {"kind": "join", "name": "Ida"}) == ["too-many-players"]


def test_a_joiner_beyond_the_usual_number_is_warned_about():
    log = record(begin(players="ABCD"), {"kind": "join", "name": "Eve"})
    assert warnings_of(log) == []  # European is for two to five

    log = record(log, {"kind": "join", "name": "Fay"})
    assert warnings_of(log) == ["unusual-number-of-players"]


def test_a_fault_speaks_of_a_player_by_the_mended_name():
    log = record(begin(), hand(1, s2=10, s3=150), {"kind": "buy_in", "seat": 3})
    log = record(log, {"kind": "rename", "seat": 3, "name": "Carl"})
    log = record(log, {"kind": "amend", "target": 2, "event": hand(1, s2=10, s3=15)})
    assert [(noted.entry, noted.fault.facts["name"]) for noted in play(log).faults] == [(3, "Carl")]


def test_after_the_end_only_corrections_names_payments_and_notes_are_taken():
    log = record(begin(players=["Ann", "Ben"], stakes={"call_up": 10}), hand(1, s2=150))
    note = {"kind": "ruling", "claim": {}, "verdict": False, "seat": 2}

    assert refusal(log, hand(1, s2=5)) == ["game-over"]
    assert refusal(log, {"kind": "void"}) == ["game-over"]
    assert refusal(log, note | {"points": 5}) == ["game-over"]
    record(log, note, note | {"points": 5, "upheld": False}, {"kind": "rename", "seat": 1, "name": "Anna"},
           {"kind": "paid", "from": 2, "to": 1, "amount": 10})  # fmt: skip


def test_a_hand_needs_two_players():
    # decided by points and without a limit, leaving does not end the game (reading 16: a knock-out game)
    log = record(begin("classic", ["Ann", "Ben"]), {"kind": "leave", "seat": 2})

    assert play(log).status == "playing"
    assert refusal(log, {"kind": "void"}) == ["too-few-players"]
    assert refusal(log, {"kind": "hand", "winner": 1, "ending": "going_out", "left": {}}) == ["too-few-players"]


def test_the_first_player_is_drawn_among_those_in():
    log = record(begin("kalooki-51"), {"kind": "leave", "seat": 2})

    assert refusal(log, {"kind": "first", "seat": 2}) == ["score-for-who-is-out"]
    log = record(log, {"kind": "first", "seat": 3})
    assert play(log).first == 3
    assert play(record(log, {"kind": "leave", "seat": 3})).first is None

    limited = record(begin("kalooki-51", house={"limit": 50}), {"kind": "first", "seat": 2})
    assert play(record(limited, {"kind": "penalty", "seat": 2, "points": 60})).first is None


# ---- The deal


def test_the_deal_passes_clockwise_and_skips_who_is_out():
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


def test_a_dealer_who_goes_out_before_the_hand_loses_the_deal():
    log = record(begin(), {"kind": "penalty", "seat": 1, "points": 150})

    assert play(log).next_dealer == 2
    assert play(record(log, {"kind": "decline", "seat": 1})).next_dealer == 2
    assert play(record(log, {"kind": "buy_in", "seat": 1})).next_dealer == 1  # back before the cards are dealt


def test_a_void_hand_keeps_dealer_and_number():
    log = record(begin("jamaican"), {"kind": "void", "reason": "misdeal"})
    game = play(log)

    assert (game.number, game.next_dealer, game.hands[0].is_void) == (1, 1, True)


def test_a_joiner_plays_behind_the_seat_he_chose():
    log = record(begin(), {"kind": "join", "name": "Dot", "after": 1}, {"kind": "join", "name": "Eve"})
    game = play(log)

    assert game.order == [1, 4, 5, 2, 3]
    assert game.first == 4


# ---- Buying in


def test_an_offer_whose_score_would_be_out_is_not_made():
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


def test_who_buys_in_when_all_others_have_gone_home_has_won():
    # one player left ends a knock-out game: three stakes and the buy-in are Cat's
    log = record(begin(), hand(1, s2=10, s3=150), {"kind": "leave", "seat": 1}, {"kind": "leave", "seat": 2})
    assert play(log).status == "buy_ins"
    game = play(record(log, {"kind": "buy_in", "seat": 3}))

    assert (game.status, game.winners, game.shares) == ("over", (3,), {3: 200})


# ---- Endings


def test_everybody_out_at_once_leaves_the_lowest_total():
    # a Jamaican winner can go out himself: four calls are one too many, 50 points
    log = begin("jamaican", ["Ann", "Ben"], house={"limit": 50})
    log = record(log, hand(1, calls={"1": 4}, s2=60))
    game = play(log)

    assert (game.status, game.winners) == ("over", (1,))


def test_who_went_out_earlier_has_not_outlived_those_who_go_out_together():
    # Cat is out at 100; Ann ends at 3 x 50 for six calls, Ben at 10 + 95: lower than Ann, and in for longer than Cat
    log = record(begin("jamaican", house={"limit": 100}), hand(1, s2=10, s3=100), hand(1, calls={"1": 6}, s2=95))
    game = play(log)

    assert totals(log) == [150, 105, 100]
    assert (game.status, game.winners) == ("over", (2,))


def test_the_winner_collects_up_to_a_target():
    log = begin("north-american", house={"scoring": "winner_collects", "limit": 100})
    log = record(log, hand(2, s1=40, s3=35), {"kind": "penalty", "seat": 2, "points": 5})
    assert totals(log) == [0, 70, 0]
    log = record(log, hand(2, s1=20, s3=10))

    assert (play(log).status, play(log).winners) == ("over", (2,))


def test_a_collecting_winner_who_called_too_often_gains_less():
    log = begin("jamaican", house={"scoring": "winner_collects"})

    assert totals(record(log, hand(1, calls={"1": 4, "2": 5}, s2=20, s3=10))) == [80, 0, 0]  # 20 + 100 + 10 - 50


def test_calls_are_told_where_players_call_and_only_of_those_who_called():
    called = hand(1, calls={"1": 0, "2": 4}, s2=20, s3=10)
    jamaican, european = record(begin("jamaican"), called, {"kind": "void"}), record(begin(), called)

    assert [calls_told(load("jamaican"), played) for played in play(jamaican).hands] == [{2: 4}, {}]
    assert calls_told(load("jamaican"), from_json(called)) == {2: 4}
    assert [calls_told(load("european"), played) for played in play(european).hands] == [{}]


def test_a_game_without_an_end_of_its_own_is_ended_by_the_table():
    log = record(begin(house={"limit": None}), hand(1, s2=200, s3=10), {"kind": "end"})

    assert play(log).winners == (1,)
    assert refusal(begin(house={"limit": None, "game_hands": 5}), {"kind": "end"}) == ["ends-by-itself"]


def test_ending_takes_open_offers_away():
    log = record(begin(house={"game_hands": 1}), hand(1, s2=150, s3=5))

    assert (play(log).status, play(log).offers) == ("over", {})


def test_a_tie_is_decided_among_those_who_tied():
    log = record(begin("classic"), hand(1, s2=10, s3=5), hand(2, s1=5, s3=10), {"kind": "end"})
    assert play(log).winners == (1,)
    log = record(begin("classic"), hand(1, s2=5, s3=15), hand(2, s1=5, s3=10), {"kind": "end"})
    assert play(log).winners == (1, 2)

    assert refusal(log, {"kind": "decider", "winner": 3}) == ["not-tied"]
    assert play(record(log, {"kind": "decider", "winner": 2})).winners == (2,)


# ---- The pool


def test_a_joiner_without_a_stake_takes_no_share():
    # Dot wins without having paid in: the pool goes to Ann, the last to go out before her
    log = record(begin(players=["Ann", "Ben"]), {"kind": "join", "name": "Dot", "points": 0})
    log = record(log, hand(3, s1=10, s2=148), hand(3, s1=10, s2="K"), {"kind": "decline", "seat": 2})
    log = record(log, hand(3, s1=130), {"kind": "rename", "seat": 3, "name": "Dora"})
    game = play(log)

    assert (game.winners, game.shares, game.pool) == ((3,), {1: 100}, 0)


def test_where_nobody_left_has_paid_in_the_pool_goes_back():
    log = record(begin(players=["Ann", "Ben"]), {"kind": "join", "name": "Dot"}, {"kind": "leave", "seat": 1})
    log = record(log, {"kind": "leave", "seat": 2})
    game = play(log)

    assert (game.winners, game.shares) == ((3,), {1: 50, 2: 50})
    assert {posting.why for posting in game.postings} == {"initial-stake", "refund"}


def test_a_joiner_with_a_stake_pays_it():
    log = record(begin(), {"kind": "join", "name": "Dot", "stake": True, "points": 20})

    assert play(log).balances == {1: -50, 2: -50, 3: -50, 4: -50}


@pytest.mark.parametrize(
    ("choice", "shares", "winners"),
    [
        ("refund", {1: 50, 2: 50, 3: 60}, ()),
        ("equal", {1: 80, 3: 80}, ()),
        ("leader", {1: 160}, (1,)),
    ],
)
def test_a_game_broken_off_pays_the_pool_as_the_table_chose(choice, shares, winners):
    # Ben has gone home; Cat has paid a penalty of 10
    log = record(begin(), hand(1, s2=20, s3=10), {"kind": "penalty", "seat": 3, "amount": 10},
                 {"kind": "leave", "seat": 2}, {"kind": "stop", "pool": choice})  # fmt: skip
    game = play(log)

    assert (game.status, game.shares, game.winners) == ("over", shares, winners)


def test_a_game_without_stakes_shares_nothing():
    log = record(begin(stakes=None), {"kind": "stop"})

    assert play(log).shares == {}


def test_who_stops_a_game_says_what_becomes_of_its_pool():
    log = begin()
    fault = judge(log, from_json({"kind": "stop"}))[1]
    said = {"kind": "stop", "pool": "refund"}

    assert [(each.rule, each.facts["field"]) for each in fault] == [("pool-unsaid", "pool")]
    assert judge(log, from_json(said))[1] == []
    assert to_json(from_json(said)) == said


def test_a_correction_says_it_too():
    log = record(begin(), {"kind": "stop", "pool": "equal"})
    fault = judge(log, from_json({"kind": "amend", "target": 2, "event": {"kind": "stop"}}))[1]
    other = record(begin(stakes=None), {"kind": "stop"})

    assert [(each.rule, each.facts["field"]) for each in fault] == [("pool-unsaid", "event.pool")]
    assert judge(other, from_json({"kind": "amend", "target": 2, "event": {"kind": "stop"}}))[1] == []


def test_a_game_stopped_before_that_was_asked_stays_as_played():
    game = play([*begin(), Entry(2, from_json({"kind": "stop"}))])

    assert (game.status, game.shares, game.faults) == ("over", {1: 50, 2: 50, 3: 50}, [])


# ---- Corrections


def test_a_correction_is_corrected_by_undoing_it():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "amend", "target": 2, "event": hand(2, s1=7, s3=8)})
    assert totals(log) == [7, 0, 8]

    assert refusal(log, {"kind": "amend", "target": 3, "event": hand(1, s2=1, s3=1)}) == ["correction-stays"]
    assert totals(record(log, {"kind": "undo", "target": 3})) == [0, 10, 10]


def test_what_was_undone_is_neither_undone_nor_amended_again():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "undo", "target": 2})

    assert refusal(log, {"kind": "undo", "target": 2}) == ["undone-already"]
    assert refusal(log, {"kind": "amend", "target": 2, "event": hand(1, s2=1, s3=1)}) == ["undone-already"]


def test_an_amendment_that_makes_no_sense_is_refused():
    log = record(begin(), hand(1, s2=10, s3=10))

    assert refusal(log, {"kind": "amend", "target": 2, "event": hand(1, s2=10)}) == ["loser-missing"]


def test_a_correction_that_makes_a_later_entry_senseless_shows_it_and_loses_nothing():
    log = record(begin(house={"buy_ins": 0}), hand(1, s2=100, s3=10), hand(3, s1=5, s2=40))
    log = record(log, {"kind": "amend", "target": 2, "event": hand(1, s2=150, s3=10)})
    assert totals(log) == [0, 150, 10]
    assert faults_of(log) == [(3, "score-for-who-is-out")]

    log = record(log, {"kind": "undo", "target": 4})
    assert totals(log) == [5, 140, 10]
    assert faults_of(log) == []


def test_taking_a_joiner_back_leaves_later_joiners_in_their_seats():
    eve, fay = {"kind": "join", "name": "Eve", "points": 0}, {"kind": "join", "name": "Fay", "points": 0}
    penalty = {"kind": "penalty", "seat": 4, "points": 30}
    log = record(begin(), eve, fay, penalty, {"kind": "undo", "target": 2})
    assert [(player.seat, player.total) for player in play(log).players.values()] == [(1, 0), (2, 0), (3, 0), (5, 0)]
    assert faults_of(log) == [(4, "no-such-seat")]

    log = record(log, {"kind": "undo", "target": 5}, {"kind": "join", "name": "Gus"})
    assert [(player.name, player.total) for player in play(log).players.values()][3:] == [
        ("Eve", 30),
        ("Fay", 0),
        ("Gus", 30),
    ]


def test_a_joiner_brought_back_to_a_seat_given_away_takes_the_next():
    eve, fay = {"kind": "join", "name": "Eve"}, {"kind": "join", "name": "Fay"}
    log = record(begin(), eve, {"kind": "undo", "target": 2}, fay)
    assert list(play(log).players) == [1, 2, 3, 4]

    log = record(log, {"kind": "undo", "target": 3})
    assert [player.name for player in play(log).players.values()][3:] == ["Fay", "Eve"]


def test_a_joiner_brought_back_twice_keeps_his_seat():
    log = record(
        begin(), {"kind": "join", "name": "Eve"}, *({"kind": "undo", "target": target} for target in (2, 3, 4))
    )
    assert list(play(log).players) == [1, 2, 3]  # the undo of Eve stands again

    # it is taken back itself, and then once more by taking back what brought it back
    log = record(log, {"kind": "undo", "target": 3})
    assert list(play(log).players) == [1, 2, 3, 4]
    assert list(play(record(log, {"kind": "undo", "target": 5})).players) == [1, 2, 3, 4]


def test_an_earlier_entry_amended_to_a_joiner_leaves_later_joiners_in_their_seats():
    eve, fay, gus = ({"kind": "join", "name": name, "points": 0} for name in ("Eve", "Fay", "Gus"))
    log = record(
        begin(), {"kind": "penalty", "seat": 1, "points": 5}, eve, {"kind": "penalty", "seat": 4, "points": 30}
    )
    log = record(log, {"kind": "amend", "target": 2, "event": fay})
    assert [(player.name, player.total) for player in play(log).players.values()][3:] == [("Eve", 30), ("Fay", 0)]
    assert faults_of(log) == []

    # mended once more he keeps his seat; the first amendment taken back, nobody sits there until another joins
    mended = record(log, {"kind": "amend", "target": 2, "event": fay | {"points": 7}})
    assert [(player.seat, player.total) for player in play(mended).players.values()][3:] == [(4, 30), (5, 7)]
    log = record(log, {"kind": "undo", "target": 5}, gus)
    assert [(player.name, player.seat) for player in play(log).players.values()][3:] == [("Eve", 4), ("Gus", 5)]


def test_a_correction_is_never_about_a_later_entry():
    start = to_json(begin()[0].event)
    for event in ({"kind": "undo", "target": 2}, {"kind": "insert", "before": 9, "event": {"kind": "void"}}):
        with pytest.raises(Malformed, match="Entry 2"):
            from_record([start, event])


def test_a_forgotten_hand_stands_where_it_belongs():
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20))
    log = record(log, {"kind": "insert", "before": 3, "event": hand(3, s1=1, s2=2)})
    numbers = [(played.entry, played.number, played.winner) for played in play(log).hands]
    assert numbers == [(2, 1, 1), (4, 2, 3), (3, 3, 2)]

    # one more before the inserted one, and one before an entry that was undone
    log = record(log, {"kind": "insert", "before": 4, "event": {"kind": "void"}}, {"kind": "undo", "target": 2})
    log = record(log, {"kind": "insert", "before": 2, "event": {"kind": "void", "reason": "first"}})
    assert [played.entry for played in play(log).hands] == [7, 5, 4, 3]


def test_an_insert_before_an_entry_that_was_undone_keeps_its_place():
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20), {"kind": "undo", "target": 3})
    log = record(log, {"kind": "insert", "before": 3, "event": {"kind": "void"}})

    assert [played.entry for played in play(log).hands] == [2, 5]


@pytest.mark.parametrize("before", [3, 4, 99])
def test_an_entry_is_not_moved_before_itself_or_one_that_is_not_there(before):
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20))
    moved = {"kind": "insert", "before": before, "event": hand(2, s1=20, s3=20)}

    assert refusal(log, {"kind": "amend", "target": 3, "event": moved}) == ["no-such-entry"]
    assert refusal(log, {"kind": "amend", "target": 3, "event": moved | {"before": 2}}) == []


def test_an_inserted_hand_is_amended_in_its_place():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "insert", "before": 2, "event": hand(3, s1=1, s2=2)})
    log = record(log, {"kind": "amend", "target": 3, "event": hand(2, s1=5, s3=6)})
    assert [(played.entry, played.winner) for played in play(log).hands] == [(3, 2), (2, 1)]

    moved = {"kind": "insert", "before": 2, "event": {"kind": "void"}}
    log = record(log, {"kind": "amend", "target": 3, "event": moved})
    assert [played.is_void for played in play(log).hands] == [True, False]


def test_hands_corrected_until_each_belongs_before_the_other_both_count():
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20), hand(3, s1=1, s2=2))
    for target, before, event in ((2, 3, hand(1, s2=10, s3=10)), (3, 2, hand(2, s1=20, s3=20))):
        moved = {"kind": "insert", "before": before, "event": event}
        log = record(log, {"kind": "amend", "target": target, "event": moved})

    assert [played.entry for played in play(log).hands] == [4, 2, 3]
    # 20 + 1, 10 + 2, 10 + 20
    assert [player.total for player in play(log).players.values()] == [21, 12, 30]


def test_a_long_chain_of_undone_undos_is_about_the_entry_at_its_beginning():
    """Each of 3,000 undos takes the one before it back; of an even number of them nothing is left."""
    log = record(begin(), {"kind": "join", "name": "Dan", "points": 0})
    log += [Entry(number, Undo(number - 1)) for number in range(3, 3003)]

    assert [player.name for player in play(log).playing] == ["Ann", "Ben", "Cat", "Dan"]
    assert len(play(log[:-1]).playing) == 3


def test_a_claim_is_about_the_contract_being_played_and_after_the_end_about_the_last():
    log = begin("jamaican", house={"game_hands": 2})
    claimed = [play(log).claimed_hand]
    for _ in range(2):
        log = record(log, hand(1, s2=10, s3=20))
        claimed.append(play(log).claimed_hand)

    assert claimed == [1, 2, 2]
    assert play(record(begin(), hand(1, s2=10, s3=20))).claimed_hand == 1  # no contracts: any hand is like the first


def test_what_was_set_wrongly_is_mended_from_the_start():
    log = record(begin(), hand(2, "kalooki", s1=10, s3=149))
    log = record(log, {"kind": "setup", "dealer": 3, "stakes": {"kalooki": 40}, "house": {"limit": 100}})
    game = play(log)

    assert (game.hands[0].dealer, game.balances[2], game.players[3].playing) == (3, 80 - 50, False)
    assert play(record(log, {"kind": "setup", "stakes": None, "settle": "cash"})).stakes is None
    assert play(record(log, {"kind": "undo", "target": 3})).players[3].playing


def test_an_amended_set_up_nobody_can_play_is_refused_also_before_a_later_one():
    log = record(begin(), {"kind": "setup", "dealer": 2}, {"kind": "setup", "stakes": {"initial": 10}})

    assert refusal(log, {"kind": "amend", "target": 2, "event": {"kind": "setup", "dealer": 9}}) == ["no-such-seat"]
    few = record(begin("jamaican", "ABCDEFG", house={"game_hands": 5}), {"kind": "setup", "house": {"game_hands": 6}},
                 {"kind": "setup", "dealer": 2})  # fmt: skip
    longer = {"kind": "setup", "house": {"game_hands": 9}}
    assert refusal(few, {"kind": "amend", "target": 2, "event": longer}) == ["too-many-players"]


# ---- Laws


@given(st.sampled_from(["european", "jamaican", "kalooki-51"]), st.sampled_from(["losers", "winner_collects"]),
       st.booleans(), st.lists(st.integers(0, 5), min_size=3, max_size=3))  # fmt: skip
def test_the_lines_of_a_hand_add_up_to_its_points(variant, scoring, at_once, calls):
    table, _ = with_house_rules(load(variant), {"scoring": scoring})
    ending = table.endings[at_once]
    event = hand(1, ending, dict(zip("123", calls, strict=True)), s2="KH Ared * 7", s3=43)
    lines = score_lines(table, from_json(event))
    points = hand_points(table, from_json(event))

    # KH and a red ace, a joker and a seven are told apart by the variant's values, 43 were typed
    worth = {"european": 10 + 11 + 15 + 7, "jamaican": 10 + 1 + 50 + 7, "kalooki-51": 10 + 11 + 25 + 7}[variant]
    over_called = table.calls and calls[0] > table.calls
    times, added = (1, 0) if not at_once else (1 if over_called else table.kalooki_times, table.kalooki_points)
    for_calls = [max(0, made - table.calls) * table.call_penalty if table.calls else 0 for made in calls]
    held = {2: worth * times + added + for_calls[1], 3: 43 * times + added + for_calls[2]}
    if scoring == "winner_collects":
        assert points == {1: held[2] + held[3] - for_calls[0], 2: 0, 3: 0}
    else:
        assert points == {1: for_calls[0]} | held
    assert all(line.points and line.rule for own in lines.values() for line in own)


SCORES = st.integers(2, 60)


@st.composite
def logs(draw):
    """A log of plausible events of any variant, each accepted when it was recorded."""
    variant = draw(st.sampled_from(["european", "north-american", "jamaican", "kalooki-51", "classic"]))
    log = begin(variant, ["Ann", "Ben", "Cat", "Dot"])
    for _ in range(draw(st.integers(1, 8))):
        event = draw(st.one_of(hands(log), others(log)))
        if not refusal(log, event):
            log = record(log, event)
    return log


def hands(log):
    seats = [player.seat for player in play(log).playing]
    endings = st.sampled_from(play(log).variant.endings)
    return st.tuples(st.sampled_from(seats), endings, st.lists(SCORES, min_size=4, max_size=4)).map(
        lambda drawn: hand(
            drawn[0],
            drawn[1],
            **{f"s{seat}": points for seat, points in zip(seats, drawn[2], strict=False) if seat != drawn[0]},
        )
    )


def others(log):
    seat = st.integers(1, 4)
    kinds = st.sampled_from(["buy_in", "decline", "leave", "first"])
    return st.one_of(
        st.builds(lambda kind, seat: {"kind": kind, "seat": seat}, kinds, seat),
        st.builds(lambda seat, points: {"kind": "penalty", "seat": seat, "points": points}, seat, SCORES),
        st.just({"kind": "void"}),
        st.builds(lambda name: {"kind": "join", "name": name}, st.sampled_from(["Eve", "Fay"])),
        st.builds(lambda target: {"kind": "undo", "target": target}, st.integers(2, len(log) + 1)),
    )


def seen(log):
    """What the table sees: everything but the numbers of entries and the warnings."""
    game = play(log)
    players = [(p.name, p.total, p.playing, game.offers.get(p.seat), p.buy_ins) for p in game.players.values()]
    rules = [noted.fault.rule for noted in game.faults]
    return players, game.status, game.winners, game.balances, game.pool, game.next_dealer, game.first, rules


@settings(max_examples=60)
@given(logs())
def test_money_adds_up_to_zero_after_every_entry(log):
    for length in range(1, len(log) + 1):
        game = play(log[:length])
        assert sum(game.balances.values()) + game.pool == 0


@settings(max_examples=60)
@given(logs())
def test_undoing_the_last_entry_is_the_log_without_it(log):
    if len(log) > 1 and not refusal(log, {"kind": "undo", "target": len(log)}):
        undone = record(log, {"kind": "undo", "target": len(log)})
        assert seen(undone) == seen(log[:-1])
        assert seen(record(undone, {"kind": "undo", "target": len(undone)})) == seen(log)


@settings(max_examples=60)
@given(logs(), st.data())
def test_amending_a_hand_is_having_recorded_it_right(log, data):
    wrong = hand(1, s2=99, s3=2, s4=3)
    right = log[1].event if len(log) > 1 else None
    if right is None or to_json(right)["kind"] not in ("hand", "void") or refusal(log[:1], wrong):
        return
    misrecorded = [log[0], Entry(2, from_json(wrong)), *log[2:]]
    _, faults = judge(misrecorded, from_json({"kind": "amend", "target": 2, "event": to_json(right)}))
    if not faults:
        mended = [*misrecorded, Entry(len(log) + 1, from_json({"kind": "amend", "target": 2, "event": to_json(right)}))]
        assert seen(mended) == seen(log)


@settings(max_examples=60)
@given(logs())
def test_a_log_reads_the_same_from_json(log):
    assert from_record([to_json(entry.event) for entry in log]) == log


def no_offer(log):
    return [player.no_offer for player in play(log).players.values()]


def test_why_a_player_knocked_out_is_offered_no_buy_in():
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
