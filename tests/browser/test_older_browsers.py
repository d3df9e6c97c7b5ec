"""A browser that lacks a newer built-in: no script takes over and all works as without, or it isn’t missed."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand, type_plainly
from tests.pages import EURO, hand
from tests.test_javascript import NEEDED, OPTIONAL

pytestmark = pytest.mark.browser

REPLACED = ["HTMLFormElement.requestSubmit", "Element.checkVisibility", "Array.with", "Array.toSpliced"]
WITHOUT = """name => {
    const [owner, part] = name.split(".");
    delete (owner === "NavigatorStorage" ? Navigator : window[owner]).prototype[part];
}"""
NO_HAS = "CSS.supports = () => false"
OF_2016 = """for (const name of ["at", "findLast", "findLastIndex", "flat", "flatMap"]) delete Array.prototype[name];
delete Object.fromEntries;
delete Promise.allSettled;"""
"""Tried in every run; the others in the long one."""
NO_TIMEOUT = "delete AbortSignal.timeout"


def lacking(name):
    return f"({WITHOUT})('{name}')"


def cases():
    yield pytest.param(OF_2016, False, id="of 2016")
    for name in sorted(NEEDED):
        yield pytest.param(lacking(name), False, id=name, marks=pytest.mark.long)
    yield pytest.param(NO_HAS, False, id=":has()", marks=pytest.mark.long)
    for name in [*sorted(OPTIONAL), *REPLACED]:
        yield pytest.param(lacking(name), True, id=name, marks=pytest.mark.long)
    yield pytest.param(NO_TIMEOUT, True, id="AbortSignal.timeout", marks=pytest.mark.long)


@pytest.mark.parametrize(("older", "takes_over"), [*cases()])
def test_a_browser_without_it_starts_a_game_records_a_hand_buys_in_and_counts(begin, older, takes_over):
    table = begin(players=["Ann", "Ben", "Cat"], stakes=EURO)
    phone = table.device()
    phone.add_init_script(older)
    phone.goto("/new")
    names = phone.locator(".seat-name")
    names.nth(0).fill("Ann")
    names.nth(0).press("Enter")
    names.nth(1).fill("Ben")
    phone.get_by_role("button", name="Start the game").tap()
    phone.wait_for_url("**/g/*")
    assert [name.split()[0] for name in phone.locator(".player-name").all_text_contents()] == ["Ann", "Ben"]

    phone.request.get(f"{table.game}/s/{table.secret}")
    phone.goto(f"{table.game}/hand")
    expect(phone.locator("form.is-live")).to_have_count(int(takes_over))
    if takes_over:
        enter_hand(phone, "Ann", {"2": "35", "3": "28"})
        phone.locator("[data-save]").tap()
    else:
        type_plainly(phone, "Ann", {"2": "35", "3": "28"})
        phone.locator("[data-look]").tap()
        phone.locator("main [name=do][value=save]").tap()
    phone.wait_for_url(f"**{table.game}")
    assert [points for _, points in table.hands()] == [{"1": 0, "2": 35, "3": 28}]

    table.record(hand(1, s2=125, s3=10))  # Ben has 35 + 125
    phone.goto(table.game)
    phone.get_by_role("button", name="Buy in").tap()
    expect(phone.get_by_text("Bought in.")).to_be_attached()
    assert "buy_in" in str(table.state())


@pytest.mark.parametrize(("older", "takes_over"), [*cases()])
def test_a_browser_without_it_sends_its_players_cards(table, older, takes_over):
    phone = table.seated(2, path="/rules")
    phone.add_init_script(older)
    phone.goto(f"{table.game}/count")
    expect(phone.locator("form.is-live")).to_have_count(int(takes_over))
    if takes_over:
        phone.locator("[data-key='card K']").tap()
        phone.get_by_role("button", name="Send").locator("visible=true").tap()
    else:
        phone.locator("#left-2").fill("K")
        phone.get_by_role("button", name="Send").tap()
    phone.wait_for_url(f"**{table.game}")
    expect(phone.get_by_text("Sent to whoever records.")).to_be_attached()
