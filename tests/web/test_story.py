"""The story of a finished game in one sentence. European, to 150: Ann, Ben and Cat, their totals beside the hands."""

import pytest

from app.history.record import History, Stamp
from app.history.story import story
from app.kalooki.game.play import play
from tests.kalooki.table_talk import begin, hand, record

BEN_FIRST = (hand(2, s1=40, s3=10), hand(2, s1=10, s3=20))  # 40 0 10, 50 0 30
TURN = hand(1, s2=60, s3=40)  # 50 60 70
BEN_OUT = (hand(3, s1=10, s2=45), {"kind": "decline", "seat": 2})  # 60, 155 and out, 100
LAST = hand(1, s3=55)  # 60, and Cat is out with 155


def told(*events, **start):
    entries = record(begin(**start), *events)
    return story(History("ABCDE", "", play(entries), entries, [Stamp("", "")] * len(entries)))


def test_the_hand_from_which_the_winner_led_is_told():
    """Ben leads after hands 1 and 2. The scores are 370 in 11 hands' ends, 34 on average: 60 isn't twice as much."""
    assert told(*BEN_FIRST, TURN, hand(1, s2=50, s3=30), *BEN_OUT, LAST) == "Ann led from hand 3 on."


def test_a_void_hand_has_no_number_of_its_own():
    voided = {"kind": "void"}
    events = (*BEN_FIRST, voided, TURN, hand(1, s2=50, s3=30), voided, *BEN_OUT, LAST)
    assert told(*events) == "Ann led from hand 3 on."


def test_hands_won_in_a_row_are_told_of_the_winner_in_the_same_breath():
    """Ben has 60, 110 and 155, Cat 70, 100, 130 and 150."""
    events = (hand(1, s2=50, s3=30), hand(1, s2=45, s3=30), {"kind": "decline", "seat": 2}, hand(1, s3=20))
    assert told(*BEN_FIRST, TURN, *events) == "Ann led from hand 3 on and won hands 3 to 6."


def test_a_lead_taken_in_the_last_hand_and_another_players_streak():
    """Ann 90, 100, 100; Ben 0, 50, 150; Cat 60, 60, 150."""
    streak = [hand(2, s1=30, s3=20)] * 3
    events = (*streak, hand(3, s1=10, s2=50), hand(1, s2=100, s3=90))
    assert told(*events) == "Ann took the lead in the last hand; Ben won hands 1 to 3."


def test_a_winner_who_bought_back_in():
    """Ann is out with 150 and comes back with Cat's 20; her 150 is the highest score, but no feat of hers."""
    events = (
        *(hand(2, s1=150, s3=20), {"kind": "buy_in", "seat": 1}, hand(1, s2=70, s3=40), hand(1, s2=90, s3=30)),
        *({"kind": "decline", "seat": 2}, hand(3, s1=10), hand(1, s3=60)),
    )
    assert told(*events) == "Ann bought back in after hand 1."


@pytest.mark.parametrize("others", [0, 1])
def test_the_only_kalooki_is_told(others):
    """European counts its cards as always. Two of them are no news."""
    kalooki = hand(1, "kalooki", s2=50, s3=30)
    last = hand(1, "kalooki" if others else "going_out", s3=55)
    words = "Ann led from hand 3 on" if others else "Ann led from hand 3 on and won hand 4 with a Kalooki"
    assert told(*BEN_FIRST, TURN, kalooki, *BEN_OUT, last) == f"{words}."


def test_a_score_of_twice_the_average_is_told():
    """80 of 400 points in 11 scores: twice the average is 73."""
    events = (*BEN_FIRST, TURN, hand(1, s2=80, s3=30), *BEN_OUT, LAST)
    assert told(*events) == "Ann led from hand 3 on; Ben took 80 in hand 4."


def test_of_two_equal_scores_neither_is_told():
    """Ben and Cat both take 130 in hand 4, of 440 points in 8 scores; 110 would be twice the average."""
    assert told(*BEN_FIRST, TURN, hand(1, s2=130, s3=130)) == "Ann led from hand 3 on."


def test_a_corrected_hand_is_told_as_corrected():
    """Ann wins hand 1 after all: she has 0, 10, 10, 15, 15; Ben 20, 20, 80, 150; Cat 30, 50, 90, 90, 150.

    Ben's 70 is just twice the average of 315 points in 9 scores.
    """
    events = (
        *(hand(2, s1=40, s3=10), {"kind": "amend", "target": 2, "event": hand(1, s2=20, s3=30)}),
        *(hand(2, s1=10, s3=20), TURN, hand(3, s1=5, s2=70), {"kind": "decline", "seat": 2}, hand(1, s3=60)),
    )
    assert told(*events) == "Ann led from the first hand to the last; Ben took 70 in hand 4."


def test_who_left_in_front_leads_no_longer():
    """Ben leaves with 0; Ann has 50, Cat 30, 70, 150. 80 of 200 points in 6 scores is more than twice 33."""
    events = (*BEN_FIRST, {"kind": "leave", "seat": 2}, hand(1, s3=40), hand(1, s3=80))
    assert told(*events) == "Ann led from hand 3 on; Cat took 80 in hand 4."


def test_whoever_is_in_front_because_another_left_took_no_lead_in_a_hand():
    """Cat is in front with 30 once Ben has left with 0; Ann has 50, 150. 100 of 180 points in 5 scores."""
    events = (*BEN_FIRST, {"kind": "leave", "seat": 2}, hand(3, s1=100))
    assert told(*events) == "Ann took 100 in hand 3."
    # Cat alone is left; 40 is twice the average of 80 points in 4 scores
    everybody_leaves = ({"kind": "leave", "seat": 1}, {"kind": "leave", "seat": 2})
    assert told(*BEN_FIRST, *everybody_leaves) == "Ann took 40 in hand 1."


def test_what_one_player_did_is_told_in_the_order_of_the_hands():
    """Ann wins hand 1 with a Kalooki, is out in hand 3 with 150, buys in at 50 and wins hand 4: Ben and Cat go out."""
    kalooki = hand(1, s2=20, s3=30, ending="kalooki")
    events = (
        kalooki,
        hand(2, s1=50, s3=10),
        hand(2, s1=100, s3=10),
        {"kind": "buy_in", "seat": 1},
        hand(1, s2=140, s3=100),
    )
    assert told(*events) == "Ann won hand 1 with a Kalooki and bought back in after hand 3."


def test_where_the_winner_collects_it_is_the_highest_gain():
    """To 150: Ann 20, 40; Ben 0, 0, 20, 150. 130 of 190 points, in 4 scores."""
    house = {"scoring": "winner_collects", "buy_ins": 0}
    events = (hand(1, s2=10, s3=10), hand(1, s2=10, s3=10), hand(2, s1=10, s3=10), hand(2, s1=70, s3=60))
    expected = "Ben took the lead in the last hand and collected 130 in hand 4."
    assert told(*events, variant="north-american", house=house) == expected


def test_a_game_in_which_nothing_stood_out_has_no_story():
    assert told(hand(1, s2=20, s3=30), hand(1, s2=130, s3=130)) == ""


def test_a_running_game_has_no_story():
    assert told(*BEN_FIRST, TURN) == ""
