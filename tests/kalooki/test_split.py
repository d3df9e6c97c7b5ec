"""How the pool is split, as recorded for the table."""

import pytest

from app.kalooki.game.play import play
from tests.kalooki.table_talk import begin, hand, record


def split_of(log):
    game = play(log)
    return game.split, game.shares


def test_the_pool_is_not_split_during_the_game():
    assert split_of(begin()) == (None, {})


def test_the_last_player_left_takes_the_pool():
    split, shares = split_of(record(begin(house={"buy_ins": 0}), hand(3, s1=150, s2=150)))
    assert (split, shares) == ((150, (3,), ()), {3: 150})


def test_near_losers_share_a_quarter_and_the_odd_cents_go_to_the_winner():
    # Kalooki 51, stakes of 50: 25 % of 200 = 50, Ben and Cat under 100 get 25 each, Dan at 100 nothing
    start = begin("kalooki-51", players=("Ann", "Ben", "Cat", "Dan"), stakes={"initial": 50})
    split, shares = split_of(record(start, hand(1, s2=20, s3=99, s4=100), {"kind": "end"}))
    assert (split, shares) == ((200, (1,), (2, 3)), {1: 150, 2: 25, 3: 25})


def test_of_two_winners_the_first_seat_gets_the_odd_cent():
    # Cat has 105 points: no quarter; 3 x 5 = 15 between Ann and Ben
    start = begin("kalooki-51", stakes={"initial": 5})
    log = record(start, hand(1, s2=20, s3=100), hand(2, s1=20, s3=5), {"kind": "end"})
    assert split_of(log) == ((15, (1, 2), ()), {1: 8, 2: 7})


@pytest.mark.parametrize(
    ("variant", "limit", "players", "hands", "shares"),
    [
        # Dan wins with 20. Ann is 10 behind, Ben 50, Cat, out, exactly 100: 50 for three of them, 16 each
        ("kalooki-40", 120, 4, [hand(1, s2=60, s3=120, s4=20), hand(4, s1=30, s2=10), {"kind": "end"}],
         {1: 16, 2: 16, 3: 16, 4: 152}),
        # Ben is out with 80, which is under 100: he and Cat get 18 each of 37
        ("kalooki-51", 80, 3, [hand(1, s2=80, s3=30), {"kind": "end"}], {1: 114, 2: 18, 3: 18}),
        # the last one left, 110 - 10 = 100 ahead: a quarter of 100
        ("kalooki-40", 100, 2, [hand(1, s2=95), hand(2, s1=10), hand(1, s2=15)], {1: 75, 2: 25}),
        # ended early instead: in equal parts to those still in, or to the leader alone
        ("kalooki-51", 80, 3, [hand(1, s2=80, s3=30), {"kind": "stop", "pool": "equal"}], {1: 75, 3: 75}),
        ("kalooki-51", 80, 3, [hand(1, s2=80, s3=30), {"kind": "stop", "pool": "leader"}], {1: 150}),
    ],
)  # fmt: skip
def test_a_player_who_is_out_shares_the_quarter_by_points_alone(variant, limit, players, hands, shares):
    names = ("Ann", "Ben", "Cat", "Dan")[:players]
    start = begin(variant, players=names, house={"limit": limit}, stakes={"initial": 50})
    assert split_of(record(start, *hands))[1] == shares


def test_a_split_names_who_is_out_among_those_who_share_the_quarter():
    # Cat is out at exactly 120; Ann and Ben are still in
    start = begin("kalooki-40", players=("Ann", "Ben", "Cat", "Dan"), house={"limit": 120}, stakes={"initial": 50})
    game = play(record(start, hand(1, s2=60, s3=120, s4=20), hand(4, s1=30, s2=10), {"kind": "end"}))
    assert game.split.others == (1, 2, 3)
    assert game.split.out_of(game.players) == (3,)


def test_if_no_winner_paid_in_the_best_placed_player_who_did_takes_the_pool():
    start = begin(house={"buy_ins": 0}, stakes={"initial": 50})
    log = record(start, {"kind": "join", "name": "Dan"}, hand(4, s1=150, s2=10, s3=10), hand(4, s2=140, s3=150))
    # Dan is left but paid no stake; Ben and Cat went out last, Ben with 150 and Cat with 160
    split, shares = split_of(log)
    assert (play(log).winners, split, shares) == ((4,), (150, (2,), ()), {2: 150})


@pytest.mark.parametrize(("price", "shares"), [(0, {1: 50, 2: 50}), (20, {1: 40, 2: 40, 3: 40})])
def test_a_joiner_without_a_stake_shares_in_the_pool_after_paying_a_buy_in(price, shares):
    # Cat is out with 121 and buys in; the pool holds the stakes of Ann and Ben, and what Cat paid
    start = begin(
        "kalooki-40",
        players=("Ann", "Ben"),
        house={"limit": 100, "buy_ins": 1, "stake_buy_in": 2},
        stakes={"initial": 50, "buy_in": price},
    )
    log = record(start, {"kind": "join", "name": "Cat", "points": 0}, hand(1, s2=10, s3=121))
    assert split_of(record(log, {"kind": "buy_in", "seat": 3}, {"kind": "stop", "pool": "equal"}))[1] == shares


def test_a_player_knocked_out_in_an_inserted_hand_did_not_go_out_last():
    # Dan, who paid no stake, wins. Ben went out in a forgotten first hand, then Cat, and Ann last
    start = begin(house={"buy_ins": 0}, stakes={"initial": 50})
    log = record(start, {"kind": "join", "name": "Dan"}, hand(4, s1=10, s2=10, s3=150), hand(4, s1=150, s2=10),
                 {"kind": "insert", "before": 3, "event": hand(4, s1=1, s2=150, s3=1)},
                 {"kind": "amend", "target": 3, "event": hand(4, s1=10, s3=150)},
                 {"kind": "amend", "target": 4, "event": hand(4, s1=150)})  # fmt: skip
    split, shares = split_of(log)
    assert (play(log).faults, play(log).winners, split, shares) == ([], (4,), (150, (1,), ()), {1: 150})


@pytest.mark.parametrize("variant", ["european", "kalooki-51", "kalooki-40"])
@pytest.mark.parametrize(
    ("pool", "main", "shares"),
    [("refund", (), {1: 50, 2: 50, 3: 50}), ("equal", (1, 2, 3), {1: 50, 2: 50, 3: 50}), ("leader", (1,), {1: 150})],
)
def test_a_table_that_stops_splits_as_it_chooses(variant, pool, main, shares):
    start = begin(variant, stakes={"initial": 50})
    log = record(start, hand(1, s2=20, s3=30), {"kind": "stop", "pool": pool})
    assert split_of(log) == ((150, main, ()), shares)


def test_a_pool_that_nobody_may_take_is_refunded():
    # Cat and Dan play on without a stake in it; those who paid have gone home
    log = record(
        begin(players=("Ann", "Ben"), stakes={"initial": 50}),
        *({"kind": "join", "name": name} for name in ("Cat", "Dan")),
        *({"kind": "leave", "seat": seat} for seat in (1, 2, 4)),
    )
    assert play(log).winners == (3,)
    assert split_of(log) == ((100, (), ()), {1: 50, 2: 50})
