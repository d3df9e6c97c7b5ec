"""The table of the tests of agreement: alice scores for three, without money, and the phone of ben follows."""

import pytest

from tests.pages import Alice


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)
