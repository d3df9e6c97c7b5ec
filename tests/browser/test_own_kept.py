"""A set of own rules on a device: kept, offered at the next game, renamed, deleted."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import expect

from app.kalooki.variants import load, with_house_rules
from app.kalooki.variants.own import own_rules, read_own

pytestmark = pytest.mark.browser

HOUSE = {"opening_points": 51, "joker_left": 25, "limit": 200, "melds_a_turn": 1, "packs": 3, "jokers": 6}


def test_a_set_is_kept_offered_renamed_and_deleted(page):
    text = own_rules(with_house_rules(load("european"), HOUSE)[0], "", "2026-11-22").text
    page.goto(f"/own?own={quote(text)}")
    keeps = page.get_by_role("button", name="Keep them on this device")
    keeps.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Own rules")  # the name is asked once, and first
    page.get_by_label("What do you call these rules?").fill("Sundays")
    keeps.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sundays")
    page.get_by_label("What do you call these rules?").fill("Sunday")
    page.get_by_role("button", name="Rename").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sunday")
    expect(page.get_by_text("They are kept on this device, and New game offers them.")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()

    page.goto("/new")
    expect(page.get_by_role("link", name=" · 2026-11-22")).to_have_count(1)
    expect(page.get_by_role("button", name="Delete")).to_be_hidden()
    page.get_by_role("link", name="Sunday · 2026-11-22").tap()
    expect(page.locator("[name=house-opening_points]")).to_have_value("51")

    page.goto("/own")
    page.once("dialog", lambda dialog: dialog.accept("Monday"))
    page.get_by_role("button", name="Rename").tap()
    page.get_by_role("link", name="Monday · 2026-11-22").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Monday")

    page.goto("/sheets")
    page.get_by_role("link", name="Monday · 2026-11-22").tap()
    expect(page.get_by_label("Which Kalooki?").locator("option:checked")).to_have_text("Monday")
    page.goto("/compare")
    page.get_by_label("The other").select_option("Monday")
    page.get_by_role("button", name="Compare").tap()
    expect(page.get_by_text("6 values differ")).to_be_visible()

    page.goto("/own")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete").tap()
    expect(page.get_by_role("link", name="Monday")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").tap()
    expect(page.get_by_text("Kept on this device")).to_be_hidden()
    page.goto("/new")
    expect(page.get_by_role("heading", name="Kept on this device")).to_be_hidden()


@pytest.mark.parametrize("has_script", [True, False])
def test_a_game_started_by_a_set_and_the_next_like_it_play_all_its_rules(browser, server, has_script):
    own = own_rules(with_house_rules(load("european"), HOUSE)[0], "Sunday", "2026-11-22")
    context = browser.new_context(java_script_enabled=has_script, base_url=server.url, has_touch=True)
    page = context.new_page()
    page.goto(f"/own?own={quote(own.text)}")
    page.get_by_role("link", name="Start a game with these rules").tap()
    page.locator("[name=players-0-name]").fill("Ann")
    page.locator("[name=players-1-name]").fill("Ben")
    page.get_by_role("button", name="Draw for seats").tap()
    expect(page.get_by_text("drew the ace and deals first")).to_be_visible()
    expect(page.get_by_role("link", name="Sunday", exact=True)).to_be_visible()

    code = started(page)
    assert rules_of(page, code).items() >= own.house.items()
    for like in ("again=1", f"like={code}"):
        page.goto(f"/new?{like}")
        assert rules_of(page, started(page)).items() >= own.house.items()
    context.close()


def new_by(page, own):
    page.goto(f"/new?own={quote(own.text)}")


def says(page, key, value):
    expect(page.locator(f"[name=house-{key}]")).to_have_value(value)
    expect(differing(page).locator(f"dt:has([href='#house-{key}']) + dd")).to_contain_text(value)


def differing(page):
    return page.locator("#differing")


@pytest.mark.parametrize("variant", ["european", "jamaican"])
def test_rules_typed_before_a_set_was_opened_change_none_of_its_own(page, variant):
    page.goto("/new")
    page.locator("[name=players-0-name]").fill("Ann")
    page.locator("#house > summary").tap()
    page.locator("#house-joker_left").fill("30")
    expect(differing(page)).to_contain_text("30 points")

    new_by(page, own_rules(with_house_rules(load(variant), {"joker_left": 35, "limit": 200})[0], "Sunday"))
    expect(page.locator("[name=players-0-name]")).to_have_value("Ann")
    expect(page.locator("#variant")).to_have_value(variant)
    for key, value in (("joker_left", "35"), ("limit", "200")):
        says(page, key, value)


def test_what_is_typed_over_a_set_is_there_after_a_reload_and_a_closed_tab(page):
    own = own_rules(with_house_rules(load("jamaican"), {"joker_left": 15, "limit": 200})[0], "Sunday")
    new_by(page, own)
    page.locator("#house > summary").tap()
    page.locator("#house-limit").fill("222")
    expect(differing(page)).to_contain_text("222 points")
    page.reload()
    says(page, "limit", "222")
    page.goto("/new")  # another tab, later: fifteen is usual in its first variant, not here
    expect(page.locator("#variant")).to_have_value("jamaican")
    for key, value in (("joker_left", "15"), ("limit", "222")):
        says(page, key, value)


def started(page):
    """Start the game on the page; its code."""
    page.get_by_role("button", name="Start the game").tap()
    page.wait_for_url(re.compile("/g/"))
    return urlsplit(page.url).path.split("/")[2]


def rules_of(page, code):
    page.goto(f"/g/{code}/own")
    start = page.get_by_role("link", name="Start a game with these rules").get_attribute("href")
    return read_own(parse_qs(urlsplit(start).query)["own"][0]).house
