"""A variant is one file: put into a copy of the product, it is found everywhere by itself."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

SCOTTISH = """
name = "Scottish Kalooki"
summary = "As in Europe, but a joker left in hand is dear."
source = "S0"
order = 8
extends = "european"

[usual]
joker_left = 40
"""

ASK = """
import json
from app import create_app
client = create_app().test_client()
rules = client.get("/rules/scottish").get_data(as_text=True)
new = client.get("/new").get_data(as_text=True)
print(json.dumps({
    "ids": [each["id"] for each in client.get("/api/v1/variants").json],
    "joker": client.get("/api/v1/variants/scottish").json["values"]["joker_left"],
    "points": client.post("/api/v1/count", json={"variant": "scottish", "cards": "*"}).json["points"],
    "menu": "Scottish Kalooki" in new,
    "rules": "Scottish Kalooki" in rules and "40 points" in rules,
}))
"""


@pytest.fixture
def copy(tmp_path):
    """The product with one file more."""
    for part in ("app", "templates", "static"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "instance").mkdir()
    (tmp_path / "app" / "kalooki" / "variants" / "scottish.toml").write_text(SCOTTISH, "utf-8")
    return tmp_path


def test_a_variant_added_as_one_file_is_in_the_menus_the_rules_and_the_json(copy):
    environment = os.environ | {"SECRET_KEY": "test", "DATABASE_URL": f"sqlite:///{copy / 'games.db'}"}
    command = [sys.executable, "-c", ASK]
    told = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout.splitlines()[-1])

    assert found["ids"][-1] == "scottish"
    assert (found["joker"]["value"], found["joker"]["stated"]) == (40, False)
    assert found["points"] == 40
    assert found["menu"]
    assert found["rules"]
