"""A hand typed on a laptop: what is typed stays as it is and where it is; Enter goes on, and saves what was told."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone_pool import LAPTOP, lend, take_back
from tests.browser.phones import held_back, hold_clock
from tests.browser.scorer_phone import SETTLED, Phone
from tests.matrix import some
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser


class Laptop(Phone):
    """The scorer at a laptop: a mouse, a keyboard, and a numeric block."""

    def __init__(self, page, server, variant="european", players=FOUR, winner="Ann"):
        super().__init__(page, server, variant, players)
        self.open()
        if winner:
            self.click(".winner .choice", winner)

    def click(self, css, text=""):
        self.page.locator(css, has_text=text).first.click()

    def keys(self, *keys):
        """Keys by their names; anything longer than one sign that is no name is typed."""
        for key in keys:
            is_key = key.startswith(("Enter", "Numpad", "Tab", "Back", "Control", "Shift", "Arrow", "End"))
            self.page.keyboard.press(key) if is_key else self.page.keyboard.type(key)

    def typed(self, *seats):
        return [self.points(seat).input_value() for seat in seats or (2, 3, 4)]

    def saves_by(self, key):
        """Save once a key does so again; the totals then."""
        self.preview.evaluate(SETTLED)
        self.keys(key)
        return self.saved()

    @property
    def fault(self):
        """What the rows say that cannot be read."""
        return self.page.locator(".loser .error")


@pytest.fixture
def laptop(browser, server):
    """A function that begins a hand that Ann has won, or nobody yet."""
    lent = []

    def begin(*names, **more):
        lent.append(lend(browser, server, laptop=True))
        return Laptop(lent[-1], server, *names, **more)

    yield begin
    for page in lent:
        take_back(page.context)


def block(text):
    """The same sums on the numeric block."""
    named = {"+": "NumpadAdd", "\n": "NumpadEnter"}
    return [named.get(sign, f"Shift+Numpad{sign}") for sign in text]  # as Num Lock does


@pytest.mark.long
def test_a_sum_on_the_numeric_block_stays_in_its_row_and_is_added(laptop):
    ann = laptop()
    ann.keys(*block("15+20\n30\n10+7\n"))
    assert ann.typed() == ["15+20", "30", "10+7"]
    expect(ann.preview).to_contain_text("0 + 35 = 35")
    expect(ann.preview).to_contain_text("0 + 17 = 17")
    assert ann.saves_by("Control+Enter") == [0, 35, 30, 17]


def test_enter_saves_a_hand_only_once_what_it_does_is_told_and_leads_to_the_next(laptop):
    ann = laptop()
    ann.keys("23", "Enter", "17", "Enter", "3")
    expect(ann.preview).to_contain_text("0 + 3 = 3")  # slow keys are asked about one by one: all are answered
    told = held_back(ann.page, "**/preview")
    ann.keys("1", "Enter")
    expect(ann.page.locator(".dock")).to_be_focused()
    asked = told()
    ann.keys(*["Enter"] * 3, "Control+Enter")
    assert ann.state()["seen"] == 1
    asked.continue_()
    expect(ann.preview).to_contain_text("0 + 31 = 31")
    assert ann.saves_by("NumpadEnter") == [0, 23, 17, 31]
    expect(ann.page.get_by_role("link", name="Record hand 2")).to_be_focused()


def test_enter_goes_from_a_corrected_sum_to_the_next_row_filled_or_not(laptop):
    ann = laptop()
    ann.keys("23", "Enter", "17", "Enter")
    ann.points(2).click()
    ann.keys("24", "Enter")
    expect(ann.points(3)).to_be_focused()
    ann.keys("Enter", "31")
    assert ann.typed() == ["24", "17", "31"]


@pytest.mark.parametrize("key", some(["Enter", "Control+Enter"], "Enter"))
def test_a_key_that_bounces_opens_the_review_and_saves_nothing(browser, server, key):
    page = hold_clock(browser.new_context(base_url=server.url, **LAPTOP).new_page())
    ann = Laptop(page, server, winner="")
    # here the review is longer than the room beside the keys
    ann.page.set_viewport_size({"width": 360, "height": 440})
    ann.open()
    ann.click(".winner .choice", "Ann")
    ann.click("[data-show-keys]")
    ann.keys("23", "Enter", "17", "Enter", "31")
    ann.page.clock.run_for(1_000)
    expect(ann.preview).to_contain_text("0 + 31 = 31")
    expect(ann.preview).not_to_have_attribute("aria-busy", "true")
    ann.keys(key)
    expect(ann.page.locator(".dock")).to_be_focused()
    ann.page.clock.run_for(200)
    ann.keys(key)
    assert ann.state()["seen"] == 1
    ann.page.clock.run_for(300)
    ann.keys(key)
    assert ann.saved() == [0, 23, 17, 31]
    page.context.close()


@pytest.mark.long
def test_a_reason_in_the_review_opens_beside_the_hand_being_typed(laptop):
    ann = laptop()
    ann.keys("KH QD", "Enter", "17", "Enter", "160", "Enter")
    expect(ann.preview).to_contain_text("0 + 160 = 160")
    ann.preview.evaluate(SETTLED)
    with ann.page.expect_popup() as popup:
        ann.preview.get_by_role("link").first.press("Enter")
    assert "/rules" in popup.value.url
    assert ann.typed(3, 4) == ["17", "160"]


def test_what_cannot_be_read_stays_as_typed_and_is_named_in_its_row(laptop):
    ann = laptop()
    ann.keys("12.5", "Enter")
    expect(ann.fault).to_have_count(1)  # once it is left
    ann.keys("-50", "Enter", "4,5", "Enter")
    expect(ann.fault).to_have_text([f"“{text}” cannot be read. Write points such as 43, a sum such as 10+7, "
                                    "or cards such as K Q 7 or 4H 5S." for text in ann.typed()])  # fmt: skip
    assert ann.typed() == ["12.5", "-50", "4,5"]
    expect(ann.page.locator("[data-save][aria-disabled=true]")).to_be_visible()
    expect(ann.points(2)).to_be_focused()
    expect(ann.page.locator(".loser-warning").locator("visible=true")).to_have_count(0)  # each is told once
    ann.keys("12", "Enter", "50", "Enter", "4+5", "Enter")  # over what was chosen with the row, as fast as it goes
    assert ann.typed() == ["12", "50", "4+5"]
    expect(ann.fault).to_have_count(0)
    expect(ann.preview).to_contain_text("0 + 9 = 9")
    assert ann.saves_by("Control+Enter") == [0, 12, 50, 9]


def test_what_only_the_server_refuses_is_said_once_in_its_row_and_typed_over(laptop):
    ann = laptop()
    ann.keys("½", "Enter", "30", "Enter", "7", "Enter")
    expect(ann.page.get_by_text("“½” isn’t a card").locator("visible=true")).to_have_count(1)
    expect(ann.points(2)).to_be_focused()
    ann.page.locator("[data-save]").click(force=True)
    expect(ann.points(2)).to_be_focused()
    assert ann.typed() == ["½", "30", "7"]
    ann.keys("13", "Enter")
    expect(ann.preview).to_contain_text("0 + 13 = 13")
    assert ann.saves_by("Control+Enter") == [0, 13, 30, 7]


def test_what_is_pasted_is_read_as_it_is(laptop):
    ann = laptop()
    pasted = ["۴۳", "10 + 7", "K Q 7"]
    for text in pasted:
        ann.page.evaluate("text => document.execCommand('insertText', false, text)", text)
        ann.keys("Enter")
    assert ann.typed() == pasted
    expect(ann.preview).to_contain_text("0 + 27 = 27")
    assert ann.saves_by("Control+Enter") == [0, 43, 17, 27]


def test_points_typed_after_a_0_go_to_the_same_row(laptop):
    ann = laptop()
    ann.keys("0", "Enter")
    expect(ann.fault).to_have_text("Only the winner can score 0.")
    expect(ann.page.locator(".loser-warning")).to_have_count(0)
    ann.keys("8", "Enter", "0", "Enter", "4H 5S", "Enter", "31")
    assert ann.typed() == ["8", "4H 5S", "31"]
    expect(ann.fault).to_have_count(0)


# ---- Keys beside the fields


@pytest.mark.long
def test_enter_follows_a_link_and_opens_a_fold_of_the_form(laptop):
    ann = laptop()
    ann.page.locator("#hand-note summary").press("Enter")
    expect(ann.page.locator("#note")).to_be_visible()
    ann.click(".winner .choice", "Ann")
    ann.page.get_by_role("link", name="Redeal – nobody scores").press("Enter")
    ann.page.wait_for_url("**/void")


def test_control_enter_saves_wherever_the_focus_is(laptop):
    ann = laptop("european", ("Ann", "Ben"))
    ann.keys("28", "Enter")
    expect(ann.preview).to_contain_text("0 + 28 = 28")
    ann.page.evaluate("document.activeElement.blur()")
    assert ann.saves_by("Control+Enter") == [0, 28]


@pytest.mark.long
def test_rows_that_tab_passes_keep_what_they_hold(laptop):
    ann = laptop("jamaican")
    ann.keys("15", "Enter")
    while not ann.page.evaluate("document.activeElement.name === 'ending'"):
        ann.keys("Shift+Tab")
    ann.keys("8")
    assert ann.typed() == ["15", "8", ""]


def test_a_hand_opens_on_the_first_name_and_keys_choose_the_winner_and_go_on(laptop):
    """Enter goes on to the first points, and so does the first digit after Space or arrows."""
    ann = laptop(winner="")
    for keys, winner in (
        (["Enter"], "Ann"),
        ([" "], "Ann"),
        (["ArrowRight", "Enter"], "Ben"),
        (["ArrowRight", " "], "Ben"),
        (["ArrowDown", "ArrowDown"], "Cat"),
    ):
        ann.page.evaluate("localStorage.clear()")
        ann.open()
        expect(ann.page.get_by_role("radio", name="Ann")).to_be_focused()
        for key in keys:
            ann.keys(key)
            expect(ann.page.locator("[data-guide] > *").locator("visible=true")).to_have_count(1)
        ann.keys("7", "Enter", "35", "Enter", "47")
        expect(ann.page.get_by_role("radio", name=winner)).to_be_checked()
        assert ann.typed(*(seat for seat, name in enumerate(FOUR, 1) if name != winner)) == ["7", "35", "47"]


def test_a_cleared_hand_begins_with_the_names_again_and_a_correction_with_the_first_points(laptop):
    ann = laptop()
    expect(ann.page.get_by_text("type the points or the cards each is left with, such as K Q 7")).to_be_visible()
    ann.keys("28")
    ann.page.get_by_role("link", name="Clear").click()
    expect(ann.page.get_by_role("radio", name="Ann")).to_be_focused()
    ann.record(hand(1, s2=28, s3=35, s4=47))
    ann.open("/correct/2")
    expect(ann.points(2)).to_be_focused()


@pytest.mark.long
def test_space_on_the_winner_goes_to_the_ways_to_go_out(laptop):
    ann = laptop("jamaican", winner="")
    ending = ann.page.locator(".ending")
    for keys, chosen in (([" "], "going_out"), ([" ", "ArrowRight"], "bending")):
        ann.page.evaluate("localStorage.clear()")
        ann.open()
        expect(ann.page.get_by_role("radio", name="Ann")).to_be_focused()
        ann.keys(*keys)
        expect(ending.locator(f"[value={chosen}]")).to_be_focused()
        ann.keys("Enter", "15")
        expect(ending.locator(f"[value={chosen}]")).to_be_checked()
        assert ann.typed()[0] == "15"


@pytest.mark.long
def test_a_wrong_winner_is_changed_with_arrows(laptop):
    """What is chosen is taken by Enter, Space and the next digit."""
    ann = laptop()
    for chosen in (["Enter"], [" "], []):
        ann.page.evaluate("localStorage.clear()")
        ann.open()
        ann.click(".winner .choice", "Ann")
        ann.keys("28", *["Shift+Tab"] * 2)
        expect(ann.page.get_by_role("radio", name="Ann")).to_be_focused()
        ann.keys("ArrowRight")
        expect(ann.page.get_by_role("radio", name="Ben")).to_be_focused()
        ann.keys(*chosen, "7", "Enter", "35", "Enter", "47")
        assert ann.typed(1, 3, 4) == ["7", "35", "47"]
        expect(ann.page.get_by_role("radio", name="Ben")).to_be_checked()


def test_enter_goes_through_the_rows_of_a_hand_being_corrected_and_then_to_the_review(laptop):
    ann = laptop()
    ann.record(hand(1, s2=28, s3=35, s4=47))
    for begun, saved in (("29", [0, 29, 35, 48]), ("30", [0, 30, 35, 48])):
        ann.open("/correct/2")
        if begun == "29":
            ann.points(2).focus()
        else:
            ann.page.get_by_role("radio", name="Ann").press("Enter")
        expect(ann.points(2)).to_be_focused()
        ann.keys(begun, "Enter", "Enter")
        expect(ann.points(4)).to_be_focused()
        ann.keys("48", "Enter")
        expect(ann.page.locator(".dock")).to_be_focused()
        expect(ann.preview).to_contain_text(f"→ {begun}")
        assert ann.saves_by("Enter") == saved


@pytest.mark.parametrize("players", some([4, 7], 7))
def test_names_stand_close_to_the_heading_and_nobody_alone_in_a_line(laptop, players):
    ann = laptop("european", (*FOUR, "Eve", "Fay", "Gus")[:players], winner="")
    tiles = "each => Map.groupBy(each, tile => tile.offsetTop).values().map(line => line.length).toArray()"
    heading, question = (ann.page.locator(each).bounding_box() for each in (".hand-head", ".winner .legend"))
    assert question["y"] - (heading["y"] + heading["height"]) < 60
    assert 1 not in ann.page.locator(".winner .choice").evaluate_all(tiles)
    ann.keys("ArrowRight")
    expect(ann.page.locator(".choosing")).to_be_visible()
    assert 1 not in ann.page.locator(".winner .choice").evaluate_all(tiles)


# ---- The mouse beside it


def test_totals_change_as_rows_are_typed_and_keys_come_on_request(laptop):
    ann = laptop()
    totals = ann.preview.locator("li")
    expect(totals).to_have_text(["Ann 0", "Ben 0", "Cat 0", "Dan 0"])
    ann.keys("28")
    expect(totals).to_have_text(["Ann 0", "Ben 0 + 28 = 28", "Cat 0", "Dan 0"])
    expect(ann.page.locator("[data-keypad]")).to_be_hidden()
    ann.page.get_by_role("button", name="Keypad").click()
    expect(ann.points(2)).to_be_focused()
    ann.key("next").click()
    ann.key("7").click()
    expect(totals).to_have_text(["Ann 0", "Ben 0 + 28 = 28", "Cat 0 + 7 = 7", "Dan 0"])


def test_a_correction_shows_everybodys_total_beside_its_rows(laptop):
    ann = laptop()
    ann.record(hand(1, s2=28, s3=35, s4=47))
    ann.open("/correct/2")
    expect(ann.preview.locator("li")).to_have_text(["Ann 0", "Ben 28", "Cat 35", "Dan 47"])
    ann.points(3).fill("36")
    expect(ann.preview.locator("li").nth(2)).to_contain_text("35 → 36")


def test_choosing_the_ending_loses_no_digit_and_skips_nobody(laptop):
    ann = laptop("jamaican")
    ann.page.locator(".ending input").first.focus()
    ann.keys("ArrowRight", "23", "Enter")
    ann.click(".ending .choice:has([value=going_out])")
    ann.keys("Enter")
    expect(ann.points(3)).to_be_focused()
    ann.click(".ending .choice", "Bending")
    ann.keys("1")
    ann.page.mouse.click(4, 400)  # beside the fields
    ann.keys("7", "Enter", "31", "Enter")
    assert ann.typed() == ["23", "17", "31"]
    assert ann.page.locator(".ending input:checked").get_attribute("value") == "bending"


def test_counting_calls_loses_no_digit_adds_none_by_enter_and_skips_nobody(laptop):
    ann = laptop("jamaican")
    more = ".loser.is-active [data-step='1']"
    ann.click(more)
    ann.keys("23")
    ann.click(more)
    ann.keys("Enter")
    ann.page.locator("#calls-3").click()
    ann.keys("2", "Enter", "17")  # back in the points of its row
    ann.keys("Enter", "31", "Enter")
    assert ann.typed() == ["23", "17", "31"]
    assert [ann.page.locator(f"#calls-{seat}").input_value() for seat in (2, 3, 4)] == ["2", "2", ""]


def test_the_next_sum_replaces_what_is_chosen_and_a_moved_caret_adds_to_it(laptop):
    ann = laptop()
    ann.keys("23", "Enter", "17", "Enter")
    ann.points(2).click()
    ann.keys("45", "Enter")
    ann.points(3).click()
    ann.keys("End", "+5")
    assert ann.typed() == ["45", "17+5", ""]


# ---- A player's own phone, and a page without script


def test_what_a_player_counts_alone_is_read_as_it_is_typed_and_refused_in_its_row(begin):
    page = begin().seated(2, path="/count")
    page.locator("#left-2").focus()
    page.keyboard.type("12.5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“12.5” cannot be read.")
    expect(page.locator("#left-2")).to_have_value("12.5")
    page.locator("#left-2").fill("۱۰+۷")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="My cards: 17")).to_be_visible()


@pytest.mark.long
def test_enter_without_script_leads_to_the_preview(table):
    plain = table.scorer(java_script_enabled=False)
    plain.get_by_role("radio", name="Ann", exact=True).check()
    plain.locator("#left-2").fill("15+20")
    plain.locator("#left-3").fill("12.5")
    plain.keyboard.press("Enter")
    expect(plain.get_by_role("alert")).to_contain_text("Cat: “12.5” cannot be read.")
    expect(plain.locator("#left-2")).to_have_value("15+20")
    plain.locator("#left-3").fill("K Q 7")
    plain.keyboard.press("Enter")
    expect(plain.locator("main")).to_contain_text("0 + 27 = 27")
    plain.keyboard.press("Enter")
    assert table.state()["seen"] == 1
    plain.get_by_role("button", name="Save").click()
    plain.wait_for_url(f"**{table.game}")
    assert [player["total"] for player in table.state()["players"]] == [0, 35, 27]
