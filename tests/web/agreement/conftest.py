"""The table of the tests of agreement: alice scores for three, without money, and the phone of ben follows."""

import pytest

from tests.pages import Alice, Player


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)


@pytest.fixture
def ben(alice):
    return Player(alice, seat=2)
