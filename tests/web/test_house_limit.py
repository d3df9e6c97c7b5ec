"""A limit of the table's own, where the variant has none: whether it puts out at it or over it is asked and kept."""

import pytest

from tests.pages import Alice, hand, start_by_form

pytestmark = pytest.mark.one_app

START = {
    "variant": "kalooki-51", "players-0-name": "Ann", "players-1-name": "Ben", "players-2-name": "Cat", "dealer": "0",
    "settle": "account", "unit": "0.10", "currency": "EUR", "submission": "s-1",
}  # fmt: skip
SET = {"dealer": "1", "settle": "account", "do": "save"}


@pytest.mark.parametrize(("out_at", "house", "in_at_100"), [
    ("limit", {"limit": 100}, False),
    ("over_limit", {"limit": 100, "out_at": "over_limit"}, True),
])  # fmt: skip
def test_a_game_starts_with_the_reading_chosen(client, out_at, house, in_at_100):
    table = start_by_form(client, START, **{"house-limit": "100", "house-out_at": out_at}, do="start")
    assert table.log.entries[0].event["house"] == house
    assert table.game.variant.is_out(100) is not in_at_100


def test_without_any_limit_no_reading_of_it_is_recorded(client):
    european = START | {"variant": "european", "house-limit": "", "house-out_at": "over_limit", "do": "start"}
    table = start_by_form(client, european)
    assert table.log.entries[0].event["house"] == {"limit": None}


def test_a_limit_agreed_on_late_keeps_the_reading_chosen(app):
    alice = Alice(app, "classic").record(hand(1, s2=60, s3=61))
    alice.sent("/enter/setup", SET | {"house-limit": "60", "house-out_at": "over_limit"})

    assert alice.events()[-1] == {"kind": "setup", "house": {"limit": 60, "out_at": "over_limit"}}
    assert [player.playing for player in alice.table.game.players.values()] == [True, True, False]
