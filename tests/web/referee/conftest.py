"""The game of the tests of the referee’s page, and its scorer."""

import pytest


@pytest.fixture
def game(client):
    """A European game with money and an opening of 51 points, and its scorer's secret."""
    started = {
        "variant": "european",
        "house": {"opening_points": 51},
        "players": ["Ann", "Ben", "Cat"],
        "dealer": 1,
        "stakes": {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50},
    }
    return client.post("/api/v1/games", json=started).json


@pytest.fixture
def alice(app, game):
    """The scorer's browser."""
    browser = app.test_client()
    browser.get(f"/g/{game['code']}/s/{game['scorer']}")
    return browser
