"""The addresses that say how the server is and which release it runs, and what every answer carries."""

import tomllib
from pathlib import Path

import pytest

from app.settings import ROOT
from app.store import opening
from tests.pages import words

ADDRESSES = ("/livez", "/readyz", "/healthz")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
SCHEMA = max(path.name[:4] for path in Path(ROOT / "app/migrations/versions").glob("[0-9]*.py"))


@pytest.mark.parametrize("address", ADDRESSES)
def test_health_answers_with_the_release_when_the_database_does(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.json == {"status": "ok", "version": VERSION, "schema": SCHEMA}


def test_without_a_database_it_is_alive_and_not_ready(app, client):
    opening.close_database(app)
    assert (client.get("/livez").status_code, client.head("/livez").status_code) == (200, 200)
    for address in ("/readyz", "/healthz"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json == {
            "status": "database_unavailable",
            "reason": "unreachable",
            "message": "The database does not answer: is it running, and is DATABASE_URL right?",
            "version": VERSION,
            "schema": SCHEMA,
        }


def test_the_release_is_told_at_the_foot_of_pages(client):
    for address in ("/", "/help", "/nowhere"):
        assert f"Version {VERSION}" in words(client.get(address).text), address


def test_every_answer_forbids_scripts_and_frames_of_others(client):
    for address in ("/healthz", "/no-such-page"):
        policy = client.get(address).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
