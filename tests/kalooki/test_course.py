"""Changes of totals between hands, and the game before an entry."""

from app.kalooki.game.play import game_before, play
from tests.kalooki.table_talk import begin, hand, record


def knocked_out():
    """Return a log: Ben at 140 and Cat at 90; then 30 more put Ben out at 170, and 10 more bring Cat to 100."""
    return record(begin(), hand(1, s2=140, s3=90), hand(1, s2=30, s3=10))


def test_a_buy_in_is_recorded_as_a_change_between_hands():
    log = record(knocked_out(), {"kind": "buy_in", "seat": 2}, hand(1, s2=5, s3=5))

    changes = play(log).changes

    assert [(c.entry, c.seat, c.total, c.why, c.hands) for c in changes] == [(4, 2, 100, "buy-in", 2)]


def test_penalties_and_late_players_change_totals_between_hands():
    log = record(
        begin(),
        hand(1, s2=20, s3=30),
        {"kind": "penalty", "seat": 3, "points": 25},
        {"kind": "penalty", "seat": 3, "amount": 25},
        {"kind": "join", "name": "Dan"},
    )

    changes = play(log).changes

    assert [(c.seat, c.total, c.why, c.hands) for c in changes] == [(3, 55, "penalty", 1), (4, 55, "joined", 1)]
    assert [c.totals for c in changes] == [{3: 55}, {4: 55}]


def test_the_game_before_an_entry_does_not_include_it():
    log = record(knocked_out(), {"kind": "buy_in", "seat": 2})

    earlier = game_before(log, 3)

    assert [player.total for player in earlier.players.values()] == [0, 140, 90]
    assert earlier.number == 2
    assert [player.seat for player in earlier.playing] == [1, 2, 3]


def test_the_game_before_an_entry_has_its_corrections():
    log = record(
        begin(),
        hand(1, s2=20, s3=30),
        hand(2, s1=7, s3=8),
        {"kind": "amend", "target": 2, "event": hand(1, s2=25, s3=30)},
        {"kind": "insert", "before": 3, "event": hand(3, s1=4, s2=6)},
        {"kind": "setup", "house": {"limit": 100}},
    )

    earlier = game_before(log, 3)

    assert [player.total for player in earlier.players.values()] == [4, 31, 30]
    assert earlier.variant.limit == 100
    assert [player.total for player in game_before(log, 5).players.values()] == [0, 25, 30]


def test_there_is_no_game_before_an_undone_entry():
    log = record(begin(), hand(1, s2=20, s3=30), {"kind": "undo", "target": 2})

    assert game_before(log, 2) is None
    assert game_before(log, 9) is None
