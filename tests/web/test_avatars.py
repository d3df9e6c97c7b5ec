"""Faces on pages and in the JSON interface: chosen for a seat, shown beside the name, never instead of it."""

import pytest

from tests.pages import Alice, start_by_form

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, stakes=None)


def test_the_state_tells_every_face(alice):
    alice.record({"kind": "face", "seat": 3, "colour": "brown"})
    players = alice.client.get(f"/api/v1/games/{alice.code}").json["players"]
    assert [(each["colour"], each["emoji"]) for each in players] == [("blue", None), ("red", None), ("brown", None)]


START = {"variant": "european", "dealer": "0", "do": "start", "players-0-name": "Ben", "players-1-name": "Ann"}


def test_a_chosen_face_comes_along_to_the_next_game(alice):
    alice.record({"kind": "face", "seat": 2, "colour": "teal", "emoji": "🦊"})
    code = start_by_form(alice.client, START, submission="one").code
    players = alice.client.get(f"/api/v1/games/{code}").json["players"]
    assert [(each["name"], each["colour"], each["emoji"]) for each in players] == [
        ("Ben", "teal", "🦊"), ("Ann", "blue", None),
    ]  # fmt: skip
    assert alice.client.post("/new", data=START | {"submission": "one"}).location == f"/g/{code}"


def colours_of(client, *names):
    """The colours in a game that these people start on this device, by name."""
    typed = {f"players-{place}-name": name for place, name in enumerate(names)}
    table = start_by_form(client, {"variant": "european", "money": ""}, **typed, do="start")
    return {player["name"]: player["colour"] for player in client.get(f"/api/v1/games/{table.code}").json["players"]}


def test_a_colour_stays_with_its_player_who_sits_elsewhere_next_time(app):
    """Eve, who is new, sits where Ann sat, but blue is Ann's: she gets the first colour that is free."""
    client = app.test_client()
    assert colours_of(client, "Ann", "Ben", "Cat") == {"Ann": "blue", "Ben": "red", "Cat": "green"}
    assert colours_of(client, "Eve", "Cat", "Ann") == {"Eve": "red", "Cat": "green", "Ann": "blue"}
    # Ben was red before Eve was: she sits after him
    assert colours_of(client, "Ben", "Eve", "Ann") == {"Ben": "red", "Eve": "green", "Ann": "blue"}
