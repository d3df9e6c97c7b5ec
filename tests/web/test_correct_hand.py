"""A recorded hand corrected, and a forgotten one put in its place."""

import pytest

from tests.pages import FOUR, Alice, hand, words

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, players=FOUR)


def look(alice, winner, **points):
    """The words of the page that shows what correcting hand 1 would change."""
    typed = {"winner": str(winner), "ending": "going_out"} | {name: str(sum_) for name, sum_ in points.items()}
    return words(alice.send("/correct/2", do="preview", **typed).text)


def test_a_recorded_hand_comes_back_in_the_form(alice):
    alice.record(hand(3, "kalooki", s1=28, s2="KH QD *", s4=47))
    page = alice.get("/correct/2").text
    assert "Correct hand 1" in page
    assert 'value="KH QD *"' in page
    assert 'name="points-4" placeholder="Points" type="text" value="47"' in page
    assert 'checked id="winner-2" name="winner" type="radio" value="3"' in page
    assert 'checked id="ending-1" name="ending" type="radio" value="kalooki"' in page


def test_a_correction_shows_every_change_before_it_is_saved(alice):
    alice.record(hand(1, s2=140, s3=20, s4=30), hand(1, s2=12, s3=1, s4=2))
    assert "Ben 152 → 52 is back in the game" in look(alice, 1, points_2=40, points_3=20, points_4=30)
    alice.send("/correct/2", do="save", winner="1", ending="going_out", points_2="40", points_3="20", points_4="30")
    assert alice.totals == [0, 52, 21, 32]
    assert alice.events()[-1]["kind"] == "amend"


def test_a_correction_of_the_winner_shows_whose_money_changes(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    page = look(alice, 2, points_1=10, points_3=20, points_4=30)
    assert "Each pays Ben €0.10." in page
    # 0.30 that were Ann’s are Ben’s, and she owes him 0.10; ended now, the stakes are paid back
    assert "Ann 0 → 10 +€0.30 → −€0.10" in page
    assert "Ben 10 → 0 −€0.10 → +€0.30" in page


def test_a_correction_that_changes_nothing_says_so(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    page = look(alice, 1, points_2=10, points_3=20, points_4=30)
    assert "No totals change, and no money moves." in page
    assert "Each pays" not in page
    assert "Each pays" not in look(alice, 1, points_2=11, points_3=20, points_4=30)  # they paid before
    assert "Each pays Ben €0.10." in look(alice, 2, points_1=10, points_3=20, points_4=30)


def test_where_nobody_plays_for_money_no_money_is_spoken_of(app):
    alice = Alice(app, players=FOUR, stakes=None)
    alice.record(hand(1, s2=10, s3=20, s4=30))
    page = look(alice, 1, points_2=10, points_3=20, points_4=30)
    assert "No totals change." in page
    assert "money" not in page


def test_a_hand_taken_back_while_it_was_corrected_keeps_what_was_typed(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30), {"kind": "undo", "target": 2})
    typed = {"winner": "1", "ending": "going_out", "points_2": "11", "points_3": "20", "points_4": "30"}
    for seen, status in ((2, 409), (3, 422)):
        answer = alice.send("/correct/2", do="save", seen=seen, **typed)
        assert answer.status_code == status
        assert 'value="11"' in answer.text
    assert "This has already been undone." in words(answer.text)


def test_a_correction_names_later_entries_that_lose_their_sense(alice):
    alice.record(hand(1, s2=150, s3=20, s4=30), {"kind": "buy_in", "seat": 2})
    page = look(alice, 1, points_2=5, points_3=20, points_4=30)
    assert "Ben buys in (after hand 1) – Ben has no buy-in to take or to decline now." in page


def test_a_forgotten_hand_is_put_in_before_another(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    assert "Missed hand" in alice.see("/insert/2")
    alice.send("/insert/2", do="save", winner="2", ending="going_out", points_1="1", points_3="2", points_4="3")
    assert [(each.number, each.winner) for each in alice.table.game.hands] == [(1, 2), (2, 1)]
    assert alice.totals == [1, 10, 22, 33]


def test_a_void_hand_can_be_corrected_to_a_hand_that_counts(alice):
    alice.record({"kind": "void"})
    assert "Correct hand 1" in alice.see("/correct/2")
    alice.send("/correct/2", do="save", winner="1", ending="going_out", points_2="1", points_3="2", points_4="3")
    assert alice.totals == [0, 1, 2, 3]


@pytest.mark.parametrize("path", ["/correct/1", "/correct/3", "/correct/99", "/insert/99", "/undo/1", "/undo/99"])
def test_what_cannot_be_corrected_has_no_page(alice, path):
    alice.record(hand(1, s2=10, s3=20, s4=30), {"kind": "penalty", "seat": 2, "points": 5})
    assert alice.get(path).status_code == 404
