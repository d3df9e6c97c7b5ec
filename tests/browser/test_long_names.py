"""Long names and letters of twice the size: no word is broken, nothing lies on something else."""

import pytest
from playwright.sync_api import expect

from tests.browser.scorer_phone import Phone
from tests.matrix import matrix, some
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

NAMES = ("Ann", "Konstantinopel", "María José de la Cruz y García Márquez")
STAKES = {"currency": "EUR"}
LINES = """(name, word) => {
    const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT), tops = new Set();
    for (let text; (text = walker.nextNode()); ) {
        const from = text.data.indexOf(word);
        for (let place = 0; from >= 0 && place < word.length; place++) {
            const letter = document.createRange();
            letter.setStart(text, from + place);
            letter.setEnd(text, from + place + 1);
            tops.add(Math.round(letter.getBoundingClientRect().top));
        }
    }
    return tops.size;
}"""
"""On how many lines a word of a name stands."""
OVERLAP = """([one, other]) => {
    const [a, b] = [one, other].map(each => document.querySelector(each).getBoundingClientRect());
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def lines(place, word):
    return place.evaluate(f"name => ({LINES})(name, {word!r})")


def twice_the_size(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})


@pytest.mark.parametrize("letters", some([16, 32], 32))
def test_no_word_of_a_name_is_broken(page, server, letters):
    phone = Phone(page, server, players=NAMES)
    phone.open("/hand")
    if letters == 32:
        twice_the_size(page)
    won = page.locator(".winner .choice", has_text="Konstantinopel")
    assert lines(won, "Konstantinopel") == 1
    phone.won("Ann")
    assert lines(page.locator(".loser-name", has_text="Konstantinopel"), "Konstantinopel") == 1
    assert "García Márquez" in page.locator(".loser-name").last.inner_text()
    page.goto(f"/g/{phone.code}")
    assert lines(page.locator(".player-name", has_text="Konstantinopel"), "Konstantinopel") == 1


def test_with_letters_of_twice_the_size_nothing_lies_on_something_else(page, server):
    phone = Phone(page, server, players=NAMES, stakes=STAKES)
    phone.open("")
    twice_the_size(page)
    page.goto(f"/g/{phone.code}/check?cards=AH+2H+3H")
    page.locator("[data-picker]").wait_for()
    keys = page.locator("[data-picker] button").all()
    wide = [key.get_attribute("aria-label") for key in keys if key.evaluate("key => key.scrollWidth > key.clientWidth")]
    assert wide == []
    page.goto(f"/g/{phone.code}")
    assert not page.evaluate(OVERLAP, [".next-number", ".next-pool"])
    assert not page.evaluate(OVERLAP, [".player-name", ".player-total"])
    page.goto(f"/g/{phone.code}/table")
    assert not page.evaluate(OVERLAP, [".big-name", ".big-total"])
    assert not page.evaluate(OVERLAP, [".big-total", "li + li .big-name"])
    for path in ("/", "/games", "/evening"):  # which say where and when the game was played
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


BURST = """() => [...document.querySelectorAll(".key, .dock-actions .button")]
    .filter(key => key.checkVisibility() && key.scrollWidth > key.clientWidth).map(key => key.innerText)"""
"""Keys that are too small for their words."""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
def test_large_letters_leave_the_field_and_the_verdict_beside_the_keys(page, server, width, height):
    phone = Phone(page, server, players=NAMES)
    page.set_viewport_size({"width": width, "height": height})
    twice_the_size(page)
    phone.begin("Ann")
    assert not page.evaluate(OVERLAP, [".dock", ".is-active .loser-left"])
    assert page.evaluate(BURST) == []
    phone.press("mode")
    assert page.evaluate(BURST) == []
    page.goto(f"/g/{phone.code}/check?cards=KS KH KD")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator(".picker-verdict", has_text="LEGAL")).to_be_in_viewport(ratio=1)
    assert not page.evaluate(OVERLAP, [".picker-verdict", ".key"])
    keys, rooms = (page.locator(each).bounding_box() for each in (".picker", ".rooms"))
    assert keys["y"] + keys["height"] <= rooms["y"] or keys["x"] >= rooms["x"] + rooms["width"]
    assert page.evaluate(BURST) == []
    page.get_by_role("button", name="Clear").tap()
    expect(page.locator(".picker-verdict")).to_have_count(0)


def test_ordinary_letters_show_the_verdict_once(page, server):
    page.goto(f"{server.url}/check?cards=KS KH KD")
    expect(page.locator(".verdict-word")).to_be_visible()
    expect(page.locator(".picker-verdict")).to_be_hidden()


@pytest.mark.parametrize("players", [5, 7])
@pytest.mark.parametrize(("width", "across"), [(360, 2), (1280, 3)])
def test_the_tiles_of_the_table_view_fill_each_row_and_their_figures_stand_clear(page, server, players, width, across):
    phone = Phone(page, server, players=["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Guy"][:players], stakes=STAKES)
    phone.record(hand(1, **{f"s{seat}": 100 + seat for seat in range(2, players + 1)}))
    page.set_viewport_size({"width": width, "height": 740})
    phone.open("/table")
    tiles = [tile.bounding_box() for tile in page.locator(".big-players > li").all()]
    rows = {}
    for tile in tiles:
        rows.setdefault(round(tile["y"]), []).append(tile)
    assert len(next(iter(rows.values()))) == across + (players == 7 and width == 1280)
    assert len({round(row[-1]["x"] + row[-1]["width"]) for row in rows.values()}) == 1
    for part in (".big-name", ".big-gain", ".big-money"):
        assert not page.evaluate(OVERLAP, [f"li:nth-child(2) {part}", "li:nth-child(2) .big-total"]), part


def test_where_letters_alone_are_large_bars_and_amounts_leave_the_rest_in_sight(page, server):
    """As on a phone that enlarges text: no condition about the screen holds, and 32 px are one rem."""
    phone = Phone(page, server, players=NAMES, stakes=STAKES)
    phone.record(hand(1, s2=60, s3=20))
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '32px'))"
    )
    phone.open("/settle?open=seat-1")
    assert lines(page.locator(".settled-name", has_text="Konstantinopel"), "Konstantinopel") == 1
    assert lines(page.locator("#seat-1 .ledger"), "Konstantinopel") == 1
    phone.open("/enter/leave")
    page.locator("main [type=radio]").first.check()
    page.get_by_role("button", name="Review").tap()
    page.get_by_role("button", name="Between hands").wait_for()
    assert page.locator(".action-bar").bounding_box()["y"] > 370  # half of the screen
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    said = page.locator(".preview-page p").last.bounding_box()  # which can be read above the bar
    assert said["y"] + said["height"] <= page.locator(".action-bar").bounding_box()["y"]
    buttons = page.locator(".action-bar .button")
    expect(buttons.last).to_have_text("Change")
    for each in buttons.all():
        expect(each).to_be_in_viewport(ratio=1)
    phone.begin("Ann")
    phone.press("mode")
    phone.cards("3", "9", "A")
    for one, other in (
        (".is-active .loser-count", ".is-active .loser-counted"),
        (".is-active .loser-left", ".is-active .chip"),
    ):
        assert not page.evaluate(OVERLAP, [one, other]), one
    phone.open("")
    total = page.locator(".player-total").first.bounding_box()
    assert total["y"] + total["height"] <= page.locator(".action-bar").bounding_box()["y"]


SCREENS = "() => document.documentElement.scrollHeight / innerHeight"
BEYOND = (
    "() => [...document.querySelectorAll('.badge')].filter(each => each.getBoundingClientRect().right > 330).length"
)
"""Badges that the edge of their panel cuts."""


@pytest.mark.long
def test_with_letters_of_twice_the_size_a_page_begins_with_what_it_is_for(page, server):
    phone = Phone(page, server, players=FOUR, stakes=STAKES)
    phone.record(hand(1, s2=60, s3=20, s4=5), {"kind": "amend", "target": 2, "event": hand(1, s2=61, s3=20, s4=5)})
    twice_the_size(page)
    for path in ("/more", "/disputes"):
        phone.open(path)
        assert page.evaluate(SCREENS) < 4.5, path
    phone.open("/history")
    assert page.locator(".badge").count() == 1
    assert page.evaluate(BEYOND) == 0
    for check in ("meld", "opening"):
        phone.open(f"/check?check={check}")
        slot, keys = (page.locator(each).first.bounding_box() for each in (".slot-cards", "[data-picker]"))
        assert slot["y"] + slot["height"] <= keys["y"], check
    page.goto("/rules/european")
    page.locator(".rule").last.scroll_into_view_if_needed()
    expect(page.locator(".find")).not_to_be_in_viewport()


def test_the_choice_of_the_best_lay_down_is_seen_above_the_keys(page, server):
    phone = Phone(page, server, players=FOUR)
    phone.open("/check?check=solve")
    page.locator("[data-picker]").wait_for()
    keys = page.locator("[data-picker]").bounding_box()
    for each in (page.get_by_label("What are you after?"), page.locator(".slot-cards").first):
        box = each.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= keys["y"]


@pytest.mark.parametrize("width", some([360, 320], 320))
def test_a_game_that_is_over_has_one_row_of_buttons(page, server, width):
    phone = Phone(page, server, players=("Ann", "Ben"), stakes=STAKES, house={"buy_ins": 0})
    phone.record(hand(1, s2=150))
    page.set_viewport_size({"width": width, "height": 740})
    phone.open("")
    boxes = [each.bounding_box() for each in page.locator(".action-bar > .button").all()]
    assert len(boxes) == 3
    assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] / 2 for box in boxes)


FIVE = {
    "ordinary": ("Moira", "Dev", "Pat", "Jürgen", "Winston"),
    "long": ("Annemarie", "Konstantinopel", "María José de la Cruz", "Elizabeth", "Christopher"),
}
HIDDEN = "each => each.scrollWidth - each.clientWidth"


@pytest.mark.parametrize(("names", "width"), matrix([*FIVE], [360, 320]))
def test_the_hands_of_five_players_fit_beside_one_another(page, server, names, width):
    phone = Phone(page, server, players=FIVE[names], stakes=STAKES)
    kalooki = [
        hand(winner, "kalooki", **{f"s{seat}": 1 for seat in range(1, 6) if seat != winner}) for winner in (4, 5)
    ]
    # three digits in every total, a player out and back, Kalookis, and the dealer's mark beside three digits
    phone.record(hand(1, s2=105, s3=110, s4=122, s5=131), hand(2, s1=133, s3=100, s4=1, s5=1))
    phone.record({"kind": "buy_in", "seat": 3}, *kalooki)
    page.set_viewport_size({"width": width, "height": 740})
    phone.open("")

    hands = page.locator(".hands-panel .scroll-x")
    assert hands.locator(".circled").count() == 1
    assert hands.evaluate(HIDDEN) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.long
def test_an_ordinary_long_name_stays_in_one_line(page, server):
    phone = Phone(page, server, players=("Bartholomew", "Maximilian", "Wilhelmina", "Charlotte", "Ann"))
    phone.open()
    tiles = page.locator(".winner .choice-text > span")
    for width in (320, 430, 1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        # in two lines it would have 60
        assert max(box["height"] for box in (tile.bounding_box() for tile in tiles.all())) < 40, width
    phone.won("Ann")
    for width in (360, 430, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        # the name and the total
        assert page.locator(".loser-name").first.bounding_box()["height"] < 42, width
