"""The preview beside Save, and everything on the page of a hand under a thumb."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import seen_and_heard
from tests.browser.phone_pool import PHONE
from tests.browser.phones import QUIET, held_back
from tests.browser.scorer_phone import Phone, type_a_hand
from tests.matrix import some
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

SMALL = """() => [...document.querySelectorAll('main a, main button, main input, main label.choice')]
    .filter(each => each.offsetParent && !each.closest('label') && !each.matches('.visually-hidden, [tabindex="-1"]'))
    .map(each => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([each]) => each)"""


# ---- The preview


def test_the_preview_stands_by_save_and_says_who_goes_out(phone):
    phone.record(hand(1, s2=130, s3=20, s4=30))
    type_a_hand(phone)
    expect(phone.preview).to_contain_text("130 + 28 = 158")
    expect(phone.preview).to_contain_text("out – may buy in at 77 for €0.50")
    expect(phone.preview).to_contain_text("Each pays Ann €0.10.")
    assert phone.preview.bounding_box()["y"] > phone.points(4).bounding_box()["y"]
    expect(phone.preview).to_be_in_viewport()


# ---- The whole of it before Save is offered

EIGHT = (*FOUR, "Evelyn", "Francesca", "Gus", "Helen")
HIDDEN = """() => [...document.querySelectorAll('[data-preview-region] li, [data-preview-region] p')].filter(each => {
    const {top, bottom, height} = each.getBoundingClientRect();
    const {top: from, bottom: to} = document.querySelector('[data-preview-region]').getBoundingClientRect();
    return height && (top < Math.max(0, from) - 1 || bottom > Math.min(innerHeight, to) + 1);
}).map(each => each.textContent)"""
"""What saving does that is cut off or behind something."""


@pytest.mark.parametrize("players", some(range(2, 9), 2, 8))
def test_save_is_offered_once_all_that_it_does_is_in_sight(page, server, players):
    """Every other loser is out at 150 or more, and Ben's 1 is no hand's sum: outs, offers, “Please check”, payments."""
    phone = Phone(page, server, players=EIGHT[:players])
    left = {f"s{seat}": 140 if seat % 2 else 100 for seat in range(2, players + 1)}
    phone.record(hand(1, **left))
    phone.begin("Ann")
    phone.press("1")
    if players > 2:
        phone.press("next", *"28" * (players - 2))
    expect(page.locator("[data-save]")).not_to_have_attribute("aria-disabled", "true")
    expect(phone.key("0")).to_be_visible()

    said = phone.preview.inner_text()
    assert "Please check" in said
    assert "€0.10." in said
    assert said.count("out – may buy in") == (players - 1) // 2
    assert page.evaluate(HIDDEN) == []
    row = page.locator(".loser.is-active").bounding_box()
    assert row["y"] >= 0
    assert row["y"] + row["height"] <= page.locator(".dock").bounding_box()["y"] + 1
    phone.saves()


def test_with_letters_twice_their_size_the_keys_make_way_for_it(phone):
    phone.record(hand(1, s2=130, s3=20, s4=130))
    phone.page.context.new_cdp_session(phone.page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    type_a_hand(phone)
    save = phone.page.locator("[data-save]")
    expect(phone.preview).to_contain_text("Each pays Ann €0.10.")
    expect(phone.preview).not_to_have_attribute("aria-busy", "true")
    expect(save).to_have_text("Review")
    expect(save).not_to_have_attribute("aria-disabled", "true")  # it can be tapped
    phone.save()
    expect(phone.page.locator("[data-keypad]")).to_be_hidden()
    expect(save).to_have_text("Save hand")
    expect(save).not_to_have_attribute("aria-disabled", "true")
    assert phone.state()["seen"] == 2
    assert phone.page.evaluate(HIDDEN) == []
    phone.saves()


def test_the_first_hand_is_led_to_the_button_there_is(phone):
    phone.page.set_viewport_size({"width": 360, "height": 440})
    type_a_hand(phone)
    expect(phone.page.locator("[data-save]")).to_have_text("Review")
    expect(phone.page.get_by_text("Tap Review and read it out.")).to_be_visible()


def test_what_saving_does_is_marked_as_outdated_until_it_is_about_what_is_typed(phone):
    """On a slow line the sums of a moment ago would be read out as if they were the ones to be saved."""
    type_a_hand(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    preview = held_back(phone.page, "**/hand/preview")
    phone.page.locator(".ending .choice", has_text="Kalooki").tap()
    expect(phone.preview).to_have_attribute("aria-busy", "true")
    preview().continue_()
    expect(phone.preview).not_to_have_attribute("aria-busy", "true")
    expect(phone.preview).to_contain_text("0.20")


def test_a_hand_not_complete_is_not_saved_but_led_to_what_is_missing(phone):
    phone.begin("Ann")
    phone.press(*"28")
    phone.save(force=True)
    expect(phone.points(3)).to_be_focused()
    assert phone.state()["seen"] == 1


def test_a_recorded_hand_is_corrected_with_the_same_keypad(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("/correct/2")
    phone.tap(phone.points(3))
    phone.press("back", "6")
    expect(phone.preview).to_contain_text("35 → 36")
    assert phone.saves() == [0, 28, 36, 47]


def test_the_first_digit_in_a_row_begins_a_new_sum(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("/correct/2")
    phone.tap(phone.points(3))
    phone.press("4")
    expect(phone.points(3)).to_have_value("4")
    phone.press("0")
    expect(phone.preview).to_contain_text("35 → 40")
    assert phone.saves() == [0, 28, 40, 47]


@pytest.mark.parametrize("keys", ["keypad", "keyboard"])
def test_a_sum_left_on_the_way_is_begun_anew_when_its_row_is_tapped_again(phone, keys):
    phone.begin("Ann")
    phone.press(*"22", *"35")
    phone.tap(phone.points(2))
    if keys == "keyboard":
        phone.page.keyboard.press("7")
        phone.page.keyboard.press("Enter")
    else:
        phone.press("7", "next")
    phone.press(*"47")
    assert phone.saves() == [0, 7, 35, 47]


def test_it_can_all_be_done_with_a_keyboard(phone):
    phone.open()
    phone.page.get_by_role("radio", name="Ann").focus()
    phone.page.keyboard.press("Space")
    for sum_ in ("28", "7", "47"):
        phone.page.keyboard.type(sum_)
        phone.page.keyboard.press("Enter")
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    for key in ("Tab", "Tab", "Tab"):  # the preview, Clear, Save
        phone.page.keyboard.press(key)
    expect(phone.page.locator("[data-save]")).to_be_focused()
    phone.page.keyboard.press("Enter")
    assert phone.saved() == [0, 28, 7, 47]


def test_arrows_go_through_the_names_and_enter_chooses(phone):
    phone.open()
    phone.page.get_by_role("radio", name="Ann").focus()
    phone.page.keyboard.press("ArrowDown")
    phone.page.keyboard.press("ArrowDown")
    expect(phone.page.get_by_role("radio", name="Cat")).to_be_focused()
    phone.page.keyboard.press("Enter")
    expect(phone.points(1)).to_be_focused()


def test_a_notice_never_pushes_the_row_being_typed(phone):
    phone.begin("Ann")
    phone.press(*"28")
    before = phone.points(3).bounding_box()["y"]
    phone.record({"kind": "penalty", "seat": 2, "points": 5, "reason": "talking"})
    notice = phone.page.locator("[data-incoming]")
    expect(notice).to_contain_text("Somebody else has saved")
    assert phone.points(3).bounding_box()["y"] == before
    shown = notice.bounding_box()
    assert shown["y"] + shown["height"] <= before


# ---- Under a thumb


def test_everything_can_be_hit_and_nothing_scrolls_sideways(phone):
    def fits():
        for width, height in ((320, 640), (360, 740), (740, 360), (1280, 800)):
            phone.page.set_viewport_size({"width": width, "height": height})
            assert phone.page.evaluate(SMALL) == [], (width, height)
            assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width
        phone.page.set_viewport_size(PHONE)

    phone.open()
    fits()
    phone.won("Ann")
    fits()
    phone.press("mode")
    phone.cards("K", "K", "5")
    fits()


@pytest.mark.parametrize("height", [640, pytest.param(740, marks=pytest.mark.long)])
def test_the_last_row_is_seen_above_the_keypad(page, server, height):
    phone = Phone(page, server, "north-american", (*FOUR, "Evelyn", "Fay"))
    page.set_viewport_size({"width": 320, "height": height})
    phone.begin("Ann")
    for _ in range(4):
        phone.press("7", "next")
    expect(phone.points(6)).to_be_focused()
    row, dock = page.locator("[data-seat='6']").bounding_box(), page.locator(".dock").bounding_box()
    assert row["y"] >= 0
    assert row["y"] + row["height"] <= dock["y"] + 1


def test_who_corrects_a_hand_sees_its_rows_above_the_keypad(phone):
    phone.record(hand(1, s2=28, s3="KH QD 7C", s4=47))
    phone.open("/correct/2")
    phone.tap(phone.points(2))
    expect(phone.key("1")).to_be_visible()
    phone.page.wait_for_function(
        """() => document.querySelector('[data-seat="4"]').getBoundingClientRect().bottom
            <= document.querySelector('.dock').getBoundingClientRect().top + 1"""
    )
    expect(phone.points(2)).to_be_in_viewport(ratio=1)


def test_what_a_late_buy_in_leaves_untold_is_read_and_can_be_typed(phone):
    phone.record(hand(1, s2=150, s3=20, s4=30), hand(1, s3=20, s4=30))
    phone.open("/bought-in/3/2")
    phone.tap(phone.page.get_by_role("button", name="Ben bought in before hand 2"))
    untold = phone.page.get_by_text("Hand 2 has nothing for Ben, so they count as not dealt in.")
    expect(untold).to_be_in_viewport(ratio=1)
    assert phone.totals == [0, 30, 40, 60]
    phone.tap(phone.page.get_by_role("link", name="Ben held cards"))
    expect(phone.page.locator(".is-live")).to_be_attached()
    phone.tap(phone.points(2))
    phone.press(*"12")
    phone.saves()
    # Ben came back at Dan's 30
    assert phone.totals == [0, 42, 40, 60]


def test_no_key_brings_up_the_phones_own_keyboard(phone):
    phone.begin("Ann")
    modes = phone.page.evaluate("() => [...document.querySelectorAll('.loser .input')].map(each => each.inputMode)")
    assert set(modes) == {"none"}


@seen_and_heard
def test_no_barrier_for_screen_readers_and_keyboards(phone, faults):
    phone.record(hand(1, s2=28, s3="K", s4=140), hand(1, s2=2, s3=3, s4=20))
    states = {
        "game": lambda: phone.open(""),
        "offer": lambda: phone.open("/hand"),
        "winner": lambda: phone.open("/hand"),
        "digits": lambda: phone.won("Ann"),
        "cards": lambda: (phone.press("mode"), phone.cards("K", "K")),
        "complete": lambda: (phone.press("next"), phone.cards("5"), phone.preview.get_by_text("Ben").first.wait_for()),
        "correct": lambda: phone.open("/correct/2"),
        "undo": lambda: phone.open("/undo/2"),
        "void": lambda: phone.open("/void"),
    }
    found = {}
    for name, reach in states.items():
        reach()
        found |= {f"{name}, {rule}": html for rule, html in faults(phone.page).items()}
    assert found == {}


def test_letters_twice_their_size_fit(phone):
    phone.page.context.new_cdp_session(phone.page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    type_a_hand(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= 360


FETCHED = "() => performance.getEntriesByType('resource').filter(each => each.transferSize > 0).length"
"""How many files came over the network; what the browser has costs nothing."""


@pytest.mark.parametrize("path", ["", "/hand"])
def test_a_page_is_light(browser, server, phone, path):
    context = browser.new_context(base_url=server.url)
    context.new_page().goto(f"/g/{phone.code}/s/{phone.secret}")
    fresh = browser.new_context(base_url=server.url, storage_state=context.storage_state()).new_page()
    requests = {}
    fresh.on("requestfinished", lambda request: requests.setdefault(request.url, request))
    fresh.goto(f"/g/{phone.code}{path}", wait_until="load")
    fresh.evaluate(QUIET)
    weights = {url.rsplit("/", 1)[-1]: request.sizes()["responseBodySize"] for url, request in requests.items()}
    assert 5_000 < sum(weights.values()) < 40_000, weights
    fresh.goto(f"/g/{phone.code}{path}", wait_until="load")
    fresh.evaluate(QUIET)
    assert 1 + fresh.evaluate(FETCHED) <= 4


def test_an_ordinary_long_name_stays_in_one_line(page, server):
    names = ("Bartholomew", "Maximilian", "Wilhelmina", "Charlotte", "Ann")
    phone = Phone(page, server, players=names)
    phone.open()
    tiles = page.locator(".winner .choice-text > span")
    for width in (320, 430, 1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert max(box["height"] for box in (tile.bounding_box() for tile in tiles.all())) < 40, (
            width
        )  # in two lines it would have 60
    phone.won("Ann")
    for width in (360, 430, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        # the name and the total
        assert page.locator(".loser-name").first.bounding_box()["height"] < 42, width
