"""Games of a few entries, worked out by hand: `steps/*.toml` says what they come to, and what is refused.

A game has a `start`, or begins `after` the first step of another. A step records the entries of `do`, after the first
`keep` entries of the game if it says so. Then `expect` has what must be so, by its name in `Game` ("len" is a length,
"keys" are keys, "*" is each; `totals` and `warnings` are those of the table), or in the game as it was `before` an
entry; and `refused` the events that may not follow, with the rules they break.
"""

import re
from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.game.play import game_before, play, warnings
from tests.kalooki.rows import inside, plain, without_null
from tests.kalooki.table_talk import begin, record, refusal


def games_in(text):
    games = without_null(loads(text)["game"])
    begun = {game["title"]: game for game in games}
    for game in games:
        if "after" in game:
            other = begun[game["after"]]
            game |= {"start": other["start"], "step": [{"do": other["step"][0]["do"]}, *game["step"]]}
    return games


GAMES = [
    pytest.param(game, id=f"{file.stem}: {game['title']}")
    for file in sorted((Path(__file__).parent / "steps").glob("*.toml"))
    for game in games_in(file.read_text("utf-8"))
]


def found(log, name, entry=None):
    """Return what a name such as `players[3].total` stands for in the game of a log."""
    game = game_before(log, entry) if entry else play(log)
    shown = {"totals": [player.total for player in game.players.values()], "warnings": warnings(game, len(log))}
    first, *parts = re.findall(r"\w+|\*", name)
    return plain(inside(shown[first] if first in shown else getattr(game, first), parts))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_comes_to_what_was_worked_out_by_hand(game):
    log = begin(**game["start"])
    for number, step in enumerate(game["step"], start=1):
        log = record(log[: step.get("keep")], *step.get("do", ()))
        expected = step.get("expect", {})
        assert {name: found(log, name, step.get("before")) for name in expected} == expected, f"step {number}"
        refused = [(each["event"], each["by"]) for each in step.get("refused", ())]
        assert [(event, refusal(log, event)) for event, _ in refused] == refused, f"step {number}"
