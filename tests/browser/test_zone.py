"""A game started with script is played in the time zone of the phone."""

import pytest

from tests.browser.phone_pool import PHONE

pytestmark = pytest.mark.browser


def test_the_phone_tells_its_time_zone(browser, server):
    context = browser.new_context(
        base_url=server.url, viewport=PHONE, timezone_id="America/Jamaica", service_workers="block"
    )
    page = context.new_page()
    page.goto("/new")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/g/*")
    code = page.url.rsplit("/", 1)[1]
    assert page.request.get(f"/api/v1/games/{code}").json()["zone"] == "America/Jamaica"
    context.close()
