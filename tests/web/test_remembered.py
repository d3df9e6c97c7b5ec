"""Place and notes on pages and in the JSON interface: asked, shown, mended, kept."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.pages import Alice, hand, words

pytestmark = pytest.mark.one_app

START = {"variant": "european", "players-0-name": "Ann", "players-1-name": "Ben", "dealer": "0"}


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)


def test_place_and_note_of_a_game_are_asked_at_the_start(client):
    answer = client.post("/new", data=START | {"do": "start", "place": " Ann’s  kitchen ", "note": "Rain."})
    assert answer.status_code == 303
    state = client.get(f"/api/v1{answer.location.replace('/g/', '/games/')}").json
    assert (state["place"], state["note"]) == ("Ann’s kitchen", "Rain.")
    assert "Ann’s kitchen · Rain." in words(client.get(f"{answer.location}/history").text)


def test_as_last_time_means_the_same_place_and_no_note(client):
    client.post("/new", data=START | {"do": "start", "place": "The Bell", "note": "Rain."})
    page = client.get("/new?again=1").text
    assert 'value="The Bell"' in page
    assert "Rain." not in page


def test_a_place_that_is_too_long_is_said_and_kept(client):
    answer = client.post("/new", data=START | {"do": "start", "place": "x" * 61})
    assert answer.status_code == 422
    assert "Write at most 60 characters." in answer.text
    assert f'value="{"x" * 61}"' in answer.text


def test_the_setup_mends_place_and_note(alice):
    alice.record({"kind": "setup", "place": "The Bell", "note": "Rain."})
    form = alice.get("/enter/setup").text
    assert 'value="The Bell"' in form
    assert 'value="Rain."' in form
    kept = {"dealer": "1", "out_at": "limit", "settle": "account"}
    alice.send("/enter/setup", do="save", **kept, place="", note="Rain.")
    assert alice.events()[-1] == {"kind": "setup", "place": ""}
    assert "Place: –" in alice.see("/history")


def test_a_note_to_a_hand_is_previewed_saved_shown_and_corrected(alice):
    typed = {"winner": "1", "ending": "going_out", "points_2": "20", "points_3": "35"}
    assert (
        'name="note" value="Ben’s birthday"' in alice.send("/hand", do="preview", **typed, note="Ben’s birthday").text
    )
    alice.send("/hand", do="save", **typed, note="Ben’s birthday")
    assert alice.events() == [hand(1, s2=20, s3=35) | {"note": "Ben’s birthday"}]
    assert "Ben’s birthday" in alice.see("/history")
    assert 'value="Ben’s birthday"' in alice.get("/correct/2").text
    alice.send("/correct/2", do="save", **typed, note="Ben’s day")
    assert alice.client.get(f"/api/v1/games/{alice.code}").json["hands"][0]["note"] == "Ben’s day"


def test_a_note_that_is_too_long_is_said_at_the_note(alice):
    typed = {"winner": "1", "ending": "going_out", "points_2": "20", "points_3": "35"}
    answer = alice.send("/hand", do="save", **typed, note="x" * 201)
    assert answer.status_code == 422
    assert '<a href="#note">' in answer.text


def test_the_board_says_who_shuffles_and_who_cuts(alice):
    assert "Ann shuffles, Cat cuts" in alice.see()
    assert "Ann shuffles, Cat cuts" in alice.see("/table")
    alice.record(hand(1, s2=20, s3=35))
    assert "Ben shuffles, Ann cuts" in alice.see()


@pytest.mark.parametrize(
    ("variant", "house", "told"),
    [
        ("european", {}, "European Kalooki, out at 150 ·"),
        ("european", {"out_at": "over_limit", "limit": 120}, "European Kalooki, out over 120 ·"),
        ("classic", {"limit": 500, "scoring": "winner_collects"}, "Classic Kalooki, first to 500 ·"),
        ("kalooki-51", {}, "Kalooki 51, no limit ·"),
        ("jamaican", {}, "Jamaican Kalooki, 9 hands ·"),
    ],
)
def test_the_board_says_what_ends_the_game(app, variant, house, told):
    assert told in Alice(app, variant, house=house).see()


def test_the_board_says_how_long_was_played(alice):
    began = datetime.now(UTC)
    alice.record({"kind": "setup", "place": "The Bell"})
    assert "played" not in alice.see()
    alice.app.config["CLOCK"] = lambda: began + timedelta(minutes=80, seconds=5)
    alice.record(hand(1, s2=20, s3=35))
    assert "1 h 20 min played" in alice.see()
    alice.record({"kind": "stop"})
    assert "1 h 20 min played" in alice.see()
