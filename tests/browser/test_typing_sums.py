"""Sums typed on the record-hand page: two never run together, and a large one is one tap away."""

import json
import random

import pytest
from playwright.sync_api import expect

from tests.browser.thumb import Phone
from tests.pages import hand

pytestmark = pytest.mark.browser

FOUR = (2, 3, 4)


@pytest.fixture
def phone(page, server):
    return begun(page, server)


def begun(page, server, variant="european", players=("Ann", "Ben", "Cat", "Dan")):
    """A phone on a hand Ann has won."""
    phone = Phone(page, server, variant, players)
    phone.open()
    phone.won("Ann")
    return phone


def other(phone, seat):
    """The key in a row for what its digits may mean instead."""
    return phone.page.locator(f".loser[data-seat='{seat}'] .loser-other")


def typed(phone, seats=FOUR):
    return [phone.points(seat).input_value() for seat in seats]


def test_thirteen_then_seven_is_never_137(phone):
    phone.press("1", "3", "7", "next", "1", "4")
    assert typed(phone) == ["13", "7", "14"]
    expect(phone.preview).to_contain_text("0 + 13 = 13")


@pytest.mark.parametrize(
    ("sums", "taps"),
    [
        (("25", "37", "48"), 8),
        (("12", "13", "14"), 8),
        (("99", "20", "15"), 8),
        (("10", "37", "48"), 9),  # one more for each 10 and 11
        (("10", "11", "48"), 10),
        (("105", "37", "48"), 9),  # and for each sum of three digits up to 119
        (("128", "37", "48"), 10),  # two more for the dearest hands
        (("37", "48", "128"), 9),  # but not in the last row
        (("7", "37", "48"), 8),
        (("7", "37", "4"), 8),  # Done after the last
    ],
)
def test_taps_for_a_hand_of_four(phone, sums, taps):
    for sum_ in sums:
        write(phone, sum_, 2 + sums.index(sum_))
    phone.save()
    phone.saved()
    assert phone.totals == [0, *map(int, sums)]
    assert phone.taps == taps


def write(phone, digits, seat, last=FOUR[-1]):
    """A sum as somebody writes it who looks at the page."""
    if len(digits) == 3 and digits[:2] not in ("10", "11") and seat != last:
        phone.press(*digits[:2])
        phone.tap(other(phone, seat))
        phone.press(digits[2])
        return
    phone.press(*digits)
    if len(digits) == 1 or digits in ("10", "11"):
        phone.press("next")


# ---- Ten and eleven


@pytest.mark.parametrize("digits", ["10", "11"])
def test_ten_and_eleven_wait_for_a_third_digit_and_show_it(phone, digits):
    row = phone.page.locator(".loser[data-seat='2']")
    phone.press(digits[0])
    expect(row).not_to_have_class("is-waiting")
    phone.press(digits[1])
    expect(phone.points(2)).to_be_focused()
    assert row.locator(".loser-points").evaluate("each => getComputedStyle(each, '::after').content") == '"_"'
    assert "is-asked" in phone.key("next").get_attribute("class")
    phone.press("next")
    expect(phone.points(3)).to_be_focused()
    assert "is-asked" not in phone.key("next").get_attribute("class")


def test_a_digit_that_belongs_to_the_next_row_is_given_to_it_by_one_tap(phone):
    phone.press("1", "0", "7", "3", "5")
    assert typed(phone) == ["107", "35", ""]
    expect(other(phone, 2)).to_have_text("10, then 7?")
    expect(other(phone, 2)).to_have_accessible_name("107, or 10 and 7 for Cat?")
    phone.tap(other(phone, 2))
    # 10 for Ben, 73 for Cat, 5 begun for Dan
    assert typed(phone) == ["10", "73", "5"]
    expect(phone.points(4)).to_be_focused()
    expect(other(phone, 2)).to_have_text("107 instead?")
    phone.tap(other(phone, 2))
    assert typed(phone) == ["107", "35", ""]


def test_the_last_row_has_nobody_to_give_a_digit_to(phone):
    phone.press(*"25", *"37", *"107")
    assert typed(phone) == ["25", "37", "107"]
    expect(other(phone, 4)).to_be_hidden()


# ---- The dearest hands


def test_a_third_digit_is_added_by_one_tap_more(phone):
    phone.press("1", "2")
    expect(phone.points(3)).to_be_focused()
    expect(other(phone, 2)).to_have_text("12? or 120…?")
    expect(other(phone, 2)).to_have_accessible_name("Ben: 12, or 120 to 129?")
    phone.tap(other(phone, 2))
    expect(phone.points(2)).to_be_focused()
    phone.press("8")
    expect(phone.points(3)).to_be_focused()
    phone.press(*"37", *"48")
    assert typed(phone) == ["128", "37", "48"]


@pytest.mark.parametrize("after", ["8", "83", "835", "83547"])
def test_128_typed_straight_on_is_put_right_by_one_tap(phone, after):
    phone.press("1", "2", *after)
    expect(other(phone, 2)).to_have_text("128 instead?")
    expect(other(phone, 2)).to_have_accessible_name("Ben: 128, not 12?")
    phone.tap(other(phone, 2))
    phone.press(*"83547"[len(after) :])
    assert typed(phone) == ["128", "35", "47"]
    phone.save()
    phone.saved()
    assert phone.totals == [0, 128, 35, 47]


def test_a_row_gone_back_to_takes_a_third_digit_too(phone):
    phone.press(*"13", *"35")
    phone.tap(phone.points(2))
    expect(other(phone, 2)).to_have_text("13? or 130…?")
    phone.tap(other(phone, 2))
    phone.press("7")
    assert typed(phone) == ["137", "35", ""]


@pytest.mark.parametrize("variant", ["european", "jamaican"])
def test_a_sum_recorded_before_raises_no_doubt_until_it_is_typed_anew(page, server, variant):
    phone = Phone(page, server, variant)
    phone.record(hand(1, s2=13, s3=35, s4=12))
    phone.open("/correct/2")
    phone.tap(phone.points(2))
    expect(phone.points(2)).to_be_focused()
    expect(other(phone, 2)).to_be_hidden()
    phone.press("1", "4")
    phone.tap(phone.points(4))
    expect(other(phone, 4)).to_be_hidden()
    phone.tap(phone.points(2))
    expect(other(phone, 2)).to_have_text("14? or 140…?")


def test_a_sum_no_cards_make_can_be_typed_too(phone):
    phone.press(*"25")
    phone.tap(phone.points(2))
    phone.tap(other(phone, 2))
    phone.press("0", *"37", *"48")
    assert typed(phone) == ["250", "37", "48"]
    expect(phone.page.locator(".loser-warning")).to_have_text("⚠ No hand counts exactly 250.")


def test_a_sum_that_cannot_grow_offers_nothing(phone):
    phone.press(*"25", *"37", *"15")
    for seat in FOUR:
        expect(other(phone, seat)).to_be_hidden()


def test_next_says_that_the_digits_are_meant_as_they_stand(phone):
    phone.press("1", "2", "next", "8")
    assert typed(phone) == ["12", "8", ""]
    expect(other(phone, 2)).to_be_hidden()


# ---- Next after every sum, though a sum is left by itself


def by_key(phone, key):
    phone.press(key)


def by_keyboard(phone, key):
    phone.page.keyboard.press("Enter" if key == "next" else key)


@pytest.mark.parametrize("press", [by_key, by_keyboard])
@pytest.mark.parametrize("variant", ["european", "jamaican"])
@pytest.mark.parametrize("sums", [("23", "17", "31"), ("10", "7", "31"), ("105", "11", "31")])
def test_next_after_every_sum_skips_nobody(page, server, variant, sums, press):
    phone = begun(page, server, variant)
    for seat, sum_ in zip(FOUR, sums, strict=True):
        for digit in sum_:
            press(phone, digit)
        if seat != FOUR[-1]:
            press(phone, "next")
    assert typed(phone) == list(sums)


@pytest.mark.parametrize("variant", ["european", "jamaican"])
@pytest.mark.parametrize(("press", "after"), [(by_key, ()), (by_key, ("next",)), (by_keyboard, ("next",))])
def test_no_sum_begins_with_nought(page, server, variant, press, after):
    phone = begun(page, server, variant)
    for key in (*"130", *after, *"63", *after, *"12"):
        press(phone, key)
    assert typed(phone) == ["130", "63", "12"]
    phone.save()
    phone.saved()
    assert phone.totals == [0, 130, 63, 12]


def test_nought_after_a_sum_that_cannot_grow_stays_where_it_is(phone):
    phone.press(*"37", "0")
    assert typed(phone) == ["37", "0", ""]


def test_a_single_digit_that_may_be_the_third_of_the_sum_before_is_asked_about_beside_save(phone):
    phone.press(*"134", "next", *"63")
    assert typed(phone) == ["13", "4", "63"]
    doubt = phone.page.locator(".dock").get_by_role("button", name="Ben: 134, not 13?")
    expect(doubt).to_be_in_viewport(ratio=1)
    phone.tap(doubt)
    expect(doubt).to_be_hidden()
    assert typed(phone) == ["134", "63", ""]
    phone.press(*"12")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 134, 63, 12]


@pytest.mark.parametrize("variant", ["european", "jamaican"])
def test_128_and_next_is_put_right_by_one_tap(page, server, variant):
    phone = begun(page, server, variant)
    phone.press(*"128", "next")
    assert typed(phone) == ["12", "8", ""]
    expect(other(phone, 2)).to_have_text("128 instead?")
    phone.tap(other(phone, 2))
    expect(phone.points(3)).to_be_focused()
    phone.press(*"17", "next", *"31")
    assert typed(phone) == ["128", "17", "31"]


def test_enter_after_the_last_sum_saves_nothing_yet(phone):
    for sum_ in ("23", "17", "31"):
        phone.page.keyboard.type(sum_)
        phone.page.keyboard.press("Enter")
    expect(phone.preview).to_contain_text("0 + 31 = 31")
    assert phone.page.url.endswith("/hand")
    phone.page.keyboard.press("Enter")
    phone.saved()
    assert phone.totals == [0, 23, 17, 31]


def test_a_row_reached_by_itself_is_left_by_a_second_next(phone):
    phone.press(*"23", "next")
    expect(phone.points(3)).to_be_focused()
    phone.press("next", *"31")
    assert typed(phone) == ["23", "", "31"]


def test_a_row_somebody_touches_is_left_by_next(phone):
    phone.press(*"23")
    phone.tap(phone.points(3))
    phone.press("next", *"31")
    assert typed(phone) == ["23", "", "31"]


def test_next_after_calls_goes_on_to_the_next_row(page, server):
    phone = begun(page, server, "jamaican")
    for seat, digits in zip(FOUR, ("23", "17", "31"), strict=True):
        phone.press(*digits)
        phone.tap(phone.page.locator(f".loser[data-seat='{seat}'] [data-step='1']"))
        if seat != FOUR[-1]:
            phone.press("next")
    assert typed(phone) == ["23", "17", "31"]
    assert [phone.page.locator(f"#calls-{seat}").input_value() for seat in FOUR] == ["1", "1", "1"]


def test_a_row_somebody_else_goes_to_ends_the_offers(phone):
    phone.press(*"12", "8")
    phone.tap(phone.points(4))
    expect(other(phone, 2)).to_be_hidden()


def test_very_dear_hands_are_offered_only_where_the_eye_still_is(page, server):
    phone = begun(page, server, "jamaican")
    phone.press("2", "5")
    expect(other(phone, 2)).to_have_text("25? or 250…?")
    phone.press("3")
    expect(other(phone, 2)).to_have_text("253 instead?")
    phone.press("7")
    expect(other(phone, 2)).to_be_hidden()  # 25 and 37 are what nearly everybody means
    phone.tap(phone.points(2))
    phone.tap(other(phone, 2))
    phone.press("3")
    assert typed(phone) == ["253", "37", ""]


def test_it_works_with_the_digits_of_a_keyboard(phone):
    phone.page.keyboard.type("13")
    phone.page.keyboard.type("7")
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.type("48")
    assert typed(phone) == ["13", "7", "48"]
    phone.open()
    phone.page.evaluate("localStorage.clear()")
    phone.open()
    phone.won("Ann")
    phone.page.keyboard.type("128354")
    phone.tap(other(phone, 2))
    phone.page.keyboard.type("7")
    assert typed(phone) == ["128", "35", "47"]


# ---- Whole hands, as they come


@pytest.mark.parametrize("variant", ["european", "north-american", "jamaican"])
def test_whole_hands_of_random_sums_are_typed_as_they_are_meant(page, server, variant):
    phone = begun(page, server, variant, ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"))
    chance = random.Random(variant)
    seats = (2, 3, 4, 5, 6)
    dearest = json.loads(phone.page.locator("#hand").get_attribute("data-entry"))["sums"][0]["dearest"]
    for _ in range(8):
        sums = [
            chance.choice((chance.randint(2, 60), chance.randint(9, 15), chance.randint(98, dearest))) for _ in seats
        ]
        phone.page.evaluate("localStorage.clear()")
        phone.open()
        phone.won("Ann")
        for seat, points in zip(seats, sums, strict=True):
            write(phone, str(points), seat, seats[-1])
        assert typed(phone, seats) == [str(points) for points in sums]


# ---- A sum over cards


def test_a_sum_replaces_the_cards_by_one_tap(phone):
    phone.record(hand(1, s2="K K Q J 2", s3=5, s4=6))
    phone.open("/correct/2")
    phone.tap(phone.points(2))
    phone.press("2", "4")
    warning = phone.page.locator(".loser[data-seat='2'] .loser-warning")
    expect(warning).to_contain_text("The cards count 42, the sum says 24. The cards are taken.")
    phone.tap(warning.get_by_role("button", name="Take 24 instead"))
    expect(warning).to_have_count(0)
    expect(phone.page.locator("#cards-2")).to_have_value("")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 24, 5, 6]
    assert phone.taps == 5
