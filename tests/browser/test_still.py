"""Nothing jumps from under a thumb while a page loads on a slow phone, and the keypad waits for few files."""

import pytest

from tests.browser.phones import QUIET
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

WATCHED = """
window.shift = 0;
new PerformanceObserver(list => {
    for (const each of list.getEntries()) window.shift += each.value;
}).observe({type: "layout-shift", buffered: true});
new MutationObserver(() => {
    if (!window.fetched && document.querySelector("form.is-live"))
        window.fetched = performance.getEntriesByType("resource").map(each => each.name);
}).observe(document, {subtree: true, attributes: true, attributeFilter: ["class"]});
"""
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": 400_000, "uploadThroughput": 100_000}


@pytest.fixture
def slow(begin):
    """A function that opens a page of a game on its scorer's phone, four times slower than this machine."""
    table = begin(players=FOUR)
    table.record(hand(1, s2=28, s3=35, s4=47))

    def opened(path):
        context = table.context()
        context.request.get(f"{table.game}/s/{table.secret}")
        context.add_init_script(WATCHED)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_LINE)
        page.goto(path.format(game=table.game))
        page.evaluate(QUIET)
        return page

    return opened


@pytest.mark.parametrize(
    "path", ["{game}", *(pytest.param(each, marks=pytest.mark.long) for each in ("/new", "/check", "/rules/european"))]
)
def test_a_page_stands_still_while_it_loads(slow, path):
    assert slow(path).evaluate("window.shift") < 0.05


def test_the_page_of_a_hand_stands_still_and_its_keypad_lives_after_ten_requests(slow):
    page = slow("{game}/hand")
    assert page.evaluate("window.shift") < 0.05
    fetched = [each for each in page.evaluate("window.fetched") if "woff2" not in each]  # no key waits for a font
    assert 4 < len(fetched) < 10, fetched  # and the page itself


def test_on_a_laptop_the_navigation_has_its_place_before_it_arrives(begin):
    """It comes last, and stands above the page."""
    table = begin(players=FOUR)
    page = table.context(viewport={"width": 1280, "height": 800}, is_mobile=False).new_page()
    for path in ("", "/more"):
        page.goto(f"{table.game}{path}")
        with_it = page.locator("main").bounding_box()["y"]
        page.evaluate("() => document.querySelector('.rooms').remove()")
        assert page.locator("main").bounding_box()["y"] == with_it
