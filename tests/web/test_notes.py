"""The footnotes of a score sheet: corrections, rulings and what no row shows."""

import re

import pytest

from app.games.recording import open_game
from app.sheets.score_sheet import rows_of, score_sheet
from tests.pages import EURO, hand, start

pytestmark = pytest.mark.one_app


@pytest.fixture
def scorer(client):
    scorer = start(client, "european", ["Ann", "Ben", "Cat"], stakes=EURO)
    scorer.record(hand(1, s2="KH", s3="QD JD"))
    return scorer


@pytest.fixture
def told(app, scorer):
    """What the sheet says after some more entries: each row's label and text, and the notes on it; no plain hand."""

    def after(*events):
        for event in events:
            scorer.record(event)
        with app.app_context():
            rows = [*rows_of(open_game(scorer.code))]
        clock = re.compile(r"\d\d:\d\d \(script\)")
        said = [(row.label, row.text, *(clock.sub("T", note[2:]) for note in row.notes)) for row in rows]
        return [row for row in said if len(row) > 2 or row[1]]

    return after


def test_a_game_as_recorded_needs_no_notes(told):
    assert told() == []


def test_a_correction_says_when_and_what_it_changed(told):
    better = hand(2, "kalooki", s1="5C", s3="QD JD 2C")
    changed = "won by Ben, not Ann; Kalooki, not going out; Ann 5, not 0; Ben 0, not 10; Cat 22, not 20"
    assert told({"kind": "amend", "target": 2, "event": better}) == [("1", "", f"Hand 1: Corrected at T: {changed}.")]


def test_only_the_last_correction_that_stands_is_told(told):
    first = {"kind": "amend", "target": 2, "event": hand(1, s2="9H", s3="QD JD")}
    second = {"kind": "amend", "target": 2, "event": hand(1, s2="8H", s3="QD JD")}
    found = told(first, second, {"kind": "undo", "target": 4})
    assert found == [("1", "", "Hand 1: Corrected at T: Ben 9, not 10.")]


def test_a_correction_of_cards_that_count_the_same_needs_no_note(told):
    assert told({"kind": "amend", "target": 2, "event": hand(1, s2="KD", s3="QD JD")}) == []


def test_a_hand_that_was_void_after_all(told):
    found = told({"kind": "amend", "target": 2, "event": {"kind": "void"}})
    assert found == [("", "Hand 1: redeal – nobody scores · dealt by Ann", "Corrected at T: a redeal, not won by Ann.")]


def test_what_was_undone_is_not_on_the_sheet(told):
    inserted = {"kind": "insert", "before": 2, "event": hand(3, s1="2C", s2="3C")}
    penalty = {"kind": "penalty", "seat": 2, "points": 10, "amount": 30, "reason": "out of turn"}
    undone = {"kind": "undo", "target": 2}, penalty, {"kind": "undo", "target": 5}
    assert told(inserted, *undone) == [("1", "", "Hand 1: Missed at first, recorded at T.")]


def test_penalties_in_points_have_figures_and_those_in_money_words(told):
    assert told(
        {"kind": "penalty", "seat": 2, "points": 10, "reason": "out of turn"},
        {"kind": "penalty", "seat": 3, "amount": 30},
    ) == [
        ("penalty", "", "Penalty for Ben · 10 points · out of turn."),
        ("", "Penalty for Cat · €0.30 into the pool"),
    ]


def test_a_penalty_corrected_says_so_in_a_sentence_of_its_own(told):
    penalty = {"kind": "penalty", "seat": 3, "amount": 30, "reason": "talking"}
    row = "Penalty for Cat · €0.40 into the pool · talking"
    corrected = "Corrected at T: €0.40 into the pool, not €0.30 into the pool."
    assert told(penalty, {"kind": "amend", "target": 3, "event": penalty | {"amount": 40}}) == [("", row, corrected)]


def test_what_happened_between_hands_stays_there_when_a_hand_is_put_in(told):
    forgotten = {"kind": "insert", "before": 2, "event": hand(3, s1="2C", s2="3C")}
    found = told({"kind": "penalty", "seat": 2, "points": 10}, hand(1, s2="KH", s3="QD"), forgotten)
    assert [label for label, *_ in found] == ["1", "penalty"]


def test_rulings_with_claim_verdict_and_what_they_cost(told):
    wrong = {"kind": "ruling", "check": "meld", "claim": {"cards": "AS 2S 3S"}, "verdict": {"ok": False}, "seat": 2}
    assert told(
        wrong | {"points": 20, "note": "laid it twice"},
        wrong | {"points": 20, "upheld": False},
        {"kind": "ruling", "claim": "who deals?", "verdict": "Ann"},
        {"kind": "ruling", "check": "deck", "claim": {"melds": ["KH KD KS", "2C 3C 4C"]}, "verdict": True},
    ) == [
        ("penalty", "", "Ruling: Ben · meld A♠ 2♠ 3♠: not legal · 20 points · laid it twice."),
        ("", "Ruling: Ben · meld A♠ 2♠ 3♠: the table played on anyway"),
        ("", "Ruling: who deals? Ann"),
        ("", "Ruling · deck KH KD KS / 2C 3C 4C: legal"),
    ]


def test_who_left_and_who_did_not_buy_in_need_no_note(told):
    assert told(
        hand(1, s2=150, s3="5C"),
        {"kind": "decline", "seat": 2},
        {"kind": "leave", "seat": 3},
    ) == [("", "Ben doesn’t buy in"), ("", "Cat leaves")]


def test_what_was_fixed_for_the_whole_game_and_how_it_ended_early(told):
    assert told(
        {"kind": "setup", "stakes": None},
        {"kind": "stop", "pool": "equal"},
    ) == [
        ("", "Details of the game corrected · no money"),
        ("", "Game ends early · the pool in equal parts"),
    ]


def test_a_deciding_hand(app, client):
    scorer = start(client, "classic")
    for event in (hand(1, s2="KH"), hand(2, s1="KS"), {"kind": "end"}, {"kind": "decider", "winner": 2}):
        scorer.record(event)
    with app.app_context():
        rows = [row.text for row in rows_of(open_game(scorer.code)) if row.text]
    assert rows == ["The table ends the game", "Ben wins the deciding hand"]


def test_marks_in_the_table_and_notes_lead_to_each_other(app, scorer):
    """A reader finds every mark once in the table and once below it, counted down the table."""
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, s2="9H", s3="QD JD")})
    scorer.record({"kind": "penalty", "seat": 2, "points": 10, "reason": "out of turn"})
    scorer.record(hand(1, s2="2C", s3="3C"))
    scorer.record({"kind": "leave", "seat": 3})
    scorer.record({"kind": "undo", "target": 5})
    with app.app_context():
        table = open_game(scorer.code)
        sheet = score_sheet(table)
    assert [row.mark for row in sheet.rows] == ["¹", "²", ""]
    assert [note[0] for note in sheet.notes] == ["¹", "²"]
    assert sheet.notes[0].startswith("¹ Hand 1: Corrected at ")
    assert [row.label for row in sheet.rows] == ["1", "penalty", ""]
    assert sheet.rows[-1].text == "Cat leaves"
    assert "Entry" not in "".join(sheet.notes)
