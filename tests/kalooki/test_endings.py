"""How a game ends, who has won, and who gets the pool."""

from app.kalooki.game.apply import calls_by_seat, if_ended
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import Entry, judge, play
from app.kalooki.variants import load
from tests.kalooki.table_talk import begin, hand, record


def test_calls_are_listed_only_for_players_who_called():
    called = hand(1, calls={"1": 0, "2": 4}, s2=20, s3=10)
    jamaican, european = record(begin("jamaican"), called, {"kind": "void"}), record(begin(), called)

    assert [calls_by_seat(load("jamaican"), played) for played in play(jamaican).hands] == [{2: 4}, {}]
    assert calls_by_seat(load("jamaican"), from_json(called)) == {2: 4}
    assert [calls_by_seat(load("european"), played) for played in play(european).hands] == [{}]


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


def test_a_split_names_who_is_out_among_those_who_share_the_quarter():
    # Cat is out at exactly 120; Ann and Ben are still in
    start = begin("kalooki-40", players=("Ann", "Ben", "Cat", "Dan"), house={"limit": 120}, stakes={"initial": 50})
    game = play(record(start, hand(1, s2=60, s3=120, s4=20), hand(4, s1=30, s2=10), {"kind": "end"}))
    assert game.split.others == (1, 2, 3)
    assert game.split.out_of(game.players) == (3,)


def test_a_game_that_is_over_would_end_as_it_has():
    over = play(record(begin(players=["Ann", "Ben"], house={"buy_ins": 0}), hand(1, s2=150)))
    assert if_ended(over) is over
