"""Pages that phones have open under 0.3, with its scripts: what is typed there is saved by this release.

`made_by_0_3.zip` holds pages as 0.3 sent them, in which the code of the game and what changes each time are left out,
and the scripts and styles that a phone has fetched for them.
"""

import re
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from tests.browser.phones import TOKEN
from tests.matrix import some
from tests.server import eventually

pytestmark = pytest.mark.browser

with ZipFile(Path(__file__).with_name("made_by_0_3.zip")) as zipped:
    OF_0_3 = {name: zipped.read(name).decode() for name in zipped.namelist()}
FETCHED = re.compile(r"/(static/(?:js|css)/\w+\.(?:js|css))\?v=")
HAND = 1, {"1": 0, "2": 35, "3": 17}


def opened(table, phone, path):
    """The page of 0.3 at a path of the game, on a phone that has the right to it; all others are of this release."""
    token = (re.search(TOKEN, phone.content()) or ("", ""))[1]  # a page that only shows has none
    page = OF_0_3[f"{path or 'game'}.html"].replace("{code}", table.code)
    page = page.replace("{token}", token).replace("{submission}", str(uuid4()))
    at = f"{table.game}/{path}".rstrip("/")
    phone.route(re.compile(rf"{at}$"), lambda route: route.fulfill(body=page, content_type="text/html"), times=1)
    phone.route(FETCHED, lambda route: route.fulfill(**fetched(route.request.url)))
    phone.goto(at)
    return phone


def fetched(url):
    name = FETCHED.search(url)[1]
    return {"body": OF_0_3[name], "content_type": "text/css" if name.endswith(".css") else "text/javascript"}


def typed(table):
    phone = opened(table, table.scorer("/hand"), "hand")
    phone.locator("form.is-live").wait_for()
    phone.locator(".winner .choice", has_text="Ann").tap()
    phone.locator("#points-2").fill("35")
    phone.locator("#cards-3").fill("K 7")
    return phone


@pytest.mark.long
def test_a_hand_saved_without_a_network_is_sent_by_the_page_that_waits(table):
    phone = typed(table)
    phone.context.set_offline(True)
    phone.locator("[data-save]").tap()
    expect(phone.locator("[data-outbox]")).to_be_visible()
    phone.context.set_offline(False)
    phone.wait_for_url(f"**{table.game}")
    assert table.hands() == [HAND]


@pytest.mark.long
def test_a_hand_half_typed_in_two_fields_a_player_is_there_in_one(table):
    phone = typed(table)
    phone.goto(f"{table.game}/hand")
    expect(phone.locator("#left-2")).to_have_value("35")
    expect(phone.locator("#left-3")).to_have_value("K 7")


@pytest.mark.parametrize("path", some(["", "/hand"], ""))
def test_hand_waiting_since_0_3_is_sent_by_this_release(table, path):
    phone = typed(table)
    phone.context.set_offline(True)
    phone.locator("[data-save]").tap()
    expect(phone.locator("[data-outbox]")).to_be_visible()
    context = phone.context
    phone.close()
    context.set_offline(False)
    table.opened(context, path)
    eventually(lambda: table.hands() == [HAND])


@pytest.mark.long
def test_cards_left_are_handed_in(table):
    phone = opened(table, table.seated(2, path="/count"), "count")
    for card in ("K", "7"):
        phone.locator(f"[data-keypad] > :not([hidden]) [data-key='card {card}']").tap()
    phone.get_by_role("button", name="Hand in").tap()
    phone.wait_for_url(f"**{table.game}")
    expect(table.scorer("/hand").locator("[data-incoming]")).to_contain_text("Ben sent")
