"""Undos, amendments, forgotten hands and corrected setups."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.corrections import is_correction
from app.kalooki.game.events import Undo, from_json, to_json
from app.kalooki.game.play import Entry, from_record, game_before, play
from tests.kalooki.table_talk import begin, hand, record


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


def test_a_correction_targets_neither_the_start_nor_a_later_entry():
    start = to_json(begin()[0].event)
    for event in (*({"kind": "undo", "target": entry} for entry in (1, 2)),
                  {"kind": "insert", "before": 9, "event": {"kind": "void"}}):  # fmt: skip
        with pytest.raises(BadInput, match="Entry 2"):
            from_record([start, event])


def test_a_long_chain_of_undos_decides_about_the_entry_at_its_start():
    """Each of 3,000 undos undoes the one before it; an even number of them cancels out."""
    log = record(begin(), {"kind": "join", "name": "Dan", "points": 0})
    log += [Entry(number, Undo(number - 1)) for number in range(3, 3003)]

    assert [player.name for player in play(log).playing] == ["Ann", "Ben", "Cat", "Dan"]
    assert len(play(log[:-1]).playing) == 3


def test_there_is_no_game_before_an_undone_entry():
    log = record(begin(), hand(1, s2=20, s3=30), {"kind": "undo", "target": 2})

    assert game_before(log, 2) is None
    assert game_before(log, 9) is None
