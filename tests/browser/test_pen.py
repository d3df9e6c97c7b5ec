"""The pen on two phones: who loses it is told, and has a way back."""

import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.phones import asleep
from tests.browser.writing import tap_digits
from tests.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(empty_database, tmp_path_factory):
    """A server on which nobody has long to refuse, and nobody waits long to ask again."""
    path = shutil.copy(empty_database, tmp_path_factory.mktemp("pen") / "games.db")
    with Server(f"sqlite:///{path}", PEN_SECONDS=2, PEN_AGAIN_SECONDS=3) as server:
        yield server


def take_the_pen(phone, table):
    phone.get_by_role("button", name="Ask for the pen").tap()
    phone.wait_for_url(f"**{table.game}")
    expect(phone.get_by_role("link", name="Record hand 1")).to_be_visible()


def lost(phone, name):
    expect(phone.get_by_text(f"{name} writes now.")).to_be_visible()


def test_the_starter_says_who_they_are_with_one_tap_and_gets_the_pen_back(table):
    alice, cat = table.scorer(""), table.seated(3, path="/pen")
    alice.get_by_role("button", name="Ann", exact=True).tap()
    expect(alice.get_by_text("Which of these is you?")).to_be_hidden()
    take_the_pen(cat, table)
    lost(alice, "Cat")
    alice.reload()
    lost(alice, "Cat")
    alice.get_by_role("button", name="Ask for the pen back").tap()
    expect(cat.get_by_text("Ann wants to take the pen.")).to_be_visible()
    alice.wait_for_url(f"**{table.game}")
    expect(alice.get_by_role("link", name="Record hand 1")).to_be_visible()
    lost(cat, "Ann")


def test_who_said_no_seat_is_asked_for_it_on_the_way_back(table):
    alice, cat = table.scorer(""), table.seated(3, path="/pen")
    alice.get_by_role("button", name="Never mind").tap()
    expect(alice.get_by_text("Which of these is you?")).to_be_hidden()
    take_the_pen(cat, table)
    lost(alice, "Cat")
    alice.get_by_role("button", name="All right").tap()
    expect(alice.get_by_text("Cat writes now.")).to_be_hidden()
    alice.get_by_role("link", name="Ask for the pen back").tap()
    alice.get_by_role("button", name="Ann").tap()
    expect(cat.get_by_text("Ann wants to take the pen.")).to_be_visible()


def test_a_phone_that_slept_is_told_when_it_wakes(table):
    alice, cat = table.scorer(""), table.seated(3, path="/pen")
    with asleep(alice):
        take_the_pen(cat, table)
    lost(alice, "Cat")


def test_who_is_typing_a_hand_is_told_and_keeps_what_is_typed(table):
    alice, cat = table.scorer("/hand"), table.seated(3, path="/pen")
    alice.locator(".winner .choice", has_text="Ann").tap()
    tap_digits(alice, "28")
    take_the_pen(cat, table)
    lost(alice, "Cat")
    expect(alice.locator("#points-2")).to_have_value("28")
    alice.reload()
    lost(alice, "Cat")


def half_through(table):
    """Ann's phone, on which she has won and Ben's 28 is typed."""
    alice = table.scorer("")
    alice.get_by_role("button", name="Ann", exact=True).tap()
    expect(alice.get_by_text("This is Ann’s phone.")).to_be_visible()
    alice.get_by_role("link", name="Record hand 1").tap()
    alice.locator(".winner .choice", has_text="Ann").tap()
    tap_digits(alice, "28")
    return alice


@pytest.mark.parametrize("by", [pytest.param("preview", marks=pytest.mark.long), "save"])
def test_whose_pen_went_half_through_a_hand_asks_and_goes_on_there(table, by):
    alice, cat = half_through(table), table.seated(3, path="/pen")
    take_the_pen(cat, table)
    lost(alice, "Cat")
    tap_digits(alice, "35")
    preview = alice.locator("[data-outlook]")
    expect(preview).to_contain_text("Cat has the pen now. What you typed stays on this phone.")
    ask = preview.get_by_role("button", name="Ask for the pen")
    if by == "save":
        alice.get_by_role("button", name="Save hand").tap()
        expect(alice.get_by_role("heading", name="Cat has the pen now")).to_be_visible()
        expect(alice.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("28")
        ask = alice.get_by_role("button", name="Ask for the pen back")
    ask.tap()
    expect(alice.get_by_text("The hand you began is kept.")).to_be_visible()
    expect(preview).to_contain_text("0 + 28 = 28")  # nobody refused
    expect(alice.locator("#points-3")).to_have_value("35")
    alice.get_by_role("button", name="Save hand").tap()
    alice.wait_for_url(f"**{table.game}")
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]


def test_a_hand_that_waited_for_a_connection_is_shown_when_the_pen_went_meanwhile(table):
    alice, cat = half_through(table), table.seated(3, path="/pen")
    tap_digits(alice, "35")
    alice.context.set_offline(True)
    alice.get_by_role("button", name="Save hand").tap()
    expect(alice.get_by_text("Kept on this phone so far")).to_be_visible()
    take_the_pen(cat, table)
    alice.context.set_offline(False)
    for _ in range(2):
        expect(alice.get_by_role("heading", name="Cat has the pen now")).to_be_visible(timeout=20_000)
        expect(alice.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("28")
        alice.reload()
    assert table.hands() == []


def test_after_a_refusal_the_button_comes_back_by_itself_after_a_while(table):
    alice, cat = table.scorer(""), table.seated(3, path="/pen")
    cat.get_by_role("button", name="Ask for the pen").tap()
    alice.get_by_role("button", name="Refuse").tap()
    expect(cat.get_by_text("You may ask again in")).to_be_visible()
    expect(cat.get_by_role("button", name="Ask for the pen")).to_be_hidden()
    expect(cat.get_by_role("button", name="Ask for the pen")).to_be_visible()


def test_without_script_it_is_told_and_asked_back(table):
    alice, cat = table.scorer("", java_script_enabled=False), table.seated(3, path="/pen")
    alice.get_by_role("button", name="Ann", exact=True).tap()
    take_the_pen(cat, table)
    alice.reload()
    lost(alice, "Cat")
    alice.get_by_role("button", name="Ask for the pen back").tap()
    expect(cat.get_by_text("Ann wants to take the pen.")).to_be_visible()
