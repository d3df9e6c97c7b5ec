"""An open offer to buy in is asked where the thumb is, before the next hand."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import ANSWERS, GO_ON, HOLD, tap_where_it_stands
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

STAKES = {"currency": "EUR", "initial": 100, "call_up": 10, "kalooki": 20, "buy_in": 50}


@pytest.fixture
def table(begin):
    """Ben and Cat are out at 150; they may come in again at Dan's 100."""
    table = begin(players=FOUR, stakes=STAKES)
    table.record(hand(1, s2=140, s3=148, s4=98), hand(1, s2=20, s3=30, s4=2))
    return table


def bar(phone):
    return phone.locator(".action-bar")


def in_sight(phone, place):
    box = place.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= phone.viewport_size["height"]


def test_the_bar_asks_all_in_one_list_and_then_for_the_hand(table):
    phone = table.scorer("")
    questions = bar(phone).locator("[data-question]")
    expect(questions).to_have_text(["Ben may buy in at 100 for €0.50.", "Cat may buy in at 100 for €0.50."])
    assert phone.get_by_role("button", name="Buy in").count() == 2
    record = bar(phone).get_by_role("link", name="Record hand 3")
    for place in bar(phone).get_by_role("button").all():
        assert in_sight(phone, place)
        assert place.bounding_box()["height"] >= 44
    assert "button-primary" not in record.get_attribute("class")
    bar(phone).get_by_role("button", name=re.compile("Buy in.*Ben")).tap()
    expect(questions).to_have_text(["Cat may buy in at 100 for €0.50."])
    expect(questions).to_be_focused()
    bar(phone).get_by_role("button", name=re.compile("Decline.*Cat")).tap()
    expect(bar(phone).get_by_role("button")).to_have_count(0)
    assert "button-primary" in record.get_attribute("class")
    expect(record).to_be_focused()  # for the next Enter
    assert [player["total"] for player in table.state()["players"]] == [0, 100, 178, 100]


def test_each_of_several_is_a_line_with_its_buttons(table):
    phone = table.scorer("")
    offers = bar(phone).locator(".offer")
    expect(offers).to_have_count(2)
    for offer in offers.all():
        question, *buttons = [
            offer.locator(each).bounding_box() for each in ("[data-question]", "button[value^=d]", "button[value^=b]")
        ]
        assert all(each["x"] > question["x"] and each["y"] < question["y"] + question["height"] for each in buttons)


def test_with_large_letters_offers_come_before_the_players(table):
    phone = table.device()
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    phone.request.get(f"{table.game}/s/{table.secret}")
    phone.goto(table.game)
    assert in_sight(phone, bar(phone).get_by_role("button").first)
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 16}})


def test_a_double_tap_answers_one_offer(table):
    """Ben's buttons come where Cat's were; a moment later they answer."""
    phone = table.scorer("")
    phone.wait_for_function(ANSWERS)
    phone.evaluate(HOLD)
    middle = tap_where_it_stands(phone, bar(phone).get_by_role("button", name=re.compile("Buy in.*Cat")))
    expect(bar(phone).locator("[data-question]")).to_have_text(["Ben may buy in at 100 for €0.50."])
    phone.wait_for_function("() => document.getAnimations().some(each => each.playState === 'paused')")
    phone.touchscreen.tap(*middle)
    phone.evaluate(GO_ON)
    phone.wait_for_function(ANSWERS)
    assert [player["buy_ins"] for player in table.state()["players"]] == [0, 0, 1, 0]
    bar(phone).get_by_role("button", name=re.compile("Buy in.*Ben")).tap()
    expect(bar(phone).get_by_role("button")).to_have_count(0)
    assert [player["buy_ins"] for player in table.state()["players"]] == [0, 1, 1, 0]


def test_a_phone_of_ones_own_asks_its_player_first(table):
    phone = table.seated(3)
    expect(bar(phone).locator("[data-question]")).to_have_text([re.compile("^Cat may"), re.compile("^Ben may")])


def test_no_enter_too_many_buys_in(begin):
    """With a keyboard the question has the focus, not its button; after the answers the next hand has it."""
    table = begin(players=FOUR, stakes=STAKES)
    table.record(hand(1, s2=140, s3=148, s4=98), hand(1, s2=20, s3=30, s4=2))
    laptop = table.scorer("", has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 800})
    question = bar(laptop).locator("[data-question]")
    expect(question.first).to_be_focused()
    laptop.keyboard.press("Enter")
    laptop.keyboard.press("Tab")
    expect(bar(laptop).get_by_role("button", name=re.compile("Decline.*Ben"))).to_be_focused()
    assert table.state()["seen"] == 3
    laptop.keyboard.press("Enter")
    expect(question).to_have_text(["Cat may buy in at 100 for €0.50."])
    expect(question).to_be_focused()


def test_an_offer_made_meanwhile_is_asked_at_once(begin):
    table = begin(players=FOUR, stakes=STAKES)
    table.record(hand(1, s2=140, s3=5, s4=6))
    phone = table.scorer("")
    assert "button-primary" in bar(phone).get_by_role("link", name="Record hand 2").get_attribute("class")
    table.record(hand(1, s2=20, s3=5, s4=6))
    expect(bar(phone)).to_contain_text("Ben may buy in at 12 for €0.50.")
