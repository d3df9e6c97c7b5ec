"""A variant is one file: put into a copy of the product, it stands in every menu, has its rules and is ruled by.

Beside it lie two files that cannot be read: they are named, and nothing else suffers.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_app

ROOT = Path(__file__).resolve().parents[2]
VARIANT = """
name = "Kalooki of the Lighthouse"
summary = "As European, but a hundred points open and aces lie low."
source = "The keeper's own rules"
extends = "european"
order = 8

[stated]
opening_points = 100
ace = "both"
low_ace_points = 1
"""
BROKEN = {"no-source": VARIANT.replace("source", "sauce"), "no-toml": VARIANT + "[stated\n"}
VISIT = """
import json, sys
from app import create_app

app = create_app({"DATABASE_URL": sys.argv[1], "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False})
client = app.test_client()
pages = {address: client.get(address).text for address in json.loads(sys.argv[2])}
ruling = client.post("/api/v1/check/opening", json={"variant": "lighthouse", "melds": ["KH KD KS", "AH 2H 3H"]}).json
game = client.post("/api/v1/games", json={"variant": "lighthouse", "players": ["Ann", "Ben"], "dealer": 1})
print(json.dumps({
    "pages": pages, "ruling": ruling, "game": game.status_code, "broken": client.get("/rules/no-source").status_code,
    "status": {address: client.get(address).status_code for address in pages},
    "checked": app.test_cli_runner().invoke(args=["check-variants"]).output,
}))
"""
MENUS = ["/new", "/rules", "/compare", "/disputes", "/check", "/api/v1/variants"]
OWN = ["/rules/lighthouse", "/disputes?variant=lighthouse", "/check?variant=lighthouse&cards=AH 2H 3H"]
OTHERS = ["/api/v1/variants/lighthouse", "/api/v1/openapi.json", "/compare?a=european&b=lighthouse"]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a copy of the product with one file more shows and rules."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("app", "templates", "static"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in {"lighthouse": VARIANT, **BROKEN}.items():
        (copy / f"app/kalooki/variants/{name}.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", VISIT, f"sqlite:///{copy}/games.db", json.dumps(MENUS + OWN + OTHERS)]
    done = subprocess.run(command, check=False, cwd=copy, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) | {"log": done.stderr}


@pytest.mark.parametrize("address", MENUS + OWN)
def test_it_stands_in_the_menus_and_has_pages_of_its_own(seen, address):
    assert "Kalooki of the Lighthouse" in seen["pages"][address]


def test_its_rules_say_its_values(seen):
    assert "come to 100 points or more" in seen["pages"]["/rules/lighthouse"]
    assert "A 2 3 is one, Q K A too; K A 2 never is" in seen["pages"]["/disputes?variant=lighthouse"]
    assert "100 points" in seen["pages"]["/compare?a=european&b=lighthouse"]
    variant = json.loads(seen["pages"]["/api/v1/variants/lighthouse"])
    assert (variant["values"]["opening_points"]["value"], variant["source"]) == (100, "The keeper's own rules")
    assert '"lighthouse"' in seen["pages"]["/api/v1/openapi.json"]


def test_claims_are_judged_and_games_played_by_it(seen):
    # three kings 30, ace low 1 + 2 + 3
    ruling = seen["ruling"]
    assert (ruling["ok"], ruling["points"], ruling["needed"]) == (False, 36, 100)
    assert seen["game"] == 201


def test_a_broken_file_is_named_and_every_page_goes_on_without_it(seen):
    sentence = "no-source.toml: sauce: this does not fit a variant: “The keeper's own rules”."

    assert {address: status for address, status in seen["status"].items() if status != 200} == {}
    assert seen["broken"] == 404
    assert f"a variant is left out: {sentence}" in seen["log"]
    assert sentence in seen["checked"]
    assert "no-toml.toml: the file: " in seen["checked"]
