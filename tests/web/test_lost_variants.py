"""Games of a variant that a server's own file described, before release 1.0: they stay whole, and go on.

`lighthouse_of_0_3.json` is such a game as release 0.3 saved it.
"""

import json
import re

import pytest

from tests.conftest import ROOT
from tests.json_scorer import import_game
from tests.pages import hand, words

pytestmark = pytest.mark.one_app

SAVED = json.loads((ROOT / "tests/web/lighthouse_of_0_3.json").read_text("utf-8"))
PAGES = [
    "",
    "/rules",
    "/disputes",
    "/history",
    "/check",
    "/wrong/draw",
    "/sheet",
    "/more",
    "/enter/setup",
    "/share",
]
SHEETS = ["sheet.json", "sheet.html", "sheet.csv", "sheet.pdf", "rules.pdf"]
LOST = "Kalooki of the Lighthouse isn’t offered any more: its rules are filled in as house rules of European Kalooki."


@pytest.fixture
def game(client):
    """The saved game, on this device."""
    game = import_game(client, SAVED)
    client.get(f"/g/{game.code}/s/{game.secret}")
    return game


def value_of(page, name):
    return re.search(rf'<input[^>]*name="{name}"[^>]*? value="([^"]*)"', page)[1]


def test_its_totals_rules_and_papers_stay(client, game):
    """Its joker counts 40 and a king 10; its file said 100 points to open, the table 70."""
    code = game.code
    state = client.get(f"/api/v1/games/{code}").json

    assert (state["players"][1]["total"], state["rules"]["opening_points"], state["rules"]["limit"]) == (50, 70, 120)
    rules = words(client.get(f"/g/{code}/rules").text)
    assert "Kalooki of the Lighthouse" in rules
    assert "Opening: 70 points The source says: 100 points. Kalooki of the Lighthouse: The keeper’s own" in rules
    assert {page: client.get(f"/g/{code}{page}").status_code for page in PAGES} == dict.fromkeys(PAGES, 200)
    assert [client.get(f"/api/v1/games/{code}/{sheet}").status_code for sheet in SHEETS] == [200] * len(SHEETS)
    assert "Kalooki of the Lighthouse" in client.get(f"/api/v1/games/{code}/sheet.html").text
    assert client.get(f"/api/v1/sheets/blank.pdf?game={code}").data.startswith(b"%PDF")
    again = import_game(client, client.get(f"/api/v1/games/{code}/sheet.json").json["log"])
    assert again.state()["rules"] == state["rules"]
    saved = game.record(hand(1, s2="KH *"))
    assert saved["players"][1]["total"] == 100


def test_its_players_play_again_by_the_same_values(client, game):
    code = game.code
    for address, names in ((f"/g/{code}/rematch", ["Ann", "Ben"]), (f"/new?rules={code}", ["", ""])):
        page = client.get(address).text
        assert LOST in words(page)
        assert '<option selected value="european">' in page
        assert [value_of(page, f"players-{seat}-name") for seat in (0, 1)] == names
        told = {"opening_points": "70", "limit": "120", "joker_left": "40", "low_ace_points": "1"}
        assert {key: value_of(page, f"house-{key}") for key in told} == told
        assert '<option selected value="both">' in page  # an ace is high or low


def test_nothing_else_has_that_variant(client, game):
    refused = client.post("/api/v1/games", json={"variant": "lighthouse", "players": ["Ann", "Ben"]})
    assert (refused.status_code, refused.json["error"]["field"]) == (422, "variant")
    said = "This server has no variant “lighthouse”."
    for address in ("/new?variant=lighthouse", "/copy?variant=lighthouse"):
        page = client.get(address)
        assert (page.status_code, said in page.text) == (200, True), address
    page = client.get("/rules/lighthouse")
    assert (page.status_code, "There are no rules called “lighthouse” here." in page.text) == (404, True)


def test_no_game_gives_its_own_name_to_a_variant_of_ours(client):
    forged, bare = (json.loads(json.dumps(SAVED)) for _ in range(2))
    forged[0]["event"] |= {"variant": "european", "book": {"name": "Mine", "stated": []}}
    del bare[0]["event"]["book"]
    own = import_game(client, forged).code
    unknown = client.post("/api/v1/games/import", json={"log": bare})

    assert "European Kalooki" in client.get(f"/g/{own}").text
    assert "Mine" not in client.get(f"/g/{own}/rules").text
    assert (unknown.status_code, unknown.json["error"]["field"]) == (422, "log.1.event.variant")
