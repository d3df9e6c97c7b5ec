"""The other pages of a game in a browser: nothing too wide or too small, axe finds nothing, payments by thumb."""

import re
from io import BytesIO

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import expect

from tests.browser.accessibility import unfold
from tests.browser.phones import ANSWERS, GO_ON, HOLD, held_back, tap_where_it_stands
from tests.browser.scorer_phone import Phone
from tests.matrix import some
from tests.pages import EURO, hand

pytestmark = pytest.mark.browser

PLAYERS = ["Ann", "Ben", "Bartholomew the IV", "Dan"]


@pytest.fixture
def over(page, server):
    """The code of a game: Dan is the last one left; nobody may buy in again."""
    phone = Phone(page, server, players=PLAYERS, stakes=EURO)
    declined = ({"kind": "decline", "seat": seat} for seat in (1, 2))
    phone.record(hand(4, s1=150, s2=150, s3=20), *declined, hand(4, s3=130))
    return phone.code


GAPS = """() => [...document.querySelectorAll('.history a:has(> strong)')].map(each => {
    const next = document.createRange(), text = each.nextSibling, dot = text?.data?.indexOf('·') ?? -1;
    if (dot < 0) return 0;
    next.setStart(text, dot);
    next.setEnd(text, dot + 1);
    return Math.round(next.getBoundingClientRect().left - each.firstElementChild.getBoundingClientRect().right);
})"""


def test_no_gap_follows_the_figures_of_a_hand(phone):
    phone.record(hand(1, s2=5, s3=16, s4=120))
    phone.open("/history")
    unfold(phone.page)
    gaps = phone.page.evaluate(GAPS)
    assert len(gaps) == 3
    assert max(gaps) < 8


CROWD = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Guy", "Hal"]
EDGE = 6
"""Points at the right of what scrolls, where there is nothing but ground and shade."""


def edge(box):
    """How bright the right edge is, from 0 to 255, in the gap above the first line."""
    picture = Image.open(BytesIO(box.screenshot())).convert("L")
    strip = picture.crop((picture.width - EDGE, 1, picture.width, 4))
    return ImageStat.Stat(strip).mean[0]


@pytest.mark.long
def test_what_is_wider_than_the_phone_has_a_shade_until_its_end(page, server):
    phone = Phone(page, server, players=CROWD)
    phone.record(hand(1, s2=5, s3=6, s4=7, s5=8, s6=9, s7=10, s8=11))
    for path, name in (("", "The hands so far"), ("/sheet", "Hands")):
        phone.open(path)
        box = page.get_by_role("region", name=name)
        assert box.evaluate("each => each.scrollWidth > each.clientWidth")
        box.focus()
        expect(box).to_be_focused()  # the keyboard scrolls it too
        box.blur()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            box.evaluate("each => { each.scrollLeft = 0 }")
            at_first = edge(box)
            box.evaluate("each => { each.scrollLeft = each.scrollWidth }")
            assert abs(at_first - edge(box)) > 30, (path, theme)


def test_a_double_tap_notes_one_payment_and_leaves_it_noted(page, over):
    page.goto(f"/g/{over}/settle")
    rows = page.locator(".settled")
    page.wait_for_function(ANSWERS)
    page.evaluate(HOLD)
    middle = tap_where_it_stands(page, button(page, "Paid.*Ben to Dan"))
    button(page, "Undo.*Ben paid Dan").wait_for()
    page.touchscreen.tap(*middle)
    expect(rows).to_contain_text(["Ann pays Dan", "Ben paid Dan", "Bartholomew the IV pays Dan"])
    page.evaluate(GO_ON)
    page.get_by_role("button", name=re.compile("Undo.*Ben paid Dan")).tap()  # a moment later it does
    expect(rows).to_contain_text(["Ann pays Dan", "Ben pays Dan", "Bartholomew the IV pays Dan"])
    # the start, two hands, two answers to offers, the payment and its undo
    assert page.request.get(f"/api/v1/games/{over}").json()["seen"] == 7


def test_payments_tapped_one_after_another_are_all_noted_once_and_ticked_at_once(page, over):
    page.goto(f"/g/{over}/settle")
    first = held_back(page, "**/settle")
    button(page, "Paid.*Ann to Dan").tap()
    answer = first().continue_
    for payer in ("Bartholomew the IV", "Ben", "Ben"):
        button(page, f"Paid.*{payer} to Dan").tap()
    for payer in ("Ann", "Bartholomew the IV", "Ben"):
        expect(button(page, f"Paid.*{payer} to Dan")).to_contain_text("☑")
    answer()
    expect(page.locator(".settled")).to_contain_text(["Ann paid Dan", "Ben paid Dan", "Bartholomew the IV paid Dan"])
    # the start, two hands, two answers to offers and the three payments
    assert page.request.get(f"/api/v1/games/{over}").json()["seen"] == 8


def button(page, name):
    return page.get_by_role("button", name=re.compile(name))


@pytest.fixture
def many_payments(page, server):
    """Hal wins the only hand; each of the seven others owes a call-up of 10 and the initial stake of 50."""
    page.set_viewport_size({"width": 360, "height": 640})
    phone = Phone(page, server, players=CROWD, stakes=EURO)
    phone.record(hand(8, s1=150, s2=151, s3=152, s4=153, s5=154, s6=155, s7=156))
    phone.open("/settle")
    return phone.code


@pytest.mark.long
def test_payments_below_the_first_ones_move_nothing_when_noted(page, many_payments):
    button(page, "Paid.*Guy to Hal").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 100
    for payer in ("Guy", "Fay", "Eve"):  # each stands above the one before
        place = button(page, f"Paid.*{payer} to Hal").bounding_box()
        tap_where_it_stands(page, button(page, f"Paid.*{payer} to Hal"))
        undo = button(page, f"Undo.*{payer} paid Hal")
        expect(undo).to_be_focused()
        assert (undo.bounding_box()["y"], page.evaluate("scrollY")) == (place["y"], before)
    # the start, the hand and three payments
    assert page.request.get(f"/api/v1/games/{many_payments}").json()["seen"] == 5


@pytest.mark.long
def test_without_script_the_page_opens_at_the_payment_noted(page, many_payments):
    page.route("**/js/submit*.js", lambda route: route.abort())
    page.reload()
    button(page, "Paid.*Guy to Hal").tap()
    page.wait_for_function("() => scrollY > 100")
    expect(button(page, "Undo.*Guy paid Hal")).to_be_in_viewport(ratio=1)


def test_a_payment_somebody_else_noted_first_is_told_where_it_is_seen(page, many_payments):
    """The page has not heard of it yet: its stream is cut."""
    page.route(re.compile("/(live|version)$"), lambda route: route.abort())
    page.reload()
    button(page, "Paid.*Guy to Hal").scroll_into_view_if_needed()
    token = page.locator("[name=csrf_token]").first.input_value()
    other = {"csrf_token": token, "seen": "2", "submission": "other", "do": "paid-7-8-60"}
    assert page.request.post(f"/g/{many_payments}/settle", form=other).ok
    button(page, "Paid.*Guy to Hal").tap()
    expect(page.get_by_text("Somebody else recorded something first")).to_be_in_viewport(ratio=1)
    expect(button(page, "Undo.*Guy paid Hal")).to_have_count(1)


def test_the_text_to_send_is_seen_whole_and_what_was_copied_moves_no_button(page, over):
    page.goto(f"/g/{over}/result")
    assert page.locator("#text").evaluate("each => each.scrollHeight <= each.clientHeight")
    message = page.get_by_role("link", name="Text message")
    place = "each => [each.offsetLeft, each.offsetTop]"
    before = message.evaluate(place)
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_role("button", name="Copied", exact=True)).to_be_visible()
    assert message.evaluate(place) == before


DEAF = """
    navigator.clipboard.writeText = async () => { throw new Error("not allowed"); };
    Document.prototype.execCommand = () => false;
    Navigator.prototype.share = async () => { throw new DOMException("not allowed", "NotAllowedError"); };
"""


@pytest.mark.parametrize(
    ("path", "failing"),
    [
        (
            "result",
            {
                "Copy the text": "Not copied: press and hold the text",
                "Send picture and text": "Not sent: copy the text",
            },
        ),
        ("share", {"Copy the link": "Not copied: press and hold the link", "Send the link": "Not sent: copy the link"}),
    ],
    ids=["result", "share"],
)
def test_a_copy_or_share_that_fails_says_what_to_do(page, over, path, failing):
    page.route("**/result.png", lambda route: route.fulfill(content_type="image/png", body=b"as drawn"))
    page.add_init_script(DEAF)
    page.goto(f"/g/{over}/{path}")
    for pressed, instead in failing.items():
        page.get_by_role("button", name=pressed).first.click()
        expect(page.get_by_role("button", name=instead)).to_be_visible()
        expect(page.locator("p[data-message]")).to_have_text(instead)  # which is read out


def test_the_picture_of_a_result_is_fetched_once_it_is_wanted(page, over):
    asked = []
    page.route("**/result.png", lambda route: (asked.append(route.request.method), route.fulfill(body=b"as drawn")))
    page.goto(f"/g/{over}/result")
    page.wait_for_load_state("networkidle")
    assert "GET" not in asked
    with page.expect_response("**/result.png"):
        page.get_by_text("See the picture").click()
    assert asked[-1] == "GET"


INSTALLED = """
    const asked = window.matchMedia.bind(window);
    window.matchMedia = query => query === "(display-mode: standalone)" ? { matches: true } : asked(query);
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files: [file] }) => { window.shared = [file.name, file.type] };
"""


@pytest.mark.parametrize(
    ("path", "name", "kind", "can_share"),
    [
        ("result", "Save the picture", "image/png", True),
        ("sheet", "Print (PDF, A4)", "application/pdf", False),
        pytest.param("result", "Save the picture", "image/png", False, marks=pytest.mark.long),
        pytest.param("sheet", "Print (PDF, A4)", "application/pdf", True, marks=pytest.mark.long),
    ],
)
def test_an_installed_app_shares_a_picture_or_pdf_or_else_saves_it(page, over, path, name, kind, can_share):
    """Opened in the app itself, it would leave no way back."""
    suffix = f".{kind[-3:]}"
    drawn = {"headers": {"Kalooki-Letter": "read", "Content-Type": kind}, "body": b"as drawn"}
    page.route(f"**/*{suffix}", lambda route: route.fulfill(**drawn))
    page.add_init_script(INSTALLED if can_share else INSTALLED.replace("files.length === 1", "false"))
    page.goto(f"/g/{over}/{path}")
    link = page.get_by_role("link", name=name)
    if can_share:
        link.click()
        page.wait_for_function("() => window.shared")
        shared, mimetype = page.evaluate("window.shared")
        assert (shared[-4:], mimetype) == (suffix, kind)
    else:
        with page.expect_download() as saved:
            link.click()
        assert saved.value.suggested_filename.endswith(suffix)
    assert page.url.endswith(f"/{path}")


@pytest.mark.parametrize("path", some(["", "/settle"], ""))
def test_a_payment_is_ticked_where_it_stands(page, over, path):
    page.goto(f"/g/{over}{path}")
    page.get_by_role("button", name=re.compile("Paid.*Ann to Dan")).click()
    expect(page.locator(".settled-done")).to_contain_text(["Ann paid Dan"])


def test_an_amount_on_the_game_page_leads_to_its_lines(page, over):
    for amount, line in (
        ("−€0.70", "Total−0.70"),
        ("Pool: ", "DanStake0.50"),
    ):
        page.goto(f"/g/{over}")
        page.get_by_role("link", name=amount).tap()
        opened = page.locator("details[open]")
        expect(opened).to_contain_text(line)
        expect(opened).to_be_in_viewport()


UNDER_THE_BAR = """() => {
    const focused = document.activeElement, RING = 5;
    const bar = document.querySelector('.action-bar') ?? document.querySelector('.rooms');
    if (focused === document.body) return null;
    const isCovered = focused.getBoundingClientRect().bottom + RING > bar.getBoundingClientRect().top;
    return isCovered && !focused.closest('.action-bar, .rooms') && focused.matches('a, button, input, select, summary')
        ? focused.textContent.trim() || focused.id : "";
}"""


PLAYING, ASKING, OVER = hand(1, s2=54, s3=15, s4=14), hand(1, s2=54, s3=150, s4=14), hand(1, s2=150, s3=150, s4=150)


@pytest.mark.parametrize("event", some([PLAYING, ASKING, OVER], ASKING), ids=["playing", "asking", "over"])
def test_what_the_keyboard_reaches_lies_above_the_bar(page, server, event):
    """Where Bartholomew may buy in, the bar asks."""
    phone = Phone(page, server, players=PLAYERS, stakes=EURO)
    phone.record(event)
    phone.open("")
    reach(page)


def test_what_the_keyboard_reaches_in_the_referee_lies_above_the_rooms(phone):
    phone.open("/disputes")
    reach(phone.page)


def test_the_rooms_stand_above_the_page_of_a_laptop_and_its_bar_below_the_players(phone):
    phone.record(PLAYING)
    phone.page.set_viewport_size({"width": 1280, "height": 800})
    phone.open("")
    tops = [
        phone.page.locator(each).bounding_box()["y"] for each in (".rooms", "main", ".board", ".page-game .action-bar")
    ]
    assert tops == sorted(tops)


def test_recording_needs_no_scrolling_on_a_laptop_with_six_players(page, server):
    ann = Phone(page, server, players=CROWD[:6], stakes=EURO)
    page.set_viewport_size({"width": 1280, "height": 800})
    ann.open("")
    expect(page.get_by_role("link", name="Record hand 1")).to_be_in_viewport(ratio=1)


def test_the_button_to_record_is_reached_by_eleven_tabs_however_many_hands_there_are(page, server):
    ann = Phone(page, server, players=PLAYERS, stakes=EURO)
    ann.record(*(hand(1, s2=2, s3=3, s4=4) for _ in range(9)))
    ann.open("")
    record = page.get_by_role("link", name="Record hand 10")
    for _tab in range(11):
        page.keyboard.press("Tab")
        if record.evaluate("link => link === document.activeElement"):
            break
    expect(record).to_be_focused()


def test_large_letters_keep_record_hand_in_sight_and_four_players_in_one_table(page, server):
    """Letters of twice the size, as set in a browser."""
    ann = Phone(page, server, players=["Annemarie", "Ben", "Cat", "Dan"], stakes=EURO)
    ann.record(hand(1, s2=35, s3=44, s4=12), hand(2, "kalooki", s1=28, s3=47, s4=90))
    letters = page.context.new_cdp_session(page)
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    ann.open("")
    expect(page.get_by_role("link", name="Record hand 3")).to_be_in_viewport(ratio=1)
    last = page.locator(".hands tbody tr").last.locator("td").last
    assert last.evaluate("cell => cell.getBoundingClientRect().right") <= 360
    assert page.locator(".hands-panel .scroll-x").evaluate("box => box.scrollWidth <= box.clientWidth")


def reach(page):
    """Go through the page by Tab; nothing may be covered."""
    covered, reached = [], 0
    page.keyboard.press("Tab")
    while (found := page.evaluate(UNDER_THE_BAR)) is not None:
        covered += [found] * bool(found)
        reached += 1
        page.keyboard.press("Tab")
    assert reached > 14
    assert covered == []
