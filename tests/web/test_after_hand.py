"""The JSON interface: what is recorded in mid-hand waits, and a game half played on paper is carried on."""

import pytest

from tests.json_scorer import Scorer, import_game, of_the_game
from tests.pages import hand

pytestmark = pytest.mark.one_app

API = "/api/v1/games"
GAME = {"variant": "european", "players": ["Ann", "Ben", "Cara"]}
FIVE = {"hands": 5, "totals": [62, 88, 140], "buy_ins": [0, 1, 0], "balances": [-70, -120, -50]}
PENALTY = {"kind": "penalty", "seat": 2, "points": 20, "amount": 30, "after_hand": True}
LEAVE, JOIN = {"kind": "leave", "seat": 3, "after_hand": True}, {"kind": "join", "name": "Dan", "after_hand": True}
RULING = {"kind": "ruling", "claim": "two cards", "verdict": "5 points", "seat": 1, "points": 5, "after_hand": True}
PENDING = [
    {"entry": 2, "kind": "penalty", "seat": 2, "points": 20, "amount": 30},
    {"entry": 3, "kind": "leave", "seat": 3, "points": 0, "amount": 0},
    {"entry": 4, "kind": "join", "name": "Dan", "points": None, "amount": 0},
    {"entry": 5, "kind": "ruling", "seat": 1, "points": 5, "amount": 0},
]


@pytest.fixture
def scorer(client):
    return Scorer(client, GAME)


@pytest.fixture(scope="module")
def unspoilt(shared_client):
    """A game in which nothing is ever saved."""
    return Scorer(shared_client, GAME)


def error(answer):
    assert answer.status_code == 422, answer.text
    return answer.json["error"]["code"], answer.json["error"]["field"]


def test_the_state_tells_what_waits_and_nothing_else_of_it(scorer):
    begun = scorer.state()
    state = scorer.record(PENALTY, LEAVE, JOIN, RULING)
    assert (begun["pending"], state["pending"]) == ([], PENDING)
    assert of_the_game(state) | {"pending": []} == of_the_game(begun)

    after = scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "KH", "3": "2H"}})
    assert [player["total"] for player in after["players"]] == [5, 30, 2, 30]
    assert (after["pending"], after["players"][2]["left"], after["pool"]) == ([], True, 180)


def test_a_preview_of_it_stores_nothing(scorer):
    before = scorer.state()
    shown = scorer.send(PENALTY, preview=True)
    assert (shown.status_code, shown.json["state"]["pending"]) == (200, PENDING[:1])
    assert scorer.state() == before


WRONG = [None, "yes", 1, 0.5, [], {}]


@pytest.mark.parametrize(
    ("event", "field"),
    [
        *((event | {"after_hand": wrong}, "after_hand") for event in (PENALTY, LEAVE, JOIN, RULING) for wrong in WRONG),
        *(({"kind": kind, "after_hand": True} | more, "after_hand") for kind, more in (
            ("void", {}), ("buy_in", {"seat": 1}), ("rename", {"seat": 1, "name": "X"}), ("end", {}))),
        *((PENALTY | {"points": wrong}, "points") for wrong in (-1001, 10_001, 1.5, "20", None, True, [])),
        *((PENALTY | {"seat": wrong}, "seat") for wrong in (0, 4, 57, -1, "2", None)),
        *((LEAVE | {"seat": wrong}, "seat") for wrong in (0, 4, 57, "2")),
        (PENALTY | {"points": 0, "amount": 0}, "points"),
        (JOIN | {"after": 4}, "after"),
        (JOIN | {"points": -1}, "points"),
        (RULING | {"points": 0}, "after_hand"),
        (RULING | {"upheld": False}, "after_hand"),
        (RULING | {"seat": None}, "seat"),
    ],
)  # fmt: skip
def test_bad_input_is_named_by_its_field_and_stores_nothing(unspoilt, event, field):
    for preview in (True, False):
        assert error(unspoilt.send(event, preview=preview))[1] == field
    assert unspoilt.state()["seen"] == 1


def test_a_bonus_is_a_penalty_below_zero(scorer):
    assert scorer.record({"kind": "penalty", "seat": 1, "points": -1000})["players"][0]["total"] == -1000


def test_a_game_is_carried_on_to_its_sheet_and_brought_back(client):
    scorer = Scorer(client, GAME | {"carried": FIVE, "dealer": 2})
    state = scorer.state()
    assert [player["total"] for player in state["players"]] == FIVE["totals"]
    assert [player["balance"] for player in state["players"]] == FIVE["balances"]
    assert (state["pool"], state["hand"]["number"], state["hand"]["dealer"], state["hands"]) == (240, 6, 2, [])
    assert state["carried"] == FIVE

    state = scorer.record(PENALTY, hand(1, s2=10, s3=5))
    log = client.get(f"{API}/{scorer.code}/sheet.json").json["log"]
    assert of_the_game(import_game(client, log).state()) == of_the_game(state)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({name: wrong}, f"carried.{name}") for name in FIVE if name != "hands"
          for wrong in ("x", 5, {}, [], [1], [0] * 4, [0] * 57)),
        *(({"hands": wrong}, "carried.hands") for wrong in (None, 0, -1, 1000, "5", 1.5, True)),
        *(({name: [0, wrong, 0]}, f"carried.{name}.1") for name in FIVE if name != "hands"
          for wrong in (None, "1", 0.5, True, 10**8, -(10**8))),
        ({"balances": [-70, 71, 0]}, "carried.balances"),
        ({"totals": [150, 150, 0]}, "carried.totals"),
        ({"buy_ins": [0, 3, 0]}, "carried.buy_ins"),
        ({"dealer": 1}, "carried.dealer"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_on_starts_no_game(shared_client, change, field):
    answer = shared_client.post(API, json=GAME | {"carried": FIVE | change})
    assert error(answer)[1] == field
    log = [{"event": {"kind": "start", **GAME, "carried": FIVE | change}}]
    assert error(shared_client.post(f"{API}/import", json={"log": log}))[1].endswith(field)
