"""The ranking: who is ahead, who is out, who went home."""

from app.kalooki.game.finish import ahead, places
from app.kalooki.game.play import play
from tests.kalooki.table_talk import begin, hand, record

FOUR = ["Ann", "Ben", "Cat", "Dan"]


def test_players_with_equal_totals_share_a_place_and_the_next_place_is_skipped():
    game = play(record(begin("european", FOUR), hand(1, s2=20, s3=20, s4=5)))

    assert places(game) == {1: 1, 4: 2, 2: 3, 3: 3}
    assert ahead(game) == [1]


def test_players_still_in_come_first_and_players_who_left_come_last():
    log = record(begin("european", FOUR), hand(1, s2=150, s3=149, s4=5), {"kind": "leave", "seat": 4})
    game = play(log)

    assert list(places(game)) == [1, 3, 2, 4]


def test_a_winner_is_first_whatever_the_total():
    """If two have the same total after nine hands, the decider has the winner."""
    log = begin("jamaican", ["Ann", "Ben", "Cat"])
    log = record(log, *[hand(1, s2=10, s3=20)] * 8, hand(2, s1=80, s3=20))
    assert ahead(play(log)) == [1, 2]

    game = play(record(log, {"kind": "decider", "winner": 2}))
    assert places(game) == {2: 1, 1: 2, 3: 3}
    assert ahead(game) == [2]
