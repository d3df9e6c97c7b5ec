"""Hands type where the keys stood when they began: nothing that comes or goes meanwhile takes a key's place."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.scorer_phone import SETTLED, Phone, middle
from tests.matrix import some

pytestmark = pytest.mark.browser

UPRIGHT = (360, 740)
SIZES = {"upright": UPRIGHT, "on its side": (740, 360), "tablet": (1024, 768)}
MORE_SIZES = [pytest.param(size, marks=pytest.mark.long, id=name) for name, size in SIZES.items() if size != UPRIGHT]


class Hands:
    """A thumb that has looked at the keys once, when the winner was chosen, and not again."""

    def __init__(self, phone):
        self.phone, self.page = phone, phone.page
        self.places = {digit: middle(phone.key(digit)) for digit in "0123456789"}
        self.places["next"] = middle(phone.key("next"))
        self.places["save"] = middle(self.page.locator("[data-save]"))

    def tap(self, *keys):
        for key in keys:
            self.page.touchscreen.tap(*self.places[key])
            self.phone.taps += 1
            if key != "save":
                # what saving does has come: nothing else that could move a key is on its way
                expect(self.phone.preview).not_to_have_attribute("aria-busy", "true")


def standing(phone):
    """Where every key and Save stand: what a browser measures may differ by parts of a pixel."""
    return phone.keys(), tuple(phone.page.locator("[data-save]").bounding_box().values())


def turned(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    return page


IN_SIGHT = """() => {
  const field = document.querySelector(".is-active .loser-points").getBoundingClientRect();
  return 0 < field.top && field.bottom <= document.querySelector(".dock").getBoundingClientRect().top;
}"""
"""Whether the field typed in stands clear of the dock. What saving does moves both, but never between two frames."""


def begun(page, server, variant="european", players=("Ann", "Ben", "Cat", "Dan")):
    phone = Phone(page, server, variant, players)
    phone.begin("Ann")
    expect(phone.key("next")).to_be_visible()
    return phone, Hands(phone)


@pytest.mark.parametrize(
    ("variant", "size", "last"),
    [
        ("european", UPRIGHT, "12"),
        ("jamaican", UPRIGHT, "128"),
        *(pytest.param("european", *each.values, "126", marks=pytest.mark.long) for each in MORE_SIZES),
    ],
)
def test_the_last_sum_is_saved_as_it_was_typed(page, server, variant, size, last):
    phone, hands = begun(turned(page, size), server, variant)
    hands.tap(*"55", *"67", *last, "save")  # no third digit could follow
    assert phone.saved() == [0, 55, 67, int(last)]
    assert phone.taps == 1 + 4 + len(last) + 1


@pytest.mark.parametrize("size", some(SIZES, "upright", "tablet"))
def test_next_ends_every_sum_where_it_stood_and_save_stays_when_the_keys_make_way(page, server, size):
    phone, hands = begun(turned(page, SIZES[size]), server)
    hands.tap(*"25", "next", *"7", "next", *"128", "next")
    expect(phone.page.locator("[data-keypad]")).to_be_hidden()
    expect(phone.preview).to_contain_text("0 + 128 = 128")
    save = phone.page.locator("[data-save]")
    assert middle(save) == pytest.approx(hands.places["save"], abs=0.5)
    others = [place for key, place in hands.places.items() if key != "save"]
    box = save.bounding_box()
    assert not [y for _, y in others if box["y"] <= y <= box["y"] + box["height"]]
    hands.tap("save")
    assert phone.saved() == [0, 25, 7, 128]


def test_one_loser_alone_types_three_digits(page, server):
    phone, hands = begun(page, server, players=("Ann", "Ben"))
    hands.tap(*"131", "save")
    assert phone.saved() == [0, 131]


@pytest.mark.parametrize(
    ("variant", "size"),
    [
        ("european", UPRIGHT),
        ("european", SIZES["on its side"]),
        pytest.param("european", SIZES["tablet"], marks=pytest.mark.long),
        *(pytest.param("jamaican", size, marks=pytest.mark.long) for size in SIZES.values()),
        *(pytest.param("north-american", size, marks=pytest.mark.long) for size in SIZES.values()),
    ],
)
def test_no_key_moves_while_a_hand_is_typed_and_save_lies_more_than_a_slip_below(page, server, variant, size):
    phone, _ = begun(turned(page, size), server, variant)
    places = [standing(phone)]
    for key in [*"1", "back", *"58", *"128", "back", "back", "back", *"47", *"1", "back", *"12"]:
        phone.press(key)
        places.append(standing(phone))
    expect(phone.preview).to_contain_text("Dan")
    places.append(standing(phone))
    keys, saves = zip(*places, strict=True)
    assert len({*keys}) == 1
    assert all(max(side) - min(side) < 1 for side in zip(*saves, strict=True))
    zero, save = phone.key("0").bounding_box(), phone.page.locator("[data-save]")
    assert save.bounding_box()["y"] - zero["y"] - zero["height"] >= 10


@pytest.mark.parametrize("height", [640, pytest.param(740, marks=pytest.mark.long)])
def test_letters_twice_their_size_move_no_key_and_hide_no_sum(page, server, height):
    page.set_viewport_size({"width": 360, "height": height})
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    phone, hands = begun(page, server)
    keys = phone.keys()
    for digits in ("2", "5", "3", "7", "1", "2"):
        page.wait_for_function(IN_SIGHT, timeout=1_000)
        hands.tap(digits)
        assert phone.keys() == keys
    expect(phone.preview).to_contain_text("12")
    hands.tap("save")  # the keys make way first: what saving does is longer than the room beside them
    expect(page.locator("[data-keypad]")).to_be_hidden()
    hands.tap("save")
    assert phone.saved() == [0, 25, 37, 12]


def test_with_letters_twice_their_size_how_it_ended_is_asked_beside_the_first_row(page, server):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    begun(page, server, "jamaican", ("Ann", "Ben", "Cat", "Dan"))
    page.wait_for_function(IN_SIGHT, timeout=1_000)
    ending, row = page.locator(".ending").bounding_box(), page.locator(".loser.is-active").bounding_box()
    assert ending["y"] >= 0, ending
    assert row["y"] + row["height"] <= page.locator(".dock").bounding_box()["y"] + 1


def test_a_key_brings_its_row_back_into_sight(page, server):
    page.set_viewport_size({"width": 360, "height": 500})
    _, hands = begun(page, server)
    hands.tap(*"25", *"37")
    page.evaluate("scrollTo(0, 0)")
    hands.tap("4")
    page.wait_for_function(IN_SIGHT, timeout=1_000)


@pytest.mark.parametrize("size", [UPRIGHT, *MORE_SIZES])
def test_a_row_gone_back_to_keeps_the_keys_until_somebody_says_so(page, server, size):
    phone, hands = begun(turned(page, size), server)
    hands.tap(*"25", *"37", *"48")
    phone.tap(phone.points(3))
    hands.tap(*"126")
    expect(phone.points(3)).to_have_value("126")
    before = phone.keys()
    phone.press("next")
    expect(phone.page.locator("[data-keypad]")).to_be_hidden()
    phone.tap(phone.points(2))
    assert phone.keys() == before


def test_no_link_that_comes_in_the_keys_place_is_followed_by_a_tap_meant_for_a_key(page, server):
    phone, hands = begun(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    hands.tap(*"45", *"49")
    more = page.get_by_role("button", name="Cat: one call more")
    for _ in range(4):
        phone.tap(more)
    link = phone.preview.get_by_role("link").last
    expect(link).to_be_attached()
    page.evaluate(
        """() => document.querySelector('[data-keypad] .key-next').addEventListener('click', () => setTimeout(() => {
            const clicked = [...document.querySelectorAll('[data-preview-region] a')].map(link => {
                const click = new MouseEvent('click', {bubbles: true, cancelable: true});
                return link.dispatchEvent(click) ? 'followed' : 'refused';
            });
            document.body.dataset.clicked = clicked.join();
        }, 50))"""
    )
    phone.press("next")
    expect(page.locator("body")).to_have_attribute("data-clicked", re.compile("^refused(,refused)*$"))
    assert page.url.endswith("/hand")
    phone.preview.evaluate(SETTLED)
    link.tap()
    page.wait_for_url("**/rules**")


@pytest.mark.parametrize("size", [UPRIGHT, *MORE_SIZES])
def test_a_correction_is_typed_where_the_hand_was(page, server, size):
    phone, hands = begun(turned(page, size), server)
    recorded = phone.keys()
    hands.tap(*"25", *"37", *"48", "save")
    phone.saved()
    phone.open("/correct/2")
    phone.tap(phone.points(4))
    assert phone.keys() == recorded
    hands.tap(*"126")
    assert phone.keys() == recorded
    hands.tap("save")
    assert phone.saved() == [0, 25, 37, 126]
