"""What makes the pages an app on a phone."""

import json
from urllib.parse import urljoin

from app.views.game import board


def test_the_worker_stands_at_the_root_and_is_looked_at_anew(client):
    answer = client.get("/sw.js")
    assert answer.mimetype == "text/javascript"
    assert "no-cache" in answer.headers["Cache-Control"]


def test_a_game_says_by_which_rules_and_release_its_disputes_were_made(alice, monkeypatch):
    def tags():
        return {alice.get(path).headers["Kalooki-Rules"] for path in ("", "/disputes/all")}

    [first] = tags()
    alice.record({"kind": "setup", "house": {"limit": 200}})
    [second] = tags()
    monkeypatch.setattr(board, "RELEASE", "later")
    [third] = tags()
    assert len({first, second, third}) == 3


def test_a_page_without_a_network_says_what_happens_to_saved_hands(client):
    assert "is kept here and sent as soon as there is one" in client.get("/offline").text


def test_the_manifest_opens_the_home_page_under_its_own_icons(app, client):
    address = f"{app.static_url_path}/manifest.webmanifest"
    manifest = json.loads(client.get(address).text)
    assert manifest["display"] == "standalone"
    assert {urljoin(address, manifest[name]) for name in ("start_url", "scope")} == {"/"}
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        assert client.get(urljoin(address, icon["src"])).status_code == 200
