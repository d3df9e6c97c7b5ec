"""Whole games worked out by hand from the rules, played entry by entry through the JSON interface.

Each file of `games/` is one game: `[start]` is the body of POST /games, `[after_start]` what must be true
then, each `[[entries]]` an event with what must be true after it. `entry` beside an event is the number it
must get. Lists go by seat. TOML has no null: the word "null" stands for it everywhere.

Beside an event: `refused = true` (422, nothing stored), `warns = true` or `false` (something odd is said, or not).
"""

import tomllib
from operator import itemgetter
from pathlib import Path

import pytest

from tests.json_scorer import Scorer, import_game
from tests.kalooki.rows import without_null

pytestmark = pytest.mark.one_app

GAMES = sorted((Path(__file__).parent / "games").glob("*.toml"))
COMPUTED = ("status", "hand", "players", "hands", "pool", "money", "settlement", "order", "winners", "shares", "faults")


def load(path):
    return without_null(tomllib.loads(path.read_text(encoding="utf-8")))


def of_players(key):
    """Return a function that reads one value of every player, in seat order."""
    return lambda state: [player[key] for player in sorted(state["players"], key=lambda player: player["seat"])]


def of_hand(key):
    """Return a function that reads one value of the next hand."""
    return lambda state: state["hand"][key]


def offers(state):
    return [player["seat"] for player in state["players"] if player["may_buy_in"]]


def prices(state):
    """Return the score of each open offer to buy in, by seat."""
    return {str(player["seat"]): player["buy_in_score"] for player in state["players"] if player["may_buy_in"]}


def out_since(state):
    return {str(player["seat"]): player["out_since"] for player in state["players"] if player["out_since"]}


def scores(state):
    """Return the points of the last hand by seat."""
    return {seat: score["points"] for seat, score in state["hands"][-1]["scores"].items()}


def settlement(state):
    """Return the payments in sorted order."""
    return sorted([payment["from"], payment["to"], payment["amount"]] for payment in state["settlement"])


READ = {
    "names": of_players("name"),
    "totals": of_players("total"),
    "in": of_players("in"),
    "balances": of_players("balance"),
    "buy_ins": of_players("buy_ins"),
    "may_buy_in": offers,
    "buy_in_score": prices,
    "out_since": out_since,
    "scores": scores,
    "hand_winners": lambda state: [hand["winner"] for hand in state["hands"] if not hand["void"]],
    "hand_numbers": lambda state: [hand["number"] for hand in state["hands"]],
    "settlement": settlement,
    "payments": lambda state: len(state["settlement"]),
    "faults": lambda state: sorted({fault["entry"] for fault in state["faults"]}),
    **{key: of_hand(key) for key in ("number", "dealer", "first", "cards", "contract")},
    **{key: itemgetter(key) for key in ("pool", "status", "order", "winners", "shares")},
}


def brought_back(scorer):
    """Return the state of a copy made from the score sheet."""
    sheet = scorer.client.get(f"/api/v1/games/{scorer.code}/sheet.json").json
    return import_game(scorer.client, sheet["log"]).state()


def compare(state, expected, where):
    """Compare all expected values with the state together."""
    found = {key: READ[key](state) for key in expected}
    assert found == expected, where


def check_money(state, where):
    """Check that balances are the sums of their postings, and that balances and pool add up to zero."""
    if not state["money"]:
        return
    for player in state["players"]:
        posted = sum(posting["amount"] for posting in state["money"] if posting["seat"] == player["seat"])
        assert posted == player["balance"], f"{where}: postings of seat {player['seat']}"
    assert sum(player["balance"] for player in state["players"]) + state["pool"] == 0, where


def check_settlement(state, where):
    """Check that the proposed payments clear all balances."""
    left = {player["seat"]: player["balance"] for player in state["players"]}
    for payment in state["settlement"]:
        assert payment["amount"] > 0, where
        left[payment["from"]] += payment["amount"]
        left[payment["to"]] -= payment["amount"]
    if state["settlement"]:
        assert set(left.values()) == {0}, where


def refuse(scorer, event, where):
    """Check that the entry is refused and changes nothing."""
    before = scorer.state()
    answer = scorer.send(event, seen=before["seen"])
    assert answer.status_code == 422, f"{where}: {answer.status_code}, should be refused"
    assert answer.json["error"]["message"], where
    assert scorer.state() == before, where


def accept(scorer, line, where):
    """Preview and save the entry, and return the state after it."""
    before = scorer.state()
    preview = scorer.send(line["event"], seen=before["seen"], preview=True)
    assert preview.status_code == 200, f"{where}: {preview.json['error']}"
    assert scorer.state() == before, f"{where}: a preview stores nothing"
    saved = scorer.send(line["event"], seen=before["seen"])
    assert saved.status_code == 201, f"{where}: {saved.json['error']}"
    answer = saved.json
    assert answer["state"]["seen"] == line.get("entry", answer["state"]["seen"]), where
    for key in COMPUTED:
        assert preview.json["state"][key] == answer["state"][key], f"{where}: {key} differs from its preview"
    if "warns" in line:
        assert bool(answer["warnings"]) == line["warns"], f"{where}: {answer['warnings']}"
    return answer["state"]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_worked_out_by_hand_has_the_same_results(client, path):
    assert play(client, path) > 1


def play(client, path):
    """Play one of the games and compare every step with the expected results; return the number of entries."""
    game = load(path)
    scorer = Scorer(client, game["start"])
    after_start = game.get("after_start", {})
    if "warns" in after_start:
        assert bool(scorer.started["warnings"]) == after_start.pop("warns"), scorer.started["warnings"]
    compare(scorer.state(), after_start, "at the start")
    for line in game["entries"]:
        where = f"{path.name}, entry {line.get('entry', 'refused')}: {line['event']}"
        if line.get("refused"):
            refuse(scorer, line["event"], where)
            continue
        state = accept(scorer, line, where)
        compare(state, line.get("expect", {}), where)
        check_money(state, where)
        check_settlement(state, where)
    copy = brought_back(scorer)
    for key in COMPUTED:
        assert copy[key] == state[key], f"{path.name}: {key} differs in the copy brought back from its sheet"
    return state["seen"]


def test_every_variant_has_at_least_five_whole_games():
    played = [load(path)["start"]["variant"] for path in GAMES]
    assert {variant: played.count(variant) >= 5 for variant in played} == dict.fromkeys(played, True)
    assert len(set(played)) == 7


def test_every_game_says_what_it_shows():
    for path in GAMES:
        game = load(path)
        assert game["title"], path.name
        assert game["why"], path.name
        assert path.stem.startswith(game["start"]["variant"]), path.name
