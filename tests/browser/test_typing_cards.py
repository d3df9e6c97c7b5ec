"""Cards typed with the keys, in every order people use: exactly the cards typed lie in the field."""

import random

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Table
from tests.browser.thumb import Phone

pytestmark = pytest.mark.browser

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "★": "*"}
LISTS = 6  # of each order in each place

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
    const name = rank || suit || ('joker' in key.dataset ? '*' : 'clear' in key.dataset ? 'clear' : 'back');
    return [name, [x + width / 2, y + height / 2]];
}))"""

KEYPAD = """() => Object.fromEntries([...document.querySelectorAll('.keypad-cards [data-key]')].map(key => {
    const {x, y, width, height} = key.getBoundingClientRect();
    return [key.dataset.key, [x + width / 2, y + height / 2]];
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


def at_rest(place):
    """Where something is once the page no longer scrolls: nobody can tap what is moving."""
    before = None
    while (box := place.bounding_box()) != before:
        before = box
        place.page.wait_for_timeout(60)
    return box


# ---- More than a hundred lists of cards, in the four orders people type


def a_list(chance):
    """Cards as they come: runs, sets and loose cards, some twice, jokers anywhere."""
    cards = []
    for _ in range(chance.randint(1, 3)):
        rank, suit = chance.choice(RANKS), chance.choice(SUITS)
        kind = chance.choice(("set", "run", "loose"))
        if kind == "set":
            cards += [rank + each for each in chance.choices(SUITS, k=chance.randint(2, 4))]
        elif kind == "run":
            low = chance.randrange(len(RANKS) - 3)
            cards += [each + suit for each in RANKS[low : low + chance.randint(2, 4)]]
        else:
            cards.append(rank + suit)
    for _ in range(chance.choice((0, 0, 1, 2))):
        cards.insert(chance.randint(0, len(cards)), "*")
    return cards


def each_whole(cards, rank_first):
    """Rank and suit of every card."""
    keys = []
    for card in cards:
        whole = [card[:-1], card[-1]] if rank_first else [card[-1], card[:-1]]
        keys += ["*"] if card == "*" else whole
    return keys


def said_once(cards, rank_first):
    """The rank, or the suit, only where it is another one than that of the card before."""
    keys, last = [], None
    for card in cards:
        if card == "*":
            keys.append("*")
            continue
        stays, goes = (card[:-1], card[-1]) if rank_first else (card[-1], card[:-1])
        keys += [goes] if stays == last else [stays, goes]
        last = stays
    return keys


ORDERS = {
    "rank then suit": lambda cards: each_whole(cards, rank_first=True),
    "suit then rank": lambda cards: each_whole(cards, rank_first=False),
    "a rank once": lambda cards: said_once(cards, rank_first=True),
    "a suit once": lambda cards: said_once(cards, rank_first=False),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("tab", TABS)
def test_every_order_gives_exactly_the_cards_typed(page, tab, order):
    address, fields = TABS[tab]
    keys = Keys(page, address)
    chance = random.Random(f"{tab}, {order}")
    for number in range(LISTS):
        field = fields[number % len(fields)]
        if len(fields) > 1:
            keys.go_to(field)
        cards = a_list(chance)
        keys.tap(*ORDERS[order](cards))
        assert keys.holds(field) == " ".join(cards)
        if chance.random() < 0.5 or len(fields) == 1:
            keys.tap("clear")
        else:
            page.locator(f"#{field}").evaluate(EMPTIED)


# ---- As people type


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("K ♠ K ♥ K ♦", "KS KH KD"),
        ("♠ K ♥ K ♦ K", "KS KH KD"),
        ("K ♠ ♥ ♦", "KS KH KD"),
        ("♥ 7 8 9", "7H 8H 9H"),
        ("7 ♠ 7 ♥ 7 ♣ 7 ♦", "7S 7H 7C 7D"),
        ("K ♠ K ♥ ★ K ♦", "KS KH * KD"),
        ("K ♠ ★ ♦", "KS * KD"),
        ("★ ♥ 7 8", "* 7H 8H"),
        ("9 ♣ ♣ 9 ♦", "9C 9C 9D"),
        ("K ♠ ♥ ♦ Q ♠", "KS KH KD QS"),
        ("♥ 7 8 9 ♠ 7", "7H 8H 9H 7S"),
        ("K K ♠ K K ♥", "KS KH"),
        ("K Q ♠", "KS QS"),
        ("7 8 9 ♥", "7H 8H 9H"),
        ("Q K A ♠ 2 ♠", "QS KS AS 2S"),
        ("K ♠ ♥ ♦ 7 8 9 ♥", "KS KH KD 7H 8H 9H"),
        ("K ♠ ♥ ♦ ♥ 7 8 9", "KS KH KD 7H 8H 9H"),
        ("♥ 7 8 9 K ♠ ♥ ♦", "7H 8H 9H KS KH KD"),
        ("K ♠ ♥ ♦ ♥ 7 8 9 ♣ 2 4", "KS KH KD 7H 8H 9H 2C 4C"),
        ("♥ 7 8 9 K ♠ ♥ ♦ Q ♣", "7H 8H 9H KS KH KD QC"),
        ("K ♠ ♥ ♦ ★ ♥ 7 ♥", "KS KH KD * KH 7H"),
        ("♠ K ♥ ♦ Q", "KS QD"),
        ("10 ♥ A ♥", "10H AH"),
    ],
)
def test_natural_taps(page, typed, cards):
    keys = Keys(page, "/check")
    keys.type(typed)
    assert keys.holds() == cards


def test_a_set_of_three_is_judged_right_in_every_order(page):
    for typed in ("K ♠ K ♥ K ♦", "♠ K ♥ K ♦ K", "K ♠ ♥ ♦"):
        keys = Keys(page, "/check")
        keys.type(typed)
        expect(page.locator("#verdict")).to_contain_text("30 points")
        expect(page.locator(".verdict-word")).to_have_text("LEGAL")


def test_what_is_held_shows_in_the_field(page):
    keys = Keys(page, "/check")
    keys.type("K")
    assert keys.waiting == ["K _"]
    keys.type("♠")
    assert keys.waiting == ["K _"]
    keys.tap("clear")
    keys.type("♥")
    assert keys.waiting == ["_ ♥"]


def test_clear_holds_nothing_over(page):
    keys = Keys(page, "/check")
    keys.type("K ♠")
    keys.tap("clear")
    assert keys.waiting == []
    keys.type("9 ♥")
    assert keys.holds() == "9H"


def test_take_back_takes_the_key_just_pressed_and_then_cards(page):
    keys = Keys(page, "/check")
    keys.type("K ♠ ♥ Q")
    keys.tap("back")
    assert keys.holds() == "KS KH"
    assert keys.waiting == []
    keys.tap("back")
    assert keys.holds() == "KS"
    keys.type("♦ Q")
    assert keys.holds() == "KS QD"
    keys.tap("back")
    assert keys.holds() == "KS"
    assert keys.waiting == []
    keys.type("9 ♥")
    assert keys.holds() == "KS 9H"


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


def test_another_tab_and_the_way_back_hold_nothing_over(page):
    keys = Keys(page, "/check")
    keys.type("♥ 7")
    page.get_by_role("link", name="Opening").tap()
    page.wait_for_url("**check=opening*")
    assert page.locator("[data-picker] [aria-pressed=true]").count() == 0
    page.go_back()
    page.locator("[data-fan] .pcard").wait_for()
    keys.type("9 ♠")
    assert keys.holds() == "7H 9S"


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
    assert keys.waiting == []
    assert page.locator("[data-fan] .pcard").count() == 5
    assert page.locator("[data-fan] .unread").all_inner_texts() == ["xx", "K", "Ared"]
    keys.type("Q ♣")
    assert keys.holds() == "KS KH 10D *=AS * xx K Ared QC"


# ---- Nothing is red before three cards lie


@pytest.mark.parametrize(("tab", "field"), [(tab, field) for tab, (_, fields) in TABS.items() for field in fields])
def test_no_verdict_falls_before_three_cards_lie(page, tab, field):
    keys = Keys(page, TABS[tab][0])
    if len(TABS[tab][1]) > 1:
        keys.go_to(field)
    keys.type("K")
    for suit in "♠♥":
        with page.expect_response("**/check?**"):
            keys.type(suit)
        page.wait_for_timeout(50)  # until the answer is shown
        assert page.locator(".verdict-word").inner_text() == "Not judged yet"


# ---- The ranks of cards left in a hand


@pytest.mark.parametrize("variant", ["european", "jamaican"])
def test_ranks_on_the_record_hand_page_are_those_tapped(page, server, variant):
    phone = Phone(page, server, variant, ("Ann", "Ben", "Cat", "Dan", "Eve"))
    chance = random.Random(variant)
    aces = ("Ared", "Ablack") * 4 if variant == "jamaican" else ("A",) * 8
    deck = (*aces, *RANKS[1:] * 8, "*", "*")
    phone.open()
    phone.won("Ann")
    phone.press("mode")
    for _ in range(12):
        dealt = chance.sample(deck, 24)
        for seat in (2, 3, 4, 5):
            page.locator(f"#cards-{seat}").focus()
            centres = page.evaluate(KEYPAD)
            for _ in page.locator(f"#cards-{seat}").input_value().split():
                page.touchscreen.tap(*centres["back"])
        written = {}
        for seat in (2, 3, 4, 5):
            page.locator(f"#cards-{seat}").focus()
            centres = page.evaluate(KEYPAD)
            written[seat], dealt = dealt[: chance.randint(1, 6)], dealt[6:]
            for card in written[seat]:
                page.touchscreen.tap(*centres[f"card {card}"])
        for seat, cards in written.items():
            assert page.locator(f"#cards-{seat}").input_value() == " ".join(cards)


def test_a_player_counts_their_own_cards_with_the_same_keys(browser, server):
    table = Table(browser, server, variant="jamaican")
    page = table.seated(2, path="/count")
    for card in ("Ared", "10", "*", "Ablack", "K", "Ared"):
        page.locator(f".keypad-cards [data-key='card {card}']").tap()
    expect(page.locator("#cards-2")).to_have_value("Ared 10 * Ablack K Ared")
    # 1 + 10 + 50 + 15 + 10 + 1
    expect(page.locator(".loser-counted")).to_have_text("87")
    table.close()
