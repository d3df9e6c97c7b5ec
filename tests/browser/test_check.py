"""The referee's page on a phone: the keys without scrolling, the verdict at every card, the claim in the address."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import seen_and_heard, unfold
from tests.browser.phone_pool import PHONE

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


NARROWEST_KEY = """() => Math.min(
    ...[...document.querySelectorAll("[data-picker] button")].map(key => key.getBoundingClientRect().width))"""


def test_nothing_sticks_out_sideways(page):
    for check in ("meld", "opening", "build", "joker", "turn", "solve"):
        page.goto(f"/check?check={check}&variant=north-american&cards=5H 6H 7H 8H 9H 10H JH QH KH AH * *=2H KS")
        page.locator("[data-picker]").wait_for()
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(NARROWEST_KEY) >= 44


def test_the_verdict_changes_with_every_card_from_the_third_on(page):
    page.goto("/check")
    assert says(page, "Enter the cards.")
    lay(page, "seven", "hearts", "eight", "hearts")
    assert says(page, "A meld has three cards or more")
    assert verdict(page).startswith("Not judged yet")
    lay(page, "king", "hearts")
    assert says(page, "NOT LEGAL")
    lay(page, "Take back a card", "joker")
    assert says(page, "24 points")
    assert verdict(page).startswith("LEGAL")


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "usual"])
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


def test_a_rank_stays_pressed_for_the_other_suits_and_a_second_copy(page):
    page.goto("/check?variant=jamaican")
    lay(page, "nine", "clubs", "clubs", "diamonds")

    assert says(page, "LEGAL")
    assert page.locator("[name=cards]").input_value() == "9C 9C 9D"


def test_a_suit_stays_pressed_for_the_other_ranks(page):
    page.goto("/check")
    lay(page, "spades", "four", "five", "six")

    assert says(page, "15 points")
    assert page.locator("[name=cards]").input_value() == "4S 5S 6S"


def test_cards_are_taken_back_and_a_joker_is_declared(page):
    page.goto("/check?cards=7H 8H KC *")
    page.get_by_role("button", name="king of clubs").click()
    lay(page, "Take back a card")
    assert page.locator("[name=cards]").input_value() == "7H 8H *"

    page.locator("[data-fan]").get_by_role("button", name="joker").click()
    lay(page, "six", "hearts")
    assert page.locator("[name=cards]").input_value() == "7H 8H *=6H"
    assert says(page, "21 points")
    assert page.get_by_role("img", name="joker as six of hearts").first.is_visible()


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


def test_the_same_without_javascript(plain_page):
    page = plain_page
    page.goto("/check")
    assert page.locator("[data-picker]").is_hidden()
    page.get_by_label("Cards", exact=True).fill("KH KD KS")
    page.get_by_role("button", name="Check", exact=True).click()

    assert "LEGAL" in verdict(page)
    assert "30 points" in verdict(page)


def test_an_opening_gets_another_row_as_soon_as_the_last_is_filled(page):
    page.goto("/check?check=opening")
    lay(page, "king", "hearts", "diamonds", "spades", "king")
    page.locator("#meld-2").wait_for(state="attached")
    page.locator("[data-slot]").nth(1).locator("[data-fan]").click()
    lay(page, "spades", "four", "five", "six")

    assert says(page, "45 points; 40 are needed.")
    assert page.locator("#meld-2").input_value() == "4S 5S 6S"


def test_the_next_key_begins_the_next_meld(page):
    page.goto("/check?check=opening")
    lay(page, "king", "hearts", "diamonds", "spades", "Next field", "spades", "four", "five", "six")
    assert says(page, "45 points; 40 are needed.")
    assert page.locator("#meld-1").input_value() == "KH KD KS"
    assert page.locator("#meld-2").input_value() == "4S 5S 6S"


def test_enter_goes_on_to_the_next_meld_and_keeps_what_was_typed(page):
    page.goto("/check?check=opening")
    page.locator("#meld-1").focus()
    page.keyboard.type("KH KD KS")
    page.keyboard.press("Enter")
    expect(page.locator("#meld-2")).to_be_focused()
    page.keyboard.type("4S 5S 6S")
    page.locator("#meld-1").focus()
    page.keyboard.press("Enter")
    assert says(page, "45 points; 40 are needed.")
    assert page.locator("#meld-2").input_value() == "4S 5S 6S"


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
    page.get_by_role("link", name="Meld", exact=True).click()
    page.wait_for_url("**/check?check=meld*")
    page.go_back()
    assert page.locator("#hand").input_value() == "KH 2C 3S 4"


def test_a_count_needs_no_suits(page):
    page.goto("/check?check=count&variant=kalooki-40")
    lay(page, "king", "nine", "six")
    # 10 + 9 + 6
    assert says(page, "25 points")
    lay(page, "Take back all cards of this field", "ace", "king", "joker", "five")
    # 11 + 10 + 15 + 5
    assert says(page, "41 points")
    assert page.locator("#cards").input_value() == "A K * 5"
    assert [each.get_attribute("aria-label") for each in page.locator("[data-fan] [role=img]").all()] == [
        *("ace", "king", "joker", "five")
    ]


def test_a_count_needs_the_colour_of_an_ace_where_it_matters(page):
    page.goto("/check?check=count&variant=jamaican")
    lay(page, "red ace", "black ace", "king")
    # 1 + 15 + 10
    assert says(page, "26 points")
    assert page.get_by_role("img", name="black ace").first.is_visible()


@pytest.mark.parametrize(
    ("claim", "field", "ok"),
    [
        ("check=meld&cards=7H 8H 9H", "cards", "LEGAL"),
        ("check=opening&meld=KH KD KS&meld=4S 5S 6S", "meld-1", "LEGAL"),
        ("check=build&on=4S 5S 6S&cards=7S", "cards", "LEGAL"),
        ("check=joker&on=8S 8H *&give=8D 8C", "give", "LEGAL"),
        ("check=out&meld=7H 8H 9H&thrown=2C", "meld-1", "out"),
        ("check=turn&opened=yes&hand=7H 8H 9H 2C KC&do=stock&cards=3D&do=discard&cards=KC", "hand", "LEGAL"),
        ("check=solve&opened=yes&cards=7H 8H 9H 2C", "cards", "Yes"),
    ],
)
def test_no_verdict_is_given_while_cards_wait_for_their_suit(page, claim, field, ok):
    page.goto(f"/check?{claim}")
    assert says(page, ok)
    into(page, field)
    lay(page, "ten")
    page.wait_for_timeout(300)  # a card half entered changes nothing under the thumb
    assert ok in verdict(page)
    lay(page, "queen")
    assert says(page, "“10” needs a suit")
    assert verdict(page).startswith("Not judged yet")
    lay(page, "Take back a card", "Take back a card")
    assert says(page, ok)


def test_a_card_never_goes_into_a_closed_fold(page):
    page.goto("/check?check=turn")
    lay(page, "hearts", "seven", "eight", "nine", "Next field", "four", "diamonds")
    assert page.locator("#cards-1").input_value() == "4D"
    assert page.locator("#table-1").input_value() == ""
    assert page.locator(".slot.is-active").is_visible()

    # an opened fold is meant for the next card; closed again, a field in sight is
    fold = page.get_by_text("Melds on the table")
    fold.click()
    lay(page, "five", "spades")
    assert page.locator("#table-1").input_value() == "5S"
    fold.click()
    expect(page.locator(".slot.is-active #table-1")).to_have_count(0)
    lay(page, "two", "clubs")
    assert page.locator("#hand").input_value() == "7H 8H 9H 2C"


def told_turn(page, *, drawn, steps, hand):
    """A turn told with taps: the hand, the card drawn, and what was laid and thrown, row after row as they appear."""
    page.goto("/disputes")
    page.get_by_role("link", name="Turn", exact=True).click()
    lay(page, *hand)
    for number, cards in enumerate([drawn, *steps], 1):
        into(page, f"cards-{number}")
        lay(page, *cards)
        page.locator(f"#cards-{number + 1}").wait_for(state="attached")


def test_going_out_with_three_cards_needs_no_word_about_a_warning(page):
    told_turn(
        page,
        hand=("seven", "hearts", "eight", "hearts", "two", "clubs"),
        drawn=("nine", "hearts"),
        steps=[("seven", "hearts", "eight", "hearts", "nine", "hearts"), ("two", "clubs")],
    )
    assert says(page, "Going out")
    assert verdict(page).startswith("LEGAL")

    page.get_by_text("What happened before").click()
    assert page.get_by_role("radio", name="nobody asked").is_checked()
    warned = page.get_by_role("group", name="how many cards they had left")
    warned.get_by_text("no", exact=True).click()
    assert says(page, "NOT LEGAL")
    assert says(page, "no warning")
    warned.get_by_text("yes", exact=True).click()
    assert says(page, "Going out")


def test_what_a_turn_lays_and_throws_is_touched_in_the_hand(page):
    """7♥ 8♥ 2♣ and 9♥ drawn: the run and the card thrown need four touches, and nothing is typed twice."""
    told_turn(page, hand=("seven", "hearts", "eight", "hearts", "two", "clubs"), drawn=("nine", "hearts"), steps=[])
    assert not page.locator(".in-hand").is_visible()  # the drawing step takes none

    def held(*cards):
        expect(page.locator(".in-hand button")).to_have_count(len(cards))
        assert [each.get_attribute("value") for each in page.locator(".in-hand button").all()] == [*cards]

    into(page, "cards-2")
    held("7H", "8H", "2C", "9H")
    for word in ("7H", "8H", "9H"):
        page.locator(f".in-hand button[value='{word}']").tap()
    assert page.locator("#cards-2").input_value() == "7H 8H 9H"
    held("2C")

    page.locator("[data-take-back]").tap()
    held("2C", "9H")
    page.locator(".in-hand button[value='9H']").tap()
    page.locator("#cards-3").wait_for(state="attached")
    into(page, "cards-3")
    page.locator(".in-hand button[value='2C']").tap()
    assert says(page, "Going out")
    assert verdict(page).startswith("LEGAL")
    assert not page.locator(".in-hand").is_visible()
    into(page, "hand")
    assert not page.locator(".in-hand").is_visible()


def test_the_first_turn_of_the_hand_can_be_told_without_unfolding_anything(page):
    told_turn(page, hand=("king", "hearts", "king", "spades", "two", "clubs"), drawn=("nine", "hearts"), steps=[])
    page.locator("#do-1").select_option(label="takes the discard")
    page.locator("#do-2").select_option(label="throws")
    page.get_by_text("not down yet", exact=True).click()
    into(page, "cards-2")
    lay(page, "two", "clubs")
    assert says(page, "the opening was not reached")

    page.get_by_text("First turn of the hand", exact=True).click()
    assert says(page, "Still held")
    assert verdict(page).startswith("LEGAL")


def test_an_undeclared_joker_is_free_only_if_nobody_spoke_of_it(page):
    page.goto("/check?check=joker")
    lay(page, "six", "hearts", "seven", "hearts", "joker")
    into(page, "give")
    lay(page, "five", "hearts")

    assert says(page, "Only if nobody said 8♥ when the joker was laid")
    assert says(page, "1 joker is free")
    page.locator("#reasons").get_by_text("Why").click()
    assert page.get_by_role("link", name="Saying what a joker is").is_visible()

    # said to be the five: no condition is left
    page.locator("[data-slot]:has(#on)").get_by_role("button", name="joker").click()
    lay(page, "five", "hearts")
    page.locator("#verdict", has_text="Only if").wait_for(state="detached")
    assert says(page, "1 joker is free")


def test_a_kalooki_below_the_minimum_says_that_it_needs_none(page):
    page.goto("/check?check=opening&variant=kalooki-51")
    # thirteen cards: 4 x 2 + 3 x 3 + 3 x 4 + 3 x 6 = 47 points
    suits = ("hearts", "spades", "clubs")
    for number, cards in enumerate(
        (("two", *suits, "diamonds"), ("three", *suits), ("four", *suits), ("six", *suits)), 1
    ):
        page.locator(f"#meld-{number}").wait_for(state="attached")
        into(page, f"meld-{number}")
        lay(page, *cards)
    assert says(page, "The opening needs 51 points; this comes to 47.")
    assert verdict(page).startswith("NO – 4 short")

    page.get_by_text("A Kalooki: the whole hand at once").click()
    assert says(page, "47 points. A Kalooki needs no minimum.")
    assert verdict(page).startswith("LEGAL\n")


def test_three_cards_are_legal_melds_but_no_whole_hand(page):
    page.goto("/check?check=opening")
    page.get_by_text("A Kalooki: the whole hand at once").click()
    lay(page, "ace", "hearts", "spades", "clubs", "diamonds")

    # four aces of 11; thirteen cards are dealt
    assert says(page, "44 points; 40 are needed.")
    assert verdict(page).startswith("LEGAL MELDS\n")
    assert says(page, "These are 4 cards, not the whole hand. Dealt to each player: 13")
    page.get_by_text("A Kalooki: the whole hand at once").click()
    page.locator("#verdict", has_text="whole hand").wait_for(state="detached")
    assert verdict(page).startswith("LEGAL\n")


def test_another_variant_judges_the_same_cards(page):
    page.goto("/check?cards=AH 2H 3H")
    assert says(page, "NOT LEGAL")
    page.get_by_label("By the rules of").select_option("kalooki-51")

    # 1 + 2 + 3
    assert says(page, "6 points")


def test_a_rule_is_found_by_a_word(page):
    page.goto("/rules/jamaican")
    page.get_by_label("Find a rule").fill("side by side")

    assert page.locator("#jokers-together").is_visible()
    assert page.locator("#players").is_hidden()
    page.get_by_label("Find a rule").fill("zebra")
    assert page.get_by_text("No rule uses these words").is_visible()


PAGES = [
    "/compare?a=european&b=jamaican",
    "/check?cards=7H 8H *",
    "/check?cards=AH 2H 3H",
    "/check?check=opening&variant=north-american&meld=KH KD KS&on=4H 5H 6H&add=7H",
    "/check?check=build&on=4S 5S 6S&cards=7S",
    "/check?check=turn&hand=5H 6H 7H&do=stock&place=&cards=KC",
]


@seen_and_heard
def test_axe_finds_nothing(page, faults):
    for address in PAGES:
        page.goto(address)
        unfold(page)
        assert faults(page) == {}, address


def test_the_best_lay_down_is_found_card_by_card(page):
    page.goto("/check?check=solve&opened=yes")
    lay(page, "hearts", "queen", "seven", "eight", "nine")
    assert says(page, "Yes, you can go out.")
    # the run, and the queen to throw
    expect(page.locator("#reasons .laydown .pcard")).to_have_count(4)
    page.get_by_text("And with the discard on the pile?").click()
    lay(page, "ten", "hearts")
    page.locator("#reasons", has_text="With that card").wait_for()


def test_what_is_unfolded_stays_so_at_the_next_card(page):
    page.goto("/check?cards=7H 8H 9H")
    applied = page.locator("#reasons details", has_text="Rules applied")
    applied.locator("summary").click()
    lay(page, "ten", "hearts")
    assert says(page, "10")
    assert applied.get_attribute("open") is not None
    lay(page, "two", "clubs")
    assert says(page, "NOT LEGAL")
