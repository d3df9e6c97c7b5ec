"""Two phones record at one table: no hand is in the log twice unless somebody said so."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand, tap_digits, type_plainly
from tests.browser.phones import asleep, tap_twice
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser


MINE = ("Ann", {"2": "28", "3": "35", "4": "47"})
FIRST = re.compile("has saved hand|something was recorded first")
SAVED = hand(1, s2=28, s3=35, s4=47)
OTHER = hand(2, s1=31, s3=32, s4=43)
THIRD = hand(3, s1=21, s2=22, s4=23)


@pytest.fixture
def table(begin):
    return begin(players=FOUR)


@pytest.fixture
def alice(table):
    return table.scorer("")


def begin(phone, number, winner, points):
    """From the game's page: a hand typed, not saved."""
    phone.get_by_role("link", name=f"Record hand {number}").tap()
    enter_hand(phone, winner, points)


def save(phone):
    phone.locator("[data-save]").tap()


def to_the_game(phone, table):
    """Wait for the game's page; the hands then."""
    phone.wait_for_url(f"**{table.game}")
    return table.hands()


def test_a_second_tap_on_save_begins_no_next_hand(table, alice):
    begin(alice, 1, *MINE)
    expect(alice.locator("[data-preview-region]")).to_contain_text("0 + 47 = 47")
    tap_twice(alice, alice.locator("[data-save]"))
    expect(alice).to_have_url(re.compile(f"{table.game}$"))
    alice.get_by_role("link", name="Record hand 2").tap()  # a moment later it answers
    alice.wait_for_url("**/hand")


def asked(phone):
    expect(phone.get_by_role("heading", name=FIRST)).to_be_visible()


def gone(phone, table, number=1):
    """What is saved already went; the next hand’s form is empty."""
    phone.wait_for_url(f"**{table.game}")
    expect(phone.get_by_text(f"Already saved: Hand {number}")).to_be_visible()
    phone.get_by_role("link", name=f"Record hand {number + 1}").tap()
    expect(phone.get_by_role("heading", name=f"Hand {number + 1}")).to_be_attached()
    expect(phone.locator("input[name=winner]:checked")).to_have_count(0)
    expect(phone.locator("#left-2")).to_have_value("")


def overtaken(phone, table, by):
    """A hand is typed when another is recorded; who saves it is asked about that one."""
    begin(phone, 1, *MINE)
    with asleep(phone):
        table.record(by)
        save(phone)
        asked(phone)


SAVED_HAND = (1, {"1": 0, "2": 28, "3": 35, "4": 47})
OTHER_HAND = (2, {"1": 31, "2": 0, "3": 32, "4": 43})
THIRD_HAND = (3, {"1": 21, "2": 22, "3": 0, "4": 23})


# ---- Online


def test_the_same_hand_of_two_is_saved_once_and_mine_goes(table, alice):
    begin(alice, 1, *MINE)
    with asleep(alice):
        table.record(SAVED)
        save(alice)
        gone(alice, table)
    assert table.hands() == [SAVED_HAND]


def test_the_same_hand_kept_goes_where_the_next_one_is_recorded(table, alice):
    begin(alice, 1, *MINE)
    alice.get_by_role("link", name="← Score").tap()
    table.record(SAVED)
    alice.get_by_role("link", name="Record hand 2").tap()
    expect(alice.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(alice.locator("input[name=winner]:checked")).to_have_count(0)


def test_the_hand_saved_first_is_fixed_with_mine_filled_in(table, alice):
    overtaken(alice, table, OTHER)
    alice.get_by_role("button", name="Correct it with mine").tap()
    expect(alice.locator("#left-4")).to_have_value("47")
    expect(alice.locator("[data-preview-region]")).to_contain_text("43 → 47")
    save(alice)
    assert to_the_game(alice, table) == [SAVED_HAND]
    alice.get_by_role("link", name="Record hand 2").tap()
    expect(alice.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(alice.locator("input[name=winner]:checked")).to_have_count(0)


def test_discarded_hand_stays_discarded(table, alice):
    """Seen at a table: back to the game, the next hand comes up filled, one tap on Save, and it is there twice."""
    overtaken(alice, table, OTHER)
    alice.reload()
    asked(alice)
    alice.go_back()
    alice.go_forward()
    asked(alice)
    alice.go_back()
    alice.get_by_role("link", name="Record hand 2").tap()
    asked(alice)
    alice.get_by_role("link", name="← Score").tap()
    alice.get_by_role("link", name="Record hand 2").tap()
    asked(alice)
    expect(alice.locator("[data-save]")).to_be_hidden()
    alice.reload()
    asked(alice)
    alice.get_by_role("link", name="Theirs is right").tap()
    alice.get_by_role("link", name="Record hand 2").tap()
    enter_hand(alice, *MINE)
    save(alice)
    assert to_the_game(alice, table) == [OTHER_HAND, SAVED_HAND]


def test_another_hand_is_saved_once_however_often_it_is_tapped(table, alice):
    overtaken(alice, table, OTHER)
    alice.get_by_role("button", name="Save as hand 2").dblclick()
    assert to_the_game(alice, table) == [OTHER_HAND, SAVED_HAND]
    alice.go_back()
    alice.goto(f"{table.game}/hand")
    expect(alice.locator("input[name=winner]:checked")).to_have_count(0)
    assert table.hands() == [OTHER_HAND, SAVED_HAND]


def test_a_hand_begun_and_overtaken_is_gone_on_with_as_another(table, alice):
    alice.get_by_role("link", name="Record hand 1").tap()
    alice.locator(".winner .choice", has_text="Ann").tap()
    tap_digits(alice, "28")
    table.record(OTHER)
    alice.reload()
    asked(alice)
    expect(alice.get_by_role("button", name="Save as hand 2")).to_be_hidden()
    alice.get_by_role("button", name="Change mine").tap()
    expect(alice.locator("#left-2")).to_have_value("28")
    tap_digits(alice, "3547")
    save(alice)
    assert to_the_game(alice, table) == [OTHER_HAND, SAVED_HAND]


def test_something_else_recorded_meanwhile_is_told_and_the_hand_saved_with_one_tap(table, alice):
    begin(alice, 1, *MINE)
    table.record({"kind": "rename", "seat": 4, "name": "Dora"})
    save(alice)
    asked(alice)
    expect(alice.get_by_text("New name: Dora")).to_be_visible()
    alice.get_by_role("button", name="Save as hand 1").tap()
    assert to_the_game(alice, table) == [SAVED_HAND]


@pytest.mark.long
def test_a_hand_kept_over_a_rename_is_taken_up_by_itself(table, alice):
    begin(alice, 1, *MINE)
    table.record({"kind": "rename", "seat": 4, "name": "Dora"})
    alice.reload()
    expect(alice.locator("#meanwhile")).to_contain_text("New name: Dora")
    expect(alice.locator("#left-2")).to_have_value("28")
    save(alice)
    assert to_the_game(alice, table) == [SAVED_HAND]


# ---- Without a network


def test_a_hand_saved_without_a_network_is_asked_about_when_it_is_sent(table, alice):
    begin(alice, 1, *MINE)
    alice.context.set_offline(True)
    save(alice)
    expect(alice.locator("[data-outbox]")).to_contain_text("will be sent")
    table.record(SAVED)
    alice.context.set_offline(False)
    gone(alice, table)
    assert table.hands() == [SAVED_HAND]


def test_a_choice_made_without_a_network_is_asked_again_if_the_log_moved(table, alice):
    overtaken(alice, table, OTHER)
    alice.wait_for_load_state()
    alice.context.set_offline(True)
    alice.get_by_role("button", name="Save as hand 2").tap()
    expect(alice.locator("[data-outbox]")).to_contain_text("will be sent")
    table.record(THIRD)
    alice.context.set_offline(False)
    alice.get_by_role("button", name="Save as hand 3").tap()
    assert to_the_game(alice, table) == [OTHER_HAND, THIRD_HAND, SAVED_HAND]


def test_a_hand_begun_online_and_found_again_offline_is_compared_before_it_is_saved(table):
    phone = table.scorer("", service_workers="allow")
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.reload()
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    phone.reload()
    begin(phone, 1, *MINE)
    table.record(OTHER)
    phone.reload()  # asked, and what the worker keeps of the page knows of hand 1
    asked(phone)
    phone.context.set_offline(True)
    phone.reload()
    expect(phone.locator("[data-outbox]")).to_contain_text("You had begun a hand here")
    phone.get_by_role("button", name="Continue it").tap()
    expect(phone.locator("#left-2")).to_have_value("28")
    save(phone)
    expect(phone.locator("[data-outbox]")).to_contain_text("will be sent")
    phone.context.set_offline(False)
    asked(phone)
    assert table.hands() == [OTHER_HAND]


# ---- Without JavaScript


@pytest.fixture
def plain(table):
    return table.scorer("/hand", java_script_enabled=False)


def look(phone):
    phone.locator("[value=preview]").last.tap()


@pytest.mark.long
def test_without_script_a_look_asks_and_back_and_reload_ask_again(table, plain):
    type_plainly(plain, *MINE)
    table.record(OTHER)
    look(plain)
    asked(plain)
    plain.reload()
    asked(plain)
    plain.get_by_role("link", name="Theirs is right").tap()
    to_the_game(plain, table)
    plain.go_back()
    asked(plain)
    assert table.hands() == [OTHER_HAND]


@pytest.mark.long
def test_without_script_overtaken_after_the_look_it_is_asked_before_it_is_saved(table, plain):
    type_plainly(plain, *MINE)
    look(plain)
    expect(plain.get_by_role("heading", name="Is this right?")).to_be_visible()
    table.record(OTHER)
    plain.get_by_role("button", name="Save").tap()
    asked(plain)
    plain.get_by_role("button", name="Save as hand 2").tap()
    to_the_game(plain, table)
    for _ in range(2):
        plain.go_back()
        expect(plain.locator("h1")).to_have_count(1)
    assert table.hands() == [OTHER_HAND, SAVED_HAND]
