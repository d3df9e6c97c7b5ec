"""Players with phones of their own: they agree to a hand, hear that the referee is called, get the result."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Table

pytestmark = pytest.mark.browser

NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
COUNTED_BUZZES = "globalThis.buzzes = 0; Navigator.prototype.vibrate = () => (globalThis.buzzes += 1)"


@pytest.fixture
def table(browser, server):
    table = Table(browser, server)
    yield table
    table.close()


def test_a_hand_is_shown_agreed_to_and_saved_and_the_first_one_is_led(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    led = alice.locator(".led")
    expect(led.get_by_text("Touch whoever went out.")).to_be_visible()
    alice.locator(".winner").get_by_text("Ann").tap()
    expect(led.get_by_text("type the sum, or touch Cards")).to_be_visible()
    for row in alice.locator(".loser:visible").all():
        row.locator("input[name^=points]").fill("20")
    expect(led.get_by_text("Read it out below.")).to_be_visible()
    ben.get_by_role("button", name="That is right").tap()
    expect(alice.locator("#agreed")).to_contain_text("Ben: that is right.")
    alice.get_by_role("button", name="Save hand").tap()
    alice.wait_for_url(f"**{table.game}")
    expect(ben.get_by_text("Is this right?")).to_be_hidden()
    assert table.state()["hands"][0]["agreed"] == [2]


def test_who_empties_the_form_or_leaves_it_asks_nobody_any_more(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    question = ben.get_by_text("Is this right?")
    for leave in (
        lambda: alice.get_by_role("link", name="Clear").tap(),
        lambda: alice.goto(table.game),
    ):
        alice.locator(".winner").get_by_text("Ann").tap()
        for row in alice.locator(".loser:visible").all():
            row.locator("input[name^=points]").fill("20")
        expect(question).to_be_in_viewport()
        ben.get_by_role("button", name="Stop!").tap()
        expect(alice.locator("#objected-2")).to_be_visible()
        leave()
        expect(question).to_be_hidden()
        expect(alice.locator("#objected-2")).to_be_hidden()
    expect(ben.get_by_role("button", name="Call the referee")).to_be_visible()


def test_a_phone_buzzes_for_the_referee_once_it_was_told_to(table):
    ben, cat = table.seated(2), table.seated(3)
    cat.add_init_script(COUNTED_BUZZES)
    cat.reload()
    ben.get_by_role("button", name="Call the referee").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_visible()
    assert cat.evaluate("buzzes") == 0
    cat.get_by_role("button", name="It is settled").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_hidden()
    cat.get_by_role("link", name="More", exact=True).tap()
    cat.get_by_text("This phone buzzes").tap()
    assert cat.evaluate("buzzes") == 1  # so that one knows how it feels
    cat.get_by_role("link", name="← Game").tap()
    cat.wait_for_url(f"**{table.game}")
    ben.get_by_role("button", name="Call the referee").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_visible()
    cat.wait_for_function("buzzes === 1")  # counted anew on this page
    cat.get_by_role("link", name="More", exact=True).tap()
    expect(cat.get_by_label("This phone buzzes")).to_be_checked()
    expect(cat.get_by_label("It sounds")).not_to_be_checked()


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
    alice = table.scorer("/share")
    alice.add_init_script(SHEET)
    alice.get_by_role("button", name="Show the players’ code").tap()
    alice.locator("#play").locator("..").get_by_role("button", name="Send the link").tap()
    alice.wait_for_function("sent.length")
    assert alice.evaluate("sent") == [alice.locator("#made-link").get_attribute("href")]
    assert "/p/" in alice.evaluate("sent[0]")
