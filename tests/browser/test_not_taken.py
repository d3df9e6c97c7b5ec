"""A proxy, a guest network or a full disk stands between phone and game: nothing typed is lost, and it is told."""

import re
import time
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.browser.phones import hold_clock
from tests.browser.scorer_phone import two_digit_sums, type_a_hand
from tests.matrix import some
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

LONGEST = 60_000
"""Milliseconds within which a phone tries again: it waits up to 15 seconds (static/js/outbox.js)."""
HTML = {"content_type": "text/html", "body": "<h1>Bad Gateway</h1>"}
TROUBLES = {
    "a busy server": {"status": 503, "headers": {"Retry-After": "1"}},
    "a limit": {"status": 429, **HTML},
    "a proxy without its server": {"status": 502, **HTML},
    "a proxy that takes little": {"status": 413, **HTML},
    "a guest network’s page": {"status": 200, "content_type": "text/html", "body": "<h1>Accept our terms</h1>"},
    "a guest network that leads away": {"status": 302, "headers": {"Location": "/help"}},
}


@contextmanager
def refused(page, address, *, last="", **trouble):
    """Meanwhile, forms sent there are answered with trouble; without any, the connection breaks. Sent again, they are
    the same; where somebody goes on typing, like the one that says `last`.
    """
    sent = []

    def answer(route):
        if route.request.method != "POST":
            return route.continue_()
        route.fulfill(**trouble) if trouble else route.abort()
        # answered, not begun: what has begun might be let through after the next line but one
        return sent.append(route.request.post_data)

    page.route(address, answer)
    yield
    until = time.monotonic() + LONGEST / 1000
    while not sent or last not in sent[-1]:  # the page reads no answer that is none, so that none need ever be finished
        assert time.monotonic() < until, sent
        page.wait_for_timeout(20)
    is_sent = re.compile(address.replace("**", ".*") + "$")
    with page.expect_request(lambda each: each.method == "POST" and is_sent.match(each.url), timeout=LONGEST) as again:
        page.unroute(address)
    assert {again.value.post_data, *(sent[-1:] if last else sent)} == {sent[-1]}


@pytest.mark.parametrize("trouble", some(TROUBLES, "a busy server", "a guest network’s page"))
def test_a_hand_that_is_not_taken_is_kept_told_and_sent_again(phone, trouble):
    type_a_hand(phone)
    note = phone.page.locator("[data-outbox]")
    with refused(phone.page, "**/hand", **TROUBLES[trouble]):
        phone.save()
        expect(note).to_contain_text("Not saved yet: the server is busy. It is kept on this phone")
        expect(note.get_by_role("button", name="Try now")).to_be_visible()
    assert phone.saved() == [0, 28, 35, 47]
    expect(phone.page.get_by_text("Saved.", exact=False).first).to_be_attached()


def test_no_hand_is_sent_before_the_one_before_it_is_saved(phone):
    type_a_hand(phone)
    with refused(phone.page, "**/hand", **TROUBLES["a busy server"]):
        phone.save()
        phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
        phone.won("Ben")
        phone.press(*"15", *"26", *"38")
        phone.save()
        expect(phone.page.locator("[data-outbox]")).to_contain_text("2 hands are kept on this phone")
    assert phone.saved() == [15, 28, 61, 85]


def test_what_is_new_in_a_note_comes_into_view(phone):
    type_a_hand(phone)
    note = phone.page.locator("[data-outbox]")
    phone.page.route("**/hand", lambda route: route.fulfill(status=503))
    phone.save()
    expect(note).to_contain_text("the server is busy")
    phone.page.evaluate("document.body.style.height = '200vh'; scrollTo(0, innerHeight)")
    expect(note).not_to_be_in_viewport()
    phone.page.unroute("**/hand")
    phone.page.route("**/hand", lambda route: route.abort())
    expect(note).to_contain_text("Kept on this phone – it will be sent as soon as there is a connection")
    expect(note).to_be_in_viewport()


@pytest.mark.long
def test_the_time_the_answer_asks_for_is_kept_unless_somebody_says_now(begin):
    table = begin()
    page = hold_clock(table.scorer("/rules", service_workers="block"))
    page.goto(f"{table.game}/hand")
    enter_hand(page, "Ann", {"2": "28", "3": "35"})
    page.clock.run_for(1_000)
    busy = {"status": 503, "headers": {"Retry-After": "60"}}
    page.route("**/hand", lambda route: route.fulfill(**busy), times=1)
    page.locator("[data-save]").tap()
    expect(page.locator("[data-outbox]")).to_contain_text("the server is busy")
    page.clock.run_for(30_000)  # without a time it would be sent again after two seconds
    assert table.state()["seen"] == 1
    page.get_by_role("button", name="Try now").tap()
    page.wait_for_url(f"**{table.game}")
    assert [points for _, points in table.hands()] == [{"1": 0, "2": 28, "3": 35}]


def test_a_reload_meanwhile_loses_nothing(phone):
    type_a_hand(phone)
    with refused(phone.page, "**/hand", status=504):
        phone.save()
        expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet")
        phone.page.reload()
        expect(phone.page.locator("[data-outbox]")).to_contain_text("Not saved yet")
        expect(phone.points(3)).to_have_value("35")
    assert phone.saved() == [0, 28, 35, 47]


def test_what_saving_would_do_comes_by_itself_once_the_server_can_say(phone):
    phone.open()
    with refused(phone.page, "**/hand/preview", last="left-4=47", status=503):
        two_digit_sums(phone)
        expect(phone.preview).to_contain_text("The server can’t check it just now. Save anyway")
    expect(phone.preview).to_contain_text("Ben")


@pytest.mark.long
def test_without_a_network_what_saving_does_is_asked_again_every_few_seconds_only(table):
    page = hold_clock(table.scorer("/rules", service_workers="block"))
    asked = []
    page.route("**/hand/preview", lambda route: (asked.append(route), route.abort()))
    page.goto(f"{table.game}/hand")
    enter_hand(page, "Ann", {2: 28, 3: 35})
    page.clock.run_for(1000)
    expect(page.locator("[data-preview-region]")).to_contain_text("No connection just now.")
    page.clock.run_for(4000)
    assert len(asked) == 1
    with page.expect_request("**/hand/preview"):
        page.clock.run_for(1500)


def test_a_count_that_is_not_taken_is_handed_in_later(table):
    ann = table.seated(1, path="/count")
    ann.locator("#left-1").fill("25")
    with refused(ann, "**/count", status=503):
        ann.get_by_role("button", name="Send").tap()
        expect(ann.locator("[data-outbox]")).to_contain_text("kept on this phone and will be sent again by itself.")
    expect(ann.get_by_text("My cards: 25 – change")).to_be_visible()


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param({"status": 503}, id="busy"),
        pytest.param({"status": 502, **HTML}, id="proxy", marks=pytest.mark.long),
        pytest.param({}, id="broken"),
    ],
)
def test_an_answer_of_one_tap_is_sent_again_and_counts_once(begin, trouble):
    table = begin(players=FOUR)
    table.record(hand(1, s2=140, s3=48, s4=98), hand(1, s2=20, s3=30, s4=2))
    scorer = table.scorer("")
    with refused(scorer, "**/offers", **trouble):
        scorer.locator(".action-bar").get_by_role("button", name=re.compile("Buy in.*Ben")).tap()
        expect(scorer.locator("[data-outbox]")).to_contain_text("“Buy in: Ben” has not reached the server yet.")
    expect(scorer.get_by_role("status").get_by_text("Ben buys in").first).to_be_attached()
    assert [entry["event"]["kind"] for entry in table.state()["log"]] == ["start", "hand", "hand", "buy_in"]
