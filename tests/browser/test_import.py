"""A saved game imported by taps, without a script too: what it becomes stands on the screen before it is saved."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_every_page import TOO_WIDE
from tests.matrix import some
from tests.pages import hand

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("has_script", some([True, False], True))
def test_a_game_comes_from_its_file_in_two_taps(table, has_script):
    table.record(hand(1, s2=35, s3="KH QD *"))
    file = table.scorer().request.get(f"/api/v1/games/{table.code}/sheet.json").body()
    phone = table.device(java_script_enabled=has_script)
    phone.goto("/")
    phone.get_by_role("link", name="Import a saved game").click()
    phone.get_by_label("The file").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": file}
    )
    phone.get_by_role("button", name="Review").click()
    phone.get_by_role("heading", name="Import this game?").wait_for()
    assert not phone.evaluate(TOO_WIDE)
    row = phone.get_by_role("row").filter(has_text="Ben")
    expect(row.get_by_role("cell").first).to_have_text("35")
    assert phone.get_by_role("button", name="Import").bounding_box()["y"] < phone.viewport_size["height"]
    phone.get_by_role("button", name="Import").click()
    phone.wait_for_url("**/g/*")
    assert table.code not in phone.url
    expect(phone.locator(".player").filter(has_text="Ben").locator(".player-total")).to_contain_text("35")
