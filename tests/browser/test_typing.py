"""A hand typed with one thumb: taps, keys that stay where they are, what saving does in sight, and what is refused.

tests/javascript has every order of digits and cards (reading, laying) and what cards count; here is what a page shows.
"""

import random

import pytest
from playwright.sync_api import expect

from app.kalooki.readers import MOST_POINTS
from app.kalooki.variants import all_variants
from tests.browser.phones import held_back
from tests.browser.scorer_phone import SETTLED, Phone, at_rest, middle, two_digit_sums, type_a_hand
from tests.keypad import pressed, random_keys, written
from tests.matrix import some
from tests.pages import FOUR, hand
from tests.server import eventually

pytestmark = pytest.mark.browser

UPRIGHT, ON_ITS_SIDE, TABLET = (360, 740), (740, 360), (1024, 768)
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def resize(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))


def double_the_letters(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})


def typed(phone):
    return [phone.points(seat).input_value() for seat in (2, 3, 4)]


def row(phone, seat):
    return phone.page.locator(f".loser[data-seat='{seat}']")


def rest(phone):
    """What saving does has come: nothing that could move a key is on its way."""
    expect(phone.preview).not_to_have_attribute("aria-busy", "true")


def standing(phone):
    """Where every key and Save stand: what a browser measures may differ by parts of a pixel."""
    return phone.keys(), tuple(phone.page.locator("[data-save]").bounding_box().values())


IN_SIGHT = """() => {
  const field = document.querySelector(".is-active .loser-left").getBoundingClientRect();
  return 0 < field.top && field.bottom <= document.querySelector(".dock").getBoundingClientRect().top;
}"""
"""Whether the field typed in stands clear of the dock. What saving does moves both, but never between two frames."""
CUT_OFF = """() => [...document.querySelectorAll('[data-preview-region] li, [data-preview-region] p')].filter(each => {
    const {top, bottom, height} = each.getBoundingClientRect();
    const {top: from, bottom: to} = document.querySelector('[data-preview-region]').getBoundingClientRect();
    return height && (top < Math.max(0, from) - 1 || bottom > Math.min(innerHeight, to) + 1);
}).map(each => each.textContent)"""
"""What saving does that is cut off or behind something."""
MODES = "() => [...document.querySelectorAll('.loser .input')].map(each => each.inputMode)"


# ---- Points


def test_the_next_hand_takes_nine_taps_with_what_saving_does_in_sight_and_the_one_after_begins_empty(phone):
    phone.record(hand(1, s2=130, s3=20, s4=30))
    phone.open("")
    phone.tap(phone.page.get_by_role("link", name="Record hand 2"))
    expect(phone.page.locator(".is-live")).to_be_visible()
    expect(phone.page.locator("body")).to_be_focused()  # nothing scrolls or brings up a keyboard
    assert phone.page.evaluate("scrollY") == 0
    assert set(phone.page.evaluate(MODES)) == {"none"}
    two_digit_sums(phone)
    for told in ("130 + 28 = 158", "out – may buy in at 77 for €0.50", "Each pays Ann €0.10."):
        expect(phone.preview).to_contain_text(told)
    assert phone.preview.bounding_box()["y"] > phone.points(4).bounding_box()["y"]
    expect(phone.preview).to_be_in_viewport()
    expect(phone.page.locator("[data-save]")).to_have_text("Save hand 2")
    assert phone.saves() == [0, 158, 55, 77]
    assert phone.taps <= 9
    phone.open()
    expect(phone.page.locator("input[name=winner]:checked")).to_have_count(0)
    expect(phone.points(3)).to_have_value("")


def test_what_saving_does_is_read_out_by_the_phone(phone):
    phone.open()
    phone.page.evaluate("() => { speechSynthesis.speak = ({text}) => { document.body.dataset.spoken = text; } }")
    aloud = phone.page.get_by_role("button", name="Read it out")
    phone.won("Ann")
    expect(aloud).to_be_disabled()
    phone.press(*"28", *"35", *"47")
    phone.tap(aloud)
    spoken = phone.page.locator("body").get_attribute("data-spoken")
    for told in ("Ben, 0 + 28 = 28", "Cat, 0 + 35 = 35", "Each pays Ann €0.10."):
        assert told in spoken


TICKS = """() => [...document.querySelectorAll('.choice:has(:checked)')].filter(each => each.offsetParent)
    .map(each => [...each.querySelectorAll('.choice-text > *')])
    .map(parts => parts.map(part => getComputedStyle(part, '::before').content))"""


def test_a_hand_not_complete_leads_to_what_is_missing_and_its_winner_can_be_changed(phone):
    phone.begin("Ann")
    phone.tap(phone.page.locator(".ending .choice", has_text="nothing laid before"))
    # Ann and her total, which is hidden; Kalooki and what it is
    assert phone.page.evaluate(TICKS) == [['"✓ "', "none"], ['"✓ "', "none"]]
    expect(phone.points(1)).to_be_hidden()
    phone.press(*"28")
    phone.save(force=True)
    expect(phone.points(3)).to_be_focused()
    assert phone.state()["seen"] == 1
    phone.won("Ann")
    phone.won("Ben")
    expect(phone.points(2)).to_be_hidden()
    expect(phone.points(1)).to_be_visible()
    phone.won("Ben")
    phone.won("Ann")
    expect(phone.points(2)).to_have_value("28")


def test_digits_that_no_sum_can_have_are_never_lost_nor_saved(phone):
    phone.begin("Ann")
    phone.press(*"125530")
    assert typed(phone) == ["125530", "", ""]
    expect(phone.page.locator(".loser-warning")).to_have_text("⚠ No hand counts 125530.")
    phone.save(force=True)
    assert phone.state()["seen"] == 1
    phone.tap(phone.points(2))
    phone.press(*["back"] * 4, "next", *"5530")
    assert phone.saves() == [0, 12, 55, 30]


def test_what_cannot_be_left_is_told_where_it_is_typed(phone):
    phone.begin("Ann")
    phone.press("0")
    expect(phone.page.locator(".loser .error")).to_have_text("Only the winner can score 0.")
    phone.press("next", "3")
    assert typed(phone) == ["03", "", ""]
    expect(phone.page.locator(".loser .error")).to_have_text("No sum begins with 0.")
    phone.press("back", "back", "1", "next", *"35", "0")  # where nothing but the keys may be in sight
    assert phone.preview.evaluate("each => getComputedStyle(each, '::before').content") == (
        '"Only the winner can score 0."'
    )
    phone.press("back", *"47")
    expect(phone.preview).to_contain_text("Ben: no hand of 13 cards or fewer adds up to 1.")
    assert phone.saves() == [0, 1, 35, 47]


def test_next_is_asked_for_beside_the_keys_where_only_next_ends_a_sum(phone):
    phone.begin("Ann")
    following = phone.key("next")
    for seat, digits in ((2, "10"), (3, "148")):
        phone.press(digits[0])
        expect(following).to_have_text("Next")
        phone.press(*digits[1:])
        expect(phone.points(seat)).to_be_focused()
        for width in (320, 360):
            phone.page.set_viewport_size({"width": width, "height": 740})
            assert phone.points(seat).evaluate("each => each.scrollWidth <= each.clientWidth")
        place = row(phone, seat).locator(".loser-left")
        may_grow = place.evaluate("each => getComputedStyle(each, '::after').content") == '"_"'
        assert may_grow == (digits == "10")
        expect(following).to_have_text(f"Next after {digits}")
        assert "is-asked" in following.get_attribute("class")
        phone.press("next")
        expect(phone.points(seat + 1)).to_be_focused()
        assert "is-asked" not in following.get_attribute("class")


def test_a_recorded_hand_is_corrected_in_four_taps_and_its_digits_with_the_same_keys(phone):
    phone.begin("Ann")
    keys = phone.keys()
    phone.press(*"28", *"35", *"47")
    phone.saves()
    phone.taps = 0
    phone.tap(phone.page.locator(".hands th a", has_text="1"))
    phone.tap(phone.page.get_by_role("link", name="Correct"))
    phone.tap(phone.points(3))
    expect(phone.key("1")).to_be_visible()
    assert phone.keys() == keys
    phone.page.wait_for_function(
        """() => document.querySelector('[data-seat="4"]').getBoundingClientRect().bottom
            <= document.querySelector('.dock').getBoundingClientRect().top + 1"""
    )
    expect(phone.points(2)).to_be_in_viewport(ratio=1)
    phone.press("4")  # the first digit begins a new sum
    expect(phone.points(3)).to_have_value("4")
    phone.press("0")
    expect(phone.preview).to_contain_text("35 → 40")
    assert phone.saves() == [0, 28, 40, 47]
    assert phone.taps == 4 + 2
    phone.open("/correct/2")
    phone.tap(phone.points(3))
    phone.press("back", "6")
    expect(phone.points(3)).to_have_value("46")
    assert phone.saves() == [0, 28, 46, 47]


def test_a_digit_replaces_cards_a_card_points_and_one_backspace_brings_them_back(phone):
    phone.record(hand(1, s2="K K Q J 2", s3=7, s4=6))
    phone.open("/correct/2")
    phone.tap(phone.points(2))
    phone.press("mode", "2")
    expect(phone.points(2)).to_have_value("2")
    phone.press("back")
    expect(phone.points(2)).to_have_value("K K Q J 2")
    phone.press("mode", "2", "4")
    phone.tap(phone.points(3))
    phone.press("mode", "card 7")
    expect(phone.points(3)).to_have_value("7,")  # a card, not points
    expect(row(phone, 3).locator(".loser-count")).to_have_text("1 card")
    phone.press("back")
    expect(phone.points(3)).to_have_value("7")
    phone.press("mode", "card 8", "card K")
    assert phone.saves() == [0, 24, 18, 6]
    assert phone.state()["log"][-1]["event"]["event"]["left"]["3"] == "8 K"


@pytest.mark.long
@pytest.mark.parametrize("variant", [each.id for each in all_variants()])
def test_random_keys_are_saved_in_order_or_not_at_all(page, server, variant):
    chance = random.Random(variant)
    for _ in range(10):
        phone = Phone(page, server, variant, FOUR[: chance.randint(2, 4)])
        phone.begin("Ann")
        dearest = page.locator("#hand").evaluate("each => JSON.parse(each.dataset.entry).dearest")
        rows = page.locator(".loser:not(.is-winner)").count()
        keys = random_keys(chance)
        expect(phone.key("next")).to_be_visible()
        phone.press(*pressed(keys, rows, dearest))
        sums = written(keys, rows, dearest)
        if not sums or max(map(int, sums)) > MOST_POINTS:
            phone.save(force=True)
            rest(phone)
            assert phone.state()["seen"] == 1
            continue
        rest(phone)
        if page.locator("[data-save]").inner_text() == "Review":  # which is longer than its room
            phone.save()
            phone.preview.evaluate(SETTLED)
        phone.saves()
        left = phone.state()["log"][-1]["event"]["left"]
        assert [str(each["points"]) for each in left.values()] == sums


# ---- Calls


@pytest.mark.parametrize(
    ("size", "is_corrected"),
    [
        pytest.param(UPRIGHT, False, id="upright, recorded"),
        pytest.param(ON_ITS_SIDE, True, id="on its side, corrected"),
        pytest.param(UPRIGHT, True, id="upright, corrected", marks=pytest.mark.long),
        pytest.param(ON_ITS_SIDE, False, id="on its side, recorded", marks=pytest.mark.long),
    ],
)
def test_calls_tapped_where_they_stood_after_the_sum_are_of_the_same_player(page, server, size, is_corrected):
    resize(page, size)
    phone = Phone(page, server, "jamaican")
    if is_corrected:
        phone.record(hand(1, s2=20, s3=20, s4=20))
        phone.open("/correct/2")
    else:
        phone.begin("Ann")
    for seat, digits in ((2, "23"), (3, "17"), (4, "45")):
        if is_corrected:
            at_rest(phone.points(seat))
            phone.tap(phone.points(seat))
            expect(phone.points(seat)).to_be_focused()
            at_rest(phone.points(seat))
        for digit in digits:
            page.touchscreen.tap(*middle(phone.key(digit)))
        if is_corrected:  # what saving does is shown from the start, and may still move what stands below it
            expect(phone.preview).to_contain_text(f" {digits} ")
        more = row(phone, seat).locator("[data-step='1']")
        at_rest(more)
        where = middle(more)
        for _ in range(4):
            rest(phone)
            page.touchscreen.tap(*where)
        if not is_corrected and seat != 4:
            phone.press("next")
    assert [page.locator(f"#calls-{seat}").input_value() for seat in (1, 2, 3, 4)] == ["", "4", "4", "4"]
    expect(phone.preview).to_contain_text("17 + calls 50 = ")  # for the fourth


def test_no_link_that_comes_in_the_keys_place_is_followed_by_a_tap_meant_for_a_key(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.begin("Ann")
    phone.press(*"45", *"49")
    more = page.get_by_role("button", name="Cat: one call more")
    for _ in range(4):
        phone.tap(more)
    link = phone.preview.get_by_role("link").last
    expect(link).to_be_attached()
    page.evaluate(
        """() => document.querySelector('[data-keypad] .key-next').addEventListener('click', () => setTimeout(() => {
            const click = () => new MouseEvent('click', {bubbles: true, cancelable: true});
            const links = [...document.querySelectorAll('[data-preview-region] a')];
            document.body.dataset.clicked = links.map(link => link.dispatchEvent(click()));
        }))"""
    )
    phone.press("next")
    clicked = eventually(lambda: page.locator("body").get_attribute("data-clicked"))
    assert set(clicked.split(",")) == {"false"}  # each was refused
    assert page.url.endswith("/hand")
    phone.preview.evaluate(SETTLED)
    link.tap()
    page.wait_for_url("**/rules**")


# ---- Keys that stay


@pytest.mark.parametrize(
    ("variant", "size"),
    [
        pytest.param(variant, size, marks=() if (variant, size) == ("european", UPRIGHT) else pytest.mark.long)
        for variant in ("european", "jamaican", "north-american")
        for size in (UPRIGHT, ON_ITS_SIDE, TABLET)
    ],
)
def test_no_key_moves_while_hands_are_typed_and_save_lies_more_than_a_slip_below(page, server, variant, size):
    resize(page, size)
    phone = Phone(page, server, variant)
    phone.begin("Ann")
    expect(phone.key("next")).to_be_visible()
    places = [standing(phone)]
    for key in [*"1", "back", *"58", *"128", "back", "back", "back", *"47", *"1", "back", *"12"]:
        phone.press(key)
        places.append(standing(phone))
    expect(phone.preview).to_contain_text("Dan")
    rest(phone)
    places.append(standing(phone))
    zero, save = phone.key("0").bounding_box(), phone.page.locator("[data-save]").bounding_box()
    assert save["y"] - zero["y"] - zero["height"] >= 10
    phone.tap(phone.points(4))  # back to a row, with what saving does in sight
    places.append(standing(phone))
    phone.saves()
    phone.begin("Ann")  # and in the next hand
    places.append(standing(phone))
    keys, saves = zip(*places, strict=True)
    assert len({*keys}) == 1
    assert all(max(side) - min(side) < 1 for side in zip(*saves, strict=True))


@pytest.mark.parametrize("size", [UPRIGHT, pytest.param(TABLET, marks=pytest.mark.long)])
def test_save_stays_when_the_keys_make_way_and_a_row_gone_back_to_has_them_again(page, server, size):
    resize(page, size)
    phone = Phone(page, server)
    phone.begin("Ann")
    expect(phone.key("next")).to_be_visible()
    keys, save = phone.keys(), page.locator("[data-save]")
    at = middle(save)
    phone.press(*"25", "next", *"7", "next", *"48")
    hide = phone.key("next")
    expect(hide).to_have_text("Hide keys")
    colours = [each.evaluate("each => getComputedStyle(each).backgroundColor") for each in (hide, save)]
    assert len({*colours}) == 2  # it does not look like Save
    digits = [middle(phone.key(digit)) for digit in "0123456789"]
    phone.press("next")
    expect(page.locator("[data-keypad]")).to_be_hidden()
    expect(phone.preview).to_contain_text("0 + 48 = 48")
    assert middle(save) == pytest.approx(at, abs=0.5)
    box = save.bounding_box()
    assert not [y for _, y in digits if box["y"] <= y <= box["y"] + box["height"]]
    for seat, text in ((3, "126"), (2, "7")):
        phone.tap(phone.points(seat))
        assert phone.keys() == keys
        phone.press(*text)  # begun anew, and ended only when somebody says so
        expect(phone.points(seat)).to_have_value(text)
        assert phone.keys() == keys
        phone.press("next")
    expect(page.locator("[data-keypad]")).to_be_hidden()
    assert phone.saves() == [0, 7, 126, 48]


@pytest.mark.parametrize(("variant", "last"), some([("european", "12"), ("jamaican", "128")], ("jamaican", "128")))
def test_the_last_sum_is_saved_by_a_thumb_that_does_not_look(page, server, variant, last):
    phone = Phone(page, server, variant)
    phone.begin("Ann")
    expect(phone.key("next")).to_be_visible()
    places = {digit: middle(phone.key(digit)) for digit in "0123456789"}
    save = middle(page.locator("[data-save]"))
    for digit in f"5567{last}":
        page.touchscreen.tap(*places[digit])
        rest(phone)
    page.touchscreen.tap(*save)  # no third digit could follow
    assert phone.saved() == [0, 55, 67, int(last)]


def test_a_winner_tapped_before_the_script_has_come_opens_the_keypad_too(phone):
    script = held_back(phone.page, "**/hand.js*")
    phone.page.goto(f"/g/{phone.code}/hand", wait_until="commit")
    phone.won("Ann")
    script().continue_()
    # kept at once, as any winner
    phone.page.wait_for_function("() => Object.keys(localStorage).some((key) => key.startsWith('kalooki:draft:'))")
    phone.press(*"28")
    expect(phone.points(2)).to_have_value("28")


# ---- Cards


def test_five_cards_each_take_twenty_taps_with_what_saving_does_in_sight(phone):
    phone.record(hand(1, s2="K", s3="5", s4="2"))  # every hand opens on points
    phone.begin("Ann")
    phone.press("mode")
    keys = phone.keys()
    phone.cards("K", "K", "9", "5", "2")
    phone.press("next")
    phone.cards("Q", "8", "7", "7", "3")
    phone.press("next")
    phone.cards("J", "J", "6", "4", "2")
    expect(phone.preview).to_contain_text("2 + 32 = 34")
    expect(phone.preview).to_be_in_viewport()
    assert phone.keys() == keys
    # 10 + 10 + 9 + 5 + 2, 10 + 8 + 7 + 7 + 3, 10 + 10 + 6 + 4 + 2
    assert phone.saves() == [0, 10 + 36, 5 + 35, 2 + 32]
    assert phone.taps == 20


def test_the_first_hand_is_led_by_the_words_on_the_keys_in_sight(phone):
    phone.open()
    led = phone.page.locator("[data-guide]")
    for words, step in (
        ("Tap whoever went out.", lambda: phone.won("Ann")),
        ("type the points each is left with, or tap Cards", lambda: phone.press("mode")),
        ("or 123", lambda: (phone.cards("K", "5"), phone.press("next", "mode", *"35", *"47"))),
        ("Read it out. Right?", phone.saves),
    ):
        expect(led.get_by_text(words)).to_be_visible()
        expect(led.locator("> *").locator("visible=true")).to_have_count(1)
        step()
    phone.begin("Ann")
    phone.press(*"28", *"35", *"47")  # one hand shown by its cards changes the keypad of no other
    expect(phone.preview).to_contain_text("15 + 28 = 43")


def test_cards_beyond_the_packs_cannot_be_tapped_over_all_hands(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("Ared", "Ared", "Ared", "Ablack")
    expect(row(phone, 2).locator(".loser-counted")).to_have_text("18")  # 1 + 1 + 1 + 15
    phone.press("next")
    phone.cards("Ared")
    expect(phone.key("card Ared")).to_be_disabled()
    expect(phone.key("card Ablack")).to_be_enabled()
    phone.press("back")
    expect(phone.key("card Ared")).to_be_enabled()


@pytest.mark.long
def test_a_key_names_its_picks_and_single_cards_have_a_remove_button(phone):
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("K", "5", "K")
    expect(phone.page.get_by_role("button", name="king, 2", exact=True)).to_be_visible()
    expect(phone.page.get_by_role("button", name="joker", exact=True)).to_be_visible()
    phone.tap(phone.page.get_by_label("take back one king"))
    expect(phone.page.locator("#left-2")).to_have_value("K 5")
    expect(row(phone, 2).locator(".loser-counted")).to_have_text("15")


@pytest.mark.long
def test_cards_recorded_are_read_as_cards_and_typed_ones_as_typed(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.record(hand(1, s2="Ablack Ared K", s3="5"))
    phone.open("/correct/2")
    expect(row(phone, 2).locator(".loser-shown")).to_have_text("A♠♣ A♥♦ K")
    expect(row(phone, 2).locator(".loser-count")).to_have_text("3 cards")
    field = page.locator("#left-2")
    expect(field).to_have_css("color", "rgba(0, 0, 0, 0)")
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type(" QH")
    expect(field).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    phone.tap(phone.points(3))
    expect(row(phone, 2).locator(".loser-shown")).to_have_text("A♠♣ A♥♦ K Q♥")


@pytest.mark.long
def test_random_cards_are_those_tapped(page, server):
    phone = Phone(page, server, "jamaican", (*FOUR, "Eve"))
    chance = random.Random("jamaican")
    dealt = chance.sample((*("Ared", "Ablack") * 4, *RANKS * 8, "*", "*"), 24)
    phone.begin("Ann")
    phone.press("mode")
    for seat in (2, 3, 4, 5):
        page.locator(f"#left-{seat}").focus()
        cards = [dealt.pop() for _ in range(chance.randint(1, 6))]
        phone.cards(*cards)
        assert page.locator(f"#left-{seat}").input_value() == " ".join(cards)


def test_whoever_was_not_dealt_in_is_ticked_cleared_after_asking_and_left_out(phone):
    phone.begin("Ann")
    phone.press(*"30", "next", *"20", "next", *"12")
    tick = phone.page.locator("label:has(#absent-3)")
    asked = []
    phone.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    phone.page.locator("#not-dealt-in summary").tap()
    tick.tap()
    expect(phone.page.locator("#absent-3")).not_to_be_checked()
    expect(phone.points(3)).to_have_value("20")
    phone.page.once("dialog", lambda dialog: dialog.accept())
    tick.tap()
    assert asked == ["Clear what you typed for Cat, who was not dealt in?"]
    expect(phone.points(3)).to_be_hidden()
    expect(row(phone, 3)).to_contain_text("not dealt in")
    expect(phone.page.locator("label:has(#absent-1)")).to_be_hidden()
    expect(phone.preview).to_contain_text("not dealt in")
    assert phone.saves() == [0, 30, 0, 12]
    assert phone.state()["hands"][0]["absent"] == [3]


# ---- What saving does


@pytest.mark.parametrize("players", some(range(2, 9), 8))
def test_save_is_offered_once_all_that_it_does_is_in_sight(page, server, players):
    """Every other loser is out at 150 or more, and Ben's 1 is no hand's sum: outs, offers, “Please check”, payments."""
    phone = Phone(page, server, players=(*FOUR, "Evelyn", "Francesca", "Gus", "Helen")[:players])
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
    assert page.evaluate(CUT_OFF) == []
    active, dock = page.locator(".loser.is-active").bounding_box(), page.locator(".dock").bounding_box()
    assert active["y"] >= 0
    assert active["y"] + active["height"] <= dock["y"] + 1
    phone.saves()


def test_what_is_typed_last_is_what_is_shown_however_late_an_answer_comes(phone):
    """On a slow line the sums of a moment ago would be read out as if they were the ones to be saved."""
    waiting = []
    type_a_hand(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    phone.page.route("**/hand/preview", lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright wants a function

    def ask(typed):
        """A sum typed in Ben's row, of which the server has been asked and has not answered."""
        before = len(waiting)
        phone.points(2).fill(typed)
        expect(phone.preview).to_have_attribute("aria-busy", "true")
        while len(waiting) == before:
            phone.page.wait_for_timeout(20)

    ask("21")
    ask("22")
    label = phone.page.locator("[data-save]").evaluate_handle("each => each.firstChild")
    for route in waiting:
        route.continue_()
    expect(phone.preview).to_contain_text("0 + 22 = 22")
    assert label.evaluate("each => each.isConnected")  # else Safari would lose a press that begins before the answer
    rest(phone)
    ask("23")
    phone.points(2).fill("")
    waiting[-1].continue_()
    expect(phone.preview).to_be_empty()
    ask("24")
    phone.page.unroute("**/hand/preview")
    phone.points(2).fill("25")
    expect(phone.preview).to_contain_text("0 + 25 = 25")  # what is never answered holds nothing up


# ---- Small screens, large letters


@pytest.mark.parametrize("height", [640, pytest.param(740, marks=pytest.mark.long)])
def test_the_last_row_is_seen_above_the_keypad_and_a_key_brings_it_back(page, server, height):
    phone = Phone(page, server, "north-american", (*FOUR, "Evelyn", "Fay"))
    page.set_viewport_size({"width": 320, "height": height})
    phone.begin("Ann")
    for _ in range(4):
        phone.press("7", "next")
    expect(phone.points(6)).to_be_focused()
    last, dock = page.locator("[data-seat='6']").bounding_box(), page.locator(".dock").bounding_box()
    assert last["y"] >= 0
    assert last["y"] + last["height"] <= dock["y"] + 1
    page.evaluate("scrollTo(0, 0)")
    phone.press("4")
    page.wait_for_function(IN_SIGHT)


@pytest.mark.parametrize("height", [640, pytest.param(740, marks=pytest.mark.long)])
def test_letters_twice_their_size_move_no_key_hide_no_sum_and_are_reviewed_first(phone, height):
    page = phone.page
    page.set_viewport_size({"width": 360, "height": height})
    double_the_letters(page)
    phone.begin("Ann")
    expect(phone.key("next")).to_be_visible()
    keys, save = phone.keys(), page.locator("[data-save]")
    for digit in "253712":
        page.wait_for_function(IN_SIGHT)
        phone.press(digit)
        rest(phone)
        assert phone.keys() == keys
    expect(phone.preview).to_contain_text("0 + 12 = 12")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    expect(save).to_have_text("Review")  # what saving does is longer than the room beside the keys
    expect(save).not_to_have_attribute("aria-disabled", "true")
    expect(page.get_by_text("Tap Review and read it out.")).to_be_attached()
    phone.save()
    expect(page.locator("[data-keypad]")).to_be_hidden()
    expect(save).to_have_text("Save hand 1")
    expect(save).not_to_have_attribute("aria-disabled", "true")
    assert phone.state()["seen"] == 1
    assert page.evaluate(CUT_OFF) == []
    assert phone.saves() == [0, 25, 37, 12]


@pytest.mark.long
def test_with_letters_twice_their_size_how_it_ended_is_asked_beside_the_first_row(page, server):
    double_the_letters(page)
    phone = Phone(page, server, "jamaican")
    phone.begin("Ann")
    page.wait_for_function(IN_SIGHT)
    ending, active = page.locator(".ending").bounding_box(), page.locator(".loser.is-active").bounding_box()
    assert ending["y"] >= 0, ending
    assert active["y"] + active["height"] <= page.locator(".dock").bounding_box()["y"] + 1
