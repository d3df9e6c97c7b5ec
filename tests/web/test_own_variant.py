"""A variant of a table's own is one file; a broken one is named and left out, and nothing else suffers."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_app

ROOT = Path(__file__).resolve().parents[2]
HEAD = 'name = "Village"\nsummary = "As we play it."\nsource = "Our own rules"\nextends = "european"\n'
SOUND = HEAD + "[stated]\njoker_left = 25\nopening_points = 51\n"
BROKEN = {"no-source": HEAD.replace("source", "sauce"), "no-toml": HEAD + "[stated\n"}
VISIT = """
import json, sys
from app import create_app

app = create_app({"DATABASE_URL": sys.argv[1], "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False})
client = app.test_client()
asked = {"variant": "village", "players": ["Ann", "Ben"], "stakes": None}
game = client.post("/api/v1/games", json=asked).json
pages = ("/new?variant=village", "/check", "/check?variant=village&cards=KH+KD+KC", "/rules/village", "/compare")
pages += ("/api/v1/variants", "/api/v1/variants/village", "/sheets", f"/g/{game['code']}", f"/g/{game['code']}/rules")
print(json.dumps({
    "status": {page: client.get(page, follow_redirects=True).status_code for page in pages},
    "broken": client.get("/rules/no-source").status_code,
    "ids": [each["id"] for each in client.get("/api/v1/variants").json],
    "source": client.get("/api/v1/variants/village").json["source"],
    "checked": app.test_cli_runner().invoke(args=["check-variants"]).output,
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a copy of the product shows that has one more variant and many broken ones; and what it logs."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("app", "templates", "static"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    files = {"village": SOUND} | BROKEN
    for name, text in files.items():
        (copy / f"app/kalooki/variants/{name}.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", VISIT, f"sqlite:///{copy}/games.db"]
    done = subprocess.run(command, check=False, cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) | {"log": done.stderr}


def test_every_page_goes_on_without_the_broken_ones(seen):
    assert {page: status for page, status in seen["status"].items() if status != 200} == {}
    assert "village" in seen["ids"]
    assert not BROKEN.keys() & {*seen["ids"]}
    assert seen["broken"] == 404


def test_a_broken_file_is_named_when_the_server_starts_and_by_the_command(seen):
    sentence = "no-source.toml: sauce: this does not fit a variant: “Our own rules”."

    assert f"a variant is left out: {sentence}" in seen["log"]
    assert sentence in seen["checked"]


def test_a_sound_file_is_told_with_its_own_document(seen):
    assert seen["source"] == "Our own rules"
    assert "village: " in seen["checked"]
