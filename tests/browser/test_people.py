"""Players with phones of their own: they hand in their cards, open and send links, get the result."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"


def won(alice):
    """Ann went out."""
    alice.locator(".winner .choice", has_text="Ann").tap()


def hold_twenty(alice):
    """Everybody else holds 20."""
    for row in alice.locator(".loser:visible").all():
        row.locator("input[name^=points]").fill("20")


def types_a_hand(alice):
    won(alice)
    hold_twenty(alice)


def test_the_first_hand_is_led(table):
    alice = table.scorer("/hand")
    led = alice.locator("[data-guide]")
    expect(led.get_by_text("Tap whoever went out.")).to_be_visible()
    won(alice)
    expect(led.get_by_text("type the points each is left with, or tap Cards")).to_be_visible()
    hold_twenty(alice)
    expect(led.get_by_text("Read it out. Right?")).to_be_visible()
    alice.get_by_role("button", name="Save hand").tap()
    alice.wait_for_url(f"**{table.game}")


class SlowLine:
    """What a phone asks about a hand it shows waits until the line is quick."""

    def __init__(self, phone):
        self.is_slow, self.waiting = True, []
        phone.route("**/hand/preview", self.ask)

    def ask(self, route):
        if self.is_slow:
            self.waiting.append(route)
        else:
            route.continue_()

    def quicken(self):
        self.is_slow = False
        while self.waiting:
            self.waiting.pop().continue_()


def test_what_is_typed_last_is_what_is_shown_however_late_an_answer_comes(table):
    alice = table.scorer("/hand")
    line = SlowLine(alice)
    types_a_hand(alice)
    points, outlook = alice.locator("#points-2"), alice.locator("[data-preview-region]")
    for typed in ("21", "22"):
        points.fill(typed)
        alice.wait_for_timeout(300)
    assert line.waiting
    line.quicken()
    expect(outlook).to_contain_text("0 + 22 = 22")
    line.is_slow = True
    points.fill("23")
    alice.wait_for_timeout(300)
    points.fill("")
    line.quicken()
    expect(outlook).to_be_empty()
    line.is_slow = True
    points.fill("24")
    alice.wait_for_timeout(300)
    line.is_slow = False
    points.fill("25")
    expect(outlook).to_contain_text("0 + 25 = 25")  # what is never answered holds nothing up


def test_a_row_says_whose_phone_its_count_came_from(table):
    alice, ben = table.scorer("/hand"), table.seated(2, path="/count")
    won(alice)
    ben.locator("#points-2").fill("27")
    ben.get_by_role("button", name="Send").locator("visible=true").tap()
    row = alice.locator(".loser[data-seat='2']")
    expect(row.get_by_text("27 from Ben’s phone")).to_be_visible()
    expect(row.locator("#points-2")).to_have_value("27")
    alice.get_by_role("link", name="Clear").tap()
    won(alice)
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
    alice.wait_for_function("sent.length")
    assert alice.evaluate("sent") == [alice.locator("#join-link").get_attribute("href")]
    assert "/p/" in alice.evaluate("sent[0]")
