"""Avatars: every seat has a colour, players may choose another colour and an emoji, and a rematch keeps both."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.evening import rematch
from app.kalooki.game.events import COLOURS, Avatar, from_json
from app.kalooki.game.play import opening_entry, play
from tests.kalooki.table_talk import begin, hand, record, refusal


def avatars(log):
    return [player.avatar for player in play(log).players.values()]


def test_seats_get_different_colours_in_order():
    assert avatars(begin()) == [Avatar("blue"), Avatar("red"), Avatar("green")]
    assert len(set(COLOURS)) == 10


def test_a_new_avatar_replaces_the_old_one_until_undone():
    log = record(begin(), {"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"})
    assert avatars(log)[1] == Avatar("teal", "🦊")

    log = record(log, {"kind": "face", "seat": 2, "colour": "pink"})
    assert avatars(log)[1] == Avatar("pink")

    assert avatars(record(log, {"kind": "undo", "target": 3}))[1] == Avatar("teal", "🦊")


def test_an_avatar_can_be_changed_after_the_end():
    log = record(begin(), {"kind": "stop", "pool": "refund"}, {"kind": "face", "seat": 1, "colour": "grey"})
    assert avatars(log)[0] == Avatar("grey")


def test_an_avatar_for_a_missing_seat_is_refused():
    assert refusal(begin(), {"kind": "face", "seat": 4, "colour": "red"}) == ["no-such-seat"]
    start = from_json({"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "faces": {"3": {}}})
    assert [fault.rule for fault in opening_entry(start)[2]] == ["no-such-seat"]


def test_a_joiner_gets_the_colour_of_the_next_seat():
    assert avatars(record(begin(), {"kind": "join", "name": "Dan"}))[3] == Avatar("orange")


def test_a_start_may_have_avatars_for_some_seats():
    log = begin(faces={"1": {"emoji": "🐻"}, "3": {"colour": "brown"}})
    assert avatars(log) == [Avatar("blue", "🐻"), Avatar("red"), Avatar("brown")]


def test_a_rematch_keeps_the_avatars_of_its_players():
    log = record(
        begin(),
        {"kind": "face", "seat": 3, "colour": "teal", "emoji": "🦊"},
        hand(1, s2=20, s3=35),
        {"kind": "leave", "seat": 1},
    )
    again = rematch(log, play(log))
    assert again.players == ("Ben", "Cat")
    assert again.avatars == {1: {"colour": "red", "emoji": None}, 2: {"colour": "teal", "emoji": "🦊"}}


@pytest.mark.parametrize("emoji", ["fox", "🦊🦊", "", 7, "🦊" * 17])
def test_an_avatar_has_exactly_one_emoji(emoji):
    with pytest.raises(BadInput) as unreadable:
        from_json({"kind": "face", "seat": 1, "colour": "red", "emoji": emoji})
    assert unreadable.value.field == "emoji"


def test_an_avatar_has_one_of_the_offered_colours():
    with pytest.raises(BadInput) as unreadable:
        from_json({"kind": "face", "seat": 1, "colour": "mauve"})
    assert unreadable.value.field == "colour"
