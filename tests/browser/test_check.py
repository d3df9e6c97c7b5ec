"""The referee's page on a phone: the keys without scrolling, the verdict at every card, the claim in the address."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone_pool import PHONE
from tests.matrix import some

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}


def lay(page, *keys):
    """Press keys by the names that are read out: ace, 7, hearts, joker."""
    for key in keys:
        page.get_by_role("button", name=key, exact=True).click()


def verdict(page):
    return page.locator("#verdict").inner_text()


def says(page, text):
    """Wait until the verdict says something."""
    page.locator("#verdict", has_text=text).wait_for()
    return True


def test_every_key_is_in_sight_at_360_by_640_and_wide_enough_for_a_finger(page):
    page.set_viewport_size(SMALL)
    page.goto("/check?cards=AH 2H 3H 4H 5H KS KD")
    keys = page.locator("[data-picker] button")
    boxes = [keys.nth(number).bounding_box() for number in range(keys.count())]

    # thirteen ranks, the joker, four suits, two ways to take back
    assert len(boxes) == 20
    assert page.evaluate("scrollY") == 0
    for box in boxes:
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= SMALL["width"]
        assert box["y"] + box["height"] <= SMALL["height"]
    fan = page.locator("[data-fan]").first.bounding_box()
    assert fan["y"] + fan["height"] <= min(box["y"] for box in boxes)
    assert page.locator("#verdict .verdict").bounding_box()["y"] < fan["y"]


def test_with_a_keyboard_cards_are_typed_at_once(begin):
    laptop = begin().scorer("/check", has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 800})
    expect(laptop.locator("[data-slot] input").first).to_be_focused()
    laptop.keyboard.type("7H 8H 9H")
    expect(laptop.locator("#verdict")).to_contain_text("24 points")


def test_the_verdict_changes_with_every_card_from_the_third_on(page):
    page.goto("/check")
    assert says(page, "Tap or type the cards.")
    lay(page, "seven", "hearts", "eight", "hearts")
    assert says(page, "A meld has three cards or more")
    assert verdict(page).startswith("Not judged yet")
    lay(page, "king", "hearts")
    assert says(page, "NOT LEGAL")
    lay(page, "Take back a card", "joker")
    assert says(page, "24 points")
    assert verdict(page).startswith("LEGAL")
    applied = page.locator("#reasons details", has_text="Rules applied")
    applied.locator("summary").click()
    lay(page, "ten", "hearts")
    assert says(page, "34 points")
    assert applied.get_attribute("open") is not None  # what is unfolded stays so at the next card


@pytest.mark.parametrize("size", [SMALL, pytest.param(PHONE, marks=pytest.mark.long)], ids=["small", "usual"])
def test_no_field_moves_when_the_verdict_above_takes_more_room_or_less(page, size):
    page.set_viewport_size(size)
    page.goto("/check?check=joker&on=8S+8H+*")
    field = page.get_by_text("Cards given for the joker", exact=True)
    field.tap()
    place = field.bounding_box()
    shape = page.locator("#verdict .verdict").bounding_box()["height"]
    lay(page, "eight", "diamonds")
    assert says(page, "NOT LEGAL")
    assert page.locator("#verdict .verdict").bounding_box()["height"] != shape
    assert field.bounding_box() == pytest.approx(place, abs=1)
    lay(page, "Take back a card")
    assert says(page, "Not judged yet")
    assert field.bounding_box() == pytest.approx(place, abs=1)


def test_the_address_opens_the_same_claim_on_another_phone(page, browser):
    page.goto("/check")
    lay(page, "hearts", "ace", "two", "three")
    assert says(page, "An ace is high only here")
    page.wait_for_url("**cards=AH*")

    other = browser.new_context(viewport=SMALL).new_page()
    other.goto(page.url)
    assert verdict(other) == verdict(page)
    assert other.locator("[data-fan] .pcard").count() == 3
    other.context.close()


@pytest.mark.long
def test_an_opening_gets_another_row_by_tap_by_key_and_by_enter(page):
    page.goto("/check?check=opening")
    lay(page, "king", "hearts", "diamonds", "spades", "king")
    page.locator("#meld-2").wait_for(state="attached")
    into(page, "meld-2")
    lay(page, "spades", "four", "five", "six", "Next field", "seven", "clubs", "hearts", "spades")
    assert says(page, "66 points; 40 are needed.")  # 30 + 15 + 21
    page.locator("#meld-1").fill("AH AD AS")
    page.keyboard.press("Enter")
    expect(page.locator("#meld-2")).to_be_focused()
    assert says(page, "69 points; 40 are needed.")  # 33 + 15 + 21
    assert [page.locator(f"#meld-{number}").input_value() for number in (1, 2, 3)] == [
        *("AH AD AS", "4S 5S 6S", "7C 7H 7S")
    ]


def test_the_next_meld_begins_by_itself(page):
    """Three melds are laid by 13 taps from the referee’s page."""
    page.goto("/disputes")
    page.get_by_role("link", name="Lay down").tap()
    lay(
        page,
        "king",
        "spades",
        "hearts",
        "diamonds",
        "seven",
        "spades",
        "hearts",
        "clubs",
        "hearts",
        "four",
        "five",
        "six",
    )
    assert says(page, "66 points; 40 are needed.")  # 30 + 21 + 15
    melds = [page.locator(f"#meld-{number}").input_value() for number in (1, 2, 3)]
    assert melds == ["KS KH KD", "7S 7H 7C", "4H 5H 6H"]


def test_the_sibling_of_a_check_keeps_the_cards(page):
    page.goto("/check?check=build&on=KS+KH+*")
    page.get_by_text("Takes the joker", exact=True).click()
    page.wait_for_url("**check=joker*")
    assert page.locator("#on").input_value() == "KS KH *"


def into(page, field):
    """Tap into a field, so that the keys lay cards there."""
    page.locator(f"[data-slot]:has(#{field}) [data-fan]").click()


def test_a_rank_without_its_suit_is_never_lost(page):
    page.goto("/check?check=turn")
    lay(page, "king", "hearts", "two")
    page.get_by_text("not down yet", exact=True).click()
    lay(page, "clubs")
    assert page.locator("#hand").input_value() == "KH 2C"

    lay(page, "three")
    into(page, "cards-1")
    lay(page, "nine")
    assert page.locator("#hand").input_value() == "KH 2C 3"
    into(page, "hand")
    assert page.locator("#cards-1").input_value() == "9"
    lay(page, "spades")
    assert page.locator("#hand").input_value() == "KH 2C 3S"
    lay(page, "four")
    page.locator(".back").click()
    page.wait_for_url("**/disputes*")
    page.go_back()
    assert page.locator("#hand").input_value() == "KH 2C 3S 4"


@pytest.mark.long
def test_a_count_needs_no_suits_but_the_colour_of_an_ace_where_it_matters(page):
    page.goto("/check?check=count&variant=kalooki-40")
    lay(page, "king", "nine", "six")
    # 10 + 9 + 6
    assert says(page, "25 points")
    lay(page, "Clear this field", "ace", "king", "joker", "five")
    # 11 + 10 + 15 + 5
    assert says(page, "41 points")
    assert page.locator("#cards").input_value() == "A K * 5"
    assert [each.get_attribute("aria-label") for each in page.locator("[data-fan] [role=img]").all()] == [
        *("ace", "king", "joker", "five")
    ]
    page.get_by_label("By the rules of").select_option("jamaican")
    lay(page, "Clear this field", "red ace", "black ace", "king")
    # 1 + 15 + 10
    assert says(page, "26 points")
    expect(page.get_by_role("img", name="black ace").first).to_be_visible()


@pytest.mark.parametrize(
    ("claim", "field", "ok"),
    some(
        [
            ("check=meld&cards=7H 8H 9H", "cards", "LEGAL"),
            ("check=opening&meld=KH KD KS&meld=4S 5S 6S", "meld-1", "LEGAL"),
            ("check=build&on=4S 5S 6S&cards=7S", "cards", "LEGAL"),
            ("check=joker&on=8S 8H *&give=8D 8C", "give", "LEGAL"),
            ("check=out&meld=7H 8H 9H&thrown=2C", "meld-1", "out"),
            ("check=turn&opened=yes&hand=7H 8H 9H 2C KC&do=stock&cards=3D&do=discard&cards=KC", "hand", "LEGAL"),
            ("check=solve&opened=yes&cards=7H 8H 9H 2C", "cards", "Yes"),
        ],
        ("check=joker&on=8S 8H *&give=8D 8C", "give", "LEGAL"),
        ("check=solve&opened=yes&cards=7H 8H 9H 2C", "cards", "Yes"),
    ),
)
def test_no_verdict_is_given_while_cards_wait_for_their_suit(page, claim, field, ok):
    page.goto(f"/check?{claim}")
    assert says(page, ok)
    into(page, field)
    lay(page, "ten")
    expect(page.locator(".pcard-held")).to_be_visible()
    assert ok in verdict(page)  # a card half entered changes nothing under the thumb
    lay(page, "queen")
    assert says(page, "“10” needs a suit")
    assert verdict(page).startswith("Not judged yet")
    lay(page, "Take back a card", "Take back a card")
    assert says(page, ok)


@pytest.mark.long
def test_a_card_never_goes_into_a_closed_fold(page):
    page.goto("/check?check=turn")
    lay(page, "hearts", "seven", "eight", "nine", "Next field", "four", "diamonds")
    assert page.locator("#cards-1").input_value() == "4D"
    assert page.locator("#table-1").input_value() == ""
    expect(page.locator(".slot.is-active")).to_be_visible()

    # an opened fold is meant for the next card; closed again, a field in sight is
    fold = page.get_by_text("Melds on the table")
    fold.click()
    lay(page, "five", "spades")
    assert page.locator("#table-1").input_value() == "5S"
    fold.click()
    expect(page.locator(".slot.is-active #table-1")).to_have_count(0)
    lay(page, "two", "clubs")
    assert page.locator("#hand").input_value() == "7H 8H 9H 2C"


@pytest.mark.long
def test_a_turn_that_goes_out_is_tapped_in_the_hand_and_needs_no_word_about_a_warning(page):
    """7♥ 8♥ 2♣ and 9♥ drawn: the run and the card thrown need four taps, and nothing is typed twice."""
    page.goto("/disputes")
    page.get_by_role("link", name="A turn", exact=True).click()
    lay(page, "seven", "hearts", "eight", "hearts", "two", "clubs")
    into(page, "cards-1")
    lay(page, "nine", "hearts")
    page.locator("#cards-2").wait_for(state="attached")
    expect(page.locator(".in-hand")).to_be_hidden()  # the drawing step takes none

    def held(*cards):
        expect(page.locator(".in-hand button")).to_have_count(len(cards))
        assert [each.get_attribute("value") for each in page.locator(".in-hand button").all()] == [*cards]

    into(page, "cards-2")
    held("7H", "8H", "2C", "9H")
    page.locator(".in-hand button[value='7H']").tap()
    before = page.locator(".in-hand").bounding_box()["y"]
    page.locator("#cards-3").wait_for(state="attached")  # the next step stands above the hand
    assert page.locator(".in-hand").bounding_box()["y"] == pytest.approx(before, abs=1)
    for word in ("8H", "9H"):
        page.locator(f".in-hand button[value='{word}']").tap()
    assert page.locator("#cards-2").input_value() == "7H 8H 9H"
    held("2C")
    page.locator("[data-take-back]").tap()
    held("2C", "9H")
    page.locator(".in-hand button[value='9H']").tap()
    into(page, "cards-3")
    page.locator(".in-hand button[value='2C']").tap()
    assert says(page, "Going out")
    assert verdict(page).startswith("LEGAL")
    expect(page.locator(".in-hand")).to_be_hidden()

    page.get_by_text("What happened before").click()
    expect(page.get_by_role("radio", name="nobody asked")).to_be_checked()
    warned = page.get_by_role("group", name="how many cards they had left")
    warned.get_by_text("no", exact=True).click()
    assert says(page, "NOT LEGAL")
    assert says(page, "no warning")
    warned.get_by_text("yes", exact=True).click()
    assert says(page, "Going out")


def test_a_rule_is_found_by_a_word(page):
    page.goto("/rules/jamaican")
    page.get_by_label("Find a rule").fill("side by side")

    expect(page.locator("#jokers-together")).to_be_visible()
    expect(page.locator("#players")).to_be_hidden()
    page.get_by_label("Find a rule").fill("zebra")
    expect(page.get_by_text("No rule uses these words")).to_be_visible()
