"""What tests of several modules share: databases and clients that cost too much to make for each test, and the cast."""

import pytest
import sqlalchemy as sa

from app import create_app, log
from tests.pages import Alice, Player


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql):
    """A function that makes a PostgreSQL database with our tables and returns its URL: a copy, which is fast."""
    url = postgresql()
    log.close_database(create_app({"DATABASE_URL": url, "SECRET_KEY": "test"}))
    return lambda: postgresql(like=sa.make_url(url).database)


@pytest.fixture(scope="module")
def shared_client(shared_app):
    """A browser for a whole module: what it remembers, the next test finds."""
    return shared_app.test_client()


@pytest.fixture
def alice(app):
    """The scorer of a European game of three."""
    return Alice(app)


@pytest.fixture
def ben(alice):
    """The phone of the second seat."""
    return Player(alice, seat=2)
