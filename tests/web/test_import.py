"""A saved game imported by page: its file or its text, what it becomes shown first, saved by a second tap."""

import html
import io
import json
import re
from datetime import UTC, datetime
from uuid import uuid4

import pypdf
import pytest

from tests.json_scorer import Scorer, of_the_game
from tests.pages import EURO

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

START = {
    "variant": "european",
    "players": ["Ann", "Ben", "Cat"],
    "stakes": EURO,
    "house": {"limit": 100, "buy_ins": 0},
    "zone": "Europe/Prague",
}
# Ben 10 + 10 + 15 = 35, Cat 58 · Ann 20, Cat 58 + 61 = 119: out · Ben 35 + 70 = 105: out. Ann has the pool of 150:
# −50 + 20 − 20 + 10 + 150 = 110; Ben −50 − 10 + 40 − 10 = −30; Cat −50 − 10 − 20 = −80.
HANDS = (
    {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH QD *", "3": {"points": 58}}},
    {"kind": "hand", "winner": 2, "ending": "kalooki", "left": {"1": {"points": 20}, "3": {"points": 61}}},
    {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 70}}},
)


@pytest.fixture
def scorer(client):
    """A finished game with rules of its own."""
    played = Scorer(client, START)
    for hand in HANDS:
        played.record(hand)
    return played


@pytest.fixture
def file(client, scorer):
    """The file its sheet's page saves."""
    return client.get(f"/api/v1/games/{scorer.code}/sheet.json").data


def log_of(*events):
    """A saved game with these entries, as bytes."""
    return json.dumps({"log": [{"event": event} for event in events]}).encode()


def send(client, contents, do="show", **more):
    """The page after a file was sent."""
    sent = {"do": do, "saved": (io.BytesIO(contents), "game.json")} | more
    return client.post("/copy/saved", data=sent, follow_redirects=True)


def carried(page):
    """What the page that shows a game sends at the second tap."""
    fields = re.findall(r'<input type="hidden" name="(submission|pasted)" value="([^"]*)"', page.text)
    assert [name for name, _value in fields] == ["submission", "pasted"]
    return {name: html.unescape(value) for name, value in fields}


def take_in(client, page):
    """The page after the second tap."""
    assert 'name="do" value="save"' in page.text
    return client.post("/copy/saved", data=carried(page) | {"do": "save"}, follow_redirects=True)


def texts(page):
    """The words of a page, line by line."""
    return [html.unescape(text).strip() for text in re.findall(r">([^<>]+)<", page.text) if text.strip()]


def state_of(client, page):
    assert page.request.path.startswith("/g/"), page.text
    return client.get(f"/api/v1{page.request.path.replace('/g/', '/games/')}").json


def test_what_a_file_becomes_is_shown_before_anything_is_saved(app, file):
    phone = app.test_client()
    page = send(phone, file)
    said = texts(page)
    assert page.status_code == 200
    assert "Ann won" in said
    assert any(line.startswith("European Kalooki · ") and line.endswith("· 3 hands") for line in said)
    cells = re.findall(r"<tr><th scope=\"row\"><span dir=\"auto\">(\w+)</span>(.*?)</tr>", page.text)
    rows = [[name, *re.sub("<[^>]+>", " ", rest).split()] for name, rest in cells]
    assert rows == [
        ["Ann", "20", "+1,10", "€"],
        ["Ben", "out", "105", "−0,30", "€"],
        ["Cat", "out", "119", "−0,80", "€"],
    ]
    assert [line for line in said if re.search(r" pays \w+ \d", line)] == [
        "Ben pays Ann 0,30\N{NO-BREAK SPACE}€",
        "Cat pays Ann 0,80\N{NO-BREAK SPACE}€",
    ]
    rules = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?) <span class=\"detail\">(.*?)</span>", page.text)
    assert rules == [
        ("Limit", "100 points", "usually 150 points"),
        ("Buy-ins for each player", "never", "usually twice"),
    ]
    assert 'href="/g/' not in phone.get("/").text


def test_the_second_tap_takes_it_in_as_it_was(app, scorer, file):
    phone = app.test_client()
    page = take_in(phone, send(phone, file))
    assert of_the_game(state_of(phone, page)) == of_the_game(scorer.state())
    code = page.request.path.removeprefix("/g/")
    assert code != scorer.code
    assert code in phone.get("/").text
    saved = phone.get(f"/api/v1/games/{code}/sheet.json").json["log"]
    assert saved == json.loads(file)["log"], "the times and the names of who recorded are kept"


def test_its_text_is_as_good_as_the_file(app, scorer, file):
    phone = app.test_client()
    page = phone.post("/copy/saved", data={"do": "show", "pasted": "\r\n " + file.decode().replace("\n", "\r\n")})
    assert of_the_game(state_of(phone, take_in(phone, page))) == of_the_game(scorer.state())


def test_the_state_of_a_game_copied_from_another_server_is_a_log_too(app, client, scorer):
    phone = app.test_client()
    page = phone.post("/copy/saved", data={"do": "show", "pasted": client.get(f"/api/v1/games/{scorer.code}").text})
    assert state_of(phone, take_in(phone, page))["players"][2]["total"] == 119


def test_the_file_a_pdf_carries_comes_back_as_a_game(app, client, scorer):
    pdf = pypdf.PdfReader(io.BytesIO(client.get(f"/api/v1/games/{scorer.code}/sheet.pdf").data))
    phone = app.test_client()
    page = take_in(phone, send(phone, next(iter(pdf.attachments.values()))[0]))
    assert [player["total"] for player in state_of(phone, page)["players"]] == [20, 105, 119]


def test_two_taps_on_the_same_page_are_one_game(client, file):
    page = send(client, file)
    assert take_in(client, page).request.path == take_in(client, page).request.path
    other = carried(page) | {"do": "save"}
    other["pasted"] = other["pasted"].replace("KH QD", "KH JD")
    assert "already imported another game" in client.post("/copy/saved", data=other).text


def test_a_game_this_device_has_already_is_named(app, file):
    phone = app.test_client()
    assert "has this game already" not in send(phone, file).text
    code = take_in(phone, send(phone, file)).request.path
    again = send(phone, file).text
    assert "This device has this game already." in again
    assert f'href="{code}"' in again


def test_entries_that_make_no_sense_are_told_and_kept(app):
    start = {"kind": "start", "variant": "classic", "players": ["Ann", "Ben"]}
    absent = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 5}, "4": {"points": 7}}}
    phone = app.test_client()
    page = send(phone, log_of(start, absent))
    assert "Doesn’t count: hand 1. 4 is not in the game and cannot score in it." in texts(page)
    state = state_of(phone, take_in(phone, page))
    assert [fault["entry"] for fault in state["faults"]] == [2]


def brought_at(client, *times):
    log = [
        {"event": {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "stakes": None}, "at": times[0]}
    ]
    log += [{"event": HANDS[2] | {"winner": 1}, "at": at} for at in times[1:]]
    return client.post("/api/v1/games/import", json={"log": log, "submission": str(uuid4())})


def test_no_entry_is_from_a_time_to_come(app, client):
    """Such a game would never be old enough to be deleted."""
    app.config["CLOCK"] = lambda: datetime(2026, 11, 28, 17, 0, tzinfo=UTC)
    times = ["2026-11-21T20:15:00Z", "2026-11-28T17:00:01Z", "2044-01-01T00:00:00Z", "2026-11-21T21:15:00+01:00", ""]
    code = brought_at(client, *times).json["code"]
    log = client.get(f"/api/v1/games/{code}").json["log"]
    stored = ["2026-11-21T20:15:00Z", "2026-11-28T17:00:00Z", "2026-11-28T17:00:00Z", "2026-11-21T20:15:00Z", ""]
    assert [entry["at"] for entry in log] == stored


@pytest.mark.parametrize(
    "at", ["zzz", "9999-12-31T23:59:59Z", "yesterday", 1_764_000_000, ["2026"], "2026-13-01T00:00:00Z"]
)
def test_what_is_no_time_is_refused_at_its_entry(client, at):
    refused = brought_at(client, "2026-11-21T20:15:00Z", at)
    assert (refused.status_code, refused.json["error"]["field"]) == (422, "log.2.at")
    assert "isn’t a time" in refused.json["error"]["message"]


def test_what_going_out_all_at_once_is_called_is_one_of_two_words(client):
    start = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "rules": {"kalooki_ending": "zzz"}}
    refused = client.post("/api/v1/games/import", json={"log": [{"event": start}], "submission": str(uuid4())})
    assert (refused.status_code, refused.json["error"]["word"]) == (422, "zzz")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_not_json_is_refused_wherever_it_stands(client, word):
    body = (
        f'{{"log": [{{"event": {{"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}}, "by": {word}}}]}}'
    )
    refused = client.post("/api/v1/games/import", data=body, content_type="application/json")
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "unreadable")


def test_what_is_odd_but_allowed_is_told(app):
    start = {"kind": "start", "variant": "european", "players": [*"ABCDEF"], "stakes": None}
    page = send(app.test_client(), log_of(start))
    assert "European Kalooki is usually played by 2–5, not 6." in texts(page)


@pytest.mark.parametrize(
    "contents",
    [
        *(b"", b"%PDF-1.7", b"[]", b"{}", b'{"log": []}', b'{"log": [1]}', b'{"log": {}}', b"\xff\xfe", b"[" * 100_000),
        b'{"log": [{"event": {"kind": "\\ud800"}}]}',
    ],
)
def test_any_other_file_is_refused(client, contents):
    page = send(client, contents)
    assert page.status_code == 422
    assert "This is not a saved game." in page.text
    assert ("It is a PDF: open it, save the file attached to it" in page.text) is contents.startswith(b"%PDF")


def test_a_file_that_breaks_off_says_in_which_line(client, file):
    lines = file.decode().splitlines()
    page = send(client, "\n".join(lines[:9]).encode())
    assert "This saved game is cut off or damaged at line 9." in page.text


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([{"players": ["Ann"]}], "A game needs at least two players."),
        ([{"variant": "whist"}], "Entry 1 of this game cannot be read: There is no variant “whist”."),
        ([{"house": {"limit": "much"}}], "Entry 1 of this game cannot be read: house.limit: “much” is"),
        (
            [{}, {"kind": "hand", "winner": 1, "ending": "flying", "left": {}}],
            "Entry 2 of this game cannot be read: ending: “flying” is not one of",
        ),
        ([{}, HANDS[0], {"kind": "buy_in"}], "Entry 3 of this game cannot be read: seat is missing."),
        ([{}, {"kind": "start", "variant": "classic", "players": ["Ann", "Ben"]}], "Entry 2 cannot be “start”."),
        ([{"zone": "Mars/Phobos"}], "Entry 1 of this game cannot be read: zone: “Mars/Phobos” isn’t a time zone."),
    ],
)
def test_a_game_that_cannot_be_read_says_at_which_entry(client, events, said):
    start = {"kind": "start", "variant": "classic", "players": ["Ann", "Ben"]} | events[0]
    page = send(client, log_of(start, *events[1:]))
    assert page.status_code == 422
    assert any(line.startswith(said) for line in texts(page)), texts(page)
    assert "log." not in " ".join(texts(page))


def test_a_second_tap_without_the_name_of_its_page_is_refused(client, file):
    assert "This page was sent without its name." in send(client, file, do="save", submission="").text


def test_a_long_game_comes_through_both_taps(app):
    """Longer than any other form may be: it comes as one field, and as much of it as the interface takes."""
    start = {"kind": "start", "variant": "classic", "players": ["Ann", "Ben"]}
    told = {"kind": "void", "reason": "the longest reason that somebody gives, with ♠ and ♥ in it"}
    entries = [{"event": start}, *({"event": told, "at": "2026-11-21T20:15:00Z", "by": "Ann’s phone"},) * 999]
    contents = json.dumps({"log": entries}, indent=4).encode()
    assert 256 * 1024 < len(contents) < 1024 * 1024
    phone = app.test_client()
    page = send(phone, contents)
    assert len(carried(page)["pasted"].encode()) > 130 * 1024
    assert state_of(phone, take_in(phone, page))["seen"] == 1000
    pasted = phone.post("/copy/saved", data={"do": "show", "pasted": contents.decode()})
    assert pasted.status_code == 200
    assert send(phone, contents + b" " * 1024 * 1024).status_code == 413


def test_it_is_offered_beside_the_file(client, scorer):
    assert 'href="/copy/saved"' in client.get(f"/g/{scorer.code}/sheet").text
