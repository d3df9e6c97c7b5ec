"""The JSON interface to games: what a script may send, and how it is told what is wrong."""

import json
from html import unescape

import pytest

from tests.json_scorer import Scorer
from tests.pages import Alice, hand

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

API = "/api/v1"
GAME = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
BEGUN = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}


def start(client, **told):
    return client.post(f"{API}/games", json=GAME | told)


def imported(client, *events):
    return client.post(f"{API}/games/import", json={"log": [{"event": event} for event in events]})


def error(answer):
    assert answer.status_code == 422
    return answer.json["error"]


@pytest.mark.parametrize("rules", [{"dealt": []}, {"packs": 10**9}, {"contracts": [1]}, {"joker_left": -50}, {"x": 1}])
def test_a_game_with_values_nobody_could_play_is_not_imported(client, rules):
    answer = imported(client, BEGUN | {"rules": rules})

    assert error(answer)["field"] == f"log.1.event.rules.{next(iter(rules))}"


@pytest.mark.parametrize(
    ("told", "rule"),
    [
        ({"players": []}, "fewer-than-two"),
        ({"players": ["Ann"]}, "fewer-than-two"),
        ({"players": ["Ann", "ann"]}, "name-taken"),
        ({"players": ["Ann", "Ben"], "dealer": 3}, "no-such-seat"),
        ({"players": [f"P{seat}" for seat in range(1, 10)]}, "too-many-players"),
    ],
)
def test_a_game_nobody_could_play_is_neither_started_nor_imported(client, told, rule):
    for answer in (start(client, **told), imported(client, BEGUN | told)):
        assert error(answer)["code"] == rule
        assert answer.json["faults"][0]["rule"] == rule


ACUTE = "\u0301"
ODD_NAMES = {
    "\u202eAnn\u202c": "Ann",
    "Z" + 39 * ACUTE: "Ź" + 2 * ACUTE,
    "a\tb\x00\x1f\x85": "a b",
    "\u3164Ze\u200bd": "Zed",
    "👩\u200d🍳": "👩\u200d🍳",
    "علی\u200cرضا": "علی\u200cرضا",
}


@pytest.mark.parametrize(("sent", "kept"), ODD_NAMES.items())
def test_a_name_is_cleaned_before_it_is_recorded_and_every_page_shows_it(app, sent, kept):
    alice = Alice(app, players=(sent, "Ben"))
    alice.record({"kind": "rename", "seat": 2, "name": "x" + sent}, hand(1, s2=5))
    assert [player["name"] for player in alice.scorer.state()["players"]] == [kept, "x" + kept]
    for path in ("", "/history", "/sheet", "/settle"):
        assert kept in unescape(alice.get(path).text)
    assert alice.client.get(f"{API}/games/{alice.code}/sheet.csv").status_code == 200


JAMAICAN = BEGUN | {"variant": "jamaican"}


def test_too_many_entries_are_the_logs_fault(client):
    assert error(imported(client, *[JAMAICAN] * 10_001))["field"] == "log"


@pytest.mark.parametrize("levels", [60, 600, 970, 5000])
def test_a_ruling_nested_without_end_is_neither_saved_nor_imported(client, levels):
    made = start(client).json
    claim = "[" * levels + "]" * levels
    ruling = f'{{"kind": "ruling", "claim": {claim}, "verdict": {{}}, "note": "n"}}'
    begun = '{"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}'
    secret = {"Authorization": f"Bearer {made['scorer']}", "Content-Type": "application/json"}
    entries = f"{API}/games/{made['code']}/entries"

    for address, sent in (
        (entries, f'{{"seen": 1, "submission": "s", "event": {ruling}}}'),
        (f"{API}/games/import", f'{{"log": [{{"event": {begun}}}, {{"event": {ruling}}}]}}'),
    ):
        assert error(client.post(address, data=sent, headers=secret))["code"] == "unreadable"


@pytest.mark.parametrize("levels", [200, 900, *range(950, 1000, 5)])
def test_anything_nested_without_end_is_refused_wherever_it_stands(client, levels):
    deep = "[" * levels + "]" * levels
    for address, field in (("games", "variant"), ("check/turn", "steps"), ("deck", "holdings"), ("count", "cards")):
        sent = f'{{"variant": "european", "hand": "", "{field}": {deep}}}'
        assert error(client.post(f"{API}/{address}", data=sent, content_type="application/json"))["field"] == "body"


def test_half_a_letter_is_no_json(client):
    assert error(imported(client, BEGUN | {"rules": {"ace": "\ud800"}}))["field"] == "body"


def test_too_much_at_once_is_said_to_be_too_much(client):
    answer = client.post(f"{API}/games", data=b" " * (4 * 1024 * 1024 + 1))

    assert answer.status_code == 413
    assert answer.json["error"].keys() == {"code", "message", "field", "word"}


def test_a_bare_ace_is_unreadable_where_its_colour_scores(client):
    answer = Scorer(client, GAME | {"variant": "jamaican"}).send(hand(1, s2="A KH", s3="Ared"))

    said = error(answer)
    assert (said["code"], said["field"], said["word"]) == ("unreadable", "left.2", "A")
    assert answer.json["faults"][0]["rule"] == "ace-without-colour"


def test_a_refused_method_names_those_that_are_allowed(client):
    answer = client.put(f"{API}/games")

    assert answer.status_code == 405
    assert answer.json["error"]["code"] == "method_not_allowed"
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


def test_a_devices_cookie_writes_on_the_pages_only(app):
    alice = Alice(app)
    body = {"seen": 1, "submission": "s", "event": {"kind": "void"}}
    # what a form on another page could send in her name
    forged = alice.client.post(f"{API}/games/{alice.code}/entries", data=json.dumps(body), content_type="text/plain")

    assert forged.status_code == 403
    assert alice.table.seen == 1
    assert alice.get("/hand").status_code == 200


def test_links_begin_with_the_address_the_server_is_known_by(app, client):
    made = start(client).json
    assert made["links"]["state"] == f"http://localhost{API}/games/{made['code']}"

    app.config["BASE_URL"] = "https://cards.example"
    made = start(client).json
    assert made["links"]["entries"] == f"https://cards.example{API}/games/{made['code']}/entries"


def test_who_stops_a_game_with_money_in_the_pool_says_what_becomes_of_it(app):
    alice = Alice(app)
    for preview in (True, False):
        said = error(alice.scorer.send({"kind": "stop"}, preview=preview))
        assert (said["code"], said["field"]) == ("pool-unsaid", "pool")
        assert "what happens to it" in said["message"]
    state = alice.scorer.record({"kind": "stop", "pool": "refund"})
    assert (state["status"], state["shares"]) == ("over", {"1": 50, "2": 50, "3": 50})
    assert state["log"][-1]["event"] == {"kind": "stop", "pool": "refund"}


def test_a_game_without_money_is_stopped_without_a_word_about_a_pool(app):
    assert Alice(app, stakes=None).scorer.record({"kind": "stop"})["status"] == "over"


@pytest.mark.parametrize(("seen", "behind"), [("", None), ("?seen=0", None), ("?seen=2", None), ("?seen=3", True)])
def test_a_game_with_fewer_entries_than_somebody_has_seen_says_that_it_is_behind(app, client, seen, behind):
    alice = Alice(app).record(hand(1, s2=35, s3=5))
    state = client.get(f"{API}/games/{alice.code}{seen}").json
    assert (state["seen"], state.pop("behind", None)) == (2, behind)
    assert state == alice.scorer.state()


@pytest.mark.parametrize("seen", ["", "x", "-1", "1.0", "²", "12 13", "1000001", "9" * 5000, "\0", "true"])
def test_what_is_no_number_of_an_entry_is_refused_as_seen(app, client, seen):
    wrong = error(client.get(f"{API}/games/{Alice(app).code}", query_string={"seen": seen}))
    assert (wrong["code"], wrong["field"], wrong["word"]) == ("unreadable", "seen", seen[:60])
