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


def test_a_correction_shows_every_change_before_it_is_saved(alice):
    alice.record(hand(1, s2=140, s3=20, s4=30), hand(1, s2=12, s3=1, s4=2))
    assert "Ben 152 → 52 is back in the game" in look(alice, 1, left_2=40, left_3=20, left_4=30)
    alice.send("/correct/2", do="save", winner="1", ending="going_out", left_2="40", left_3="20", left_4="30")
    assert alice.totals == [0, 52, 21, 32]
    assert alice.events()[-1]["kind"] == "amend"


def test_a_forgotten_hand_is_put_in_before_another(alice):
    alice.record(hand(1, s2=10, s3=20, s4=30))
    assert "Missed hand" in alice.see("/insert/2")
    alice.send("/insert/2", do="save", winner="2", ending="going_out", left_1="1", left_3="2", left_4="3")
    assert [(each.number, each.winner) for each in alice.table.game.hands] == [(1, 2), (2, 1)]
    assert alice.totals == [1, 10, 22, 33]
