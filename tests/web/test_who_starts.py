"""Who may start games: everyone, whoever knows the word, or nobody; all else stays open to everyone."""

import json
import re

import jsonschema_rs
import pytest

from app import create_app, log
from app.interface.openapi import document
from app.views.limits import LIMITS
from tests.pages import START_FORM, Alice, hand, words

pytestmark = pytest.mark.one_app

START = {"variant": "european", "players": ["Ann", "Ben"], "stakes": None}
SHEET = START_FORM | {"names": "Ann, Ben", "dealt_first": "1", "do": "save"}
SHEET |= {"cell-0-1": "✓", "cell-0-2": "20", "winner-0": "1"}
NO_GAME_NEEDED = (
    *("/", "/new", "/copy", "/copy/saved", "/check", "/rules", "/help", "/sheets", "/games"),
    *("/api/v1/variants", "/api/v1/find?variant=european&q=joker", "/api/v1/openapi.json"),
)


@pytest.fixture
def alice(app):
    """A game begun before."""
    return Alice(app, players=("Ann", "Ben"))


@pytest.fixture
def asks(app, alice):
    """The server asks for a word."""
    app.config |= {"STARTS": "word", "START_WORD": "Red Joker"}


@pytest.fixture
def closed(app, alice):
    """The server starts nothing."""
    app.config |= {"STARTS": "nobody"}


def saved(alice):
    return json.dumps(alice.client.get(f"/api/v1/games/{alice.code}/sheet.json").json)


def ways(alice):
    """Every way to start a game on a page: where to, and what is sent."""
    brought = {"pasted": saved(alice), "submission": "page-2", "do": "save"}
    again = START_FORM | {"rematch_of": alice.code}
    return {"/new": START_FORM, "/copy": SHEET, "/copy/saved": brought, "/try": {"zone": ""}, "/new?again=1": again}


def fields(page):
    """What the page would send again, without its word."""
    return dict(re.findall(r'<input type="hidden" name="(\S+?)" value="(.*?)">', page.replace("&#34;", '"')))


WAYS = ("/new", "/copy", "/copy/saved", "/try", "/new?again=1")


def test_home_offers_no_new_game_where_nobody_may_start_one(app, alice, closed):
    for client in (app.test_client(), alice.client):
        page = client.get("/").text
        assert "This server starts no games now." in words(page)
        assert not any(offer in page for offer in ('href="/new', 'action="/try"'))
    assert f'href="/g/{alice.code}"' in page


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_start_asks_for_the_word_and_keeps_what_was_typed(app, alice, asks, way):
    client, sent = app.test_client(), ways(alice)[way]
    asked = client.post(way, data=sent)
    assert asked.status_code == 403
    assert "Which word?" in words(asked.text)
    assert fields(asked.text) == sent
    wrong = client.post(way, data=sent | {"word": "black joker"})
    assert (wrong.status_code, "That is not the word" in words(wrong.text)) == (403, True)
    assert fields(wrong.text) == sent
    begun = client.post(way, data=sent | {"word": " red  JOKER "})
    assert begun.status_code == 303
    assert client.get(begun.location).status_code == 200


@pytest.mark.parametrize("way", WAYS)
def test_where_nobody_may_start_no_way_does(app, alice, closed, way):
    refused = app.test_client().post(way, data=ways(alice)[way] | {"word": "red joker"})
    assert refused.status_code == 403
    assert "No new games here" in words(refused.text)
    assert 'name="word"' not in refused.text


def test_a_device_that_gave_the_word_is_not_asked_again_until_there_is_another(app, alice, asks):
    client = app.test_client()
    client.post("/new", data=START_FORM | {"word": "red joker"})
    assert client.post("/new", data=START_FORM | {"submission": "page-3"}).status_code == 303
    assert "asks for a word" not in words(client.get("/new").text)
    app.config["START_WORD"] = "black joker"
    assert client.post("/new", data=START_FORM | {"submission": "page-4"}).status_code == 403
    assert "asks for a word" in words(client.get("/new").text)


def test_a_cookie_does_not_tell_the_word(app, asks):
    client = app.test_client()
    client.post("/new", data=START_FORM | {"word": "red joker"})
    with client.session_transaction() as session:
        assert not re.search("joker", str(dict(session)), re.IGNORECASE)
        assert session["word"]


@pytest.mark.parametrize("path", ["/new", "/copy", "/copy/saved"])
def test_a_page_says_before_anything_is_typed_that_nobody_starts_games(app, closed, path):
    assert "This server starts no games now." in words(app.test_client().get(path).text)


@pytest.mark.parametrize("who", ["asks", "closed"])
def test_all_else_stays_open(app, alice, request, who):
    request.getfixturevalue(who)
    alice.record(hand(1, s2=20))
    assert alice.table.seen == 2
    assert [path for path in NO_GAME_NEEDED if app.test_client().get(path).status_code != 200] == []
    assert app.test_client().get(f"/g/{alice.code}").status_code == 200
    assert app.test_client().post("/copy", data=SHEET | {"do": "check"}).status_code == 200
    assert app.test_client().post("/new", data=START_FORM | {"do": "add"}).status_code == 200
    judged = app.test_client().post("/api/v1/check/meld", json={"variant": "european", "cards": "4H 5H 6H"})
    assert judged.json["ok"] is True


def schema_of(path, status):
    told = document()
    answer = told["paths"][path]["post"]["responses"][str(status)]["content"]["application/json"]["schema"]
    return answer | {"components": told["components"]}


@pytest.mark.parametrize("path", ["/games", "/games/import"])
def test_in_json_the_word_comes_with_the_start(app, alice, asks, path):
    client, sent = app.test_client(), START if path == "/games" else json.loads(saved(alice))
    for word, status in (({}, 403), ({"word": "black joker"}, 403), ({"word": ""}, 422), ({"word": "red joker"}, 201)):
        answer = client.post(f"/api/v1{path}", json=sent | word)
        assert answer.status_code == status
        assert jsonschema_rs.is_valid(schema_of(path, status), answer.json), answer.json
        if status == 403:
            assert (answer.json["error"]["code"], answer.json["error"]["field"]) == ("not_open", "word")
    client.post("/new", data=START_FORM | {"word": "red joker"})
    assert client.post(f"/api/v1{path}", json=sent).status_code == 403  # a neighbouring site could send the cookie


@pytest.mark.parametrize("path", ["/games", "/games/import"])
def test_in_json_nobody_starts_anything_either(app, alice, closed, path):
    sent = START if path == "/games" else json.loads(saved(alice))
    answer = app.test_client().post(f"/api/v1{path}", json=sent | {"word": "red joker"})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_open")


@pytest.mark.parametrize("path", ["/games", "/games/import"])
def test_where_everyone_may_start_a_word_does_no_harm(app, alice, path):
    sent = START if path == "/games" else json.loads(saved(alice))
    assert app.test_client().post(f"/api/v1{path}", json=sent | {"word": "any word"}).status_code == 201


def test_wrong_words_are_limited_but_not_who_gave_the_right_one(database, monkeypatch):
    monkeypatch.setitem(LIMITS, "words", LIMITS["words"]._replace(most="2 per hour"))
    told = {"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False}
    app = create_app(told | {"STARTS": "word", "START_WORD": "red joker"})
    known, client = app.test_client(), app.test_client()

    def tried(word, submission, client=client):
        return client.post("/new", data=START_FORM | {"word": word, "submission": submission}).status_code

    assert tried("red joker", "a", known) == 303
    assert [tried("blue joker", "b"), tried("", "c"), tried("red joker", "d")] == [403, 403, 303]
    assert [tried("pink joker", "e", app.test_client()), tried("red joker", "f", app.test_client())] == [403, 429]
    assert app.test_client().post("/api/v1/games", json=START | {"word": "red joker"}).status_code == 429
    assert tried("", "g", known) == 303
    log.close_database(app)
