"""A table's own rules chosen by thumb: few taps, lists in cells, only changes recorded."""

import re

import pytest
from playwright.sync_api import expect

from tests.matrix import some

pytestmark = pytest.mark.browser

MOST_TAPS = 5


def rule(page, key):
    """The line of a question."""
    return page.locator(".rule-row", has=page.locator(f"#house-{key}"))


def unfold_rule(page, key):
    rule(page, key).locator("summary").tap()


class Thumb:
    """Somebody who has just tapped “New game”; digits typed are not counted."""

    def __init__(self, page):
        self.page, self.taps = page, 0
        page.goto("/")
        page.get_by_role("link", name="New game").tap()
        page.wait_for_url(re.compile("/new"))

    def tap(self, place):
        place.tap()
        self.taps += 1

    def unfold(self, group):
        self.tap(self.page.locator("#house > summary"))
        self.tap(self.page.locator(f"#rules-{group} > summary"))

    def set(self, key, value):
        field = self.page.locator(f"#house-{key}")
        self.tap(rule(self.page, key).locator("summary"))
        self.tap(field)
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
            self.taps += 1
        else:
            self.page.keyboard.type(value)


@pytest.fixture
def thumb(page):
    return Thumb(page)


def differing(page):
    return page.locator("#differing")


@pytest.mark.parametrize(
    ("group", "key", "value", "said"),
    some(
        [
            ("deal", "packs", "3", "3 packs usually 2 packs"),
            ("opening", "builds_open", "True", "yes usually no"),
            ("melds", "run_least", "4", "4 cards usually 3 cards"),
            ("jokers", "jokers_together", "False", "never usually allowed"),
            ("drawing", "build_same_turn", "False", "no usually yes"),
            ("going_out", "joker_discard", "False", "no usually yes"),
            ("counting", "court_left", "5", "5 points usually 10 points"),
            ("ending", "ended_by_table", "True", "yes usually no"),
            ("money", "stake_kalooki", "3", "3 units usually 2 units"),
        ],
        ("money", "stake_kalooki", "3", "3 units usually 2 units"),
    ),
)
def test_a_value_of_every_group_is_changed_in_five_taps(thumb, group, key, value, said):
    thumb.unfold(group)
    thumb.set(key, value)
    expect(differing(thumb.page).locator(f"dt:has([href='#house-{key}']) + dd")).to_have_text(said)
    assert thumb.taps <= MOST_TAPS
    expect(thumb.page.locator(f"#rules-{group} [data-count]")).to_have_text("1 changed")


@pytest.mark.long
def test_a_third_pack_makes_room_for_more_players_and_what_is_typed_as_usual_counts_as_unchanged(thumb):
    """158 cards deal thirteen to twelve players."""
    page = thumb.page
    thumb.unfold("deal")
    thumb.set("packs", "3")
    changed = page.locator("#rules-deal [data-count]")
    expect(changed).to_have_text("1 changed")
    expect(page.locator("[data-room]")).to_contain_text("2 to 12 players")
    add = page.get_by_role("button", name="Add a player")
    while page.locator(".seat").count() < 12:
        add.tap()
    expect(add).to_be_disabled()
    unfold_rule(page, "dealt")
    for players in (2, 3):
        page.get_by_label(f"{players} players, cards").fill("13")
    thumb.set("packs", "2")
    expect(changed).to_have_text("")


def test_a_question_asked_first_takes_three_taps(thumb):
    thumb.tap(thumb.page.locator("#house > summary"))
    thumb.set("limit", "200")
    expect(differing(thumb.page)).to_contain_text("200 points")
    assert thumb.taps == 3
    expect(thumb.page.get_by_text("At 200 or more")).to_be_visible()  # the answers that follow it


def holds(page, key, numbers):
    """The cells of a list hold or, while blank, stand for these numbers."""
    shown = "all => all.map(each => each.value || each.placeholder)"
    field = page.locator(f"[name=house-{key}]")
    expect(field).to_have_count(len(numbers))
    assert field.evaluate_all(shown) == numbers


@pytest.mark.long
def test_contracts_are_edited_in_cells_and_what_follows_them_follows(page):
    page.goto("/new?variant=jamaican")
    page.locator("#house > summary").tap()
    page.locator("#rules-opening > summary").tap()
    unfold_rule(page, "contracts")
    expect(page.get_by_text("Nine hands, nine contracts")).to_be_visible()
    for hand in (9, 8):
        for melds in ("threes", "fours"):
            page.get_by_label(f"Hand {hand}, {melds}").fill("")
    page.get_by_label("Hand 1, threes").fill("2")
    page.get_by_label("Hand 1, fours").fill("1")
    expect(differing(page)).to_contain_text("7 hands")  # they follow
    holds(page, "contracts", [*"21211203403122", "", ""])
    expect(page.get_by_text("With house rules, listed below.")).to_be_visible()
    expect(page.get_by_text("Nine hands, nine contracts")).to_be_hidden()
    page.get_by_label("Hand 8, threes").fill("2")
    page.get_by_label("Hand 8, fours").fill("2")
    page.locator("#rules-opening").get_by_role("button", name="Another row").tap()
    expect(page.get_by_label("Hand 9, threes")).to_have_value("")
    holds(page, "contracts", [*"2121120340312222", "", ""])
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360

    page.locator("#rules-deal > summary").tap()  # three cards a set, four a run
    holds(page, "dealt", ["10", "10", "11", "12", "12", "13", "14", "14", ""])
    page.reload()
    holds(page, "contracts", [*"2121120340312222", "", ""])


SHAPE = """row => [...row.children].map(each => {
    const [own, around] = [each, row].map(box => box.getBoundingClientRect())
    return [own.left, own.top - around.top, own.width, own.height].map(Math.round).join(" ")
}).join(", ")"""


@pytest.mark.long
def test_rows_of_a_list_stand_in_line_at_every_width(page):
    page.goto("/new?variant=jamaican")
    page.locator("#house > summary").tap()
    for group, key in (("opening", "contracts"), ("deal", "dealt")):
        page.locator(f"#rules-{group} > summary").tap()
        unfold_rule(page, key)
        rows = page.locator(f"#rules-{group} .list-rows > li")
        expect(rows).to_have_count(10)
        for width in (320, 360, 412, 500, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            shapes = {row.evaluate(SHAPE) for row in rows.all()}
            assert len(shapes) == 1, (group, width, shapes)
            assert page.evaluate("() => document.documentElement.scrollWidth") == width


def test_a_rule_is_found_by_its_words_and_one_that_is_not_kept_says_so(page):
    page.goto("/new")
    page.locator("#house > summary").tap()
    find = page.get_by_label("Find a rule")
    find.fill("joker thrown")
    expect(rule(page, "joker_discard")).to_be_visible()
    expect(rule(page, "joker_left")).to_be_hidden()
    unfold_rule(page, "joker_discard")
    page.locator("#house-joker_discard").select_option("False")
    expect(differing(page)).to_contain_text("A joker may be thrown no")
    expect(rule(page, "joker_discard").locator("summary")).to_contain_text("no")
    expect(rule(page, "joker_left")).to_be_hidden()
    find.fill("knocking on the table")
    expect(page.get_by_text("No such rule here: write it in the note.")).to_be_visible()
    # players' words find a question; a hint that names the variant finds nothing
    for word in ("bonus", "Kalooki"):
        find.fill(word)
        expect(rule(page, "kalooki_points")).to_be_visible()
        expect(rule(page, "packs")).to_be_hidden()
    find.fill("")
    expect(rule(page, "joker_left")).to_be_visible()
    assert "knocking" not in start(page, "Ann", "Ben")


def start(page, *players):
    for seat, name in zip(page.locator(".seat-name").all(), players, strict=False):
        seat.fill(name)
    is_start = re.compile(r"/new(\?|$)").search
    with page.expect_request(lambda request: request.method == "POST" and is_start(request.url)) as sent:
        page.get_by_role("button", name="Start the game").tap()
    page.wait_for_url(re.compile("/g/"))
    return sent.value.post_data


def test_only_what_is_changed_is_recorded_also_after_a_reload(thumb):
    page = thumb.page
    thumb.unfold("counting")
    thumb.set("court_left", "5")
    expect(differing(page)).to_contain_text("5 points")
    page.reload()
    expect(differing(page)).to_contain_text("5 points")
    expect(page.locator("#house-court_left")).to_have_value("5")
    start(page, "Ann", "Ben")
    state = page.request.get(page.url.replace("/g/", "/api/v1/games/")).json()
    assert state["differs"] == ["court_left"]


def test_what_cannot_be_is_told_while_typing_and_leads_to_both_fields(thumb):
    page = thumb.page
    thumb.unfold("melds")
    thumb.set("run_least", "9")
    thumb.set("run_most", "5")
    fault = differing(page).locator(".notice-fault")
    expect(fault).to_be_visible()
    page.locator("#rules-melds > summary").tap()
    expect(page.locator("#house-run_least")).to_be_hidden()
    fault.get_by_role("link", name="Shortest run").tap()
    expect(page.locator("#house-run_least")).to_be_focused()
    expect(page.locator("#house-run_least")).to_have_value("9")
    expect(page.locator("#house-run_most")).to_be_hidden()  # one rule is open at a time
    at_the_field = page.locator(".field", has=page.locator("#house-run_most")).locator(".error")
    expect(at_the_field).to_contain_text("The shortest run is 9 cards")
    expect(page.locator("#house-run_most")).to_have_attribute("aria-invalid", "true")
    page.locator("#house-run_least").fill("3")
    expect(fault).to_be_hidden()
    expect(at_the_field).to_have_count(0)
    expect(page.locator("#house-run_most")).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.long
def test_what_has_a_use_only_beside_a_limit_or_stakes_is_asked_once_they_are_given(page):
    page.goto("/new?variant=jamaican")
    expect(page.get_by_text("Jamaican Kalooki is played for points.")).to_be_visible()
    page.locator("#house > summary").tap()
    expect(page.get_by_text("When is a player out of the game?")).to_be_hidden()
    unfold_rule(page, "limit")
    page.locator("#house-limit").fill("200")
    page.get_by_text("Only over 200").tap()
    expect(differing(page).locator("dt:has([href='#house-limit']) + dd")).to_have_text(
        "more than 200 points usually no limit"
    )
    page.locator("#house > summary").tap()
    differing(page).get_by_role("link", name="Out at the limit or over it").tap()
    expect(page.get_by_text("Only over 200")).to_be_visible()
    page.get_by_role("link", name="Play for money anyway").tap()
    expect(page.get_by_role("radio", name="10c")).to_be_checked()
    expect(page.locator("#stakes > summary")).to_be_in_viewport()
    expect(page.locator("#stakes > summary")).to_contain_text("10c call-up a hand")
    page.locator("#stakes > summary").tap()
    expect(page.locator("#call_up")).to_have_attribute("placeholder", "0.10")  # 1 unit of 0.10
    page.get_by_role("link", name="Other stakes").tap()
    page.locator("#house-stake_call_up").fill("3")
    expect(page.get_by_text("is played for points")).to_be_hidden()
    expect(page.locator("#call_up")).to_have_attribute("placeholder", "0.30")  # 3 units of 0.10
    expect(page.locator("#kalooki")).to_have_attribute("placeholder", "0.30")  # follows the call-up
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    start(page, "Ann", "Ben")
    page.goto(f"{page.url}/rules#call-up")
    expect(page.locator("#call-up")).to_contain_text("call-up (€0.30)")


def test_the_set_up_of_a_game_tells_what_is_changed_as_it_is_typed(phone):
    page = phone.page
    phone.open("/enter/setup")
    page.locator("#house > summary").tap()
    page.locator("#rules-counting > summary").tap()
    unfold_rule(page, "court_left")
    count = page.locator("#rules-counting [data-count]")
    expect(count).to_have_text("")
    field = page.locator("#house-court_left")
    for number, said, listed in (("10", "", None), ("5", "1 changed", "5 points usually 10 points")):
        field.fill(number)
        expect(count).to_have_text(said)
        own = differing(page).locator("dt:has([href='#house-court_left']) + dd")
        expect(own).to_have_text([listed] if listed else [])
    page.get_by_role("button", name="Review").tap()
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url(f"**/g/{phone.code}/more")
    assert phone.state()["differs"] == ["court_left"]
