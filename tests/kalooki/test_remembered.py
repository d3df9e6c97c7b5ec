"""What a table writes down besides the score: where it plays, notes, who agreed to a hand and who did not."""

import pytest

from app.kalooki.game.play import play
from app.kalooki.game.rematch import rematch
from tests.kalooki.table_talk import begin, hand, record, refusal


def test_a_setup_changes_place_and_note_each_alone_and_takes_them_away():
    log = begin(place="Ann’s kitchen", note="Rain.")
    assert (play(log).place, play(log).note) == ("Ann’s kitchen", "Rain.")

    log = record(log, {"kind": "setup", "place": "The Bell"})
    assert (play(log).place, play(log).note) == ("The Bell", "Rain.")

    log = record(log, {"kind": "setup", "note": ""})
    assert (play(log).place, play(log).note) == ("The Bell", "")


def test_a_rematch_is_played_at_the_same_place_with_no_note():
    log = begin(place="The Bell", note="Rain.")

    again = rematch(log, play(log))

    assert (again.place, again.note) == ("The Bell", "")


def test_a_hand_keeps_its_note_who_agreed_and_who_objected():
    said = {"note": "Cat’s first Kalooki", "agreed": [2], "objected": {"3": "I had 12"}}
    log = record(begin(), hand(1, s2=20, s3=35) | said, {"kind": "void"})

    won, void = play(log).hands

    assert (won.note, won.agreed, won.objected) == ("Cat’s first Kalooki", (2,), {3: "I had 12"})
    assert (void.note, void.agreed, void.objected) == ("", (), {})


@pytest.mark.parametrize("said", [{"agreed": [4]}, {"objected": {"4": "no"}}])
def test_only_who_sits_here_agrees_or_objects(said):
    assert refusal(begin(), hand(1, s2=20, s3=35) | said) == ["no-such-seat"]
