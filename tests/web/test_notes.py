"""The footnotes of a score sheet: corrections, rulings and what no row shows."""

import pytest

from app.sheets.footnotes import notes_of, numbered
from app.table.recording import open_table
from tests.json_scorer import Scorer

STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}


def hand(winner, left, ending="going_out"):
    return {"kind": "hand", "winner": winner, "ending": ending, "left": left}


@pytest.fixture
def scorer(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": STAKES})
    scorer.record(hand(1, {"2": "KH", "3": "QD JD"}))
    return scorer


@pytest.fixture
def notes(app, scorer):
    """The footnotes after some more entries, as (entry, text)."""

    def after(*events):
        for event in events:
            scorer.record(event)
        with app.app_context():
            return [(note.entry, note.text) for note in notes_of(open_table(scorer.code))]

    return after


def test_a_game_as_recorded_needs_no_notes(notes):
    assert notes() == []


def test_a_correction_says_what_it_changed(notes):
    better = hand(2, {"1": "5C", "3": "QD JD 2C"}, "kalooki")
    ((entry, text),) = notes({"kind": "amend", "target": 2, "event": better})
    assert entry == 2
    told = "won by Ben, not Ann; Kalooki, not going out; Ann 5, not 0; Ben 0, not 10; Cat 22, not 20"
    assert text == f"Corrected later: {told}."


def test_only_the_last_correction_that_stands_is_told(notes):
    first = {"kind": "amend", "target": 2, "event": hand(1, {"2": "9H", "3": "QD JD"})}
    second = {"kind": "amend", "target": 2, "event": hand(1, {"2": "8H", "3": "QD JD"})}
    assert notes(first, second, {"kind": "undo", "target": 4}) == [(2, "Corrected later: Ben 9, not 10.")]


def test_a_correction_of_cards_that_count_the_same(notes):
    assert notes({"kind": "amend", "target": 2, "event": hand(1, {"2": "KD", "3": "QD JD"})}) == [
        (2, "Corrected later: nothing that counts.")
    ]


def test_a_hand_that_was_void_after_all(notes):
    assert notes({"kind": "amend", "target": 2, "event": {"kind": "void"}}) == [
        (2, "Corrected later: a void hand, not a hand won by Ann.")
    ]


def test_a_forgotten_hand_and_one_taken_back(notes):
    inserted = {"kind": "insert", "before": 2, "event": hand(3, {"1": "2C", "2": "3C"})}
    assert notes(inserted, {"kind": "undo", "target": 2}) == [
        (3, "Forgotten at first, recorded later."),
        (2, "Taken back: a hand won by Ann."),
    ]


def test_penalties_in_points_and_in_money(notes):
    assert notes(
        {"kind": "penalty", "seat": 2, "points": 10, "reason": "out of turn"},
        {"kind": "penalty", "seat": 3, "amount": 30},
    ) == [
        (3, "Penalty before hand 2: Ben, 10 points. Reason: out of turn"),
        (4, "Penalty before hand 2: Cat, 0.30 EUR to the pool."),
    ]


def test_what_happened_between_hands_stays_there_when_a_hand_is_put_in(notes):
    forgotten = {"kind": "insert", "before": 2, "event": hand(3, {"1": "2C", "2": "3C"})}
    assert notes(
        {"kind": "penalty", "seat": 2, "points": 10},
        hand(1, {"2": "KH", "3": "QD"}),
        forgotten,
    ) == [
        (5, "Forgotten at first, recorded later."),
        (3, "Penalty before hand 3: Ben, 10 points."),
    ]


def test_rulings_with_claim_verdict_and_what_they_cost(notes):
    wrong = {"kind": "ruling", "check": "meld", "claim": {"cards": "AS 2S 3S"}, "verdict": {"ok": False}, "seat": 2}
    assert notes(
        wrong | {"points": 20, "note": "laid it twice"},
        wrong | {"points": 20, "upheld": False},
        {"kind": "ruling", "claim": "who deals?", "verdict": "Ann"},
        {"kind": "ruling", "check": "deck", "claim": {"melds": ["KH KD KS", "2C 3C 4C"]}, "verdict": True},
    ) == [
        (3, "Ruling before hand 2: meld: AS 2S 3S; not legal; Ben, 20 points; laid it twice"),
        (4, "Ruling before hand 2: meld: AS 2S 3S; the table played on all the same; Ben"),
        (5, "Ruling before hand 2: who deals?; Ann"),
        (6, "Ruling before hand 2: deck: KH KD KS / 2C 3C 4C; legal"),
    ]


def test_who_left_and_who_did_not_buy_in(notes):
    assert notes(
        hand(1, {"2": {"points": 150}, "3": "5C"}),
        {"kind": "decline", "seat": 2},
        {"kind": "leave", "seat": 3},
    ) == [(4, "Ben did not buy in before hand 3."), (5, "Cat left the game before hand 3.")]


def test_what_was_mended_for_the_whole_game_and_how_it_was_broken_off(notes):
    assert notes(
        {"kind": "setup", "dealer": 2, "stakes": None, "house": {"limit": 200}, "settle": "cash"},
        {"kind": "stop", "pool": "equal"},
    ) == [
        (3, "Mended for the whole game: the dealer, the stakes, the house rules, how it is paid."),
        (4, "Broken off: the pool was shared equally."),
    ]


def test_a_deciding_hand(app, client):
    scorer = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]})
    for event in (hand(1, {"2": "KH"}), hand(2, {"1": "KS"}), {"kind": "end"}, {"kind": "decider", "winner": 2}):
        scorer.record(event)
    with app.app_context():
        assert [note.text for note in notes_of(open_table(scorer.code))] == ["Ben won the deciding hand."]


def test_notes_are_numbered_and_rows_point_to_them(app, scorer):
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, {"2": "9H", "3": "QD JD"})})
    scorer.record({"kind": "leave", "seat": 3})
    with app.app_context():
        told, marks = numbered(notes_of(open_table(scorer.code)))
    assert [note.text for note in told] == [
        "¹ Corrected later: Ben 9, not 10.",
        "² Cat left the game before hand 2.",
    ]
    assert marks == {2: "¹", 4: "²"}
