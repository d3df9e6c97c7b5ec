"""What a table writes down besides the score: where it plays, and notes."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.evening import rematch
from app.kalooki.game.events import from_json, read_new, to_json
from app.kalooki.game.play import play
from tests.kalooki.table_talk import begin, hand, record


def test_a_rematch_keeps_the_place_but_not_the_note():
    log = begin(place="The Bell", note="Rain.")

    again = rematch(log, play(log))

    assert (again.place, again.note) == ("The Bell", "")


def test_a_hand_keeps_its_note_and_in_a_log_of_0_3_the_players_answers():
    said = {"note": "Cat’s first Kalooki", "agreed": [2], "objected": {"3": "I had 12"}}
    raw = hand(1, s2=20, s3=35) | said

    won, void = play(record(begin(), raw, {"kind": "void"})).hands

    assert (won.note, void.note) == ("Cat’s first Kalooki", "")
    assert to_json(won.event) == raw


@pytest.mark.parametrize("said", [{"agreed": [2]}, {"objected": {"3": "no"}}])
def test_new_hands_cannot_have_players_answers(said):
    raw = hand(1, s2=20, s3=35) | said
    for event in (raw, {"kind": "amend", "target": 2, "event": raw}, {"kind": "insert", "before": 2, "event": raw}):
        with pytest.raises(BadInput, match="is not known here"):
            read_new(event)


def test_in_an_earlier_log_a_payment_settled_with_other_games_is_read_as_any_payment():
    paid = {"kind": "paid", "from": 2, "to": 1, "amount": 20}
    earlier = paid | {"together": True}

    assert from_json(earlier) == from_json(paid)
    for event in (earlier, {"kind": "amend", "target": 2, "event": earlier}):
        with pytest.raises(BadInput, match="is not known here"):
            read_new(event)
