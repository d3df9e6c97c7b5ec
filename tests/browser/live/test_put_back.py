"""The server was put back to last night's copy: phones that know more say so, and keep what they have."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.pages import hand

pytestmark = pytest.mark.browser

HANDS = [hand(1, s2=number, s3=1) for number in range(1, 13)]
"""Ben's total after eight hands: 1 + 2 + … + 8 = 36; after twelve: 36 + 9 + 10 + 11 + 12 = 78."""


LESS = "The server has less than this phone"
GO_ON = "Go on with what the server has"


def kept_by_worker(phone):
    """From now on the worker keeps what is opened."""
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.reload()
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    phone.reload()
    return phone


def total(phone, name):
    return phone.locator(".player", has_text=name).locator(".player-total")


def test_a_phone_that_knows_more_says_what_is_missing_and_keeps_what_it_shows(evening):
    table = evening.begin()
    table.record(*HANDS[:8])
    copy = evening.copy()
    phone = table.phone()
    table.record(*HANDS[8:])
    expect(total(phone, "Ben")).to_contain_text("78")
    evening.put_back(copy)
    note = phone.locator("[data-connection]")
    expect(note).to_contain_text(LESS)
    expect(total(phone, "Ben")).to_contain_text("78")
    expect(note.get_by_role("button")).to_have_text([GO_ON])  # a phone that watches keeps no copy

    note.get_by_role("button", name=GO_ON).click()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(note).to_be_hidden()
    table.record(HANDS[8])
    expect(total(phone, "Ben")).to_contain_text("45")
    table.close()


def test_a_phone_that_records_restores_its_copy_of_a_game_of_which_the_server_has_less(evening):
    table = evening.begin()
    table.record(*HANDS[:8])
    copy = evening.copy()
    phone = table.scorer("")
    table.record(*HANDS[8:])
    expect(total(phone, "Ben")).to_contain_text("78")
    phone.wait_for_function(f"() => JSON.parse(localStorage['kalooki:log:{table.code}'] ?? null)?.seen === 13")
    evening.put_back(copy)
    phone.reload()
    note = phone.locator("[data-connection]")
    expect(note).to_contain_text(LESS)
    note.get_by_role("button", name="Restore this phone’s copy").click()
    phone.get_by_role("button", name="Import").click()
    phone.wait_for_url(lambda address: "/g/" in address and table.code not in address)
    expect(total(phone, "Ben")).to_contain_text("78")

    phone.goto(table.game)
    note.get_by_role("button", name=GO_ON).click()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(note).to_be_hidden()
    phone.reload()
    table.record(HANDS[8])
    expect(total(phone, "Ben")).to_contain_text("45")
    expect(note).to_be_hidden()
    table.close()


def test_a_game_the_server_never_had_is_shown_as_this_phone_last_had_it(evening):
    copy = evening.copy()
    table = evening.begin()
    phone = table.phone(service_workers="allow")
    table.record(*HANDS[:8])
    kept_by_worker(phone)
    expect(total(phone, "Ben")).to_contain_text("36")
    evening.put_back(copy)
    missing = phone.get_by_text("The server does not have this game")
    expect(missing).to_be_visible()
    phone.reload()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(missing).to_be_visible()
    table.close()


# ---- Hands that have not been sent


def type_hand(phone):
    enter_hand(phone, "Ann", {2: "28", 3: "35"})


@pytest.mark.long
def test_a_hand_typed_as_the_thirteenth_is_offered_as_the_ninth_only_in_these_words(evening):
    table = evening.begin()
    table.record(*HANDS[:8])
    copy = evening.copy()
    table.record(*HANDS[8:])
    phone, other = table.scorer(), table.scorer()
    type_hand(phone)
    type_hand(other)
    evening.put_back(copy)

    said = "Typed as hand 13, not saved yet. The next hand here is hand 9"
    phone.locator("[data-save]").click()
    expect(phone.get_by_role("alert")).to_contain_text(said)
    expect(phone.get_by_role("alert")).to_contain_text("4 hands before it are missing")
    assert len(table.hands()) == 8
    other.reload()  # only typed so far
    expect(other.locator("[data-outbox]")).to_contain_text(said)
    expect(other.locator("#left-3")).to_have_value("35")

    phone.reload()
    expect(phone.get_by_role("alert")).to_contain_text(said)
    phone.get_by_role("button", name="Save as hand 9").click()
    phone.wait_for_url(f"**{table.game}")
    assert table.hands()[8:] == [(1, {"1": 0, "2": 28, "3": 35})]
    table.close()


def test_a_hand_for_a_game_the_server_does_not_have_waits_until_it_has_it(evening):
    without = evening.copy()
    table = evening.begin()
    phone = table.scorer()
    again = evening.copy()
    type_hand(phone)
    evening.put_back(without)
    phone.locator("[data-save]").click()
    note = phone.locator("[data-outbox]")
    expect(note).to_contain_text("Typed as hand 1. Not saved: the server doesn’t know this game or what came before.")
    phone.goto(table.game)
    expect(phone.get_by_role("heading", name="There is nothing here")).to_be_visible()
    expect(phone.locator("[data-unsent]")).to_contain_text("Typed as hand 1: Ann went out. Ben 28, Cat 35")
    evening.put_back(again)
    phone.reload()
    expect(total(phone, "Cat")).to_contain_text("35")
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]
    table.close()


def waiting(table):
    """A phone on which a hand waits that could not be sent."""
    phone = table.scorer()
    type_hand(phone)
    phone.context.set_offline(True)
    phone.locator("[data-save]").click()
    expect(phone.locator("[data-outbox]")).to_contain_text("Typed as hand 1. Kept on this phone")
    return phone


def test_a_hand_for_a_deleted_game_can_be_read_until_somebody_discards_it(table):
    phone = waiting(table)
    other = table.scorer("")
    table.post(other.request, f"{table.game}/delete", name="Ann")
    phone.context.set_offline(False)
    kept = phone.locator("[data-unsent]")
    expect(phone.get_by_role("heading", name="This game is not at this address any more")).to_be_visible()
    expect(kept).to_contain_text("Typed as hand 1: Ann went out. Ben 28, Cat 35")
    phone.reload()
    expect(kept).to_contain_text("Typed as hand 1")
    kept.get_by_role("button", name="Discard it").click()
    kept.get_by_role("button", name="Really discard it?").click()
    expect(kept).to_be_hidden()
    phone.reload()
    expect(kept).to_be_hidden()


def test_a_hand_goes_along_to_the_new_address_of_its_game(table):
    phone = table.scorer()
    phone.route("**/hand", lambda route: route.abort())
    type_hand(phone)
    phone.locator("[data-save]").click()
    expect(phone.locator("[data-outbox]")).to_contain_text("Typed as hand 1. Kept on this phone")
    phone.goto("/help")  # which sends nothing
    fresh = table.post(phone.request, f"{table.game}/share").url.removesuffix("/share")
    phone.unroute("**/hand")
    phone.goto(fresh)
    expect(total(phone, "Cat")).to_contain_text("35")
    expect(phone).to_have_url(fresh)


@pytest.mark.long
def test_a_hand_of_a_phone_that_joined_is_sent_once_it_has_scanned_the_new_code(table):
    starter, phone = table.scorer(""), table.seated(2, path="/hand")
    phone.route("**/hand", lambda route: route.abort())
    type_hand(phone)
    phone.locator("[data-save]").click()
    expect(phone.locator("[data-outbox]")).to_contain_text("Typed as hand 1. Kept on this phone")
    starter.goto("/help")  # from a page of the game it would go after it by itself
    fresh = table.post(starter.request, f"{table.game}/share").url.removesuffix("/share")
    phone.unroute("**/hand")  # it is sent again by itself
    expect(phone.get_by_role("heading", name="This address was reset")).to_be_visible()
    expect(phone.locator("[data-unsent]")).to_contain_text("Cat 35")
    expect(phone.locator("[data-unsent]")).to_contain_text("what you typed on this phone is then sent")
    starter.goto(f"{fresh}/share")
    phone.goto(urlsplit(starter.locator("#join-link").get_attribute("href")).path)
    phone.get_by_role("button", name="Ben").click()
    expect(total(phone, "Cat")).to_contain_text("35")
    starter.goto(fresh)
    expect(total(starter, "Cat")).to_contain_text("35")
