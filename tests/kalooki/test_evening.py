"""Several games of one evening: one settlement a currency, numbers a player, and the same table once more."""

import pytest

from app.kalooki.game.evening import Part, bills, in_pools, numbers_of, ranked
from app.kalooki.game.play import play
from app.kalooki.game.rematch import rematch
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


def test_the_same_name_is_the_same_player_and_amounts_are_added():
    # 1: Ben is out: Ann -50 + 10 + 100 = +60, Ben -60. 2: ANN is out: ANN -60, Cat +60. 3: Ben is out: Cat +60, Ben -60
    games = [over(("Ann", "Ben"), loser=2), over(("ANN", "Cat"), loser=1), over(("Cat", "ben"), loser=2)]
    [bill] = bills(games)
    assert (bill.currency, bill.names, bill.balances) == (EURO, ("Ann", "Ben", "Cat"), (0, -120, 120))
    assert bill.payments == (Payment(1, 2, 120),)


def test_every_currency_is_settled_by_itself():
    pounds = STAKES | {"currency": "GBP", "initial": 5}
    games = [over(("Ann", "Ben"), loser=2), over(("Ann", "Ben"), loser=1, stakes=pounds)]
    euro, pound = bills(games)
    assert (euro.balances, pound.balances) == ((60, -60), (-15, 15))


def test_a_balance_is_made_of_one_part_a_game():
    # 1: Ann +60, Ben -60. 2: nothing to settle yet. 3: Cat sits first and takes 60 from ben
    games = [
        over(("Ann", "Ben"), loser=2),
        play(begin(players=("Ann", "Ben"), stakes=STAKES)),
        over(("Cat", "ben"), loser=2),
    ]
    [bill] = bills(games)
    assert bill.parts == ((Part(0, 1, 60),), (Part(0, 2, -60), Part(2, 2, -60)), (Part(2, 1, 60),))
    # what is not settled yet is lost all the same: a stake of 50 in the second game
    ann, ben, cat = numbers_of(games)
    assert ann.parts == {EURO: [Part(0, 1, 60), Part(1, 1, -50)]}
    assert ben.parts == {EURO: [Part(0, 2, -60), Part(1, 2, -50), Part(2, 2, -60)]}
    assert cat.parts == {EURO: [Part(2, 1, 60)]}


def test_a_currency_written_otherwise_is_the_same_and_is_shown_as_first_written():
    # 1: Ann +60, Ben -60. 2: Ben is out: Cat +60
    games = [
        over(("Ann", "Ben"), loser=2, stakes=STAKES | {"currency": "Eur"}),
        over(("Cat", "Ben"), loser=2, stakes=STAKES | {"currency": "EUR"}),
    ]
    [bill] = bills(games)
    assert (bill.currency, bill.names, bill.balances) == (Currency("Eur"), ("Ann", "Ben", "Cat"), (60, -120, 60))
    assert [each.money for each in numbers_of(games)] == [{Currency("Eur"): won} for won in (60, -120, 60)]


def test_yen_in_hundredths_and_whole_yen_are_added_exactly():
    # whole yen: Ann +60, Ben -60; the same amounts in hundredths; and 100 yen, then 1.00, in pools still being played
    yen = STAKES | {"currency": "JPY"}
    games = [
        over(("Ann", "Ben"), loser=2, stakes=yen | {"decimals": 0}),
        over(("Ann", "Ben"), loser=2, stakes=yen),
        play(begin(players=("Ann", "Ben"), stakes=yen | {"decimals": 0})),
        play(begin(players=("Ann", "Ben"), stakes=yen)),
    ]
    counted_in = Currency("JPY", 2)
    [bill] = bills(games)
    assert (bill.currency, bill.balances, bill.payments) == (counted_in, (6060, -6060), (Payment(1, 0, 6060),))
    assert [part.amount for part in bill.parts[0]] == [6000, 60]
    # with the stakes of 50 and 0.50 of the last two games
    assert numbers_of(games)[0].money == {counted_in: 1010}
    assert in_pools(games) == {counted_in: 10100}


def test_the_pools_of_games_still_being_played_are_added_up_by_currency():
    games = [
        play(begin(players=("Ann", "Ben"), stakes=STAKES)),  # 2 stakes of 50
        play(begin(players=("Cat", "Ben", "Dan"), stakes=STAKES | {"currency": "eur"})),  # 3 of them
        play(begin(players=("Ann", "Ben"), stakes=STAKES | {"currency": "GBP"})),
        over(("Ann", "Ben"), loser=2),  # over: its pool is shared out
        play(begin(stakes=None)),
    ]
    assert in_pools(games) == {EURO: 250, Currency("GBP"): 100}


def test_what_a_player_won_stays_when_it_is_paid():
    # Ben is out at 150: 10 for the hand and the stakes of 50 go to Ann, -50 + 10 + 100; then Ben pays it in two parts
    log = two_player_game(("Ann", "Ben"), loser=2)
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 60, 2: -60})
    log = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 40})
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 20, 2: -20})
    log = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 20})
    assert (play(log).won, play(log).balances) == ({1: 60, 2: -60}, {1: 0, 2: 0})


def test_nobody_wins_money_in_a_game_without_money():
    assert play(begin(stakes=None, players=("Ann", "Ben"))).won == {1: 0, 2: 0}


def test_what_was_paid_already_is_not_owed_again():
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


def test_numbers_are_counted_over_all_games():
    # hand 1: Ann wins all at once, Ben holds 30; hand 2: Ben wins, Ann holds 3 + 4 = 7
    first = record(begin(players=("Ann", "Ben"), stakes=STAKES), hand(1, "kalooki", s2=30), hand(2, s1="3H 4D"))
    # Ben is out at 150: 10 for the hand and the pool of 100 go to Ann; then 25 change hands in cash
    second = record(two_player_game(("ann", "Ben"), loser=2), {"kind": "paid", "from": 2, "to": 1, "amount": 25})
    ann, ben = numbers_of([play(first), play(second)])
    assert (ann.name, ann.played, ann.won, ann.kalookis, ann.lost, ann.held) == ("Ann", 2, 1, 1, 1, 7)
    assert (ben.name, ben.played, ben.won, ben.kalookis, ben.lost, ben.held) == ("Ben", 2, 0, 0, 2, 180)
    # Ann -50 + 20 - 10, then +60; cash only settles it
    assert (ann.money, ben.money) == ({EURO: 20}, {EURO: -120})
    assert (ann.left_in_tenths, ben.left_in_tenths) == (70, 900)


def test_a_game_without_money_adds_to_every_number_but_money():
    [ann, ben] = numbers_of([over(("Ann", "Ben"), loser=2, stakes=None)])

    assert (ann.played, ann.won, ann.money) == (1, 1, {})
    assert (ben.lost, ben.held, ben.money) == (1, 150, {})


def test_the_points_added_for_a_kalooki_were_not_left_in_hand():
    log = record(begin("kalooki-51", players=("Ann", "Ben")), hand(1, "kalooki", s2="KH"))
    ann, ben = numbers_of([play(log)])
    assert (ben.held, ann.left_in_tenths) == (10, None)


def test_a_shared_first_place_counts_as_won():
    hands = hand(1, s2=20, s3=30), hand(2, s1=20, s3=5)
    log = record(begin("kalooki-51", players=("Ann", "Ben", "Cat")), *hands, {"kind": "end"})
    assert [each.won for each in numbers_of([play(log)])] == [1, 1, 0]


def placed(games):
    everybody, money = ranked(games)
    return [(each.place, each.numbers.name) for each in everybody], money


def test_money_ranks_an_evening_and_games_won_only_between_equals():
    # 1: Ann +60, Ben -60. 2: Cat +60, Dan -60
    games = [over(("Ann", "Ben"), loser=2), over(("Cat", "Dan"), loser=2)]
    assert placed(games) == ([(1, "Ann"), (1, "Cat"), (3, "Ben"), (3, "Dan")], EURO)


def test_games_won_rank_an_evening_in_two_currencies_or_none():
    pounds = STAKES | {"currency": "GBP"}
    games = [over(("Ann", "Ben"), loser=1), over(("Ann", "Ben"), loser=1, stakes=pounds)]
    assert placed(games) == ([(1, "Ben"), (2, "Ann")], None)
    assert placed([over(("Ann", "Ben"), loser=1, stakes=None)]) == ([(1, "Ben"), (2, "Ann")], None)


def seated(log):
    start = rematch(log, play(log))
    return start.players, start.dealer


def test_a_rematch_seats_who_was_knocked_out_and_passes_the_deal():
    # Ann deals the only hand: Ben deals next, though he is out of this game
    log = record(begin(house={"buy_ins": 0}), hand(1, s2=150, s3=20))
    assert seated(log) == (("Ann", "Ben", "Cat"), 2)


def test_a_rematch_goes_on_without_those_who_went_home():
    # Ann dealt; Ben, who would be next, has left: Cat deals
    log = record(begin(), hand(1, s2=10, s3=20), {"kind": "leave", "seat": 2})
    assert seated(log) == (("Ann", "Cat"), 2)


def test_a_rematch_after_a_void_hand_leaves_the_deal_where_it_was():
    log = record(begin(dealer=2), {"kind": "void"})
    assert seated(log) == (("Ann", "Ben", "Cat"), 2)

    # whose deal it was has gone home: Cat deals, who sits behind him
    assert seated(record(log, {"kind": "leave", "seat": 2})) == (("Ann", "Cat"), 2)


def test_a_rematch_keeps_the_seats_of_late_players_and_mended_names():
    joined, mended = {"kind": "join", "name": "Dan", "after": 1}, {"kind": "rename", "seat": 3, "name": "Kat"}
    log = record(begin(dealer=2), joined, mended)
    # nothing was dealt yet: it is still Ben's deal, who now sits third
    assert seated(log) == (("Ann", "Dan", "Ben", "Kat"), 3)


def test_a_rematch_plays_by_the_rules_and_stakes_as_mended():
    mended = {"kind": "setup", "stakes": {"call_up": 15}, "house": {"buy_ins": 1}, "settle": "cash"}
    log = record(begin(stakes=STAKES, house={"limit": 200}), mended)
    start = rematch(log, play(log))
    assert dict(start.house) == {"limit": 200, "buy_ins": 1}
    assert (start.stakes, start.settle) == (STAKES | {"call_up": 15}, "cash")


def test_nobody_is_left_for_a_rematch_when_all_went_home():
    log = record(begin(), hand(1, s2=10, s3=20), *({"kind": "leave", "seat": seat} for seat in (2, 3)))
    assert seated(log) == (("Ann",), 1)
