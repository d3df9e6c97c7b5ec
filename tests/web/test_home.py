"""Home: where every evening begins."""

import re

import pytest

from tests.json_scorer import import_game, send
from tests.pages import Alice, hand, start_by_form, words

pytestmark = pytest.mark.one_app

LOUD = re.compile(r'(?s)<a class="[^"]*button-primary[^"]*" href="([^"]+)">(.*?)</a>')


def test_games_started_here_are_listed_newest_first(client):
    first = start_by_form(client).code
    second = start_by_form(client, **{"players-1-name": "Cat", "submission": "s-2"}).code
    page = client.get("/").text
    assert 0 < page.index(second) < page.index(first)
    assert "Ann, Cat" in page
    assert "European Kalooki, hand 1" in page


def loud(page):
    """Address and words of the filled buttons, first to last."""
    return [(link[1], words(link[2])) for link in LOUD.finditer(page)]


def test_home_begins_with_the_game_that_is_played(client, clock):
    assert loud(client.get("/").text) == [("/new", "New game")]
    code = start_by_form(client).code
    page = client.get("/").text
    said = words(re.search(rf'(?s)<a href="/g/{code}".*?</a>', page)[0])
    assert said == "Continue: Ann, Ben European Kalooki, hand 1 · No hand played yet · Sat 21 Nov, from 20:15"
    assert page.index("Continue:") < page.index("New game") < page.index(">Referee</a>") < page.index(">Print</a>")


def test_a_game_imported_beside_itself_is_marked_as_a_copy(client, app):
    alice = Alice(app).record(hand(1, s2=20, s3=30))
    copy = import_game(client, alice.scorer.state()["log"])
    client.get(f"/g/{copy.code}/s/{copy.secret}")
    client.get(f"/g/{alice.code}/s/{alice.scorer.secret}")
    for path in ("/", "/games"):
        marked = {
            item.partition("/g/")[2][: len(copy.code)]
            for item in client.get(path).text.split("<li")
            if "· copy" in item
        }
        assert marked == {copy.code}


def test_a_game_that_is_over_leaves_the_place_to_the_one_still_played(client, app):
    running = start_by_form(client).code
    over = Alice(app)
    over.client = client
    client.get(f"/g/{over.code}/s/{over.scorer.secret}")
    over.record(hand(1, s2=151, s3=151))
    assert over.table.game.finish
    assert re.findall(r'href="/g/(\w+)"', client.get("/").text) == [running, over.code]


def test_a_stranger_sees_none_of_them(client, app):
    code = start_by_form(client).code
    assert code not in app.test_client().get("/").text


def test_a_finished_game_names_its_winner(client, app):
    code = start_by_form(client, variant="kalooki-51").code
    with client.session_transaction() as cookie:
        secret = cookie["games"][0][1]
    for seen, event in enumerate((hand(2, s1="KH"), {"kind": "end"}), 1):
        assert send(client, code, secret, event, seen=seen).status_code == 201
    assert "Ben won ·" in words(client.get("/").text)


def test_only_the_games_opened_last_are_listed(client):
    codes = [start_by_form(client, submission=f"s-{number}").code for number in range(6)]
    page = client.get("/").text
    assert [code in page for code in codes] == [False] * 4 + [True] * 2
    assert "All 6 games" in page
    assert codes[0] in client.get("/games").text
