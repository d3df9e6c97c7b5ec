"""Games that were begun on paper."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.evening import rematch
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import from_record, opening_entry, play
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

FIVE = {"hands": 5, "totals": [62, 88, 140, 31]}
PLAYERS = ["Ann", "Ben", "Cara", "Dan"]


def carried(variant="european", over=FIVE, players=PLAYERS, **more):
    return begin(variant, players, carried=over, **more)


def refusals(over, variant="european", players=PLAYERS, **more):
    start = {"kind": "start", "variant": variant, "players": players, "carried": over} | more
    return [(fault.rule, fault.facts["field"]) for fault in opening_entry(from_json(start))[2]]


def test_a_game_continues_where_the_paper_ends():
    game = play(carried(dealer=3, over=FIVE | {"buy_ins": [0, 1, 0, 0]}))
    assert [player.total for player in game.players.values()] == [62, 88, 140, 31]
    assert (game.number, game.next_dealer, game.players[2].buy_ins, game.hands) == (6, 3, 1, [])
    # everybody has paid the initial stake, Ben his buy-in
    assert (game.balances, game.pool) == ({1: -50, 2: -100, 3: -50, 4: -50}, 250)


def test_given_balances_decide_the_pool():
    log = carried(over=FIVE | {"buy_ins": [0, 1, 0, 0], "balances": [-70, -120, -50, -60]})
    assert (play(log).balances, play(log).pool) == ({1: -70, 2: -120, 3: -50, 4: -60}, 300)

    assert refusal(log, {"kind": "stop", "pool": "refund"}) == ["refund-unknown"]
    shared = play(record(log, {"kind": "stop", "pool": "equal"}))
    assert shared.balances == {1: 5, 2: -45, 3: 25, 4: 15}


def test_a_player_out_on_paper_gets_no_offer_and_no_deal():
    log = carried(over={"hands": 7, "totals": [62, 150, 20, 170]}, dealer=2)
    game = play(log)
    assert [player.playing for player in game.players.values()] == [True, False, True, False]
    assert (game.offers, game.next_dealer, game.late_offers) == ({}, 3, {})
    assert (
        play(carried(over={"hands": 7, "totals": [62, 150, 20, 170]}, house={"out_at": "over_limit"}))
        .players[2]
        .playing
    )

    over = record(log, hand(1, s3=130))
    assert (play(over).status, play(over).winners, totals(over)) == ("over", (1,), [62, 150, 150, 170])


def test_buy_ins_on_paper_count_towards_the_limit():
    log = record(carried(over=FIVE | {"buy_ins": [0, 1, 2, 0]}), hand(1, s2=62, s3=10, s4=1))
    game = play(log)
    assert (game.offers, game.players[3].no_offer) == ({2: 62}, "often")


def test_contracts_and_deals_continue_after_the_hands_on_paper():
    log = carried("jamaican", {"hands": 7, "totals": [100, 40, 60]}, PLAYERS[:3])
    assert (play(log).variant.contract(play(log).number), play(log).dealt) == ((1, 3), 15)
    over = record(log, hand(2, s1=10, s3=10), hand(2, s1=10, s3=10))
    assert (play(over).status, play(over).winners, totals(over)) == ("over", (2,), [120, 40, 80])


def test_a_target_is_reached_and_a_game_by_hands_ends():
    log = carried(
        "classic", {"hands": 2, "totals": [80, 70]}, PLAYERS[:2], house={"scoring": "winner_collects", "limit": 100}
    )
    assert play(record(log, hand(2, s1=30))).winners == (2,)
    log = carried("classic", {"hands": 2, "totals": [80, -7]}, PLAYERS[:2], house={"game_hands": 3})
    assert play(record(log, hand(1, s2=30))).winners == (2,)


def test_the_north_american_deal_counts_only_players_still_in():
    log = carried("north-american", {"hands": 9, "totals": [10, 20, 160, 30, 40]}, list("ABCDE"))
    assert play(log).dealt == 15


@pytest.mark.parametrize(
    ("over", "more", "fault"),
    [
        (FIVE | {"totals": [1, 2, 3]}, {}, ("carried-length", "carried.totals")),
        (FIVE | {"buy_ins": [1]}, {}, ("carried-length", "carried.buy_ins")),
        (FIVE | {"balances": []}, {}, ("carried-length", "carried.balances")),
        (FIVE | {"buy_ins": [0, 0, 3, 0]}, {}, ("carried-buy-ins", "carried.buy_ins")),
        (FIVE | {"balances": [10, -5, 0, 0]}, {}, ("carried-balances", "carried.balances")),
        (FIVE | {"balances": [0, 0, 0, 0]}, {"stakes": None}, ("no-money", "carried.balances")),
        (FIVE | {"totals": [150, 150, 150, 0]}, {}, ("carried-too-few", "carried.totals")),
        (FIVE, {"house": {"game_hands": 5}}, ("carried-to-the-end", "carried.hands")),
        (FIVE | {"hands": 9}, {"variant": "jamaican"}, ("carried-to-the-end", "carried.hands")),
        (FIVE, {"house": {"scoring": "winner_collects", "limit": 140}}, ("carried-target", "carried.totals")),
    ],
)  # fmt: skip
def test_impossible_paper_results_are_refused_with_their_field(over, more, fault):
    assert refusals(over, **more) == [fault]


@pytest.mark.parametrize(
    ("over", "field"),
    [
        (5, "carried"),
        ({"totals": [1, 2]}, "carried.hands"),
        ({"hands": 5}, "carried.totals"),
        (FIVE | {"hands": 0}, "carried.hands"),
        (FIVE | {"hands": 1000}, "carried.hands"),
        (FIVE | {"hands": True}, "carried.hands"),
        (FIVE | {"totals": 5}, "carried.totals"),
        (FIVE | {"totals": [1, "2"]}, "carried.totals.1"),
        (FIVE | {"totals": [10_001]}, "carried.totals.0"),
        (FIVE | {"totals": [1] * 57}, "carried.totals"),
        (FIVE | {"buy_ins": [-1]}, "carried.buy_ins.0"),
        (FIVE | {"balances": [0.5]}, "carried.balances.0"),
        (FIVE | {"seats": []}, "carried.seats"),
    ],
)
def test_an_unreadable_field_is_named(over, field):
    with pytest.raises(BadInput) as unreadable:
        from_json({"kind": "start", "variant": "european", "players": PLAYERS, "carried": over})
    assert unreadable.value.field == field


def test_a_corrected_limit_must_leave_two_players():
    log = carried()
    assert refusal(log, {"kind": "setup", "house": {"limit": 60}}) == ["carried-too-few"]
    assert not play(record(log, {"kind": "setup", "house": {"limit": 80}})).players[2].playing


def test_paper_results_survive_export_but_not_a_rematch():
    log = record(carried(over=FIVE | {"balances": [-70, -120, -50, -60]}), hand(1, s2=1, s3=2, s4=3))
    assert play(from_record([to_json(entry.event) for entry in log])) == play(log)
    assert rematch(log, play(log)).carried is None
