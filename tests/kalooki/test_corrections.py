"""Undos, amendments, forgotten hands and corrected setups."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.corrections import is_correction
from app.kalooki.game.events import Undo, from_json, to_json
from app.kalooki.game.play import Entry, from_record, play
from tests.kalooki.table_talk import begin, hand, record, refusal, totals


def faults_of(log):
    return [(noted.entry, noted.fault.rule) for noted in play(log).faults]


def test_a_correction_can_be_undone():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "amend", "target": 2, "event": hand(2, s1=7, s3=8)})
    assert totals(log) == [7, 0, 8]

    assert refusal(log, {"kind": "amend", "target": 3, "event": hand(1, s2=1, s3=1)}) == ["correction-stays"]
    assert totals(record(log, {"kind": "undo", "target": 3})) == [0, 10, 10]


def test_an_amendment_takes_the_place_of_the_entry_it_corrects():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "amend", "target": 2, "event": hand(2, s1=7, s3=8)})
    assert [event.position(number) for number, event in log] == [1, 2, 2]


@pytest.mark.parametrize(
    ("event", "corrects"),
    [
        ({"kind": "undo", "target": 2}, True),
        ({"kind": "amend", "target": 2, "event": hand(2, s1=7, s3=8)}, True),
        ({"kind": "setup", "dealer": 2}, True),
        ({"kind": "buy_in", "seat": 2, "before": 3}, True),
        ({"kind": "buy_in", "seat": 2}, False),
        (hand(2, s1=7, s3=8), False),
    ],
)
def test_events_that_change_earlier_entries_are_corrections(event, corrects):
    assert is_correction(from_json(event)) is corrects


def test_an_undone_entry_cannot_be_undone_or_amended_again():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "undo", "target": 2})

    assert refusal(log, {"kind": "undo", "target": 2}) == ["undone-already"]
    assert refusal(log, {"kind": "amend", "target": 2, "event": hand(1, s2=1, s3=1)}) == ["undone-already"]


def test_an_impossible_amendment_is_refused():
    log = record(begin(), hand(1, s2=10, s3=10))

    assert refusal(log, {"kind": "amend", "target": 2, "event": hand(1, s2=10)}) == ["loser-missing"]


def test_a_correction_that_makes_a_later_entry_impossible_reports_it_and_keeps_it():
    log = record(begin(house={"buy_ins": 0}), hand(1, s2=100, s3=10), hand(3, s1=5, s2=40))
    log = record(log, {"kind": "amend", "target": 2, "event": hand(1, s2=150, s3=10)})
    assert totals(log) == [0, 150, 10]
    assert faults_of(log) == [(3, "score-for-who-is-out")]

    log = record(log, {"kind": "undo", "target": 4})
    assert totals(log) == [5, 140, 10]
    assert faults_of(log) == []


def test_undoing_a_join_keeps_later_joiners_in_their_seats():
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


def test_a_restored_joiner_whose_seat_was_reused_takes_the_next_free_one():
    eve, fay = {"kind": "join", "name": "Eve"}, {"kind": "join", "name": "Fay"}
    log = record(begin(), eve, {"kind": "undo", "target": 2}, fay)
    assert list(play(log).players) == [1, 2, 3, 4]

    log = record(log, {"kind": "undo", "target": 3})
    assert [player.name for player in play(log).players.values()][3:] == ["Fay", "Eve"]


def test_a_joiner_restored_twice_keeps_their_seat():
    log = record(
        begin(), {"kind": "join", "name": "Eve"}, *({"kind": "undo", "target": target} for target in (2, 3, 4))
    )
    assert list(play(log).players) == [1, 2, 3]  # the undo of Eve stands again

    # it is taken back itself, and then once more by taking back what brought it back
    log = record(log, {"kind": "undo", "target": 3})
    assert list(play(log).players) == [1, 2, 3, 4]
    assert list(play(record(log, {"kind": "undo", "target": 5})).players) == [1, 2, 3, 4]


def test_amending_an_earlier_entry_to_a_join_keeps_later_joiners_in_their_seats():
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


def test_a_correction_cannot_target_a_later_entry():
    start = to_json(begin()[0].event)
    for event in ({"kind": "undo", "target": 2}, {"kind": "insert", "before": 9, "event": {"kind": "void"}}):
        with pytest.raises(BadInput, match="Entry 2"):
            from_record([start, event])


def test_a_forgotten_hand_counts_where_it_belongs():
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
def test_an_entry_cannot_be_moved_before_itself_or_a_missing_one(before):
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20))
    moved = {"kind": "insert", "before": before, "event": hand(2, s1=20, s3=20)}

    assert refusal(log, {"kind": "amend", "target": 3, "event": moved}) == ["no-such-entry"]
    assert refusal(log, {"kind": "amend", "target": 3, "event": moved | {"before": 2}}) == []


def test_an_inserted_hand_keeps_its_place_when_amended():
    log = record(begin(), hand(1, s2=10, s3=10), {"kind": "insert", "before": 2, "event": hand(3, s1=1, s2=2)})
    log = record(log, {"kind": "amend", "target": 3, "event": hand(2, s1=5, s3=6)})
    assert [(played.entry, played.winner) for played in play(log).hands] == [(3, 2), (2, 1)]

    moved = {"kind": "insert", "before": 2, "event": {"kind": "void"}}
    log = record(log, {"kind": "amend", "target": 3, "event": moved})
    assert [played.is_void for played in play(log).hands] == [True, False]


def test_two_hands_that_each_belong_before_the_other_both_count():
    log = record(begin(), hand(1, s2=10, s3=10), hand(2, s1=20, s3=20), hand(3, s1=1, s2=2))
    for target, before, event in ((2, 3, hand(1, s2=10, s3=10)), (3, 2, hand(2, s1=20, s3=20))):
        moved = {"kind": "insert", "before": before, "event": event}
        log = record(log, {"kind": "amend", "target": target, "event": moved})

    assert [played.entry for played in play(log).hands] == [4, 2, 3]
    # 20 + 1, 10 + 2, 10 + 20
    assert [player.total for player in play(log).players.values()] == [21, 12, 30]


def test_a_long_chain_of_undos_decides_about_the_entry_at_its_start():
    """Each of 3,000 undos undoes the one before it; an even number of them cancels out."""
    log = record(begin(), {"kind": "join", "name": "Dan", "points": 0})
    log += [Entry(number, Undo(number - 1)) for number in range(3, 3003)]

    assert [player.name for player in play(log).playing] == ["Ann", "Ben", "Cat", "Dan"]
    assert len(play(log[:-1]).playing) == 3


def test_claims_are_about_the_current_contract_or_the_last_one_after_the_end():
    log = begin("jamaican", house={"game_hands": 2})
    claimed = [play(log).claimed_hand]
    for _ in range(2):
        log = record(log, hand(1, s2=10, s3=20))
        claimed.append(play(log).claimed_hand)

    assert claimed == [1, 2, 2]
    assert play(record(begin(), hand(1, s2=10, s3=20))).claimed_hand == 1  # no contracts: any hand is like the first


def test_a_corrected_setup_applies_from_the_start():
    log = record(begin(), hand(2, "kalooki", s1=10, s3=149))
    log = record(log, {"kind": "setup", "dealer": 3, "stakes": {"kalooki": 40}, "house": {"limit": 100}})
    game = play(log)

    assert (game.hands[0].dealer, game.balances[2], game.players[3].playing) == (3, 80 - 50, False)
    assert play(record(log, {"kind": "setup", "stakes": None, "settle": "cash"})).stakes is None
    assert play(record(log, {"kind": "undo", "target": 3})).players[3].playing


def test_an_impossible_amended_setup_is_refused_even_before_a_later_one():
    log = record(begin(), {"kind": "setup", "dealer": 2}, {"kind": "setup", "stakes": {"initial": 10}})

    assert refusal(log, {"kind": "amend", "target": 2, "event": {"kind": "setup", "dealer": 9}}) == ["no-such-seat"]
    few = record(begin("jamaican", "ABCDEFG", house={"game_hands": 5}), {"kind": "setup", "house": {"game_hands": 6}},
                 {"kind": "setup", "dealer": 2})  # fmt: skip
    longer = {"kind": "setup", "house": {"game_hands": 9}}
    assert refusal(few, {"kind": "amend", "target": 2, "event": longer}) == ["too-many-players"]
