"""Sums typed on the record-hand page: two never run together, and what could be another is asked.

tests/javascript/rows.test.js types every kind of sum; here is what the page shows of it, and that it is what is saved.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.thumb import Phone
from tests.pages import hand

pytestmark = pytest.mark.browser

FOUR = (2, 3, 4)
UPRIGHT, ON_ITS_SIDE = {"width": 360, "height": 740}, {"width": 740, "height": 360}


@pytest.fixture
def phone(page, server):
    return begun(page, server)


def begun(page, server, variant="european", players=("Ann", "Ben", "Cat", "Dan")):
    """A phone on a hand Ann has won."""
    phone = Phone(page, server, variant, players)
    phone.begin("Ann")
    return phone


def other(phone, seat):
    """The key in a row for what its digits may mean instead."""
    return phone.page.locator(f".loser[data-seat='{seat}'] .loser-other")


def typed(phone, seats=FOUR):
    return [phone.points(seat).input_value() for seat in seats]


def test_thirteen_then_seven_is_never_137(phone):
    phone.press("1", "3", "next", "7", "next", "1", "4")
    assert typed(phone) == ["13", "7", "14"]
    expect(phone.preview).to_contain_text("0 + 13 = 13")


def test_taps_for_a_hand_of_four(phone):
    phone.press(*"128", *"10", "next", *"48")
    assert phone.saves() == [0, 128, 10, 48]
    assert phone.taps == 1 + 3 + 3 + 2 + 1


# ---- Ten to fourteen


def test_what_a_third_digit_could_follow_waits_for_it_and_shows_that(phone):
    for seat, digits in ((2, "10"), (3, "14")):
        row = phone.page.locator(f".loser[data-seat='{seat}']")
        phone.press(digits[0])
        expect(row).not_to_have_class("is-waiting")
        phone.press(digits[1])
        expect(phone.points(seat)).to_be_focused()
        assert row.locator(".loser-points").evaluate("each => getComputedStyle(each, '::after').content") == '"_"'
        assert "is-asked" in phone.key("next").get_attribute("class")
        expect(other(phone, seat)).to_have_text(f"Just {digits}: next player")
        phone.tap(other(phone, seat)) if seat == 3 else phone.press("next")
        expect(phone.points(seat + 1)).to_be_focused()
        assert "is-asked" not in phone.key("next").get_attribute("class")


def test_a_digit_that_belongs_to_the_next_row_is_given_to_it_by_one_tap(phone):
    phone.press("1", "0", "7", "3", "5")
    assert typed(phone) == ["107", "35", ""]
    expect(other(phone, 2)).to_have_text("107, or 10 then 7 for Cat?")
    phone.tap(other(phone, 2))
    # 10 for Ben, 73 for Cat, 5 begun for Dan
    assert typed(phone) == ["10", "73", "5"]
    expect(phone.points(4)).to_be_focused()


# ---- Two readings


def doubt(phone):
    return phone.page.locator("[data-doubt]")


@pytest.mark.parametrize(
    ("answer", "meant"), [("Cat 13 and Dan 58", [25, 13, 58]), ("Cat 135 and Dan 8", [25, 135, 8])]
)
def test_sums_with_two_readings_are_asked_about_before_they_can_be_saved(phone, answer, meant):
    phone.press(*"25", *"135", *"8")
    expect(doubt(phone)).to_contain_text("Cat 135 and Dan 8, or Cat 13 and Dan 58?")
    expect(phone.preview).to_be_empty()
    phone.save(force=True)
    expect(doubt(phone).get_by_role("button").first).to_be_focused()
    assert phone.state()["seen"] == 1
    phone.tap(doubt(phone).get_by_role("button", name=answer))
    expect(doubt(phone)).to_be_hidden()
    assert phone.saves() == [0, *meant]


@pytest.mark.parametrize("sums", ["251358", "112233", "121314"], ids=["two answers", "two of three names", "three"])
def test_what_is_asked_is_seen_whole_beside_save_however_the_phone_is_held(phone, sums):
    phone.press(*sums)
    for size in (UPRIGHT, ON_ITS_SIDE):
        phone.page.set_viewport_size(size)
        for each in (doubt(phone), *doubt(phone).locator("> :visible").all(), phone.page.locator("[data-save]")):
            expect(each).to_be_in_viewport(ratio=1)
    phone.page.set_viewport_size(UPRIGHT)
    letters = phone.page.context.new_cdp_session(phone.page)
    for standard, root in ((32, ""), (16, "32px")):  # letters of twice the size, which media queries know of or not
        letters.send("Page.setFontSizes", {"fontSizes": {"standard": standard}})
        phone.page.evaluate("size => (document.documentElement.style.fontSize = size)", root)
        for each in (doubt(phone), *doubt(phone).get_by_role("button").all(), phone.page.locator("[data-save]")):
            expect(each).to_be_in_viewport(ratio=1)
        assert doubt(phone).evaluate("each => each.scrollHeight - each.clientHeight") == 0


def test_more_answers_than_there_is_room_for_leave_save_and_the_keys_where_they_were(page, server):
    phone = begun(page, server, players=("Ann", "Ben", "Cat", "Dan", "Eve"))
    keys = phone.keys()
    phone.press(*"12131413")
    expect(doubt(phone).get_by_role("button")).to_have_count(4)
    assert phone.keys() == keys
    for size in (UPRIGHT, ON_ITS_SIDE):
        page.set_viewport_size(size)
        expect(page.locator("[data-save]")).to_be_in_viewport(ratio=1)


def test_a_sum_no_cards_make_can_be_typed_where_all_others_are_and_is_read_out_as_one(phone):
    phone.press(*"25", *"37", *"48")
    phone.tap(phone.points(2))
    phone.press(*"250")
    assert typed(phone) == ["250", "37", "48"]
    expect(phone.preview).to_contain_text("Ben: no hand of 13 cards or fewer adds up to 250.")
    assert phone.saves() == [0, 250, 37, 48]


def test_a_loser_left_with_nothing_is_told_why_that_cannot_be(phone):
    phone.press("0")
    expect(phone.page.locator(".loser .error")).to_have_text("Only the winner can score 0.")
    phone.press("next", *"37", *"4")
    assert typed(phone) == ["37", "4", ""]
    phone.press("next", "0")  # where nothing but the keys may be in sight
    assert phone.preview.evaluate("each => getComputedStyle(each, '::before').content") == (
        '"Only the winner can score 0."'
    )


# ---- Next after every sum, though a sum is left by itself


def test_next_after_every_sum_skips_nobody(page, server):
    phone = begun(page, server, "jamaican")
    phone.press(*"105", "next", *"11", "next", *"31")
    assert typed(phone) == ["105", "11", "31"]


def test_no_sum_begins_with_nought(phone):
    phone.press(*"130", "next", *"63", *"12")
    assert typed(phone) == ["130", "63", "12"]
    assert phone.saves() == [0, 130, 63, 12]


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


# ---- A sum over cards


def test_a_sum_replaces_the_cards_by_one_tap(phone):
    phone.record(hand(1, s2="K K Q J 2", s3=5, s4=6))
    phone.open("/correct/2")
    phone.tap(phone.points(2))
    phone.press("2", "4")
    warning = phone.page.locator(".loser[data-seat='2'] .loser-warning")
    expect(warning).to_contain_text("The cards count 42, but the points say 24. Using the cards.")
    phone.tap(warning.get_by_role("button", name="Take 24 instead"))
    expect(warning).to_have_count(0)
    expect(phone.page.locator("#cards-2")).to_have_value("")
    assert phone.saves() == [0, 24, 5, 6]
    assert phone.taps == 5
