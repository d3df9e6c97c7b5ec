"""A hand typed while others recorded, without JavaScript: it is in the log once, unless somebody says otherwise."""

import re

import pytest

from tests.pages import Alice, hand, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

MINE = {"winner": "1", "ending": "going_out", "left-2": "28", "left-3": "35"}
SAME = hand(1, s2=28, s3=35)
OTHER = hand(2, s1=5, s3=6)


def save(alice, seen=1, submission="h-1", do="save", path="/hand", **fields):
    return alice.sent(path, MINE | fields | {"seen": seen, "submission": submission, "do": do})


def shown(alice, **more):
    """The page that comes instead of saving."""
    before = alice.table.seen
    answer = save(alice, **more)
    assert answer.status_code == 409
    assert alice.table.seen == before
    return answer.text


def press(alice, page, do="save"):
    """Press a button of that page."""
    form = page[page.index('class="action-bar"') :]
    fields = dict(re.findall(r'name="([\w-]+)"[^>]* value="([^"]*)"', form.split("<a ")[0]))
    return alice.sent(re.search(rf'action="/g/{alice.code}([^"]+)"', form)[1], fields | {"do": do})


def goes(alice, **more):
    """What is saved already goes: the game says so, and nothing is recorded."""
    before = alice.table.seen
    answer = save(alice, **more)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert alice.table.seen == before
    return words(alice.see())


CARDS = hand(1, s2="KH QD 8C", s3=35)
"""A king 10, a queen 10, an eight 8."""


@pytest.mark.parametrize(
    ("saved", "typed"),
    [
        ([SAME], {}),
        ([SAME], {"number": "1"}),
        ([CARDS], {}),
        ([SAME], {"seen": ""}),
        ([{"kind": "rename", "seat": 2, "name": "Bert"}, SAME], {}),
    ],
    ids=["same", "same number", "by its cards", "nothing seen", "after something else"],
)
def test_the_same_hand_is_already_saved_and_mine_goes(alice, saved, typed):
    alice.record(*saved)
    assert "Already saved: Hand 1 (script)." in goes(alice, **typed)
    assert alice.totals == [0, 28, 35]


def test_the_same_numbers_typed_as_a_later_hand_are_asked_about(alice):
    """Two hands one after the other may be alike."""
    alice.record(SAME)
    page = shown(alice, number="2")
    assert press(alice, page).status_code == 303
    assert alice.totals == [0, 56, 70]


def test_both_stand_beside_each_other(alice):
    alice.record(OTHER)
    assert "Saved Hand 1 won by Ben – saved by script Ann +5 · Cat +6" in (told := words(shown(alice)))
    assert "Yours, not saved Ann won Ben 28 Cat 35" in told


@pytest.mark.parametrize("number", ["", "2"])
def test_the_hand_saved_can_be_fixed_with_mine_filled_in(alice, number):
    """Of several recorded meanwhile it is the one that mine was typed as; Cat pays for both."""
    alice.record(OTHER, OTHER)
    page = shown(alice, number=number)
    fixed = 3 if number else 2
    assert f'/correct/{fixed}">Correct it with mine' in page
    fields = dict(re.findall(r'name="([\w-]+)"[^>]* value="([^"]*)"', page[page.index('class="action-bar"') :]))
    form = alice.sent(f"/correct/{fixed}", fields | {"do": "change"}).text
    assert re.search(r'name="left-2"[^>]* value="28"', form)
    fields["seen"] = re.search(r'name="seen"[^>]* value="(\d+)"', form)[1]
    assert alice.sent(f"/correct/{fixed}", fields | {"do": "save"}).status_code == 303
    assert alice.totals == [5, 28, 41]
    assert save(alice, seen=3, number=number).status_code == 303  # a tap on the earlier page
    assert kept(alice, seen=1, number=number).status_code == 204
    assert alice.totals == [5, 28, 41]


@pytest.mark.parametrize("saved", [OTHER, hand(1, s2=82, s3=35)], ids=["other", "other numbers"])
def test_it_is_saved_as_the_next_hand_once_with_what_that_does(alice, saved):
    alice.record(saved)
    totals = alice.totals
    page = shown(alice)
    assert "Yours saved as hand 2" in words(page)
    assert f"{totals[1]} + 28 = {totals[1] + 28}" in words(page)
    for _ in range(2):  # a double tap
        assert press(alice, page).status_code == 303
    assert alice.totals == [totals[0], totals[1] + 28, totals[2] + 35]


def test_where_the_log_has_moved_again_it_is_shown_again(alice):
    alice.record(OTHER)
    page = shown(alice)
    alice.record(hand(3, s1=7, s2=8))
    assert press(alice, page).status_code == 409
    alice.record(SAME)
    assert press(alice, page).status_code == 303
    assert "Already saved: Hand 3 (script)." in words(alice.see())
    assert alice.totals == [12, 36, 41]


def test_what_is_no_hand_is_shown_too_and_mine_is_then_the_hand_it_was(alice):
    alice.record({"kind": "rename", "seat": 2, "name": "Bert"})
    page = shown(alice)
    assert "Yours saved as hand 1" in words(page)
    assert press(alice, page).status_code == 303
    assert alice.totals == [0, 28, 35]


def test_what_was_told_while_it_was_played_counts_after_it(alice):
    alice.record({"kind": "penalty", "seat": 2, "points": 20, "after_hand": True})
    told = words(page := shown(alice))
    assert "This is the hand as it was dealt: it counts before what was recorded since." in told
    assert "0 + 28 + 20 = 48" in told
    assert press(alice, page).status_code == 303
    assert alice.totals == [0, 48, 35]


def test_a_hand_that_cannot_be_saved_now_keeps_what_was_typed(app):
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes=None)
    alice.record(hand(1, s2=150, s3=35, s4=5))
    told = words(page := shown(alice, **{"left-4": "7"}))
    assert "Yours cannot be saved as it stands" in told
    assert "Save as" not in told
    form = press(alice, page, "change").text
    assert re.search(r'name="left-2"[^>]* value="28"', form)


def test_of_one_hand_saved_twice_mine_is_judged_in_place_of_the_other_and_the_differences_stand_out(app):
    """The other hand puts Ben out at 150; in mine he won, so only in its place can it count."""
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes=None)
    alice.record(hand(1, s2=150, s3=35, s4=5))
    mine = {"number": "1", "winner": "2", "left-1": "28", "left-2": "", "left-4": "5"}
    told = words(page := shown(alice, **mine))
    both = "Saved Hand 1 won by Ann – saved by script Ann won Ben 150 Cat 35 Dan 5 Yours, not saved"
    assert f"{both} Ann 28 saved: won Ben won saved: 150 Cat 35 Dan 5 Change mine" in told
    assert "Yours instead of hand 1 Ben wins hand 1" in told
    assert "150 → 0" in told
    assert "not in the game" not in told
    assert "Save as hand 2" not in told
    fields = dict(re.findall(r'name="([\w-]+)"[^>]* value="([^"]*)"', page[page.index('class="action-bar"') :]))
    assert alice.sent("/correct/2", fields | {"do": "save"}).status_code == 303
    assert alice.totals == [28, 0, 35, 5]


def test_of_one_hand_saved_twice_both_ways_to_save_mine_are_shown(alice):
    """Ann 0 and 5, Cat 35 or 41."""
    alice.record(OTHER)
    told = words(page := shown(alice, number="1"))
    assert "Yours, not saved Ann won saved: 5 Ben 28 saved: won Cat 35 saved: 6" in told
    assert re.search(
        "Yours instead of hand 1 .* 6 → 35 .* Yours saved as hand 2, if it was another .* 6 [+] 35 = 41", told
    )
    assert press(alice, page).status_code == 303
    assert alice.totals == [5, 28, 41]


def test_a_look_finds_it_saved_as_saving_does(alice):
    alice.record(SAME)
    save(alice, do="preview")
    assert "Already saved: Hand 1 (script)." in words(alice.see())


def test_once_shown_it_can_be_changed_and_saved(alice):
    alice.record(OTHER)
    form = press(alice, shown(alice), "change").text
    assert re.search(r'name="left-2"[^>]* value="28"', form)
    assert re.search(r'name="seen"[^>]* value="2"', form)
    assert save(alice, seen=2, **{"left-2": "29"}).status_code == 303
    assert alice.totals == [5, 29, 41]


def test_a_forgotten_hand_is_not_put_in_twice(alice):
    alice.record(OTHER, {"kind": "insert", "before": 2, "event": SAME})
    assert "Already saved: Hand 1 (script)." in goes(alice, seen=2, path="/insert/2")
    assert alice.totals == [5, 28, 41]


def test_a_correction_is_shown_beside_what_was_recorded_since(alice):
    alice.record(SAME, OTHER)
    page = shown(alice, seen=2, path="/correct/2", **{"left-2": "82"})
    assert "28 → 82" in words(page)
    assert press(alice, page).status_code == 303
    assert alice.totals == [5, 82, 41]


# ---- What a phone kept while others recorded


def kept(alice, seen=1, submission="h-1", path="/hand", **fields):
    return save(alice, seen, submission, "resume", path, **fields)


def resumed(alice, **fields):
    """The page that a script shows for it; its address can be reloaded."""
    assert kept(alice, **fields).status_code == 409
    query = MINE | {"seen": 1, "submission": "h-1", "do": "resume"} | fields
    page = alice.client.get(f"/g/{alice.code}/hand/look", query_string=query)
    assert page.status_code == 200
    return page.text


@pytest.mark.parametrize("by_others", [True, False])
def test_of_a_hand_that_is_saved_nothing_is_kept(alice, by_others):
    if by_others:
        alice.record(SAME)
    else:
        save(alice)
    assert kept(alice).status_code == 204


def test_where_no_hand_was_recorded_what_was_is_told_and_mine_is_taken_up(alice):
    alice.record({"kind": "rename", "seat": 2, "name": "Bert"})
    page = resumed(alice)
    assert "New name: Bert" in words(page)
    assert "data-compare" not in page
    assert re.search(r'name="left-2"[^>]* value="28"', page)
    assert press_save(alice, page).status_code == 303
    assert alice.totals == [0, 28, 35]


def press_save(alice, page):
    """Save the form as it stands."""
    return save(alice, seen=re.search(r'name="seen"[^>]* value="(\d+)"', page)[1])
