"""Faces on pages and in the JSON interface: chosen for a seat, shown beside the name, never instead of it."""

import re

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, stakes=None)


def test_a_colour_and_a_sign_are_chosen_for_a_seat_without_a_preview(alice):
    form = alice.get("/enter/face?seat=2").text
    assert 'name="colour" type="radio" value="red"' in form
    assert alice.send("/enter/face", do="save", seat="2", colour="teal", emoji="🦊").status_code == 303
    assert alice.events() == [{"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"}]
    assert "New colour or emoji: Ben" in alice.see("/history")
    assert "🦊 Teal" in alice.see("/history")


def test_a_face_without_a_sign_is_told_by_its_colour_alone(alice):
    alice.record({"kind": "face", "seat": 3, "colour": "brown"})
    assert "Brown" in alice.see("/history")
    assert "None" not in alice.see("/history")


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


def test_the_face_stands_beside_the_name_on_board_hands_and_table_view(alice):
    alice.record({"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"}, hand(1, s2=20, s3=35))
    shown = (
        '<span class="face face-teal" aria-hidden="true">🦊</span> <span class="face-name" translate="no">Ben</span>'
    )
    assert alice.get().text.count(shown) == 2  # the board, and the head of the table of hands
    assert shown in alice.get("/table").text


def test_the_line_of_the_chart_has_the_colour(alice):
    alice.record(hand(1, s2=20, s3=35), {"kind": "face", "seat": 2, "colour": "teal"})
    assert 'stroke="#0b716c"' in alice.get("/sheet").text


START = {"variant": "european", "dealer": "0", "do": "start", "players-0-name": "Ben", "players-1-name": "Ann"}


def test_who_played_here_before_is_offered_and_sits_down_with_a_tap(alice):
    page = alice.client.get("/new").text
    assert re.findall(r'data-known="(\w+)"', page) == ["Ann", "Ben", "Cat"]
    page = alice.client.post("/new", data=START | {"players-1-name": "", "do": "known-Cat"}).text
    assert re.findall(r'name="players-\d-name"[^>]*value="(\w*)"', page) == ["Ben", "Cat"]
    page = alice.client.post("/new", data=START | {"do": "known-Cat"}).text
    assert re.findall(r'name="players-\d-name"[^>]*value="(\w*)"', page) == ["Ben", "Ann", "Cat"]
    assert re.search(r'data-known="Cat" disabled', page)


def test_nobody_is_seated_twice(alice):
    page = alice.client.post("/new", data=START | {"do": "known-ann"}).text
    assert re.findall(r'name="players-\d-name"[^>]*value="(\w*)"', page) == ["Ben", "Ann"]


def test_a_chosen_face_comes_along_to_the_next_game(alice):
    alice.record({"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"})
    code = alice.client.post("/new", data=START | {"submission": "one"}).location.removeprefix("/g/")
    players = alice.client.get(f"/api/v1/games/{code}").json["players"]
    assert [(each["name"], each["colour"], each["emoji"]) for each in players] == [
        ("Ben", "teal", "🦊"), ("Ann", "blue", None),
    ]  # fmt: skip
    assert alice.client.post("/new", data=START | {"submission": "one"}).location == f"/g/{code}"


def colours_of(client, *names):
    """The colours in a game that these people start on this device, by name."""
    typed = {f"players-{place}-name": name for place, name in enumerate(names)}
    started = client.post("/new", data={"variant": "european", "money": "", **typed, "do": "start"})
    state = client.get(f"/api/v1/games/{started.location.rsplit('/', 1)[-1]}").json
    return {player["name"]: player["colour"] for player in state["players"]}


def test_a_colour_stays_with_its_player_who_sits_elsewhere_next_time(app):
    """Eve, who is new, sits where Ann sat, but blue is Ann's: she gets the first colour that is free."""
    client = app.test_client()
    assert colours_of(client, "Ann", "Ben", "Cat") == {"Ann": "blue", "Ben": "red", "Cat": "green"}
    assert colours_of(client, "Eve", "Cat", "Ann") == {"Eve": "red", "Cat": "green", "Ann": "blue"}
    # Ben was red before Eve was: she sits after him
    assert colours_of(client, "Ben", "Eve", "Ann") == {"Ben": "red", "Eve": "green", "Ann": "blue"}
