"""A game of three on a server where nobody has long to refuse the pen."""

import shutil

import pytest

from tests.browser.phones import Table
from tests.server import Server


@pytest.fixture(scope="module")
def running(empty_database, tmp_path_factory):
    """One server for the games of this file; whoever asks for the pen waits two seconds here."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("live") / "games.db")
    server = Server(f"sqlite:///{database}", PEN_SECONDS=2)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def table(browser, running):
    """A game of three, and as many phones as a test asks for; alice keeps it by script."""
    table = Table(browser, running)
    yield table
    table.close()
