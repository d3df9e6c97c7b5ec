"""What tests of several modules share: databases and clients that cost too much to make for each test, and the cast."""

import pytest

from tests.clock import Clock
from tests.pages import Alice, Player


@pytest.fixture(scope="module")
def shared_client(shared_app):
    """A browser for a whole module: what it remembers, the next test finds."""
    return shared_app.test_client()


@pytest.fixture
def clock(app):
    """The clock of the application, which stands until a test moves it."""
    app.config["CLOCK"] = Clock()
    return app.config["CLOCK"]


@pytest.fixture
def alice(app):
    """The scorer of a European game of three."""
    return Alice(app)


@pytest.fixture
def ben(alice):
    """The phone of the second seat."""
    return Player(alice, seat=2)
