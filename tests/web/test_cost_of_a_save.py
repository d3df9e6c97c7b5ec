"""Saving reads and plays the newest entries only, however long the log is; a correction plays it once more."""

import json
from types import SimpleNamespace

import pytest

from app.games import recording
from app.kalooki.game import play as core
from app.store import games
from tests.json_scorer import Scorer

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "dealer": 1}
HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH", "3": "5D"}}
HANDS = 12


@pytest.fixture
def alice(client):
    alice = Scorer(client, START)
    for _ in range(HANDS):
        alice.record({"kind": "void", "reason": "misdeal"})
    return alice


@pytest.fixture
def forget(app):
    """Saves as a process does that has not opened the game yet."""

    def forget():
        app.extensions.pop(recording._GAMES, None)

    return forget


@pytest.fixture
def counted(monkeypatch):
    """How many entries are decoded from the database, and how often a whole game is played."""
    done = {"entries": 0, "folds": 0}
    fold = core._fold

    def decoding(text):
        done["entries"] += 1
        return json.loads(text)

    def folding(*arguments):
        done["folds"] += 1
        return fold(*arguments)

    monkeypatch.setattr(games, "json", SimpleNamespace(loads=decoding, dumps=json.dumps))
    monkeypatch.setattr(core, "_fold", folding)
    return done


@pytest.mark.parametrize(
    "event",
    [HAND, {"kind": "amend", "target": 3, "event": HAND}, {"kind": "undo", "target": 3}],
    ids=["a hand", "a correction", "an undo"],
)
@pytest.mark.parametrize("opened", [True, False], ids=["kept", "read anew"])
def test_a_save_reads_once_and_plays_at_most_twice(alice, forget, counted, event, opened):
    if not opened:
        forget()
    alice.record(event)
    assert counted["folds"] == (event is not HAND) + (not opened)
    # the log once where this process does not know it yet; then only its newest entry, to see that it still is: when
    # the game is opened and when the turn to write has come
    assert counted["entries"] <= (1 if opened else HANDS + 1) + 1
