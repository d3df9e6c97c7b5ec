"""Requests that nobody made: their late answers change nothing on the device. And every answer says whose it is."""

import re

import pytest

from app.views.errors import FRESH_TOKEN
from app.views.responses import SCRIPT_HEADER, UNASKED, static_path
from tests.conftest import application
from tests.pages import start, words

BY_ITSELF, BY_SCRIPT = {UNASKED: "1"}, {SCRIPT_HEADER: "1"}
TOKEN = re.compile(r'name="csrf_token" value="([^"]*)"')
HAND = {"seen": "1", "submission": "one", "number": "1", "winner": "1", "ending": "going_out", "left-2": "28"}


@pytest.fixture
def app(database_url):
    """The application as it runs: forms need a token."""
    return application(database_url, WTF_CSRF_ENABLED=True)


@pytest.fixture
def scorer(client):
    return start(client)


@pytest.fixture
def game(client, scorer):
    """The address of a game in which the device has just got a right; its cookie has no token yet."""
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    return f"/g/{scorer.code}"


def token_in(answer):
    return TOKEN.search(answer.text)[1]


@pytest.mark.parametrize("path", ["/", "/help", "/games"])
def test_a_first_request_that_nobody_made_sets_no_cookie(client, path):
    answer = client.get(path, headers=BY_ITSELF)
    assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (200, [])
    assert "Cookie" in answer.headers["Vary"]


def test_a_form_kept_unasked_has_no_token_before_the_device_has_one_and_then_that_one(client, game):
    assert token_in(client.get(f"{game}/hand", headers=BY_ITSELF)) == ""
    shown = token_in(client.get(f"{game}/hand"))
    kept = token_in(client.get(f"{game}/hand", headers=BY_ITSELF))
    for token in (shown, kept):
        preview = client.post(f"{game}/hand/look", data=HAND | {"csrf_token": token})
        assert preview.status_code != 400, words(preview.text)


@pytest.mark.parametrize("is_late", [True, False])
def test_of_two_parallel_visits_the_workers_takes_no_token_away(app, client, scorer, game, is_late):
    """Both carry the cookie without a token; the browser stores the cookies in the order of the answers."""
    other = app.test_client()
    other.get(f"{game}/s/{scorer.secret}")  # the same cookie in a second connection
    shown, by_itself = client.get(f"{game}/hand"), other.get(f"{game}/hand", headers=BY_ITSELF)
    answers = [shown, by_itself] if is_late else [by_itself, shown]
    device = app.test_client()
    device.get(f"{game}/s/{scorer.secret}")
    for answer in answers:
        for cookie in answer.headers.getlist("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            device.set_cookie(name, value)
    saved = device.post(f"{game}/hand", data=HAND | {"csrf_token": token_in(shown), "do": "save"})
    assert saved.status_code == 303, words(saved.text)


def test_a_script_whose_token_is_old_gets_a_fresh_one_and_nobody_else_does(client, game):
    client.get(f"{game}/hand")
    for old in ("", "of another visit"):
        refused = client.post(f"{game}/hand", data=HAND | {"csrf_token": old, "do": "save"}, headers=BY_SCRIPT)
        assert (refused.status_code, SCRIPT_HEADER in refused.headers) == (400, True)
    plain = client.post(f"{game}/hand", data=HAND | {"do": "save"})
    assert (plain.status_code, FRESH_TOKEN in plain.headers) == (400, False)
    fresh = refused.headers[FRESH_TOKEN]
    saved = client.post(f"{game}/hand", data=HAND | {"csrf_token": fresh, "do": "save"}, headers=BY_SCRIPT)
    assert saved.status_code == 204


def test_a_message_waits_for_a_page_that_somebody_sees(client, game):
    token = token_in(client.get(f"{game}/hand"))
    client.post(f"{game}/hand", data=HAND | {"csrf_token": token, "do": "save"})
    assert "Saved" not in words(client.get(f"{game}/hand", headers=BY_ITSELF).text)
    assert "Saved" in words(client.get(game).text)


def test_the_sample_game_outlives_a_home_page_that_nobody_opened(client):
    token = token_in(client.get("/"))
    sample = client.post("/try", data={"csrf_token": token}).location
    client.get("/", headers=BY_ITSELF)
    assert client.get(sample).status_code == 200
    client.get("/")
    assert client.get(sample).status_code != 200


def test_every_answer_of_ours_is_marked(client, scorer, game):
    known = {"If-None-Match": client.get(f"{game}/version").headers["ETag"]}
    answers = [
        *(
            client.get(path)
            for path in ("/", game, f"{game}/version", f"{game}/board", "/sw.js", "/nothing", "/g/NOTHERE")
        ),
        client.get(f"{game}/version", headers=known),
        client.get(f"{static_path()}/js/page.js"),
        client.get(f"{game}/s/{scorer.secret}"),
        client.get(f"/api/v1/games/{scorer.code}/sheet.json"),
        client.post("/new"),
        client.put("/new"),
    ]
    statuses = [answer.status_code for answer in answers]
    assert {200, 303, 304, 400, 404, 405} <= set(statuses)
    assert [each.request.path for each in answers if SCRIPT_HEADER not in each.headers] == []
