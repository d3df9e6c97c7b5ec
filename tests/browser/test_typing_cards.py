"""Cards typed with the keys lie in the field; tests/javascript/laying.test.js has every order people type them in."""

import pytest
from playwright.sync_api import expect

from tests.browser.scorer_phone import at_rest
from tests.matrix import some

pytestmark = pytest.mark.browser

SUITS = "SHDC"
SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "★": "*"}
TABS = {
    "meld": ("/check?check=meld", ("cards",)),
    "opening": ("/check?check=opening&variant=north-american", ("meld-1", "on-1", "add-1")),
    "build": ("/check?check=build", ("on", "cards")),
    "joker": ("/check?check=joker", ("on", "give")),
    "turn": ("/check?check=turn", ("hand", "cards-1")),
}
EMPTIED = "field => { field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true})) }"
CENTRES = """() => Object.fromEntries([...document.querySelectorAll('[data-picker] button')].map(key => {
    const {x, y, width, height} = key.getBoundingClientRect();
    const {rank, suit} = key.dataset;
    const other = {joker: '*', clear: 'clear', next: 'next', takeBack: 'back'};
    const name = rank || suit || other[Object.keys(other).find(each => each in key.dataset)];
    return [name, [x + width / 2, y + height / 2]];
}))"""


class Keys:
    """The keys of the referee's page, tapped where they lie."""

    def __init__(self, page, address):
        self.page = page
        page.goto(address)
        page.locator("[data-picker]").wait_for()
        self.centres = page.evaluate(CENTRES)

    def tap(self, *keys):
        for key in keys:
            self.page.touchscreen.tap(*self.centres[key])

    def type(self, text):
        """Keys as people write them: ``K ♠ ♥ ★``."""
        self.tap(*(SIGNS.get(key, key) for key in text.split()))

    def go_to(self, field):
        """Tap a field, beside its cards."""
        fan = self.page.locator(f"[data-slot]:has(#{field}) [data-fan]")
        fan.evaluate("each => each.scrollIntoView({block: 'center'})")
        box = at_rest(fan)
        self.page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + 8)

    def holds(self, field="cards"):
        return self.page.locator(f"#{field}").input_value()

    @property
    def waiting(self):
        """What is held in the field, as it is read there."""
        return self.page.locator(".pcard-held").all_inner_texts()


@pytest.mark.parametrize("tab", some(TABS, "turn"))
def test_the_keys_lay_cards_in_every_field(page, tab):
    address, fields = TABS[tab]
    keys = Keys(page, address)
    for field in fields:
        if len(fields) > 1:
            keys.go_to(field)
        keys.type("7 8 9 ♥ K ♠ ★ ♦")
        assert keys.holds(field) == "7H 8H 9H KS * KD"
        if len(fields) > 1:
            page.locator(f"#{field}").evaluate(EMPTIED)


# ---- As people type


def test_natural_taps(page):
    keys = Keys(page, "/check")
    for typed, cards in (
        ("K ♠ ♥ ♦ 7 8 9 ♥ ♣ 2 4", "KS KH KD 7H 8H 9H 2C 4C"),
        ("♥ 7 8 9 10 ★ ♠ ♥ 5", "7H 8H 9H 10H * 5H"),
    ):
        keys.type(typed)
        assert keys.holds() == cards
        keys.tap("clear")
        assert keys.holds() == ""


def test_what_is_held_shows_in_the_field_until_it_is_cleared_or_taken_back(page):
    keys = Keys(page, "/check")
    keys.type("K")
    assert keys.waiting == ["K _"]
    keys.type("♠")
    assert keys.waiting == ["K _"]
    keys.tap("clear")
    keys.type("♥")
    assert keys.waiting == ["_ ♥"]
    keys.type("K")
    keys.tap("clear")
    assert keys.waiting == []
    keys.type("K ♠ ♥ Q")
    keys.tap("back")
    assert keys.holds() == "KS KH"
    assert keys.waiting == []
    keys.tap("back")
    assert keys.holds() == "KS"


def test_backspace_in_the_field_keeps_the_suit(page):
    keys = Keys(page, "/check?check=opening")
    keys.type("♥ 7 8")
    page.locator("#meld-1").focus()
    for _ in range(3):
        page.keyboard.press("Backspace")
    assert keys.waiting == ["_ ♥"]
    keys.type("9")
    assert keys.holds("meld-1") == "7H 9H"


def test_another_field_holds_nothing_over(page):
    keys = Keys(page, "/check?check=joker")
    keys.type("8 ♠ 8 ♥ ★")
    keys.go_to("give")
    assert keys.waiting == []
    keys.type("8 ♦")
    assert keys.holds("on") == "8S 8H *"
    assert keys.holds("give") == "8D"
    keys.go_to("on")
    keys.type("♣ 8")
    assert keys.holds("on") == "8S 8H * 8C"


def test_another_claim_about_the_same_cards_holds_nothing_over(page):
    keys = Keys(page, "/check?check=build")
    keys.type("♥ 7")
    page.get_by_text("Takes the joker", exact=True).tap()
    page.wait_for_url("**check=joker*")
    page.locator("[data-fan] .pcard").wait_for()
    assert page.locator("[data-picker] [aria-pressed=true]").count() == 0
    keys.type("9 ♠")
    assert keys.holds("on") == "7H 9S"


def test_a_joker_held_up_is_named_in_any_order_and_the_next_card_begins_anew(page):
    for named in ("6 ♥", "♥ 6"):
        keys = Keys(page, "/check?cards=7H 8H *")
        keys.type("♥ 9")
        page.locator("[data-fan]").get_by_role("button", name="joker").tap()
        keys.type(named)
        assert keys.holds() == "7H 8H *=6H 9H"
        keys.type("♥ 10")
        assert keys.holds() == "7H 8H *=6H 9H 10H"


def test_the_keys_lay_in_the_step_whose_doing_was_chosen_last(page):
    keys = Keys(page, "/check?check=turn&hand=KH KD 5S 6S 7S")
    keys.go_to("cards-1")
    keys.type("K ♠")
    page.locator("#do-2").select_option("meld")
    page.locator("#do-2").focus()
    keys.type("K ♠ ♥ ♦")
    assert keys.holds("cards-1") == "KS"
    assert keys.holds("cards-2") == "KS KH KD"


def test_cards_typed_with_a_keyboard_are_read_as_ever(page):
    keys = Keys(page, "/check")
    keys.type("K")
    page.locator("#cards").focus()
    page.keyboard.type("k♠, kh TD jk=1s joker xx K ared")
    assert keys.waiting == ["K _"]  # still without its suit
    assert page.locator("[data-fan] .pcard").count() == 5
    assert page.locator("[data-fan] .unread").all_inner_texts() == ["xx", "K", "Ared"]
    keys.type("Q ♣")
    assert keys.holds() == "KS KH 10D *=AS * xx K Ared KC QC"


# ---- Nothing is red before three cards lie


# ---- The ranks of cards left in a hand


def test_a_player_counts_their_own_cards_with_the_same_keys(begin):
    page = begin(variant="jamaican").seated(2, path="/count")
    for card in ("Ared", "10", "*", "Ablack", "K", "Ared"):
        page.locator(f".keypad-cards [data-key='card {card}']").tap()
    expect(page.locator("#left-2")).to_have_value("Ared 10 * Ablack K Ared")
    # 1 + 10 + 50 + 15 + 10 + 1
    expect(page.locator(".loser-counted")).to_have_text("87")
