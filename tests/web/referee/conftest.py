"""The game of the tests of the referee’s page, and its scorer."""

import pytest

from tests.pages import EURO, start


@pytest.fixture
def game(client):
    """A European game with money and an opening of 51 points, and its scorer's secret."""
    house = {"opening_points": 51}
    return start(client, "european", ["Ann", "Ben", "Cat"], house=house, dealer=1, stakes=EURO).started


@pytest.fixture
def alice(app, game):
    """The scorer's browser."""
    browser = app.test_client()
    browser.get(f"/g/{game['code']}/s/{game['scorer']}")
    return browser
