"""The server was put back to last night's copy: phones that know more say so, and keep what they have."""

import shutil
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Table
from tests.pages import hand
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.offline]

HANDS = [hand(1, s2=number, s3=1) for number in range(1, 13)]
"""Ben's total after eight hands: 1 + 2 + … + 8 = 36; after twelve: 36 + 9 + 10 + 11 + 12 = 78."""


class Evening:
    """A server whose database may be put back to how it was."""

    def __init__(self, browser, database):
        self.database = database
        self.server = Server(f"sqlite:///{database}")
        self.browser = browser

    def begin(self):
        return Table(self.browser, self.server)

    def copy(self):
        copy = self.database.with_suffix(".copy")
        copy.unlink(missing_ok=True)
        with sqlite3.connect(self.database) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
        return copy

    def put_back(self, copy):
        self.server.stop()
        for ending in ("-wal", "-shm"):
            self.database.with_name(f"{self.database.name}{ending}").unlink(missing_ok=True)
        shutil.copy(copy, self.database)
        self.server.start()


@pytest.fixture
def evening(browser, database):
    evening = Evening(browser, database)
    with evening.server:
        yield evening


def kept_by_worker(phone):
    """From now on the worker keeps what is opened."""
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.reload()
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    phone.reload()
    return phone


def total(phone, name):
    return phone.locator(".player", has_text=name).locator(".player-total")


def test_a_phone_that_knows_more_says_what_is_missing_and_keeps_its_page(evening):
    table = evening.begin()
    table.record(*HANDS[:8])
    copy = evening.copy()
    phone = kept_by_worker(table.phone(service_workers="allow"))
    table.record(*HANDS[8:])
    expect(total(phone, "Ben")).to_contain_text("78")
    evening.put_back(copy)
    note = phone.locator("[data-behind]")
    expect(note).to_contain_text("Hands 9 to 12 are no longer on the server", timeout=30_000)
    expect(total(phone, "Ben")).to_contain_text("78")

    note.get_by_role("button", name="Show what the server has").click()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(note).to_contain_text("Hands 9 to 12 are no longer on the server")
    phone.reload()  # the page the server has does not take the place of the one this phone kept
    note.get_by_role("button", name="Show this phone’s copy").click()
    expect(total(phone, "Ben")).to_contain_text("78")

    note.get_by_role("button", name="Show what the server has").click()
    note.get_by_role("button", name="Continue from hand 9").click()
    expect(note).to_be_hidden()
    phone.reload()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(note).to_be_hidden()
    table.record(HANDS[8])
    expect(total(phone, "Ben")).to_contain_text("45")
    table.close()


def test_a_game_the_server_never_had_is_shown_as_this_phone_last_had_it(evening):
    copy = evening.copy()
    table = evening.begin()
    phone = kept_by_worker(table.phone(service_workers="allow"))
    table.record(*HANDS[:8])
    expect(total(phone, "Ben")).to_contain_text("36")
    evening.put_back(copy)
    missing = phone.get_by_text("The server does not have this game")
    expect(missing).to_be_visible(timeout=30_000)
    phone.reload()
    expect(total(phone, "Ben")).to_contain_text("36")
    expect(missing).to_be_visible()
    table.close()
