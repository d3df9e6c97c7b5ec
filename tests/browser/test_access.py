"""Pages can be used by everybody: axe finds nothing, in light and in dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.browser

PAGES = ["/", "/new", "/new?variant=kalooki-51", "/nowhere"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing(page, address, theme):
    page.emulate_media(color_scheme=theme)
    page.goto(address)
    for fold in page.locator("summary").all():
        fold.click()
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_where_something_is_wrong(page, theme):
    page.emulate_media(color_scheme=theme)
    page.goto("/new")
    page.get_by_label("Play for money").check()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("alert").wait_for()
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


def test_a_fault_leads_to_its_field(page):
    page.goto("/new")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("link", name="Player 2: Give this player a name").click()
    assert page.evaluate("() => document.activeElement.id") == "players-1-name"
