"""The addresses that say how the server is and which release it runs, and what every answer carries."""

import asyncio
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app import create_app, store
from app.bootstrap import ROOT
from app.serving.asgi import Application
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
    store.close_database(app)
    assert (client.get("/livez").status_code, client.head("/livez").status_code) == (200, 200)
    for address in ("/readyz", "/healthz"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json == {
            "status": "database_unavailable",
            "reason": "unreachable",
            "message": "The database does not answer.",
            "version": VERSION,
            "schema": SCHEMA,
        }


def status_by_the_loop(app, path):
    """The status that the server answers without asking the application."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], "http_version": "1.1"}
    server = Application(app)
    app.wsgi_app = None
    with ThreadPoolExecutor(1) as apart:  # this thread may have a loop of its own
        apart.submit(asyncio.run, server(scope | {"scheme": "http"}, receive, send)).result()
    return sent[0]["status"]


@pytest.mark.parametrize("path", ["/livez", "/kalooki/livez"])
def test_below_a_path_it_says_that_it_lives_at_either_address(database, path):
    url, base = f"sqlite:///{database}", "https://cards.example/kalooki"
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test", "BASE_URL": base})
    assert status_by_the_loop(app, path) == 200
    store.close_database(app)


def test_the_release_is_told_at_the_foot_of_pages(client):
    for address in ("/", "/help", "/nowhere"):
        assert f"Version {VERSION}, schema {SCHEMA}" in words(client.get(address).text), address


def test_every_answer_forbids_scripts_and_frames_of_others(client):
    for address in ("/healthz", "/no-such-page"):
        policy = client.get(address).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
