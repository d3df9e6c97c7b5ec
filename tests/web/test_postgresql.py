"""The same evening comes out the same on SQLite and on PostgreSQL."""

import os

import pytest

from app import create_app, log
from tests.kalooki.test_games import GAMES, play
from tests.matrix import some

START = {
    "variant": "european",
    "players": ["Ann", "Ben", "Cat"],
    "dealer": 1,
    "stakes": {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50},
    "submission": "start",
}
EVENING = (
    {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH QD", "3": {"points": 43}}},
    {"kind": "hand", "winner": 2, "ending": "kalooki", "left": {"1": "10H *", "3": "2C"}},
    {"kind": "rename", "seat": 3, "name": "Çiğdem ♠"},
    {"kind": "undo", "target": 3},
)


def told_by(url):
    """The evening through the JSON; returns its last state without what chance and clock made."""
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    client = app.test_client()
    game = client.post("/api/v1/games", json=START).json
    bearer = {"Authorization": f"Bearer {game['scorer']}"}
    for seen, event in enumerate(EVENING, 1):
        body = {"seen": seen, "submission": f"form-{seen}", "event": event}
        answers = [
            client.post(f"/api/v1/games/{game['code']}/entries", json=body, headers=bearer)
            for _ in ("sent", "sent again")
        ]
        assert [answer.status_code for answer in answers] == [201, 200]
    state = client.get(f"/api/v1/games/{game['code']}").json
    log.close_database(app)
    state.pop("code")
    for entry in state["log"]:
        entry.pop("at")
    return state


@pytest.fixture
def states(database, postgresql):
    return told_by(f"sqlite:///{database}"), told_by(postgresql())


def test_both_databases_tell_the_same_evening(states):
    on_sqlite, on_postgresql = states
    assert on_sqlite == on_postgresql
    # K and Q are 20, then hand 2 with its Kalooki was undone
    assert [player["total"] for player in on_postgresql["players"]] == [0, 20, 43]
    assert on_postgresql["players"][2]["name"] == "Çiğdem ♠"
    assert on_postgresql["seen"] == 5


@pytest.fixture(scope="module")
def client(postgresql):
    app = create_app({"DATABASE_URL": postgresql(), "SECRET_KEY": "test"})
    yield app.test_client()
    log.close_database(app)


@pytest.mark.parametrize("path", some(GAMES, *GAMES[::4]))
def test_a_game_worked_by_hand_comes_out_the_same_on_postgresql(client, path):
    assert play(client, path) > 1


def test_where_postgresql_was_installed_for_the_tests_they_ran_on_it(request):
    """Told by whoever installed it: then a cluster that cannot be made is a failure, and no skipped test."""
    if not os.environ.get("KALOOKI_POSTGRESQL"):
        pytest.skip("nobody has promised that PostgreSQL is here")
    assert request.getfixturevalue("postgresql")()
