"""What tests of several files share: the scorer's phone, and a table with as many phones as a test asks for."""

import pytest

from tests.browser.phones import Table
from tests.browser.thumb import Phone


@pytest.fixture
def phone(page, server):
    """The scorer's phone on a European game of four."""
    return Phone(page, server)


@pytest.fixture
def table(browser, server):
    """A game of three."""
    table = Table(browser, server)
    yield table
    table.close()
