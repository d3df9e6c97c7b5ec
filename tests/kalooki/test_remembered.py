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


def test_the_player_on_the_dealers_right_cuts_of_those_still_in():
    """Rule the-cut; play goes clockwise, so the right is the seat before the dealer's."""
    log = begin(players=("Ann", "Ben", "Cat", "Dan"), dealer=1)
    assert play(log).cutter == 4
    log = record(log, hand(1, s2=10, s3=20, s4=5))
    assert (play(log).next_dealer, play(log).cutter) == (2, 1)
    log = record(log, {"kind": "leave", "seat": 1})
    assert (play(log).next_dealer, play(log).cutter) == (2, 4)


def test_who_is_alone_cuts_for_themselves():
    log = record(begin(players=("Ann", "Ben")), {"kind": "leave", "seat": 2})
    assert play(log).cutter == play(log).next_dealer == 1
