"""What tests of several files share: the scorer's phone, and a table with as many phones as a test asks for."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone_pool import PATIENCE
from tests.browser.phones import Table
from tests.browser.scorer_phone import Phone

expect.set_options(PATIENCE)


@pytest.fixture
def phone(page, server):
    """The scorer's phone on a European game of four."""
    return Phone(page, server)


@pytest.fixture
def begin(browser, server):
    """A function that begins a game; its phones go with the test."""
    tables = []

    def begin(**start):
        tables.append(Table(browser, server, **start))
        return tables[-1]

    yield begin
    for table in tables:
        table.close()


@pytest.fixture
def table(begin):
    """A game of three."""
    return begin()
