"""Players with phones of their own: they hand in their cards, open and send links, get the result."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"


@pytest.mark.long
def test_a_row_says_whose_phone_its_count_came_from(table):
    alice, ben = table.scorer("/hand"), table.seated(2, path="/count")
    alice.locator(".winner .choice", has_text="Ann").tap()
    ben.locator("#left-2").fill("27")
    ben.get_by_role("button", name="Send").locator("visible=true").tap()
    row = alice.locator(".loser[data-seat='2']")
    expect(row.get_by_text("27 from Ben’s phone")).to_be_visible()
    expect(row.locator("#left-2")).to_have_value("27")
    alice.get_by_role("link", name="Clear").tap()
    alice.locator(".winner .choice", has_text="Ann").tap()
    row.get_by_role("button", name="Ben sent 27").tap()
    expect(row.get_by_text("27 from Ben’s phone")).to_be_visible()


def test_the_result_is_copied_where_a_page_has_no_clipboard(table):
    table.record({"kind": "stop", "pool": "refund"})
    bob = table.phone("/result")
    bob.add_init_script(NO_CLIPBOARD)
    bob.reload()
    bob.get_by_role("button", name="Copy the text").tap()
    expect(bob.get_by_role("button", name="Copied")).to_be_visible()
    selected = bob.evaluate("document.activeElement.value.slice(0, 16)")
    assert selected == "European Kalooki"


SHEET = "globalThis.sent = []; Navigator.prototype.share = async (told) => { sent.push(told.url); }"
NO_SHEET = "delete Navigator.prototype.share"


def test_a_link_is_copied_where_a_page_has_no_clipboard(table):
    bob = table.phone()
    bob.add_init_script(NO_CLIPBOARD)
    bob.add_init_script(NO_SHEET)
    bob.goto(f"{table.game}/share")
    expect(bob.get_by_role("button", name="Send the link")).to_be_hidden()
    bob.get_by_role("button", name="Copy the link").tap()
    expect(bob.get_by_role("button", name="Copied")).to_be_visible()
    assert bob.evaluate("getSelection().toString()") == bob.locator("#watch-link").get_attribute("href")


def test_a_link_goes_to_the_phones_own_share_sheet(table):
    alice = table.scorer("/rules")
    alice.add_init_script(SHEET)
    alice.goto(f"{table.game}/share")
    alice.locator("#join").locator("..").get_by_role("button", name="Send the link").tap()
    alice.wait_for_function("() => sent.length")
    assert alice.evaluate("sent") == [alice.locator("#join-link").get_attribute("href")]
    assert "/p/" in alice.evaluate("sent[0]")
