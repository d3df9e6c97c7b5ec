"""The day of a game can be corrected when the clock of the server was wrong; when entries were recorded stays."""

import csv
import io
from datetime import UTC, datetime

import pytest

from tests.pages import Alice, start, words

pytestmark = pytest.mark.one_app

HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 30}, "3": {"points": 12}}}


@pytest.fixture
def alice(app):
    """A game begun while the clock stood at the beginning of 1970; then the clock was put right."""
    clock = app.config["CLOCK"]
    app.config["CLOCK"] = lambda: datetime(1970, 1, 1, 12, 5, tzinfo=UTC)
    alice = Alice(app, zone="Europe/London").record(HAND)
    app.config["CLOCK"] = lambda: datetime(2026, 11, 29, 1, 30, tzinfo=UTC)
    yield alice
    app.config["CLOCK"] = clock


def state(alice):
    return alice.client.get(f"/api/v1/games/{alice.code}").json


def test_every_surface_tells_the_corrected_day_and_entries_keep_their_time(alice):
    assert "1 Jan 1970" in alice.see("/sheet")
    alice.record({"kind": "setup", "day": "2026-11-28"})
    told = state(alice)
    assert (told["day"], told["log"][0]["at"], told["log"][1]["at"]) == (
        "2026-11-28", "1970-01-01T12:05:00Z", "1970-01-01T12:05:00Z",
    )  # fmt: skip
    assert "Details of the game corrected" not in alice.see("/sheet")
    for path in ("/sheet", "/result"):
        page = alice.see(path)
        assert "28 Nov" in page, path
        assert "1970" not in page, path
    assert "28 Nov" in alice.client.get("/").text
    exported = alice.client.get(f"/api/v1/games/{alice.code}/sheet.csv?separator=comma")
    rows = list(csv.DictReader(io.StringIO(exported.text.removeprefix("\ufeff"))))
    assert {row["date"] for row in rows} == {"2026-11-28"}
    assert "2026-11-28" in exported.headers["Content-Disposition"]
    assert "1970" not in exported.headers["Content-Disposition"]
    assert "Played on Sat 28 Nov 2026" in alice.see("/history")


def test_the_last_correction_counts_and_undoing_it_gives_the_first_day_back(alice):
    alice.record({"kind": "setup", "day": "2026-11-28"}, {"kind": "setup", "day": "2026-11-27"})
    assert state(alice)["day"] == "2026-11-27"
    alice.record({"kind": "setup", "place": "Leeds"})
    assert state(alice)["day"] == "2026-11-27"
    alice.record({"kind": "undo", "target": 3}, {"kind": "undo", "target": 4})
    assert state(alice)["day"] == "1970-01-01"


@pytest.mark.parametrize("day", ["2026-11-30", "9999-12-31"])
def test_a_day_in_the_future_is_refused(alice, day):
    for event in ({"kind": "setup", "day": day}, {"kind": "setup", "day": day, "place": "Leeds"}):
        answer = alice.scorer.send(event)
        assert (answer.status_code, answer.json["error"]["field"]) == (422, "day")
    assert "is in the future" in answer.json["error"]["message"]


def test_today_is_the_day_at_the_table(app):
    """At 1:30 in London it is still yesterday in Jamaica."""
    clock = app.config["CLOCK"]
    app.config["CLOCK"] = lambda: datetime(2026, 11, 29, 1, 30, tzinfo=UTC)
    jamaica = Alice(app, zone="America/Jamaica")
    assert jamaica.scorer.send({"kind": "setup", "day": "2026-11-29"}).status_code == 422
    assert jamaica.scorer.send({"kind": "setup", "day": "2026-11-28"}).status_code == 201
    app.config["CLOCK"] = clock


@pytest.mark.parametrize("day", ["2026-02-30", "2026-13-01", "0000-01-01", "28.11.2026", "20261128", "", 20261128])
def test_what_is_no_day_is_refused(alice, day):
    answer = alice.scorer.send({"kind": "setup", "day": day})
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "day")


def test_the_page_corrects_it(alice):
    page = alice.get("/enter/setup").text
    assert 'type="date" value="1970-01-01"' in page
    fields = {"dealer": "1", "settle": "account", "day": "2026-11-30"}
    review = alice.sent("/enter/setup", fields | {"do": "preview"})
    assert "2026-11-30 is in the future." in review.text
    assert alice.sent("/enter/setup", fields | {"do": "save", "day": "2026-11-28"}).status_code == 303
    assert alice.events()[-1]["day"] == "2026-11-28"
    assert state(alice)["day"] == "2026-11-28"


def test_games_of_one_evening_are_settled_by_the_corrected_day(app, alice):
    alice.record({"kind": "stop", "pool": "refund"}, {"kind": "setup", "day": "2026-11-28"})
    other = start(alice.client, zone="Europe/London")
    alice.client.get(f"/g/{other.code}/s/{other.secret}")
    assert other.state()["day"] == "2026-11-29"
    # begun at 1:30, that game belongs to the evening of the 28th
    page = words(alice.client.get("/evening").text)
    assert "Ben pays Ann" in page
