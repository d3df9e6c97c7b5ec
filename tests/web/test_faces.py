"""Faces on pages and in the JSON interface: chosen for a seat, shown beside the name, never instead of it."""

import pytest

from tests.pages import Alice


@pytest.fixture
def alice(app):
    return Alice(app, stakes=None)


def test_a_colour_and_a_sign_are_chosen_for_a_seat_without_a_preview(alice):
    form = alice.get("/enter/face?seat=2").text
    assert 'name="colour" type="radio" value="red"' in form
    assert alice.send("/enter/face", do="save", seat="2", colour="teal", emoji="🦊").status_code == 303
    assert alice.events() == [{"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"}]
    assert "Ben has a new face" in alice.see("/history")
    assert "🦊 Teal" in alice.see("/history")


def test_the_state_tells_every_face(alice):
    alice.record({"kind": "face", "seat": 3, "colour": "brown"})
    players = alice.client.get(f"/api/v1/games/{alice.code}").json["players"]
    assert [(each["colour"], each["emoji"]) for each in players] == [("blue", None), ("red", None), ("brown", None)]


def test_a_sign_that_is_not_offered_is_kept_where_it_was_recorded(alice):
    alice.record({"kind": "face", "seat": 1, "colour": "grey", "emoji": "🇯🇲"})
    assert 'type="radio" value="🇯🇲"' in alice.get("/enter/face/2").text


def test_a_word_is_no_sign(alice):
    answer = alice.send("/enter/face", do="save", seat="2", colour="teal", emoji="fox")
    assert answer.status_code == 422
    assert alice.events() == []
