"""The day and the time are those of the table, in its own time zone; the log itself keeps UTC."""

import json
from datetime import UTC, datetime

import pytest

from app.days import server_zone
from tests.clock import Clock
from tests.json_scorer import import_game
from tests.pages import START_FORM, Alice, hand, start_by_form, words

pytestmark = pytest.mark.one_app

# a quarter past eight in the evening of 21 November in Kingston is a quarter past one of the 22nd in UTC
EVENING = datetime(2026, 11, 22, 1, 15, tzinfo=UTC)
KINGSTON = "America/Jamaica"

SPOKEN = {"2026-11-21": "Sat 21 Nov 2026", "2026-11-22": "Sun 22 Nov 2026"}


@pytest.fixture(autouse=True)
def clock(app):
    app.config["CLOCK"] = Clock()
    app.config["CLOCK"].time = EVENING
    return app.config["CLOCK"]


@pytest.fixture
def alice(app):
    return Alice(app, zone=KINGSTON).record(hand(1, s2=5, s3=6))


def sheet(alice, suffix):
    answer = alice.client.get(f"/api/v1/games/{alice.code}/sheet.{suffix}")
    assert answer.status_code == 200
    return answer


def test_the_state_and_the_log_tell_the_zone_and_keep_utc(alice):
    state = alice.scorer.state()
    assert state["zone"] == KINGSTON
    assert state["log"][0]["event"]["zone"] == KINGSTON
    assert [entry["at"] for entry in state["log"]] == ["2026-11-22T01:15:00Z"] * 2


def test_sheet_text_rows_and_file_names_show_the_day_of_the_table(alice):
    assert "Sat 21 Nov 2026" in words(sheet(alice, "html").text)
    assert sheet(alice, "txt").text.startswith("European Kalooki, Sat 21 Nov 2026\n")
    rows = sheet(alice, "csv").text.splitlines()[1:]
    assert rows
    assert {row.split(",")[2] for row in rows} == {"2026-11-21"}
    for suffix in ("csv", "json", "txt", "html"):
        assert "Kalooki 2026-11-21 20.15 " in sheet(alice, suffix).headers["Content-Disposition"]


def test_an_export_brought_back_keeps_the_zone(app, alice):
    record = json.loads(sheet(alice, "json").text)
    assert record["log"][0]["at"] == "2026-11-22T01:15:00Z"
    assert import_game(app.test_client(), record["log"]).state()["zone"] == KINGSTON


def test_history_shows_the_time_of_the_table(alice):
    page = alice.get("/history").text
    assert '<time datetime="2026-11-22T01:15:00Z">Sat 21 Nov 20:15</time>' in page
    assert "UTC" not in words(page)


def test_lists_of_games_show_the_day_of_the_table(alice):
    alice.get()
    alice.record(hand(2, s1=10, s3=6), {"kind": "stop", "pool": "refund"})
    for address in ("/", "/games", "/evening"):
        assert "Sat 21 Nov" in words(alice.client.get(address).text), address
        assert "2026" not in words(alice.client.get(address).text), address


def test_a_day_of_another_year_says_so(alice, clock):
    alice.get()
    clock.move(days=60)
    assert "Sat 21 Nov 2026" in words(alice.client.get("/games").text)


@pytest.mark.parametrize(
    ("server", "day"), [("America/Jamaica", "2026-11-21"), ("Asia/Tokyo", "2026-11-22"), ("UTC", "2026-11-21")]
)
def test_without_a_zone_the_servers_own_holds(app, monkeypatch, server, day):
    """In UTC it is after midnight, still the evening of the 21st."""
    monkeypatch.setenv("TZ", server)
    alice = Alice(app)
    assert alice.scorer.state()["zone"] == server
    assert "zone" not in alice.scorer.state()["log"][0]["event"]
    assert SPOKEN[day] in words(sheet(alice, "html").text)


def test_a_server_that_names_no_zone_has_one_all_the_same(monkeypatch):
    monkeypatch.setenv("TZ", "nowhere")
    assert server_zone()


@pytest.mark.parametrize(("told", "kept"), [(KINGSTON, KINGSTON), ("Etc/Unknown", None), ("", None), ("<b>", None)])
def test_a_game_started_on_a_page_takes_the_zone_its_browser_tells(client, told, kept):
    assert start_by_form(client, zone=told).log.entries[0].event.get("zone") == kept


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Kiritimati", "Pacific/Honolulu", KINGSTON])
def test_a_sheet_copied_back_is_of_the_day_it_was_played(client, zone):
    grid = {"names": "Ann, Ben", "dealt_first": "1", "cell-0-1": "✓", "cell-0-2": "12"}
    told = {**START_FORM, **grid, "zone": zone, "day": "2024-02-29", "do": "save"}
    code = client.post("/copy", data=told).location[3:]
    assert "Thu 29 Feb 2024" in words(client.get(f"/api/v1/games/{code}/sheet.html").text)
