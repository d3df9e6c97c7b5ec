"""A variant is one file: put into a copy of the product, it stands in every menu, has its rules and is ruled by."""

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
source = "S0"
extends = "european"
order = 8

[stated]
opening_points = 100
ace = "both"
low_ace_points = 1
"""
VISIT = """
import json, sys
from app import create_app

client = create_app({"DATABASE_URL": sys.argv[1], "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False}).test_client()
pages = {address: client.get(address).text for address in json.loads(sys.argv[2])}
ruling = client.post("/api/v1/check/opening", json={"variant": "lighthouse", "melds": ["KH KD KS", "AH 2H 3H"]}).json
game = client.post("/api/v1/games", json={"variant": "lighthouse", "players": ["Ann", "Ben"], "dealer": 1})
print(json.dumps({"pages": pages, "ruling": ruling, "game": game.status_code}))
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
    (copy / "app/kalooki/variants/lighthouse.toml").write_text(VARIANT, encoding="utf-8")
    command = [sys.executable, "-c", VISIT, f"sqlite:///{copy}/games.db", json.dumps(MENUS + OWN + OTHERS)]
    done = subprocess.run(command, check=False, cwd=copy, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("address", MENUS + OWN)
def test_it_stands_in_the_menus_and_has_pages_of_its_own(seen, address):
    assert "Kalooki of the Lighthouse" in seen["pages"][address]


def test_its_rules_say_its_values(seen):
    assert "come to 100 points or more" in seen["pages"]["/rules/lighthouse"]
    assert "A 2 3 is one: the ace may be low or high." in seen["pages"]["/disputes?variant=lighthouse"]
    assert "100 points" in seen["pages"]["/compare?a=european&b=lighthouse"]
    assert json.loads(seen["pages"]["/api/v1/variants/lighthouse"])["values"]["opening_points"]["value"] == 100
    assert '"lighthouse"' in seen["pages"]["/api/v1/openapi.json"]


def test_claims_are_judged_and_games_played_by_it(seen):
    # three kings 30, ace low 1 + 2 + 3
    ruling = seen["ruling"]
    assert (ruling["ok"], ruling["points"], ruling["needed"]) == (False, 36, 100)
    assert seen["game"] == 201
