"""Games of a few entries, worked out by hand: `steps/*.toml` says what they come to, and what is refused.

A step records the entries of `do`, after the first `keep` entries of the game if it says so. Then `expect` has what
must be so, by its name in `Game` ("len" is a length, "keys" are keys; `totals` and `warnings` are those of the table),
or in the game as it was `before` an entry; and `refused` the events that may not follow, with the rules they break.
"""

import re
from collections.abc import Mapping, Set
from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.game.play import game_before, play, warnings
from tests.kalooki.rows import without_null
from tests.kalooki.table_talk import begin, record, refusal, totals

GAMES = [
    pytest.param(game, id=f"{file.stem}: {game['title']}")
    for file in sorted((Path(__file__).parent / "steps").glob("*.toml"))
    for game in loads(file.read_text("utf-8"))["game"]
]


def plain(value):
    """Return a value of a game as the files have it: seats as text, lists for everything in a row."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Set):
        return sorted(value)
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def found(log, name, entry=None):
    """Return what a name such as `players[3].total` stands for in the game of a log."""
    value = {"totals": totals(log), "warnings": warnings(play(log), len(log))} if not entry else {}
    game = game_before(log, entry) if entry else play(log)
    for place, part in enumerate(re.findall(r"\w+", name)):
        if part in ("len", "keys"):
            value = len(value) if part == "len" else list(value)
        elif place == 0:
            value = value[part] if part in value else getattr(game, part)
        elif part.isdigit():
            value = value[int(part)]
        else:
            value = value[part] if isinstance(value, Mapping) else getattr(value, part)
    return plain(value)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_comes_to_what_was_worked_out_by_hand(game):
    game = without_null(game)
    log = begin(**game["start"])
    for number, step in enumerate(game["step"], start=1):
        log = record(log[: step.get("keep")], *step.get("do", ()))
        expected = step.get("expect", {})
        assert {name: found(log, name, step.get("before")) for name in expected} == expected, f"step {number}"
        refused = [(each["event"], each["by"]) for each in step.get("refused", ())]
        assert [(event, refusal(log, event)) for event, _ in refused] == refused, f"step {number}"
