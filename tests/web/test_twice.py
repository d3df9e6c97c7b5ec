"""Two people write the same hand down, without JavaScript: it is in the log once, unless somebody says otherwise."""

import re

import pytest

from tests.pages import Alice, hand, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

MINE = {"winner": "1", "ending": "going_out", "points-2": "28", "points-3": "35"}
SAME = hand(1, s2=28, s3=35)
OTHER = hand(2, s1=5, s3=6)
STAKES = {"currency": "EUR"}


def save(alice, seen=1, submission="h-1", do="save", path="/hand", **fields):
    return alice.sent(path, MINE | fields | {"seen": seen, "submission": submission, "do": do})


def asked(alice, **more):
    """The words of the question that comes instead of saving."""
    before = alice.table.seen
    answer = save(alice, **more)
    assert answer.status_code == 409
    assert alice.table.seen == before
    return words(answer.text)


def test_the_same_hand_is_shown_beside_mine_and_the_big_button_throws_mine_away(alice):
    alice.record(SAME)
    page = save(alice).text
    assert "This hand is already saved" in words(page)
    assert "Hand 1, saved script Yours, not saved Ann won won Ben 28 28 Cat 35 35" in words(page)
    big = re.findall(r"<(?:a|button)[^>]*button-primary[^>]*>[^<]*<", page)
    assert big == [
        f'<a class="button button-primary button-big button-wide" href="/g/{alice.code}" data-throw>Throw mine away<'
    ]
    assert "<mark>" not in page
    assert "Correct hand" not in page


def test_the_sum_of_the_cards_saved_is_the_same_hand(alice):
    """A king 10, a queen 10, an eight 8."""
    alice.record(hand(1, s2="KH QD 8C", s3=35))
    assert "This hand is already saved" in asked(alice)


def test_other_numbers_are_marked_and_may_correct_what_is_saved(alice):
    alice.record(hand(1, s2=82, s3=35))
    page = save(alice).text
    assert "Hand 1 is already saved, with other numbers" in words(page)
    assert re.findall("<mark>(.*?)</mark>", page) == ["82"]
    look = words(save(alice, do="mine-2", path="/correct/2").text)
    assert "82 → 28" in look
    assert save(alice, seen=2, path="/correct/2").status_code == 303
    assert alice.totals == [0, 28, 35]


def test_another_hand_is_saved_as_the_next(alice):
    alice.record(OTHER)
    assert "It is another hand: save it as hand 2" in asked(alice)
    for _ in range(2):  # a double tap
        assert save(alice, do="another-2").status_code == 303
    assert alice.totals == [5, 28, 41]


def test_the_same_numbers_once_more_are_another_hand_when_somebody_says_so(alice):
    alice.record(SAME)
    assert save(alice, do="another-2").status_code == 303
    assert alice.totals == [0, 56, 70]


def test_a_choice_made_before_the_log_moved_again_is_asked_again(alice):
    alice.record(OTHER)
    asked(alice)
    alice.record(SAME)
    assert "This hand is already saved" in asked(alice, do="another-2")


def test_a_choice_is_about_the_hands_it_was_made_upon(alice):
    alice.record(OTHER)
    asked(alice)
    alice.record(hand(3, s1=7, s2=8))
    assert "Hand 2 is already saved, with other numbers" in asked(alice, do="another-2")


def test_of_several_hands_the_one_that_is_the_same_is_shown(alice):
    alice.record(OTHER, SAME)
    page = asked(alice)
    assert "Hand 2, saved" in page
    assert "Hand 1, saved" not in page


def test_several_other_hands_are_all_compared_and_each_can_be_corrected(alice):
    alice.record(OTHER, hand(3, s1=7, s2=8))
    page = asked(alice)
    assert "2 hands are already saved" in page
    assert "Ann 5 7 won Ben won 8 28 Cat 6 won 35" in page
    assert "Correct hand 1 to mine" in page
    assert "Correct hand 2 to mine" in page
    assert "save it as hand 3" in page


def test_what_else_was_recorded_is_told(alice):
    alice.record(OTHER, {"kind": "rename", "seat": 2, "name": "Bert"})
    assert "This was recorded as well: Renamed to Bert (script)" in asked(alice)


def test_a_hand_taken_back_meanwhile_is_no_hand(alice):
    alice.record(SAME, {"kind": "undo", "target": 2})
    page = asked(alice)
    assert "Not saved yet: something else was recorded meanwhile." in page
    assert "Save anyway" in page


def test_an_offer_that_would_lapse_is_named_before_one_more_hand_is_saved(app):
    alice = Alice(app, stakes=STAKES)
    alice.record(hand(1, s2=150, s3=35))
    assert "Ben has not answered the offer to buy in" in asked(alice, **{"points-2": "28"})


def test_a_page_that_never_said_what_it_had_seen_is_compared_too(alice):
    alice.record(SAME)
    assert "This hand is already saved" in asked(alice, seen="")


def test_a_look_asks_before_it_shows_what_saving_does(alice):
    alice.record(SAME)
    assert "This hand is already saved" in words(save(alice, do="preview").text)


def test_changed_after_the_question_it_is_asked_once_more(alice):
    alice.record(OTHER)
    page = save(alice, do="change").text
    assert "you are asked whether it is the same hand" in words(page)
    assert 'name="seen" type="hidden" value="1"' in page
    asked(alice, **{"points-2": "29"})


def test_a_page_that_saved_a_hand_and_is_sent_with_other_numbers_asks(alice):
    save(alice)
    page = save(alice, **{"points-2": "82"})
    assert page.status_code == 409
    assert "Hand 1 is already saved, with other numbers" in words(page.text)
    assert 'value="h-1"' not in page.text
    assert alice.totals == [0, 28, 35]


def test_a_forgotten_hand_is_not_put_in_twice(alice):
    alice.record(OTHER, {"kind": "insert", "before": 2, "event": SAME})
    assert "This hand is already saved" in asked(alice, seen=2, path="/insert/2")
    assert save(alice, seen=2, path="/insert/2", do="another-3").status_code == 303
    assert alice.totals == [5, 56, 76]


# ---- What a phone kept while others recorded


def kept(alice, seen=1, submission="h-1", path="/hand", **fields):
    return alice.client.post(
        f"/g/{alice.code}{path}/kept", data=MINE | fields | {"seen": seen, "submission": submission}
    )


def test_a_hand_kept_is_compared_with_what_was_recorded(alice):
    alice.record(SAME)
    assert "This hand is already saved" in words(kept(alice).text)


def test_an_unfinished_hand_is_compared_as_far_as_it_goes(alice):
    alice.record(OTHER)
    page = words(kept(alice, winner="", **{"points-3": ""}).text)
    assert "Ben won 28" in page
    assert "Cat 6 –" in page
    assert "It is another hand: go on with it as hand 2" in page
    assert "Correct hand" not in page


def test_of_a_hand_that_this_very_page_saved_nothing_is_kept(alice):
    save(alice)
    assert kept(alice).status_code == 204


def test_of_a_hand_that_corrected_another_nothing_is_kept(alice):
    alice.record(OTHER)
    save(alice, seen=2, path="/correct/2", **{"points-3": "36"})
    assert kept(alice).status_code == 204


def test_where_no_hand_was_recorded_what_was_is_told(alice):
    alice.record({"kind": "rename", "seat": 2, "name": "Bert"})
    page = words(kept(alice).text)
    assert "Renamed to Bert" in page
    assert "same hand" not in page
