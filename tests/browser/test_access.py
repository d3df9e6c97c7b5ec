"""Pages can be used by everybody: axe finds nothing, in light and in dark."""

import pytest

from tests.browser.accessibility import seen_and_heard

pytestmark = pytest.mark.browser


@seen_and_heard
def test_axe_finds_nothing_where_something_is_wrong(page, faults):
    page.goto("/new")
    page.get_by_label("Play for money").check()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("alert").wait_for()
    assert faults(page) == {}


def test_a_fault_leads_to_its_field(page):
    page.goto("/new")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("link", name="Player 2: Give this player a name").click()
    assert page.evaluate("() => document.activeElement.id") == "players-1-name"
