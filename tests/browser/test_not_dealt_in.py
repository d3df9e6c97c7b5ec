"""A player who was not dealt in, on a phone: ticked, cleared after asking, and left out of what is typed next."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def tick(phone, seat):
    phone.page.locator("#not-dealt-in summary").tap()
    phone.page.locator(f"label:has(#absent-{seat})").tap()


def test_a_tick_takes_the_row_away_and_the_others_complete_the_hand(phone):
    phone.begin("Ann")
    tick(phone, 3)
    row = phone.page.locator(".loser[data-seat='3']")
    expect(row).to_contain_text("not dealt in")
    expect(phone.points(3)).to_be_hidden()
    expect(phone.page.locator("label:has(#absent-1)")).to_be_hidden()

    phone.points(2).tap()
    phone.press("3", "0", "1", "2")
    expect(phone.preview).to_contain_text("not dealt in")
    assert phone.saves() == [0, 30, 0, 12]
    assert phone.state()["hands"][0]["absent"] == [3]


def test_a_filled_row_is_cleared_only_after_asking(phone):
    phone.begin("Ann")
    phone.press("3", "0", "2", "0", "1", "2")
    asked = []
    phone.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    tick(phone, 3)
    expect(phone.page.locator("#absent-3")).not_to_be_checked()
    expect(phone.points(3)).to_have_value("20")

    phone.page.once("dialog", lambda dialog: dialog.accept())
    phone.page.locator("label:has(#absent-3)").tap()
    expect(phone.points(3)).to_have_value("")
    assert asked == ["Clear what you typed for Cat, who was not dealt in?"]
    assert phone.saves() == [0, 30, 0, 12]


def test_the_count_of_a_player_who_was_not_dealt_in_is_not_offered(table):
    ben = table.seated(2, path="/count")
    scorer = table.scorer()
    scorer.locator(".winner .choice", has_text="Ann").tap()
    scorer.locator("#not-dealt-in summary").tap()
    scorer.locator("label:has(#absent-2)").tap()
    ben.locator("#points-2").fill("17")
    ben.get_by_role("button", name="Send").tap()
    row = scorer.locator(".loser[data-seat='2']")
    expect(scorer.locator("[data-counted='2']")).to_be_attached()
    expect(row.locator(".loser-offer, .loser-from")).to_have_count(0)
    expect(scorer.locator("#points-2")).to_have_value("")

    scorer.locator("label:has(#absent-2)").tap()
    expect(scorer.locator("#points-2")).to_have_value("17")
