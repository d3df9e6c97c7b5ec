"""A new value is three pieces: its entry in values.toml, what the variants play, and the code that obeys it.

Put into a copy of the product, it is asked on the page of a new game, judged, kept, compared, told and printed. What
it means can be said by a rule there is; a rule that gives its number is a sentence more.
"""

import pytest

from tests.product_copy import copied, visited

pytestmark = pytest.mark.one_app

ENTRY = """
[twos_left]
label = "A two left in hand"
unit = "points"
rule = "number-cards"
house = { least = 0, most = 200 }
group = "counting"
"""
PIECES = {
    "app/kalooki/variants/values.toml": (("", ENTRY),),
    "app/kalooki/variants/european.toml": (("runs_of_one_suit =", "twos_left = 2\n"),),
    "app/kalooki/variants/classic.toml": (("[usual]", "twos_left = 30\n"),),
    "app/kalooki/variants/__init__.py": (
        ("    mishap_points: int\n", "    twos_left: int\n"),
        (
            "        return worths",
            '        worths |= {card: self.twos_left for card in LEFT_CARDS if card.rank == "2"}\n',
        ),
    ),
}
"""Where each piece stands: before which line."""
VISIT = """
import json, sys
from app import create_app

app = create_app({"DATABASE_URL": sys.argv[1], "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False})
client = app.test_client()
own = {"variant": "european", "house": {"twos_left": 20}}
game = client.post("/api/v1/games", json=own | {"players": ["Ann", "Ben"], "stakes": None}).json
hand = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "2C 3C"}}
told = client.post(
    f"/api/v1/games/{game['code']}/entries", json={"event": hand, "seen": 1, "submission": "a hand"},
    headers={"Authorization": f"Bearer {game['scorer']}"},
).json["state"]
asked = client.get("/new?variant=european").text
pages = [f"/g/{game['code']}/rules", "/rules/classic"]
print(json.dumps({
    "pages": {page.rpartition("/")[2]: client.get(page).text for page in pages},
    "value": client.get("/api/v1/variants/jamaican").json["values"]["twos_left"],
    "asked": asked,
    "differs": client.get("/api/v1/compare?a=european&b=classic").json["values"]["twos_left"]["b"],
    "total": told["players"][1]["total"], "kept": told["rules"]["twos_left"], "house": told["house"],
    "left": client.post("/api/v1/count", json={"variant": "classic", "cards": "2H 2S KD"}).json["points"],
    "refused": client.post("/api/v1/variants/check", json=own | {"house": {"twos_left": 201}}).json,
    "sheet": client.get(f"/api/v1/games/{game['code']}/sheet.html").text,
    "document": client.get("/api/v1/openapi.json").json["components"]["schemas"]["HouseRules"]["properties"],
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a copy of the product with the three pieces shows of them."""
    copy = copied(tmp_path_factory.mktemp("copy"), PIECES)
    return visited(copy, VISIT)


def test_it_is_asked_when_a_game_starts(seen):
    assert "A two left in hand" in seen["asked"]
    assert seen["document"]["twos_left"]["maximum"] == 200


def test_every_variant_plays_it_and_a_table_changes_it(seen):
    value = seen["value"]

    assert (value["value"], value["words"], value["stated"]) == (2, "2 points", False)
    assert value["house"] == {"least": 0, "most": 200}
    assert (seen["refused"]["ok"], seen["refused"]["faults"][0]["keys"]) == (False, ["twos_left"])


def test_the_code_obeys_it_in_games_and_counts(seen):
    # a two for 20 and a three; two twos for 30 and a king
    assert (seen["total"], seen["kept"], seen["house"]) == (23, 20, ["twos_left"])
    assert seen["left"] == 70


def test_it_is_told_on_every_surface(seen):
    assert "A two left in hand" in seen["pages"]["rules"]
    assert "20 points" in seen["pages"]["rules"]
    assert "A two left in hand" in seen["sheet"]
    assert (seen["differs"]["words"], seen["differs"]["stated"]) == ("30 points", True)
