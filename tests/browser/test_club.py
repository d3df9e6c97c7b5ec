"""A club on phones: what one records another shows, and the next game with its seats in sight."""

import pytest
from playwright.sync_api import expect

from tests.matrix import some
from tests.pages import EURO, hand

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]


@pytest.fixture
def club(begin):
    """A table of five in a club, and the club's address and its keeper's link."""
    table = begin(players=NAMES, stakes=EURO, house={"buy_ins": 0})
    table.record(hand(1, s2=150, s3=151, s4=152, s5=153))
    request = table.device().request
    made = request.post("/api/v1/clubs", data={"name": "Thursday at the Crown"}).json()
    sent = {"seen": 1, "submission": "first", "event": {"kind": "game", "code": table.code}, "right": table.secret}
    bearer = {"Authorization": f"Bearer {made['keeper']}"}
    assert request.post(f"/api/v1/clubs/{made['code']}/entries", data=sent, headers=bearer).status == 201
    return table, f"/c/{made['code']}", f"/c/{made['code']}/s/{made['keeper']}"


def test_a_watching_phone_shows_a_payment_and_a_corrected_game(club):
    """Each of four pays Ann the call-up of 0.10 and loses a stake of 0.50: 2.40. Then Ben is the winner."""
    table, address, link = club
    keeper, watcher = table.device(), table.device()
    keeper.goto(link)
    watcher.goto(address)
    expect(watcher.locator("#money ~ ul").first).to_contain_text("+€2.40")
    keeper.get_by_role("button", name="All of this is paid").tap()
    expect(watcher.get_by_text("Nobody owes anything.")).to_be_visible()
    table.record({"kind": "amend", "target": 2, "event": hand(2, s1=150, s3=151, s4=152, s5=153)})
    expect(watcher.locator(".league tbody tr").first).to_contain_text("1 Ben")


@pytest.mark.parametrize("letters", some([16, 32], 32))
def test_the_next_game_leaves_every_seat_in_sight_above_its_one_button(club, letters):
    table, address, link = club
    page = table.device(viewport={"width": 360, "height": 740})
    page.goto(link)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
    page.goto(f"{address}/new")
    expect(page.locator(".brand")).to_have_count(0)
    bar = page.locator(".action-bar")
    expect(bar.get_by_role("button")).to_have_text("Start the game")
    for row in range(5):
        name = page.locator(f"#players-{row}-name")
        name.scroll_into_view_if_needed()
        name.focus()
        box = name.bounding_box()
        assert box["y"] + box["height"] <= bar.bounding_box()["y"], row
    assert bar.bounding_box()["height"] < 740 / 5
