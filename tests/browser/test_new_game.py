"""The new-game page in a browser: seats change in place, every control can be hit."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phone_pool import OPTIONS
from tests.browser.phones import held_back, hold_clock
from tests.matrix import some

pytestmark = pytest.mark.browser

SMALL = """() => [...document.querySelectorAll('main a, main button, main input, main select, main summary, label')]
    .filter(each => each.offsetParent && !each.closest('.choice') && !each.matches('.visually-hidden'))
    .filter(each => !(each.matches('label') && !each.querySelector('input')) && !each.closest('label'))
    .map(each => [each.outerHTML.slice(0, 60), each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([each]) => each)"""


def names(page):
    return [field.input_value() for field in page.locator(".seat-name").all()]


def expect_names(page, *players):
    """The seats as they stand once the server has answered."""
    expect(page.locator(".seat-name")).to_have_count(len(players))
    for place, name in enumerate(players):
        expect(page.locator(".seat-name").nth(place)).to_have_value(name)


def type_names(page, *players):
    """Names typed one after the other, Enter between them, as on a phone's keyboard."""
    page.locator(".seat-name").first.click()
    for number, name in enumerate(players):
        page.keyboard.type(name)
        if number < len(players) - 1:
            page.keyboard.press("Enter")


@pytest.fixture
def form(page):
    page.goto("/new")
    return page


def test_enter_leads_from_field_to_field_and_to_the_button(form):
    form.get_by_role("radio", name="other").check()
    form.locator("#currency").press("Enter")
    expect(form.get_by_role("textbox", name="Call-up", exact=True)).to_be_focused()
    form.locator("#buy_in").press("Enter")
    expect(form.get_by_role("button", name="Start the game")).to_be_focused()


def test_a_stake_takes_one_tap_and_others_are_typed(form):
    """European: call-up, Kalooki, stake each and buy-in are 1, 2, 5 and 5 of them."""
    expect(form.locator("#stakes")).to_be_hidden()
    form.get_by_role("radio", name="20c").check()
    expect(form.locator("#stakes summary")).to_contain_text(
        "20c call-up a hand, 40c a Kalooki, €1.00 each into the pool"
    )
    assert not form.locator("#unit").is_visible()
    form.get_by_role("radio", name="other").check()
    expect(form.locator("#unit")).to_be_focused()
    for stake in ("Stake", "Call-up", "Kalooki", "Into the pool, each", "Buy-in"):
        expect(form.get_by_role("textbox", name=stake, exact=True)).to_be_visible()
    form.get_by_role("radio", name="none").check()
    expect(form.locator("#stakes")).to_be_hidden()


@pytest.mark.long
def test_names_of_earlier_players_and_start_stay_where_they_are(form):
    type_names(form, "Ann", "Ben", "Cat", "Dan")
    form.get_by_role("button", name="Start the game").click()
    form.wait_for_url(re.compile("/g/"))
    form.goto("/new")
    start = form.get_by_role("button", name="Start the game")
    still = [form.locator("[data-known=Dan]"), start]
    before = [each.bounding_box() for each in still]
    for name in ("Ann", "Ben", "Cat"):
        form.locator(f"[data-known={name}]").tap()
        assert [each.bounding_box() for each in still] == before
        expect(form.locator(f"[data-known={name}]")).to_be_disabled()
    expect_names(form, "Ann", "Ben", "Cat", "")
    form.get_by_role("radio", name="10c").check()
    assert start.bounding_box() == before[1]


def test_enter_after_the_last_name_stands_in_nobodys_way(form):
    type_names(form, "Ann", "Ben", "Cat", "", "")
    form.get_by_role("button", name="Start the game").click()
    form.locator(".player-total").first.wait_for()
    assert form.locator(".player-name").count() == 3


@pytest.mark.long
def test_five_names_are_no_more_than_usual_and_enter_after_the_fifth_leads_on(form):
    type_names(form, "Ann", "Ben", "Cat", "Dan", "Eve", "")
    expect_names(form, "Ann", "Ben", "Cat", "Dan", "Eve")
    expect(form.locator("[data-room]")).to_have_class("hint")
    expect(form.get_by_role("button", name="Start the game")).to_be_focused()
    form.get_by_role("button", name="Add a player").click()
    expect(form.locator("[data-room]")).to_have_class("hint")
    form.keyboard.type("Fay")
    expect(form.locator("[data-room]")).to_have_class("notice notice-warn")


def test_enter_that_bounces_starts_no_game(browser, server):
    context = browser.new_context(base_url=server.url, **OPTIONS)
    form, posted = hold_clock(context.new_page()), []
    form.goto("/new")
    type_names(form, "Ann", "Ben", "Cat", "Dan", "Eve")
    form.keyboard.press("Enter")
    expect(form.get_by_role("button", name="Start the game")).to_be_focused()
    form.on("request", lambda request: posted.append(request.url) if request.url.endswith("/new") else None)
    form.clock.run_for(300)
    form.keyboard.press("Enter")
    form.clock.run_for(200)
    assert posted == []
    form.keyboard.press("Enter")
    form.wait_for_url(re.compile("/g/"))
    context.close()


@pytest.mark.parametrize(
    ("field", "text"), some([("unit", "3 Euro"), ("unit", "-3"), ("call_up", "1.000")], ("unit", "3 Euro"))
)
def test_what_is_wrong_with_an_amount_stays_until_it_changes(form, field, text):
    type_names(form, "Ann", "Ben")
    stays_until_it_changes(form, "Start the game", "/new/rules", field, text)


@pytest.mark.long
def test_what_is_wrong_with_an_amount_of_a_paper_sheet_stays_until_it_changes(page):
    page.goto("/copy")
    page.locator("#names").fill("Ann, Ben")
    stays_until_it_changes(page, "Next: the hands", "/copy/rules", "unit", "3 Euro")


JUDGED = (
    "() => { window.judged = new Promise(done => addEventListener('judged', done, { capture: true, once: true })) }"
)


def stays_until_it_changes(page, button, judge, field, text):
    page.get_by_role("radio", name="other").check()
    page.locator(f"#{field}").fill(text)
    page.get_by_role("button", name=button).click()
    error = page.locator(f"#{field}-error-1")
    expect(error).to_be_visible()
    said = error.inner_text()
    page.evaluate(JUDGED)
    with page.expect_response(f"**{judge}"):
        page.locator("#kalooki").fill("0.30")
    page.evaluate("() => window.judged")
    expect(error).to_have_text(said)
    expect(page.locator(f"#{field}")).to_have_attribute("aria-invalid", "true")
    page.locator(f"#{field}").fill("1")
    expect(error).to_have_count(0)


@pytest.mark.long
def test_the_most_players_are_told_where_one_is_added(form):
    form.goto("/new?variant=jamaican")
    expect(form.get_by_text("3 to 6 players, usually up to 5")).to_be_visible()
    add = form.get_by_role("button", name="Add a player")
    for _ in range(2):
        add.click()
    expect(form.locator(".seat")).to_have_count(6)
    expect(add).to_be_disabled()
    form.get_by_label("Player 6", exact=True).fill("Fay")
    form.get_by_label("Player 6: remove this player").click()
    expect(add).to_be_enabled()


def test_a_game_starts_with_the_seats_as_they_were_left(form):
    type_names(form, "Ann", "Ben", "Cat", "Dan")
    form.get_by_label("Ben deals first").check()
    form.get_by_label("Player 3: one seat earlier").click()
    expect_names(form, "Ann", "Cat", "Ben", "Dan")
    form.get_by_label("Player 2: one seat earlier").click()
    expect_names(form, "Cat", "Ann", "Ben", "Dan")
    expect(form.get_by_label("Ben deals first")).to_be_checked()
    form.get_by_label("Player 2: remove this player").click()
    expect_names(form, "Cat", "Ben", "Dan")
    form.get_by_label("Player 3: remove this player").click()
    expect_names(form, "Cat", "Ben")
    expect(form.get_by_label("Player 1: remove this player")).to_be_disabled()
    form.get_by_label("Cat deals first").check()
    form.get_by_role("button", name="Start the game").click()
    form.wait_for_url(re.compile("/g/"))
    expect(form.locator(".next")).to_contain_text("Cat deals")
    expect(form.locator(".player-name > span:first-child")).to_have_text(["Cat", "Ben"])


def test_a_variant_chosen_before_the_script_has_come_asks_its_questions_too(page):
    script = held_back(page, "**/new_game.js*")
    page.goto("/new", wait_until="commit")
    page.locator(".seat-name").first.fill("Ann")
    page.get_by_label("Which version?").select_option("jamaican")
    script().continue_()
    page.get_by_text("is played for points").wait_for()
    assert names(page)[0] == "Ann"


@pytest.mark.long
def test_the_usual_unit_is_written_as_the_currency_is(form):
    form.get_by_role("radio", name="other").check()
    unit, currency, stake = (
        form.locator("#unit"),
        form.get_by_label("Currency"),
        form.get_by_label("Buy-in", exact=True),
    )
    for code, usual, buy_in in (("JPY", "10", "50"), ("kwd", "0.010", "0.050"), ("EUR", "0.10", "0.50")):
        currency.fill("")
        currency.press_sequentially(code)
        expect(unit).to_have_value(usual)
        expect(stake).to_have_attribute("placeholder", buy_in)
    unit.fill("250")
    currency.fill("JPY")
    expect(stake).to_have_attribute("placeholder", "1250")
    form.reload()  # what was typed in yen is still there
    expect(unit).to_have_value("250")
    expect(stake).to_have_attribute("placeholder", "1250")


def test_when_a_player_is_out_is_asked_only_where_there_is_a_limit_and_names_it(form):
    question = form.get_by_role("group", name="When is a player out of the game?")
    expect(question).to_contain_text("At 150 or more")
    limit = form.locator("#house-limit")
    form.locator("#house, .rule-row:has(#house-limit)").evaluate_all(
        "all => { for (const each of all) each.open = true }"
    )
    limit.fill("200")
    expect(question).to_contain_text("At 200 or more Only over 200", use_inner_text=False)
    limit.fill("")
    expect(question).to_be_hidden()
    form.reload()
    expect(question).to_be_hidden()


def test_tab_leads_from_a_name_to_the_next(form):
    form.locator(".seat-name").first.focus()
    for name in ("Ann", "Ben", "Cat"):
        form.keyboard.type(name)
        form.keyboard.press("Tab")
    assert names(form)[:3] == ["Ann", "Ben", "Cat"]
