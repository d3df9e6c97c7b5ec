"""How a game ends, who has won, and who gets the pool."""

import pytest

from app.kalooki.game.apply import calls_told
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import Entry, judge, play
from app.kalooki.variants import load
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

# ---- Endings


def test_if_all_are_out_at_once_the_lowest_total_wins():
    # a Jamaican winner can go out himself: four calls are one too many, 50 points
    log = begin("jamaican", ["Ann", "Ben"], house={"limit": 50})
    log = record(log, hand(1, calls={"1": 4}, s2=60))
    game = play(log)

    assert (game.status, game.winners) == ("over", (1,))


def test_a_player_out_earlier_ranks_behind_players_out_together():
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


def test_calls_are_listed_only_for_players_who_called():
    called = hand(1, calls={"1": 0, "2": 4}, s2=20, s3=10)
    jamaican, european = record(begin("jamaican"), called, {"kind": "void"}), record(begin(), called)

    assert [calls_told(load("jamaican"), played) for played in play(jamaican).hands] == [{2: 4}, {}]
    assert calls_told(load("jamaican"), from_json(called)) == {2: 4}
    assert [calls_told(load("european"), played) for played in play(european).hands] == [{}]


def test_an_open_ended_game_is_ended_by_the_table():
    log = record(begin(house={"limit": None}), hand(1, s2=200, s3=10), {"kind": "end"})

    assert play(log).winners == (1,)
    assert refusal(begin(house={"limit": None, "game_hands": 5}), {"kind": "end"}) == ["ends-by-itself"]


def test_ending_a_game_withdraws_open_offers():
    log = record(begin(house={"game_hands": 1}), hand(1, s2=150, s3=5))

    assert (play(log).status, play(log).offers) == ("over", {})


def test_only_tied_players_can_win_the_decider():
    log = record(begin("classic"), hand(1, s2=10, s3=5), hand(2, s1=5, s3=10), {"kind": "end"})
    assert play(log).winners == (1,)
    log = record(begin("classic"), hand(1, s2=5, s3=15), hand(2, s1=5, s3=10), {"kind": "end"})
    assert play(log).winners == (1, 2)

    assert refusal(log, {"kind": "decider", "winner": 3}) == ["not-tied"]
    assert play(record(log, {"kind": "decider", "winner": 2})).winners == (2,)


# ---- The pool


def test_a_joiner_without_a_stake_gets_no_share():
    # Dot wins without having paid in: the pool goes to Ann, the last to go out before her
    log = record(begin(players=["Ann", "Ben"]), {"kind": "join", "name": "Dot", "points": 0})
    log = record(log, hand(3, s1=10, s2=148), hand(3, s1=10, s2="K"), {"kind": "decline", "seat": 2})
    log = record(log, hand(3, s1=130), {"kind": "rename", "seat": 3, "name": "Dora"})
    game = play(log)

    assert (game.winners, game.shares, game.pool) == ((3,), {1: 100}, 0)


def test_if_no_remaining_player_paid_in_the_pool_is_refunded():
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
def test_a_game_ended_early_pays_the_pool_as_the_table_chose(choice, shares, winners):
    # Ben has gone home; Cat has paid a penalty of 10
    log = record(begin(), hand(1, s2=20, s3=10), {"kind": "penalty", "seat": 3, "amount": 10},
                 {"kind": "leave", "seat": 2}, {"kind": "stop", "pool": choice})  # fmt: skip
    game = play(log)

    assert (game.status, game.shares, game.winners) == ("over", shares, winners)


def test_a_game_without_stakes_shares_nothing():
    log = record(begin(stakes=None), {"kind": "stop"})

    assert play(log).shares == {}


def test_ending_a_game_early_needs_a_choice_about_the_pool():
    log = begin()
    fault = judge(log, from_json({"kind": "stop"}))[1]
    said = {"kind": "stop", "pool": "refund"}

    assert [(each.rule, each.facts["field"]) for each in fault] == [("pool-unsaid", "pool")]
    assert judge(log, from_json(said))[1] == []
    assert to_json(from_json(said)) == said


def test_decimals_cannot_change_once_there_are_amounts():
    # 250 yen must not become 2.50
    log = begin(stakes={"currency": "JPY", "decimals": 0, "buy_in": 250})
    setup = {"kind": "setup", "stakes": {"currency": "JPY", "decimals": 2, "buy_in": 250}}
    faults = judge(log, from_json(setup))[1]

    assert [(each.rule, each.facts["field"]) for each in faults] == [("counted-otherwise", "stakes")]
    assert faults[0].facts["decimals"] == 0
    setup["stakes"]["decimals"] = 0
    assert judge(log, from_json(setup))[1] == []


def test_an_amended_stop_needs_the_choice_too():
    log = record(begin(), {"kind": "stop", "pool": "equal"})
    fault = judge(log, from_json({"kind": "amend", "target": 2, "event": {"kind": "stop"}}))[1]
    other = record(begin(stakes=None), {"kind": "stop"})

    assert [(each.rule, each.facts["field"]) for each in fault] == [("pool-unsaid", "event.pool")]
    assert judge(other, from_json({"kind": "amend", "target": 2, "event": {"kind": "stop"}}))[1] == []


def test_a_stop_recorded_without_the_choice_stays_valid():
    game = play([*begin(), Entry(2, from_json({"kind": "stop"}))])

    assert (game.status, game.shares, game.faults) == ("over", {1: 50, 2: 50, 3: 50}, [])
    assert game.is_ended_early
