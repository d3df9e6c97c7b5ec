"""Several games of one evening: one settlement a currency, and the same table once more."""

import pytest

from app.kalooki.game.evening import Part, bills, rematch
from app.kalooki.game.play import play
from app.kalooki.money import Currency, Payment
from tests.kalooki.table_talk import begin, hand, record

EURO = Currency("EUR")
STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}


def two_player_game(players, loser, stakes=STAKES, **more):
    """One hand that knocks `loser` out; the other is the last one left and takes the pool."""
    log = begin(players=players, stakes=stakes, house={"buy_ins": 0}, **more)
    return record(log, hand(3 - loser, **{f"s{loser}": 150}))


def over(players, loser, **more):
    return play(two_player_game(players, loser, **more))


def test_amounts_of_players_with_the_same_name_are_added():
    # 1: Ben is out: Ann -50 + 10 + 100 = +60, Ben -60. 2: ANN is out: ANN -60, Cat +60. 3: Ben is out: Cat +60, Ben -60
    games = [over(("Ann", "Ben"), loser=2), over(("ANN", "Cat"), loser=1), over(("Cat", "ben"), loser=2)]
    [bill] = bills(games)
    assert (bill.currency, bill.names, bill.balances) == (EURO, ("Ann", "Ben", "Cat"), (0, -120, 120))
    assert bill.payments == (Payment(1, 2, 120),)


def test_a_payment_that_settled_several_games_before_1_0_counts_like_any_other():
    paid = {"kind": "paid", "from": 2, "to": 1, "amount": 20}
    game = play(record(two_player_game(("Ann", "Ben"), loser=2), paid, paid | {"together": True}))
    # 60 lost, 40 of it settled either way
    assert game.balances == {1: 20, 2: -20}


def test_every_currency_is_settled_separately():
    pounds = STAKES | {"currency": "GBP", "initial": 5}
    games = [over(("Ann", "Ben"), loser=2), over(("Ann", "Ben"), loser=1, stakes=pounds)]
    euro, pound = bills(games)
    assert (euro.balances, pound.balances) == ((60, -60), (-15, 15))


def test_a_balance_has_one_part_for_each_game():
    # 1: Ann +60, Ben -60. 2: nothing to settle yet. 3: Cat sits first and takes 60 from ben
    games = [
        over(("Ann", "Ben"), loser=2),
        play(begin(players=("Ann", "Ben"), stakes=STAKES)),
        over(("Cat", "ben"), loser=2),
    ]
    [bill] = bills(games)
    assert bill.parts == ((Part(0, 1, 60),), (Part(0, 2, -60), Part(2, 2, -60)), (Part(2, 1, 60),))


def test_currencies_that_differ_only_in_case_are_one_spelt_as_first_written():
    # 1: Ann +60, Ben -60. 2: Ben is out: Cat +60
    games = [
        over(("Ann", "Ben"), loser=2, stakes=STAKES | {"currency": "Eur"}),
        over(("Cat", "Ben"), loser=2, stakes=STAKES | {"currency": "EUR"}),
    ]
    [bill] = bills(games)
    assert (bill.currency, bill.names, bill.balances) == (Currency("Eur"), ("Ann", "Ben", "Cat"), (60, -120, 60))


def test_yen_in_hundredths_and_whole_yen_are_added_exactly():
    # whole yen: Ann +60, Ben -60; the same amounts in hundredths
    yen = STAKES | {"currency": "JPY"}
    games = [
        over(("Ann", "Ben"), loser=2, stakes=yen | {"decimals": 0}),
        over(("Ann", "Ben"), loser=2, stakes=yen),
    ]
    counted_in = Currency("JPY", 2)
    [bill] = bills(games)
    assert (bill.currency, bill.balances, bill.payments) == (counted_in, (6060, -6060), (Payment(1, 0, 6060),))
    assert [part.amount for part in bill.parts[0]] == [6000, 60]


def test_payments_do_not_change_what_a_player_won():
    # Ben is out at 150: 10 for the hand and the stakes of 50 go to Ann, -50 + 10 + 100; then Ben pays it in two parts
    log = two_player_game(("Ann", "Ben"), loser=2)
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 60, 2: -60})
    log = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 40})
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 20, 2: -20})
    log = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 20})
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 0, 2: 0})


def test_nobody_wins_money_in_a_game_without_money():
    assert play(begin(stakes=None, players=("Ann", "Ben"))).won == {1: 0, 2: 0}


def test_an_amount_paid_already_is_not_owed():
    log = record(two_player_game(("Ann", "Ben"), loser=2), {"kind": "paid", "from": 2, "to": 1, "amount": 40})
    [bill] = bills([play(log)])
    assert (bill.balances, bill.payments) == ((20, -20), (Payment(1, 0, 20),))


@pytest.mark.parametrize(
    "log",
    [
        begin(stakes=STAKES),
        two_player_game(("Ann", "Ben"), loser=2, stakes=None),
        two_player_game(("Ann", "Ben"), loser=2, settle="cash"),
    ],
    ids=["still played", "without money", "money thrown on the table"],
)
def test_games_without_open_accounts_are_left_out(log):
    assert bills([play(log)]) == ()


def seated(log):
    start = rematch(log, play(log))
    return start.players, start.dealer


def test_a_rematch_seats_players_who_were_knocked_out_and_passes_the_deal():
    # Ann deals the only hand: Ben deals next, though he is out of this game
    log = record(begin(house={"buy_ins": 0}), hand(1, s2=150, s3=20))
    assert seated(log) == (("Ann", "Ben", "Cat"), 2)


def test_a_rematch_leaves_out_players_who_left():
    # Ann dealt; Ben, who would be next, has left: Cat deals
    log = record(begin(), hand(1, s2=10, s3=20), {"kind": "leave", "seat": 2})
    assert seated(log) == (("Ann", "Cat"), 2)


def test_a_rematch_after_a_void_hand_does_not_pass_the_deal():
    log = record(begin(dealer=2), {"kind": "void"})
    assert seated(log) == (("Ann", "Ben", "Cat"), 2)

    # whose deal it was has gone home: Cat deals, who sits behind him
    assert seated(record(log, {"kind": "leave", "seat": 2})) == (("Ann", "Cat"), 2)


def test_a_rematch_keeps_late_players_seats_and_corrected_names():
    joined, corrected = {"kind": "join", "name": "Dan", "after": 1}, {"kind": "rename", "seat": 3, "name": "Kat"}
    log = record(begin(dealer=2), joined, corrected)
    # nothing was dealt yet: it is still Ben's deal, who now sits third
    assert seated(log) == (("Ann", "Dan", "Ben", "Kat"), 3)


def test_a_rematch_keeps_corrected_rules_and_stakes():
    corrected = {"kind": "setup", "stakes": {"call_up": 15}, "house": {"buy_ins": 1}, "settle": "cash"}
    log = record(begin(stakes=STAKES, house={"limit": 200}), corrected)
    start = rematch(log, play(log))
    assert dict(start.house) == {"limit": 200, "buy_ins": 1}
    assert (start.stakes, start.settle) == (STAKES | {"call_up": 15}, "cash")


def test_a_rematch_has_no_players_after_all_left():
    log = record(begin(), hand(1, s2=10, s3=20), *({"kind": "leave", "seat": seat} for seat in (2, 3)))
    assert seated(log) == (("Ann",), 1)
