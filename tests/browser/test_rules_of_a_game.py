"""Another game by the rules of one: filled in, typed over, kept in a draft, with script and without."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.scorer_phone import Phone
from tests.matrix import some

pytestmark = pytest.mark.browser

HOUSE = {"opening_points": 51, "joker_left": 25, "limit": 200, "melds_a_turn": 1, "packs": 3, "jokers": 6}


def rules_of(page, code):
    return page.request.get(f"/api/v1/games/{code}/sheet.json").json()["log"][0]["event"]["house"]


def started(page):
    """Start the game on the page; its code."""
    page.get_by_role("button", name="Start the game").tap()
    page.wait_for_url(re.compile("/g/"))
    return urlsplit(page.url).path.split("/")[2]


def test_a_game_by_the_rules_of_one_and_the_next_like_it_play_all_of_them(page, server):
    Phone(page, server, players=("Ann", "Ben"), house=HOUSE, stakes=None).open("/more")
    page.get_by_role("link", name="New game with these rules").tap()
    page.locator("[name=players-0-name]").fill("Ann")
    page.locator("[name=players-1-name]").fill("Ben")
    page.locator("#draw > summary").tap()
    page.get_by_role("button", name="Draw on this device").tap()
    expect(page.get_by_text("drew the ace and deals first")).to_be_visible()
    assert rules_of(page, started(page)).items() >= HOUSE.items()

    page.goto("/new?again=1")
    assert rules_of(page, started(page)).items() >= HOUSE.items()
    page.goto("/new")
    page.locator("#rules-played > summary").tap()
    page.locator("#rules-played").get_by_role("link").tap()
    for seat, name in enumerate(("Cat", "Dan")):
        page.locator(f"[name=players-{seat}-name]").fill(name)
    assert rules_of(page, started(page)).items() >= HOUSE.items()


def says(page, key, value):
    expect(page.locator(f"[name=house-{key}]")).to_have_value(value)
    expect(differing(page).locator(f"dt:has([href='#house-{key}']) + dd")).to_contain_text(value)


def differing(page):
    return page.locator("#differing")


@pytest.mark.parametrize("variant", some(["european", "jamaican"], "jamaican"))
def test_rules_typed_before_those_of_a_game_were_opened_change_none_of_them(page, server, variant):
    page.goto("/new")
    page.locator("[name=players-0-name]").fill("Ann")
    page.locator("#house > summary").tap()
    page.locator(".rule-row:has(#house-joker_left) > summary").tap()
    page.locator("#house-joker_left").fill("30")
    expect(differing(page)).to_contain_text("30 points")

    house = {"joker_left": 35, "limit": 200}
    page.goto(f"/new?rules={Phone(page, server, variant, ('Ann', 'Ben'), house=house, stakes=None).code}")
    expect(page.locator("[name=players-0-name]")).to_have_value("Ann")
    expect(page.locator("#variant")).to_have_value(variant)
    for key, value in (("joker_left", "35"), ("limit", "200")):
        says(page, key, value)


@pytest.mark.long
def test_typed_house_rules_survive_reload_and_closed_tab(page, server):
    house = {"joker_left": 15, "limit": 200}
    page.goto(f"/new?rules={Phone(page, server, 'jamaican', ('Ann', 'Ben'), house=house, stakes=None).code}")
    page.locator("#house > summary").tap()
    page.locator(".rule-row:has(#house-limit) > summary").tap()
    page.locator("#house-limit").fill("222")
    expect(differing(page)).to_contain_text("222 points")
    page.reload()
    says(page, "limit", "222")
    page.goto("/new")  # another tab, later: fifteen is usual in its first variant, not here
    expect(page.locator("#variant")).to_have_value("jamaican")
    for key, value in (("joker_left", "15"), ("limit", "222")):
        says(page, key, value)
