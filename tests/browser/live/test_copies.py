"""What a phone that records keeps of its games, for when the server has lost one."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.browser.live.test_put_back import kept_by_worker, total
from tests.browser.phones import QUIET, Table
from tests.matrix import some
from tests.pages import hand

pytestmark = pytest.mark.browser

COPIES = """() => Object.keys(localStorage).filter((name) => name.startsWith("kalooki:log:"))
    .map((name) => [name.slice(12), JSON.parse(localStorage[name]).seen]).sort()"""

A_YEAR_AHEAD = """() => Object.keys(localStorage).filter((name) => name.startsWith("kalooki:log:")).forEach((name) => {
    const copy = JSON.parse(localStorage[name]);
    localStorage[name] = JSON.stringify({ ...copy, at: copy.at + 4e10 }) })"""
"""As if these copies had been made while the clock was ahead."""


def copies(phone, *expected):
    """Wait until the phone keeps just these: codes, with how many entries."""
    wanted = sorted([list(each) for each in expected])
    phone.wait_for_function(f"(wanted) => JSON.stringify(({COPIES})()) === JSON.stringify(wanted)", arg=wanted)


@pytest.mark.parametrize("has_worker", some([True, False], True))
def test_lost_game_continues_from_the_phones_copy(evening, has_worker):
    empty = evening.copy()
    table = evening.begin()
    phone = table.scorer("", service_workers="allow" if has_worker else "block")
    if has_worker:
        kept_by_worker(phone)
    table.record(hand(1, s2=28, s3=35))
    expect(total(phone, "Ben")).to_contain_text("28")
    copies(phone, (table.code, 2))
    phone.get_by_role("link", name="Record hand 2").tap()
    enter_hand(phone, "Ann", {"2": "31", "3": "32"})
    phone.route("**/hand", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    phone.locator("[data-save]").tap()
    expect(phone.locator("[data-outbox]")).to_contain_text("on this phone")
    evening.put_back(empty)
    phone.unroute("**/hand")

    phone.goto(table.game)
    phone.get_by_role("button", name="Restore this phone’s copy").click()
    expect(phone.get_by_role("heading", name="Import this game?")).to_be_visible()
    phone.get_by_role("button", name="Import").click()
    phone.wait_for_url(lambda address: "/g/" in address and table.code not in address)
    # Ben 28 + 31, Cat 35 + 32
    expect(total(phone, "Ben")).to_contain_text("59")
    expect(total(phone, "Cat")).to_contain_text("67")


@pytest.mark.long
def test_home_and_games_list_what_the_server_has_lost(evening):
    empty = evening.copy()
    table = evening.begin()
    phone = table.scorer("")
    table.record(hand(1, s2=28, s3=35))
    copies(phone, (table.code, 2))
    phone.goto("/")
    expect(phone.get_by_role("heading", name="My games")).to_be_visible()
    expect(phone.locator("[data-lost-games]")).to_be_hidden()
    evening.put_back(empty)
    for path in ("/", "/games"):
        phone.goto(path)
        lost = phone.get_by_role("region", name="The server has lost these games")
        expect(lost.get_by_role("listitem")).to_contain_text("Ann, Ben, Cat")
        expect(phone.get_by_text("No games on this device.")).to_be_hidden()
    lost.get_by_role("button", name="Restore this phone’s copy").click()
    expect(phone.get_by_role("heading", name="Import this game?")).to_be_visible()


def test_the_last_three_games_are_kept_whatever_the_clock_and_one_goes_with_the_game(browser, server):
    tables = [Table(browser, server) for _ in range(4)]
    phone = tables[0].scorer("")
    copies(phone, (tables[0].code, 1))
    for table in tables[1:]:
        phone.evaluate(A_YEAR_AHEAD)
        phone.goto(f"{table.game}/s/{table.secret}")
        phone.wait_for_function("(code) => localStorage[`kalooki:log:${code}`]", arg=table.code)
    copies(phone, *((table.code, 1) for table in tables[1:]))
    tables[3].record(hand(1, s2=28, s3=35))
    copies(phone, (tables[1].code, 1), (tables[2].code, 1), (tables[3].code, 2))
    phone.goto("/games")
    phone.get_by_text("Remove from this device").click()
    phone.locator(f"[name=forget][value='{tables[2].code}']").click()
    expect(phone.get_by_text("Removed from this device.")).to_be_visible()
    copies(phone, (tables[1].code, 1), (tables[3].code, 2))
    phone.goto(f"{tables[3].game}/delete")
    phone.get_by_role("textbox").fill("Ann")
    phone.get_by_role("button", name="Delete for good").click()
    copies(phone, (tables[1].code, 1))
    for table in tables:
        table.close()


def test_a_phone_that_only_watches_keeps_none(table):
    phone = table.phone()
    table.record(hand(1, s2=28, s3=35))
    expect(total(phone, "Ben")).to_contain_text("28")
    phone.evaluate(QUIET)  # a copy would have been fetched by now
    assert phone.evaluate(COPIES) == []
