"""Sums typed on the record-hand page: what is saved is what was typed, in order, or nothing.

tests/javascript/reading.test.js types every kind of sum; here is what the page shows of it, and what is saved.
"""

import random

import pytest
from playwright.sync_api import expect

from app.kalooki.readers import MOST_POINTS
from app.kalooki.variants import all_variants
from tests.browser.scorer_phone import Phone
from tests.keypad import random_keys, written
from tests.pages import hand

pytestmark = pytest.mark.browser

FOUR = (2, 3, 4)


@pytest.fixture
def phone(page, server):
    return begun(page, server)


def begun(page, server, variant="european", players=("Ann", "Ben", "Cat", "Dan")):
    """A phone on a hand Ann has won."""
    phone = Phone(page, server, variant, players)
    phone.begin("Ann")
    return phone


def typed(phone, seats=FOUR):
    return [phone.points(seat).input_value() for seat in seats]


def test_thirteen_then_seven_is_never_137(phone):
    phone.press("1", "3", "next", "7", "next", "1", "4")
    assert typed(phone) == ["13", "7", "14"]
    expect(phone.preview).to_contain_text("0 + 13 = 13")


def test_taps_for_a_hand_of_four(phone):
    phone.press(*"128", "next", *"10", "next", *"48")
    assert phone.saves() == [0, 128, 10, 48]
    assert phone.taps == 1 + 4 + 3 + 2 + 1


def test_zeros_are_never_lost(phone):
    phone.press(*"125530")
    assert typed(phone) == ["125530", "", ""]
    expect(phone.page.locator(".loser-warning")).to_have_text("⚠ No hand counts 125530.")
    phone.save(force=True)
    assert phone.state()["seen"] == 1
    phone.tap(phone.points(2))
    phone.press(*["back"] * 4, "next", *"5530")
    assert phone.saves() == [0, 12, 55, 30]


def test_next_is_asked_for_beside_the_keys_where_only_next_ends_a_sum(phone):
    following = phone.key("next")
    for seat, digits in ((2, "10"), (3, "148")):
        phone.press(digits[0])
        expect(following).to_have_text("Next")
        phone.press(*digits[1:])
        expect(phone.points(seat)).to_be_focused()
        row = phone.page.locator(f".loser[data-seat='{seat}'] .loser-points")
        may_grow = row.evaluate("each => getComputedStyle(each, '::after').content") == '"_"'
        assert may_grow == (digits == "10")
        expect(following).to_have_text(f"Next after {digits}")
        assert "is-asked" in following.get_attribute("class")
        phone.press("next")
        expect(phone.points(seat + 1)).to_be_focused()
        assert "is-asked" not in following.get_attribute("class")


def test_back_returns_over_every_jump(phone):
    phone.press(*"25", *"37", "4", "back", "back")
    assert typed(phone) == ["25", "3", ""]
    expect(phone.points(3)).to_be_focused()
    phone.press("back", "back")
    assert typed(phone) == ["2", "", ""]
    expect(phone.points(2)).to_be_focused()
    phone.press(*"8", *"17", *"31")
    assert phone.saves() == [0, 28, 17, 31]


def test_the_key_that_hides_the_keys_does_not_look_like_save(phone):
    phone.press(*"25", *"37", *"48")
    hide, save = phone.key("next"), phone.page.locator("[data-save]")
    expect(hide).to_have_text("Hide keys")
    colours = [each.evaluate("each => getComputedStyle(each).backgroundColor") for each in (hide, save)]
    assert len({*colours}) == 2
    phone.tap(hide)
    expect(phone.page.locator("[data-keypad]")).to_be_hidden()
    assert phone.saves() == [0, 25, 37, 48]


def test_sums_that_may_have_run_together_are_asked_about_beside_save(phone):
    phone.press(*"122", "next", *"4", "next", *"48")
    expect(phone.preview).to_contain_text("122? Or 12, and 2 for Cat?")
    assert phone.saves() == [0, 122, 4, 48]


@pytest.mark.long
@pytest.mark.parametrize("variant", [each.id for each in all_variants()])
def test_random_keys_are_saved_in_order_or_not_at_all(page, server, variant):
    chance = random.Random(variant)
    for _ in range(10):
        phone = begun(page, server, variant, ("Ann", "Ben", "Cat", "Dan")[: chance.randint(2, 4)])
        dearest = page.locator("#hand").evaluate("each => JSON.parse(each.dataset.entry).dearest")
        keys = random_keys(chance)
        expect(phone.key("next")).to_be_visible()
        for key in keys:
            phone.press(key)
            if phone.key("1").is_hidden():  # after Next in the last row
                break
        rows = page.locator(".loser:not(.is-winner)").count()
        sums = written(keys, rows, dearest)
        if not sums or max(map(int, sums)) > MOST_POINTS:
            phone.save(force=True)
            page.wait_for_timeout(300)
            assert phone.state()["seen"] == 1
            continue
        while page.url.endswith("/hand"):
            phone.save()  # after “See what changes”, if that is longer than its room
            page.wait_for_timeout(600)
        left = phone.state()["log"][-1]["event"]["left"]
        assert [str(each["points"]) for each in left.values()] == sums


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
    phone.press("next", "3")
    assert typed(phone) == ["03", "", ""]
    expect(phone.page.locator(".loser .error")).to_have_text("No sum begins with 0.")
    phone.press("back", "back", *"37", *"4")
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


def test_three_digits_are_ended_with_next(phone):
    phone.press(*"130", "next", *"63", *"12")
    assert typed(phone) == ["130", "63", "12"]
    assert phone.saves() == [0, 130, 63, 12]


def test_next_passes_over_nobody(phone):
    phone.press(*"23", "next", "next", *"31")
    assert typed(phone) == ["23", "31", ""]
    phone.tap(phone.points(2))
    phone.press("next", *"17")
    assert typed(phone) == ["23", "31", "17"]


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
