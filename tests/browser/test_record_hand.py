"""Recording a hand on a phone: the taps it takes, what the keypad refuses, and that nothing typed is ever lost."""

import json
import urllib.request
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.barriers import barriers

pytestmark = pytest.mark.browser

FOUR = ("Ann", "Ben", "Cat", "Dan")
SMALL = """() => [...document.querySelectorAll('main a, main button, main input, main label.choice')]
    .filter(each => each.offsetParent && !each.closest('label') && !each.matches('.visually-hidden, [tabindex="-1"]'))
    .map(each => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([each]) => each)"""
KEYS = """() => [...document.querySelectorAll('[data-keypad] > :not([hidden]) button')].map(key => {
    const {x, y, width, height} = key.getBoundingClientRect();
    return [key.dataset.key, ...[x, y, width, height].map(Math.round)].join();
})"""
NO_STORAGE = """Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden') }})"""


def call(server, path, body, secret=""):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    request = urllib.request.Request(f"{server.url}/api/v1{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def hand(winner, ending="going_out", **left):
    written = {seat[1:]: held if isinstance(held, str) else {"points": held} for seat, held in left.items()}
    return {"kind": "hand", "winner": winner, "ending": ending, "left": written}


class Phone:
    """The scorer's phone on one game; it counts its taps."""

    def __init__(self, page, server, variant="european", players=FOUR):
        self.page, self.server = page, server
        start = {"variant": variant, "players": list(players), "submission": str(uuid4())}
        made = call(server, "/games", start)
        self.code, self.secret = made["code"], made["scorer"]
        self.taps = 0
        page.request.get(f"/g/{self.code}/s/{self.secret}")

    def record(self, *events):
        """Entries from elsewhere."""
        for event in events:
            body = {"seen": self.state["seen"], "submission": str(uuid4()), "event": event}
            call(self.server, f"/games/{self.code}/entries", body, self.secret)

    @property
    def state(self):
        with urllib.request.urlopen(f"{self.server.url}/api/v1/games/{self.code}", timeout=10) as answer:
            return json.load(answer)

    @property
    def totals(self):
        return [player["total"] for player in self.state["players"]]

    def open(self, path="/hand"):
        self.page.goto(f"/g/{self.code}{path}")
        self.taps = 0

    def tap(self, place):
        place.tap()
        self.taps += 1

    def won(self, name):
        self.tap(self.page.locator(".winner .choice", has_text=name))

    def key(self, key):
        return self.page.locator(f"[data-keypad] > :not([hidden]) [data-key='{key}']")

    def press(self, *keys):
        for key in keys:
            self.tap(self.key(key))

    def cards(self, *cards):
        self.press(*(f"card {card}" for card in cards))

    def keys(self):
        """Every key that shows, with its place and size."""
        return tuple(self.page.evaluate(KEYS))

    def save(self):
        self.tap(self.page.locator("[data-save]"))

    def saved(self):
        self.page.wait_for_url(f"**/g/{self.code}")

    @property
    def preview(self):
        return self.page.locator("[data-outlook]")

    def points(self, seat):
        return self.page.locator(f"#points-{seat}")


@pytest.fixture
def phone(page, server):
    return Phone(page, server)


def two_digit_sums(phone):
    """Ann wins; Ben 28, Cat 35, Dan 47: each jumps on by itself, as no hand counts 280, 350 or more."""
    phone.won("Ann")
    phone.press(*"28", *"35", *"47")


# ---- Taps


def test_three_two_digit_sums_take_eight_taps(phone):
    phone.open()
    two_digit_sums(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]
    assert phone.taps <= 8


def test_cards_take_one_tap_each_and_four_more(phone):
    phone.record(hand(1, s2="K", s3="5", s4="2"))  # a table that counts by cards finds the cards first
    phone.open()
    phone.won("Ann")
    phone.cards("K", "10", "5")
    phone.press("next")
    phone.cards("A", "*")
    phone.press("next")
    phone.cards("2", "3", "Q", "J")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 10 + 25, 5 + 26, 2 + 25]
    assert phone.taps <= 2 + 9 + 2


def test_five_cards_each_take_nineteen_taps_with_the_preview_in_sight(phone):
    phone.record(hand(1, s2="K", s3="5", s4="2"))
    phone.open()
    phone.won("Ann")
    phone.cards("K", "K", "9", "5", "2")
    phone.press("next")
    phone.cards("Q", "8", "7", "7", "3")
    phone.press("next")
    phone.cards("J", "J", "6", "4", "2")
    expect(phone.preview).to_contain_text("2 + 32 = 34")
    expect(phone.preview).to_be_in_viewport()
    phone.save()
    phone.saved()
    assert phone.taps == 19
    # 10 + 10 + 9 + 5 + 2, 10 + 8 + 7 + 7 + 3, 10 + 10 + 6 + 4 + 2
    assert phone.totals == [0, 10 + 36, 5 + 35, 2 + 32]


def test_a_correction_takes_three_taps_and_its_digits(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("")
    phone.tap(phone.page.locator(".hand-link", has_text="1"))
    phone.tap(phone.points(3))
    phone.press(*"36")
    phone.save()
    phone.saved()
    assert phone.taps == 3 + 2
    assert phone.totals == [0, 28, 36, 47]


def test_calls_are_asked_before_the_row_is_left_and_cost_no_tap(page, server):
    phone = Phone(page, server, "jamaican", ("Ann", "Ben", "Cat"))
    phone.open()
    phone.won("Ann")
    phone.press(*"28")
    more = page.get_by_role("button", name="Ben: one call more")
    for _ in range(4):
        more.tap()
    phone.press(*"35")  # typed on: Cat has not called
    expect(phone.preview).to_contain_text("Cat")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28 + 50, 35]  # the fourth call costs 50


def middle(place):
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "on its side"])
@pytest.mark.parametrize("is_corrected", [False, True], ids=["recorded", "corrected"])
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
            phone.tap(phone.points(seat))
            page.wait_for_timeout(300)
        for digit in digits:
            page.touchscreen.tap(*middle(phone.key(digit)))
        more = middle(page.locator(f"[data-seat='{seat}'] [data-step='1']"))
        for _ in range(4):
            page.wait_for_timeout(300)  # in which the preview is asked for and comes
            page.touchscreen.tap(*more)
    assert [page.locator(f"#calls-{seat}").input_value() for seat in (1, 2, 3, 4)] == ["", "4", "4", "4"]
    expect(phone.preview).to_contain_text("= 17 + calls 50")  # for the fourth


def test_one_hand_shown_by_its_cards_changes_the_keypad_for_nobody_else(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28", "mode")
    phone.cards("K", "5")
    phone.press("next", "mode", *"47")
    phone.save()
    phone.saved()
    phone.open()
    phone.won("Ann")
    phone.press(*"28", *"35", *"47")
    expect(phone.preview).to_contain_text("28 + 28 = 56")


@pytest.mark.parametrize("variant", ["european", "jamaican", "north-american"])
def test_every_key_lies_where_it_lay_in_every_hand_and_every_row(page, server, variant):
    phone = Phone(page, server, variant)
    places = set()
    for _ in range(4):
        phone.open()
        phone.won("Ann")
        for digit in "30303":
            places.add(phone.keys())
            phone.press(digit)
        places.add(phone.keys())
        phone.press("0")
        expect(phone.preview).to_contain_text("Dan")
        phone.tap(phone.points(4))  # back to a row, with the preview in sight
        places.add(phone.keys())
        phone.save()
        phone.saved()
    assert len(places) == 1


def test_the_keys_for_cards_stay_when_the_preview_comes(phone):
    phone.open()
    phone.won("Ann")
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
    held = []
    phone.page.route("**/hand.js*", lambda route: held.append(route))  # noqa: PLW0108 - a method cannot be marked
    phone.page.goto(f"/g/{phone.code}/hand", wait_until="commit")
    phone.won("Ann")
    held[0].continue_()
    phone.press(*"28")
    expect(phone.points(2)).to_have_value("28")


# ---- Digits


@pytest.mark.parametrize("width", [320, 360])
def test_three_digits_are_seen_whole(phone, width):
    phone.page.set_viewport_size({"width": width, "height": 740})
    phone.open()
    phone.won("Ann")
    phone.press("1", "0", "8")
    assert phone.points(2).evaluate("each => each.scrollWidth <= each.clientWidth")


def test_next_goes_on_after_one_digit(phone):
    phone.open()
    phone.won("Ann")
    phone.press("7", "next")
    expect(phone.points(2)).to_have_value("7")
    expect(phone.points(3)).to_be_focused()


def test_a_digit_more_can_be_added_later_and_taken_back(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28")
    phone.tap(phone.points(2))
    phone.press("back", "9")
    expect(phone.points(2)).to_have_value("29")


def test_a_sum_no_cards_make_is_warned_about_and_may_be_saved(phone):
    phone.open()
    phone.won("Ann")
    phone.press("1", "next", *"35", *"47")
    expect(phone.page.locator(".loser-warning")).to_have_text("⚠ No hand counts exactly 1.")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 1, 35, 47]


def test_the_winner_leaves_the_list_and_can_be_changed(phone):
    phone.open()
    phone.won("Ann")
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
    phone.open()
    phone.won("Ann")
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
    phone.open()
    phone.won("Ann")
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
    expect(row.locator(".loser-tally")).to_have_text("×3")
    field = page.locator("#cards-2")
    expect(field).to_have_css("color", "rgba(0, 0, 0, 0)")
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type(" QH")
    expect(field).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    phone.tap(phone.points(3))
    expect(row.locator(".loser-shown")).to_have_text("A♠♣ A♥♦ K Q♥")


def test_the_first_hand_is_led_by_the_words_on_the_keys_in_sight(phone):
    phone.open()
    phone.won("Ann")
    by_sum, by_cards = (phone.page.locator(".led > *", has_text=said) for said in ("touch Cards", "or 123"))
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
    phone.open()
    phone.won("Ann")
    phone.tap(phone.page.locator(".ending .choice", has_text="nothing laid before"))
    # Ann and her total, which is hidden; Kalooki and what it is
    assert phone.page.evaluate(TICKS) == [['"✓ "', "none"], ['"✓ "', "none"]]


def test_one_card_of_a_kind_is_taken_back_by_its_own_button(phone):
    phone.open()
    phone.won("Ann")
    phone.press("mode")
    phone.cards("K", "5", "K")
    phone.tap(phone.page.get_by_label("take back one king"))
    expect(phone.page.locator("#cards-2")).to_have_value("K 5")
    expect(phone.page.locator("[data-seat='2'] .loser-counted")).to_have_text("15")


def test_a_key_is_named_with_what_was_picked(phone):
    phone.open()
    phone.won("Ann")
    phone.press("mode")
    phone.cards("K", "K")
    expect(phone.page.get_by_role("button", name="king, 2", exact=True)).to_be_visible()
    expect(phone.page.get_by_role("button", name="joker", exact=True)).to_be_visible()


def test_cards_and_a_sum_that_differ_are_pointed_out(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28")
    phone.tap(phone.points(2))
    phone.press("mode")
    phone.cards("K", "5")
    expect(phone.page.locator(".loser-warning")).to_contain_text(
        "⚠ The cards count 15, the sum says 28. The cards are taken."
    )


def test_who_has_not_opened_holds_a_full_hand(phone):
    phone.open()
    phone.won("Ann")
    phone.press("mode", "full")
    expect(phone.page.locator(".key-full")).to_have_text("Full hand (13)")
    expect(phone.page.locator(".loser.is-active [data-notes]")).to_have_text("0 of 13 cards.")
    expect(phone.page.locator(".loser-warning")).to_have_count(0)
    phone.cards("K", "5")
    expect(phone.page.locator(".loser-warning")).to_have_text("⚠ 2 of 13 cards.")
    phone.cards("2", "2", "3", "3", "4", "4", "6", "6", "7", "7", "8")
    expect(phone.page.locator(".loser-warning")).to_have_count(0)


# ---- The preview


def test_the_preview_stands_by_save_and_says_who_goes_out(phone):
    phone.record(hand(1, s2=130, s3=20, s4=30))
    phone.open()
    two_digit_sums(phone)
    expect(phone.preview).to_contain_text("130 + 28 = 158")
    expect(phone.preview).to_contain_text("out – may buy in at 77 for 0.50 EUR")
    expect(phone.preview).to_contain_text("Ben, Cat and Dan each pay Ann 0.10 EUR.")
    assert phone.preview.bounding_box()["y"] > phone.points(4).bounding_box()["y"]
    expect(phone.preview).to_be_in_viewport()


def test_what_saving_does_is_marked_as_outdated_until_it_is_about_what_is_typed(phone):
    """On a slow line the sums of a moment ago would be read out as if they were the ones to be saved."""
    phone.open()
    two_digit_sums(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    held = []
    phone.page.route("**/hand/preview", lambda route: held.append(route))  # noqa: PLW0108 - a method cannot be marked
    with phone.page.expect_request("**/hand/preview"):
        phone.page.locator(".ending .choice", has_text="Kalooki").tap()
    expect(phone.preview).to_have_attribute("aria-busy", "true")
    held.pop().continue_()
    expect(phone.preview).not_to_have_attribute("aria-busy", "true")
    expect(phone.preview).to_contain_text("0.20")


def test_a_hand_not_complete_is_not_saved_but_led_to_what_is_missing(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28")
    phone.save()
    expect(phone.points(3)).to_be_focused()
    assert phone.state["seen"] == 1


def test_a_recorded_hand_is_corrected_with_the_same_keypad(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("/correct/2")
    phone.tap(phone.points(3))
    phone.press("back", "6")
    expect(phone.preview).to_contain_text("35 → 36")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28, 36, 47]


def test_the_first_digit_in_a_row_begins_a_new_sum(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("/correct/2")
    phone.tap(phone.points(3))
    phone.press("4")
    expect(phone.points(3)).to_have_value("4")
    phone.press("0")
    expect(phone.preview).to_contain_text("35 → 40")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28, 40, 47]


def test_a_sum_left_on_the_way_is_begun_anew_when_its_row_is_tapped_again(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"12", *"35")
    phone.tap(phone.points(2))
    phone.press("7", "next", *"47")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 7, 35, 47]


def test_it_can_all_be_done_with_a_keyboard(phone):
    phone.open()
    phone.page.get_by_role("radio", name="Ann").focus()
    phone.page.keyboard.press("Space")
    phone.page.keyboard.type("28")
    phone.page.keyboard.type("7")
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.type("47")
    expect(phone.points(4)).to_be_focused()  # which a third digit could lengthen
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("[data-save]")).to_be_focused()
    phone.page.keyboard.press("Enter")
    phone.saved()
    assert phone.totals == [0, 28, 7, 47]


def test_arrows_go_through_the_names_and_enter_chooses(phone):
    phone.open()
    phone.page.get_by_role("radio", name="Ann").focus()
    phone.page.keyboard.press("ArrowDown")
    phone.page.keyboard.press("ArrowDown")
    expect(phone.page.get_by_role("radio", name="Cat")).to_be_focused()
    phone.page.keyboard.press("Enter")
    expect(phone.points(1)).to_be_focused()


def test_a_notice_never_pushes_the_row_being_typed(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28")
    before = phone.points(3).bounding_box()["y"]
    phone.record({"kind": "penalty", "seat": 2, "points": 5, "reason": "talking"})
    notice = phone.page.locator("[data-arriving]")
    expect(notice).to_contain_text("Somebody recorded meanwhile")
    assert phone.points(3).bounding_box()["y"] == before
    shown = notice.bounding_box()
    assert shown["y"] + shown["height"] <= before


# ---- Nothing is lost


def test_what_is_typed_outlives_reload_back_and_a_closed_tab(phone):
    phone.open()
    phone.won("Ben")
    phone.press(*"28", "3")
    phone.page.reload()
    expect(phone.points(1)).to_have_value("28")
    expect(phone.points(3)).to_have_value("3")
    phone.page.goto(f"/g/{phone.code}")
    phone.page.go_back()
    expect(phone.points(1)).to_have_value("28")
    tab = phone.page.context.new_page()
    phone.page.close()
    tab.goto(f"/g/{phone.code}/hand")
    expect(tab.locator("#points-3")).to_have_value("3")
    expect(tab.locator("#winner-1")).to_be_checked()


def test_after_saving_the_next_hand_starts_empty(phone):
    phone.open()
    two_digit_sums(phone)
    phone.save()
    phone.saved()
    phone.open()
    expect(phone.page.locator("input[name=winner]:checked")).to_have_count(0)
    expect(phone.points(2)).to_have_value("")


def test_saved_without_a_network_it_is_sent_later_by_itself(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.context.set_offline(True)
    phone.save()
    expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet – will be sent")
    assert phone.state["seen"] == 1
    phone.page.context.set_offline(False)
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]


def test_what_waits_is_sent_from_the_game_page_too(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.route("**/hand", lambda route: route.abort())
    phone.save()
    expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet – will be sent")
    phone.page.unroute("**/hand")
    with phone.page.expect_response(lambda answer: answer.request.method == "POST"):
        phone.page.goto(f"/g/{phone.code}")
    expect(phone.page.locator(".score-table")).to_contain_text("+47")
    assert phone.totals == [0, 28, 35, 47]


def test_what_waited_too_long_is_shown_to_people(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.route("**/hand", lambda route: route.abort())
    phone.save()
    expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet – will be sent")
    phone.record(hand(2, s1=5, s3=6, s4=7))
    phone.page.unroute("**/hand")
    phone.page.goto(f"/g/{phone.code}")
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("A hand recorded on this phone could not be saved.")
    phone.tap(note.get_by_role("link", name="Look at it"))
    phone.tap(phone.page.get_by_role("button", name="It is another hand: save it as hand 2"))
    phone.saved()
    assert phone.totals == [5, 28, 41, 54]


def test_a_lost_answer_does_not_record_the_hand_twice(phone):
    sent = []

    def lose_the_first_answer(route):
        sent.append(route.request.post_data)
        if len(sent) > 1:
            return route.continue_()
        route.fetch(max_redirects=0)
        return route.abort()

    phone.open()
    two_digit_sums(phone)
    phone.page.route("**/hand", lose_the_first_answer)
    phone.save()
    phone.saved()
    assert sent[0] == sent[1]
    assert phone.state["seen"] == 2
    assert phone.totals == [0, 28, 35, 47]


def test_what_waits_can_be_changed_before_it_is_sent(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.context.set_offline(True)
    phone.save()
    phone.tap(phone.page.get_by_role("button", name="Change it"))
    phone.tap(phone.points(4))
    phone.press("back", "8")
    phone.page.context.set_offline(False)
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28, 35, 48]


def test_several_hands_wait_and_are_sent_in_order(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.context.set_offline(True)
    phone.save()
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("Not saved yet – will be sent")
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Ben")
    phone.press(*"15", *"26", *"38")
    phone.save()
    expect(note).to_contain_text("2 hands are not saved yet")
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Cat")
    phone.press(*"12")  # a third one, only begun
    phone.page.context.set_offline(False)
    phone.page.wait_for_url(f"**/g/{phone.code}/hand")
    expect(phone.page.get_by_role("heading", name="Hand 3")).to_be_attached()
    expect(phone.points(1)).to_have_value("12")
    # Ann 15, Ben 28, Cat 35 + 26, Dan 47 + 38
    assert phone.totals == [15, 28, 61, 85]
    assert phone.state["seen"] == 3
    phone.press(*"29", *"34")
    phone.save()
    phone.saved()
    assert phone.totals == [27, 57, 61, 119]


def test_the_first_of_several_is_asked_about_and_none_is_lost(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.route("**/hand", lambda route: route.abort())
    phone.save()
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Ben")
    phone.press(*"15", *"26")
    phone.record(hand(4, s1=5, s2=6, s3=7))  # somebody else's, meanwhile
    phone.page.unroute("**/hand")
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("could not be saved")
    phone.tap(note.get_by_role("button", name="Look at it"))
    phone.tap(phone.page.get_by_role("button", name="It is another hand: save it as hand 2"))
    phone.saved()
    assert phone.totals == [5, 34, 42, 47]
    phone.open()
    expect(phone.page.get_by_role("row", name="Ann")).to_contain_text("15")
    expect(phone.page.get_by_role("row", name="Cat")).to_contain_text("26")


def test_without_a_worker_nobody_leaves_for_the_browsers_error_unawares(phone):
    phone.open()
    two_digit_sums(phone)
    phone.page.context.set_offline(True)
    phone.save()
    phone.page.get_by_role("button", name="Change it").wait_for()
    phone.tap(phone.page.get_by_role("link", name="Game"))
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("Stay here until it is sent")
    expect(note).to_contain_text("Change it")
    assert phone.page.url.endswith("/hand")
    phone.page.context.set_offline(False)
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]


def test_a_server_started_again_between_two_taps_goes_unnoticed(phone):
    phone.open()
    phone.won("Ann")
    phone.press(*"28", *"35")
    phone.server.kill()
    phone.press(*"47")
    phone.save()
    expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet – will be sent")
    phone.server.start()
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]


def test_a_filled_hand_is_cleared_with_one_tap_and_brought_back_with_another(phone):
    phone.open()
    expect(phone.page.locator("[data-clear]")).to_be_hidden()
    two_digit_sums(phone)
    phone.tap(phone.page.get_by_role("link", name="Clear"))
    expect(phone.page.locator("input[name=winner]:checked")).to_have_count(0)
    expect(phone.points(2)).to_have_value("")
    phone.page.reload()
    expect(phone.points(2)).to_have_value("")
    two_digit_sums(phone)
    phone.tap(phone.page.get_by_role("link", name="Clear"))
    phone.tap(phone.page.get_by_role("button", name="Bring it back"))
    expect(phone.points(2)).to_have_value("28")
    phone.save()
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]


def test_without_storage_the_hand_is_saved_all_the_same(page, server):
    page.add_init_script(NO_STORAGE)
    phone = Phone(page, server)
    phone.open()
    two_digit_sums(phone)
    page.context.set_offline(True)
    phone.save()
    expect(page.locator("[data-outbox]")).to_contain_text("this phone cannot keep it")
    page.context.set_offline(False)
    phone.saved()
    assert phone.totals == [0, 28, 35, 47]


# ---- Under a thumb


@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 740), (740, 360), (1280, 800)])
@pytest.mark.parametrize("mode", ["points", "cards"])
def test_everything_can_be_hit_and_nothing_scrolls_sideways(phone, width, height, mode):
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.open()
    assert phone.page.evaluate(SMALL) == []
    phone.won("Ann")
    if mode == "cards":
        phone.press("mode")
        phone.cards("K", "K", "5")
    assert phone.page.evaluate(SMALL) == []
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("height", [640, 740])
def test_the_last_row_is_seen_above_the_keypad(page, server, height):
    phone = Phone(page, server, "north-american", (*FOUR, "Evelyn", "Fay"))
    page.set_viewport_size({"width": 320, "height": height})
    phone.open()
    phone.won("Ann")
    for _ in range(4):
        phone.press("7", "next")
    expect(phone.points(6)).to_be_focused()
    row, dock = page.locator("[data-seat='6']").bounding_box(), page.locator(".dock").bounding_box()
    assert row["y"] >= 0
    assert row["y"] + row["height"] <= dock["y"] + 1


def test_no_key_brings_up_the_phones_own_keyboard(phone):
    phone.open()
    phone.won("Ann")
    modes = phone.page.evaluate("() => [...document.querySelectorAll('.loser .input')].map(each => each.inputMode)")
    assert set(modes) == {"none"}


def test_no_barrier_for_screen_readers_and_keyboards(phone):
    phone.record(hand(1, s2=28, s3="K", s4=140), hand(1, s2=2, s3=3, s4=20))
    states = {
        "game": lambda: phone.open(""),
        "offer": lambda: phone.open("/hand"),
        "winner": lambda: phone.open("/hand?lapse=1"),
        "digits": lambda: phone.won("Ann"),
        "cards": lambda: (phone.press("mode"), phone.cards("K", "K"), phone.press("full")),
        "complete": lambda: (phone.press("next"), phone.cards("5"), phone.preview.get_by_text("Ben").first.wait_for()),
        "correct": lambda: phone.open("/correct/2"),
        "undo": lambda: phone.open("/undo/2"),
        "void": lambda: phone.open("/void"),
    }
    found = {}
    for name, reach in states.items():
        reach()
        found |= {f"{name}, {theme_and_rule}": html for theme_and_rule, html in barriers(phone.page).items()}
    assert found == {}


def test_letters_twice_their_size_fit(phone):
    phone.page.context.new_cdp_session(phone.page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    phone.open()
    two_digit_sums(phone)
    expect(phone.preview).to_contain_text("0 + 47 = 47")
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("path", "most"), [("", 40_000), ("/hand", 45_000)])
def test_a_page_is_light(browser, server, phone, path, most):
    context = browser.new_context(base_url=server.url)
    context.new_page().goto(f"/g/{phone.code}/s/{phone.secret}")
    fresh = browser.new_context(base_url=server.url, storage_state=context.storage_state()).new_page()
    requests = {}
    fresh.on("requestfinished", lambda request: requests.setdefault(request.url, request))
    fresh.goto(f"/g/{phone.code}{path}", wait_until="load")
    fresh.wait_for_timeout(500)
    weight = sum(request.sizes()["responseBodySize"] for request in requests.values())
    assert 5_000 < weight < most


@pytest.mark.parametrize("width", [320, 360, 430, 1280])
def test_an_ordinary_long_name_stays_in_one_line(page, server, width):
    names = ("Bartholomew", "Maximilian", "Wilhelmina", "Charlotte", "Ann")
    phone = Phone(page, server, players=names)
    page.set_viewport_size({"width": width, "height": 740})
    phone.open()
    tiles = page.locator(".winner .choice-text > span")
    assert max(box["height"] for box in (tile.bounding_box() for tile in tiles.all())) < 30
    phone.won("Ann")
    if width > 320:
        assert page.locator(".loser-name").first.bounding_box()["height"] < 42  # the name and the total
