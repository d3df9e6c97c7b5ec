"""Recording a hand on a phone: the taps it takes, and what the keypad refuses."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import held_back
from tests.browser.scorer_phone import Phone, at_rest, middle, type_a_hand
from tests.pages import hand

pytestmark = pytest.mark.browser


# ---- Taps


def test_three_two_digit_sums_take_eight_taps_and_the_next_hand_starts_empty(phone):
    type_a_hand(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    assert phone.saves() == [0, 28, 35, 47]
    assert phone.taps <= 8
    phone.open()
    expect(phone.page.locator("input[name=winner]:checked")).to_have_count(0)
    expect(phone.points(2)).to_have_value("")


def test_cards_take_one_tap_each_and_five_more(phone):
    phone.record(hand(1, s2="K", s3="5", s4="2"))  # every hand opens on points
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("K", "10", "5")
    phone.press("next")
    phone.cards("A", "*")
    phone.press("next")
    phone.cards("2", "3", "Q", "J")
    assert phone.saves() == [0, 10 + 25, 5 + 26, 2 + 25]
    assert phone.taps <= 3 + 9 + 2


def test_five_cards_each_take_twenty_taps_with_the_preview_in_sight(phone):
    phone.record(hand(1, s2="K", s3="5", s4="2"))
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("K", "K", "9", "5", "2")
    phone.press("next")
    phone.cards("Q", "8", "7", "7", "3")
    phone.press("next")
    phone.cards("J", "J", "6", "4", "2")
    expect(phone.preview).to_contain_text("2 + 32 = 34")
    expect(phone.preview).to_be_in_viewport()
    phone.saves()
    assert phone.taps == 20
    # 10 + 10 + 9 + 5 + 2, 10 + 8 + 7 + 7 + 3, 10 + 10 + 6 + 4 + 2
    assert phone.totals == [0, 10 + 36, 5 + 35, 2 + 32]


def test_a_correction_takes_three_taps_and_its_digits(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("")
    phone.tap(phone.page.locator(".hand-link", has_text="1"))
    phone.tap(phone.points(3))
    phone.press(*"36")
    phone.saves()
    assert phone.taps == 3 + 2
    assert phone.totals == [0, 28, 36, 47]


def test_calls_are_asked_before_the_row_is_left(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.begin("Ann")
    phone.press(*"28")
    more = page.get_by_role("button", name="Ben: one call more")
    for _ in range(4):
        more.tap()
    phone.press("next", *"35")  # Cat has not called
    expect(phone.preview).to_contain_text("Cat")
    assert phone.saves() == [0, 28 + 50, 35]  # the fourth call costs 50


@pytest.mark.parametrize(
    ("size", "is_corrected"),
    [
        pytest.param((360, 740), False, id="upright, recorded"),
        pytest.param((740, 360), True, id="on its side, corrected"),
        pytest.param((360, 740), True, id="upright, corrected", marks=pytest.mark.long),
        pytest.param((740, 360), False, id="on its side, recorded", marks=pytest.mark.long),
    ],
)
def test_calls_tapped_where_they_stood_after_the_sum_are_of_the_same_player(page, server, size, is_corrected):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    phone = Phone(page, server, "jamaican")
    if is_corrected:
        phone.record(hand(1, s2=20, s3=20, s4=20))
    phone.open("/correct/2" if is_corrected else "/hand")
    if not is_corrected:
        phone.won("Ann")
    for seat, digits in ((2, "23"), (3, "17"), (4, "45")):
        if is_corrected:
            at_rest(phone.points(seat))
            phone.tap(phone.points(seat))
            expect(phone.points(seat)).to_be_focused()
            at_rest(phone.points(seat))
        for digit in digits:
            page.touchscreen.tap(*middle(phone.key(digit)))
        if is_corrected:  # what saving does is shown from the start, and may still move what stands below it
            expect(phone.preview).to_contain_text(re.compile(rf"\b{digits}\b"))
        more = page.locator(f"[data-seat='{seat}'] [data-step='1']")
        at_rest(more)
        where = middle(more)
        for _ in range(4):
            expect(phone.preview).not_to_have_attribute("aria-busy", "true")  # the preview has come
            page.touchscreen.tap(*where)
        if not is_corrected and seat != 4:
            phone.press("next")
    assert [page.locator(f"#calls-{seat}").input_value() for seat in (1, 2, 3, 4)] == ["", "4", "4", "4"]
    expect(phone.preview).to_contain_text("17 + calls 50 = ")  # for the fourth


def test_one_hand_shown_by_its_cards_changes_the_keypad_for_nobody_else(phone):
    phone.begin("Ann")
    phone.press(*"28", "mode")
    phone.cards("K", "5")
    phone.press("next", "mode", *"47")
    phone.saves()
    phone.begin("Ann")
    phone.press(*"28", *"35", *"47")
    expect(phone.preview).to_contain_text("28 + 28 = 56")


@pytest.mark.parametrize(
    "variant", ["european", *(pytest.param(each, marks=pytest.mark.long) for each in ("jamaican", "north-american"))]
)
def test_every_key_lies_where_it_lay_in_every_hand_and_every_row(page, server, variant):
    phone = Phone(page, server, variant)
    places = set()
    for _ in range(2):
        phone.begin("Ann")
        for digits in ("30", "30"):
            for key in (*digits, *(["next"] if variant == "jamaican" else [])):  # where a hand may count 300
                places.add(phone.keys())
                phone.press(key)
        phone.press("3")
        places.add(phone.keys())
        phone.press("0")
        expect(phone.preview).to_contain_text("Dan")
        phone.tap(phone.points(4))  # back to a row, with the preview in sight
        places.add(phone.keys())
        phone.saves()
    assert len(places) == 1


def test_the_keys_for_cards_stay_when_the_preview_comes(phone):
    phone.begin("Ann")
    phone.press("mode")
    before = phone.keys()
    phone.cards("K")
    phone.press("next")
    phone.cards("Q")
    phone.press("next")
    phone.cards("J")
    expect(phone.preview).to_contain_text("Dan")
    assert phone.keys() == before


def test_a_winner_tapped_before_the_script_has_come_opens_the_keypad_too(phone):
    script = held_back(phone.page, "**/hand.js*")
    phone.page.goto(f"/g/{phone.code}/hand", wait_until="commit")
    phone.won("Ann")
    script().continue_()
    phone.press(*"28")
    expect(phone.points(2)).to_have_value("28")


# ---- Digits


def test_three_digits_are_seen_whole_and_taken_back(phone):
    phone.begin("Ann")
    phone.press("1", "0", "8")
    for width in (320, 360):
        phone.page.set_viewport_size({"width": width, "height": 740})
        assert phone.points(2).evaluate("each => each.scrollWidth <= each.clientWidth")
    phone.tap(phone.points(2))
    phone.press("back", "9")
    expect(phone.points(2)).to_have_value("109")


def test_next_after_one_digit_and_impossible_points_warn(phone):
    phone.begin("Ann")
    phone.press("1", "next")
    expect(phone.points(2)).to_have_value("1")
    expect(phone.points(3)).to_be_focused()
    phone.press(*"35", *"47")
    expect(phone.preview).to_contain_text("Ben: no hand of 13 cards or fewer adds up to 1.")
    assert phone.saves() == [0, 1, 35, 47]


def test_the_winner_leaves_the_list_and_can_be_changed(phone):
    phone.begin("Ann")
    expect(phone.points(1)).to_be_hidden()
    phone.press(*"28")
    phone.won("Ann")
    phone.won("Ben")
    expect(phone.points(2)).to_be_hidden()
    expect(phone.points(1)).to_be_visible()
    phone.won("Ben")
    phone.won("Ann")
    expect(phone.points(2)).to_have_value("28")


# ---- Cards


def test_cards_beyond_the_packs_cannot_be_tapped_over_all_hands(phone):
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("K", "K", "K", "K", "K", "*")
    phone.press("next")
    phone.cards("K", "K", "K", "*")
    expect(phone.key("card K")).to_be_disabled()
    expect(phone.key("card *")).to_be_disabled()
    expect(phone.key("card Q")).to_be_enabled()
    phone.press("back")
    expect(phone.key("card *")).to_be_enabled()


def test_red_and_black_aces_are_separate_keys_with_half_the_copies(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("Ared", "Ared", "Ared", "Ared", "Ablack")
    expect(phone.key("card Ared")).to_be_disabled()
    expect(phone.key("card Ablack")).to_be_enabled()
    expect(page.locator("[data-seat='2'] .loser-counted")).to_have_text("19")


def test_cards_recorded_are_read_as_cards_and_typed_ones_as_typed(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.record(hand(1, s2="Ablack Ared K", s3="5"))
    phone.open("/correct/2")
    row = page.locator(".loser[data-seat='2']")
    expect(row.locator(".loser-shown")).to_have_text("A♠♣ A♥♦ K")
    expect(row.locator(".loser-count")).to_have_text("3 cards")
    field = page.locator("#cards-2")
    expect(field).to_have_css("color", "rgba(0, 0, 0, 0)")
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type(" QH")
    expect(field).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    phone.tap(phone.points(3))
    expect(row.locator(".loser-shown")).to_have_text("A♠♣ A♥♦ K Q♥")


def test_the_first_hand_is_led_by_the_words_on_the_keys_in_sight(phone):
    phone.begin("Ann")
    by_sum, by_cards = (phone.page.locator("[data-guide] > *", has_text=said) for said in ("tap Cards", "or 123"))
    for shown, hidden in ((by_sum, by_cards), (by_cards, by_sum)):
        expect(shown).to_be_visible()
        expect(hidden).to_be_hidden()
        phone.press("mode")
    phone.press(*"28", *"35", *"47")
    expect(by_sum).to_be_hidden()
    expect(by_cards).to_be_hidden()


TICKS = """() => [...document.querySelectorAll('.choice:has(:checked)')].filter(each => each.offsetParent)
    .map(each => [...each.querySelectorAll('.choice-text > *')])
    .map(parts => parts.map(part => getComputedStyle(part, '::before').content))"""


def test_what_is_chosen_has_one_tick(phone):
    phone.begin("Ann")
    phone.tap(phone.page.locator(".ending .choice", has_text="nothing laid before"))
    # Ann and her total, which is hidden; Kalooki and what it is
    assert phone.page.evaluate(TICKS) == [['"✓ "', "none"], ['"✓ "', "none"]]


def test_key_names_its_picks_and_single_cards_have_a_remove_button(phone):
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("K", "5", "K")
    expect(phone.page.get_by_role("button", name="king, 2", exact=True)).to_be_visible()
    expect(phone.page.get_by_role("button", name="joker", exact=True)).to_be_visible()
    phone.tap(phone.page.get_by_label("take back one king"))
    expect(phone.page.locator("#cards-2")).to_have_value("K 5")
    expect(phone.page.locator("[data-seat='2'] .loser-counted")).to_have_text("15")


def test_cards_and_a_sum_that_differ_are_pointed_out(phone):
    phone.begin("Ann")
    phone.press(*"28")
    phone.tap(phone.points(2))
    phone.press("mode")
    phone.cards("K", "5")
    expect(phone.page.locator(".loser-warning")).to_contain_text(
        "⚠ The cards count 15, but the points say 28. Using the cards."
    )
