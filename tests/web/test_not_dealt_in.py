"""Players who were not dealt into a hand, on every page and in every file. Sums are worked out by hand."""

import csv
import io

import pytest

from app.games.recording import open_game
from app.history.timeline import effective_timeline
from app.sheets.result import result_of
from app.sheets.score_sheet import rows_of
from tests.json_scorer import import_game
from tests.pages import Alice, words

pytestmark = pytest.mark.one_app

FOUR = ("Ann", "Ben", "Cat", "Dan")


def hand(winner, absent=(), **left):
    held = {seat.removeprefix("s"): {"points": points} for seat, points in left.items()}
    event = {"kind": "hand", "winner": winner, "ending": "going_out", "left": held}
    return event | ({"absent": list(absent)} if absent else {})


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR)


TYPED = {"winner": "1", "ending": "going_out", "left_2": "30", "left_4": "12"}


def test_the_form_offers_it_for_every_player_and_the_review_says_it(alice):
    page = alice.get("/hand").text
    for seat in (1, 2, 3, 4):
        assert f'name="absent-{seat}"' in page

    review = alice.send("/hand", do="preview", absent_3="y", **TYPED)
    assert "Cat not dealt in 0" in words(review.text)
    assert alice.send("/hand", do="save", absent_3="y", **TYPED).status_code == 303
    assert alice.events()[-1]["absent"] == [3]
    assert alice.totals == [0, 30, 0, 12]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "What is Cat left with? Type the cards or their points, or say “not dealt in”."),
        ({"absent_3": "y", "left_3": "5"}, "Cat can’t hold cards without being dealt in."),
        ({"absent_3": "y", "absent_1": "y"}, "Ann won this hand, so they were dealt in."),
        (
            {"absent_3": "y", "absent_2": "y", "absent_4": "y", "left_2": "", "left_4": ""},
            "At least two players are dealt into a hand.",
        ),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_stays(alice, fields, text):
    answer = alice.send("/hand", do="save", **TYPED | fields)
    assert answer.status_code == 422
    assert text in words(answer.text)
    assert ('checked id="absent-3"' in answer.text) is bool(fields)


def test_game_history_sheet_and_spreadsheet_say_it_and_never_print_nothing(app, alice):
    alice.record(hand(1, [3], s2=30, s4=12), hand(3, s1=5, s2=6, s4=7))
    assert "not dealt in" in alice.see()
    assert "Cat not dealt in" in alice.see("/history")
    assert "not dealt in" in alice.see("/sheet")
    with app.app_context():
        first = next(row for row in rows_of(open_game(alice.code)) if row.number == 1)
    cells = [(cell.points, cell.total) for cell in first.cells]
    assert cells == [("• ✓", "0"), ("30", "30"), ("not dealt in", ""), ("12", "12")]

    answer = alice.client.get(f"/api/v1/games/{alice.code}/sheet.csv?separator=comma")
    text = answer.text.removeprefix("\ufeff")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["hand"] == "1"]
    told = {row["player"]: (row["result"], row["points"], row["total"]) for row in rows}
    assert told["Cat"] == ("not dealt in", "", "0")
    assert told["Ben"] == ("lost", "30", "30")


def test_json_tells_who_was_absent_and_warns_of_a_hand_that_names_nobody(alice):
    alice.record(hand(1, s2=100, s3=50, s4=60), hand(1, s2=52, s3=10, s4=10), hand(1, s3=20, s4=20))
    correction = {"kind": "amend", "target": 3, "event": hand(1, s2=42, s3=10, s4=10)}
    for preview in (True, False):
        answer = alice.scorer.send(correction, preview=preview).json
        assert "Hand 3 has nothing for Ben, so they count as not dealt in." in answer["warnings"]
        (_, _, third) = answer["state"]["hands"]
        assert (third["absent"], sorted(third["scores"])) == ([2], ["1", "3", "4"])
    later = {"kind": "penalty", "seat": 3, "points": 5, "reason": "late"}
    assert alice.scorer.send(later, seen=5).json["warnings"] == []


def test_json_names_the_field_of_what_is_refused(alice):
    cases = {
        "absent": [hand(1, [1], s2=3, s3=4, s4=5), hand(1, [2, 3, 4]), hand(1, [9], s2=3, s3=4, s4=5)],
        "left.2": [hand(1, s3=4, s4=5), hand(1, [2], s2=1, s3=4, s4=5)],
        "calls.2": [hand(1, [2], s3=4, s4=5) | {"calls": {"2": 1}}],
    }
    for field, events in cases.items():
        for event in events:
            answer = alice.scorer.send(event)
            assert (answer.status_code, answer.json["error"]["field"]) == (422, field), event
    answer = alice.scorer.send(hand(1, ["x"], s2=3, s3=4, s4=5))
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "absent.0")


def test_an_import_counts_a_hand_that_lacks_somebody_and_warns(alice):
    start = alice.table.log.entries[0].event
    brought = import_game(alice.client, [start, hand(1, s2=30, s4=12)])
    assert brought.started["warnings"] == ["Hand 1 has nothing for Cat, so they count as not dealt in."]
    state = brought.state()
    assert ([player["total"] for player in state["players"]], state["faults"]) == ([0, 30, 0, 12], [])


def test_a_blank_row_of_a_hand_sent_late_is_not_taken_for_absence(alice):
    alice.record(hand(1, s2=1, s3=2, s4=3))
    typed = {"seen": "2", "submission": "late", "number": "2", "winner": "1", "ending": "going_out"}
    typed |= {"left-2": "5", "left-3": "", "left-4": "20", "do": "save"}
    alice.record({"kind": "rename", "seat": 4, "name": "Dot"})
    answer = alice.sent("/hand", typed)
    assert "is in the game again" not in words(answer.text)
    assert "What is Cat left with?" in words(answer.text)


def test_hindsight_and_points_leave_out_who_was_absent(alice):
    event = hand(1, [3], s2=30, s4=12)
    event["left"]["2"] = "KH QH JH"
    alice.record(event)
    assert "Cat:" not in alice.see("/hands/2")
    assert "Cat:" not in alice.see("/hands/2/best")


def test_the_picture_of_the_result_has_a_dash_for_who_was_absent(app, alice):
    alice.record(hand(1, [3], s2=30, s4=12))
    with app.test_request_context():
        (column,) = result_of(open_game(alice.code)).columns
    assert column.cells == ("✓", "30", "–", "12")


def test_the_timeline_gains_nothing_for_who_was_absent(app, alice):
    alice.record(hand(1, [3], s2=30, s4=12))
    with app.app_context():
        item = next(item for item in effective_timeline(open_game(alice.code)) if item.hand)
    assert [gain.seat for gain in item.gains] == [1, 2, 4]
