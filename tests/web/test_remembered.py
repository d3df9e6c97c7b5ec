"""Place and notes on pages and in the JSON interface: asked, shown, corrected, kept."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)


def test_the_board_says_how_long_was_played(alice):
    began = datetime.now(UTC)
    alice.record({"kind": "setup", "place": "The Bell"})
    assert "min played" not in alice.see("/more")
    alice.app.config["CLOCK"] = lambda: began + timedelta(minutes=80, seconds=5)
    alice.record(hand(1, s2=20, s3=35))
    assert "1 h 20 min played" in alice.see("/more")
    alice.record({"kind": "stop"})
    assert "1 h 20 min played" in alice.see()
