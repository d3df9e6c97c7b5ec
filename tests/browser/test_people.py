"""Players with phones of their own: they agree to a hand, hear that the referee is called, get the result."""

import pytest
from playwright.sync_api import expect

from tests.browser.barriers import barriers, pale
from tests.browser.phones import SEEN, Table
from tests.pages import EURO, hand

pytestmark = pytest.mark.browser

NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
COUNTED_BUZZES = "globalThis.buzzes = 0; Navigator.prototype.vibrate = () => (globalThis.buzzes += 1)"


def won(alice):
    """Ann went out."""
    alice.locator(".winner").get_by_text("Ann").tap()


def hold_twenty(alice):
    """Everybody else holds 20."""
    for row in alice.locator(".loser:visible").all():
        row.locator("input[name^=points]").fill("20")


def types_a_hand(alice):
    won(alice)
    hold_twenty(alice)


def arrivals(phone):
    """The news this phone's page gets from now on, as responses."""
    told = []
    phone.on("response", lambda answer: told.append(answer) if "/arriving" in answer.url else None)
    return told


def stop(phone):
    """Its player objects to the hand they are shown."""
    phone.get_by_role("button", name="Stop!").tap()


def test_a_hand_is_shown_agreed_to_and_saved_and_the_first_one_is_led(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    led = alice.locator(".led")
    expect(led.get_by_text("Touch whoever went out.")).to_be_visible()
    won(alice)
    expect(led.get_by_text("type the sum, or touch Cards")).to_be_visible()
    hold_twenty(alice)
    expect(led.get_by_text("Read it out below.")).to_be_visible()
    agree = ben.get_by_role("button", name="That is right")
    expect(agree).to_be_visible()
    assert barriers(ben) | pale(ben) == {}
    agree.tap()
    expect(alice.locator("#agreed")).to_contain_text("Ben: that is right.")
    alice.get_by_role("button", name="Save hand").tap()
    alice.wait_for_url(f"**{table.game}")
    expect(ben.get_by_text("Is this right?")).to_be_hidden()
    assert table.state()["hands"][0]["agreed"] == [2]


def test_who_empties_the_form_or_leaves_it_asks_nobody_any_more(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    ben.set_viewport_size({"width": 320, "height": 640})
    question = ben.get_by_text("Is this right?")
    for leave in (
        lambda: alice.get_by_role("link", name="Clear").tap(),
        lambda: alice.get_by_role("link", name="← Game").tap(),
        lambda: alice.close(run_before_unload=True),
    ):
        types_a_hand(alice)
        expect(question).to_be_in_viewport()
        for answer in ("That is right", "Stop!"):
            expect(ben.get_by_role("button", name=answer)).to_be_in_viewport(ratio=1)
        ben.get_by_role("button", name="Stop!").tap()
        expect(alice.locator("#objected-2")).to_be_visible()
        leave()
        expect(question).to_be_hidden()
        expect(ben.get_by_text("You will be asked again")).to_be_visible()
        if alice.is_closed():
            break
        expect(alice.locator("#objected-2")).to_be_hidden()
        if not alice.locator("#hand").count():
            alice.get_by_role("link", name="Resume hand").tap()
            alice.get_by_role("link", name="Clear").tap()
    expect(ben.get_by_role("button", name="Call the referee")).to_be_visible()


def test_stop_stands_at_the_button_that_saves_and_who_said_it_hears_what_came_of_it(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    objection = alice.locator(".dock").get_by_text("Ben says stop.")
    types_a_hand(alice)
    stop(ben)
    expect(objection).to_be_in_viewport(ratio=1)
    expect(alice.get_by_role("button", name="Save hand")).to_be_in_viewport(ratio=1)
    alice.locator("#points-2").fill("12")
    expect(ben.get_by_text("the scorer has changed the hand")).to_be_visible()
    expect(objection).to_be_hidden()
    stop(ben)
    expect(objection).to_be_visible()
    alice.get_by_role("button", name="Save hand").tap()
    expect(ben.get_by_text("has saved the hand all the same")).to_be_in_viewport()
    assert table.state()["hands"][0]["objected"] == {"2": ""}
    alice.get_by_role("link", name="Hand 1: correct").tap()
    alice.locator("#points-2").fill("20")
    expect(ben.locator(".agree")).to_contain_text("12 → 20")  # not the hand as it was recorded
    stop(ben)
    expect(objection).to_be_in_viewport(ratio=1)
    alice.locator("#points-2").fill("21")
    expect(ben.get_by_text("the scorer has changed the hand")).to_be_visible()
    ben.get_by_role("button", name="That is right").tap()
    expect(alice.locator(".dock").get_by_text("Ben: that is right.")).to_be_visible()


def test_what_is_said_to_another_writers_hand_stands_not_at_the_button_that_saves(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    types_a_hand(alice)
    expect(ben.locator(".agree")).to_contain_text("0 + 20 = 20")
    dora = table.scorer("/hand")
    types_a_hand(dora)
    expect(dora.locator("[data-outlook][aria-busy=false]")).to_contain_text("0 + 20 = 20")
    answers = []
    dora.route("**/hand/preview", lambda route: answers.append((route, route.fetch())))
    dora.locator("#points-2").fill("31")
    expect(ben.locator(".agree")).to_contain_text("0 + 31 = 31")
    said = "Ben says stop."
    heard = {phone: arrivals(phone) for phone in (alice, dora)}
    stop(ben)
    for phone in (alice, dora):
        for _ in range(100):
            if any(said in each.text() for each in heard[phone]):
                break
            phone.wait_for_timeout(50)
        else:
            pytest.fail("no news of the stop")
        phone.wait_for_timeout(200)  # in which the page shows what has arrived
        expect(phone.locator(".dock").get_by_text(said)).to_have_count(0)
    route, answer = answers[0]
    route.fulfill(response=answer)  # only now Dora's page shows the hand Ben spoke of
    expect(dora.locator(".dock").get_by_text(said)).to_be_in_viewport(ratio=1)
    expect(alice.locator(".dock").get_by_text(said)).to_have_count(0)


class SlowLine:
    """What a phone asks about a hand it shows waits until the line is quick."""

    def __init__(self, phone):
        self.is_slow, self.waiting = True, []
        phone.route("**/hand/preview", self.ask)

    def ask(self, route):
        if self.is_slow:
            self.waiting.append(route)
        else:
            route.continue_()

    def quicken(self):
        self.is_slow = False
        while self.waiting:
            self.waiting.pop().continue_()


def test_what_is_typed_last_is_what_players_are_asked_however_late_an_answer_comes(table):
    alice, ben = table.scorer("/hand"), table.seated(2)
    line = SlowLine(alice)
    types_a_hand(alice)
    points, outlook = alice.locator("#points-2"), alice.locator("[data-outlook]")
    for typed in ("21", "22"):
        points.fill(typed)
        alice.wait_for_timeout(300)
        alice.evaluate(SEEN, "visible")  # asks anew about what the page shows
    assert len(line.waiting) == 1
    line.quicken()
    expect(outlook).to_contain_text("0 + 22 = 22")
    expect(ben.locator(".agree")).to_contain_text("0 + 22 = 22")
    line.is_slow = True
    points.fill("23")
    alice.wait_for_timeout(300)
    points.fill("")
    line.quicken()
    expect(ben.get_by_text("Is this right?")).to_be_hidden()
    line.is_slow = True
    points.fill("24")
    alice.wait_for_timeout(300)
    line.is_slow = False
    points.fill("25")
    expect(outlook).to_contain_text("0 + 25 = 25")  # what is never answered holds nothing up
    expect(ben.locator(".agree")).to_contain_text("0 + 25 = 25")


def test_the_answers_stay_in_sight_however_much_there_is_to_tell(table):
    players = ["Annemarie", "Ben", "Cat", "Dan", "Eve"]
    full = Table(table.browser, table.server, players=players, stakes=EURO)
    full.record(hand(1, s2=140, s3=140, s4=100, s5=100))
    alice, ben = full.scorer("/hand"), full.seated(2, viewport={"width": 320, "height": 480})
    types_a_hand(alice)
    question = ben.locator(".agree")
    expect(question).to_be_visible()
    assert question.bounding_box()["height"] > 480
    for answer in ("That is right", "Stop!"):
        expect(ben.get_by_role("button", name=answer)).to_be_in_viewport(ratio=1)
    full.close()


def test_a_row_says_whose_phone_its_count_came_from(table):
    alice, ben = table.scorer("/hand"), table.seated(2, path="/count")
    won(alice)
    ben.locator("#points-2").fill("27")
    ben.get_by_role("button", name="Hand in").locator("visible=true").tap()
    row = alice.locator(".loser[data-seat='2']")
    expect(row.get_by_text("27 from Ben’s phone")).to_be_visible()
    expect(row.locator("#points-2")).to_have_value("27")
    alice.get_by_role("link", name="Clear").tap()
    won(alice)
    row.get_by_role("button", name="Ben handed in 27").tap()
    expect(row.get_by_text("27 from Ben’s phone")).to_be_visible()


def test_the_scorers_phone_buzzes_for_an_objection_once_it_was_told_to(table):
    alice, ben = table.scorer("/more"), table.seated(2)
    alice.add_init_script(COUNTED_BUZZES)
    expect(alice.get_by_text("or a player says stop")).to_be_visible()
    alice.get_by_text("This phone buzzes").tap()
    alice.get_by_role("link", name="← Game").tap()
    alice.get_by_role("link", name="Record hand").tap()
    expect(alice.locator("#hand.is-live")).to_be_visible()
    types_a_hand(alice)
    stop(ben)
    expect(alice.get_by_text("Ben says stop.")).to_be_visible()
    assert alice.evaluate("buzzes") == 1
    ben.get_by_label("What is wrong?").fill("I had 12")
    ben.get_by_role("button", name="Tell the scorer").tap()
    expect(alice.get_by_text("Ben says stop: “I had 12”")).to_be_visible()
    assert alice.evaluate("buzzes") == 1


def test_a_phone_buzzes_for_the_referee_once_it_was_told_to(table):
    ben, cat = table.seated(2), table.seated(3)
    cat.add_init_script(COUNTED_BUZZES)
    cat.reload()
    ben.get_by_role("button", name="Call the referee").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_visible()
    assert cat.evaluate("buzzes") == 0
    cat.get_by_role("button", name="It is settled").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_hidden()
    cat.get_by_role("link", name="More", exact=True).tap()
    cat.get_by_text("This phone buzzes").tap()
    assert cat.evaluate("buzzes") == 1  # so that one knows how it feels
    cat.get_by_role("link", name="← Game").tap()
    cat.wait_for_url(f"**{table.game}")
    ben.get_by_role("button", name="Call the referee").tap()
    expect(cat.get_by_text("Ben calls the referee.")).to_be_visible()
    cat.wait_for_function("buzzes === 1")  # counted anew on this page
    cat.get_by_role("link", name="More", exact=True).tap()
    expect(cat.get_by_label("This phone buzzes")).to_be_checked()
    expect(cat.get_by_label("It sounds")).not_to_be_checked()


def test_the_result_is_copied_where_a_page_has_no_clipboard(table):
    table.record({"kind": "stop", "pool": "refund"})
    bob = table.phone("/result")
    bob.add_init_script(NO_CLIPBOARD)
    bob.reload()
    bob.get_by_role("button", name="Copy the text").tap()
    expect(bob.get_by_role("button", name="Copied")).to_be_visible()
    selected = bob.evaluate("document.activeElement.value.slice(0, 16)")
    assert selected == "European Kalooki"


SHEET = "globalThis.sent = []; Navigator.prototype.share = async (told) => { sent.push(told.url); }"
NO_SHEET = "delete Navigator.prototype.share"


def test_a_link_is_copied_where_a_page_has_no_clipboard(table):
    bob = table.phone()
    bob.add_init_script(NO_CLIPBOARD)
    bob.add_init_script(NO_SHEET)
    bob.goto(f"{table.game}/share")
    expect(bob.get_by_role("button", name="Send the link")).to_be_hidden()
    bob.get_by_role("button", name="Copy the link").tap()
    expect(bob.get_by_role("button", name="Copied")).to_be_visible()
    assert bob.evaluate("getSelection().toString()") == bob.locator("#watch-link").get_attribute("href")


def test_a_link_goes_to_the_phones_own_share_sheet(table):
    alice = table.scorer("/share")
    alice.add_init_script(SHEET)
    alice.get_by_role("button", name="Show the players’ code").tap()
    alice.locator("#play").locator("..").get_by_role("button", name="Send the link").tap()
    alice.wait_for_function("sent.length")
    assert alice.evaluate("sent") == [alice.locator("#made-link").get_attribute("href")]
    assert "/p/" in alice.evaluate("sent[0]")


def test_who_has_chosen_a_seat_appears_under_the_players_code(table):
    alice = table.scorer("/share")
    alice.get_by_role("button", name="Show the players’ code").tap()
    link = alice.locator("#made-link").get_attribute("href")
    assert alice.get_by_role("heading", name="Phones at the table").count() == 1  # the link itself is listed
    bob = table.seated(2, link.rpartition("/")[2])
    expect(alice.locator("#seated li", has_text="Ben")).to_be_visible()
    assert alice.locator("#made-link").get_attribute("href") == link
    bob.get_by_role("link", name="My cards left").wait_for()
