"""What is typed into plain forms outlives a look elsewhere, a reload and a closed tab, but not its being sent."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.matrix import some
from tests.server import eventually

pytestmark = pytest.mark.browser

STILL_THERE = "What you typed is still here."


def names(page):
    return [field.input_value() for field in page.locator(".seat-name").all()]


@pytest.fixture
def form(page):
    """A new game half typed: three names, the second deals, money at 0.30 a unit."""
    page.goto("/new")
    expect(page.locator("[data-variant]")).to_be_hidden()  # the script has come
    page.locator(".seat-name").first.click()
    for name in ("Ann", "Ben"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.keyboard.type("Cat")
    page.get_by_label("Ben deals first").check()
    page.get_by_role("radio", name="other").check()
    page.locator("#unit").fill("0.30")
    return page


@pytest.fixture
def phone(table):
    return table.scorer("/enter/penalty")


def test_a_new_game_half_typed_outlives_a_look_at_the_rules(form):
    form.goto("/rules")
    form.get_by_role("heading", name="Rules").wait_for()
    form.goto("/new")
    expect(form.locator(".seat-name")).to_have_count(4)
    assert names(form) == ["Ann", "Ben", "Cat", ""]
    expect(form.get_by_label("Ben deals first")).to_be_checked()
    expect(form.locator("#unit")).to_have_value("0.30")
    expect(form.get_by_text(STILL_THERE)).to_be_visible()
    form.get_by_role("button", name="Start over").click()
    expect(form.locator(".seat-name")).to_have_count(4)
    assert names(form) == [""] * 4


def test_typed_names_are_asked_about_by_the_variant_they_were_typed_for(form):
    form.get_by_label("Which version?").select_option("jamaican")
    form.get_by_text("is played for points").wait_for()
    expect(form.locator("[data-variant]")).to_be_hidden()  # the script has come
    form.locator(".seat-name").first.fill("Anne")
    form.goto("/new")
    form.get_by_text("is played for points").wait_for()
    assert names(form) == ["Anne", "Ben", "Cat", ""]


def test_a_game_begun_leaves_nothing_for_the_next_one(form):
    form.get_by_role("button", name="Start the game").click()
    form.locator(".player-total").first.wait_for()
    form.goto("/new")
    expect(form.locator(".seat-name")).to_have_count(4)
    assert names(form) == [""] * 4


def test_a_penalty_half_typed_outlives_a_reload_and_is_not_typed_again_once_saved(phone):
    phone.get_by_role("radio", name="Ben").check()
    phone.get_by_label("Points").fill("10")
    phone.reload()
    expect(phone.get_by_text(STILL_THERE)).to_be_visible()
    expect(phone.get_by_role("radio", name="Ben")).to_be_checked()
    assert phone.get_by_label("Points").input_value() == "10"
    address = phone.url
    phone.get_by_role("button", name="Review").click()
    phone.get_by_role("button", name="Between hands: count it now").click()
    phone.locator(".player-total", has_text="10").wait_for()
    phone.goto(address)
    expect(phone.get_by_label("Points")).to_have_value("")
    expect(phone.get_by_text(STILL_THERE)).to_have_count(0)


def to_the_hands(page, names="Ann, Ben"):
    page.goto("/copy")
    page.get_by_label("Players as they sit").fill(names)
    page.get_by_role("button", name="Next: the hands").click()


def type_hand(page, row, winner, loser, held):
    page.get_by_label(f"Row {row}: {winner}").fill("✓")
    page.get_by_label(f"Row {row}: {loser}").fill(held)


def test_a_sheet_half_copied_outlives_its_page(page):
    to_the_hands(page)
    type_hand(page, 1, "Ann", "Ben", "35")
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator(".copy-total").first).to_be_visible()
    page.get_by_role("button", name="More rows").click()
    expect(page.get_by_label("Row 10: Ben")).to_be_visible()
    type_hand(page, 2, "Ben", "Ann", "KH 7")
    type_hand(page, 10, "Ann", "Ben", "12")
    tab = page.context.new_page()
    page.close()
    tab.goto("/copy")
    expect(tab.get_by_text(STILL_THERE)).to_be_visible()
    tab.get_by_role("button", name="Next: the hands").click()
    expect(tab.get_by_label("Row 1: Ben")).to_have_value("35")
    expect(tab.get_by_label("Row 2: Ann")).to_have_value("KH 7")
    expect(tab.get_by_label("Row 10: Ben")).to_have_value("12")
    tab.get_by_label("Row 10: Ann").fill("")
    tab.get_by_label("Row 10: Ben").fill("")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.locator(".player-total", has_text="35").wait_for()
    to_the_hands(tab)  # a sheet saved as a game is not copied again
    expect(tab.get_by_text(STILL_THERE)).to_have_count(0)
    expect(tab.get_by_label("Row 1: Ben")).to_have_value("")


def test_a_blank_cell_becomes_not_dealt_in_by_one_tap(page):
    to_the_hands(page, "Ann, Ben, Cat")
    page.get_by_label("Row 1: Ann").fill("✓")
    page.get_by_label("Row 1: Cat").fill("35")
    page.get_by_role("button", name="Check").last.click()
    page.get_by_role("button", name="Ben was not dealt in").click()
    expect(page.locator(".copy-total").last).to_have_text("35")
    expect(page.get_by_label("Row 1: Ben")).to_have_value("not dealt in")


def test_what_is_typed_under_a_check_before_the_script_came_is_kept(page):
    to_the_hands(page)
    type_hand(page, 1, "Ann", "Ben", "35")
    scripts = []
    page.route("**/js/copy.js*", lambda route: scripts.append(route))  # noqa: PLW0108 - Playwright wants a function
    with page.expect_request("**/js/copy.js*"):
        page.get_by_role("button", name="Check").last.click()
    expect(page.locator(".copy-total").first).to_be_visible()
    type_hand(page, 2, "Ben", "Ann", "KH 7")
    scripts.pop().continue_()
    eventually(lambda: page.evaluate("Object.values(localStorage).some((kept) => kept.includes('KH 7'))"))
    expect(page.get_by_label("Row 2: Ann")).to_have_value("KH 7")
    expect(page.get_by_label("Row 1: Ben")).to_have_value("35")


def test_enter_leads_from_cell_to_cell(page):
    to_the_hands(page)
    page.get_by_label("Row 1: Ann").focus()
    page.get_by_role("button", name="✓").tap()
    for key in ("Enter", *"35"):
        page.keyboard.press(key)
    expect(page.get_by_label("Row 1: Ben")).to_have_value("35")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Row 2: Ann")).to_be_focused()
    page.keyboard.press("Enter")  # the winner's cell stays empty
    expect(page.get_by_label("Row 2: Ben")).to_be_focused()


def test_two_digits_that_no_third_can_follow_lead_to_the_next_cell(page):
    """European: no hand counts 150, so 15 is a whole sum, and 14 may still become 148."""
    to_the_hands(page, "Ann, Ben, Cat, Dan")
    page.get_by_label("Row 1: Ann").focus()
    page.keyboard.type("3515")
    expect(page.get_by_label("Row 1: Cat")).to_be_focused()
    page.get_by_role("button", name="✓").tap()
    page.keyboard.type("148")
    expect(page.get_by_label("Row 1: Dan")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("24")
    page.keyboard.press("Backspace")
    page.keyboard.type("5")
    cells = [page.get_by_label(f"Row {row}: {name}") for row in (1, 2) for name in ("Ann", "Ben", "Cat", "Dan")]
    assert [cell.input_value() for cell in cells] == ["35", "15", "✓", "148", "25", "", "", ""]
    expect(cells[5]).to_be_focused()


def test_two_digits_that_calls_may_follow_lead_nowhere(page):
    page.goto("/copy?variant=jamaican")
    page.get_by_label("Players as they sit").fill("Ann, Ben")
    page.get_by_role("button", name="Next: the hands").click()
    page.get_by_label("Row 1: Ann").focus()
    page.keyboard.type("85+50")
    expect(page.get_by_label("Row 1: Ann")).to_have_value("85+50")


@pytest.mark.parametrize("count", some([5, 6, 7, 8], 8))
def test_the_cells_of_many_players_stand_beside_each_other(page, count):
    names = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Guy", "Hal"][:count]
    to_the_hands(page, ", ".join(names))
    for name in names[1:]:
        page.get_by_label(f"Row 1: {name}", exact=True).fill("105")
    page.get_by_role("button", name="Check").last.click()
    totals = page.locator(".copy-total")
    expect(totals).to_have_count(count)
    cells = [page.get_by_label(f"Row 1: {name}", exact=True).bounding_box() for name in names]
    assert all(left["x"] + left["width"] < right["x"] for left, right in pairwise(cells))
    grid = page.locator(".copy-grid").bounding_box()
    assert cells[-1]["x"] + cells[-1]["width"] <= grid["x"] + grid["width"]
    assert len({round(box["height"]) for box in (total.bounding_box() for total in totals.all())}) == 1


def test_a_cell_shows_its_whole_sum_with_letters_of_twice_the_size(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    to_the_hands(page, "Anna-Katharina, Ben, Cat, Dan, Eve, Fay")
    cell = page.get_by_label("Row 1: Ben", exact=True)
    cell.fill("105")
    assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


def test_a_cell_tapped_before_the_script_came_takes_a_sign(page):
    page.goto("/copy")
    page.get_by_label("Players as they sit").fill("Ann, Ben")
    scripts = []
    page.route("**/js/copy.js*", lambda route: scripts.append(route))  # noqa: PLW0108 - Playwright wants a function
    page.get_by_role("button", name="Next: the hands").click()
    page.get_by_label("Row 1: Ann").focus()
    for script in scripts:
        script.continue_()
    page.get_by_role("button", name="✓").tap()
    expect(page.get_by_label("Row 1: Ann")).to_have_value("✓")
