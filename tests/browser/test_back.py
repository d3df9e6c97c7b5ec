"""The way back after saving: no browser asks to send a form again, and going back saves nothing twice."""

import pytest
from playwright.sync_api import expect

from tests.pages import EURO, hand

pytestmark = pytest.mark.browser

KEPT = "() => Object.keys(localStorage).some((key) => key.startsWith('kalooki:draft:'))"


@pytest.fixture
def table(begin):
    table = begin(stakes=EURO)
    table.record(hand(1, s2=35, s3=12))
    return table


@pytest.fixture(params=[True, pytest.param(False, marks=pytest.mark.long)], ids=["with script", "without"])
def scorer(table, request):
    """The scorer's phone on the game's page."""
    return table.scorer("", java_script_enabled=request.param)


@pytest.fixture
def plain(table):
    return table.scorer("", java_script_enabled=False)


def look(phone):
    phone.locator("[value=preview]").last.tap()
    phone.wait_for_url("**/look?**")


def penalty(phone, table):
    phone.goto(f"{table.game}/enter/penalty")
    phone.get_by_role("radio", name="Ben").check()
    phone.get_by_label("Points").fill("10")
    look(phone)


def hand_of_ann(phone, table):
    phone.goto(f"{table.game}/hand")
    phone.get_by_role("radio", name="Ann", exact=True).check()
    phone.get_by_label("Points or cards: Ben").fill("7")
    phone.get_by_label("Points or cards: Cat").fill("8")
    look(phone)


def correction(phone, table):
    phone.goto(f"{table.game}/correct/2")
    phone.get_by_label("Points or cards: Ben").fill("53")
    look(phone)


def stop(phone, table):
    phone.goto(f"{table.game}/enter/stop")
    phone.get_by_label("To the leader").check()
    look(phone)


def ruling(phone, table):
    phone.goto(f"{table.game}/check?cards=AH 2H 3H")
    phone.locator("summary", has_text="Add to history").tap()
    phone.get_by_label("Whose claim?").select_option(label="Ben")
    phone.get_by_label("Penalty in points").fill("10")
    phone.get_by_role("button", name="Add to history").tap()
    phone.wait_for_url("**/look?**")


@pytest.mark.parametrize(
    ("entry", "script"),
    [
        (hand_of_ann, False),
        (ruling, True),
        *(pytest.param(entry, script, marks=pytest.mark.long) for entry in (penalty, stop) for script in (True, False)),
        *(pytest.param(entry, False, marks=pytest.mark.long) for entry in (ruling, correction)),
    ],
)
def test_back_after_saving_what_was_looked_at_saves_nothing(table, entry, script):
    phone = table.scorer("", java_script_enabled=script)
    entry(phone, table)
    phone.locator("[value=save], [value=now]").tap()
    phone.get_by_text("Saved.").wait_for()
    for _ in range(2):
        phone.go_back()
        expect(phone.locator("h1")).to_have_count(1)
        assert table.code in phone.url
    assert table.state()["seen"] == 3


def test_a_look_outlives_a_reload_can_be_changed_and_gone_back_to_saves_nothing_more(scorer, table):
    penalty(scorer, table)
    address = scorer.url
    scorer.reload()
    scorer.get_by_role("button", name="Change").tap()
    expect(scorer.get_by_label("Points")).to_have_value("10")
    assert table.state()["seen"] == 2
    scorer.goto(address)
    scorer.locator("[value=now]").tap()
    scorer.get_by_text("Saved.").wait_for()
    scorer.goto(address)
    scorer.get_by_text("Already saved: Penalty").wait_for()
    assert [player["total"] for player in table.state()["players"]] == [0, 45, 12]


def test_back_to_a_form_that_was_refused_shows_it_as_it_was(scorer, table):
    """Renaming saves without a look, so the page that says what is wrong is the answer to the form itself."""
    scorer.goto(f"{table.game}/enter/rename?seat=2")
    for typed, said in (("Cat", "Cat is there already"), ("Bert", "Saved.")):
        scorer.get_by_label("New name").fill(typed)
        scorer.locator("[value=save]").last.tap()
        scorer.get_by_text(said).first.wait_for()
    scorer.go_back()
    expect(scorer.get_by_text("Cat is there already").first).to_be_visible()
    assert table.state()["seen"] == 3


@pytest.mark.long
def test_back_after_a_sheet_was_copied_shows_the_grid_and_saves_no_second_game(plain):
    plain.goto("/copy")
    plain.get_by_label("Players as they sit").fill("Ann, Ben")
    plain.get_by_role("button", name="Next: the hands").tap()
    plain.get_by_label("Row 1: Ben").fill("35")
    plain.get_by_role("button", name="Check").last.tap()
    plain.get_by_role("button", name="Save", exact=True).tap()
    plain.wait_for_url("**/g/*")
    game = plain.url
    plain.go_back()
    expect(plain.get_by_label("Row 1: Ben")).to_have_value("35")
    plain.get_by_role("button", name="Save", exact=True).tap()
    plain.wait_for_url("**/g/*")
    assert plain.url == game


def door(phone, label):
    return phone.get_by_role("link", name=label, exact=True)


@pytest.fixture
def begun(table):
    """The scorer’s phone, back on the game’s page after Ann won hand 2, nothing else typed; and where its door was."""
    phone = table.scorer("")
    place = door(phone, "Record hand 2").bounding_box()
    door(phone, "Record hand 2").tap()
    phone.get_by_role("radio", name="Ann", exact=True).tap()
    phone.wait_for_function(KEPT)  # by the script, which may come after the tap
    phone.go_back()
    return phone, place


def test_a_hand_left_half_typed_is_told_where_the_door_to_it_stands_until_it_is_cleared(begun):
    phone, place = begun
    expect(door(phone, "Resume hand 2")).to_be_visible()
    assert door(phone, "Resume hand 2").bounding_box() == pytest.approx(place, abs=1)
    assert door(phone, "Record hand 2").count() == 0
    door(phone, "Resume hand 2").tap()
    expect(phone.locator("[name=winner][value='1']")).to_be_checked()
    phone.get_by_role("link", name="Clear").tap()
    phone.get_by_role("link", name="← Score").tap()
    assert door(phone, "Record hand 2").bounding_box() == pytest.approx(place, abs=1)


def test_a_hand_that_another_phone_saved_is_not_resumed_but_one_before_a_penalty_is(begun, table):
    phone, _place = begun
    table.record({"kind": "penalty", "seat": 2, "points": 10})
    expect(phone.locator(".player-total").nth(1)).to_contain_text("45")
    expect(door(phone, "Resume hand 2")).to_be_visible()
    table.record(hand(1, s2=5, s3=5))
    expect(door(phone, "Record hand 3")).to_be_visible()
